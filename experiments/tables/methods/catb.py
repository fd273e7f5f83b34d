"""CatBoost's MultiQuantile: one model of 51 quantiles. The validation rows choose the number of trees, then all
rows are fitted."""

from __future__ import annotations

from catboost import CatBoostRegressor

from tables.quantiles import LEVELS_51, draws_from_quantiles
from tables.task import Forecast, Task

MOST_TREES = 1000
PATIENCE = 50
LEARNING_RATE = 0.1


def forecast(task: Task) -> Forecast:
    task.tune(lambda: {"trees": best_trees(task)})
    with task.timed("fit"):
        fitted = model(task, task.chosen["trees"]).fit(task.all_rows.x, task.all_rows.y)
    with task.timed("predict"):
        return Forecast(draws_from_quantiles(fitted.predict(task.test_x), LEVELS_51))


def best_trees(task: Task) -> int:
    """Where the validation loss is smallest."""
    search = model(task, MOST_TREES, early_stopping_rounds=PATIENCE)
    search.fit(task.train.x, task.train.y, eval_set=(task.valid.x, task.valid.y))
    return search.get_best_iteration() + 1


def model(task: Task, trees: int, **options: int) -> CatBoostRegressor:
    levels = ",".join(f"{level:.6f}" for level in LEVELS_51)
    return CatBoostRegressor(
        loss_function=f"MultiQuantile:alpha={levels}",
        iterations=trees,
        learning_rate=LEARNING_RATE,
        thread_count=task.threads,
        random_seed=task.seed,
        cat_features=list(task.categorical) or None,
        allow_writing_files=False,
        logging_level="Silent",
        **options,
    )
