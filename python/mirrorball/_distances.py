"""Distances between predictive distributions and the true ones."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from . import _core
from ._forecasts import Samples, predictive_of, weights_of
from ._warnings import renamed
from .laws import FrozenLaw, Law
from .threads import threads_of_jobs

__all__ = ["Distances", "distances"]


class Distances(NamedTuple):
    """Four distances between a predictive distribution and the true one.

    They are numbers, or one array each with ``per_row=True``.

    Examples
    --------
    >>> from mirrorball import laws
    >>> at = [0.2, 0.5]
    >>> found = distances(laws.crossing, laws.crossing.sample(at, 500), x=at)
    >>> 0 < found.hellinger < 0.5
    True
    """

    jsd: Any
    """Jensen-Shannon distance, base 2: between 0 and 1."""
    hellinger: Any
    """Hellinger distance, between 0 and 1."""
    wasserstein: Any
    """Wasserstein-1 distance, in units of y; two targets: mean over 32 directions."""
    energy: Any
    """Energy distance, square-root form as ``scipy.stats.energy_distance``."""


@renamed(draws="samples")
def distances(
    truth: Law | FrozenLaw | Samples,
    samples: Samples,
    *,
    x: ArrayLike | None = None,
    cells: int | None = None,
    sample_weight: ArrayLike | None = None,
    per_row: bool = False,
    n_jobs: int | None = None,
) -> Distances:
    """Distances to the true distribution: Jensen-Shannon, Hellinger, Wasserstein-1 and energy distance.

    Between two sets of samples, Wasserstein (one target) and energy distance are scipy's; the other two are computed on
    ``cells`` equal cells per target over the range of both sets (100, or 40 for two targets). A known distribution has
    its own cells, see ``docs/method.md``.

    Jensen-Shannon and Hellinger are above 0 even between two sets of samples of one distribution, and shrink with more
    samples: compare only numbers from equally many.

    Parameters
    ----------
    truth : one of ``mirrorball.laws``, or samples
        The true distribution, or samples from it or from another model: as many rows, one or two targets.
    samples : array of shape (rows, samples) or (rows, samples, targets), or Distribution
        The forecasts.
    x : array of shape (rows,), optional
        Where to take a known distribution: one value per row, or one for all.
    cells : int, optional
    sample_weight : array of shape (rows,), optional
    per_row : bool, default False
        Return one value per row instead of their mean.
    n_jobs : int, optional
        Number of threads.

    Returns
    -------
    Distances

    Examples
    --------
    >>> found = distances([[0.0, 1.0, 2.0]], [[1.0, 2.0, 3.0]])
    >>> print(f"{found.wasserstein:.1f}")
    1.0
    """
    predictive, threads = predictive_of(samples), threads_of_jobs(n_jobs)
    if isinstance(truth, FrozenLaw):
        values = _law_distances(truth.law, predictive, truth.x, cells, threads)
    elif isinstance(truth, Law):
        values = _law_distances(truth, predictive, x, cells, threads)
    else:
        values = _sample_distances(truth, predictive, cells, threads)
    if per_row:
        return Distances(*values.T)
    weights = None if sample_weight is None else weights_of(sample_weight, len(values))
    return Distances(*map(float, np.average(values, axis=0, weights=weights)))


def _law_distances(law: Law, s: _core.Predictive, x, cells, threads: int) -> np.ndarray:
    rows, _, targets = s.draws.shape
    if x is None:
        raise ValueError(
            f"distances to the distribution '{law.name}' need x: one value per row of the samples, {rows} here"
        )
    if cells is not None:
        raise ValueError(f"cells is {cells}, but the distribution '{law.name}' has its own cells: leave it out")
    if targets != len(law.target_names):
        raise ValueError(
            f"the samples have {targets} targets, the distribution '{law.name}' has {len(law.target_names)}"
        )
    at = np.ravel(np.asarray(x, dtype=float))
    if at.size not in (1, rows):
        raise ValueError(f"x has {at.size} values, the samples have {rows} rows")
    return _core.law_distances(s, law.name, np.ascontiguousarray(np.broadcast_to(at, rows)), threads)


def _sample_distances(truth, s: _core.Predictive, cells, threads: int) -> np.ndarray:
    other = predictive_of(truth, "samples of the truth")
    here, there = s.draws.shape, other.draws.shape
    if (here[0], here[2]) != (there[0], there[2]):
        raise ValueError(
            f"the samples are of {here[0]} rows and {here[2]} targets, those of the truth of {there[0]} and {there[2]}"
        )
    return _core.sample_distances(s, other, (100 if here[2] == 1 else 40) if cells is None else cells, threads)
