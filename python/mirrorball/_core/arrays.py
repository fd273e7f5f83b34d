"""Arrays of numpy for the library, without copies where they lie as it wants them."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ._library import Cube, Strided


def contiguous(values: Any, dimensions: int) -> NDArray[np.float64]:
    """Doubles one after the other."""
    array = np.ascontiguousarray(values, dtype=np.float64)
    if array.ndim != dimensions:
        raise TypeError(f"an array of {dimensions} dimension(s) is needed, not of {array.ndim}")
    return array


def pointer(array: NDArray[Any]) -> ctypes.c_void_p:
    """Of a contiguous array, which the caller keeps."""
    return ctypes.c_void_p(array.ctypes.data)


def _steps(array: NDArray[Any]) -> list[int] | None:
    """Of each axis, in values; None where values do not lie at whole steps."""
    if not array.flags.aligned or any(stride % array.itemsize for stride in array.strides):
        return None
    return [stride // array.itemsize for stride in array.strides]


def strided(values: NDArray[Any]) -> tuple[Strided, NDArray[Any]]:
    """A column, and the array that must be kept for it."""
    if values.ndim != 1:
        raise TypeError(f"a column of 1 dimension is needed, not of {values.ndim}")
    steps = _steps(values)
    if steps is None:
        values = values.copy()
        steps = [1]
    return Strided(values.ctypes.data, values.size, steps[0]), values


def cube(values: NDArray[np.float64]) -> tuple[Cube, NDArray[np.float64]]:
    """Samples, rows x samples x targets, and the array that must be kept for them."""
    if values.ndim != 3:
        raise TypeError(f"samples of 3 dimensions are needed, not of {values.ndim}")
    steps = _steps(values)
    if steps is None:
        values = values.copy()
        steps = [stride // values.itemsize for stride in values.strides]
    return Cube(values.ctypes.data, *values.shape, *steps), values


class Window:
    """Memory of the library as numpy sees it; keeps its owner."""

    def __init__(self, owner: Any, address: int, shape: tuple[int, ...], strides: tuple[int, ...]) -> None:
        self._owner = owner
        self.__array_interface__ = {
            "version": 3,
            "typestr": np.dtype(np.float64).str,
            "data": (address, False),
            "shape": shape,
            "strides": strides,
        }
