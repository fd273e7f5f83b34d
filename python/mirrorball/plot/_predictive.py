"""What a model says about rows: fans, densities, joint contours, sample functions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from .. import metrics
from ..metrics import Draws
from ._style import (
    BLUE,
    GREY,
    INK,
    VERMILION,
    column,
    finish,
    label_of,
    new_axes,
    observed_column,
    percent_text,
    row_draws,
    target_index,
    target_name,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def fan_chart(
    x: Any,
    draws: Draws,
    *,
    y_true: ArrayLike | None = None,
    levels: Sequence[float] = (0.5, 0.8, 0.95),
    target: int | str = 0,
    colour: str = BLUE,
    xlabel: str | None = None,
    ylabel: str | None = None,
    ax: Axes | None = None,
) -> Axes:
    """Central intervals and the median along x; the darker, the likelier.

    ``x`` has one value per row (numbers or dates), in any order; None puts rows in the order of their medians.
    ``y_true`` adds the observed values as dots.
    """
    target = target_index(draws, target)
    samples = metrics._predictive(column(draws, target))
    levels = sorted(levels, reverse=True)
    low, high = metrics._interval(samples, levels)
    median = metrics._quantiles(samples, np.array([0.5]))[:, 0, 0]
    if x is None:
        order = np.argsort(median, kind="stable")
        along, xlabel = np.arange(len(median)), xlabel or "rows, in the order of their medians"
    else:
        if len(x) != len(median):
            raise ValueError(f"x has {len(x)} values, the draws are of {len(median)} rows")
        order = np.argsort(np.asarray(x), kind="stable")
        along, xlabel = np.asarray(x)[order], xlabel or label_of(x, "x")

    ax = new_axes(ax)
    for k, level in enumerate(levels):
        strength = 0.14 + 0.5 * (k + 1) / (len(levels) + 1)
        band = {"color": _pale(colour, strength), "linewidth": 0, "step": "mid" if x is None else None}
        ax.fill_between(along, low[order, 0, k], high[order, 0, k], label=percent_text(level), **band)
    ax.plot(along, median[order], color=colour, linewidth=1.6, label="median")
    if y_true is not None:
        y = observed_column(y_true, draws, target)
        ax.plot(along, y[order], ".", color=INK, markersize=4, alpha=0.7, label="observed")
    ax.margins(x=0)
    finish(ax, xlabel=xlabel, ylabel=ylabel or target_name(draws, target))
    return ax


def density(
    draws: Draws,
    *,
    row: int = 0,
    target: int | str = 0,
    truth: Any = None,
    y_true: float | None = None,
    kernel: bool | None = None,
    bins: int = 50,
    xlabel: str | None = None,
    ax: Axes | None = None,
) -> Axes:
    """The predictive density of one row: a histogram of its draws, with their kernel estimate or the true law.

    ``truth``: the true law, as ``laws.crossing.at(x)``, anything with a ``pdf`` (a frozen scipy distribution), or a
    function of y. ``y_true``: the value observed. ``kernel`` says whether to draw the kernel estimate; None draws it
    where there is no truth to compare with, because it rounds off sharp peaks, and the histogram does not.
    """
    target = target_index(draws, target)
    values = np.ascontiguousarray(row_draws(draws, row)[:, target])
    spread = values.max() - values.min()
    margin = 0.08 * spread if spread > 0 else max(1e-3, 0.01 * abs(values[0]))
    grid = np.linspace(values.min() - margin, values.max() + margin, 400)

    ax = new_axes(ax)
    ax.hist(values, bins=bins, density=True, color=_pale(BLUE, 0.3), label=f"{len(values):,} draws")
    if (truth is None if kernel is None else kernel) and spread > 0:
        ax.plot(
            grid,
            np.exp(_log_density(values[:, None], grid[:, None])),
            color=BLUE,
            linewidth=1.8,
            label="kernel estimate",
        )
    if truth is not None:
        pdf = getattr(truth, "pdf", truth)
        ax.plot(grid, pdf(grid), color=VERMILION, linewidth=1.8, linestyle=(0, (5, 2)), label="true law")
    if y_true is not None:
        ax.axvline(float(y_true), color=INK, linewidth=1.2, linestyle=":", label="observed")
    ax.set_ylim(0, 1.2 * ax.get_ylim()[1])  # room for the legend
    finish(ax, xlabel=xlabel or target_name(draws, target), ylabel="density", legend="upper left", columns=4)
    return ax


def joint(
    draws: Draws,
    *,
    row: int = 0,
    targets: Sequence[int | str] = (0, 1),
    levels: Sequence[float] = (0.5, 0.9),
    truth: Any = None,
    y_true: ArrayLike | None = None,
    points: int = 500,
    ax: Axes | None = None,
) -> Axes:
    """Two targets of one row: draws, and contours of the regions of highest density that hold ``levels`` of them.

    ``truth``: the true law, as ``laws.arcs.at(x)`` or anything with a two-dimensional ``pdf``. ``y_true``: the pair
    observed. At most ``points`` draws are shown; the contours use all.
    """
    first, second = (target_index(draws, target) for target in targets)
    pair = np.ascontiguousarray(row_draws(draws, row)[:, [first, second]])
    levels = sorted(levels, reverse=True)
    beside = ax is None
    ax = new_axes(ax, (6.6, 4.6))
    shown = pair[:points]
    ax.plot(*shown.T, ".", color=GREY, markersize=4, alpha=0.45, markeredgewidth=0, label=f"{len(shown):,} draws")
    across, along, grid = _plane(pair)
    _contours(
        ax, across, along, np.exp(_log_density(pair, grid)), np.exp(_log_density(pair, pair)), levels, BLUE, "solid"
    )
    if truth is not None:
        known = truth.sample(4000, seed=0) if hasattr(truth, "sample") else None
        if known is None:
            raise ValueError(
                "truth should be a law at one x, as laws.arcs.at(0.8): contours need draws from it as well"
            )
        _contours(ax, across, along, truth.pdf(grid), truth.pdf(known), levels, VERMILION, "dashed", "true ")
    if y_true is not None:
        y = np.asarray(y_true, dtype=float)[[first, second]]
        ax.plot(*y, marker="*", markersize=14, color=INK, markeredgecolor="white", linestyle="none", label="observed")
    finish(ax, xlabel=target_name(draws, first), ylabel=target_name(draws, second), beside=beside)
    return ax


def functions(
    x: Any,
    curves: ArrayLike,
    *,
    target: int | str = 0,
    x_true: ArrayLike | None = None,
    y_true: ArrayLike | None = None,
    xlabel: str | None = None,
    ylabel: str | None = None,
    ax: Axes | None = None,
) -> Axes:
    """Sample functions: y along x, each for one fixed noise, as ``MirrorballRegressor.functions`` returns them.

    ``curves`` is rows x functions (x targets), one row per value of ``x``. ``x_true`` and ``y_true`` add observations.
    """
    target = target_index(curves, target)
    lines = column(curves, target)
    x_values = np.ravel(np.asarray(x))
    if len(x_values) != len(lines):
        raise ValueError(f"x has {len(x_values)} values, the functions have {len(lines)} rows")
    order = np.argsort(x_values, kind="stable")
    ax = new_axes(ax)
    if y_true is not None:
        if x_true is None:
            raise ValueError("y_true is given without x_true: give both to show observations")
        ax.plot(
            np.ravel(x_true), np.ravel(y_true), ".", color=GREY, markersize=4, alpha=0.5, zorder=1, label="observed"
        )
    from matplotlib import colormaps

    shades = colormaps["viridis"](np.linspace(0, 0.88, lines.shape[1]))
    for k, shade in enumerate(shades):
        ax.plot(
            x_values[order],
            lines[order, k],
            color=shade,
            linewidth=1.3,
            zorder=2,
            label="sample functions" if k == 0 else None,
        )
    ax.margins(x=0.01)
    finish(ax, xlabel=xlabel or label_of(x, "x"), ylabel=ylabel or target_name(curves, target))
    return ax


def _log_density(draws: np.ndarray, points: np.ndarray) -> np.ndarray:
    """The core's kernel estimate of draws (samples x targets) at points (n x targets)."""
    return metrics._predictive(draws[None]).log_density(np.ascontiguousarray(points[None]), 0)[0]


def _pale(colour: str, strength: float):
    """The colour mixed with white: opaque, so that bands do not add up."""
    from matplotlib.colors import to_rgb

    return tuple(1 - strength * (1 - channel) for channel in to_rgb(colour))


def _plane(pair: np.ndarray, side: int = 90):
    """A grid around the draws: its two axes, and its points as n x 2."""
    low, high = pair.min(axis=0), pair.max(axis=0)
    margin = np.where(high > low, 0.12 * (high - low), np.maximum(1e-3, 0.01 * np.abs(high)))
    across, along = (np.linspace(low[k] - margin[k], high[k] + margin[k], side) for k in range(2))
    return across, along, np.stack(np.meshgrid(across, along), axis=-1).reshape(-1, 2)


def _contours(ax, across, along, on_grid, at_draws, levels, colour, style, prefix="") -> None:
    """Contours where the density falls below that of all but `level` of the draws."""
    heights = np.quantile(at_draws, [1 - level for level in levels])
    widths = np.linspace(1.1, 2.2, len(levels))
    on_plane = on_grid.reshape(len(along), len(across))
    for level, height, width in zip(levels, heights, widths):
        ax.contour(across, along, on_plane, levels=[height], colors=[colour], linewidths=[width], linestyles=style)
        ax.plot([], [], color=colour, linewidth=width, linestyle=style, label=f"{prefix}{percent_text(level)} region")
