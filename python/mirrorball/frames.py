"""Arrays and frames of all kinds become the library's tables.

numpy arrays, pandas frames, and whatever speaks the Arrow PyCapsule interface (polars, pyarrow, DuckDB, …). Neither
pandas nor pyarrow is imported. Columns of float32 and float64 are read where they lie. Booleans are 0 and 1; instants
and dates are seconds since 1970, durations and times of day seconds. Text that is an ISO date in every row is a date, as
in a CSV file; other text is a category.
"""

from __future__ import annotations

import datetime
import decimal
import numbers
from collections.abc import Collection, Sequence
from typing import Any

import numpy as np

from . import _core

_TICKS = {"W": 1 / 604800, "D": 1 / 86400, "h": 1 / 3600, "m": 1 / 60, "s": 1.0, "ms": 1e3, "us": 1e6, "ns": 1e9}


def is_pandas(X: Any) -> bool:
    return hasattr(X, "iloc") and hasattr(X, "dtypes") and hasattr(X, "columns")


def is_arrow(X: Any) -> bool:
    """Whether X speaks the Arrow PyCapsule interface. A pandas frame does, but needs pyarrow for it."""
    return not hasattr(X, "iloc") and (hasattr(X, "__arrow_c_stream__") or hasattr(X, "__arrow_c_array__"))


def arrow_table(X: Any, categories: Collection[str] = ()) -> _core.Table:
    """The table of an Arrow producer, under its own names."""
    if hasattr(X, "__arrow_c_stream__"):
        return _core.Table.from_arrow_stream(X.__arrow_c_stream__(), list(categories))
    schema, array = X.__arrow_c_array__()
    return _core.Table.from_arrow_array(schema, array, list(categories))


def arrow_names(X: Any) -> list[str]:
    """The names of an Arrow producer's columns, if available without reading it."""
    names: Any = getattr(X, "column_names", None) or getattr(X, "columns", ())
    return list(names)


def mixed(X: Any) -> Any:
    """X, or, where it is a list of numbers and texts, an array of objects: numpy would make them all texts."""
    if isinstance(X, (list, tuple)) and np.asarray(X).dtype.kind in "US":
        return np.asarray(X, dtype=object)
    return X


def table_of(X: Any, names: Sequence[str], categories: Collection[str] = ()) -> _core.Table:
    """The table of an array or a pandas frame, its columns called `names`.

    >>> table = table_of(np.array([[1.5, 1], [2.5, 3]]), ["a", "b"], categories=["b"])
    >>> table.numbers("a").tolist(), table.categories("b")
    ([1.5, 2.5], ['1', '3'])
    """
    table = _core.Table()
    for i, name in enumerate(names):
        column = X.iloc[:, i] if is_pandas(X) else X[:, i]
        (_add_series if is_pandas(X) else _add_array)(table, name, column, name in categories)
    return table


def add_column(table: _core.Table, name: str, values: Any, what: str, as_category: bool = False) -> None:
    """Adds one value per row to a table; `what` is the argument that has them."""
    column = values if hasattr(values, "iloc") else np.asarray(values)
    if column.ndim != 1 or len(column) != len(table):
        raise ValueError(f"{what} has shape {column.shape}, and X has {len(table)} rows")
    (_add_series if hasattr(values, "iloc") else _add_array)(table, name, column, as_category)


def _add_series(table: _core.Table, name: str, series: Any, as_category: bool) -> None:
    dtype = series.dtype
    if hasattr(dtype, "categories"):
        codes = series.cat.codes.to_numpy().astype(np.int32)
        table.add_codes(name, codes, [_category(category) for category in dtype.categories])
        return
    kind = getattr(dtype, "kind", "O")
    if kind == "M" and getattr(dtype, "tz", None) is not None:
        series = series.dt.tz_convert(None)
    if isinstance(dtype, np.dtype):
        values = series.to_numpy()
    elif kind in "biuf":
        values = series.to_numpy(dtype=np.float64, na_value=np.nan)
    elif kind in "mM":
        values = series.to_numpy(dtype=f"{kind}8[ns]")
    else:
        values = series.to_numpy(dtype=object)
    _add_array(table, name, values, as_category)


def _add_array(table: _core.Table, name: str, values: np.ndarray, as_category: bool) -> None:
    """One column: numbers where it holds numbers, times or dates as text, else categories."""
    if values.dtype.kind == "O":
        values = _objects(name, values)
    kept = _numbers_or_texts(name, values)
    if isinstance(kept, list) and as_category:
        codes = {text: code for code, text in enumerate(dict.fromkeys(filter(None, kept)))}
        table.add_codes(name, np.array([codes.get(text, -1) for text in kept], np.int32), list(codes))
    elif isinstance(kept, list):
        table.add_texts(name, kept)
    elif as_category:
        table.add_number_categories(name, kept.astype(np.float64) + 0.0)  # -0 is 0
    elif kept.dtype in (np.float32, np.float64):
        table.add_numbers(name, kept)
    else:
        table.add_numbers(name, kept.astype(np.float64))
    if values.dtype.kind == "M" and not as_category:
        table.set_dates(name)


def _numbers_or_texts(name: str, values: np.ndarray) -> np.ndarray | list[str]:
    kind = values.dtype.kind
    if kind in "biuf":
        return values
    if kind in "mM":
        return _seconds(values)
    if kind in "US":
        return [str(value) for value in values.astype(str)]
    if kind == "O":  # texts, after _objects
        return list(values)
    raise ValueError(f"column {name!r} has dtype {values.dtype}: supported are numbers, dates, times, text and categories")


def _seconds(times: np.ndarray) -> np.ndarray:
    unit, step = np.datetime_data(times.dtype)
    if unit not in _TICKS:
        times = times.astype(f"{times.dtype.kind}8[s]")
        unit, step = "s", 1
    ticks = times.astype(np.int64).astype(np.float64) * step
    seconds = ticks / _TICKS[unit] if _TICKS[unit] >= 1 else ticks * round(1 / _TICKS[unit])
    return np.where(np.isnat(times), np.nan, seconds)


def _is_missing(value: Any) -> bool:
    """None, NaN, and pandas' NA and NaT."""
    return (
        value is None
        or type(value).__name__ in ("NAType", "NaTType")
        or (isinstance(value, (float, np.floating)) and value != value)
    )


def _objects(name: str, values: np.ndarray) -> np.ndarray:
    """A column of Python objects as numbers or dates, or as an array of texts where one of them is a text."""
    missing = np.fromiter((_is_missing(value) for value in values), bool, len(values))
    known = [value for value, absent in zip(values, missing) if not absent]
    if all(isinstance(value, (numbers.Real, decimal.Decimal, np.bool_)) for value in known):
        out = np.full(len(values), np.nan)
        out[~missing] = [float(value) for value in known]
        return out
    if all(isinstance(value, (datetime.date, np.datetime64)) for value in known):
        return np.array([None if absent else value for value, absent in zip(values, missing)], "datetime64[us]")
    return np.array(["" if absent else _category(value, name) for value, absent in zip(values, missing)], dtype=object)


def is_number(text: str | bytes) -> bool:
    """Whether a text is that of a number.

    >>> is_number("1.5"), is_number("high")
    (True, False)
    """
    try:
        float(text)
    except ValueError:
        return False
    return True


def looks_declared(categories: list[str]) -> bool:
    """Whether a column with these categories would be numbers or dates, had nobody declared it a category.

    >>> looks_declared(["1", "2"]), looks_declared(["2024-02-29"]), looks_declared(["1", "high"])
    (True, True, False)
    """
    if all(map(is_number, categories)):
        return True
    table = _core.Table()
    table.add_texts("c", categories)
    return not table.is_category("c")


def first_text(values: Any) -> str | None:
    """The first value that is a text, and not that of a number.

    >>> first_text([1.5, 2]), first_text(["1", "high"])
    (None, 'high')
    """
    kind = getattr(getattr(values, "dtype", None), "kind", "O")
    if kind not in "OUST":
        return None
    array = np.asarray(values)
    texts = array.ravel() if array.dtype.kind in "OUST" else ()
    return next((str(text) for text in texts if isinstance(text, (str, bytes)) and not is_number(text)), None)


def _category(value: Any, name: str | None = None) -> str:
    """The text of a category, as the library writes numbers. Those of a categorical dtype, which have no name here, may
    be anything; in a column of objects, anything but texts and numbers is a mistake."""
    if isinstance(value, str):
        return value
    if isinstance(value, (numbers.Real, np.bool_)):
        number = float(value)
        return str(int(number)) if number.is_integer() and abs(number) < 1e15 else repr(number)
    if isinstance(value, (datetime.date, datetime.timedelta, np.datetime64)):
        return str(value)
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    if name is None:
        return str(value)
    raise TypeError(f"column {name!r}: the argument must be a string or a number, not {type(value).__name__!r}")


def targets_of(y: Any) -> tuple[Any, list[str] | None]:
    """Targets as something numpy takes, and their names where they have any."""
    if is_arrow(y) and not hasattr(y, "__array__"):
        table = arrow_table(y)
        names = table.names
        texts = [name for name in names if table.is_category(name)]
        if texts:
            return np.array(table.categories(texts[0]), dtype=object), None  # refused by the caller
        values = np.column_stack([table.numbers(name) for name in names])
        return (values[:, 0] if names == [""] else values), (None if names == [""] else names)
    columns = getattr(y, "columns", None)
    if columns is not None:
        columns = getattr(y, "column_names", columns)  # pyarrow's columns are the data
        return y, [str(name) for name in columns]
    name = getattr(y, "name", None)
    return y, [name] if isinstance(name, str) and name else None
