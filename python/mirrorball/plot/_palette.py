"""Colours by the ground they stand on, and a style for whole figures."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

from .._palette import DARK, LIGHT, Palette

#: Lines of several models: colour alone does not tell them apart.
DASHES = ("solid", (0, (5, 2)), (0, (1.2, 1.5)), (0, (7, 2, 1.2, 2)))


def palette_of(ax) -> Palette:
    """The colours that suit the ground of an Axes, whoever set it."""
    from matplotlib.colors import to_rgba

    red, green, blue, alpha = to_rgba(ax.get_facecolor())
    if alpha < 0.5:
        red, green, blue, alpha = to_rgba(ax.figure.get_facecolor())
    dark = alpha >= 0.5 and 0.2126 * red + 0.7152 * green + 0.0722 * blue < 0.4
    return DARK if dark else LIGHT


@contextlib.contextmanager
def style(scheme: str = "light") -> Iterator[None]:
    """Within it, new figures have the ground and the text colours of the report, light or dark.

    Parameters
    ----------
    scheme : {"light", "dark"}, default "light"

    Examples
    --------
    >>> import numpy as np
    >>> from mirrorball import plot
    >>> with plot.style("dark"):
    ...     ax = plot.density(np.random.default_rng(0).normal(size=(1, 200)))
    >>> ax.figure.get_facecolor()[0] < 0.2
    True
    """
    if scheme not in ("light", "dark"):
        raise ValueError(f"the scheme is {scheme!r}: it must be 'light' or 'dark'")
    from matplotlib import rc_context

    colours = DARK if scheme == "dark" else LIGHT
    settings: dict[Any, Any] = {"axes.edgecolor": colours.strong_line}
    for place in ("figure.facecolor", "axes.facecolor", "savefig.facecolor", "legend.facecolor"):
        settings[place] = colours.card
    for place in ("text.color", "axes.labelcolor", "axes.titlecolor", "xtick.color", "ytick.color"):
        settings[place] = colours.ink
    with rc_context(settings):
        yield
