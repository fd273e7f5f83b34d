"""Scores of draws. One code for all methods; it knows draws and targets, and no model."""

from __future__ import annotations

import numpy as np

from .atoms import atoms_of
from .atoms import nll as atoms_nll

CHUNK = 512  # rows at a time: a few megabytes, whatever the table
FARTHEST = 1e300  # squared distances stop here, so that no score is infinite

Scores = dict[str, float | int | None]


def score(
    draws: np.ndarray, y: np.ndarray, nll: np.ndarray | None = None, train: np.ndarray | None = None
) -> Scores:
    """All scores of draws (rows x M) against y (rows). `nll` replaces the kernel estimate where it is exact. If the
    training targets show atoms, the NLL is that of the draws with atoms, for every method."""
    check(draws, y)
    found = None if train is None else atoms_of(train)
    if found is not None:
        nll = atoms_nll(draws, y, found)
    chunks = [score_rows(draws[i : i + CHUNK], y[i : i + CHUNK]) for i in range(0, len(y), CHUNK)]
    row = {name: np.concatenate([chunk[name] for chunk in chunks]) for name in chunks[0]}
    loss = row["nll"] if nll is None else nll
    bins = np.bincount(row["bin"], minlength=10) / len(y)
    return {
        "mae": float(np.abs(row["median"] - y).mean()),
        "rmse": float(np.sqrt(np.square(row["mean"] - y).mean())),
        "crps": float(row["crps"].mean()),
        "crps_median": float(np.median(row["crps"])),
        "nll": float(loss.mean()),
        "nll_median": float(np.median(loss)),
        "nll_floored": int(row["floored"].sum()) if nll is None else 0,
        "coverage90": float(((row["lower"] <= y) & (y <= row["upper"])).mean()),
        "width90": float((row["upper"] - row["lower"]).mean()),
        "qice": float(np.abs(bins - 0.1).mean()),
    }


def score_points(prediction: np.ndarray, y: np.ndarray) -> Scores:
    """Scores of a method without a distribution: two errors, and nothing where a distribution is needed."""
    check(prediction[:, None], y)
    names = ("crps", "crps_median", "nll", "nll_median", "nll_floored", "coverage90", "width90", "qice")
    error = prediction - y
    points: Scores = {"mae": float(np.abs(error).mean()), "rmse": float(np.sqrt(np.square(error).mean()))}
    return points | dict.fromkeys(names)


def check(draws: np.ndarray, y: np.ndarray) -> None:
    """A method that loses rows or gives no numbers is an error, never a score."""
    if draws.ndim != 2 or draws.shape[0] != len(y):
        raise ValueError(f"draws have the shape {draws.shape}, but there are {len(y)} targets")
    if not np.isfinite(draws).all():
        raise ValueError(f"{np.count_nonzero(~np.isfinite(draws))} of {draws.size} draws are not finite numbers")


def score_rows(draws: np.ndarray, y: np.ndarray) -> dict[str, np.ndarray]:
    """What each row contributes."""
    ordered = np.sort(draws, axis=1)
    lower, median, upper = np.quantile(ordered, [0.05, 0.5, 0.95], axis=1)
    deciles = np.quantile(ordered, np.arange(1, 10) / 10, axis=1)
    loss, floored = kde_nll(ordered, y)
    return {
        "mean": ordered.mean(axis=1),
        "median": median,
        "lower": lower,
        "upper": upper,
        "crps": crps(ordered, y),
        "nll": loss,
        "floored": floored,
        "bin": (deciles < y).sum(axis=0),
    }


def crps(ordered: np.ndarray, y: np.ndarray) -> np.ndarray:
    """1/M sum |s_i - y| - 1/(2 M^2) sum |s_i - s_j|, from sorted draws.

    Half the pair sum is sum (2k - M + 1) s_(k), k from 0. The weights add up to 0, so s - y serves as well as s
    and keeps its digits when the draws are large and close together.
    """
    count = ordered.shape[1]
    distance = ordered - y[:, None]
    weights = 2 * np.arange(count) - count + 1
    return np.abs(distance).mean(axis=1) - distance @ weights / count**2


def kde_nll(draws: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """-log p(y), p the Gaussian kernel estimate with Scott's rule as scipy's `gaussian_kde`; and which rows had
    draws without spread, where a floor of (1e-13 max|s|)^2 is added to the kernel's variance."""
    count = draws.shape[1]
    variance = draws.var(axis=1, ddof=1) * count ** (-2 / 5)
    largest = np.abs(draws).max(axis=1)
    floor = np.square(np.where(largest > 0, 1e-13 * largest, 1e-12)) + 1e-12 * variance
    floored = ~(variance > floor)
    width = np.sqrt(variance + np.where(floored, floor, 0))
    with np.errstate(over="ignore"):
        squared = np.minimum(np.square((draws - y[:, None]) / width[:, None]), FARTHEST)
    nearest = squared.min(axis=1)
    log_sum = -nearest / 2 + np.log(np.exp((nearest[:, None] - squared) / 2).mean(axis=1))
    return np.log(width) + np.log(2 * np.pi) / 2 - log_sum, floored
