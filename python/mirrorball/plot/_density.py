"""The density of one row."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from .._numbers import percent_text, percents_alike, text_for
from .._warnings import renamed
from ..density import Density
from ..distribution import Distribution
from .._forecasts import Samples
from ._palette import palette_of
from ._style import finish, new_axes, row_samples, target_index, target_name

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_MOST_LABELS = 12  # spikes whose percentage is written
_LEAST_LABEL = 0.02  # and the least, as on the pages


@renamed(draws="samples")
def density(
    samples: Samples,
    *,
    row: int = 0,
    target: int | str = 0,
    truth: Any = None,
    y_true: float | None = None,
    limits: tuple[float | None, float | None] | None = None,
    kernel: bool | None = None,
    bins: int = 50,
    xlabel: str | None = None,
    ax: Axes | None = None,
) -> Axes:
    """The predictive density of one row, as the report and the explorer draw it.

    No area lies outside the range that samples can have. Values that many samples are equal to are spikes with their
    percentage; where few values hold nearly all samples, all of them are bars. See `Distribution.density`.

    Parameters
    ----------
    samples : array of shape (rows, samples) or (rows, samples, targets), or Distribution
    row : int, default 0
    target : int or str, default 0
        The position or name of the target.
    truth : optional
        The true distribution, as ``laws.crossing.at(x)``, anything with a ``pdf`` (a frozen scipy distribution), or a
        function of y.
    y_true : float, optional
        The observed value.
    limits : (low, high), optional
        The range that samples can have, None where nothing limits them. By default that of the Distribution.
    kernel : bool, optional
        Whether to smooth the samples. By default a histogram is shown beside a truth, because smoothing rounds off sharp
        peaks.
    bins : int, default 50
        Of the histogram.
    xlabel : str, optional
    ax : matplotlib Axes, optional
        Where to draw; by default a new figure.

    Returns
    -------
    matplotlib Axes

    Examples
    --------
    >>> import numpy as np
    >>> random = np.random.default_rng(0)
    >>> density(random.normal(size=(1, 200)), y_true=0.5).get_ylabel()
    'density'
    """
    target = target_index(samples, target)
    values = np.ascontiguousarray(row_samples(samples, row)[:, target])
    if limits is None:
        limits = samples.limits[target] if isinstance(samples, Distribution) else (None, None)
    found = Distribution(values[None], limits=[limits]).density()
    ax = new_axes(ax, (6.4, 3.9))
    look = palette_of(ax)
    smooth = truth is None if kernel is None else kernel
    heights = _heights(found) if smooth else []
    if truth is not None:
        shade = look.mixed(look.accent, 0.3)
        heights += [*ax.hist(values, bins=bins, density=True, color=shade, label=f"{len(values):,} samples")[0]]
    if smooth:
        _draw(ax, found)
    if truth is None:
        _mark(ax, values)
    else:
        heights += _draw_truth(ax, truth, values)
    if y_true is not None:
        words = f"outcome {text_for(values, fact=True)(float(y_true))}"
        ax.axvline(float(y_true), color=look.other, linewidth=1.8, linestyle=(0, (5, 2)), label=words)
    ax.set_ylim(0, 1.12 * max(heights))
    bars = smooth and found.bars
    finish(
        ax,
        xlabel=xlabel or target_name(samples, target),
        ylabel="probability" if bars else "density",
        legend="above",
        grid="y" if bars else None,
    )
    if bars:
        _share_axis(ax, found)
    elif smooth:
        ax.yaxis.set_ticks([])  # heights of spikes are no densities
    return ax


def _draw(ax, found: Density) -> None:
    """The curve down to its ends, and the spikes."""
    look = palette_of(ax)
    if len(found.x):
        ax.fill_between(found.x, 0, found.y, color=look.mixed(look.accent, 0.2), linewidth=0)
        # A limit cuts the curve off with an upright edge.
        cut = [int(found.x[end] == found.limits[end]) for end in (0, -1)]
        x = np.r_[found.x[:1][: cut[0]], found.x, found.x[-1:][: cut[1]]]
        y = np.r_[[0.0] * cut[0], found.y, [0.0] * cut[1]]
        ax.plot(x, y, color=look.accent, linewidth=2, solid_joinstyle="round")
    if not found.spikes:
        return
    heights = [spike.share / found.spike_width for spike in found.spikes]
    if found.bars:
        at = [spike.value for spike in found.spikes]
        ax.bar(at, heights, 0.8 * found.spike_width, color=look.mixed(look.accent, 0.75))
    else:
        for spike, height in zip(found.spikes, heights):
            ax.plot([spike.value] * 2, [0, height], color=look.accent, linewidth=5, solid_capstyle="butt")
    in_percent = percents_alike([spike.share for spike in found.spikes])
    for spike, height in zip(found.spikes, heights):
        if spike.share < _LEAST_LABEL:
            continue
        if len(found.spikes) > _MOST_LABELS and spike.share < max(one.share for one in found.spikes):
            continue
        ax.annotate(
            in_percent(spike.share),
            (spike.value, height),
            (0, 3),
            textcoords="offset points",
            ha="center",
            va="bottom",
            color=look.accent,
            fontsize="small",
            fontweight="bold",
            bbox={"facecolor": look.card, "edgecolor": "none", "pad": 0.8},
            zorder=6,
        )


def _draw_truth(ax, truth: Any, values: np.ndarray) -> list[float]:
    """The true density around the samples; gives its heights."""
    room = 0.08 * np.ptp(values)
    grid = np.linspace(values.min() - room, values.max() + room, 400)
    true = np.asarray(getattr(truth, "pdf", truth)(grid))
    ax.plot(grid, true, color=palette_of(ax).other, linewidth=2, linestyle=(0, (5, 2)), label="truth")
    return [*true[np.isfinite(true)]]


def _heights(found: Density) -> list[float]:
    return [*found.y, *(spike.share / found.spike_width for spike in found.spikes)]


def _mark(ax, values: np.ndarray) -> None:
    """The median and the 90% interval, on the axis."""
    look = palette_of(ax)
    low, median, high = np.quantile(values, [0.05, 0.5, 0.95])
    text = text_for(values)
    words = [text(float(value)) for value in (median, low, high)]
    shown: dict[str, Any] = {"color": look.accent, "clip_on": False}
    name = f"90% interval {words[1]} to {words[2]}"
    ax.plot([low, high], [0, 0], linewidth=5, solid_capstyle="butt", zorder=4, label=name, **shown)
    edge = {"markeredgecolor": look.card, "markeredgewidth": 1.5, "linestyle": "none"}
    ax.plot(median, 0, "o", markersize=10, zorder=5, label=f"median {words[0]}", **edge, **shown)


def _share_axis(ax, found: Density) -> None:
    """Heights of bars as shares of the samples."""
    from matplotlib.ticker import FuncFormatter, MaxNLocator

    locator = MaxNLocator(5, steps=[1, 2, 2.5, 5, 10])
    top = ax.get_ylim()[1]
    ax.set_yticks([tick / found.spike_width for tick in locator.tick_values(0, top * found.spike_width)])
    ax.yaxis.set_major_formatter(FuncFormatter(lambda height, _: percent_text(round(height * found.spike_width, 6))))
    ax.set_ylim(0, top)
