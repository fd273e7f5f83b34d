"""Quantile regression forest: 1000 trees, as in the paper. All quantiles come from one forest, so the 500 levels
are asked for directly. The size of the leaves is tuned on a smaller forest, a courtesy the paper does not mention."""

from __future__ import annotations

from quantile_forest import RandomForestQuantileRegressor

from tables import metrics
from tables.quantiles import DRAW_LEVELS, middles
from tables.task import Forecast, Rows, Task

TREES = 1000
TUNING_TREES = 100
LEAVES = (1, 3, 10)


def forecast(task: Task) -> Forecast:
    with task.timed("tune"):
        task.chosen = {"min_samples_leaf": min(LEAVES, key=lambda leaf: validation_crps(task, leaf))}
    with task.timed("fit"):
        forest = grow(task, task.all_rows, TREES, task.chosen["min_samples_leaf"])
    with task.timed("predict"):
        return Forecast(forest.predict(task.test_x, quantiles=list(DRAW_LEVELS)))


def validation_crps(task: Task, leaf: int) -> float:
    forest = grow(task, task.train, TUNING_TREES, leaf)
    return metrics.score(forest.predict(task.valid.x, quantiles=list(middles(51))), task.valid.y)["crps"]


def grow(task: Task, rows: Rows, trees: int, leaf: int) -> RandomForestQuantileRegressor:
    """Leaves keep all their rows (max_samples_leaf=None), not one of them at random."""
    forest = RandomForestQuantileRegressor(
        trees, min_samples_leaf=leaf, max_samples_leaf=None, n_jobs=task.threads, random_state=task.seed
    )
    return forest.fit(rows.x, rows.y)
