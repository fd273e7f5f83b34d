"""One peak: y = exp(sin πx) + N(0, 0.4²), 200 points, and the rivals beside.

Figures 1 and 3 of the paper: Tanh, 300 epochs, N = 50, batches of 20, all initial weights from N(0, 0.1²);
distances at 200 equidistant x from 3000 samples each. Expected: the Gaussian process first, for the true distribution is Gaussian,
DN+ second.
"""

from __future__ import annotations

import sys

import numpy as np
from matplotlib.figure import Figure
from mirrorball import laws

from experiments.frame import distances, look, rivals
from experiments.frame.experiment import Cell, Claim, Experiment, Numbers, Result, Results, Settings, by_seed
from experiments.frame.runner import main
from experiments.frame.settings import HURRY, as_printed, plain
from experiments.frame.workshop import Workshop, law_data

LAW = "unimodal"
METHODS = ("paper", "default", "lgbm", "qrf", "gp")
Y_EDGES = np.linspace(-1.2, 4.2, 181)


def cells(settings: Settings) -> list[Cell]:
    return by_seed(measure, "method", settings["methods"], settings)


def measure(
    workshop: Workshop, method: str, seed: int, epochs: int, hurry: Settings, points: int, draws: int
) -> Result:
    """Distances at equidistant x; of a network also Q, the share of its draws below y, for the picture."""
    rows, x = law_data(LAW, seed), laws.get(LAW).positions(points)
    if method not in ("paper", "default"):
        made, raw = rivals.forecast(workshop, method, rows, x, draws)
        return {"distances": distances.to_truth(LAW, x, made), "filtered": rivals.filtered(LAW, x, raw, draws)}
    printed = as_printed(seed, epochs=epochs, batch=20, draws=50, activation="tanh", init_sd=0.1)
    model = workshop.model(rows, **(printed if method == "paper" else plain(seed, **hurry)))
    made = model.sample(x[:, None], draws)[:, :, 0]
    below = np.stack([np.searchsorted(np.sort(row), Y_EDGES) / draws for row in made], axis=1)
    return {"distances": distances.to_truth(LAW, x, made), "filtered": rivals.filtered(LAW, x, made, draws),
            "below": below.astype(np.float32)}


def draw(numbers: Numbers, done: Results) -> Figure:
    figure = look.new_figure(9.2, 7.0)
    top, bottom = figure.subfigures(2, 1)
    rows = law_data(LAW, seed=0)
    data, fitted = top.subplots(1, 2, sharex=True, sharey=True)
    data.scatter(rows.x[:, 0], rows.y, s=9, linewidths=0, color=look.GREY)
    low, high = laws.get(LAW).domain
    image = fitted.imshow(
        0.5 - np.abs(done["paper 0"]["below"] - 0.5), extent=(low, high, Y_EDGES[0], Y_EDGES[-1]), origin="lower",
        aspect="auto", cmap=look.DENSITY, vmin=0, vmax=0.5, rasterized=True,
    )
    x = np.linspace(low, high, 200)
    fitted.plot(x, np.exp(np.sin(np.pi * x)), color=look.ON_DENSITY, linestyle="--", linewidth=1.2, label="true median")
    fitted.legend(labelcolor=look.ON_DENSITY, loc="upper left")
    top.colorbar(image, ax=fitted, label="0.5 − |Q − 0.5|")
    for axes in (data, fitted):
        axes.set(xlabel="x", ylabel="y", xlim=(low, high), ylim=(Y_EDGES[0], Y_EDGES[-1]), xticks=[-1, -0.5, 0, 0.5, 1])
    bars = bottom.subplots()
    look.distance_bars(bars, numbers["distances"])
    look.shared_legend(bottom, bars, 3)
    look.letter((data, fitted, bars),
                ("data, 200 points", "DN+: quantiles Q", "distance to the true distribution"))
    return figure


def claims(numbers: Numbers) -> list[Claim]:
    found = numbers["distances"]
    trees = [rival for rival in ("lgbm", "qrf") if rival in found]
    contest = {method: found[method] for method in ("paper", *trees)}
    ahead = [name for name in distances.NAMES if distances.ranking(contest, name)[0] == "paper"]
    seeds = distances.mean_of(numbers["seeds"])
    gp_first = [name for name in distances.NAMES if distances.ranking(found, name)[0] == "gp"]
    return [
        Claim("DN+ is ahead of LightGBM and the forest in all four distances",
              f"lower in all four, {seeds}: in {len(ahead)} of 4; " + "Hellinger " + ", ".join(
                  f"{one['hellinger']['mean']:.3f} {look.LABELS[method]}" for method, one in contest.items()),
              len(ahead) == 4),
        Claim("the Gaussian process is first, because the true distribution is Gaussian",
              f"lowest in all four, {seeds}, Mirrorball's default included: in {len(gp_first)} of 4", len(gp_first) == 4),
    ]


def section(numbers: Numbers) -> list[str]:
    found = numbers["distances"]
    lines = [
        *distances.table(found, look.LABELS, numbers["seeds"]),
        "",
        f"Mean over 200 x and {numbers['seeds']} data sets of 200 points each (in brackets: the range over the data "
        "sets; with so few points the data sets differ much by chance). LightGBM and the forest: 51 quantiles, smoothed by "
        f"a Gaussian filter of width {rivals.FILTER:g}.",
        "",
        *rivals.filter_table(numbers["by_width"], look.LABELS),
        "",
        "- **Paper** (a bar chart): the Gaussian process first, because the true distribution is Gaussian; DN+ ahead of LightGBM "
        "and the forest in all four distances.",
    ]
    for method in ("paper", "default"):
        ahead = {rival: [name for name in distances.NAMES if found[method][name]["mean"] < found[rival][name]["mean"]]
                 for rival in ("lgbm", "qrf", "gp") if rival in found}
        told = "; ".join(f"of {look.LABELS[rival]} in {ahead_in(names)}" for rival, names in ahead.items())
        lines.append(f"- **{look.LABELS[method]}**: ahead {told}.")
    better = [name for name in distances.NAMES if found["default"][name]["mean"] < found["paper"][name]["mean"]]
    lines.append(f"- **The default options against DN+** with the printed settings: ahead in {ahead_in(better)}.")
    return lines


def ahead_in(names: list[str]) -> str:
    if len(names) == len(distances.NAMES):
        return "all four"
    return ", ".join(distances.LABELS[name] for name in names) or "none"


EXPERIMENT = Experiment(
    name="unimodal",
    title="One peak",
    about=__doc__,
    caption="(a) The data. (b) The forecast of DN+; the brightest line is its median. (c) Distances to the true "
    "distribution; lines are ± one standard deviation over x.",
    full={"methods": list(METHODS), "seeds": 5, "fit": {"epochs": 300, "hurry": {}, "points": 200, "draws": 3000}},
    quick={"methods": list(METHODS), "seeds": 1,
           "fit": {"epochs": 150, "hurry": HURRY, "points": 20, "draws": 1000}},
    cells=cells, numbers=rivals.numbers, draw=draw, claims=claims, section=section,
)

if __name__ == "__main__":
    sys.exit(main([EXPERIMENT], __doc__))
