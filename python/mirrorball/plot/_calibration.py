"""Whether what a model says comes true: PIT, calibration curve, width against coverage."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from .. import metrics
from ..metrics import Draws
from ._style import (
    BLUE,
    CYCLE,
    GREY,
    INK,
    PALE,
    column,
    finish,
    named_models,
    new_axes,
    observed_column,
    percent,
    percent_text,
    target_index,
    target_name,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def pit_histogram(
    y_true: ArrayLike,
    draws: Draws,
    *,
    target: int | str = 0,
    bins: int = 10,
    confidence: float = 0.95,
    ax: Axes | None = None,
) -> Axes:
    """Shares of rows by their PIT. Flat is calibrated; high ends mean draws too narrow, a high middle too wide.

    The grey band is where each bar of a calibrated model lies with probability ``confidence``.
    """
    index, y, samples = _one_target(y_true, draws, target)
    pit = metrics.pit(y, samples)
    shares = np.histogram(pit, bins=bins, range=(0, 1))[0] / len(pit)
    low, high = _binomial_band(len(pit), np.array([1 / bins]), confidence)
    ax = new_axes(ax)
    edges = np.linspace(0, 1, bins + 1)
    ax.bar(edges[:-1], shares, width=1 / bins, align="edge", color=BLUE, edgecolor="white", linewidth=1)
    ax.axhspan(low[0], high[0], color=GREY, alpha=0.28, linewidth=0, label=_band_name(confidence))
    ax.axhline(1 / bins, color=INK, linewidth=1.2, linestyle=(0, (5, 2)))
    ax.set(xlim=(0, 1), ylim=(0, 1.18 * max(shares.max(), high[0])))
    percent(ax.yaxis)
    finish(
        ax,
        xlabel=f"PIT of {target_name(draws, index)}: share of draws below the observed value",
        ylabel="share of rows",
        legend="upper right",
    )
    return ax


def calibration_curve(
    y_true: ArrayLike,
    draws: Draws | Mapping[str, Draws],
    *,
    target: int | str = 0,
    confidence: float = 0.95,
    steps: int = 50,
    ax: Axes | None = None,
) -> Axes:
    """How often y lies below a predicted quantile, against the quantile's level. On the diagonal is calibrated.

    The band is where a calibrated model's curve lies at each level with probability ``confidence``. The legend gives
    the area between curve and diagonal.
    """
    models = named_models(draws)
    levels = np.linspace(0, 1, steps + 1)[1:-1]
    ax = new_axes(ax, (5.2, 4.8))
    band = None
    for colour, (name, one) in zip(_colours(len(models)), models.items()):
        _, y, samples = _one_target(y_true, one, target)
        if band is None:
            band = np.linspace(0, 1, 201)
            low, high = _binomial_band(len(y), band, confidence)
            ax.fill_between(band, low, high, color=PALE, linewidth=0, label=_band_name(confidence))
            ax.plot([0, 1], [0, 1], color=INK, linewidth=1, linestyle=(0, (5, 2)))
        share = (y[:, None] <= metrics._quantiles(metrics._predictive(samples), levels)[:, 0]).mean(axis=0)
        area = np.abs(share - levels).sum() / steps  # the ends are on the diagonal
        words = f"area {area:.3f}" if name is None else f"{name}, area {area:.3f}"
        ax.plot([0, *levels, 1], [0, *share, 1], color=colour, linewidth=1.8, label=words)
    ax.set(xlim=(0, 1), ylim=(0, 1), aspect="equal")
    percent(ax.xaxis)
    percent(ax.yaxis)
    finish(ax, xlabel="level of the predicted quantile", ylabel="share of rows below it", legend="upper left")
    return ax


def width_against_coverage(
    y_true: ArrayLike,
    draws: Draws | Mapping[str, Draws],
    *,
    target: int | str = 0,
    levels: ArrayLike | None = None,
    mark: Sequence[float] = (0.5, 0.9),
    ax: Axes | None = None,
) -> Axes:
    """Mean width of central intervals against the share of rows they cover. Lower and further right is better.

    ``mark``: nominal levels to show as points; beside each stands its level.
    """
    models = named_models(draws)
    levels = np.linspace(0.05, 0.99, 48) if levels is None else np.sort(np.asarray(levels, dtype=float))
    ax = new_axes(ax)
    for colour, (name, one) in zip(_colours(len(models)), models.items()):
        _, y, samples = _one_target(y_true, one, target)
        covered, width = (_at(levels, y, samples) for _at in (_coverage, _width))
        ax.plot(covered, width, color=colour, linewidth=1.8, label=name)
        at, tall = _coverage(np.array(mark), y, samples), _width(np.array(mark), y, samples)
        ax.plot(at, tall, "o", color=colour, markersize=6, markeredgecolor="white")
        for level, x, height in zip(mark, at, tall):
            ax.annotate(
                percent_text(level),
                (x, height),
                (-6, 6),
                textcoords="offset points",
                ha="right",
                color=colour,
                fontsize="small",
            )
    for level in mark:
        ax.axvline(level, color=GREY, linewidth=0.8, linestyle=":", zorder=0)
    ax.set_xlim(0, 1)
    ax.set_ylim(bottom=0)
    percent(ax.xaxis)
    named = next((one for one in models.values() if hasattr(one, "target_names")), next(iter(models.values())))
    unit = target_name(named, target_index(named, target))
    nominal = " and ".join(map(percent_text, mark))
    finish(
        ax,
        xlabel=f"rows covered (dots: intervals of nominally {nominal})",
        ylabel=f"mean width of the interval, in units of {unit}",
        legend="upper left",
    )
    return ax


def _coverage(levels, y, samples):
    return metrics.coverage(y, samples, levels)


def _width(levels, y, samples):
    return metrics.interval_width(samples, levels)


def _one_target(y_true, draws, target):
    """The target's number, its observed values and its draws, rows x samples."""
    index = target_index(draws, target)
    return index, observed_column(y_true, draws, index), column(draws, index)


def _band_name(confidence: float) -> str:
    return f"{percent_text(confidence)} band of a calibrated model"


def _colours(count: int):
    return [CYCLE[k % len(CYCLE)] for k in range(count)]


def _binomial_band(rows: int, probability: np.ndarray, confidence: float):
    """Shares between which a binomial share of so many rows lies with that probability, at each probability."""
    from scipy.stats import binom

    if not 0 < confidence < 1:
        raise ValueError(f"confidence is {confidence}, it must lie between 0 and 1")
    ends = [binom.ppf(q, rows, probability) / rows for q in ((1 - confidence) / 2, (1 + confidence) / 2)]
    return np.nan_to_num(ends[0]), np.nan_to_num(ends[1])
