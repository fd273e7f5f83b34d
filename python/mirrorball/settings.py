"""From the estimator's parameters to the library's options, seeds and threads."""

from __future__ import annotations

import difflib
import functools
import operator
from collections.abc import Mapping
from typing import Any

import numpy as np
from sklearn.utils import check_random_state

from . import _core
from ._core import cores
from ._options import MAIN, Parameters
from ._warnings import warn
from .threads import threads_of_jobs

#: Two options that scikit-learn has other names for.
_SKLEARN_NAMES = {"seed": "random_state", "threads": "n_jobs"}


@functools.cache
def _table() -> list[_core.OptionInfo]:
    """The table of options."""
    return _core.option_list()


def text_of(value: Any) -> str:
    """An option's value as the text that the table of options reads."""
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, bool):
        return "true" if value else "false"
    return value if isinstance(value, str) else repr(value)


def count_of(name: str, value: Any, least: int = 1) -> int:
    """A whole number of at least `least`."""
    try:
        count = operator.index(value)
    except TypeError:
        raise ValueError(f"{name} is {value!r}: it must be an integer") from None
    if not least <= count < 2**63:
        raise ValueError(f"{name} is {count}: it must be {least} or more, and below 2**63")
    return count


def present_name(name: str) -> str | None:
    """The name that an option has now; None if there never was such an option."""
    for info in _table():
        if name == info.name or name in info.old_names:
            return info.name
    return None


def parameter_hint(name: str, value: Any) -> str:
    """How an option is given to the estimator.

    >>> parameter_hint("width", 64), parameter_hint("batch", 32), parameter_hint("seed", 1)
    ('width=64', "options={'batch': 32}", 'random_state=1')
    """
    if name in _SKLEARN_NAMES or name in MAIN:
        return f"{_SKLEARN_NAMES.get(name, name)}={value!r}"
    return f"options={{{name!r}: {value!r}}}"


def accept_old_names(parameters: Parameters, given: Mapping[str, Any], replace: bool = False) -> None:
    """Moves keywords of version 0.1, when every option was a parameter, to where they belong."""
    for old, value in given.items():
        name = present_name(old)
        if name is None:
            raise TypeError(f"MirrorballRegressor has no parameter {old!r}{_nearest(old)}")
        warn(f"MirrorballRegressor({old}=...) is deprecated: use {parameter_hint(name, value)}", FutureWarning)
        home = _SKLEARN_NAMES.get(name, name)
        if name == "threads" and value == 0:
            value = None  # all cores
        if value is None:
            continue
        if home in (*MAIN, *_SKLEARN_NAMES.values()):
            if not replace and getattr(parameters, home) not in (None, value):
                raise ValueError(f"{old} is {value} and {home} is {getattr(parameters, home)}: give {home} only")
            setattr(parameters, home, value)
        else:
            parameters.options = {**(parameters.options or {}), name: value}


def _nearest(name: str) -> str:
    """The parameter or option that was most likely meant."""
    known = [info.name for info in _table()] + ["preset", "categorical_features", "options", "verbose"]
    close = difflib.get_close_matches(name, known + list(_SKLEARN_NAMES.values()), 1)
    if not close:
        return ": help(MirrorballRegressor) has the parameters, `mirrorball fit --help-all` all options"
    option = present_name(close[0])
    hint = parameter_hint(option, ...) if option else f"{close[0]}=..."
    return f": did you mean {hint.replace('Ellipsis', '...')}?"


def listed_options(parameters: Parameters) -> dict[str, Any]:
    """The entries of `options` under their present names."""
    given = parameters.options
    if given is None:
        return {}
    if not isinstance(given, Mapping):
        raise ValueError(f"options is {given!r}: give a dictionary of names and values")
    out = {}
    for old, value in given.items():
        name = present_name(old)
        if name is None:
            raise ValueError(f"there is no option {old!r} in options{_nearest(str(old))}")
        if name != old:
            warn(f"the option {old!r} is deprecated: use {name!r}", FutureWarning)
        out[name] = value
    return out


def given_options(parameters: Parameters) -> dict[str, Any]:
    """All options that were given, by parameter or in `options`; one given twice must have one value."""
    given = listed_options(parameters)
    for name in MAIN:
        value = getattr(parameters, name)
        if value is None:
            continue
        if name in given and given[name] != value:
            raise ValueError(f"{name} is {value!r} and options[{name!r}] is {given[name]!r}: give one of them")
        given[name] = value
    for name, parameter in _SKLEARN_NAMES.items():
        if given.get(name) is not None and getattr(parameters, parameter) is not None:
            raise ValueError(f"options has {name!r}, and {parameter} is given: they are the same, give {parameter}")
    return given


def threads_of(parameters: Parameters) -> int:
    """The number of threads that `n_jobs` means."""
    threads = (parameters.options or {}).get("threads")
    if threads is not None and parameters.n_jobs is None:
        return count_of("threads", threads, 0) or cores()
    return threads_of_jobs(parameters.n_jobs)


def seed_of(state: int | np.random.RandomState | None) -> int:
    """The seed that `random_state` means."""
    if state is None:
        return 0
    if isinstance(state, (int, np.integer)):
        if state < 0:
            raise ValueError(f"random_state is {state}: it must be 0 or more")
        return int(state)
    return int(check_random_state(state).randint(2**31))


def options_of(parameters: Parameters) -> _core.Options:
    """The options of a fit. A bad value is a ValueError that names the option."""
    options = _core.Options(parameters.preset)
    given = {"seed": seed_of(parameters.random_state), **given_options(parameters), "threads": threads_of(parameters)}
    for name, value in given.items():
        if value is not None:
            options.set(name, _present_choice(name, text_of(value)))
    return options


def _present_choice(name: str, value: str) -> str:
    """The word that a choice has now."""
    [info] = [info for info in _table() if info.name == name]
    if value not in info.old_choices:
        return value
    warn(f"{name}={value!r} is deprecated: use {info.old_choices[value]!r}", FutureWarning)
    return info.old_choices[value]


def parameters_of(options: Mapping[str, Any]) -> dict[str, Any]:
    """The parameters that make an estimator with these options, less those that are the default's."""
    defaults = _core.preset("default")
    changed = {name: value for name, value in options.items() if value != defaults[name] and name != "threads"}
    made = {name: changed.pop(name) for name in MAIN if name in changed}
    if "seed" in changed:
        made["random_state"] = changed.pop("seed")
    return made | ({"options": changed} if changed else {})
