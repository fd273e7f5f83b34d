"""The tables as they are, text and missing values included, and the features in the form each package recommends."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from tables import data
from tables.methods import METHODS

MISSING = ("", "NA", "NaN", "nan")
TARGETS = {"mpg": "mpg"}  # where it is not the last column
FOLDERS = (".", "more")
#: The file of yacht has the logarithm of the resistance less this, as five digits; the resistance has two decimals, the largest is 62.42.
LOG_RESISTANCE = 1.0844857


class MissingTable(Exception):
    """A table is not in the folder; the text says where it was looked for."""


@dataclass(frozen=True)
class Table:
    """cells: rows x features as they stand in the file; y: the target."""

    name: str
    cells: np.ndarray
    y: np.ndarray


@dataclass(frozen=True)
class Features:
    """x: rows x features; `categorical`: the columns that are categories and no numbers."""

    x: np.ndarray
    categorical: tuple[int, ...] = ()


def load(name: str, folder: Path) -> Table:
    """NAME.csv.gz or NAME.csv of the folder or of its folder more; diabetes is scikit-learn's own."""
    if name == "diabetes":
        return diabetes()
    path = find(name, folder)
    if path is None:
        raise MissingTable(f"there is no {name}.csv.gz or {name}.csv in {folder} or {folder / 'more'}: name another folder with --data")
    with data.opened(path) as file:
        head, *rows = csv.reader(file)
    names = [word.strip().lstrip("\ufeff") for word in head]
    cells = np.array(rows, dtype=object)
    target = names.index(TARGETS[name]) if name in TARGETS else len(names) - 1
    return Table(name, np.delete(cells, target, axis=1), cells[:, target].astype(float))


def find(name: str, folder: Path) -> Path | None:
    return next((path for place in FOLDERS if (path := data.find(name, folder / place))), None)


def as_published(table: Table) -> Table:
    """The target in the units of the published figures of set B."""
    if table.name != "yacht":
        return table
    return Table(table.name, table.cells, np.round(np.exp(table.y + LOG_RESISTANCE), 2))


def diabetes() -> Table:
    from sklearn.datasets import load_diabetes

    bunch = load_diabetes()
    return Table("diabetes", bunch.data.astype(str).astype(object), bunch.target.astype(float))


def features(table: Table, method: str, train: np.ndarray) -> Features:
    """Mirrorball reads the cells as they are. LightGBM and CatBoost get text as categories and numbers with gaps; the others
    one column per category of the training rows, and the median of the training rows in gaps."""
    if METHODS[method].needs_program:
        return Features(table.cells)
    columns = [numbers(column) for column in table.cells.T]
    text = tuple(place for place, column in enumerate(columns) if column is None)
    if METHODS[method].module == "catb":
        x = table.cells.copy()
        for place, column in enumerate(columns):
            x[:, place] = table.cells[:, place] if column is None else column
        return Features(x if text else x.astype(float), text)
    if METHODS[method].module == "lgbm":
        coded = [codes(table.cells[:, place], train) if column is None else column for place, column in enumerate(columns)]
        return Features(np.stack(coded, axis=1), text)
    filled = [one_hot(table.cells[:, place], train) if column is None else gapless(column, train)[:, None]
              for place, column in enumerate(columns)]
    return Features(np.concatenate(filled, axis=1))


def numbers(column: Sequence[str]) -> np.ndarray | None:
    """A column as numbers, NaN where it is missing; None where it is text."""
    try:
        return np.array([np.nan if cell in MISSING else float(cell) for cell in column])
    except ValueError:
        return None


def codes(column: np.ndarray, train: np.ndarray) -> np.ndarray:
    """The number of each category among those of the training rows, NaN for others."""
    known = {word: float(code) for code, word in enumerate(sorted(set(column[train])))}
    return np.array([known.get(word, np.nan) for word in column])


def one_hot(column: np.ndarray, train: np.ndarray) -> np.ndarray:
    """A column of zeros and ones for each category of the training rows."""
    return (column[:, None] == np.array(sorted(set(column[train])), dtype=object)).astype(float)


def gapless(column: np.ndarray, train: np.ndarray) -> np.ndarray:
    """The median of the training rows where a number is missing; 0 where all are."""
    known = column[train][~np.isnan(column[train])]
    return np.where(np.isnan(column), np.median(known) if len(known) else 0.0, column)
