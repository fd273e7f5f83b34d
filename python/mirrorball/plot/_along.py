"""The forecast along one feature."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from .._core import SUMMARY_SAMPLES
from ..vary import column_of, varied
from ._fan import fan_chart
from ._palette import palette_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from ..regressor import MirrorballRegressor

_TAIL = 0.01  # the range of a feature leaves out so many training rows on either side
_RUG = 400  # values shown on the axis, at most


def along(
    model: MirrorballRegressor,
    feature: str | int,
    X: Any,
    *,
    row: int | None = None,
    y_true: ArrayLike | None = None,
    target: int | str = 0,
    levels: Sequence[float] = (0.5, 0.9),
    points: int = 80,
    n_samples: int = SUMMARY_SAMPLES,
    ax: Axes | None = None,
) -> Axes:
    """The calibrated forecast along one feature: median and intervals.

    Without ``row`` it shows the rows of X as they are, neighbours put together. With ``row``, this feature runs over its
    training range while the others stay as in that row; where no row of X is near, the forecast extrapolates and is grey.
    Ticks on the axis are the feature's values in X.

    Parameters
    ----------
    model : MirrorballRegressor
        Fitted.
    feature : str or int
        The name or position of the feature.
    X : array or frame of shape (rows, features)
    row : int, optional
        The row of X in which the feature varies.
    y_true : array of shape (rows,) or (rows, targets), optional
        Observed values of the rows of X, shown as dots.
    target : int or str, default 0
        The position or name of the target.
    levels : sequence of float, default (0.5, 0.9)
        The probabilities of the intervals.
    points : int, default 80
        Values of the feature, with ``row``.
    n_samples : int, default 1000
        Number of samples per row.
    ax : matplotlib Axes, optional
        Where to draw; by default a new figure.

    Returns
    -------
    matplotlib Axes

    Examples
    --------
    >>> from mirrorball import MirrorballRegressor
    >>> X = np.random.default_rng(0).uniform(-1, 1, (200, 2))
    >>> model = MirrorballRegressor(networks=1, epochs=5).fit(X, X[:, 0])
    >>> along(model, "x0", X, row=3).get_xlabel()
    'x0, other features as in row 3'
    """
    place = _place(model, feature)
    name = model.columns_[place].name
    values = _as_dates(column_of(X, place)) if model.columns_[place].kind == "date" else column_of(X, place)
    shown: dict[str, Any] = {"levels": levels, "target": target}
    if row is None:
        dist = model.predict_dist(X, n_samples=n_samples)
        return fan_chart(values, dist, y_true=y_true, xlabel=name, ax=ax, **shown)
    rows = len(values)
    if not -rows <= row < rows:
        raise ValueError(f"row {row} does not exist: X has {rows} rows")
    if y_true is not None:
        raise ValueError("y_true is of the rows of X, and only one of them is shown: leave out row or y_true")
    own = np.asarray(values)[row]
    x = _grid(model, place, points)
    given = x.astype(str) if isinstance(own, str) else x
    copies = varied(X, row % rows, place, given.tolist())
    dist = model.predict_dist(copies, n_samples=n_samples)
    near = _near(model, X, copies, place)
    ax = fan_chart(x, dist, bins=0, near=near, xlabel=f"{name}, other features as in row {row}", ax=ax, **shown)
    _mark(ax, model.columns_[place].kind, own, np.asarray(values))
    return ax


def _near(model, X: Any, copies: Any, place: int) -> np.ndarray | None:
    """Whether rows of X are near each copy, as in the explorer; None where X has too few rows to say."""
    found = model.model_.nearby(model._feature_table(X), model._feature_table(copies), place)
    if not found:
        return None
    near = np.array(found) > 0
    if model.columns_[place].kind == "category":
        return near
    # A lone value without rows between others that have some is chance.
    return near | np.r_[False, near[:-2] & near[2:], False]


def _as_dates(values: Any) -> Any:
    """Dates that a frame has as text, as a file gives them, are dates on an axis too."""
    texts = np.asarray(values)
    if texts.dtype.kind not in "OUST":
        return values
    try:
        return np.array([str(text) if isinstance(text, str) else "NaT" for text in texts], dtype="datetime64[s]")
    except ValueError:  # written in another way
        return values


def _place(model, feature: str | int) -> int:
    names = [column.name for column in model.columns_]
    if isinstance(feature, str):
        if feature not in names:
            raise ValueError(f"no feature is named {feature!r}: the features are {', '.join(names)}")
        return names.index(feature)
    if not -len(names) <= feature < len(names):
        raise ValueError(f"feature {feature} does not exist: the model has {len(names)} features")
    return feature % len(names)


def _grid(model, place: int, points: int) -> np.ndarray:
    """Values over the training range; all categories."""
    column = model.columns_[place]
    if column.kind == "category":
        return np.array(column.categories, dtype=object)
    schema = model.model_.schema.features[place]
    values = np.linspace(schema.training_quantile(_TAIL), schema.training_quantile(1 - _TAIL), points)
    return values if column.kind == "number" else values.astype("datetime64[s]")


def _mark(ax, kind: str, own: Any, values: np.ndarray) -> None:
    """The row's own value, and the feature's values in X on the axis."""
    look = palette_of(ax)
    if kind == "category":
        for label in ax.get_xticklabels():
            label.set_fontweight("bold" if label.get_text() == str(own) else "normal")
        return
    if values.dtype.kind == "O" or (kind == "number" and not np.isfinite(np.asarray(own, dtype=float))):
        return
    ends = ax.get_xlim()
    step = max(1, len(values) // _RUG)
    rug = np.sort(values)[::step]
    ax.plot(rug, np.zeros(len(rug)), "|", color=look.soft, markersize=7, alpha=0.5, clip_on=True,
            transform=ax.get_xaxis_transform())  # fmt: skip
    ax.axvline(own, color=look.ink, linewidth=1, linestyle=(0, (2, 2)))
    ax.set_xlim(ends)
