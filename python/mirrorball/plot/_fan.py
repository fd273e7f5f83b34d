"""Forecasts of many rows along x: fans, and columns for categories."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from .._numbers import percent_text
from .._warnings import renamed
from .._forecasts import Samples
from ._groups import Fan, category_rows, fan_of
from ._palette import palette_of
from ._style import column, finish, label_of, new_axes, observed_column, target_index, target_name

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_PALE = 0.13  # of each interval where no rows are near
_FAR = "no rows near"


@renamed(draws="samples")
def fan_chart(
    x: Any,
    samples: Samples,
    *,
    y_true: ArrayLike | None = None,
    levels: Sequence[float] = (0.5, 0.9),
    target: int | str = 0,
    bins: int | None = None,
    colour: str | None = None,
    xlabel: str | None = None,
    ylabel: str | None = None,
    near: ArrayLike | None = None,
    ax: Axes | None = None,
) -> Axes:
    """Central intervals and the median along x.

    Where x repeats values, or has many rows at uneven steps whose medians jump, rows are put together: a group of
    neighbours shows the quantiles of all their samples. Categories stand side by side.

    Parameters
    ----------
    x : array of shape (rows,) or None
        Numbers, dates or categories, in any order; None shows the rows in the order of their medians.
    samples : array of shape (rows, samples) or (rows, samples, targets), or Distribution
    y_true : array of shape (rows,) or (rows, targets), optional
        Observed values, shown as dots.
    levels : sequence of float, default (0.5, 0.9)
        The probabilities of the intervals.
    target : int or str, default 0
        The position or name of the target.
    bins : int, optional
        Number of groups of rows; 0 leaves the rows alone. By default groups are made where they are needed.
    colour : str, optional
    xlabel, ylabel : str, optional
    near : array of bool of shape (rows,), optional
        Whether data are near each x: elsewhere the forecast extrapolates and is drawn grey and dotted. For single rows only,
        so with ``bins`` 0, and for categories.
    ax : matplotlib Axes, optional
        Where to draw; by default a new figure.

    Returns
    -------
    matplotlib Axes

    Examples
    --------
    >>> import numpy as np
    >>> random = np.random.default_rng(0)
    >>> ax = fan_chart(None, random.normal(size=(20, 100)))
    >>> [text.get_text() for text in ax.get_legend().get_texts()]
    ['90% interval', '50% interval', 'median']
    """
    if bins is not None and bins < 0:
        raise ValueError(f"bins is {bins}: give the number of groups, or 0 for none")
    target = target_index(samples, target)
    values = column(samples, target)
    observed = None if y_true is None else observed_column(y_true, samples, target)
    levels = sorted(levels, reverse=True)
    if x is not None and len(x) != len(values):
        raise ValueError(f"x has {len(x)} values, the samples are of {len(values)} rows")
    backed = _backed(near, len(values), bins)
    ax = new_axes(ax)
    look = palette_of(ax)
    shades = [look.mixed(colour or look.accent, 0.16 + 0.34 * (k + 1) / len(levels)) for k in range(len(levels))]
    categories = None if x is None else category_rows(x)
    name = xlabel or ("rows, in the order of their medians" if x is None else label_of(x, "x"))
    if categories is not None:
        _draw_columns(ax, categories, values, observed, levels, shades, colour or look.accent, backed)
    else:
        order = np.argsort(np.median(values, axis=1) if x is None else np.asarray(x), kind="stable")
        along = np.arange(len(values)) if x is None else np.asarray(x)[order]
        fan = fan_of(along, values[order], levels, bins)
        _draw_fan(ax, fan, levels, shades, colour or look.accent, backed[order], in_steps=x is None)
        if observed is not None:
            _draw_dots(ax, along, observed[order], look.other)
        if along.dtype.kind == "M":
            _date_ticks(ax)
        ax.margins(x=0.01)
        if fan.groups:
            name = f"{name}  ·  {len(values):,} rows in {fan.groups} groups"
    finish(ax, xlabel=name, ylabel=ylabel or target_name(samples, target), legend="above")
    return ax


def _backed(near: ArrayLike | None, rows: int, bins: int | None) -> np.ndarray:
    """Whether rows are near, for every row."""
    backed = np.ones(rows, bool) if near is None else np.asarray(near, dtype=bool)
    if len(backed) != rows:
        raise ValueError(f"near has {len(backed)} values, the samples are of {rows} rows")
    if near is not None and bins != 0:
        raise ValueError("near is of single rows: give bins=0 with it, which leaves the rows alone")
    return backed


def _draw_fan(ax, fan: Fan, levels, shades, colour: str, backed: np.ndarray, in_steps: bool) -> None:
    """Intervals and median along x; grey and dotted where no rows are near."""
    look = palette_of(ax)
    backed = np.ones(len(fan.x), bool) if fan.groups else backed
    far = _reaching(~backed)
    for k, level in enumerate(levels):
        shown: dict[str, Any] = {"linewidth": 0, "step": "mid" if in_steps and not fan.groups else None}
        ends = fan.x, fan.low[:, k], fan.high[:, k]
        ax.fill_between(*ends, color=shades[k], label=f"{percent_text(level)} interval", where=backed, **shown)
        if not backed.all():
            ax.fill_between(*ends, color=look.soft, alpha=_PALE, where=far, **shown)
    ax.plot(fan.x, np.ma.array(fan.median, mask=~backed), color=colour, linewidth=2, label="median")
    if not backed.all():
        median = np.ma.array(fan.median, mask=~far)
        ax.plot(fan.x, median, color=look.soft, linewidth=1.5, linestyle=(0, (1, 2)), label=_FAR)


def _reaching(far: np.ndarray) -> np.ndarray:
    """To the neighbours on either side, so that lines and areas do not break."""
    padded = np.concatenate([[False], far, [False]])
    return padded[:-2] | far | padded[2:]


def _draw_dots(ax, x, y, colour: str) -> None:
    """Smaller and fainter where there are many."""
    crowd = np.clip(np.log10(len(y) / 100), 0, 2) / 2
    ax.plot(
        x,
        y,
        "o",
        color=colour,
        markersize=4.5 - 2.2 * crowd,
        markeredgewidth=0,
        alpha=0.75 - 0.45 * crowd,
        label="outcomes",
        rasterized=len(y) > 5000,
    )


def _date_ticks(ax) -> None:
    """Few enough to be read."""
    from matplotlib.dates import AutoDateLocator, ConciseDateFormatter

    locator = AutoDateLocator(maxticks=7)
    ax.xaxis.set_major_locator(locator)
    ax.xaxis.set_major_formatter(ConciseDateFormatter(locator))


def _draw_columns(ax, categories, values, observed, levels, shades, colour: str, backed: np.ndarray) -> None:
    """A column of intervals for each category, with what was observed beside it; grey where no rows are near."""
    look = palette_of(ax)
    width = 0.5 if observed is None else 0.36
    shift = 0.0 if observed is None else -0.1
    plain = next((place for place, rows in enumerate(categories.values()) if backed[rows].any()), -1)
    for place, rows in enumerate(categories.values()):
        first = place == plain
        near = bool(backed[rows].any())
        for k, level in enumerate(levels):
            low, high = np.quantile(values[rows], [(1 - level) / 2, (1 + level) / 2])
            name = f"{percent_text(level)} interval" if first else None
            look_of = {"color": shades[k]} if near else {"color": look.soft, "alpha": _PALE}
            ax.bar(place + shift, high - low, width, low, label=name, **look_of)
        middle = np.median(values[rows])
        ends = (place + shift - width / 2, place + shift + width / 2)
        far = None if near or _FAR in ax.get_legend_handles_labels()[1] else _FAR
        ax.hlines(middle, *ends, color=colour if near else look.soft, linewidth=2.4, label="median" if first else far)
        if observed is not None:
            low, half, high = np.quantile(observed[rows], [0.05, 0.5, 0.95])
            at = place + shift + width / 2 + 0.1
            ax.vlines(at, low, high, color=look.other, linewidth=1.6)
            name = "outcomes: median, 5% to 95%" if first else None
            ax.plot(at, half, "D", color=look.other, markersize=5, linestyle="none", label=name)
    long = max(map(len, categories)) * len(categories) > 70
    steep = {"rotation": 90, "va": "center"} if len(categories) > 12 else {"rotation": 35}
    turned = {**steep, "ha": "right", "rotation_mode": "anchor"} if long else {}
    ax.set_xticks(range(len(categories)), list(categories), **turned)
    ax.use_sticky_edges = False  # bars here begin where an interval does
    ax.margins(x=0.02, y=0.05)
