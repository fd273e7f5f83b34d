"""What the records say together: means over splits, ranks over tables, ratios between methods.

Two methods are only ever compared on splits that both have run: a slow one may have run a single split.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from tables import data, synthetic
from tables.methods import HARDER, METHODS, RIVALS
from tables.results import Record

STAGES = ("tune", "fit", "predict")


class Summary:
    """Cells by (table, method, split); tables and methods in the order of their lists."""

    def __init__(self, records: Iterable[Record]) -> None:
        self.cells = {(record["table"], record["method"], record["split"]): record for record in records}
        tables, methods = {key[0] for key in self.cells}, {key[1] for key in self.cells}
        known = [*data.TABLES, *synthetic.LAWS]
        self.tables = [name for name in known if name in tables] + sorted(tables - set(known))
        self.methods = [name for name in METHODS if name in methods and name not in HARDER]
        self.harder = [name for name in HARDER if name in methods]

    def splits(self, table: str, method: str) -> set[int]:
        """The splits with scores."""
        return {
            split
            for (its_table, its_method, split), record in self.cells.items()
            if (its_table, its_method) == (table, method) and record["status"] == "ok"
        }

    def failed(self, table: str, method: str) -> bool:
        """Whether the method was tried on the table and never gave scores."""
        tried = any(key[:2] == (table, method) for key in self.cells)
        return tried and not self.splits(table, method)

    def value(self, table: str, method: str, metric: str, splits: Iterable[int] | None = None) -> float | None:
        """The mean of a score or of the memory over splits; None where there is none. The median of a stage's time, as
        other work on the machine stretches some; but tuning was done once, for all splits."""
        chosen = self.splits(table, method) if splits is None else splits
        values = [measured(self.cells[table, method, split], metric) for split in chosen]
        if not values or None in values:
            return None
        over_splits = np.max if metric == "tune" else np.median if metric in STAGES else np.mean
        return float(over_splits(values))

    def common(self, table: str, methods: Iterable[str]) -> set[int]:
        """The splits of a table with scores of all these methods."""
        splits = [self.splits(table, method) for method in methods]
        return set.intersection(*splits) if splits else set()

    def behind(self, table: str, method: str, metric: str) -> dict[str, float] | None:
        """By how much rivals are ahead of a method, each on the splits that both have; None if none was run."""
        others = [other for other in self.methods if other in RIVALS and other != method and self.has(other, metric)]
        pairs = {other: self.common(table, (method, other)) for other in others}
        gaps = {other: self.value(table, method, metric, splits) - self.value(table, other, metric, splits)
                for other, splits in pairs.items() if splits}
        return {other: gap for other, gap in gaps.items() if gap > 0} if gaps else None

    def has(self, method: str, metric: str) -> bool:
        """Whether a method gives this score at all: a network without noise has no CRPS."""
        return any(self.value(table, method, metric) is not None for table in self.tables)

    def contest(self, table: str, metric: str) -> dict[str, float] | None:
        """The score of every rival on the splits that all have; one that failed has an infinite score.

        None while a method has not been run on the table: no rank can be given yet.
        """
        methods = [method for method in self.methods if method in RIVALS and self.has(method, metric)]
        alive = [method for method in methods if not self.failed(table, method)]
        common = self.common(table, alive)
        if not common:
            return None
        values = {method: self.value(table, method, metric, common) for method in alive}
        return {method: values.get(method, float("inf")) for method in methods}

    def average_ranks(self, metric: str) -> tuple[dict[str, float], int]:
        """Average rank of each method, 1 is best, and over how many tables."""
        contests = [contest for table in self.tables if (contest := self.contest(table, metric))]
        if not contests:
            return {}, 0
        ranks = np.mean([rank(list(contest.values())) for contest in contests], axis=0)
        return dict(zip(contests[0], map(float, ranks))), len(contests)

    def against(self, method: str, base: str, metric: str) -> list[tuple[float, float]]:
        """Pairs (method, base) of one metric, one per table that both have a split of."""
        pairs = []
        for table in self.tables:
            if common := self.splits(table, method) & self.splits(table, base):
                pair = self.value(table, method, metric, common), self.value(table, base, metric, common)
                if None not in pair:
                    pairs.append(pair)
        return pairs

    def ratio(self, method: str, base: str, metric: str) -> float | None:
        """Geometric mean over the tables of method / base."""
        pairs = self.against(method, base, metric)
        return float(np.exp(np.mean([np.log(a / b) for a, b in pairs]))) if pairs else None

    def difference(self, method: str, base: str, metric: str) -> float | None:
        """Mean over the tables of method - base: for scores that may be negative."""
        pairs = self.against(method, base, metric)
        return float(np.mean([a - b for a, b in pairs])) if pairs else None


def measured(record: Record, metric: str) -> float | None:
    """One number of one record. Times are processor seconds, which a busy machine stretches less than wall time."""
    if metric in STAGES:
        return record["cpu_seconds"].get(metric, 0.0)
    return record["peak_mb"] if metric == "peak_mb" else record["scores"][metric]


def rank(values: list[float]) -> np.ndarray:
    """1 for the smallest; equal values share the mean of their places."""
    array = np.array(values)
    below = (array[None, :] < array[:, None]).sum(axis=1)
    equal = (array[None, :] == array[:, None]).sum(axis=1)
    return 1 + below + (equal - 1) / 2
