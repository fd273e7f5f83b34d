"""LightGBM: 51 models of 300 trees, one per quantile; learning rate and smallest leaf tuned, as in the paper."""

from __future__ import annotations

from itertools import product

import lightgbm
import numpy as np

from tables.quantiles import LEVELS_51, draws_from_quantiles, pinball
from tables.task import Forecast, Rows, Task

TREES = 300
TUNING_LEVELS = (0.1, 0.5, 0.9)
LEARNING_RATES = (0.03, 0.06, 0.12, 0.24, 0.48)
# The quantile loss has curvature 1 in every row: this is a number of rows. Below 20, min_child_samples rules.
CHILD_WEIGHTS = (1e-3, 40, 100)


def forecast(task: Task) -> Forecast:
    return Forecast(draws_from_quantiles(quantiles(task), LEVELS_51))


def quantiles(task: Task) -> np.ndarray:
    """The quantiles at LEVELS_51 of every test row."""
    task.tune(lambda: tune(task))
    with task.timed("fit"):
        data = dataset(task, task.all_rows)
        models = [train(task, data, level, task.chosen) for level in LEVELS_51]
    with task.timed("predict"):
        return np.stack([model.predict(task.test_x, num_threads=task.threads) for model in models], axis=1)


def tune(task: Task) -> dict[str, float]:
    """The pair with the smallest validation loss over three quantiles."""
    data = dataset(task, task.train)

    def loss(settings: dict[str, float]) -> float:
        fitted = ((level, train(task, data, level, settings)) for level in TUNING_LEVELS)
        return sum(pinball(task.valid.y, model.predict(task.valid.x), level) for level, model in fitted)

    grid = product(LEARNING_RATES, CHILD_WEIGHTS)
    return min(({"learning_rate": rate, "min_child_weight": weight} for rate, weight in grid), key=loss)


def dataset(task: Task, rows: Rows) -> lightgbm.Dataset:
    """Binned once, shared by all quantiles."""
    return lightgbm.Dataset(
        rows.x, rows.y, categorical_feature=list(task.categorical), free_raw_data=False, params={"verbosity": -1}
    )


def train(task: Task, data: lightgbm.Dataset, level: float, settings: dict[str, float]) -> lightgbm.Booster:
    run = {"objective": "quantile", "alpha": level, "num_threads": task.threads, "seed": task.seed, "verbosity": -1}
    return lightgbm.train(run | settings, data, num_boost_round=TREES)
