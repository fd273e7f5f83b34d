"""LightGBM, quantile forest and Gaussian process of `tables`, as laws of y at some x that can be compared with a truth.

Quantile methods give 51 quantiles. As in the paper these become a density, which is smoothed by a Gaussian filter.
The distances want draws, so the smoothed law is then given by as many evenly spread draws as the networks give.
"""

from __future__ import annotations

from collections.abc import Iterable
from importlib import import_module

import numpy as np
from scipy.ndimage import gaussian_filter1d
from scipy.stats import norm

from experiments.frame.distances import NAMES, summary, to_truth
from experiments.frame.experiment import Numbers, Results, Settings
from experiments.frame.workshop import Data, Workshop
from tables.quantiles import LEVELS_51, middles
from tables.task import Rows, Task

FILTER = 0.05  # the paper does not say how wide its filter was; this is one cell of the distances
WIDTHS = (0.02, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4)  # what others would have given
GRID = 2000  # cells of the density
KERNEL_ROWS = 1000  # of the Gaussian process: three numbers are learned from them, then all rows count


def forecast(workshop: Workshop, method: str, rows: Data, x: np.ndarray, draws: int) -> tuple[np.ndarray, np.ndarray]:
    """Draws at each x: as they are compared, and as they were before the filter."""
    task = task_of(rows, x, workshop.threads)
    if method == "gp":
        mean, sd = import_module("tables.methods.gp").normals(task, KERNEL_ROWS)
        made = norm.ppf(middles(draws), mean[:, None], sd[:, None])
        return made, made
    quantiles = np.sort(quantiles_of(method, task), axis=1)
    return smoothed(quantiles, FILTER, draws), quantiles


def filtered(law: str, x: np.ndarray, raw: np.ndarray, count: int) -> np.ndarray:
    """Mean distances with every filter of WIDTHS, widths by 4: what a filter does for anybody's draws or quantiles."""
    return np.stack([to_truth(law, x, smoothed(raw, width, count)).mean(axis=0) for width in WIDTHS])


def task_of(rows: Data, x: np.ndarray, threads: int) -> Task:
    """A tenth of the rows is for tuning; the last fit is on all."""
    order = np.random.RandomState(0).permutation(len(rows.y))
    valid, train = np.split(order, [len(order) // 10])
    parts = (Rows(rows.x[some], rows.y[some]) for some in (train, valid))
    return Task(rows.name, *parts, test_x=x[:, None], seed=0, threads=threads, folder=None, program=None)


def quantiles_of(method: str, task: Task) -> np.ndarray:
    module = import_module(f"tables.methods.{method}")
    return module.quantiles(task) if method == "lgbm" else module.quantiles(task, LEVELS_51)


def smoothed(raw: np.ndarray, width: float, count: int) -> np.ndarray:
    """Rows of quantiles or draws to rows of draws: a density on a grid, and a filter of standard deviation `width`.

    Between two quantiles the density is even; what lies beyond the outer ones sits there before it is smoothed.
    """
    levels = np.concatenate([[0], middles(raw.shape[1]), [1]])
    made = []
    for row in np.sort(raw, axis=1):
        edges = np.linspace(row[0] - 5 * width, row[-1] + 5 * width, GRID + 1)
        knots = np.concatenate([[row[0]], row, [row[-1]]]) + 1e-9 * np.arange(len(levels))  # ties get an order
        mass = np.diff(np.interp(edges, knots, levels))
        smooth = gaussian_filter1d(mass, width / (edges[1] - edges[0]), mode="constant", truncate=5)
        made.append(np.interp(middles(count), np.concatenate([[0], np.cumsum(smooth) / smooth.sum()]), edges))
    return np.array(made)


def numbers(settings: Settings, done: Results) -> Numbers:
    """Distances of every method over the seeds, as they are and by width of the filter."""
    def over_seeds(method: str, key: str) -> Iterable[np.ndarray]:
        return (done[f"{method} {seed}"][key] for seed in range(settings["seeds"]))

    methods = settings["methods"]
    return {"distances": {method: summary(over_seeds(method, "distances")) for method in methods},
            "by_width": {method: by_width(over_seeds(method, "filtered")) for method in methods},
            "seeds": settings["seeds"]}


def by_width(seeds: Iterable[np.ndarray]) -> Numbers:
    """Mean distances by width of the filter, one list per distance."""
    means = np.mean(list(seeds), axis=0)
    return {name: [round(float(value), 4) for value in means[:, i]] for i, name in enumerate(NAMES)}


def first_at(found: dict[str, Numbers], method: str, width: float) -> list[str]:
    """The distances by which a method is the nearest when the samples of all methods go through one filter."""
    at = WIDTHS.index(width)
    return [name for name in NAMES if min(found, key=lambda one: found[one][name][at]) == method]


def filter_table(found: dict[str, Numbers], labels: dict[str, str]) -> list[str]:
    """What the choice of the filter means: the same one for the samples of all methods, from narrow to wide."""
    lines = ["Hellinger distance with the same filter on the samples of all methods, by its width (the paper does not say which "
             "it took):", "",
             f"| | {' | '.join(f'{width:g}' for width in WIDTHS)} |", f"| --- |{' ---: |' * len(WIDTHS)}"]
    nearest = np.min([one["hellinger"] for one in found.values()], axis=0)
    for method, one in found.items():
        cells = (f"**{value:.3f}**" if value == least else f"{value:.3f}"
                 for value, least in zip(one["hellinger"], nearest))
        lines.append(f"| {labels[method]} | {' | '.join(cells)} |")
    return lines
