"""The tables made harder for Mirrorball: numbers cut into categories, cells removed, rows that a weight must silence.

Each takes the task, spoils its rows and runs the plain `fit`. Compared with the untouched table they show whether
accuracy falls smoothly, and that nothing breaks.
"""

from __future__ import annotations

import dataclasses

import numpy as np

from tables.methods import mirrorball
from tables.task import Forecast, Rows, Task

FALSE_SHARE = 0.3


def gaps(task: Task, share: float) -> Forecast:
    """A share of all cells, in training and test rows alike, is empty."""
    random = np.random.RandomState(task.seed)

    def holed(x: np.ndarray) -> np.ndarray:
        return np.where(random.uniform(size=x.shape) < share, np.nan, x)

    return mirrorball.run(changed(task, holed))


def categories(task: Task, levels: int) -> Forecast:
    """Every second column becomes text: the name of the training quantile bin that its number falls into."""
    edges = np.quantile(task.train.x, np.linspace(0, 1, levels + 1)[1:-1], axis=0)

    def cut(x: np.ndarray) -> np.ndarray:
        cells = x.astype(object)
        for column in range(0, x.shape[1], 2):
            bins = np.searchsorted(edges[:, column], x[:, column], side="right")
            cells[:, column] = [f"level {bin}" for bin in bins]
        return cells

    return mirrorball.run(changed(task, cut))


def false_rows(task: Task, weight: float) -> Forecast:
    """Three tenths of the rows to learn from trade targets among themselves; the weight says how far to trust them."""
    random = np.random.RandomState(task.seed)
    rows = task.all_rows
    false = random.uniform(size=len(rows.y)) < FALSE_SHARE
    y = rows.y.copy()
    y[false] = random.permutation(y[false])
    return mirrorball.run(task, rows=Rows(rows.x, y), weights=np.where(false, weight, 1.0))


def changed(task: Task, change) -> Task:
    """The task with other features; clock and folder are the same."""
    def rows(of: Rows) -> Rows:
        return Rows(change(of.x), of.y)

    return dataclasses.replace(task, train=rows(task.train), valid=rows(task.valid), test_x=change(task.test_x))
