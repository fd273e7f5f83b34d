"""Two targets of one row."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from .._forecasts import Samples, cube_of
from .._numbers import percent_text
from .._warnings import renamed
from ..distribution import Distribution
from ._palette import palette_of
from ._style import finish, new_axes, row_samples, target_index, target_name

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_FACTORS = np.array([1, 1.4, 2, 2.8, 4])  # of the width of a kernel
_CELLS = 96  # of the pages' grid, whose kernels are no narrower than its cells
_BLOCK = 500  # points that are computed at a time
_TAIL = 0.02  # on either side, samples that a drawing leaves out, as on the pages: far ones would take its room


@renamed(draws="samples")
def joint(
    samples: Samples,
    *,
    row: int = 0,
    targets: Sequence[int | str] = (0, 1),
    levels: Sequence[float] = (0.5, 0.9),
    truth: Any = None,
    y_true: ArrayLike | None = None,
    points: int = 500,
    ax: Axes | None = None,
) -> Axes:
    """Two targets of one row: samples, and contours of the regions of highest density.

    Parameters
    ----------
    samples : array of shape (rows, samples) or (rows, samples, targets), or Distribution
    row : int, default 0
    targets : sequence of two int or str, default (0, 1)
        The positions or names of the targets.
    levels : sequence of float, default (0.5, 0.9)
        The probabilities of the regions.
    truth : optional
        The true distribution, as ``laws.arcs.at(x)``.
    y_true : array of shape (targets,), optional
        The observed values.
    points : int, default 500
        How many samples are shown, at most; the contours use all.
    ax : matplotlib Axes, optional
        Where to draw; by default a new figure.

    Returns
    -------
    matplotlib Axes

    Examples
    --------
    >>> import numpy as np
    >>> random = np.random.default_rng(0)
    >>> joint(random.normal(size=(1, 200, 2)), y_true=[0.0, 1.0]).get_xlabel()
    'y1'
    """
    first, second = (target_index(samples, target) for target in targets)
    pair = np.ascontiguousarray(row_samples(samples, row)[:, [first, second]])
    levels = sorted(levels, reverse=True)
    ax = new_axes(ax, (6.0, 4.8))
    look = palette_of(ax)
    shown = pair[:points]
    ax.plot(*shown.T, "o", color=look.accent, markersize=2.6, alpha=0.35, markeredgewidth=0, zorder=1,
            label=f"{len(shown):,} samples")  # fmt: skip
    plane = _Plane(pair, [samples.limits[t] for t in (first, second)] if isinstance(samples, Distribution) else None)
    density = _Kernels(pair, plane)
    _contours(ax, plane, density.at(plane.points), density.at(pair), levels, look.accent, "solid", fill=True)
    if truth is not None:
        _draw_truth(ax, plane, truth, levels)
    if y_true is not None:
        y = _observed(y_true, samples, row)[[first, second]]
        plane.reach(y)
        ax.plot(*y, marker="P", markersize=11, color=look.other, markeredgecolor=look.card, linestyle="none", zorder=5,
                label="outcome")  # fmt: skip
    ax.set(xlim=plane.ends[:, 0], ylim=plane.ends[:, 1])
    finish(
        ax,
        xlabel=target_name(samples, first),
        ylabel=target_name(samples, second),
        legend="above",
        columns=2 if truth is not None else 1,
        grid="both",
    )
    return ax


class _Plane:
    """A grid around all samples but a few far ones, within the range that they can have."""

    def __init__(self, pair: np.ndarray, limits: list[tuple[float, float]] | None, side: int = 90) -> None:
        low, high = np.quantile(pair, [_TAIL, 1 - _TAIL], axis=0)
        margin = np.where(high > low, 0.2 * (high - low), np.maximum(1e-3, 0.01 * np.abs(high)))
        ends = np.array(limits) if limits is not None else np.array([[-np.inf, np.inf]] * 2)
        start, stop = np.maximum(low - margin, ends[:, 0]), np.minimum(high + margin, ends[:, 1])
        stop = np.where(stop > start, stop, start + margin)
        self.across, self.along = (np.linspace(start[k], stop[k], side) for k in range(2))
        self.ends = np.stack([start, stop])
        self.points = np.stack(np.meshgrid(self.across, self.along), axis=-1).reshape(-1, 2)

    def reach(self, point: np.ndarray) -> None:
        """What is shown has this point in it."""
        margin = 0.05 * (self.ends[1] - self.ends[0])
        self.ends = np.stack([np.minimum(self.ends[0], point - margin), np.maximum(self.ends[1], point + margin)])


def _draw_truth(ax, plane: _Plane, truth: Any, levels: Sequence[float]) -> None:
    if not hasattr(truth, "sample"):
        raise ValueError(
            "truth should be a distribution at one x, as laws.arcs.at(0.8): contours need samples from it as well"
        )
    known = truth.sample(4000, seed=0)
    _contours(ax, plane, truth.pdf(plane.points), truth.pdf(known), levels, palette_of(ax).other, "dashed", "true ")


def _observed(y_true: ArrayLike, samples: Samples, row: int) -> np.ndarray:
    """The observed values of one row, of all targets."""
    observed = np.ravel(np.asarray(y_true, dtype=float))
    targets = cube_of(samples).shape[2]
    if len(observed) != targets:
        raise ValueError(
            f"y_true has {len(observed)} values: give those of row {row}, one for each of the {targets} targets"
        )
    return observed


class _Kernels:
    """A kernel estimate as the pages draw it: kernels are wider where samples are few (Abramson 1982), so that a sample or two far
    from all others are no island."""

    def __init__(self, pair: np.ndarray, plane: _Plane) -> None:
        span = plane.ends[1] - plane.ends[0]
        own = [Distribution(np.ascontiguousarray(values)[None]).density().bandwidth for values in pair.T]
        self.widths = np.clip(own, 1.5 / _CELLS * span, 0.1 * span)
        self.centres = pair / self.widths
        self.factors = np.ones(len(pair))
        pilot = self.at(pair)
        wanted = np.sqrt(np.exp(np.log(pilot).mean()) / pilot)
        self.factors = _FACTORS[np.minimum(np.searchsorted(_FACTORS, wanted), len(_FACTORS) - 1)]

    def at(self, points: np.ndarray) -> np.ndarray:
        """At points (n x 2), up to a factor."""
        found = np.empty(len(points))
        for begin in range(0, len(points), _BLOCK):
            block = points[begin : begin + _BLOCK] / self.widths
            squares = ((block[:, None, :] - self.centres[None]) ** 2).sum(axis=2)
            found[begin : begin + _BLOCK] = (np.exp(-0.5 * squares / self.factors**2) / self.factors**2).sum(axis=1)
        return found


def _contours(ax, plane, on_grid, at_samples, levels, colour, style, prefix="", fill=False) -> None:
    """Contours where the density falls below that of all but `level` of the samples."""
    heights = np.quantile(at_samples, [1 - level for level in levels])
    on_plane = on_grid.reshape(len(plane.along), len(plane.across))
    grid = (plane.across, plane.along, on_plane)
    for k, (level, height) in enumerate(zip(levels, heights)):
        width = 1.2 + 0.9 * k / max(1, len(levels) - 1)
        if fill and on_plane.max() > height:
            ax.contourf(*grid, levels=[height, on_plane.max()], colors=[colour], alpha=0.12, zorder=2)
        ax.contour(*grid, levels=[height], colors=[colour], linewidths=[width], linestyles=style, zorder=3)
        ax.plot([], [], color=colour, linewidth=width, linestyle=style, label=f"{prefix}{percent_text(level)} region")
