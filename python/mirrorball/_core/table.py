"""Tables."""

from __future__ import annotations

import ctypes
import os
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ._library import Library, Owner, Text, Texts, json_of, made_by
from .arrays import pointer, strided

_is_capsule = ctypes.pythonapi.PyCapsule_IsValid
_is_capsule.restype, _is_capsule.argtypes = ctypes.c_int, [ctypes.py_object, ctypes.c_char_p]
_in_capsule = ctypes.pythonapi.PyCapsule_GetPointer
_in_capsule.restype, _in_capsule.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]


def _content(capsule: Any, name: str) -> int:
    if not _is_capsule(capsule, name.encode()):
        raise ValueError(f"this is no capsule of the kind {name}")
    return _in_capsule(capsule, name.encode())


class Table(Owner):
    """Typed columns of equal length: what a model is fitted to."""

    _free = Library.table_free

    def __init__(self) -> None:
        self._as_parameter_ = made_by(Library.table_new)

    @classmethod
    def from_arrow_stream(cls, stream: Any, categories: Sequence[str]) -> Table:
        """Takes over what __arrow_c_stream__ gives; numbers in `categories` become categories."""
        content = _content(stream, "arrow_array_stream")
        return cls._owning(made_by(Library.table_from_stream, content, Texts.of(categories)))

    @classmethod
    def from_arrow_array(cls, schema: Any, array: Any, categories: Sequence[str]) -> Table:
        """Takes over what __arrow_c_array__ gives."""
        contents = _content(schema, "arrow_schema"), _content(array, "arrow_array")
        return cls._owning(made_by(Library.table_from_array, *contents, Texts.of(categories)))

    @classmethod
    def read(cls, path: str, categories: Sequence[str] = ()) -> Table:
        """Reads CSV, CSV.gz or ARFF."""
        return cls._owning(made_by(Library.table_read, Text.of(os.fsencode(path)), Texts.of(categories)))

    def add_numbers(self, name: str, values: NDArray[np.float64] | NDArray[np.float32]) -> None:
        """Adds a column of numbers; NaN is a missing value."""
        column, kept = strided(values)
        if kept.dtype == np.float64:
            Library.table_add_numbers(self, Text.of(name), column)
        elif kept.dtype == np.float32:
            Library.table_add_floats(self, Text.of(name), column)
        else:
            raise TypeError(f"numbers of float32 or float64 are needed, not of {kept.dtype}")

    def add_number_categories(self, name: str, values: Any) -> None:
        """Adds numbers as categories; NaN is a missing value."""
        column, _kept = strided(np.asarray(values, dtype=np.float64))
        Library.table_add_number_categories(self, Text.of(name), column)

    def add_codes(self, name: str, codes: Any, categories: Sequence[str]) -> None:
        """Adds a column of categories by codes into categories; a negative code is a missing value."""
        kept = np.ascontiguousarray(codes, dtype=np.int32)
        if kept.ndim != 1:
            raise TypeError(f"codes of 1 dimension are needed, not of {kept.ndim}")
        Library.table_add_codes(self, Text.of(name), pointer(kept), kept.size, Texts.of(categories))

    def add_texts(self, name: str, texts: Sequence[str]) -> None:
        """Adds a column of texts, dates where all are ISO dates, else categories; "" is a missing value."""
        Library.table_add_texts(self, Text.of(name), Texts.of(texts))

    @property
    def names(self) -> list[str]:
        return json_of(Library.table_names, self)

    def set_names(self, names: Sequence[str]) -> None:
        """Gives the columns other names, in their order."""
        Library.table_set_names(self, Texts.of(names))

    def set_dates(self, name: str) -> None:
        """Says that a column of numbers holds dates, as seconds since 1970."""
        Library.table_set_dates(self, Text.of(name))

    def is_category(self, name: str) -> bool:
        found = ctypes.c_int()
        Library.table_is_category(self, Text.of(name), ctypes.byref(found))
        return bool(found.value)

    def numbers(self, name: str) -> NDArray[np.float64]:
        """A copy of a column of numbers, as it is kept."""
        out = np.empty(len(self))
        Library.table_numbers(self, Text.of(name), pointer(out))
        return out

    def categories(self, name: str) -> list[str]:
        """The categories of a column of them, in order of first appearance."""
        return json_of(Library.table_categories, self, Text.of(name))

    def column_hint(self, name: str, declared: bool = False) -> str:
        """What may be wrong about a column and what to do about it; empty where nothing is."""
        return json_of(Library.table_column_hint, self, Text.of(name), declared)

    def __len__(self) -> int:
        return Library.table_rows(self)
