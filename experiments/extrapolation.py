"""Outside the data: what the four networks of the crossing curves say for x in [−5, 5].

Figure 7 of the paper: density plots with dashed lines at ±π/2, where the data end. "Only the network with GCU" is
said to spread out where there is no data.
"""

from __future__ import annotations

import sys

import numpy as np
from matplotlib.figure import Figure

from experiments.crossing import ACTIVATIONS, LAW, options
from experiments.frame import look
from experiments.frame.experiment import Cell, Claim, Experiment, Numbers, Result, Results, Settings, by_seed
from experiments.frame.runner import main
from experiments.frame.workshop import Workshop, law_data

RANGE = 5.0
EDGE = np.pi / 2  # of the data
Y_RANGE = 6.0  # of the picture
CELL = 0.05
FAR = 2.5  # from here on, x counts as far outside


def cells(settings: Settings) -> list[Cell]:
    return by_seed(look_outside, "activation", ACTIVATIONS, settings)


def look_outside(workshop: Workshop, activation: str, seed: int, epochs: int, points: int, draws: int) -> Result:
    model = workshop.model(law_data(LAW, seed), **options(activation, seed, epochs))
    x = np.linspace(-RANGE, RANGE, points)
    made = model.sample(x[:, None], draws)[:, :, 0]
    edges = np.arange(-Y_RANGE, Y_RANGE + CELL / 2, CELL)
    return {"x": x, "image": look.histogram_image(made, edges).astype(np.float32),
            "width": np.array([effective_width(row) for row in made]),
            "beyond": (np.abs(made) > Y_RANGE).mean(axis=1)}


def effective_width(draws: np.ndarray) -> float:
    """The length of y that carries the distribution: exp(entropy). A uniform law has its own length, a normal one 4.13 sd.

    Unlike a standard deviation it does not grow when thin branches run apart. Draws are counted in cells of 0.05.
    """
    _, counts = np.unique(np.floor(draws / CELL), return_counts=True)
    share = counts / counts.sum()
    return float(CELL * np.exp(-(share * np.log(share)).sum()))


def numbers(settings: Settings, done: Results) -> Numbers:
    seeds = range(settings["seeds"])
    out: Numbers = {"seeds": settings["seeds"], "far": FAR, "width": {}}
    for activation in ACTIVATIONS:
        found = [done[f"{activation} {seed}"] for seed in seeds]
        inside, near, far = (np.array([one["width"][zone(np.abs(one["x"]))].mean() for one in found])
                             for zone in (within, just_outside, far_outside))
        out["width"][activation] = {
            "inside": mean(inside), "near": mean(near), "far": mean(far),
            "near_ratio": mean(near / inside), "far_ratio": mean(far / inside),
            "near_seeds": [round(float(one), 3) for one in near / inside],
            "far_seeds": [round(float(one), 3) for one in far / inside],
        }
    out["beyond"] = {activation: round(max(float(done[f"{activation} {seed}"]["beyond"].max()) for seed in seeds), 3)
                     for activation in ACTIVATIONS}
    return out


def mean(values: np.ndarray) -> float:
    return round(float(values.mean()), 4)


def within(distance: np.ndarray) -> np.ndarray:
    return distance <= EDGE


def just_outside(distance: np.ndarray) -> np.ndarray:
    return (distance > EDGE) & (distance < FAR)


def far_outside(distance: np.ndarray) -> np.ndarray:
    return distance >= FAR


def draw(numbers: Numbers, done: Results) -> Figure:
    figure = look.new_figure(9.2, 6.6)
    panels = figure.subplots(2, 2, sharex=True, sharey=True)
    top = max(np.sqrt(done[f"{activation} 0"]["image"].max()) for activation in ACTIVATIONS)
    for axes, activation in zip(panels.flat, ACTIVATIONS):
        image = look.density_image(axes, done[f"{activation} 0"]["image"] / CELL, (-RANGE, RANGE), (-Y_RANGE, Y_RANGE))
        image.set_clim(0, 0.6 * top / np.sqrt(CELL))
        for edge in (-EDGE, EDGE):
            axes.axvline(edge, color=look.ON_DENSITY, linestyle="--", linewidth=1)
    for axes in panels[-1]:
        axes.set_xlabel("x (data: between dashes)")
    for axes in panels[:, 0]:
        axes.set_ylabel("y")
    figure.colorbar(image, ax=panels, label="square root of the density", extend="max")
    look.letter(panels.flat, (look.LABELS[activation] for activation in ACTIVATIONS))
    return figure


WIDE = 1.5  # a distribution so many times as wide outside as inside counts as spread out


def claims(numbers: Numbers) -> list[Claim]:
    return [claim(numbers, "near", f"GCU alone spreads out just outside the data (|x| < {FAR:g})"),
            claim(numbers, "far", f"GCU alone spreads out far outside the data (|x| ≥ {FAR:g})")]


def claim(numbers: Numbers, zone: str, paper: str) -> Claim:
    told = ", ".join(f"{width[f'{zone}_ratio']:.2f} {look.LABELS[name]}" for name, width in numbers["width"].items())
    seeds = "one seed" if numbers["seeds"] == 1 else f"mean of {numbers['seeds']} seeds"
    return Claim(paper, f"effective width outside / inside, spread out above {WIDE:g}, {seeds}: {told}",
                 spread_out(numbers, zone) == ["gcu"])


def spread_out(numbers: Numbers, zone: str) -> list[str]:
    return [name for name, width in numbers["width"].items() if width[f"{zone}_ratio"] > WIDE]


def by_seed_text(width: Numbers, zone: str) -> str:
    """The ratio, and that of each seed; results of an earlier version have one seed."""
    seeds = width.get(f"{zone}_seeds", [])
    return f"{width[f'{zone}_ratio']:.2f}" + (f" ({', '.join(f'{one:.2f}' for one in seeds)})" if len(seeds) > 1 else "")


def data_sets_of(numbers: Numbers) -> str:
    seeds = numbers["seeds"]
    return "one data set" if seeds == 1 else f"mean over {seeds} data sets, in brackets each of them"


def cut_of(numbers: Numbers) -> str:
    """Where the picture ends; results of an earlier version do not say what lies beyond."""
    if "beyond" not in numbers:
        return "cut at |y| = 4"
    most = max(numbers["beyond"].values())
    return f"cut at |y| = {Y_RANGE:g}, " + (f"beyond which at some x {most:.0%} of the samples lie" if most > 0 else
                                            "beyond which no sample lies")


def section(numbers: Numbers) -> list[str]:
    lines = ["| | inside the data | just outside | ratio | far outside | ratio |",
             "| --- | ---: | ---: | ---: | ---: | ---: |"]
    for activation, width in numbers["width"].items():
        lines.append(f"| {look.LABELS[activation]} | {width['inside']:.2f} | {width['near']:.2f} | "
                     f"{by_seed_text(width, 'near')} | {width['far']:.2f} | {by_seed_text(width, 'far')} |")
    near, far = (" and ".join(look.LABELS[name] for name in spread_out(numbers, zone)) or "none of the four"
                 for zone in ("near", "far"))
    return lines + [
        "",
        "Effective width: exp(entropy), the length of y that carries the distribution, mean over |x| ≤ π/2, over π/2 < |x| < "
        f"{numbers['far']:g} and over |x| ≥ {numbers['far']:g}; {data_sets_of(numbers)}. "
        "The samples of three thin branches that run apart are not wide in this sense. The picture shows the first data "
        f"set, {cut_of(numbers)}.",
        "",
        f"- **Paper:** only GCU has a broad distribution outside of the data (pictures). **Ours:** a distribution more than {WIDE:g} "
        f"times as wide as inside has {near} just outside, {far} far outside.",
        "- What the picture shows: GCU forgets the branches at the edge of the data and becomes a cloud; Tanh holds "
        "them level; ReLU and SELU continue each noise value along its own ray, and the rays fan out with the "
        "distance. The paper does not call such a fan broad; the effective width counts it as broad.",
        "- These are single networks that take x without limits. Mirrorball's default transform "
        "clips inputs at the edge of the data, so its forecast stays there what it was at the edge.",
    ]


EXPERIMENT = Experiment(
    name="extrapolation",
    title="Outside the data",
    about=__doc__,
    caption="Predictive distributions of four networks that saw data between the dashed lines only.",
    full={"seeds": 3, "fit": {"epochs": 300, "points": 201, "draws": 2000}},
    quick={"seeds": 1, "fit": {"epochs": 3, "points": 41, "draws": 500}},
    cells=cells, numbers=numbers, draw=draw, claims=claims, section=section,
)

if __name__ == "__main__":
    sys.exit(main([EXPERIMENT], __doc__))
