"""Known distributions with one input."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ._library import Library, Text, json_of, made_by
from .arrays import contiguous, pointer


class Law:
    """One of them, which lives as long as the library."""

    name: str
    target_names: list[str]
    default_rows: int
    low: float
    high: float

    def __init__(self, name: str) -> None:
        self._as_parameter_ = made_by(Library.law, Text.of(name))
        vars(self).update(json_of(Library.law_facts, self))

    def positions(self, count: int) -> NDArray[np.float64]:
        return np.array(json_of(Library.law_positions, self, count), dtype=np.float64)

    def data(self, rows: int, seed: int) -> NDArray[np.float64]:
        out = np.empty((rows, 1 + len(self.target_names)))
        Library.law_data(self, rows, seed, pointer(out))
        return out

    def density(self, x: Any, y: Any) -> NDArray[np.float64]:
        return self._at_points(Library.law_density, x, y)

    def cdf(self, x: Any, y: Any) -> NDArray[np.float64]:
        return self._at_points(Library.law_cdf, x, y)

    def sample(self, x: Any, count: int, seed: int) -> NDArray[np.float64]:
        at = contiguous(x, 1)
        out = np.empty((at.size, count, len(self.target_names)))
        Library.law_sample(self, pointer(at), at.size, count, seed, pointer(out))
        return out

    def _at_points(self, function: Callable[..., None], x: Any, y: Any) -> NDArray[np.float64]:
        at, points = contiguous(x, 1), contiguous(y, 2)
        if points.shape[0] != at.size:
            raise ValueError("x and y differ in length")
        out = np.empty(at.size)
        function(self, pointer(at), pointer(points), *points.shape, pointer(out))
        return out


def law(name: str) -> Law:
    return Law(name)


def law_names() -> list[str]:
    return json_of(Library.law_names)
