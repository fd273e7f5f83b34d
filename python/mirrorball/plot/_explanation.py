"""Which features move a number of the forecast, in one row and on the whole."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from .._numbers import estimate_text
from .._shown import cell_text
from ..explanation import Explanation
from ._palette import palette_of
from ._style import finish, new_axes, say

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_WHISKER = 2  # standard errors on either side: 95%
_DIGITS = 3  # numbers are as fine as on a range so many times the largest contribution


def explanation(found: Explanation, *, row: int = 0, top: int = 10, ax: Axes | None = None) -> Axes:
    """The Shapley values of one row as bars, the largest first.

    Whiskers are two standard errors long on either side; a bar whose whisker crosses 0 is pale, because its sign is not
    known.

    Parameters
    ----------
    found : Explanation
        As ``MirrorballRegressor.explain`` returns it.
    row : int, default 0
    top : int, default 10
        How many features are shown; the others are one bar together.
    ax : matplotlib Axes, optional
        Where to draw; by default a new figure.

    Returns
    -------
    matplotlib Axes

    Examples
    --------
    >>> from mirrorball import MirrorballRegressor
    >>> X = np.random.default_rng(0).uniform(-1, 1, (200, 3))
    >>> model = MirrorballRegressor(networks=1, epochs=5).fit(X, X[:, 0])
    >>> ax = explanation(model.explain(X[:1], X, n_samples=50, background_rows=10))
    >>> len(ax.get_yticklabels())
    3
    """
    rows = len(found.values)
    if not -rows <= row < rows:
        raise ValueError(f"row {row} does not exist: the explanation has {rows} rows")
    values, errors = found.values[row], found.errors[row]
    order = np.argsort(-np.abs(values), kind="stable")
    shown, others = (order, order[:0]) if len(order) <= top + 1 else (order[:top], order[top:])
    spread = float(np.abs(values).max()) or 1.0
    names = [f"{found.feature_names[k]} = {cell_text(found.data[row, k])}" for k in shown]
    bars, whiskers = list(values[shown]), list(_WHISKER * errors[shown])
    if len(others):
        names.append(f"{len(others)} other features")
        bars.append(values[others].sum())
        whiskers.append(_WHISKER * float(np.sqrt((errors[others] ** 2).sum())))
    ax = new_axes(ax, (6.8, 1.3 + 0.36 * len(bars)))
    _bars(ax, names, np.array(bars), np.array(whiskers), signed=True, spread=spread)
    output, base = (estimate_text(float(one), _DIGITS * spread) for one in (found.output[row], found.base_values[row]))
    say(ax, f"{found.words} is {output} here and {base} on average")
    finish(ax, xlabel=f"contribution to {_lower(found.words)}", ylabel="", legend=None, grid="x")
    ax.tick_params(axis="y", labelcolor=palette_of(ax).ink)
    ax.yaxis.set_label_text("feature")
    ax.yaxis.label.set_visible(False)
    return ax


def importance(found: Explanation, *, top: int = 15, dots: bool = False, ax: Axes | None = None) -> Axes:
    """Features by their importance: the mean size of their Shapley values over the rows.

    Whiskers are two standard errors long on either side, over rows and within them.

    Parameters
    ----------
    found : Explanation
        Of some dozens of rows, as ``MirrorballRegressor.explain`` returns it.
    top : int, default 15
        How many features are shown.
    dots : bool, default False
        Show every row as a dot at its Shapley value, coloured by the value of the feature, instead of the mean sizes.
    ax : matplotlib Axes, optional
        Where to draw; by default a new figure.

    Returns
    -------
    matplotlib Axes

    Examples
    --------
    >>> from mirrorball import MirrorballRegressor
    >>> X = np.random.default_rng(0).uniform(-1, 1, (200, 3))
    >>> model = MirrorballRegressor(networks=1, epochs=20).fit(X, X[:, 0])
    >>> ax = importance(model.explain(X[:20], X, n_samples=50, background_rows=10))
    >>> ax.get_yticklabels()[0].get_text()
    'x0'
    """
    sizes = np.abs(found.values)
    mean = sizes.mean(axis=0)
    rows = len(sizes)
    over_rows = sizes.std(axis=0, ddof=1) / np.sqrt(rows) if rows > 1 else np.zeros_like(mean)
    within = np.sqrt((np.nan_to_num(found.errors) ** 2).sum(axis=0)) / rows
    order = np.argsort(-mean, kind="stable")[:top]
    ax = new_axes(ax, (6.8, 1.3 + 0.36 * len(order)))
    names = [found.feature_names[k] for k in order]
    left = len(mean) - len(order)
    rest = f"; {left} less important features are not shown" if left else ""
    if dots:
        _beeswarm(ax, found, order, names)
        finish(
            ax,
            xlabel=f"contribution to {_lower(found.words)}, {rows:,} rows{rest}",
            ylabel="",
            legend="above",
            grid="x",
        )
    else:
        whiskers = _WHISKER * np.hypot(over_rows, within)[order]
        _bars(ax, names, mean[order], whiskers, signed=False, spread=float(mean.max()) or 1.0)
        label = f"mean size of the contribution to {_lower(found.words)}, {rows:,} rows{rest}"
        finish(ax, xlabel=label, ylabel="", legend=None, grid="x")
    ax.tick_params(axis="y", labelcolor=palette_of(ax).ink)
    ax.yaxis.set_label_text("feature")
    ax.yaxis.label.set_visible(False)
    return ax


def _bars(ax, names, values, whiskers, *, signed: bool, spread: float) -> None:
    """Horizontal bars with whiskers and their numbers, the first on top."""
    look = palette_of(ax)
    whiskers = np.nan_to_num(whiskers)  # where no error is known, none is drawn
    unsure = np.abs(values) < whiskers
    for place, (value, whisker) in enumerate(zip(values, whiskers)):
        colour = look.accent if value >= 0 else look.other
        ax.barh(place, value, 0.62, color=look.mixed(colour, 0.35) if unsure[place] else colour,
                hatch="////" if value < 0 else None, edgecolor=look.card, linewidth=0)  # fmt: skip
        if whisker > 0:
            ends = (value - whisker, value + whisker) if signed else (max(0.0, value - whisker), value + whisker)
            ax.plot(ends, [place, place], color=look.ink, linewidth=1.2, solid_capstyle="butt")
        text = estimate_text(value, _DIGITS * spread)
        text = f"+{text}" if signed and value > 0 and any(digit in text for digit in "123456789") else text
        at = value + whisker if value >= 0 else value - whisker
        ax.annotate(text, (at, place), (5 if value >= 0 else -5, 0), textcoords="offset points", va="center",
                    ha="left" if value >= 0 else "right", color=look.soft if unsure[place] else look.ink,
                    fontsize="small", fontweight="bold")  # fmt: skip
    ax.set_yticks(range(len(names)), names)
    ax.set_ylim(len(names) - 0.4, -0.6)
    reach = np.concatenate([values + whiskers, values - whiskers, [0.0]])
    low, high = (reach.min(), reach.max()) if signed else (0.0, reach.max())
    room = 0.2 * (high - low) or 1.0
    ax.set_xlim(low - (room if low < 0 else 0), high + (room if high > 0 else 0))
    ax.axvline(0, color=look.strong_line, linewidth=1)


def _beeswarm(ax, found: Explanation, order, names) -> None:
    """A dot for each row, side by side where they would cover each other; low values blue and high ones orange, as in the report."""
    from matplotlib.colors import LinearSegmentedColormap

    look = palette_of(ax)
    shades = LinearSegmentedColormap.from_list("values", [look.accent, look.mixed(look.strong_line, 0.6), look.other])
    span = float(np.ptp(found.values[:, order])) or 1.0
    for place, k in enumerate(order):
        values = found.values[:, k]
        ranks = _ranks(found.data[:, k])
        ax.scatter(values, place + _spread_out(values, span), s=13, linewidths=0, alpha=0.85,
                   c=[look.strong_line] * len(values) if ranks is None else shades(ranks))  # fmt: skip
    for colour, word in ((shades(0.0), "low value of the feature"), (shades(1.0), "high value")):
        ax.plot([], [], "o", color=colour, markersize=5, label=word)
    ax.axvline(0, color=look.strong_line, linewidth=1)
    ax.set_yticks(range(len(names)), names)
    ax.set_ylim(len(names) - 0.4, -0.6)


def _spread_out(values: np.ndarray, span: float) -> np.ndarray:
    """Heights within a row of dots: those near each other in turn above and below."""
    cells = np.round(values / span * 70).astype(int)
    heights = np.zeros(len(values))
    for cell in np.unique(cells):
        inside = np.flatnonzero(cells == cell)
        turn = np.arange(len(inside))
        heights[inside] = np.where(turn % 2, 1, -1) * (turn + 1) // 2
    most = np.abs(heights).max()
    return heights * min(0.08, 0.38 / most) if most else heights


def _ranks(cells: np.ndarray) -> np.ndarray | None:
    """Places of numbers from 0 to 1; None of categories."""
    try:
        numbers = cells.astype(float)
    except (TypeError, ValueError):
        return None
    known = np.nan_to_num(numbers, nan=np.nanmedian(numbers) if len(numbers) else 0)
    ordered = np.sort(known)
    less = np.searchsorted(ordered, known, "left")
    more = len(known) - np.searchsorted(ordered, known, "right")
    return np.where(less + more > 0, less / np.maximum(1, less + more), 0.5)


def _lower(words: str) -> str:
    return words[:1].lower() + words[1:]
