"""Rows side by side in groups, where single rows would not be seen."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

_ALONE = 60  # so many rows can be seen one by one
_SERIES = 2000  # so many rows at equal steps, as the hours of some weeks, are a line
_MOST_GROUPS, _MEAN_ROWS, _FEWEST = 24, 25, 8  # groups, and rows in one on average and at least
_SMOOTH = 4  # a median that goes up and down its own range no more often changes with x alone
_EVEN = 1.5  # steps that differ by less are even
MOST_CATEGORIES = 20


@dataclass(frozen=True)
class Fan:
    """Quantiles of one row or group after the other."""

    x: np.ndarray
    median: np.ndarray
    low: np.ndarray  #: points x levels
    high: np.ndarray
    groups: int  #: 0 where each point is a row


def fan_of(x: np.ndarray, samples: np.ndarray, levels: list[float], bins: int | None) -> Fan:
    """Of rows in ascending order of x. `bins` None decides by itself, 0 leaves the rows alone."""
    tails = [(1 - level) / 2 for level in levels]
    at = [0.5, *tails, *(1 - tail for tail in tails)]
    single = None
    if bins is None or bins == 0:
        single = np.quantile(samples, at, axis=1)
        if bins == 0 or not _needs_groups(x, single[0]):
            return Fan(x, single[0], single[1 : len(levels) + 1].T, single[len(levels) + 1 :].T, 0)
    edges = group_edges(x, bins or min(_MOST_GROUPS, max(4, len(x) // _MEAN_ROWS)))
    pooled = np.array([np.quantile(samples[a:b], at) for a, b in zip(edges, edges[1:])]).T
    middle = x[(edges[:-1] + edges[1:] - 1) // 2]
    return Fan(middle, pooled[0], pooled[1 : len(levels) + 1].T, pooled[len(levels) + 1 :].T, len(edges) - 1)


def group_edges(x: np.ndarray, most: int) -> np.ndarray:
    """Where groups begin and end, of rows in ascending order of x.

    They are narrow where rows are many and shorter in rows where they are few: equal steps of rank and place together. Rows
    with the same x stay together.
    """
    span = (x[-1] - x[0]).astype(float) if hasattr(x[-1] - x[0], "astype") else float(x[-1] - x[0])
    place = (x - x[0]).astype(float) / span if span > 0 else np.zeros(len(x))
    both = (np.arange(len(x)) / len(x) + place) / 2
    starts = np.flatnonzero(np.r_[True, x[1:] != x[:-1]])
    wanted = np.searchsorted(both, np.arange(1, most) / most)
    nearest = starts[np.clip(np.searchsorted(starts, wanted), 0, len(starts) - 1)]
    edges = [0]
    for edge in np.unique(np.r_[nearest, len(x)]):
        if edge - edges[-1] >= _FEWEST:
            edges.append(int(edge))
    edges[-1] = len(x)
    return np.array(edges if len(edges) > 1 else [0, len(x)])


def _needs_groups(x: np.ndarray, median: np.ndarray) -> bool:
    if len(x) < 3:
        return False
    steps = np.diff(x).astype(float)
    if (steps == 0).any():
        return True
    if len(x) <= _ALONE or (len(x) <= _SERIES and steps.max() < _EVEN * steps.min()):
        return False
    return np.abs(np.diff(median)).sum() > _SMOOTH * (median.max() - median.min())


def category_rows(x) -> dict[str, np.ndarray] | None:
    """The rows of each category, the most frequent ones in their own order; None where x is of numbers or dates."""
    values = np.asarray(x)
    if values.dtype.kind not in "OUSb":
        return None
    missing = np.array([value is None or value != value for value in values], dtype=bool)
    names = np.array(["missing" if gone else str(value) for gone, value in zip(missing, values)], dtype=object)
    own_order = getattr(getattr(x, "cat", None), "categories", None)
    found = {name: np.flatnonzero(names == name) for name in dict.fromkeys(names)}
    if own_order is not None:
        found = {str(name): found[str(name)] for name in own_order if str(name) in found}
    kept = sorted(found, key=lambda name: -len(found[name]))[:MOST_CATEGORIES]
    return {name: rows for name, rows in found.items() if name in kept}
