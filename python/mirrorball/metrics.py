"""Scores of probabilistic forecasts given as samples, from Mirrorball or from any other model.

All functions follow one convention:

* ``y_true`` comes first, then ``samples``, as in scikit-learn. ``y_true`` has one value per row, or rows x targets.
* ``samples`` is an array of rows x samples, or rows x samples x targets, or what ``predict_dist`` returns.
* The result is the mean over rows, weighted by ``sample_weight``. ``per_row=True`` returns one value per row.
* Several targets: scores of single targets are averaged over targets; ``multioutput="raw_values"`` returns one per
  target, an array of numbers weights them, as in scikit-learn. The energy score and the joint NLL are of all targets
  together.
* Lower is better, except for ``coverage`` (near its level), ``pit`` (uniform) and ``interval_width`` (a property).
* ``n_jobs``: number of threads, as for ``MirrorballRegressor``; None takes all cores. It never changes a result.

The numbers come from the same code as ``mirrorball score``; definitions are in ``docs/method.md``. Scorers for
scikit-learn's searches are in ``mirrorball.scoring``.

>>> import numpy as np
>>> from mirrorball import metrics
>>> rng = np.random.default_rng(0)
>>> y = rng.normal(size=1000)
>>> samples = rng.normal(size=(1000, 500))
>>> print(f"{metrics.crps(y, samples):.3f}")
0.551
>>> print(f"{metrics.coverage(y, samples, level=0.9):.3f}")
0.918
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _core
from ._distances import Distances, distances
from ._forecasts import (
    Samples,
    check_fair,
    forecast_of,
    interval_of,
    like_level,
    over_targets,
    predictive_of,
    quantiles_of,
    reduced,
    weights_of,
)
from ._warnings import renamed, warn
from .threads import threads_of_jobs

__all__ = [
    "Distances",
    "calibration",
    "coverage",
    "crps",
    "distances",
    "energy_score",
    "interval_score",
    "interval_width",
    "mae",
    "nll",
    "pinball",
    "pit",
    "qice",
    "rmse",
    "summary",
]

@renamed(draws="samples")
def crps(
    y_true: ArrayLike,
    samples: Samples,
    *,
    fair: bool = False,
    sample_weight: ArrayLike | None = None,
    multioutput: str | ArrayLike = "uniform_average",
    per_row: bool = False,
    n_jobs: int | None = None,
) -> Any:
    """Continuous ranked probability score: mean|s - y| - mean|s - s'| / 2 over samples s, s'.

    As ``properscoring.crps_ensemble`` and ``scoringrules.crps_ensemble`` (estimators "nrg" and "fair").

    Parameters
    ----------
    y_true : array of shape (rows,) or (rows, targets)
        The observed values.
    samples : array of shape (rows, samples) or (rows, samples, targets), or Distribution
        The forecasts.
    fair : bool, default False
        Leave out the pairs of a sample with itself, which makes scores of different numbers of samples comparable.
    sample_weight : array of shape (rows,), optional
    multioutput : {"uniform_average", "raw_values"} or array of shape (targets,)
        The mean over targets, one value per target, or a weighted mean.
    per_row : bool, default False
        Return one value per row instead of their mean.
    n_jobs : int, optional
        Number of threads.

    Returns
    -------
    float or array

    Examples
    --------
    >>> crps([2.0], [[1.0, 3.0]])
    0.5
    """
    y, s = forecast_of(y_true, samples)
    check_fair(s, fair)
    return reduced(s.crps(y, fair, threads_of_jobs(n_jobs)), sample_weight, multioutput, per_row)


@renamed(draws="samples")
def energy_score(
    y_true: ArrayLike,
    samples: Samples,
    *,
    fair: bool = False,
    sample_weight: ArrayLike | None = None,
    per_row: bool = False,
    n_jobs: int | None = None,
) -> Any:
    """The CRPS of all targets jointly, with Euclidean norms in the targets' own units.

    A target with large units dominates it: scale the columns first if they should count alike. For one target it is
    the CRPS. As ``scoringrules.es_ensemble``.

    Parameters
    ----------
    y_true : array of shape (rows,) or (rows, targets)
        The observed values.
    samples : array of shape (rows, samples) or (rows, samples, targets), or Distribution
        The forecasts.
    fair : bool, default False
        Leave out the pairs of a sample with itself, which makes scores of different numbers of samples comparable.
    sample_weight : array of shape (rows,), optional
    per_row : bool, default False
        Return one value per row instead of their mean.
    n_jobs : int, optional
        Number of threads.

    Returns
    -------
    float or array

    Examples
    --------
    >>> energy_score([[0.0, 0.0]], [[[0.0, 0.0], [3.0, 4.0]]])
    1.25
    """
    y, s = forecast_of(y_true, samples)
    check_fair(s, fair)
    values = s.energy_score(y, fair, threads_of_jobs(n_jobs))
    return reduced(values[:, None], sample_weight, "uniform_average", per_row)


@renamed(draws="samples")
def mae(
    y_true: ArrayLike,
    samples: Samples,
    *,
    sample_weight: ArrayLike | None = None,
    multioutput: str | ArrayLike = "uniform_average",
    per_row: bool = False,
    n_jobs: int | None = None,
) -> Any:
    """Mean absolute error of the median of the samples.

    Parameters
    ----------
    y_true : array of shape (rows,) or (rows, targets)
        The observed values.
    samples : array of shape (rows, samples) or (rows, samples, targets), or Distribution
        The forecasts.
    sample_weight : array of shape (rows,), optional
    multioutput : {"uniform_average", "raw_values"} or array of shape (targets,)
        The mean over targets, one value per target, or a weighted mean.
    per_row : bool, default False
        Return one value per row instead of their mean.
    n_jobs : int, optional
        Number of threads.

    Returns
    -------
    float or array

    Examples
    --------
    >>> mae([2.0, 5.0], [[1.0, 2.0, 3.0], [1.0, 2.0, 3.0]])
    1.5
    """
    y, s = forecast_of(y_true, samples)
    median = quantiles_of(s, np.array([0.5]), n_jobs)[:, :, 0]
    return reduced(np.abs(median - y), sample_weight, multioutput, per_row)


@renamed(draws="samples")
def rmse(
    y_true: ArrayLike,
    samples: Samples,
    *,
    sample_weight: ArrayLike | None = None,
    multioutput: str | ArrayLike = "uniform_average",
    n_jobs: int | None = None,
) -> Any:
    """Root mean squared error of the mean of the samples.

    Parameters
    ----------
    y_true : array of shape (rows,) or (rows, targets)
        The observed values.
    samples : array of shape (rows, samples) or (rows, samples, targets), or Distribution
        The forecasts.
    sample_weight : array of shape (rows,), optional
    multioutput : {"uniform_average", "raw_values"} or array of shape (targets,)
        The mean over targets, one value per target, or a weighted mean.
    n_jobs : int, optional
        Number of threads.

    Returns
    -------
    float or array

    Examples
    --------
    >>> rmse([2.0, 4.0], [[1.0, 2.0, 3.0], [1.0, 2.0, 3.0]]) == np.sqrt(2)
    np.True_
    """
    y, s = forecast_of(y_true, samples)
    squares = (s.mean(threads_of_jobs(n_jobs)) - y) ** 2
    return over_targets(np.sqrt(reduced(squares, sample_weight, "raw_values", per_row=False)), multioutput)


@renamed(draws="samples")
def nll(
    y_true: ArrayLike,
    samples: Samples,
    *,
    joint: bool = False,
    sample_weight: ArrayLike | None = None,
    multioutput: str | ArrayLike = "uniform_average",
    per_row: bool = False,
    n_jobs: int | None = None,
) -> Any:
    """Negative log density of the samples at y: Gaussian kernels, Scott's rule, as ``scipy.stats.gaussian_kde``.

    Samples without spread would have an infinite density: a lower bound of the kernel width is used, and a warning
    counts these rows. A few rows far from all samples can dominate the mean: look at the median of ``per_row=True`` as
    well. Compare only scores of equal numbers of samples.

    Parameters
    ----------
    y_true : array of shape (rows,) or (rows, targets)
        The observed values.
    samples : array of shape (rows, samples) or (rows, samples, targets), or Distribution
        The forecasts.
    joint : bool, default False
        Use the density of all targets together.
    sample_weight : array of shape (rows,), optional
    multioutput : {"uniform_average", "raw_values"} or array of shape (targets,)
        The mean over targets, one value per target, or a weighted mean.
    per_row : bool, default False
        Return one value per row instead of their mean.
    n_jobs : int, optional
        Number of threads.

    Returns
    -------
    float or array

    Examples
    --------
    >>> near, far = (nll([y], [[-1.0, 0.0, 1.0]]) for y in (0.0, 5.0))
    >>> near < far
    True
    """
    y, s = forecast_of(y_true, samples)
    values, floored = _core.kde_nll(s, y, joint, threads_of_jobs(n_jobs))
    if floored:
        warn(
            f"the samples of {floored} of {values.size} forecasts have no spread: a lower bound of the kernel width is"
            " used for their density"
        )
    return reduced(values, sample_weight, multioutput, per_row)


@renamed(draws="samples")
def pit(
    y_true: ArrayLike,
    samples: Samples,
    *,
    n_jobs: int | None = None,
) -> NDArray[np.float64]:
    """Probability integral transform of every row: the share of samples below y, ties counted half.

    Uniform on 0 to 1 if the forecasts are calibrated. See ``plot.pit_histogram``.

    Parameters
    ----------
    y_true : array of shape (rows,) or (rows, targets)
        The observed values.
    samples : array of shape (rows, samples) or (rows, samples, targets), or Distribution
        The forecasts.
    n_jobs : int, optional
        Number of threads.

    Returns
    -------
    array of shape (rows,) or (rows, targets)

    Examples
    --------
    >>> pit([2.0, 0.0], [[1.0, 3.0], [1.0, 3.0]])
    array([0.5, 0. ])
    """
    y, s = forecast_of(y_true, samples)
    values = _core.pit(s, y, threads_of_jobs(n_jobs))
    return values[:, 0] if values.shape[1] == 1 else values


def calibration(y_true: ArrayLike, samples: Samples, *, n_jobs: int | None = None) -> dict[str, Any]:
    """Whether forecasts come true, by one test: the verdict of the report and of ``mirrorball score``.

    The rank of y among the samples, ties split at random, is uniform if the forecasts are calibrated. Its distribution is
    compared with the uniform one at 99 levels, within a band that contains a calibrated forecast at all levels together
    with 95% probability.

    Parameters
    ----------
    y_true : array of shape (rows,) or (rows, targets)
        The observed values.
    samples : array of shape (rows, samples) or (rows, samples, targets), or Distribution
        The forecasts.
    n_jobs : int, optional
        Number of threads.

    Returns
    -------
    dict
        ``verdict`` ("calibrated", "nearly": off by less than 3 percentage points, "off", or "point": every forecast is a
        single number), ``shapes`` (what is wrong: "too narrow", "too high", …), ``words`` (both as a sentence),
        ``largest`` and ``largest_at`` (the largest difference and its level), ``values`` (how many different values y has),
        and the curve: ``level``, ``share``, ``low``, ``high``. With several targets, one such dict per target.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> y, samples = rng.normal(size=800), rng.normal(size=(800, 200))
    >>> calibration(y, samples)["verdict"]
    'calibrated'
    >>> calibration(y, 0.5 * samples)["shapes"]
    ['too narrow']
    """
    y, s = forecast_of(y_true, samples)
    found = _core.score_summary(s, y, [0.5, 0.9], threads_of_jobs(n_jobs))["targets"]
    checks = {name: scores["calibration"] for name, scores in found.items()}
    return next(iter(checks.values())) if len(checks) == 1 else checks


@renamed(draws="samples")
def qice(
    y_true: ArrayLike,
    samples: Samples,
    *,
    bins: int = 10,
    sample_weight: ArrayLike | None = None,
    multioutput: str | ArrayLike = "uniform_average",
    n_jobs: int | None = None,
) -> Any:
    """Quantile interval calibration error: mean over bins of |share of rows in the bin - 1/bins|.

    A row's bin is the number of its predicted quantiles at 1/bins, 2/bins, ... that lie below y. 0 is best.

    Parameters
    ----------
    y_true : array of shape (rows,) or (rows, targets)
        The observed values.
    samples : array of shape (rows, samples) or (rows, samples, targets), or Distribution
        The forecasts.
    bins : int, default 10
    sample_weight : array of shape (rows,), optional
    multioutput : {"uniform_average", "raw_values"} or array of shape (targets,)
        The mean over targets, one value per target, or a weighted mean.
    n_jobs : int, optional
        Number of threads.

    Returns
    -------
    float or array

    Examples
    --------
    >>> qice([0.5, 1.5, 2.5, 3.5], np.tile(np.arange(5.0), (4, 1)), bins=4)
    0.0
    """
    if bins < 2:
        raise ValueError(f"bins is {bins}, at least 2 are needed")
    y, s = forecast_of(y_true, samples)
    inner = quantiles_of(s, np.arange(1, bins) / bins, n_jobs)
    place = (inner < y[:, :, None]).sum(axis=2)
    weights = np.ones(len(y)) if sample_weight is None else weights_of(sample_weight, len(y))
    shares = np.stack([np.bincount(column, weights, bins) for column in place.T], axis=1) / weights.sum()
    return over_targets(np.abs(shares - 1 / bins).mean(axis=0), multioutput)


@renamed(draws="samples")
def coverage(
    y_true: ArrayLike,
    samples: Samples,
    level: float | ArrayLike = 0.9,
    *,
    sample_weight: ArrayLike | None = None,
    multioutput: str | ArrayLike = "uniform_average",
    per_row: bool = False,
    n_jobs: int | None = None,
) -> Any:
    """Share of rows whose y lies in the central interval of the samples, ends included.

    Parameters
    ----------
    y_true : array of shape (rows,) or (rows, targets)
        The observed values.
    samples : array of shape (rows, samples) or (rows, samples, targets), or Distribution
        The forecasts.
    level : float or sequence of float, default 0.9
        The probability of the central interval. With several, the last axis of the result runs over them.
    sample_weight : array of shape (rows,), optional
    multioutput : {"uniform_average", "raw_values"} or array of shape (targets,)
        The mean over targets, one value per target, or a weighted mean.
    per_row : bool, default False
        Return one value per row instead of their mean.
    n_jobs : int, optional
        Number of threads.

    Returns
    -------
    float or array

    Examples
    --------
    >>> coverage([2.0, 9.0], [[1.0, 2.0, 3.0], [1.0, 2.0, 3.0]], level=0.5)
    0.5
    """
    y, s = forecast_of(y_true, samples)
    low, high = interval_of(s, level, n_jobs)
    at = y[:, :, None]
    values = ((low <= at) & (at <= high)).astype(float)
    return reduced(like_level(values, level), sample_weight, multioutput, per_row)


@renamed(draws="samples")
def interval_width(
    samples: Samples,
    level: float | ArrayLike = 0.9,
    *,
    sample_weight: ArrayLike | None = None,
    multioutput: str | ArrayLike = "uniform_average",
    per_row: bool = False,
    n_jobs: int | None = None,
) -> Any:
    """Width of the central interval of the samples. A narrow interval is worth something only if it also covers.

    Parameters
    ----------
    samples : array of shape (rows, samples) or (rows, samples, targets), or Distribution
        The forecasts.
    level : float or sequence of float, default 0.9
        The probability of the central interval. With several, the last axis of the result runs over them.
    sample_weight : array of shape (rows,), optional
    multioutput : {"uniform_average", "raw_values"} or array of shape (targets,)
        The mean over targets, one value per target, or a weighted mean.
    per_row : bool, default False
        Return one value per row instead of their mean.
    n_jobs : int, optional
        Number of threads.

    Returns
    -------
    float or array

    Examples
    --------
    >>> interval_width([[0.0, 1.0, 2.0, 3.0, 4.0]], level=0.5)
    2.0
    """
    low, high = interval_of(predictive_of(samples), level, n_jobs)
    return reduced(like_level(high - low, level), sample_weight, multioutput, per_row)


@renamed(draws="samples")
def interval_score(
    y_true: ArrayLike,
    samples: Samples,
    level: float | ArrayLike = 0.9,
    *,
    sample_weight: ArrayLike | None = None,
    multioutput: str | ArrayLike = "uniform_average",
    per_row: bool = False,
    n_jobs: int | None = None,
) -> Any:
    """Winkler's score of the central interval: its width, and 2/(1 - level) times how far y lies outside.

    Rewards narrow intervals that cover. As ``scoringrules.interval_score`` with alpha = 1 - level.

    Parameters
    ----------
    y_true : array of shape (rows,) or (rows, targets)
        The observed values.
    samples : array of shape (rows, samples) or (rows, samples, targets), or Distribution
        The forecasts.
    level : float or sequence of float, default 0.9
        The probability of the central interval. With several, the last axis of the result runs over them.
    sample_weight : array of shape (rows,), optional
    multioutput : {"uniform_average", "raw_values"} or array of shape (targets,)
        The mean over targets, one value per target, or a weighted mean.
    per_row : bool, default False
        Return one value per row instead of their mean.
    n_jobs : int, optional
        Number of threads.

    Returns
    -------
    float or array

    Examples
    --------
    >>> interval_score([2.0], [[0.0, 1.0, 2.0, 3.0, 4.0]], level=0.5)
    2.0
    """
    levels = np.atleast_1d(np.asarray(level, dtype=float))
    if (levels >= 1).any():
        raise ValueError(f"level is {levels.max()}, it must be below 1: the score of a 100% interval is infinite")
    y, s = forecast_of(y_true, samples)
    low, high = interval_of(s, level, n_jobs)
    at = y[:, :, None]
    outside = np.maximum(low - at, 0) + np.maximum(at - high, 0)
    return reduced(like_level(high - low + 2 / (1 - levels) * outside, level), sample_weight, multioutput, per_row)


@renamed(draws="samples")
def pinball(
    y_true: ArrayLike,
    samples: Samples,
    quantile: float | ArrayLike = 0.5,
    *,
    sample_weight: ArrayLike | None = None,
    multioutput: str | ArrayLike = "uniform_average",
    per_row: bool = False,
    n_jobs: int | None = None,
) -> Any:
    """Pinball (quantile) loss of a quantile of the samples.

    As ``sklearn.metrics.mean_pinball_loss`` of that quantile; at 0.5 half the absolute error of the median.

    Parameters
    ----------
    y_true : array of shape (rows,) or (rows, targets)
        The observed values.
    samples : array of shape (rows, samples) or (rows, samples, targets), or Distribution
        The forecasts.
    quantile : float or sequence of float, default 0.5
        Its probability level. With several, the last axis of the result runs over them.
    sample_weight : array of shape (rows,), optional
    multioutput : {"uniform_average", "raw_values"} or array of shape (targets,)
        The mean over targets, one value per target, or a weighted mean.
    per_row : bool, default False
        Return one value per row instead of their mean.
    n_jobs : int, optional
        Number of threads.

    Returns
    -------
    float or array

    Examples
    --------
    >>> pinball([3.0], [[1.0, 2.0, 3.0]], 0.5)
    0.5
    """
    y, s = forecast_of(y_true, samples)
    q = np.atleast_1d(np.asarray(quantile, dtype=float))
    error = y[:, :, None] - quantiles_of(s, q, n_jobs)
    return reduced(like_level(np.maximum(q * error, (q - 1) * error), quantile), sample_weight, multioutput, per_row)


@renamed(draws="samples")
def summary(
    y_true: ArrayLike,
    samples: Samples,
    *,
    levels: Sequence[float] = (0.5, 0.9),
    target_names: Sequence[str] | None = None,
    n_jobs: int | None = None,
) -> dict[str, Any]:
    """All scores at once, as ``mirrorball score --json`` has them: one entry per target, and the energy score.

    Parameters
    ----------
    y_true : array of shape (rows,) or (rows, targets)
        The observed values.
    samples : array of shape (rows, samples) or (rows, samples, targets), or Distribution
        The forecasts.
    levels : sequence of float, default (0.5, 0.9)
        The probabilities of the intervals.
    target_names : sequence of str, optional
    n_jobs : int, optional
        Number of threads.

    Returns
    -------
    dict

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> report = summary(rng.normal(size=300), rng.normal(size=(300, 200)))
    >>> list(report["targets"]["y"])
    ['mae', 'rmse', 'crps', 'nll', 'interval', 'qice', 'pit', 'calibration']
    >>> list(report["targets"]["y"]["interval"][0.9])
    ['coverage', 'mass', 'width']
    >>> report["targets"]["y"]["calibration"]["verdict"]
    'calibrated'
    """
    y, s = forecast_of(y_true, samples, target_names)
    return _core.score_summary(s, y, list(levels), threads_of_jobs(n_jobs))
