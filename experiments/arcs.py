"""Two targets: arcs that open as x grows.

Figures 13 to 15 of the paper: y = 0.6 x (cos θ, sin θ) + N(0, 0.1²), θ uniform in ±3π/4, x on 3000 equidistant points
of [0, 1]; ReLU, 300 epochs, N = 100, batches of 300; Hellinger distance along x from 10⁵ samples. Printed: 0.106 in
the mean, 0.135 at worst, at x = 1. The distance depends on the cells it is taken on, which the paper does not state.
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
from matplotlib.figure import Figure
from mirrorball import laws

from experiments.frame import distances, look
from experiments.frame.experiment import Cell, Claim, Experiment, Numbers, Result, Results, Settings, by_seed
from experiments.frame.runner import main
from experiments.frame.settings import HURRY, as_printed, plain
from experiments.frame.workshop import Workshop, law_data

LAW = "arcs"
PRINTED = {"mean": 0.106, "worst": 0.135}
NEAR = 1.25  # a number is that of the paper, or better, up to this factor
SHOWN_X = 0.8
DATA_X = (0.1, 0.5, 0.9)
METHODS = ("paper", "preset", "default")
SIDE = 1.1
CELLS = (10, 20, 30, 40, 60, 80)  # along a side
OWN_CELLS = 40  # those of `mirrorball.laws`
FINE = 240  # a multiple of all of them
EDGES = np.linspace(-SIDE, SIDE, FINE + 1)


def options(method: str, seed: int, epochs: int, hurry: Settings) -> Settings:
    if method == "default":
        return plain(seed, **hurry)
    if method == "preset":
        return {"preset": "paper", "random_state": seed} | ({"epochs": epochs} if hurry else {})
    return as_printed(seed, epochs=epochs, batch=300, draws=100)


def cells(settings: Settings) -> list[Cell]:
    sizes = {key: settings["fit"][key] for key in ("points", "draws")}
    return [*by_seed(fit_and_measure, "method", settings["methods"], settings), Cell("truth", measure_truth, sizes)]


def fit_and_measure(
    workshop: Workshop, method: str, seed: int, epochs: int, hurry: Settings, points: int, draws: int
) -> Result:
    """Distances x by x, because the draws of all x together would be large; and the picture at one x."""
    model = workshop.model(law_data(LAW, seed), **options(method, seed, epochs, hurry))
    x = np.linspace(0, 1, points)
    by_cells, four = [], []
    for at in x:
        made = model.sample(np.array([[at]]), draws)
        by_cells.append(hellinger(at, made[0]))
        four.append(distances.to_truth(LAW, np.array([at]), made)[0])
    return {"x": x, "hellinger": np.array(by_cells), "distances": np.array(four),
            "shown": counted(model.sample(np.array([[SHOWN_X]]), draws)[0], OWN_CELLS)}


def measure_truth(workshop: Workshop, points: int, draws: int) -> Result:
    """What as many independent samples of the true distribution itself are from it, by chance."""
    x = np.linspace(0, 1, points)
    return {"hellinger": np.array([hellinger(at, laws.get(LAW).sample(np.array([at]), draws, seed=1)[0]) for at in x])}


def hellinger(x: float, draws: np.ndarray) -> list[float]:
    """The distance of draws (by targets) to the true distribution at x, for each of CELLS; what lies outside is a cell too."""
    truth, made = true_shares(x), np.histogram2d(*draws.T, (EDGES, EDGES))[0] / len(draws)
    return [distance(blocks(truth, count), blocks(made, count)) for count in CELLS]


def distance(p: np.ndarray, q: np.ndarray) -> float:
    outside = np.sqrt(max(0.0, 1 - p.sum()) * max(0.0, 1 - q.sum()))
    return float(np.sqrt(max(0.0, 1 - np.sqrt(p * q).sum() - outside)))


def blocks(fine: np.ndarray, count: int) -> np.ndarray:
    """Shares of fine cells to those of `count` by `count` cells."""
    return fine.reshape(count, FINE // count, count, FINE // count).sum(axis=(1, 3))


def counted(draws: np.ndarray, count: int) -> np.ndarray:
    return blocks(np.histogram2d(*draws.T, (EDGES, EDGES))[0] / len(draws), count)


def true_shares(x: float) -> np.ndarray:
    """Probabilities of the fine cells, by the density in their middles: a cell is a tenth of the noise wide."""
    middles = (EDGES[1:] + EDGES[:-1]) / 2
    plane = np.stack(np.meshgrid(middles, middles, indexing="ij"), axis=-1)
    return laws.get(LAW).density(x, plane) * (EDGES[1] - EDGES[0]) ** 2


def numbers(settings: Settings, done: Results) -> Numbers:
    """By cells: means over the seeds of the mean and of the worst over x, and those of each seed."""
    x = np.linspace(0, 1, settings["fit"]["points"])
    out: Numbers = {"seeds": settings["seeds"], "x": [round(float(at), 4) for at in x]}
    for method in settings["methods"]:
        found = [done[f"{method} {seed}"] for seed in range(settings["seeds"])]
        out[method] = along_x(x, np.stack([one["hellinger"] for one in found])) | {
            "seeds": settings["seeds"], "distances": distances.summary(one["distances"] for one in found)}
    return out | {"truth": along_x(x, done["truth"]["hellinger"][None])}


def along_x(x: np.ndarray, found: np.ndarray) -> Numbers:
    """Of Hellinger distances, seeds by x by CELLS."""
    curve = found.mean(axis=0)
    by_cells = {}
    for i, count in enumerate(CELLS):
        means, worst = found[:, :, i].mean(axis=1), found[:, :, i].max(axis=1)
        by_cells[f"{count}"] = {
            "mean": round(float(means.mean()), 5), "worst": round(float(worst.mean()), 5),
            "worst_x": float(x[curve[:, i].argmax()]),
            "mean_seeds": [round(float(one), 4) for one in means], "worst_seeds": [round(float(one), 4) for one in worst],
        }
    return {"hellinger": [round(float(value), 5) for value in curve[:, CELLS.index(OWN_CELLS)]], "cells": by_cells}


def on(numbers: Numbers, method: str, what: str, count: int = OWN_CELLS) -> Any:
    return numbers[method]["cells"][f"{count}"][what]


def draw(numbers: Numbers, done: Results) -> Figure:
    figure = look.new_figure(9.2, 9.8)
    top, middle, bottom = figure.subfigures(3, 1, height_ratios=(1, 1, 1.05))
    data = top.subplots(1, 3, sharex=True, sharey=True)
    points = laws.get(LAW).sample(np.array(DATA_X), 1000, seed=1)
    for axes, cloud in zip(data, points):
        axes.scatter(*cloud.T, s=3, linewidths=0, color=look.GREY, alpha=0.7, rasterized=True)
        axes.set(xlabel="y₁", xlim=(-1, 1), ylim=(-1, 1), aspect="equal", xticks=[-1, 0, 1], yticks=[-1, 0, 1])
    data[0].set_ylabel("y₂")
    along, by_cells = middle.subplots(1, 2, sharey=True)
    for method in METHODS:
        style = {"color": look.COLOURS[method], "label": look.LABELS[method]}
        along.plot(numbers["x"], numbers[method]["hellinger"], "o-", markersize=3, **style)
        for what, line in (("mean", "o-"), ("worst", "o--")):
            by_cells.plot(CELLS, [on(numbers, method, what, count) for count in CELLS], line, markersize=3,
                          color=look.COLOURS[method])
    by_cells.plot(CELLS, [on(numbers, "truth", "mean", count) for count in CELLS], ":", color=look.INK)
    for value, dashes in ((PRINTED["mean"], "-"), (PRINTED["worst"], "--")):
        by_cells.axhline(value, color=look.GREY, linestyle=dashes, linewidth=1)
    along.plot(np.nan, np.nan, ":", color=look.INK, label="10⁵ samples of the truth")
    along.plot(np.nan, np.nan, "-", color=look.GREY, label="printed: mean (—), worst (– –)")
    along.set(xlabel="x", ylabel="Hellinger distance", xlim=(-0.02, 1.02), ylim=(0, None))
    by_cells.set(xlabel="cells along a side", xticks=CELLS)
    look.shared_legend(middle, along, 3)
    planes = bottom.subplots(1, 3, sharex=True, sharey=True)
    for axes in planes[2 + ("default 0" in done):]:
        axes.remove()
    images = [blocks(true_shares(SHOWN_X), OWN_CELLS),
              *(done[f"{method} 0"]["shown"] for method in ("paper", "default") if f"{method} 0" in done)]
    area = (2 * SIDE / OWN_CELLS) ** 2
    for axes, image in zip(planes, images):
        picture = axes.imshow(image.T / area, extent=(-SIDE, SIDE) * 2, origin="lower", cmap=look.DENSITY, vmin=0,
                            vmax=max(one.max() for one in images) / area, rasterized=True)
        axes.set(xlabel="y₁", xlim=(-1, 1), ylim=(-1, 1), xticks=[-1, 0, 1], yticks=[-1, 0, 1])
    planes[0].set_ylabel("y₂")
    bottom.colorbar(picture, ax=list(planes), label="density")
    look.letter((*data, along, by_cells, *planes),
                (*(f"truth, x = {x:g}" for x in DATA_X), f"along x, {OWN_CELLS} × {OWN_CELLS} cells",
                 "by cells", f"truth, x = {SHOWN_X:g}", "DN+ (paper)",
                 "Mirrorball, default"))
    return figure


def against(numbers: Numbers, one: str, other: str) -> str:
    """Two methods on the same cells."""
    return (f"{on(numbers, one, 'mean'):.3f} against {on(numbers, other, 'mean'):.3f} in the mean, "
            f"{on(numbers, one, 'worst'):.3f} against {on(numbers, other, 'worst'):.3f} at worst, on {OWN_CELLS} × {OWN_CELLS} "
            f"cells, {seeds_text(numbers, one)} against {seeds_text(numbers, other)}")


def seeds_text(numbers: Numbers, method: str = "paper") -> str:
    seeds = seeds_of(numbers, method)
    return "1 seed" if seeds == 1 else f"mean of {seeds} seeds"


def seeds_of(numbers: Numbers, method: str) -> int:
    """A method that was not run again may have fewer than the others."""
    return numbers[method].get("seeds", numbers["seeds"])


def reached(numbers: Numbers, what: str, count: int) -> bool:
    """Whether DN+ is at the printed distance on these cells, or below."""
    return on(numbers, "paper", what, count) <= NEAR * PRINTED[what]


def claims(numbers: Numbers) -> list[Claim]:
    where = [on(numbers, "paper", "worst_x", count) for count in CELLS]
    default, paper, preset = (on(numbers, method, "mean") for method in ("default", "paper", "preset"))
    return [
        *(by_size(numbers, count) for count in CELLS),
        Claim("the distance is largest at x = 1", f"on all cells, {seeds_text(numbers)}: x = "
              + ", ".join(f"{x:g} on {count}²" for x, count in zip(where, CELLS)), set(where) == {1.0}),
        Claim("not in the paper: the default options are clearly better than `--preset paper`",
              "below 0.9 times its mean: " + against(numbers, "default", "preset"), default < 0.9 * preset),
        Claim("not in the paper: the default options are better than the paper's settings for this distribution",
              "a lower mean: " + against(numbers, "default", "paper"), default < paper),
    ]


def by_size(numbers: Numbers, count: int) -> Claim:
    """The two printed numbers on cells of one size."""
    told = " and ".join(f"{on(numbers, 'paper', what, count):.3f} ({'yes' if reached(numbers, what, count) else 'no'})"
                        for what in PRINTED)
    return Claim(f"Hellinger distance {PRINTED['mean']} in the mean over x and {PRINTED['worst']} at worst, on {count} × {count} cells",
                 f"both at most {NEAR:g} times that, {seeds_text(numbers)}: {told}",
                 all(reached(numbers, what, count) for what in PRINTED))


def section(numbers: Numbers) -> list[str]:
    labels = look.LABELS | {"truth": "10⁵ samples of the true distribution"}
    lines = ["| | seeds | " + " | ".join(f"{count}²: mean | worst" for count in CELLS) + " |",
             "| --- | ---: |" + " ---: |" * 2 * len(CELLS)]
    for method in (*METHODS, "truth"):
        found = (f"{on(numbers, method, what, count):.3f}" for count in CELLS for what in ("mean", "worst"))
        lines.append(f"| {labels[method]} | {'' if method == 'truth' else seeds_of(numbers, method)} | {' | '.join(found)} |")
    gain = 1 - on(numbers, "default", "mean") / on(numbers, "paper", "mean")
    more = "More cells give larger distances, in part because 10⁵ samples fill them by chance."
    if seeds_of(numbers, "paper") > 1:
        spread = "; ".join(f"{', '.join(f'{one:.3f}' for one in on(numbers, 'paper', f'{what}_seeds'))} ({words})"
                           for what, words in (("mean", "mean over x"), ("worst", "worst")))
        more += f" DN+ with the printed settings on {OWN_CELLS} × {OWN_CELLS} cells, seed by seed: {spread}."
    return lines + [
        "",
        f"Hellinger distance by the number of cells of [−1.1, 1.1]², 10⁵ samples at each of {len(numbers['x'])} x; the mean and the "
        f"worst over x, averaged over the seeds, each with its own data. Printed are {PRINTED['mean']} and {PRINTED['worst']}. The last line "
        "is what as many independent samples of the true distribution itself give.",
        "",
        f"- {more}",
        f"- The default options are {100 * abs(gain):.0f}% {'below' if gain > 0 else 'above'} the printed settings in the mean on "
        f"{OWN_CELLS} × {OWN_CELLS} cells.",
    ]


EXPERIMENT = Experiment(
    name="arcs",
    title="Two targets: arcs",
    about=__doc__,
    caption="(a–c) Samples of the true distribution at three x. (d, e) Hellinger distance along x, and by the number of cells. "
    "(f–h) Densities at x = 0.8: the truth and histograms of 10⁵ samples.",
    full={"methods": list(METHODS), "seeds": 3, "fit": {"epochs": 300, "hurry": {}, "points": 21, "draws": 100_000}},
    quick={"methods": list(METHODS), "seeds": 1, "fit": {"epochs": 5, "hurry": HURRY, "points": 3, "draws": 5000}},
    cells=cells, numbers=numbers, draw=draw, claims=claims, section=section,
)

if __name__ == "__main__":
    sys.exit(main([EXPERIMENT], __doc__))
