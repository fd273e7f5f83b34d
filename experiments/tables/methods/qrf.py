"""Quantile regression forest: 1000 trees, as in the paper. All quantiles come from one forest, so the 500 levels
are asked for directly. The size of the leaves is tuned on a smaller forest, a courtesy the paper does not mention."""

from __future__ import annotations

import numpy as np
from quantile_forest import RandomForestQuantileRegressor

from tables import metrics
from tables.quantiles import DRAW_LEVELS, middles
from tables.task import Forecast, Rows, Task

TREES = 1000
TUNING_TREES = 100
LEAVES = (1, 3, 10)
ROWS_AT_ONCE = 100
LARGEST_LEAF = 32


def forecast(task: Task) -> Forecast:
    return Forecast(quantiles(task, DRAW_LEVELS))


def quantiles(task: Task, levels: np.ndarray) -> np.ndarray:
    """The quantiles at these levels of every test row."""
    task.tune(lambda: {"min_samples_leaf": min(LEAVES, key=lambda leaf: validation_crps(task, leaf))})
    with task.timed("fit"):
        forest = grow(task, task.all_rows, TREES, task.chosen["min_samples_leaf"])
    with task.timed("predict"):
        return forest_quantiles(forest, task.test_x, levels)


def forest_quantiles(forest: RandomForestQuantileRegressor, x: np.ndarray, levels: np.ndarray) -> np.ndarray:
    """In pieces: the package holds all training targets of all leaves for the rows it is asked about."""
    pieces = np.array_split(x, -(-len(x) // ROWS_AT_ONCE))
    return np.concatenate([forest.predict(piece, quantiles=list(levels)) for piece in pieces])


def validation_crps(task: Task, leaf: int) -> float:
    forest = grow(task, task.train, TUNING_TREES, leaf)
    return metrics.score(forest_quantiles(forest, task.valid.x, middles(51)), task.valid.y)["crps"]


def grow(task: Task, rows: Rows, trees: int, leaf: int) -> RandomForestQuantileRegressor:
    """Leaves keep all their rows, not one of them at random: up to LARGEST_LEAF, which only rows with equal targets
    exceed. (The package keeps nodes x largest leaf numbers for every tree: without a bound some tables need 24 GB.)"""
    forest = RandomForestQuantileRegressor(
        trees, min_samples_leaf=leaf, max_samples_leaf=LARGEST_LEAF, n_jobs=task.threads, random_state=task.seed
    )
    return forest.fit(rows.x, rows.y)
