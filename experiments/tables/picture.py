"""The picture: how long a fit takes and how good it is, one point per method."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from tables.methods import METHODS, RIVALS
from tables.summary import Summary

# Where a label may stand beside its point, best first: offset in points, and which end of the text is there.
PLACES = [
    (x, y, side) for y in (3, -10, 14, -21, 25, -32) for x, side in ((6, "left"), (-6, "right"))
]


def draw(summary: Summary, base: str, path: Path) -> None:
    """Geometric means over the tables, relative to `base`; a grey line leads to the time with tuning.

    Ratios, not seconds, so that a method that lacks a table is compared on the tables it has.
    """
    import matplotlib

    matplotlib.use("svg")
    matplotlib.rcParams["svg.hashsalt"] = "tables"  # the same results give the same file
    from matplotlib import pyplot

    base = base if base in summary.methods else summary.methods[0]
    figure, axes = pyplot.subplots(figsize=(7, 4.5))
    axes.set(
        xscale="log",
        xlabel=f"CPU time of a fit relative to {METHODS[base].label} (grey: with tuning)",
        ylabel=f"CRPS relative to {METHODS[base].label}",
    )
    axes.spines[["top", "right"]].set_visible(False)
    axes.margins(x=0.2, y=0.15)
    points = {
        method: place for method in summary.methods if method in RIVALS and (place := position(summary, method, base))
    }
    for method, (fit, tuned, accuracy) in points.items():
        axes.plot([fit, tuned], [accuracy, accuracy], color="0.8", zorder=1)
        axes.scatter([fit], [accuracy], color=colour(method, base), s=25, zorder=2)
    tick_simply(axes)
    axes.text(0.01, 0.02, "↙ better", transform=axes.transAxes, color="0.4", fontsize=8)
    figure.tight_layout()
    label(axes, {METHODS[name].label: (fit, y, colour(name, base)) for name, (fit, _, y) in points.items()})
    figure.savefig(path, metadata={"Date": None})
    pyplot.close(figure)


def tick_simply(axes) -> None:
    """1, 3, 10, 30 … instead of powers of ten, of which there would be two or three."""
    low, high = axes.get_xlim()
    ticks = [step * 10.0**power for power in range(-4, 6) for step in (1, 3)]
    axes.set_xticks([tick for tick in ticks if low <= tick <= high])
    axes.xaxis.set_major_formatter(lambda tick, _: f"{tick:g}×")
    axes.minorticks_off()


def position(summary: Summary, method: str, base: str) -> tuple[float, float, float] | None:
    """Fit time, fit time with tuning, and CRPS, all relative to `base`."""
    accuracy = summary.ratio(method, base, "crps")
    if accuracy is None:
        return None
    fits, tunes = summary.against(method, base, "fit"), summary.against(method, base, "tune")
    fit = np.mean([np.log(ours / theirs) for ours, theirs in fits])
    tuned = np.mean([np.log((ours + tune) / theirs) for (ours, theirs), (tune, _) in zip(fits, tunes)])
    return float(np.exp(fit)), float(np.exp(tuned)), accuracy


def colour(method: str, base: str) -> str:
    return "C3" if method == base else "C0"


def label(axes, points: dict[str, tuple[float, float, str]]) -> None:
    """Names beside the points, each at the first place where it hides no other name and no point."""
    taken = [axes.transData.transform((x, y)) for x, y, _ in points.values()]
    boxes = []
    for name, (x, y, shade) in points.items():
        for dx, dy, side in PLACES:
            text = axes.annotate(
                name, (x, y), (dx, dy), textcoords="offset points", ha=side, color=shade, fontsize=8
            )
            box = text.get_window_extent()
            inside = axes.bbox.x0 < box.x0 and box.x1 < axes.figure.bbox.x1
            hides = any(box.overlaps(other) for other in boxes) or any(box.contains(*at) for at in taken)
            if inside and not hides:
                break
            text.remove()
        else:
            text = axes.annotate(name, (x, y), PLACES[0][:2], textcoords="offset points", color=shade, fontsize=8)
        boxes.append(text.get_window_extent())
