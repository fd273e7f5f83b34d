"""The crossing curves against LightGBM, quantile forest and Gaussian process.

Figures 9 and 10 of the paper: DN+ with ReLU; LightGBM and the forest by 51 quantiles, from which a density is made
and smoothed; densities at x = −1 and 0, and the four distances. DN+ is lowest in all four, the Gaussian process
worst. DN+ with Tanh and Mirrorball's default are shown too.
"""

from __future__ import annotations

import sys

import numpy as np
from matplotlib.figure import Figure
from mirrorball import laws

from experiments.crossing import LAW, options
from experiments.frame import distances, look, rivals
from experiments.frame.experiment import Cell, Claim, Experiment, Numbers, Result, Results, Settings, by_seed
from experiments.frame.runner import main
from experiments.frame.settings import HURRY, plain
from experiments.frame.workshop import Workshop, law_data

METHODS = ("paper", "dn_tanh", "default", "lgbm", "qrf", "gp")
SHOWN_X = (-1.0, 0.0)
EDGES = np.linspace(-1.8, 1.8, 73)


def cells(settings: Settings) -> list[Cell]:
    return by_seed(measure, "method", settings["methods"], settings)


def measure(
    workshop: Workshop, method: str, seed: int, rows: int, epochs: int, hurry: Settings, points: int, draws: int
) -> Result:
    """Distances at equidistant x, and histograms at the x that are shown."""
    data = law_data(LAW, seed, rows)
    x = np.concatenate([laws.get(LAW).positions(points), SHOWN_X])
    if method in ("paper", "dn_tanh", "default"):
        activation = "tanh" if method == "dn_tanh" else "relu"
        fit = plain(seed, **hurry) if method == "default" else options(activation, seed, epochs)
        made = raw = workshop.model(data, **fit).sample(x[:, None], draws)[:, :, 0]
    else:
        made, raw = rivals.forecast(workshop, method, data, x, draws)
    return {
        "distances": distances.to_truth(LAW, x[:points], made[:points]),
        "filtered": rivals.filtered(LAW, x[:points], raw[:points], draws),
        "histograms": look.histogram_image(made[points:], EDGES).T,
    }


def numbers(settings: Settings, done: Results) -> Numbers:
    """With what the picture has of each method, of the first data set."""
    shown = {method: np.round(done[f"{method} 0"]["histograms"], 5).tolist() for method in settings["methods"]}
    return rivals.numbers(settings, done) | {"histograms": shown}


def draw(numbers: Numbers, done: Results) -> Figure:
    methods = list(numbers["distances"])
    figure = look.new_figure(9.2, 7.6)
    top, bottom = figure.subfigures(2, 1, height_ratios=(1.15, 1))
    panels = top.subplots(len(SHOWN_X), len(methods), sharex=True, sharey=True)
    y = np.linspace(EDGES[0], EDGES[-1], 400)
    middles = (EDGES[1:] + EDGES[:-1]) / 2
    highest = max(np.max(numbers["histograms"][method]) for method in methods) / (EDGES[1] - EDGES[0])
    for column, method in zip(panels.T, methods):
        for axes, x, share in zip(column, SHOWN_X, numbers["histograms"][method]):
            axes.plot(y, laws.get(LAW).density(x, y), **look.TRUTH, label="true density")
            axes.fill_between(middles, np.array(share) / np.diff(EDGES), color=look.COLOURS[method], alpha=0.6, linewidth=0)
            axes.set_ylim(0, 1.05 * highest)
        column[0].set_title(look.LABELS[method].replace(" ", "\n"), fontsize=11)
        column[-1].set_xlabel("y")
    for axes, x in zip(panels[:, 0], SHOWN_X):
        axes.set_ylabel(f"{look.at(x)}\ndensity")
    top.legend(*panels[0, 0].get_legend_handles_labels(), loc="outside upper right")
    bars = bottom.subplots()
    look.distance_bars(bars, numbers["distances"], look.LABELS)
    look.shared_legend(bottom, bars, 3)
    top.suptitle("(a) predicted (filled) and true density", x=0.01, ha="left")
    bars.set_title("(b) distance to the true distribution", loc="left")
    return figure


def as_in_paper(methods: dict[str, Numbers]) -> dict[str, Numbers]:
    """The methods that the paper compares: DN+ with ReLU, and the rivals."""
    return {method: made for method, made in methods.items() if method not in ("dn_tanh", "default")}


def claims(numbers: Numbers) -> list[Claim]:
    found = as_in_paper(numbers["distances"])
    orders = {name: distances.ranking(found, name) for name in distances.NAMES}
    first = [name for name, order in orders.items() if order[0] == "paper"]
    last = [name for name, order in orders.items() if order[-1] == "gp"]
    told = ", ".join(f"{found[name]['hellinger']['mean']:.3f} {look.LABELS[name]}" for name in orders["hellinger"])
    alike = rivals.first_at(as_in_paper(numbers["by_width"]), "paper", rivals.FILTER)
    with_default = {method: made for method, made in numbers["distances"].items() if method not in ("paper", "dn_tanh")}
    default = [name for name in distances.NAMES if distances.ranking(with_default, name)[0] == "default"]
    seeds = distances.mean_of(numbers["seeds"])
    return [
        Claim("DN+ has the lowest of all four distances",
              f"lowest in all four, {seeds}: in {len(first)} of 4, and in {len(alike)} of 4 when its samples are smoothed like those of the others; Hellinger "
              f"{told}", len(first) == 4),
        Claim("not in the paper: Mirrorball's default options are lower in all four than the other methods",
              f"lowest in all four, {seeds}: in {len(default)} of 4; Hellinger {with_default['default']['hellinger']['mean']:.3f}",
              len(default) == 4),
        Claim("the Gaussian process is worst", f"highest in all four, {seeds}: in {len(last)} of 4", len(last) == 4),
    ]


def section(numbers: Numbers) -> list[str]:
    found = numbers["distances"]
    printed = as_in_paper(found)
    orders = {name: distances.ranking(printed, name) for name in distances.NAMES}
    lines = [
        *distances.table(found, look.LABELS, numbers["seeds"]),
        "",
        f"Mean over 100 x and {distances.data_sets(numbers['seeds'])}. LightGBM and the forest: 51 "
        f"quantiles, smoothed by a Gaussian filter of width {rivals.FILTER:g}.",
        "",
        *rivals.filter_table(numbers["by_width"], look.LABELS),
        "",
        "- **Paper:** DN+ lowest in all four distances, Gaussian process worst. **Ours,** from near to far:",
        *(f"  - {distances.LABELS[name]}: {', '.join(look.LABELS[method] for method in order)}"
          for name, order in orders.items()),
    ]
    first = [name for name, order in orders.items() if order[0] == "paper"]
    last = [name for name, order in orders.items() if order[-1] == "gp"]
    lines.append(f"- DN+ is first in {len(first)} of 4, the Gaussian process last in {len(last)} of 4.")
    if len(first) < len(orders):
        lines.append(
            "- **Why not in all four:** the filter smooths the densities of the other methods and not those of DN+. With the same filter "
            "for all methods, the order depends on its width (table above).")
    for name in distances.NAMES:
        rival = next(method for method in orders[name] if method != "paper")
        ratio = found[rival][name]["mean"] / found["paper"][name]["mean"]
        lines.append(f"- {distances.LABELS[name]}: the best other method, {look.LABELS[rival]}, is {ratio:.2f} times as far "
                     "from the truth as DN+; the default "
                     f"{found['default'][name]['mean'] / found['paper'][name]['mean']:.2f}"
                     " times.")
    return lines


EXPERIMENT = Experiment(
    name="baselines",
    title="The crossing curves against LightGBM, forest and Gaussian process",
    about=__doc__,
    caption="(a) Predicted and true densities at two x. (b) Distances to the true distribution; lines are ± one standard "
    "deviation over x.",
    full={"methods": list(METHODS), "seeds": 3,
          "fit": {"rows": 3000, "epochs": 300, "hurry": {}, "points": 100, "draws": 10_000}},
    quick={"methods": ["paper", "default", "gp"], "seeds": 1,
           "fit": {"rows": 600, "epochs": 60, "hurry": HURRY, "points": 20, "draws": 1000}},
    cells=cells, numbers=numbers, draw=draw, claims=claims, section=section,
    drawn_from_numbers=True, complete=lambda numbers: set(numbers["distances"]) == set(numbers.get("histograms", {})),
)

if __name__ == "__main__":
    sys.exit(main([EXPERIMENT], __doc__))
