"""What scores share: forecasts as the core holds them, checked, and the way from rows to one number."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from . import _core
from .distribution import Distribution
from .threads import threads_of_jobs

#: Rows x samples, rows x samples x targets, or a distribution that holds them.
Samples = ArrayLike | Distribution


def cube_of(samples: Any, what: str = "samples") -> np.ndarray:
    """Rows x samples x targets."""
    s = np.asarray(samples.samples if isinstance(samples, Distribution) else samples, dtype=float)
    if s.ndim == 2:
        s = s[:, :, None]
    if s.ndim != 3:
        raise ValueError(f"{what} should be rows x samples or rows x samples x targets, not of shape {s.shape}")
    if s.size == 0:
        raise ValueError(f"{what} of shape {s.shape} are empty: at least 1 row, 1 sample and 1 target are needed")
    return s


def predictive_of(samples: Any, what: str = "samples", target_names: Sequence[str] | None = None) -> _core.Predictive:
    """The samples as the core holds them, all of them finite."""
    s = cube_of(samples, what)
    if not np.isfinite(s).all():
        row, sample, target = np.argwhere(~np.isfinite(s))[0]
        raise ValueError(
            f"{what} are {s[row, sample, target]} in row {row}, sample {sample}, target {target}: not a finite number"
        )
    if isinstance(samples, Distribution) and target_names is None:
        return samples._predictive
    if target_names is None:
        target_names = ["y"] if s.shape[2] == 1 else [f"y{k + 1}" for k in range(s.shape[2])]
    return _core.Predictive(s, list(target_names))


def forecast_of(
    y_true: ArrayLike, samples: Samples, target_names: Sequence[str] | None = None
) -> tuple[np.ndarray, _core.Predictive]:
    """Observed values as rows x targets, and samples of as many."""
    s = cube_of(samples)
    y = np.asarray(y_true, dtype=float)
    if y.ndim < 2:
        y = y.reshape(-1, 1)
    if y.shape != (s.shape[0], s.shape[2]):
        raise ValueError(
            f"y_true has the shape {np.shape(y_true)}, samples are of {s.shape[0]} rows x {s.shape[1]} samples "
            f"x {s.shape[2]} targets: rows and targets must agree"
        )
    if not np.isfinite(y).all():
        row, target = np.argwhere(~np.isfinite(y))[0]
        raise ValueError(f"y_true is {y[row, target]} in row {row}, target {target}: leave such rows out")
    return np.ascontiguousarray(y), predictive_of(samples, target_names=target_names)


def check_fair(s: _core.Predictive, fair: bool) -> None:
    if fair and s.draws.shape[1] < 2:
        raise ValueError(f"there is {s.draws.shape[1]} sample per row, the fair score needs at least 2")


def weights_of(sample_weight, rows: int) -> np.ndarray:
    weights = np.asarray(sample_weight, dtype=float)
    if weights.shape != (rows,):
        raise ValueError(f"sample_weight has the shape {weights.shape}, there are {rows} rows")
    if not (np.isfinite(weights).all() and (weights >= 0).all() and weights.sum() > 0):
        raise ValueError("sample_weight must be finite numbers of at least 0, not all 0")
    return weights


def over_targets(values: np.ndarray, multioutput):
    """Targets are the first axis of `values`."""
    if isinstance(multioutput, str):
        if multioutput == "raw_values":
            return values
        if multioutput != "uniform_average":
            raise ValueError(
                f"multioutput is {multioutput!r}: use 'uniform_average', 'raw_values' or an array of weights"
            )
        multioutput = None
    elif np.shape(multioutput) != values.shape[:1]:
        raise ValueError(f"multioutput has the shape {np.shape(multioutput)}, there are {values.shape[0]} targets")
    mean = np.average(values, axis=0, weights=multioutput)
    return float(mean) if mean.ndim == 0 else mean


def reduced(values: np.ndarray, sample_weight, multioutput, per_row: bool):
    """From rows x targets (x levels) to the requested shape."""
    if per_row:
        if sample_weight is not None:
            raise ValueError("sample_weight has no meaning with per_row=True: leave one of them out")
        return values if _raw(multioutput) else over_targets(np.moveaxis(values, 1, 0), multioutput)
    weights = None if sample_weight is None else weights_of(sample_weight, len(values))
    return over_targets(np.average(values, axis=0, weights=weights), multioutput)


def _raw(multioutput) -> bool:
    return isinstance(multioutput, str) and multioutput == "raw_values"


def quantiles_of(s: _core.Predictive, levels: np.ndarray, n_jobs=None) -> np.ndarray:
    """Rows x targets x levels."""
    if not ((levels >= 0) & (levels <= 1)).all():
        raise ValueError(
            f"quantile levels are shares between 0 and 1, not {levels[~((levels >= 0) & (levels <= 1))][0]:g}"
        )
    return s.quantiles(levels.tolist(), threads_of_jobs(n_jobs)).transpose(0, 2, 1)


def interval_of(s: _core.Predictive, level, n_jobs=None) -> tuple[np.ndarray, np.ndarray]:
    """Ends of the central intervals, each rows x targets x levels."""
    levels = np.atleast_1d(np.asarray(level, dtype=float))
    if levels.ndim != 1 or not ((levels >= 0) & (levels <= 1)).all():
        raise ValueError(f"level is {level}: give a share between 0 and 1, or a list of them")
    ends = quantiles_of(s, np.concatenate([(1 - levels) / 2, (1 + levels) / 2]), n_jobs)
    return ends[:, :, : len(levels)], ends[:, :, len(levels) :]


def like_level(values: np.ndarray, level) -> np.ndarray:
    """Without the axis of levels where a single one was given."""
    return values[:, :, 0] if np.ndim(level) == 0 else values
