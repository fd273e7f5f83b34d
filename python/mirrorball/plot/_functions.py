"""Sample functions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from ._palette import palette_of
from ._style import column, finish, label_of, new_axes, target_index, target_name

if TYPE_CHECKING:
    from matplotlib.axes import Axes


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

    Parameters
    ----------
    x : array of shape (rows,)
    curves : array of shape (rows, functions) or (rows, functions, targets)
    target : int or str, default 0
        The position or name of the target.
    x_true, y_true : arrays of equal length, optional
        Observations, shown as dots.
    xlabel, ylabel : str, optional
    ax : matplotlib Axes, optional
        Where to draw; by default a new figure.

    Returns
    -------
    matplotlib Axes

    Examples
    --------
    >>> import numpy as np
    >>> x = np.linspace(0, 1, 30)
    >>> functions(x, np.column_stack([x, x**2])).get_xlabel()
    'x'
    """
    target = target_index(curves, target)
    lines = column(curves, target)
    x_values = np.ravel(np.asarray(x))
    if len(x_values) != len(lines):
        raise ValueError(f"x has {len(x_values)} values, the functions have {len(lines)} rows")
    order = np.argsort(x_values, kind="stable")
    ax = new_axes(ax)
    look = palette_of(ax)
    if y_true is not None:
        if x_true is None:
            raise ValueError("y_true is given without x_true: give both to show observations")
        dots: dict[str, Any] = {"color": look.other, "markersize": 3, "alpha": 0.4, "markeredgewidth": 0}
        ax.plot(np.ravel(x_true), np.ravel(y_true), "o", zorder=1, label="outcomes", **dots)
    faint = float(np.clip(8 / lines.shape[1], 0.3, 0.85))
    for k in range(lines.shape[1]):
        name = "sample functions" if k == 0 else None
        ax.plot(x_values[order], lines[order, k], color=look.accent, alpha=faint, linewidth=1.4, zorder=2, label=name)
    ax.margins(x=0.01)
    finish(ax, xlabel=xlabel or label_of(x, "x"), ylabel=ylabel or target_name(curves, target), legend="above")
    return ax
