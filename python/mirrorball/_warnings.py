"""Warnings, and names of earlier versions that stay accepted."""

from __future__ import annotations

import functools
import inspect
import warnings
from collections.abc import Callable
from typing import Any, TypeVar, cast

__all__ = ["MirrorballWarning"]

Function = TypeVar("Function", bound=Callable[..., Any])


class MirrorballWarning(UserWarning):
    """Something about the data or the fit that looks wrong, but is no error.

    Examples
    --------
    >>> import warnings
    >>> from mirrorball import MirrorballWarning
    >>> warnings.simplefilter("ignore", MirrorballWarning)  # be quiet about doubtful columns
    >>> warnings.simplefilter("default", MirrorballWarning)
    """


def warn(message: str, category: type[Warning] = MirrorballWarning) -> None:
    """A warning that points to the line outside this package which led to it."""
    frame, level = inspect.currentframe(), 0
    while frame is not None and frame.f_globals.get("__name__", "").partition(".")[0] == "mirrorball":
        frame, level = frame.f_back, level + 1
    warnings.warn(message, category, stacklevel=level + 1)


def renamed(**names: str) -> Callable[[Function], Function]:
    """A function some of whose keywords had other names: the old ones work, with a warning that has the new one.

    >>> @renamed(draws="samples")
    ... def count(samples):
    ...     return len(samples)
    >>> with warnings.catch_warnings(record=True) as caught:
    ...     warnings.simplefilter("always")
    ...     count(draws=[1, 2])
    2
    >>> print(caught[0].message)
    count(draws=...) is deprecated: use samples=...
    """

    def decorate(function: Function) -> Function:
        @functools.wraps(function)
        def call(*args: Any, **kwargs: Any) -> Any:
            for old in names.keys() & kwargs.keys():
                new = names[old]
                if new in kwargs:
                    raise TypeError(f"{function.__name__}() got {new!r} and also its old name {old!r}")
                warn(f"{function.__name__}({old}=...) is deprecated: use {new}=...", FutureWarning)
                kwargs[new] = kwargs.pop(old)
            return function(*args, **kwargs)

        return cast(Function, call)

    return decorate


def takes_old_names(init: Function) -> Function:
    """A constructor that also takes the keywords of version 0.1; its signature has the present ones alone."""
    known = inspect.signature(init).parameters

    @functools.wraps(init)
    def call(self: Any, *args: Any, **given: Any) -> None:
        from .settings import accept_old_names

        old = {name: given.pop(name) for name in list(given) if name not in known}
        init(self, *args, **given)
        accept_old_names(self, old)

    return cast(Function, call)
