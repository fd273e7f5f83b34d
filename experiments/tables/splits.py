"""The fixed splits. They depend on the number of rows and on nothing else, so every method sees the same rows."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Split:
    """Row numbers of the three parts of a table."""

    train: np.ndarray
    valid: np.ndarray
    test: np.ndarray


def split_rows(rows: int, number: int) -> Split:
    """Split `number` of a table: a tenth of the rows tests, a tenth of the rest validates."""
    if rows < 20:
        raise ValueError(f"{rows} rows are too few to split: at least 20 are needed")
    order = np.random.RandomState(100 + number).permutation(rows)
    test = rows // 10
    valid = (rows - test) // 10
    return Split(train=order[test + valid :], valid=order[test : test + valid], test=order[:test])
