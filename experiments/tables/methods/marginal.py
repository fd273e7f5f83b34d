"""The same forecast for every row: the training targets. Whoever does not beat it has learned nothing."""

from __future__ import annotations

import numpy as np

from tables.quantiles import DRAW_LEVELS
from tables.task import Forecast, Task


def forecast(task: Task) -> Forecast:
    with task.timed("fit"):
        draws = np.quantile(task.all_rows.y, DRAW_LEVELS)
    with task.timed("predict"):
        return Forecast(np.tile(draws, (len(task.test_x), 1)))
