"""Sharpness: how wide intervals are, and what they cover."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from .. import metrics
from .._numbers import percent_text
from .._warnings import renamed
from .._forecasts import Samples
from ._palette import DASHES, palette_of
from ._style import (
    column,
    finish,
    named_models,
    new_axes,
    observed_column,
    percent,
    target_index,
    target_name,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@renamed(draws="samples")
def width_against_coverage(
    y_true: ArrayLike,
    samples: Samples | Mapping[str, Samples],
    *,
    target: int | str = 0,
    levels: ArrayLike | None = None,
    mark: Sequence[float] = (0.5, 0.9),
    ax: Axes | None = None,
) -> Axes:
    """Mean width of central intervals against the share of rows they cover. Lower and further right is better.

    A ring at the dot of a marked level is the coverage that the forecasts themselves expect of their closed interval. It is
    the level, or more where samples repeat values. A dot left of its ring covers too few rows.

    Parameters
    ----------
    y_true : array of shape (rows,) or (rows, targets)
        The observed values.
    samples : array of shape (rows, samples) or (rows, samples, targets), Distribution, or dict of them by name
    target : int or str, default 0
        The position or name of the target.
    levels : array, optional
        The probabilities of the intervals.
    mark : sequence of float, default (0.5, 0.9)
        Those shown as dots, with their level beside them.
    ax : matplotlib Axes, optional
        Where to draw; by default a new figure.

    Returns
    -------
    matplotlib Axes

    Examples
    --------
    >>> import numpy as np
    >>> random = np.random.default_rng(0)
    >>> ax = width_against_coverage(random.normal(size=50), random.normal(size=(50, 100)))
    >>> ax.get_xlabel()
    'rows covered'
    """
    models = named_models(samples)
    levels = np.linspace(0.05, 0.99, 48) if levels is None else np.sort(np.asarray(levels, dtype=float))
    ax = new_axes(ax)
    look = palette_of(ax)
    widest = 0.0
    for k, (name, one) in enumerate(models.items()):
        index = target_index(one, target)
        y, values = observed_column(y_true, one, index), column(one, index)
        colour = look.cycle[k % len(look.cycle)]
        width = metrics.interval_width(values, levels)
        dashes = DASHES[k % len(DASHES)]
        ax.plot(metrics.coverage(y, values, levels), width, color=colour, linewidth=2, linestyle=dashes, label=name)
        at, tall = metrics.coverage(y, values, mark), metrics.interval_width(values, mark)
        expected = _expected(values, mark)
        ax.plot(expected, tall, "o", color="none", markeredgecolor=colour, markersize=10, markeredgewidth=1.2)
        ax.plot(at, tall, "o", color=colour, markersize=6, markeredgecolor=look.card)
        for level, x, height in zip(mark, at, tall):
            ax.annotate(percent_text(level), (x, height), (-9, 7), textcoords="offset points", ha="right", color=colour,
                        fontsize="small", fontweight="bold")  # fmt: skip
        widest = max(widest, float(width[levels <= max([0.95, *mark])].max(initial=0)))
    ax.plot([], [], "o", color="none", markeredgecolor=look.ink, markersize=9, label="coverage expected")
    ax.set_xlim(0, 1.01)
    ax.set_ylim(0, 1.15 * widest or None)
    percent(ax.xaxis)
    named = next((one for one in models.values() if hasattr(one, "target_names")), next(iter(models.values())))
    unit = target_name(named, target_index(named, target))
    finish(ax, xlabel="rows covered", ylabel=f"mean width of the interval of {unit}", legend="upper left", grid="both")
    return ax


def _expected(values: np.ndarray, levels: Sequence[float]) -> list[float]:
    """The mean share of the samples in their own closed interval."""
    means = []
    for level in levels:
        low, high = np.quantile(values, [(1 - level) / 2, (1 + level) / 2], axis=1)
        means.append(float(((values >= low[:, None]) & (values <= high[:, None])).mean()))
    return means
