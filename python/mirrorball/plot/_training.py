"""How training went."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ._palette import palette_of
from ._style import finish, new_axes

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def learning_curves(
    model: Any,
    *,
    ax: Axes | None = None,
) -> Axes:
    """Training and validation score by epoch, a line per network; a ring marks the epoch whose weights were kept.

    Parameters
    ----------
    model : MirrorballRegressor, its ``history_``, or dict of them by name
        Fitted. Of several, only the validation scores are shown, one colour each.
    ax : matplotlib Axes, optional
        Where to draw; by default a new figure.

    Returns
    -------
    matplotlib Axes

    Examples
    --------
    >>> history = [{"train": [3.0, 2.0], "valid": [3.5, 2.5], "best_epoch": 2}]
    >>> learning_curves(history).get_xlabel()
    'epoch'
    """
    ax = new_axes(ax)
    look = palette_of(ax)
    from matplotlib.ticker import MaxNLocator

    if isinstance(model, dict):
        for k, (name, one) in enumerate(model.items()):
            colour = look.cycle[k % len(look.cycle)]
            _lines(ax, _history(one), "valid", colour, str(name))
            _rings(ax, _history(one), colour)
    else:
        _lines(ax, _history(model), "train", look.strong_line, "training")
        _lines(ax, _history(model), "valid", look.accent, "validation")
        _rings(ax, _history(model), look.accent)
    ax.plot([], [], "o", color=look.card, markeredgecolor=look.ink, markersize=5, label="epoch kept")
    ax.xaxis.set_major_locator(MaxNLocator(integer=True, steps=[1, 2, 5, 10]))
    scores = "validation score" if isinstance(model, dict) else "energy score"
    finish(ax, xlabel="epoch", ylabel=f"{scores}, transformed targets", legend="above")
    return ax


def _history(model) -> list[dict]:
    history = getattr(model, "history_", model)
    if not len(history):
        raise ValueError("the history has 0 networks: fit the model first")
    return history


def _lines(ax, history, which: str, colour: str, name: str) -> None:
    for k, member in enumerate(history):
        scores = np.asarray(member[which], dtype=float)
        epochs = np.arange(1, scores.size + 1)
        ax.plot(epochs, scores, color=colour, linewidth=1.3, alpha=0.8, label=name if k == 0 else None)


def _rings(ax, history, colour: str) -> None:
    kept = [
        (m["best_epoch"], m["valid"][m["best_epoch"] - 1]) for m in history if 1 <= m["best_epoch"] <= len(m["valid"])
    ]
    if kept:
        ax.plot(*np.transpose(kept), "o", color=palette_of(ax).card, markeredgecolor=colour, markersize=5.5, zorder=3)
