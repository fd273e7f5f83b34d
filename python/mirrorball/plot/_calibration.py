"""Whether forecasts come true: PIT histogram and calibration curve, with the verdict of the report."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from .. import metrics
from .._numbers import percent_text
from .._warnings import renamed
from .._forecasts import Samples
from ._palette import DASHES, palette_of
from ._style import column, finish, named_models, new_axes, observed_column, percent, say, target_index

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_FAR_OFF = 0.1  # of probabilities, by which a verdict is an alarm
_MANY_ROWS = 400  # so many fill twenty bins, as in the report
_CHECKED = 0.95  # the confidence of the check's own band


@renamed(draws="samples")
def pit_histogram(
    y_true: ArrayLike,
    samples: Samples,
    *,
    target: int | str = 0,
    bins: int | None = None,
    confidence: float = 0.95,
    ax: Axes | None = None,
) -> Axes:
    """Histogram of the PIT values. Flat is calibrated; high ends mean intervals too narrow, a high middle too wide.

    The PIT of a row is the rank of y among its samples as a share, ties split at random (`metrics.calibration`, whose
    verdict stands above the plot).

    Parameters
    ----------
    y_true : array of shape (rows,) or (rows, targets)
        The observed values.
    samples : array of shape (rows, samples) or (rows, samples, targets), or Distribution
    target : int or str, default 0
        The position or name of the target.
    bins : int, optional
        By default as in the report: 20, and 10 for fewer than 400 rows.
    confidence : float, default 0.95
        All bars of a calibrated model together lie in the band with this probability.
    ax : matplotlib Axes, optional
        Where to draw; by default a new figure.

    Returns
    -------
    matplotlib Axes

    Examples
    --------
    >>> import numpy as np
    >>> random = np.random.default_rng(0)
    >>> pit_histogram(random.normal(size=50), random.normal(size=(50, 100))).get_ylabel()
    'share of rows'
    """
    check, rows = _check(y_true, samples, target)
    bins = bins or (20 if rows >= _MANY_ROWS else 10)
    edges = np.linspace(0, 1, bins + 1)
    shares = np.diff(np.interp(edges, [0, *check["level"], 1], [0, *check["share"], 1]))
    low, high = _binomial_band(rows, np.array([1 / bins]), 1 - (1 - confidence) / bins)
    ax = new_axes(ax)
    look = palette_of(ax)
    ax.axhspan(low[0], high[0], color=look.line, linewidth=0, label=_band_name(confidence))
    outside = (shares < low[0]) | (shares > high[0])
    colours = [look.other if one else look.accent for one in outside]
    ax.bar(
        edges[:-1], shares, width=1 / bins, align="edge", color=colours, alpha=0.75, edgecolor=look.card, linewidth=1.5
    )
    ax.axhline(1 / bins, color=look.ink, linewidth=1.2, linestyle=(0, (5, 2)))
    ax.set(xlim=(0, 1), ylim=(0, 1.3 * max(shares.max(), high[0])))
    percent(ax.xaxis)
    percent(ax.yaxis)
    say(ax, check["words"], _verdict_colour(look, check))
    finish(ax, xlabel="PIT: rank of the outcome among the samples", ylabel="share of rows", legend="upper right")
    return ax


@renamed(draws="samples")
def calibration_curve(
    y_true: ArrayLike,
    samples: Samples | Mapping[str, Samples],
    *,
    target: int | str = 0,
    confidence: float = 0.95,
    steps: int = 100,
    difference: bool = False,
    ax: Axes | None = None,
) -> Axes:
    """How often y lies below a predicted quantile, against the quantile's level. On the diagonal is calibrated.

    Ties are split at random, as in the report, and the verdict is the report's (`metrics.calibration`).

    Parameters
    ----------
    y_true : array of shape (rows,) or (rows, targets)
        The observed values.
    samples : array of shape (rows, samples) or (rows, samples, targets), Distribution, or dict of them by name
    target : int or str, default 0
        The position or name of the target.
    confidence : float, default 0.95
        The whole curve of a calibrated model lies in the band with this probability.
    steps : int, default 100
        Number of steps between levels.
    difference : bool, default False
        Show the share minus the level, which makes small deviations visible.
    ax : matplotlib Axes, optional
        Where to draw; by default a new figure.

    Returns
    -------
    matplotlib Axes

    Examples
    --------
    >>> import numpy as np
    >>> random = np.random.default_rng(0)
    >>> calibration_curve(random.normal(size=50), random.normal(size=(50, 100))).get_ylabel()
    'share of rows below it'
    """
    models = named_models(samples)
    levels = np.linspace(0, 1, steps + 1)
    ax = new_axes(ax, (6.4, 4.2) if difference else (5.2, 5.0))
    look = palette_of(ax)
    shift = levels if difference else 0
    for k, (name, one) in enumerate(models.items()):
        check, rows = _check(y_true, one, target)
        if k == 0:
            low, high = _curve_band(check, rows, levels, confidence)
            ax.fill_between(
                levels, low - shift, high - shift, color=look.line, linewidth=0, label=_band_name(confidence)
            )
            ax.plot(levels, levels - shift, color=look.ink, linewidth=1, linestyle=(0, (5, 2)))
        share = np.interp(levels, [0, *check["level"], 1], [0, *check["share"], 1])
        words = "observed" if name is None else f"{name}: {_short(check)}"
        ax.plot(levels, share - shift, color=look.cycle[k % len(look.cycle)], linestyle=DASHES[k % len(DASHES)],
                linewidth=2, label=words)  # fmt: skip
    ax.set(xlim=(0, 1))
    percent(ax.xaxis)
    percent(ax.yaxis)
    if difference:
        ax.set_ylim(np.array([-1.45, 1.15]) * max(map(abs, ax.get_ylim())))  # room for the legend
    else:
        ax.set(ylim=(0, 1), aspect="equal")
    if len(models) == 1:
        say(ax, check["words"], _verdict_colour(look, check))
    ylabel = "share of rows below it, minus the level" if difference else "share of rows below it"
    finish(ax, xlabel="level of the predicted quantile", ylabel=ylabel, legend="lower right", grid="both")
    return ax


def _check(y_true, samples, target) -> tuple[dict[str, Any], int]:
    """The check of one target, and its number of rows."""
    index = target_index(samples, target)
    y = observed_column(y_true, samples, index)
    return metrics.calibration(y, column(samples, index)), len(y)


def _short(check: dict[str, Any]) -> str:
    """The verdict in a word or two."""
    if check["verdict"] in ("calibrated", "point"):
        return {"calibrated": "calibrated", "point": "single numbers"}[check["verdict"]]
    shapes = " and ".join(check["shapes"])
    return f"slightly {shapes}" if check["verdict"] == "nearly" else shapes


def _verdict_colour(look, check: dict[str, Any]) -> str:
    """As in the report: small errors are no alarm."""
    if check["verdict"] != "off":
        return look.ink
    return look.bad if check["largest"] > _FAR_OFF else look.warn


def _band_name(confidence: float) -> str:
    return f"{percent_text(confidence)} band of a calibrated model"


def _binomial_band(rows: int, probability: np.ndarray, confidence: float):
    """Shares between which a binomial share of so many rows lies with that probability, at each probability."""
    from scipy.stats import binom

    if not 0 < confidence < 1:
        raise ValueError(f"confidence is {confidence}, it must lie between 0 and 1")
    ends = [binom.ppf(q, rows, probability) / rows for q in ((1 - confidence) / 2, (1 + confidence) / 2)]
    return np.nan_to_num(ends[0]), np.nan_to_num(ends[1])


def _curve_band(check: dict[str, Any], rows: int, levels: np.ndarray, confidence: float):
    """Where the whole curve of a calibrated model lies with that probability."""
    if confidence == _CHECKED:
        return tuple(np.interp(levels, [0, *check["level"], 1], [0, *check[end], 1]) for end in ("low", "high"))
    if not 0 < confidence < 1:
        raise ValueError(f"confidence is {confidence}, it must lie between 0 and 1")
    return _binomial_band(rows, levels, 1 - _at_one_level(confidence))


@functools.cache
def _at_one_level(confidence: float) -> float:
    """How often a Brownian bridge leaves at one level a band that it leaves at any of 99 with 1 - confidence."""
    from scipy.stats import norm

    levels = np.arange(1, 100) / 100
    walk = np.random.default_rng(0).normal(0, 0.1, (20_000, 100)).cumsum(axis=1)
    bridge = walk[:, :-1] - levels * walk[:, -1:]
    furthest = np.abs(bridge / np.sqrt(levels * (1 - levels))).max(axis=1)
    return float(2 * norm.sf(np.quantile(furthest, confidence)))
