"""Columns of X by their position, and copies of a row in which one of them varies; of arrays and frames of all kinds."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import frames


def column_of(X: Any, place: int) -> Any:
    """A column, with its name where it has one."""
    if frames.is_pandas(X):
        return X.iloc[:, place]
    if hasattr(X, "get_column"):  # polars
        return X.get_column(X.columns[place])
    if frames.is_arrow(X):
        return X.column(place).to_numpy(zero_copy_only=False)
    return np.asarray(frames.mixed(X))[:, place]


def varied(X: Any, row: int, place: int, values: list[Any]) -> Any:
    """As many copies of a row as there are values, which replace those of one column."""
    rows = [row] * len(values)
    if frames.is_pandas(X):
        copies = X.iloc[rows].reset_index(drop=True)
        copies.isetitem(place, values)
        return copies
    if hasattr(X, "get_column"):
        copies = X[rows]
        name = X.columns[place]
        return copies.with_columns(type(X.get_column(name))(name, values))
    if frames.is_arrow(X):
        return X.take(rows).set_column(place, X.column_names[place], [values])
    array = np.asarray(frames.mixed(X))[rows]
    if array.dtype.kind not in ("f", "O"):
        array = array.astype(float if array.dtype.kind in "biu" else object)
    array[:, place] = values
    return array
