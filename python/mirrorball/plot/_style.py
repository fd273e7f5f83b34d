"""Axes, words and numbers that all plots share."""

from __future__ import annotations

from typing import Any

import numpy as np

from .._numbers import WIDE_RANGE, minus, percent_text
from .._forecasts import cube_of
from ._palette import palette_of


_LABELS = 58  # points: numbers and name of an axis


def new_axes(ax=None, size=(6.4, 4.2)):
    """The Axes to draw into: the one given, or one of a new figure."""
    if ax is not None:
        return ax
    try:
        from matplotlib import pyplot
    except ImportError as error:
        raise ImportError("plots need matplotlib: pip install 'mirrorball-ml[plot]'") from error
    return pyplot.subplots(figsize=size, layout="constrained")[1]


def finish(
    ax,
    *,
    xlabel: str,
    ylabel: str,
    legend: str | None = "best",
    columns: int = 1,
    beside: bool = False,
    grid: str | None = "y",
) -> None:
    """Labels, quiet frame and grid, numbers with thousands separators, a legend inside, above or beside the plot."""
    look = palette_of(ax)
    ax.set(xlabel=xlabel, ylabel=ylabel)
    ax.xaxis.label.set_color(look.soft)
    ax.yaxis.label.set_color(look.soft)
    ax.spines[["top", "right", "left"]].set_visible(False)
    ax.spines["bottom"].set_color(look.strong_line)
    ax.tick_params(which="both", color=look.strong_line, labelcolor=look.soft)
    ax.tick_params(axis="y", which="both", length=0)
    if grid:
        ax.grid(axis=grid, color=look.line, linewidth=0.8)
        ax.set_axisbelow(True)
    for axis in (ax.xaxis, ax.yaxis):
        write_large_numbers(axis)
    if legend is not None:
        _draw_legend(ax, "beside" if beside else legend, columns)


def _draw_legend(ax, place: str, columns: int) -> None:
    """Intervals first; "above" and "beside" the plot, or where matplotlib says inside of it."""
    entries = sorted(zip(*ax.get_legend_handles_labels()), key=lambda entry: not entry[1].endswith("interval"))
    if not entries:
        return
    look = palette_of(ax)
    handles, labels = zip(*entries)
    places: dict[str, Any] = {
        "above": {"loc": "lower left", "bbox_to_anchor": (0, 1.0), "borderaxespad": 0.2},
        "beside": {"loc": "upper left", "bbox_to_anchor": (1.02, 1)},
    }
    box = ax.legend(
        handles,
        labels,
        ncols=_fitting_columns(ax, labels) if place == "above" and columns == 1 else columns,
        framealpha=0.85,
        facecolor=look.card,
        edgecolor="none",
        labelcolor=look.ink,
        handlelength=1.6,
        columnspacing=1.2,
        fontsize="medium" if place in places else "small",
        **places.get(place, {"loc": place, "borderaxespad": 0.3}),
    )
    for handle in box.get_lines():  # faint dots are lost in a legend
        handle.set_alpha(1)


def _fitting_columns(ax, labels) -> int:
    """How many entries of a legend stand beside each other above a plot: all of them, or as many as have room."""
    from matplotlib import rcParams

    size = rcParams["font.size"]
    room = _room(ax) / size
    for columns in range(len(labels), 1, -1):
        lines = -(-len(labels) // columns)  # a legend fills one column after the other
        widest = [max(_text_width(one, 1) for one in labels[k : k + lines]) for k in range(0, len(labels), lines)]
        if sum(letters + 3.6 for letters in widest) <= room:  # a handle and its gaps are 3.6 letters high
            return columns
    return 1


def say(ax, text: str, colour: str | None = None) -> None:
    """A sentence above the plot: what it shows. It breaks where the plot ends."""
    from matplotlib import rcParams

    size = rcParams["font.size"]
    room = _room(ax)
    lines: list[str] = []
    for word in text.split():
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and _text_width(longer, size) <= room:
            lines[-1] = longer
        else:
            lines.append(word)
    ax.set_title("\n".join(lines), loc="left", fontsize=size, color=colour or palette_of(ax).ink, pad=10)


def _room(ax) -> float:
    """How wide a plot is going to be, in points: a constrained layout widens it later, up to its labels on the left."""
    figure = ax.figure.bbox.width / ax.figure.dpi * 72
    width = ax.get_position().width * figure
    place = ax.get_subplotspec()
    if place is None or ax.get_aspect() != "auto" or ax.figure.get_layout_engine() is None:
        return width
    return max(width, figure * len(place.colspan) / place.get_gridspec().ncols - _LABELS)


def _text_width(text: str, size: float) -> float:
    """In points, as matplotlib will write it."""
    from matplotlib.font_manager import FontProperties
    from matplotlib.textpath import text_to_path

    return text_to_path.get_text_width_height_descent(text, FontProperties(size=size), False)[0]


def write_large_numbers(axis) -> None:
    """250,000 instead of 250000 or 2.5 with 1e5 in the corner; dates, logs and percent are left alone."""
    from matplotlib.ticker import FuncFormatter, ScalarFormatter

    low, high = axis.get_view_interval()
    large = max(abs(low), abs(high)) < 1e10 and (max(abs(low), abs(high)) >= 1e4 or abs(high - low) > WIDE_RANGE)
    if type(axis.get_major_formatter()) is ScalarFormatter and large and axis.get_scale() == "linear":
        axis.set_major_formatter(FuncFormatter(lambda value, _: minus(f"{value:,.10g}")))


def percent(axis) -> None:
    """Shares as percent, without decimals that say nothing."""
    from matplotlib.ticker import FuncFormatter

    axis.set_major_formatter(FuncFormatter(lambda value, _: percent_text(value)))


def named_models(samples) -> dict:
    """Name and samples of every model; a single one has no name."""
    return dict(samples) if isinstance(samples, dict) else {None: samples}


def target_name(samples, target: int) -> str:
    names = getattr(samples, "target_names", None)
    if names is not None:
        return str(names[target])
    return "y" if cube_of(samples).shape[2] == 1 else f"y{target + 1}"


def target_index(samples, target) -> int:
    """The number of a target given by number or by name."""
    names = getattr(samples, "target_names", None)
    if isinstance(target, str):
        if names is None or target not in list(names):
            known = (
                f"the targets are {', '.join(map(str, names))}" if names is not None else "these samples have no names"
            )
            raise ValueError(f"no target is named {target!r}: {known}")
        return list(names).index(target)
    count = cube_of(samples).shape[2]
    if not -count <= target < count:
        raise ValueError(f"target {target} does not exist: the samples have {count} targets")
    return target % count


def row_samples(samples, row: int) -> np.ndarray:
    """Samples of one row: samples x targets."""
    cube = cube_of(samples)
    if not -len(cube) <= row < len(cube):
        raise ValueError(f"row {row} does not exist: the samples have {len(cube)} rows")
    return cube[row]


def column(samples, target: int) -> np.ndarray:
    """Samples of one target: rows x samples."""
    return cube_of(samples)[:, :, target]


def observed_column(y_true, samples, target: int) -> np.ndarray:
    """One target's observed values, one per row of the samples."""
    rows, _, targets = cube_of(samples).shape
    y = np.asarray(y_true, dtype=float)
    y = y.reshape(-1, 1) if y.ndim == 1 else y
    if y.shape == (rows, targets):
        return y[:, target]
    if y.shape == (rows, 1):
        return y[:, 0]
    raise ValueError(f"y_true has the shape {np.shape(y_true)}, the samples have {rows} rows and {targets} targets")


def label_of(values, otherwise: str) -> str:
    """The name of a pandas or polars column, where it has one."""
    name = getattr(values, "name", None)
    return str(name) if isinstance(name, str) and name else otherwise
