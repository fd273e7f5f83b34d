"""The sets: which tables, how many rows of them, and which of these rows test."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tables.quantiles import DRAWS
from tables.splits import Split, split_rows

DEFAULT = "mirrorball"
PACKAGES = (DEFAULT, "lgbm", "catboost", "qrf", "ngboost")
MORE = ("pol", "pumadyn32nm", "keggdirected", "sml", "skillcraft", "tamielectric", "gas", "yacht", "stock", "autompg",
        "forest", "solar", "machine", "mpg", "ames")
FIVE = {"california": 20_000, "superconduct": 20_000, "elevators": 10_000, "ailerons": 10_000, "kin8nm": 5_000}
FOLDS = 6


@dataclass(frozen=True)
class Cell:
    """One fit: a table of a set, how many of its rows (0: all), the number of the split, the method."""

    set: str
    table: str
    subset: int
    k: int
    method: str = DEFAULT


@dataclass(frozen=True)
class Set:
    """(table, subset) pairs and split numbers; `samples` per row as whoever published had them."""

    tables: tuple[tuple[str, int], ...]
    splits: tuple[int, ...]
    samples: int = DRAWS
    methods: tuple[str, ...] = (DEFAULT,)

    def cells(self, name: str, splits: int | list[int] | None = None, tables: list[str] | None = None,
              methods: list[str] | None = None) -> list[Cell]:
        """Split by split, so that the first split of everything is there early; cheap methods first."""
        return [Cell(name, table, subset, k, method)
                for k in self.chosen(splits) for method in methods or self.methods
                for table, subset in self.tables if not tables or table in tables]

    def chosen(self, splits: int | list[int] | None) -> list[int]:
        """The first so many, or these of them; all by default."""
        if isinstance(splits, list):
            return [k for k in self.splits if k in splits]
        return list(self.splits[:splits])


SETS = {
    "B": Set(tuple((name, 0) for name in ("diabetes", "yacht", "concrete", "power_plant", "kin8nm", "california")),
             tuple(range(1, FOLDS)), samples=200),
    "A": Set(tuple(FIVE.items()), (0, 1, 2, 3)),
    "S": Set(tuple((name, rows) for rows in (500, 1000) for name in FIVE), (0, 1, 2, 3)),
    "D": Set((("california", 0),), (0,)),
    "more": Set(tuple((name, 0) for name in MORE), (0, 1, 2), methods=PACKAGES),
}


def split(cell: Cell, rows: int) -> Split:
    """Row numbers of a cell's parts, in the order in which the published comparison takes them."""
    if cell.set == "more":
        return split_rows(rows, cell.k)
    if cell.set == "B":
        order = np.random.default_rng(0).permutation(rows)
        fold = np.empty(rows, int)
        fold[np.random.default_rng(0).permutation(rows)] = np.arange(rows) % FOLDS
        return parts(order[fold != cell.k], order[fold == cell.k])
    from sklearn.model_selection import train_test_split  # only where it splits: it takes a second to import

    if cell.set == "D":
        return parts(*train_test_split(np.arange(rows), test_size=0.1, random_state=0))
    if rows < cell.subset:
        raise ValueError(f"{cell.table} has {rows} rows, but set {cell.set} takes {cell.subset} of them: is this the whole table?")
    some = np.random.RandomState(42).permutation(rows)[:cell.subset]
    return parts(*train_test_split(some, test_size=0.25, random_state=cell.k))


def parts(train: np.ndarray, test: np.ndarray) -> Split:
    """The last tenth of the rows to learn from is for methods that tune; Mirrorball gets them with the others, in order."""
    tuning = max(1, len(train) // 10)
    return Split(train[:-tuning], train[-tuning:], test)
