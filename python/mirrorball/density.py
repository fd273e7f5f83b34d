"""The density of a row's samples as it is drawn."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

__all__ = ["Density", "Spike"]

_OUTSIDE = 0.003  # share of the samples on either side that a drawing may leave out


class Spike(NamedTuple):
    """A value that many samples are equal to.

    Examples
    --------
    >>> Spike(5.0, 0.24).share
    0.24
    """

    value: float
    share: float
    """The share of the samples that have this value."""


@dataclass(frozen=True)
class Density:
    """The density of one row and target as it is drawn; `Distribution.density` makes it.

    The shares of the spikes and the area under the curve add up to 1.

    Attributes
    ----------
    x, y : arrays of shape (points,)
        The curve of the samples outside spikes, within the limits; empty where there are none.
    spikes : list of Spike
        In ascending order of their values.
    bars : bool
        Whether few values hold nearly all samples: the spikes are then bars beside each other.
    spike_width : float
        A spike of share s is drawn s / spike_width high: as high as the kernel would have made it, and as a bar so that
        its area is its share.
    bandwidth : float
        Standard deviation of the kernel, by Silverman's rule.
    limits : tuple of two float
        The range that samples can have. Where it is not known, a spike at the end of the samples is a limit.

    Examples
    --------
    >>> from mirrorball import Distribution
    >>> grades = Distribution([[1.0] * 30 + [2.0] * 50 + [3.0] * 20]).density()
    >>> grades.bars, grades.spikes
    (True, [Spike(value=1.0, share=0.3), Spike(value=2.0, share=0.5), Spike(value=3.0, share=0.2)])
    """

    x: NDArray[np.float64]
    y: NDArray[np.float64]
    spikes: list[Spike]
    bars: bool
    spike_width: float
    bandwidth: float
    limits: tuple[float, float]

    @classmethod
    def _of(cls, found: dict[str, Any]) -> Density:
        low, high = found.pop("limits")
        spikes = [Spike(*pair) for pair in found.pop("spikes")]
        x, y = (np.array(found.pop(axis), dtype=float) for axis in "xy")
        return cls(x, y, spikes, limits=(low, high), **found)


def drawn_range(samples: NDArray[np.float64], bandwidth: float) -> tuple[float, float]:
    """The range worth drawing: all but a few samples, and the kernel beyond them."""
    low, high = np.quantile(samples, [_OUTSIDE, 1 - _OUTSIDE])
    room = max(3.2 * bandwidth, 0.04 * (high - low)) or 0.05 * abs(low) or 1.0
    return float(low - room), float(high + room)
