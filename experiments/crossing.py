"""Three crossing curves, four activations: how near the fitted law is to the true one.

Figures 4 to 6 of the paper: y = x, cos x or −cos x, 1000 points each, noise N(0, 0.15²), x in [−π/2, π/2]; 300
epochs, N = 50, batches of 150; distances at 100 equidistant x from 10⁴ samples each. DISCO Nets, which "only yielded
seriously corrupted estimates", and Mirrorball's plain default are shown too.
"""

from __future__ import annotations

import sys

import numpy as np
from matplotlib.figure import Figure
from mirrorball import laws

from experiments.frame import distances, look
from experiments.frame.experiment import Cell, Claim, Experiment, Numbers, Result, Results, Settings, by_seed
from experiments.frame.runner import main
from experiments.frame.settings import as_printed, plain
from experiments.frame.workshop import Workshop, law_data

LAW = "crossing"
ACTIVATIONS = ("relu", "selu", "tanh", "gcu")
SHOWN = "tanh"  # the activation of the paper's histograms
SHOWN_X = (-1.4, -1.0, -0.5, 0.0, 0.7, 1.4)
EDGES = np.linspace(-1.8, 1.8, 73)
LABELS = look.LABELS | {name: f"DN+, {look.LABELS[name]}" for name in ACTIVATIONS}


def options(method: str, seed: int, epochs: int) -> Settings:
    """The fit of a method: an activation of DN+, DISCO Nets, or Mirrorball as it comes."""
    if method == "default":
        return plain(seed)
    activation = SHOWN if method == "disco" else method
    network = {"architecture": "disco"} if method == "disco" else {}
    return as_printed(seed, epochs=epochs, batch=150, draws=50, activation=activation) | network


def cells(settings: Settings) -> list[Cell]:
    return by_seed(fit_and_measure, "method", settings["methods"], settings)


def fit_and_measure(workshop: Workshop, method: str, seed: int, epochs: int, points: int, draws: int) -> Result:
    """Distances at equidistant x, and histograms at the x that are shown."""
    model = workshop.model(law_data(LAW, seed), **options(method, seed, epochs))
    x = laws.get(LAW).positions(points)
    shown = model.sample(np.array(SHOWN_X)[:, None], draws)[:, :, 0]
    return {
        "distances": distances.to_truth(LAW, x, model.sample(x[:, None], draws)),
        "histograms": look.histogram_image(shown, EDGES).T,
    }


def numbers(settings: Settings, done: Results) -> Numbers:
    seeds = range(settings["seeds"])
    found = {
        method: distances.summary(done[f"{method} {seed}"]["distances"] for seed in seeds)
        for method in settings["methods"]
    }
    shown = {SHOWN: np.round(done[f"{SHOWN} 0"]["histograms"], 5).tolist()} if SHOWN in found else {}
    return {"distances": found, "histograms": shown, "seeds": settings["seeds"]}


def draw(numbers: Numbers, done: Results) -> Figure:
    figure = look.new_figure(9.2, 7.4)
    top, bottom = figure.subfigures(2, 1, height_ratios=(1.05, 1))
    scatter, bars = top.subplots(1, 2, width_ratios=(1, 1.9))
    rows = law_data(LAW, seed=0)
    scatter.scatter(rows.x[:, 0], rows.y, s=2, linewidths=0, color=look.GREY, alpha=0.7, rasterized=True)
    scatter.set(xlabel="x", ylabel="y")
    look.distance_bars(bars, numbers["distances"], LABELS)
    look.shared_legend(top, bars, 3)
    look.letter((scatter, bars), ("data", "distance to the true distribution"))
    histograms(bottom, np.array(numbers["histograms"][SHOWN]))
    return figure


def histograms(figure: Figure, shares: np.ndarray) -> None:
    """What the network draws at six x, with the true density over it."""
    panels = figure.subplots(2, 3, sharex=True, sharey=True)
    y = np.linspace(EDGES[0], EDGES[-1], 400)
    truth = [laws.get(LAW).density(x, y) for x in SHOWN_X]
    highest = max(np.max(truth), shares.max() / (EDGES[1] - EDGES[0]))
    for axes, x, share, density in zip(panels.flat, SHOWN_X, shares, truth):
        axes.stairs(share / np.diff(EDGES), EDGES, fill=True, color=look.COLOURS[SHOWN], alpha=0.55,
                    label="samples of DN+ (Tanh)")
        axes.plot(y, density, **look.TRUTH, label="true density")
        axes.text(0.03, 0.84, look.at(x), transform=axes.transAxes)
        axes.set_ylim(0, 1.1 * highest)
    figure.supxlabel("y")
    figure.supylabel("density")
    handles, labels = panels.flat[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside upper right", ncols=2)
    figure.suptitle("(c) predicted and true density at six x", x=0.01, ha="left")


ALIKE = 1.25  # distances that differ by less count as alike


def claims(numbers: Numbers) -> list[Claim]:
    found = numbers["distances"]
    ours = {name: found[name] for name in ACTIVATIONS if name in found}
    seeds = distances.mean_of(numbers["seeds"])
    spread = {name: max(one[name]["mean"] for one in ours.values()) / min(one[name]["mean"] for one in ours.values())
              for name in distances.NAMES}
    nearest = {name: distances.ranking(ours, name)[0] for name in distances.NAMES}
    ahead = [name for name in distances.NAMES if nearest[name] == SHOWN]
    made = [
        Claim("the four activations are alike inside the data",
              f"largest / smallest below {ALIKE:g} in all four distances, {seeds}: {listed(spread)}", max(spread.values()) < ALIKE),
        Claim("Tanh is slightly ahead of the other three activations",
              f"lowest in all four, {seeds}: in {len(ahead)} of 4; nearest are "
              + ", ".join(f"{look.LABELS[nearest[name]]} ({distances.LABELS[name]})" for name in distances.NAMES), len(ahead) == 4),
    ]
    if "disco" in found:
        worse = {name: found["disco"][name]["mean"] / found[SHOWN][name]["mean"] for name in distances.NAMES}
        made.append(Claim("DISCO Nets give seriously corrupted estimates",
                          f"more than {ALIKE:g} times as far as DN+ with Tanh in all four distances, {seeds}: {listed(worse)}",
                          min(worse.values()) > ALIKE))
    return made


def listed(ratios: dict[str, float]) -> str:
    return ", ".join(f"{distances.LABELS[name]} {ratio:.2f}" for name, ratio in ratios.items())


def section(numbers: Numbers) -> list[str]:
    found = numbers["distances"]
    printed = [name for name in ACTIVATIONS if name in found]
    spread = {name: [found[one][name]["mean"] for one in printed] for name in distances.NAMES}
    nearest = {name: distances.ranking({one: found[one] for one in printed}, name)[0] for name in distances.NAMES}
    lines = [
        *distances.table(found, LABELS, numbers["seeds"]),
        "",
        f"Mean over 100 x and {distances.data_sets(numbers['seeds'])}. DISCO Nets with scalar noise and Tanh.",
        "",
        "- **Paper:** four activations are alike, Tanh perhaps slightly ahead (a bar chart, no numbers printed). "
        "**Ours:** "
        + "; ".join(f"{distances.LABELS[name]} from {min(spread[name]):.3f} to {max(spread[name]):.3f} "
                    f"({look.LABELS[nearest[name]]} nearest)" for name in distances.NAMES)
        + ".",
    ]
    if "disco" in found:
        ratio = {name: found["disco"][name]["mean"] / found["tanh"][name]["mean"] for name in distances.NAMES}
        lines.append("- **DISCO Nets** against DN+ with the same activation and number of epochs: "
                     + ", ".join(f"{ratio[name]:.2f} times the {distances.LABELS[name]} distance"
                                 for name in distances.NAMES)
                     + ". The first two count the shape of the peaks, the others how far mass would have to move.")
    if "default" in found:
        ratio = found["default"]["hellinger"]["mean"] / min(spread["hellinger"])
        lines.append(f"- **Mirrorball's default** has {ratio:.2f} times the Hellinger distance of the nearest.")
    return lines


EXPERIMENT = Experiment(
    name="crossing",
    title="Three crossing curves, four activations",
    about=__doc__,
    caption="(a) The data. (b) Distances to the true distribution; lines are ± one standard deviation over x. (c) Samples of "
    "the network with Tanh at six x, and the true density.",
    full={"methods": [*ACTIVATIONS, "disco", "default"], "seeds": 3,
          "fit": {"epochs": 300, "points": 100, "draws": 10_000}},
    quick={"methods": ["tanh"], "seeds": 1, "fit": {"epochs": 20, "points": 20, "draws": 1000}},
    cells=cells, numbers=numbers, draw=draw, claims=claims, section=section,
    drawn_from_numbers=True, complete=lambda numbers: SHOWN in numbers.get("histograms", {}),
)

if __name__ == "__main__":
    sys.exit(main([EXPERIMENT], __doc__))
