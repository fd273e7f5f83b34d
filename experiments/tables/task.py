"""What a method is given and what it gives back. The targets of the test rows are not among it."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from tables.quantiles import DRAWS


@dataclass(frozen=True)
class Rows:
    """Some rows of a table."""

    x: np.ndarray
    y: np.ndarray


@dataclass
class Task:
    """One (table, split): rows to learn from, rows to predict, and the means to do it."""

    table: str
    train: Rows
    valid: Rows
    test_x: np.ndarray
    seed: int
    threads: int
    folder: Path  # for files of the method's own; removed afterwards
    program: Path  # the mirrorball program
    seconds: dict[str, float] = field(default_factory=dict)
    cpu_seconds: dict[str, float] = field(default_factory=dict)
    chosen: dict[str, Any] = field(default_factory=dict)  # what tuning chose, maybe on an earlier split
    categorical: tuple[int, ...] = ()  # columns that hold categories and no numbers, for the packages that take them
    samples: int = DRAWS  # per row, of a method that samples

    @property
    def all_rows(self) -> Rows:
        """Training and validation rows together: for the last fit, once everything is chosen."""
        return Rows(np.concatenate([self.train.x, self.valid.x]), np.concatenate([self.train.y, self.valid.y]))

    def tune(self, choose: Callable[[], dict[str, Any]]) -> None:
        """Tunes once per table: a later split takes over what the first one chose."""
        if not self.chosen:
            with self.timed("tune"):
                self.chosen = choose()

    @contextmanager
    def timed(self, stage: str) -> Iterator[None]:
        """Counts wall and processor seconds towards a stage: tune, fit or predict."""
        wall, cpu = time.perf_counter(), cpu_now()
        yield
        self.seconds[stage] = self.seconds.get(stage, 0) + time.perf_counter() - wall
        self.cpu_seconds[stage] = self.cpu_seconds.get(stage, 0) + cpu_now() - cpu


def cpu_now() -> float:
    """Processor seconds of this process and of its children that have ended."""
    return sum(os.times()[:4])


@dataclass(frozen=True)
class Forecast:
    """Draws, rows x samples, for the test rows. A method without a distribution gives one column.

    `nll` is -log p(y) in closed form, for a method that knows its density.
    """

    draws: np.ndarray
    nll: Callable[[np.ndarray], np.ndarray] | None = None
