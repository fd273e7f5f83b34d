"""Scores of predictive draws, from Mirrorball or from any other model.

All functions follow one convention:

* ``y_true`` comes first, then ``draws``, as in scikit-learn. ``y_true`` has one value per row, or rows x targets.
* ``draws`` is an array of rows x samples, or rows x samples x targets, or what ``predict_dist`` returns.
* The answer is the mean over rows, weighted by ``sample_weight``. ``per_row=True`` gives one value per row.
* Several targets: scores of single targets are averaged over targets; ``multioutput="raw_values"`` gives one per target,
  an array of numbers weighs them, as in scikit-learn. The energy score and the joint NLL see all targets together.
* Lower is better, but for ``coverage`` (near its level), ``pit`` (uniform) and ``interval_width`` (a property).
* ``n_jobs``: threads to use, as ``MirrorballRegressor`` means it; None takes all cores. It never changes a result.

The numbers come from the same code as ``mirrorball score``; definitions are in ``docs/method.md``.

>>> import numpy as np
>>> from mirrorball import metrics
>>> rng = np.random.default_rng(0)
>>> y = rng.normal(size=1000)
>>> draws = rng.normal(size=(1000, 500))
>>> print(f"{metrics.crps(y, draws):.3f}")
0.551
>>> print(f"{metrics.coverage(y, draws, level=0.9):.3f}")
0.918
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _core
from .distribution import Distribution
from .laws import FrozenLaw, Law
from .threads import threads_of_jobs

__all__ = [
    "Distances",
    "coverage",
    "crps",
    "distances",
    "energy_score",
    "interval_score",
    "interval_width",
    "nll",
    "pinball",
    "pit",
    "qice",
    "summary",
]

#: Rows x samples, rows x samples x targets, or a distribution that holds them.
Draws = ArrayLike | Distribution


class Distances(NamedTuple):
    """Four distances between predictive draws and a truth: numbers, or one array each with ``per_row=True``."""

    jsd: Any
    """Jensen-Shannon distance, base 2: between 0 and 1."""
    hellinger: Any
    """Hellinger distance, between 0 and 1."""
    wasserstein: Any
    """Wasserstein-1 distance, in units of y; two targets: mean over 32 directions."""
    energy: Any
    """Energy distance, square-root form as ``scipy.stats.energy_distance``."""


def crps(
    y_true: ArrayLike,
    draws: Draws,
    *,
    fair: bool = False,
    sample_weight: ArrayLike | None = None,
    multioutput: str | ArrayLike = "uniform_average",
    per_row: bool = False,
    n_jobs: int | None = None,
) -> Any:
    """Continuous ranked probability score: mean|s - y| - mean|s - s'| / 2 over draws s, s'.

    ``fair=True`` leaves out the pairs of a draw with itself, which makes scores of different numbers of draws
    comparable. As ``properscoring.crps_ensemble`` and ``scoringrules.crps_ensemble`` (estimators "nrg" and "fair").

    >>> crps([2.0], [[1.0, 3.0]])
    0.5
    """
    y, s = _forecast(y_true, draws)
    _check_fair(s, fair)
    return _reduce(s.crps(y, fair, threads_of_jobs(n_jobs)), sample_weight, multioutput, per_row)


def energy_score(
    y_true: ArrayLike,
    draws: Draws,
    *,
    fair: bool = False,
    sample_weight: ArrayLike | None = None,
    per_row: bool = False,
    n_jobs: int | None = None,
) -> Any:
    """The CRPS of all targets jointly, with Euclidean norms in the targets' own units.

    A target with large units rules it: scale the columns first if they should count alike. For one target it is the
    CRPS. As ``scoringrules.es_ensemble``.

    >>> energy_score([[0.0, 0.0]], [[[0.0, 0.0], [3.0, 4.0]]])
    1.25
    """
    y, s = _forecast(y_true, draws)
    _check_fair(s, fair)
    values = s.energy_score(y, fair, threads_of_jobs(n_jobs))
    return _reduce(values[:, None], sample_weight, "uniform_average", per_row)


def nll(
    y_true: ArrayLike,
    draws: Draws,
    *,
    joint: bool = False,
    sample_weight: ArrayLike | None = None,
    multioutput: str | ArrayLike = "uniform_average",
    per_row: bool = False,
    n_jobs: int | None = None,
) -> Any:
    """Negative log of the draws' kernel density at y: Gaussian kernels, Scott's rule, as ``scipy.stats.gaussian_kde``.

    ``joint=True`` takes the density of all targets together. Draws without spread would have an infinite density: a
    floor stands in, and a warning says for how many rows. A few rows far from all draws can rule the mean: look at the
    median of ``per_row=True`` as well. Compare only scores of equal numbers of draws.
    """
    y, s = _forecast(y_true, draws)
    values, floored = _core.kde_nll(s, y, joint, threads_of_jobs(n_jobs))
    if floored:
        warnings.warn(
            f"the draws of {floored} of {values.size} forecasts have no spread: a floor stands in for their density",
            stacklevel=2,
        )
    return _reduce(values, sample_weight, multioutput, per_row)


def pit(
    y_true: ArrayLike,
    draws: Draws,
    *,
    n_jobs: int | None = None,
) -> NDArray[np.float64]:
    """Probability integral transform of every row: the share of draws below y, ties counted half.

    Uniform on 0 to 1 if the forecasts are calibrated. One value per row, or rows x targets. See ``plot.pit_histogram``.

    >>> pit([2.0, 0.0], [[1.0, 3.0], [1.0, 3.0]])
    array([0.5, 0. ])
    """
    y, s = _forecast(y_true, draws)
    values = _core.pit(s, y, threads_of_jobs(n_jobs))
    return values[:, 0] if values.shape[1] == 1 else values


def qice(
    y_true: ArrayLike,
    draws: Draws,
    *,
    bins: int = 10,
    sample_weight: ArrayLike | None = None,
    multioutput: str | ArrayLike = "uniform_average",
    n_jobs: int | None = None,
) -> Any:
    """Quantile interval calibration error: mean over bins of |share of rows in the bin - 1/bins|.

    A row's bin is the number of its predicted quantiles at 1/bins, 2/bins, ... that lie below y. 0 is best.
    """
    if bins < 2:
        raise ValueError(f"bins is {bins}, at least 2 are needed")
    y, s = _forecast(y_true, draws)
    inner = _quantiles(s, np.arange(1, bins) / bins, n_jobs)
    place = (inner < y[:, :, None]).sum(axis=2)
    weights = np.ones(len(y)) if sample_weight is None else _weights(sample_weight, len(y))
    shares = np.stack([np.bincount(column, weights, bins) for column in place.T], axis=1) / weights.sum()
    return _over_targets(np.abs(shares - 1 / bins).mean(axis=0), multioutput)


def coverage(
    y_true: ArrayLike,
    draws: Draws,
    level: float | ArrayLike = 0.9,
    *,
    sample_weight: ArrayLike | None = None,
    multioutput: str | ArrayLike = "uniform_average",
    per_row: bool = False,
    n_jobs: int | None = None,
) -> Any:
    """Share of rows whose y lies in the central interval of the draws, ends included.

    ``level`` may be a list: then the last axis of the answer runs over levels.

    >>> coverage([2.0, 9.0], [[1.0, 2.0, 3.0], [1.0, 2.0, 3.0]], level=0.5)
    0.5
    """
    y, s = _forecast(y_true, draws)
    low, high = _interval(s, level, n_jobs)
    at = y[:, :, None]
    values = ((low <= at) & (at <= high)).astype(float)
    return _reduce(_like_level(values, level), sample_weight, multioutput, per_row)


def interval_width(
    draws: Draws,
    level: float | ArrayLike = 0.9,
    *,
    sample_weight: ArrayLike | None = None,
    multioutput: str | ArrayLike = "uniform_average",
    per_row: bool = False,
    n_jobs: int | None = None,
) -> Any:
    """Width of the central interval of the draws. A narrow one is worth something only if it also covers.

    >>> interval_width([[0.0, 1.0, 2.0, 3.0, 4.0]], level=0.5)
    2.0
    """
    low, high = _interval(_predictive(draws), level, n_jobs)
    return _reduce(_like_level(high - low, level), sample_weight, multioutput, per_row)


def interval_score(
    y_true: ArrayLike,
    draws: Draws,
    level: float | ArrayLike = 0.9,
    *,
    sample_weight: ArrayLike | None = None,
    multioutput: str | ArrayLike = "uniform_average",
    per_row: bool = False,
    n_jobs: int | None = None,
) -> Any:
    """Winkler's score of the central interval: its width, and 2/(1 - level) times how far y lies outside.

    Rewards narrow intervals that cover. As ``scoringrules.interval_score`` with alpha = 1 - level.
    """
    levels = np.atleast_1d(np.asarray(level, dtype=float))
    if (levels >= 1).any():
        raise ValueError(f"level is {levels.max()}, it must be below 1: the score of a 100% interval is infinite")
    y, s = _forecast(y_true, draws)
    low, high = _interval(s, level, n_jobs)
    at = y[:, :, None]
    outside = np.maximum(low - at, 0) + np.maximum(at - high, 0)
    return _reduce(_like_level(high - low + 2 / (1 - levels) * outside, level), sample_weight, multioutput, per_row)


def pinball(
    y_true: ArrayLike,
    draws: Draws,
    quantile: float | ArrayLike = 0.5,
    *,
    sample_weight: ArrayLike | None = None,
    multioutput: str | ArrayLike = "uniform_average",
    per_row: bool = False,
    n_jobs: int | None = None,
) -> Any:
    """Pinball (quantile) loss of the draws' quantile, or of several quantiles along the last axis.

    As ``sklearn.metrics.mean_pinball_loss`` of that quantile; at 0.5 half the absolute error of the median.
    """
    y, s = _forecast(y_true, draws)
    q = np.atleast_1d(np.asarray(quantile, dtype=float))
    gap = y[:, :, None] - _quantiles(s, q, n_jobs)
    return _reduce(_like_level(np.maximum(q * gap, (q - 1) * gap), quantile), sample_weight, multioutput, per_row)


def distances(
    truth: Law | FrozenLaw | Draws,
    draws: Draws,
    *,
    x: ArrayLike | None = None,
    cells: int | None = None,
    sample_weight: ArrayLike | None = None,
    per_row: bool = False,
    n_jobs: int | None = None,
) -> Distances:
    """How far draws are from the true law: Jensen-Shannon, Hellinger, Wasserstein-1 and energy distance.

    ``truth`` is one of ``mirrorball.laws``, with ``x`` one value per row (or one for all), or draws from the truth or
    from another model, as many rows, one or two targets. Between two sets of draws, Wasserstein (one target) and energy
    distance are scipy's; the other two are taken on ``cells`` equal cells per target over the range of both sets (100,
    or 40 for two targets). A law brings its own cells, see ``docs/method.md``.

    Jensen-Shannon and Hellinger are above 0 even between two samples of one law, and shrink with more draws: compare
    only numbers from equally many.
    """
    predictive, threads = _predictive(draws), threads_of_jobs(n_jobs)
    if isinstance(truth, FrozenLaw):
        values = _law_distances(truth.law, predictive, truth.x, cells, threads)
    elif isinstance(truth, Law):
        values = _law_distances(truth, predictive, x, cells, threads)
    else:
        values = _sample_distances(truth, predictive, cells, threads)
    if per_row:
        return Distances(*values.T)
    weights = None if sample_weight is None else _weights(sample_weight, len(values))
    return Distances(*map(float, np.average(values, axis=0, weights=weights)))


def summary(
    y_true: ArrayLike,
    draws: Draws,
    *,
    levels: Sequence[float] = (0.5, 0.9),
    target_names: Sequence[str] | None = None,
    n_jobs: int | None = None,
) -> dict[str, Any]:
    """Everything at once, as ``mirrorball score --json`` has it: one entry per target, and the energy score.

    >>> rng = np.random.default_rng(0)
    >>> report = summary(rng.normal(size=300), rng.normal(size=(300, 200)))
    >>> list(report["targets"]["y"])
    ['mae', 'rmse', 'crps', 'nll', 'interval', 'qice', 'pit']
    >>> list(report["targets"]["y"]["interval"][0.9])
    ['coverage', 'width']
    """
    y, s = _forecast(y_true, draws, target_names)
    return _core.score_summary(s, y, list(levels), threads_of_jobs(n_jobs))


# What the functions above share.


def _cube(draws, what: str = "draws") -> np.ndarray:
    """Rows x samples x targets."""
    s = np.asarray(getattr(draws, "draws", draws), dtype=float)
    if s.ndim == 2:
        s = s[:, :, None]
    if s.ndim != 3:
        raise ValueError(f"{what} should be rows x samples or rows x samples x targets, not of shape {s.shape}")
    if s.size == 0:
        raise ValueError(f"{what} of shape {s.shape} are empty: at least 1 row, 1 sample and 1 target are needed")
    return s


def _predictive(draws, what: str = "draws", target_names=None) -> _core.Predictive:
    """The draws as the core holds them, all of them finite."""
    s = _cube(draws, what)
    if not np.isfinite(s).all():
        row, sample, target = np.argwhere(~np.isfinite(s))[0]
        raise ValueError(
            f"{what} are {s[row, sample, target]} in row {row}, sample {sample}, target {target}: not a finite number"
        )
    if isinstance(draws, Distribution) and target_names is None:
        return draws._predictive
    if target_names is None:
        target_names = ["y"] if s.shape[2] == 1 else [f"y{k + 1}" for k in range(s.shape[2])]
    return _core.Predictive(s, list(target_names))


def _forecast(y_true, draws, target_names=None) -> tuple[np.ndarray, _core.Predictive]:
    """Observed values as rows x targets, and draws of as many."""
    s = _cube(draws)
    y = np.asarray(y_true, dtype=float)
    if y.ndim < 2:
        y = y.reshape(-1, 1)
    if y.shape != (s.shape[0], s.shape[2]):
        raise ValueError(
            f"y_true has the shape {np.shape(y_true)}, draws are of {s.shape[0]} rows x {s.shape[1]} samples "
            f"x {s.shape[2]} targets: rows and targets must agree"
        )
    if not np.isfinite(y).all():
        row, target = np.argwhere(~np.isfinite(y))[0]
        raise ValueError(f"y_true is {y[row, target]} in row {row}, target {target}: leave such rows out")
    return np.ascontiguousarray(y), _predictive(draws, target_names=target_names)


def _law_distances(law: Law, s: _core.Predictive, x, cells, threads: int) -> np.ndarray:
    rows, _, targets = s.draws.shape
    if x is None:
        raise ValueError(f"distances to the law '{law.name}' need x: one value per row of draws, {rows} here")
    if cells is not None:
        raise ValueError(f"cells is {cells}, but the law '{law.name}' has its own cells: leave it out")
    if targets != len(law.target_names):
        raise ValueError(f"the draws have {targets} targets, the law '{law.name}' has {len(law.target_names)}")
    at = np.ravel(np.asarray(x, dtype=float))
    if at.size not in (1, rows):
        raise ValueError(f"x has {at.size} values, the draws have {rows} rows")
    return _core.law_distances(s, law.name, np.ascontiguousarray(np.broadcast_to(at, rows)), threads)


def _sample_distances(truth, s: _core.Predictive, cells, threads: int) -> np.ndarray:
    other = _predictive(truth, "draws of the truth")
    here, there = s.draws.shape, other.draws.shape
    if (here[0], here[2]) != (there[0], there[2]):
        raise ValueError(
            f"the draws are of {here[0]} rows and {here[2]} targets, those of the truth of {there[0]} and {there[2]}"
        )
    return _core.sample_distances(s, other, (100 if here[2] == 1 else 40) if cells is None else cells, threads)


def _check_fair(s: _core.Predictive, fair: bool) -> None:
    if fair and s.draws.shape[1] < 2:
        raise ValueError(f"the draws have {s.draws.shape[1]} sample a row, the fair score needs at least 2")


def _weights(sample_weight, rows: int) -> np.ndarray:
    weights = np.asarray(sample_weight, dtype=float)
    if weights.shape != (rows,):
        raise ValueError(f"sample_weight has the shape {weights.shape}, there are {rows} rows")
    if not (np.isfinite(weights).all() and (weights >= 0).all() and weights.sum() > 0):
        raise ValueError("sample_weight must be finite numbers of at least 0, not all 0")
    return weights


def _over_targets(values: np.ndarray, multioutput):
    """Targets are the first axis of `values`."""
    if isinstance(multioutput, str):
        if multioutput == "raw_values":
            return values
        if multioutput != "uniform_average":
            raise ValueError(
                f"multioutput is {multioutput!r}: take 'uniform_average', 'raw_values' or an array of weights"
            )
        multioutput = None
    elif np.shape(multioutput) != values.shape[:1]:
        raise ValueError(f"multioutput has the shape {np.shape(multioutput)}, there are {values.shape[0]} targets")
    mean = np.average(values, axis=0, weights=multioutput)
    return float(mean) if mean.ndim == 0 else mean


def _reduce(values: np.ndarray, sample_weight, multioutput, per_row: bool):
    """From rows x targets (x levels) to what was asked for."""
    if per_row:
        if sample_weight is not None:
            raise ValueError("sample_weight has no meaning with per_row=True: leave one of them out")
        return values if _raw(multioutput) else _over_targets(np.moveaxis(values, 1, 0), multioutput)
    weights = None if sample_weight is None else _weights(sample_weight, len(values))
    return _over_targets(np.average(values, axis=0, weights=weights), multioutput)


def _raw(multioutput) -> bool:
    return isinstance(multioutput, str) and multioutput == "raw_values"


def _quantiles(s: _core.Predictive, levels: np.ndarray, n_jobs=None) -> np.ndarray:
    """Rows x targets x levels."""
    if not ((levels >= 0) & (levels <= 1)).all():
        raise ValueError(
            f"quantile levels are shares between 0 and 1, not {levels[~((levels >= 0) & (levels <= 1))][0]:g}"
        )
    return s.quantiles(levels.tolist(), threads_of_jobs(n_jobs)).transpose(0, 2, 1)


def _interval(s: _core.Predictive, level, n_jobs=None) -> tuple[np.ndarray, np.ndarray]:
    """Ends of the central intervals, each rows x targets x levels."""
    levels = np.atleast_1d(np.asarray(level, dtype=float))
    if levels.ndim != 1 or not ((levels >= 0) & (levels <= 1)).all():
        raise ValueError(f"level is {level}: give a share between 0 and 1, or a list of them")
    ends = _quantiles(s, np.concatenate([(1 - levels) / 2, (1 + levels) / 2]), n_jobs)
    return ends[:, :, : len(levels)], ends[:, :, len(levels) :]


def _like_level(values: np.ndarray, level) -> np.ndarray:
    """Without the axis of levels where a single one was asked."""
    return values[:, :, 0] if np.ndim(level) == 0 else values
