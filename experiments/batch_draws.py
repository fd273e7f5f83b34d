"""Batch size against number of draws, on the crossing curves.

Figure 8 of the paper: ReLU, as many epochs as twice the batch size, so that all fits make the same number of steps
(6000); Hellinger and Wasserstein distance to the true law. The paper does not print which sizes it took.
"""

from __future__ import annotations

import sys

import numpy as np
from matplotlib.figure import Figure
from mirrorball import laws

from experiments.frame import distances, look
from experiments.frame.experiment import Cell, Claim, Experiment, Numbers, Result, Results, Settings
from experiments.frame.runner import main
from experiments.frame.settings import as_printed
from experiments.frame.workshop import Workshop, law_data

LAW = "crossing"


def cells(settings: Settings) -> list[Cell]:
    return [
        Cell(f"batch {batch} draws {draws}", fit_and_measure, {"batch": batch, "draws": draws} | settings["fit"])
        for batch in settings["batches"]
        for draws in settings["draws"]
    ]


def fit_and_measure(
    workshop: Workshop, batch: int, draws: int, epochs_per_batch: float, points: int, samples: int
) -> Result:
    epochs = max(1, round(epochs_per_batch * batch))
    fitted = workshop.model(law_data(LAW, seed=0), **as_printed(0, epochs=epochs, batch=batch, draws=draws))
    x = laws.get(LAW).positions(points)
    return {"distances": distances.to_truth(LAW, x, fitted.sample(x[:, None], samples))}


def numbers(settings: Settings, done: Results) -> Numbers:
    def grid(name: str) -> list[list[float]]:
        column = distances.NAMES.index(name)
        return [
            [round(float(done[f"batch {batch} draws {draws}"]["distances"][:, column].mean()), 5)
             for draws in settings["draws"]]
            for batch in settings["batches"]
        ]

    return {"batches": settings["batches"], "draws": settings["draws"]} | {name: grid(name) for name in distances.NAMES}


def draw(numbers: Numbers, done: Results) -> Figure:
    figure = look.new_figure(8.6, 3.5)
    panels = figure.subplots(1, 2)
    for axes, name in zip(panels, ("hellinger", "wasserstein")):
        grid = np.array(numbers[name])
        image = axes.imshow(grid, cmap="viridis", origin="lower", aspect="auto")
        middle = (grid.min() + grid.max()) / 2
        for (row, column), value in np.ndenumerate(grid):
            ink = "white" if value < middle else "black"
            axes.text(column, row, f"{value:.3f}", ha="center", va="center", color=ink)
        axes.set_xticks(range(len(numbers["draws"])), numbers["draws"])
        axes.set_yticks(range(len(numbers["batches"])), numbers["batches"])
        axes.set(xlabel="draws per row, N", ylabel="rows per batch")
        axes.spines[:].set_visible(False)
        axes.tick_params(length=0)
        figure.colorbar(image, ax=axes, label=f"{distances.LABELS[name]} distance")
    look.letter(panels, ("Hellinger (lower is better)", "Wasserstein (lower is better)"))
    return figure


def claims(numbers: Numbers) -> list[Claim]:
    made = []
    for name in ("hellinger", "wasserstein"):
        grid = np.array(numbers[name])
        down = steps_down(grid, 0) + steps_down(grid, 1)
        count = grid[1:].size + grid[:, 1:].size
        made.append(Claim(f"larger batches and more draws give a lower {distances.LABELS[name]} distance",
                          f"{grid[0, 0]:.3f} smallest, {grid[-1, -1]:.3f} largest; {down} of {count} steps go down",
                          bool(grid[-1, -1] < grid[0, 0] and down > 0.6 * count)))
    return made


def section(numbers: Numbers) -> list[str]:
    batches, draws = numbers["batches"], numbers["draws"]
    lines = [
        f"Cells: batches of {', '.join(map(str, batches))} rows, {', '.join(map(str, draws))} draws; one data set, "
        "one seed. Every fit makes 6000 steps.",
        "",
    ]
    for name in ("hellinger", "wasserstein"):
        grid = np.array(numbers[name])
        lines.append(
            f"- **{distances.LABELS[name]}:** {grid[0, 0]:.3f} with the smallest of both, {grid[-1, -1]:.3f} with "
            f"the largest of both. More draws help in {steps_down(grid, 1)} of {grid[:, 1:].size} steps along a row "
            f"of the grid, larger batches in {steps_down(grid, 0)} of {grid[1:].size} steps along a column."
        )
    lines += ["- **Paper:** larger batches and more draws generally give lower distances (two pictures, no numbers)."]
    return lines


def steps_down(grid: np.ndarray, axis: int) -> int:
    return int((np.diff(grid, axis=axis) < 0).sum())


EXPERIMENT = Experiment(
    name="batch_draws",
    title="Batch size and number of draws",
    about=__doc__,
    caption="Distances to the true law for nine pairs of batch size and number of draws.",
    full={"batches": [10, 30, 90], "draws": [3, 10, 30],
          "fit": {"epochs_per_batch": 2, "points": 100, "samples": 10_000}},
    quick={"batches": [50, 100], "draws": [5, 20], "fit": {"epochs_per_batch": 0.04, "points": 10, "samples": 1000}},
    cells=cells, numbers=numbers, draw=draw, claims=claims, section=section,
)

if __name__ == "__main__":
    sys.exit(main([EXPERIMENT], __doc__))
