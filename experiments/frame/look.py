"""The style sheet of all figures: one colour for a method wherever it stands, quiet axes, legends beside the axes, and files
that are the same every time. An SVG has a light and a dark form: the reader's browser chooses."""

from __future__ import annotations

import io
import re
from collections.abc import Iterable
from pathlib import Path

import matplotlib
import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import LinearSegmentedColormap
from matplotlib.figure import Figure, FigureBase
from PIL import Image

from experiments.frame import distances
from experiments.frame.experiment import Numbers

# Okabe and Ito's colours, and four more for what belongs to DN+.
BLUE, VERMILION, GREEN, ORANGE, PURPLE, SKY = "#0072B2", "#D55E00", "#009E73", "#E69F00", "#CC79A7", "#56B4E9"
INDIGO, TEAL, BROWN, OLIVE = "#5B6AD0", "#00A6A6", "#A0674B", "#8B8B00"
VIOLET, CORAL = "#7A5195", "#EF5675"  # of what is no method
INK, GREY, PAPER = "#222222", "#767676", "#ffffff"
#: What a dark page has in their places.
DARK = {INK: "#e6e6e6", GREY: "#9a9a9a", PAPER: "#1e1f22", BLUE: "#459fdb", INDIGO: "#8d99f2", BROWN: "#c48a6a", VIOLET: "#a882c6"}

matplotlib.use("agg")
matplotlib.rcParams |= {
    "svg.hashsalt": "paper",  # the same results give the same file
    "font.size": 13,  # 8.6 pixels at half the width of a page
    "text.color": INK,
    "figure.facecolor": PAPER,
    "axes.facecolor": "none",
    "savefig.facecolor": PAPER,
    "axes.titlesize": 13,
    "figure.titlesize": 13,
    "figure.labelsize": 13,
    "legend.fontsize": 12,
    "xtick.labelsize": 12,
    "ytick.labelsize": 12,
    "axes.titlelocation": "left",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.edgecolor": GREY,
    "axes.labelcolor": INK,
    "xtick.color": INK,
    "ytick.color": INK,
    "legend.frameon": False,
    "figure.dpi": 100,
    "savefig.dpi": 160,  # of scatters and densities inside an SVG, too
}

COLOURS = {
    "paper": BLUE, "dnplus": BLUE, "default": VERMILION, "disco": BROWN, "lgbm": GREEN, "qrf": ORANGE, "gp": PURPLE,
    "preset": OLIVE,
    "relu": BLUE, "selu": SKY, "tanh": INDIGO, "dn_tanh": INDIGO, "gcu": TEAL,
}
LABELS = {
    "paper": "DN+ (paper's settings)", "dnplus": "DN+", "preset": "--preset paper", "default": "Mirrorball, default options", "disco": "DISCO Nets",
    "dn_tanh": "DN+ with Tanh", "lgbm": "LightGBM", "qrf": "quantile forest", "gp": "Gaussian process",
    "relu": "ReLU", "selu": "SELU", "tanh": "Tanh", "gcu": "GCU",
}
PARTS = {"aleatoric": GREY, "epistemic": "#D81B60"}  # of the uncertainty
TRUTH = {"color": INK, "linewidth": 1.4}
DENSITY = "viridis"
RISING = LinearSegmentedColormap.from_list("rising", ("#8d95a5", "#E69F00", "#D81B60"))  # of dots, seen on light and dark pages alike
ON_DENSITY = "#fefefe"  # lines and words on it: white, and not the page's, which changes


def new_figure(width: float, height: float) -> Figure:
    return Figure(figsize=(width, height), layout="constrained")


def save(figure: Figure, stem: Path) -> None:
    """Both files small enough to be kept in the repository."""
    drawing, pixels = io.StringIO(), io.BytesIO()
    figure.draw_without_rendering()  # the layout settles when it has been drawn once
    figure.savefig(drawing, format="svg", metadata={"Date": None})
    stem.with_suffix(".svg").write_text(with_dark_form(slim(drawing.getvalue())))
    figure.savefig(pixels, format="png", metadata={"Software": None})
    palette = Image.open(pixels).convert("RGB").quantize(256, dither=Image.Dither.NONE)
    palette.save(stem.with_suffix(".png"), optimize=True)


def slim(svg: str) -> str:
    """Without indents, each path on one line, and in hundredths of a point instead of millionths."""

    def path(found: re.Match) -> str:
        rounded = re.sub(r"\d+\.\d{3,}", lambda number: f"{float(number[0]):.2f}", found[0])
        return " " + " ".join(rounded.split())

    return re.sub(r"\s*\n\s*", "\n", re.sub(r'\sd="[^"]*"', path, svg))


def with_dark_form(svg: str) -> str:
    """With a rule for browsers that prefer dark pages: ink and paper change places, dark colours get lighter, images stay."""
    rules = "".join(f'[style*="{what}: {light.lower()}"]{{{what}:{dark}!important}}'
                    for light, dark in DARK.items() for what in ("fill", "stroke"))
    return svg.replace("<defs>", f"<style>@media(prefers-color-scheme:dark){{{rules}}}</style>\n<defs>", 1)


def at(x: float) -> str:
    """An x in a label, with a minus sign that is one."""
    return f"x = {x:g}".replace("-", "−")


def letter(axes: Iterable[Axes], titles: Iterable[str]) -> None:
    """Titles with (a), (b) ... in front."""
    for mark, one, title in zip("abcdefghijklmnop", axes, titles):
        one.set_title(f"({mark}) {title}", loc="left")


def distance_bars(axes: Axes, methods: dict[str, Numbers], labels: dict[str, str] = LABELS) -> None:
    """Four groups of bars, one bar per method; the lines are one standard deviation over x to each side."""
    width = 0.84 / len(methods)
    for i, (method, found) in enumerate(methods.items()):
        at = np.arange(len(distances.NAMES)) + (i - (len(methods) - 1) / 2) * width
        means = [found[name]["mean"] for name in distances.NAMES]
        spread = [found[name]["sd_over_x"] for name in distances.NAMES]
        axes.bar(at, means, width * 0.92, color=COLOURS[method], label=labels[method])
        axes.errorbar(at, means, spread, fmt="none", ecolor=INK, elinewidth=0.9, capsize=2)
    axes.set_xticks(range(len(distances.NAMES)), [distances.LABELS[name].replace("–", "–\n") for name in distances.NAMES])
    axes.set_ylim(bottom=0)
    axes.set_ylabel("distance (lower is better)")


def shared_legend(figure: FigureBase, axes: Axes, columns: int) -> None:
    """One legend for all panels, above them."""
    figure.legend(*axes.get_legend_handles_labels(), loc="outside upper center", ncols=columns)


def epochs_axis(axes: Axes, epochs: int) -> None:
    """Epochs from the first to the last, on a logarithmic axis with plain numbers."""
    ticks = [tick for tick in (1, 2, 5, 10, 20, 50, 100, 200, 500) if tick <= epochs]
    axes.set(xlabel="epoch", xscale="log", xlim=(0.93, 1.08 * epochs))
    axes.set_xticks(ticks, [f"{tick}" for tick in ticks])
    axes.minorticks_off()


def band(axes: Axes, curve: Numbers, colour: str, label: str, **line) -> None:
    """A mean curve over epochs, and one standard deviation to each side."""
    mean, sd = np.array(curve["mean"]), np.array(curve["sd"])
    epochs = np.arange(1, len(mean) + 1)
    axes.fill_between(epochs, mean - sd, mean + sd, color=colour, alpha=0.2, linewidth=0)
    axes.plot(epochs, mean, color=colour, label=label, **line)


def histogram_image(draws: np.ndarray, edges: np.ndarray) -> np.ndarray:
    """Share of the draws in each cell, y by x; draws beyond the edges are not shown."""
    return np.stack([np.histogram(row, edges)[0] / len(row) for row in draws], axis=1)


def density_image(axes: Axes, image: np.ndarray, x: tuple[float, float], y: tuple[float, float]):
    """A density with its root as the colour, so that thin parts are seen too."""
    return axes.imshow(
        np.sqrt(image), extent=(*x, *y), origin="lower", aspect="auto", cmap=DENSITY, interpolation="nearest",
        rasterized=True,
    )
