"""Sample functions: fix the noise, vary x.

Figure 12 of the paper: 600 points, uniform in three unit squares; 50 epochs, N = 20, batches of 80; ten functions
from each of four networks. They cover the data alike and leave it in different ways. The learning rate is not printed, and 50
epochs are only 400 steps, so four rates are compared. Mirrorball's plain default on the same rows stands beside.
"""

from __future__ import annotations

import sys

import numpy as np
from matplotlib.figure import Figure
from mirrorball import MirrorballRegressor, laws

from experiments.crossing import ACTIVATIONS
from experiments.frame import distances, look
from experiments.frame.experiment import Cell, Claim, Experiment, Numbers, Result, Results, Settings
from experiments.frame.runner import main
from experiments.frame.settings import HURRY, as_printed, plain
from experiments.frame.workshop import Workshop, law_data

LAW = "squares"
RANGE = 4.0
FUNCTIONS = 10
SHOWN_Y = (-2.4, 2.0)
USUAL = 0.001  # the learning rate of all other experiments
DIFFERENT = 1.5  # times the smallest spread at the edges of the picture
ENOUGH = 0.8  # share of the functions' values inside the squares that counts as covering the data


def cells(settings: Settings) -> list[Cell]:
    sizes = {key: settings["fit"][key] for key in ("points", "draws")}
    defaults = [Cell(f"default {seed}", fit_default, {"seed": seed, "hurry": settings["hurry"]} | sizes)
                for seed in range(settings["seeds"])]
    return defaults + [
        Cell(f"{rate:g} {activation} {seed}", fit_and_sample,
             {"rate": rate, "activation": activation, "seed": seed} | settings["fit"])
        for rate in settings["rates"]
        for activation in ACTIVATIONS
        for seed in range(settings["seeds"])
    ]


def fit_and_sample(
    workshop: Workshop, rate: float, activation: str, seed: int, epochs: int, points: int, draws: int
) -> Result:
    printed = as_printed(seed, epochs=epochs, batch=80, draws=20, activation=activation, learning_rate=rate)
    model = workshop.model(law_data(LAW, seed), **printed)
    x = np.linspace(-RANGE, RANGE, points)
    edges = model.functions(np.array([[-RANGE], [RANGE]]), draws)[:, :, 0]
    return measured(model, points, draws) | {
        "x": x, "functions": model.functions(x[:, None], FUNCTIONS)[:, :, 0], "sd_outside": edges.std(axis=1)}


def fit_default(workshop: Workshop, seed: int, hurry: Settings, points: int, draws: int) -> Result:
    return measured(workshop.model(law_data(LAW, seed), **plain(seed, **hurry)), points, draws)


def measured(model: MirrorballRegressor, points: int, draws: int) -> Result:
    """Distances at x in the squares, and the share of the samples that lie in them."""
    x = laws.get(LAW).positions(points)
    made = model.sample(x[:, None], draws)
    return {"distances": distances.to_truth(LAW, x, made),
            "inside": np.array((laws.get(LAW).density(x[:, None], made[:, :, 0]) > 0).mean())}


def numbers(settings: Settings, done: Results) -> Numbers:
    def of(name: str) -> Numbers:
        found = [done[f"{name} {seed}"] for seed in range(settings["seeds"])]
        out = {
            "inside": round(float(np.mean([one["inside"] for one in found])), 4),
            "distances": distances.summary([one["distances"] for one in found]),
        }
        if "sd_outside" in found[0]:
            out["sd_at_edges"] = [round(float(value), 3) for value in np.mean([one["sd_outside"] for one in found], axis=0)]
        return out

    rates = {f"{rate:g}": {activation: of(f"{rate:g} {activation}") for activation in ACTIVATIONS} for rate in settings["rates"]}
    return {"seeds": settings["seeds"], "rates": rates, "chosen": chosen(rates), "default": of("default")}


def chosen(rates: dict[str, Numbers]) -> str:
    """The learning rate whose worst network has the largest share inside."""
    return max(rates, key=lambda rate: worst(rates[rate]))


def worst(networks: Numbers) -> float:
    return min(found["inside"] for found in networks.values())


def draw(numbers: Numbers, done: Results) -> Figure:
    figure = look.new_figure(9.2, 5.6)
    panels = figure.subplots(2, len(ACTIVATIONS), sharex=True, sharey=True)
    rows = law_data(LAW, seed=0)
    for line, rate in zip(panels, (usual(numbers), numbers["chosen"])):
        for axes, name in zip(line, ACTIVATIONS):
            found = done[f"{rate} {name} 0"]
            axes.scatter(rows.x[:, 0], rows.y, s=4, linewidths=0, rasterized=True, color=look.GREY, alpha=0.45)
            axes.plot(found["x"], found["functions"], linewidth=1.1, color=look.COLOURS[name], alpha=0.9)
            axes.set(xlim=(-RANGE, RANGE), ylim=SHOWN_Y, xticks=[-3, 0, 3], yticks=[-2, -1, 0, 1, 2])
        line[0].set_ylabel(f"learning rate {rate}\ny")
    for axes in panels[-1]:
        axes.set_xlabel("x")
    look.letter(panels[0], (look.LABELS[name] for name in ACTIVATIONS))
    return figure


def usual(numbers: Numbers) -> str:
    return f"{USUAL:g}" if f"{USUAL:g}" in numbers["rates"] else next(iter(numbers["rates"]))


def claims(numbers: Numbers) -> list[Claim]:
    made = []
    for rate in dict.fromkeys((usual(numbers), numbers["chosen"])):
        networks = numbers["rates"][rate]
        made.append(Claim(
            f"the functions of all four networks cover the data in a similar way (learning rate {rate})",
            f"at least {ENOUGH:.0%} of their values inside the squares, mean of {numbers['seeds']} seeds: "
            + ", ".join(f"{found['inside']:.0%} {look.LABELS[name]}" for name, found in networks.items()),
            worst(networks) >= ENOUGH))
        edges = {name: float(np.mean(found["sd_at_edges"])) for name, found in networks.items()}
        made.append(Claim(
            f"the functions of the four networks leave the data in different ways (learning rate {rate})",
            f"standard deviation of the functions at x = −4 and 4, largest / smallest {DIFFERENT:g} or more, mean of {numbers['seeds']} seeds: "
            + ", ".join(f"{sd:.2f} {look.LABELS[name]}" for name, sd in edges.items()), max(edges.values()) >= DIFFERENT * min(edges.values())))
    return made


def section(numbers: Numbers) -> list[str]:
    lines = ["| learning rate | " + " | ".join(f"{look.LABELS[name]}: inside" for name in ACTIVATIONS) + " | "
             + " | ".join(f"{look.LABELS[name]}: Wasserstein" for name in ACTIVATIONS) + " |",
             "| ---: |" + " ---: |" * 2 * len(ACTIVATIONS)]
    for rate, networks in numbers["rates"].items():
        inside = " | ".join(f"{networks[name]['inside']:.0%}" for name in ACTIVATIONS)
        away = " | ".join(f"{networks[name]['distances']['wasserstein']['mean']:.3f}" for name in ACTIVATIONS)
        lines.append(f"| {rate}{' (chosen)' * (rate == numbers['chosen'])} | {inside} | {away} |")
    if default := numbers.get("default"):
        lines.append(f"| Mirrorball, default options | {default['inside']:.0%} | | | | {default['distances']['wasserstein']['mean']:.3f} | | | |")
    edges = "; ".join(f"{look.LABELS[name]} {found['sd_at_edges'][0]:.2f} and {found['sd_at_edges'][1]:.2f}"
                      for name, found in numbers["rates"][numbers["chosen"]].items())
    low, high = (numbers["rates"][rate] for rate in (usual(numbers), numbers["chosen"]))
    return lines + [
        "",
        "Share of the functions' values at x in a square that lie in it, and Wasserstein distance to the true distribution "
        f"there; mean over {numbers['seeds']} seeds. The picture shows seed 0, cut at y = {SHOWN_Y[0]:g} and {SHOWN_Y[1]:g}. Chosen is the rate whose worst network has the largest share."
        + " The last line is the whole model of the default options, not one network." * ("default" in numbers),
        "",
        "- **Paper:** the functions cover the data in a similar way and differ outside (pictures only). **Ours:** with the "
        f"learning rate of the other experiments, {usual(numbers)}, from {worst(low):.0%} to "
        f"{max(found['inside'] for found in low.values()):.0%} of the values lie inside the squares; with {numbers['chosen']}, "
        f"from {worst(high):.0%} to {max(found['inside'] for found in high.values()):.0%}.",
        f"- Outside, at x = −4 and 4, the functions' standard deviations are, with {numbers['chosen']}: {edges}.",
    ]


EXPERIMENT = Experiment(
    name="functions",
    title="Sample functions in three squares",
    about=__doc__,
    caption="The data (grey), and ten sample functions of each of four networks with two learning rates: one noise value each, "
    "followed along x.",
    full={"rates": [0.001, 0.003, 0.01, 0.03], "seeds": 3, "hurry": {}, "fit": {"epochs": 50, "points": 401, "draws": 2000}},
    quick={"rates": [0.001, 0.01], "seeds": 1, "hurry": HURRY, "fit": {"epochs": 5, "points": 41, "draws": 500}},
    cells=cells, numbers=numbers, draw=draw, claims=claims, section=section,
)

if __name__ == "__main__":
    sys.exit(main([EXPERIMENT], __doc__))
