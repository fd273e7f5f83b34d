"""Batch size against N, the draws per row, on the crossing curves.

Figure 8 of the paper: ReLU, as many epochs as twice the batch size, so that all fits make the same number of steps
(6000); Hellinger and Wasserstein distance to the true distribution. The paper does not print which sizes it took.
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
MOST = 0.6  # of all steps to a larger batch or N must go down for "generally lower"


def cells(settings: Settings) -> list[Cell]:
    return [
        Cell(f"batch {batch} draws {draws} {seed}", fit_and_measure,
             {"batch": batch, "draws": draws, "seed": seed} | settings["fit"])
        for seed in range(settings["seeds"])
        for batch in settings["batches"]
        for draws in settings["draws"]
    ]


def fit_and_measure(
    workshop: Workshop, batch: int, draws: int, seed: int, epochs_per_batch: float, points: int, samples: int
) -> Result:
    epochs = max(1, round(epochs_per_batch * batch))
    printed = as_printed(seed, epochs=epochs, batch=batch, draws=draws, activation="relu")
    fitted = workshop.model(law_data(LAW, seed), **printed)
    x = laws.get(LAW).positions(points)
    return {"distances": distances.to_truth(LAW, x, fitted.sample(x[:, None], samples))}


def numbers(settings: Settings, done: Results) -> Numbers:
    def mean(batch: int, draws: int, column: int) -> float:
        found = [done[f"batch {batch} draws {draws} {seed}"]["distances"] for seed in range(settings["seeds"])]
        return round(float(np.mean(found, axis=(0, 1))[column]), 5)

    grids = {name: [[mean(batch, draws, column) for draws in settings["draws"]] for batch in settings["batches"]]
             for column, name in enumerate(distances.NAMES)}
    return {"batches": settings["batches"], "draws": settings["draws"], "seeds": settings["seeds"]} | grids


def seeds_of(numbers: Numbers) -> str:
    """Results of an earlier version have one seed, and do not say so."""
    seeds = numbers.get("seeds", 1)
    return "one seed" if seeds == 1 else f"mean of {seeds} seeds"


def draw(numbers: Numbers, done: Results) -> Figure:
    figure = look.new_figure(9.2, 4.4)
    panels = figure.subplots(1, 2)
    for axes, name in zip(panels, ("hellinger", "wasserstein")):
        grid = np.array(numbers[name])
        image = axes.imshow(grid, cmap="viridis", origin="lower", aspect="auto")
        middle = (grid.min() + grid.max()) / 2
        for (row, column), value in np.ndenumerate(grid):
            axes.text(column, row, f"{value:.3f}", ha="center", va="center", color=look.ON_DENSITY if value < middle else "#010101")
        axes.set_xticks(range(len(numbers["draws"])), numbers["draws"])
        axes.set_yticks(range(len(numbers["batches"])), numbers["batches"])
        axes.set(xlabel="draws per row, N", ylabel="rows per batch")
        axes.spines[:].set_visible(False)
        axes.tick_params(length=0)
        figure.colorbar(image, ax=axes, label="distance (lower is better)")
    look.letter(panels, ("Hellinger", "Wasserstein"))
    return figure


def claims(numbers: Numbers) -> list[Claim]:
    """Of N and of the batch size apart: together the one would hide the other."""
    made = []
    for axis, what in ((1, "a larger N gives"), (0, "larger batches give")):
        for name in ("hellinger", "wasserstein"):
            grid = np.array(numbers[name])
            down, count = steps_down(grid, axis), np.diff(grid, axis=axis).size
            made.append(Claim(f"{what} a lower {distances.LABELS[name]} distance",
                              f"more than {MOST:.0%} of the steps of the grid in that direction go down, {seeds_of(numbers)}: {down} of {count}",
                              down > MOST * count))
    return made


def section(numbers: Numbers) -> list[str]:
    lines = []
    for name in ("hellinger", "wasserstein"):
        lines += [f"{distances.LABELS[name]} distance, batches down and N across:", "",
                  f"| | {' | '.join(map(str, numbers['draws']))} |", f"| --- |{' ---: |' * len(numbers['draws'])}",
                  *(f"| {batch} | {' | '.join(f'{value:.3f}' for value in row)} |"
                    for batch, row in zip(numbers["batches"], numbers[name])), ""]
    lines += [f"{seeds_of(numbers).capitalize()}; every fit makes 6000 steps."
              + " The largest sizes are those of the paper's other experiments on this data."
              * ((numbers["batches"][-1], numbers["draws"][-1]) == (150, 50)), ""]
    for name in ("hellinger", "wasserstein"):
        grid = np.array(numbers[name])
        lines.append(
            f"- **{distances.LABELS[name]}:** {grid[0, 0]:.3f} with the smallest of both, {grid[-1, -1]:.3f} with "
            f"the largest of both. A larger N helps in {steps_down(grid, 1)} of {grid[:, 1:].size} steps along a row "
            f"of the grid, larger batches in {steps_down(grid, 0)} of {grid[1:].size} steps along a column."
        )
    return [*lines, "- **Paper:** larger batches and a larger N generally give lower distances (two pictures, no numbers)."]


def steps_down(grid: np.ndarray, axis: int) -> int:
    return int((np.diff(grid, axis=axis) < 0).sum())


EXPERIMENT = Experiment(
    name="batch_draws",
    title="Batch size and N",
    about=__doc__,
    caption="Distances to the true distribution for pairs of batch size and N.",
    full={"batches": [10, 25, 60, 150], "draws": [3, 8, 20, 50], "seeds": 3,
          "fit": {"epochs_per_batch": 2, "points": 100, "samples": 10_000}},
    quick={"batches": [50, 100], "draws": [5, 20], "seeds": 1,
           "fit": {"epochs_per_batch": 0.04, "points": 10, "samples": 1000}},
    cells=cells, numbers=numbers, draw=draw, claims=claims, section=section,
    drawn_from_numbers=True,
)

if __name__ == "__main__":
    sys.exit(main([EXPERIMENT], __doc__))
