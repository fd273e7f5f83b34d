"""Colours, axes and words that all pictures share."""

from __future__ import annotations

import numpy as np

from ..metrics import _cube

# Okabe and Ito's colours, told apart with every kind of colour vision.
BLUE, VERMILION, GREEN, ORANGE, PURPLE, SKY = "#0072B2", "#D55E00", "#009E73", "#E69F00", "#CC79A7", "#56B4E9"
CYCLE = (BLUE, VERMILION, GREEN, ORANGE, PURPLE, SKY)
INK, GREY, PALE = "#222222", "#767676", "#E4E4E4"


def new_axes(ax=None, size=(6.4, 4.2)):
    """The Axes to draw into: the one given, or one of a new figure."""
    if ax is not None:
        return ax
    try:
        from matplotlib import pyplot
    except ImportError as error:
        raise ImportError("pictures need matplotlib: pip install 'mirrorball[plot]'") from error
    return pyplot.subplots(figsize=size, layout="constrained")[1]


def finish(ax, *, xlabel: str, ylabel: str, legend: str = "best", columns: int = 1, beside: bool = False) -> None:
    """Labels, quiet frame, numbers with thousands separators, a legend inside or beside the picture."""
    ax.set(xlabel=xlabel, ylabel=ylabel)
    ax.spines[["top", "right"]].set_visible(False)
    ax.spines[["left", "bottom"]].set_color(GREY)
    ax.tick_params(colors=INK, which="both", color=GREY)
    for axis in (ax.xaxis, ax.yaxis):
        write_large_numbers(axis)
    handles, labels = ax.get_legend_handles_labels()
    if not handles:
        return
    place = {"loc": "upper left", "bbox_to_anchor": (1.02, 1)} if beside else {"loc": legend}
    box = ax.legend(handles, labels, ncols=columns, framealpha=0.85, edgecolor="none", borderaxespad=0.3, **place)
    for handle in box.get_lines():  # faint dots are lost in a legend
        handle.set_alpha(1)


def write_large_numbers(axis) -> None:
    """250,000 instead of 250000 or 2.5 with 1e5 in the corner; dates, logs and percent are left alone."""
    from matplotlib.ticker import FuncFormatter, ScalarFormatter

    largest = max(map(abs, axis.get_view_interval()))
    if type(axis.get_major_formatter()) is ScalarFormatter and 1e4 <= largest < 1e10 and axis.get_scale() == "linear":
        axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.10g}".replace("-", "\N{MINUS SIGN}")))


def percent(axis) -> None:
    """Shares as percent, without decimals that say nothing."""
    from matplotlib.ticker import FuncFormatter

    axis.set_major_formatter(FuncFormatter(lambda value, _: percent_text(value)))


def percent_text(share: float) -> str:
    return f"{100 * share:.4g}%"


def named_models(draws) -> dict:
    """Name and draws of every model; a single one has no name."""
    return dict(draws) if isinstance(draws, dict) else {None: draws}


def target_name(draws, target: int) -> str:
    names = getattr(draws, "target_names", None)
    if names is not None:
        return str(names[target])
    return "y" if _cube(draws).shape[2] == 1 else f"y{target + 1}"


def target_index(draws, target) -> int:
    """The number of a target given by number or by name."""
    names = getattr(draws, "target_names", None)
    if isinstance(target, str):
        if names is None or target not in list(names):
            known = (
                f"the targets are {', '.join(map(str, names))}" if names is not None else "these draws have no names"
            )
            raise ValueError(f"no target is named {target!r}: {known}")
        return list(names).index(target)
    count = _cube(draws).shape[2]
    if not -count <= target < count:
        raise ValueError(f"target {target} asked, the draws have {count} targets")
    return target % count


def row_draws(draws, row: int) -> np.ndarray:
    """Draws of one row: samples x targets."""
    cube = _cube(draws)
    if not -len(cube) <= row < len(cube):
        raise ValueError(f"row {row} asked, the draws have {len(cube)} rows")
    return cube[row]


def column(draws, target: int) -> np.ndarray:
    """Draws of one target: rows x samples."""
    return _cube(draws)[:, :, target]


def observed_column(y_true, draws, target: int) -> np.ndarray:
    """One target's observed values, one per row of the draws."""
    rows, _, targets = _cube(draws).shape
    y = np.asarray(y_true, dtype=float)
    y = y.reshape(-1, 1) if y.ndim == 1 else y
    if y.shape == (rows, targets):
        return y[:, target]
    if y.shape == (rows, 1):
        return y[:, 0]
    raise ValueError(f"y_true has the shape {np.shape(y_true)}, the draws have {rows} rows and {targets} targets")


def label_of(values, otherwise: str) -> str:
    """The name of a pandas or polars column, where it has one."""
    name = getattr(values, "name", None)
    return str(name) if isinstance(name, str) and name else otherwise
