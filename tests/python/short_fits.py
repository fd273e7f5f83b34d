"""Makes fits short where the code leaves their length to Mirrorball: tests show that pages, notebooks and examples run.

`MIRRORBALL_TESTS=whole` trains as the code says.
"""

import os

from mirrorball import _core

WHOLE = os.environ.get("MIRRORBALL_TESTS") == "whole"
NETWORKS = 2

_fit = _core.fit


def short_fit(epochs: int):
    """A `_core.fit` that trains at most two networks, for so many epochs, with a small forest and no Gaussian process, where
    the number of epochs is not given.
    """

    def fit(train, valid, targets, weight, options, *more, **named):
        if not WHOLE and options.values()["epochs"] == 0:
            options.set("epochs", str(epochs))
            options.set("networks", str(min(NETWORKS, options.values()["networks"])))
            options.set("forest", "8")
            options.set("gaussian_process", "0")
        return _fit(train, valid, targets, weight, options, *more, **named)

    return fit


def install(epochs: int) -> None:
    """For all of a process."""
    _core.fit = short_fit(epochs)
