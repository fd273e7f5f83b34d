"""From the estimator's parameters to the library's options, seeds and threads."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np
from sklearn.utils import check_random_state

from . import _core
from ._core import cores
from ._options import OPTION_NAMES, Parameters
from .threads import threads_of_jobs


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
        raise ValueError(f"{name} is {value!r}: it must be a whole number") from None
    if not least <= count < 2**63:
        raise ValueError(f"{name} is {count}: it must be {least} or more, and below 2**63")
    return count


def threads_of(parameters: Parameters) -> int:
    """The number of threads that `threads` or `n_jobs` mean."""
    threads, jobs = parameters.threads, parameters.n_jobs
    if threads is not None and jobs is not None and threads != jobs:
        raise ValueError(f"threads is {threads} and n_jobs is {jobs}: they are two names of one thing, give one")
    if threads is not None:
        return int(threads) or cores()
    return threads_of_jobs(jobs)


def seed_of(parameters: Parameters) -> int:
    """The seed that `seed` or `random_state` mean; 0 where both are None."""
    seed, state = parameters.seed, parameters.random_state
    if seed is not None and state is not None and seed != state:
        raise ValueError(f"seed is {seed} and random_state is {state}: they are two names of one thing, give one")
    if seed is not None or state is None:
        return seed or 0
    if isinstance(state, (int, np.integer)):
        if state < 0:
            raise ValueError(f"random_state is {state}: it must be 0 or more")
        return int(state)
    return int(check_random_state(state).randint(2**31))


def options_of(parameters: Parameters) -> _core.Options:
    """The options of a fit. A bad value is a ValueError that names the option."""
    options = _core.Options(parameters.preset)
    given = {name: getattr(parameters, name) for name in OPTION_NAMES}
    given |= {"seed": seed_of(parameters), "threads": threads_of(parameters)}
    for name, value in given.items():
        if value is not None:
            options.set(name, text_of(value))
    return options
