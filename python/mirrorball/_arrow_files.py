"""Parquet, Feather and Arrow files as CSV text with known types, for the program. Needs pyarrow."""

from __future__ import annotations

import functools
import glob
import itertools
import os
import re
import sys
from collections.abc import Iterator
from typing import Any

#: How such files begin.
_MARKS = {b"PAR1": "Parquet", b"ARROW1": "Arrow", b"FEA1": "Feather", b"\xff\xff\xff\xff": "Arrow stream"}
_ROWS = 65536  # of a batch
_TICKS = {"s": 1.0, "ms": 1e3, "us": 1e6, "ns": 1e9}
#: The index of a pandas frame, which is no column of it.
_INDEX = re.compile(r"__index_level_\d+__")


def kind_of(path: str) -> str | None:
    """What a file begins as; None where it is another kind or cannot be read."""
    try:
        with open(path, "rb") as file:
            start = file.read(8)
    except OSError:
        return None
    return next((kind for mark, kind in _MARKS.items() if start.startswith(mark)), None)


def is_named(word: str) -> bool:
    """Whether a word of the command line names such a file, by itself, as --option=FILE or by a pattern."""
    name = word.partition("=")[2] if word.startswith("--") else word
    names = [name] if os.path.isfile(name) else glob.glob(name)
    return any(os.path.isfile(one) and kind_of(one) is not None for one in names)


def open_file(path: str) -> tuple[list[str], Iterator[bytes]]:
    """The columns of a file that are categories, and its rows as CSV, a piece at a time."""
    kind = kind_of(path)
    try:
        import pyarrow as pa
    except ImportError:
        raise ValueError(f"{path} is a {kind} file, and reading it needs pyarrow: pip install pyarrow") from None
    try:
        schema, batches = _opened(path, kind)
        places = _columns(path, schema)
        first = next(batches, None)
    except (pa.ArrowException, OSError) as error:
        raise ValueError(f"{path}: {error}") from None
    categories = [
        schema.names[place]
        for place in places
        if _is_text(schema.types[place]) and not (first is not None and _are_dates(first.column(place)))
    ]
    rows = batches if first is None else itertools.chain([first], batches)
    return categories, _csv(path, [schema.names[place] for place in places], places, rows)


def _opened(path: str, kind: str | None) -> tuple[Any, Iterator[Any]]:
    import pyarrow as pa

    if kind == "Parquet":
        import pyarrow.parquet

        parquet = pyarrow.parquet.ParquetFile(path)
        return parquet.schema_arrow, parquet.iter_batches(_ROWS)
    if kind == "Feather":  # the first version of it, which is read as a whole
        import pyarrow.feather

        table = pyarrow.feather.read_table(path)
        return table.schema, iter(table.to_batches(_ROWS))
    if kind == "Arrow":
        file = pa.ipc.open_file(pa.memory_map(path))
        return file.schema, (file.get_batch(place) for place in range(file.num_record_batches))
    stream = pa.ipc.open_stream(pa.memory_map(path))
    return stream.schema, iter(stream)


def _columns(path: str, schema: Any) -> list[int]:
    """The places of the columns to read; a note names those that hold neither numbers, times nor text."""
    places = []
    for place, (name, kind) in enumerate(zip(schema.names, schema.types)):
        if _INDEX.fullmatch(name):
            continue
        if _is_taken(kind):
            places.append(place)
        else:
            _note(f"{path}: column '{name}' is left out: its type {kind} is neither number, time nor text")
    if not places:
        raise ValueError(f"{path}: there is no column of numbers, times or text")
    return places


@functools.cache  # a file may be opened twice
def _note(text: str) -> None:
    print(f"mirrorball: {text}", file=sys.stderr)


def _are_dates(column: Any) -> bool:
    """Whether texts look like ISO dates: the program judges them, as in a CSV file."""
    import pyarrow as pa
    import pyarrow.compute as pc

    if pa.types.is_dictionary(column.type) or column.null_count == len(column):
        return False
    return pc.all(pc.match_substring_regex(column.cast(pa.large_string()), r"^\d{4}-\d{2}-\d{2}")).as_py()


def _value_type(kind: Any) -> Any:
    """Of a dictionary that of its values."""
    import pyarrow as pa

    return kind.value_type if pa.types.is_dictionary(kind) else kind


def _is_text(kind: Any) -> bool:
    """Text, and whatever is a category by its type."""
    import pyarrow as pa

    views = hasattr(pa.types, "is_string_view") and pa.types.is_string_view(kind)
    return pa.types.is_string(kind) or pa.types.is_large_string(kind) or views or pa.types.is_dictionary(kind)


def _is_taken(kind: Any) -> bool:
    import pyarrow.types as types

    value = _value_type(kind)
    tests = (
        types.is_integer,
        types.is_floating,
        types.is_decimal,
        types.is_boolean,
        types.is_date,
        types.is_timestamp,
        types.is_time,
        types.is_duration,
        types.is_null,
    )
    return _is_text(value) or any(test(value) for test in tests)


def _plain(column: Any) -> Any:
    """A column as the CSV writer takes it: instants in UTC, times of day and durations in seconds."""
    import pyarrow as pa
    import pyarrow.compute as pc

    if pa.types.is_dictionary(column.type):
        column = column.dictionary_decode()
    kind = column.type
    if pa.types.is_time(kind) or pa.types.is_duration(kind):
        ticks = column.cast(pa.int32() if pa.types.is_time32(kind) else pa.int64()).cast(pa.float64(), safe=False)
        return pc.divide(ticks, _TICKS[kind.unit])
    if pa.types.is_timestamp(kind):
        return column.cast(pa.timestamp(kind.unit))
    if pa.types.is_float16(kind) or pa.types.is_null(kind):
        return column.cast(pa.float32())
    if pa.types.is_decimal(kind) or _is_text(kind):
        return column.cast(pa.large_string())
    return column


def _csv(path: str, names: list[str], places: list[int], batches: Iterator[Any]) -> Iterator[bytes]:
    import pyarrow as pa
    import pyarrow.csv

    # Texts are in quotes, so that their spaces stay.
    yield ",".join('"' + name.replace('"', '""') + '"' for name in names).encode() + b"\n"
    options = pyarrow.csv.WriteOptions(include_header=False, quoting_style="needed")
    try:
        for batch in batches:
            columns = [_plain(batch.column(place)) for place in places]
            out = pa.BufferOutputStream()
            pyarrow.csv.write_csv(pa.RecordBatch.from_arrays(columns, names=names), out, options)
            yield out.getvalue().to_pybytes()
    except (pa.ArrowException, OSError) as error:
        raise ValueError(f"{path}: {error}") from None
