"""Known laws p(y | x) with one input: to make data from, and to measure a fit against.

``unimodal``, ``crossing`` and ``squares`` have one target, ``arcs`` has two. ``docs/method.md`` has their formulas.

>>> from mirrorball import laws
>>> X, y = laws.crossing.data(300, seed=1)
>>> X.shape, y.shape
((300, 1), (300,))
>>> print(f"{laws.crossing.density(0.0, -1.0):.4f}")
0.8865
>>> truth = laws.crossing.at(0.0)
>>> print(f"{truth.cdf(0.5):.4f}")
0.6667
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _core

__all__ = ["FrozenLaw", "Law", "arcs", "crossing", "get", "names", "squares", "unimodal"]


class Law:
    """One known law. x is the only feature; y has one value per target."""

    def __init__(self, name: str) -> None:
        self._law = _core.law(name)

    @property
    def name(self) -> str:
        return self._law.name

    @property
    def target_names(self) -> list[str]:
        return self._law.target_names

    @property
    def domain(self) -> tuple[float, float]:
        """Least and greatest x. Between the squares, their law is not defined."""
        return self._law.low, self._law.high

    @property
    def default_rows(self) -> int:
        """Rows of a data set, as in the paper."""
        return self._law.default_rows

    def positions(self, count: int) -> NDArray[np.float64]:
        """``count`` equidistant x over the domain, less those where the law is not defined."""
        return self._law.positions(count)

    def data(self, rows: int | None = None, *, seed: int = 0) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """X of rows x 1 and y of rows (x 2 for arcs), the same rows as ``mirrorball data``."""
        table = self._law.data(self.default_rows if rows is None else rows, seed)
        return table[:, :1], table[:, 1] if table.shape[1] == 2 else table[:, 1:]

    def density(self, x: ArrayLike, y: ArrayLike) -> Any:
        """p(y | x). x and y are broadcast against each other; the last axis of y holds the targets of arcs."""
        return self._pointwise(self._law.density, x, y)

    def cdf(self, x: ArrayLike, y: ArrayLike) -> Any:
        """P(Y <= y | x), componentwise for two targets."""
        return self._pointwise(self._law.cdf, x, y)

    def sample(self, x: ArrayLike, n: int = 500, *, seed: int = 0) -> NDArray[np.float64]:
        """``n`` independent draws at each x: rows x samples x targets, as ``MirrorballRegressor.sample`` gives them."""
        return self._law.sample(np.ascontiguousarray(np.ravel(np.asarray(x, dtype=float))), n, seed)

    def at(self, x: float) -> FrozenLaw:
        """The law at one x, with ``pdf``, ``cdf`` and ``sample`` of y alone."""
        return FrozenLaw(self, float(x))

    def _pointwise(self, function: Any, x: ArrayLike, y: ArrayLike) -> Any:
        targets = len(self.target_names)
        y = np.asarray(y, dtype=float)
        if targets > 1 and (y.ndim == 0 or y.shape[-1] != targets):
            raise ValueError(
                f"the last axis of y has the shape {y.shape[-1:]}, the law '{self.name}' has {targets} targets"
            )
        shape = np.broadcast_shapes(np.shape(x), y.shape[:-1] if targets > 1 else y.shape)
        points = np.broadcast_to(y, (*shape, targets) if targets > 1 else shape).reshape(-1, targets)
        at = np.broadcast_to(np.asarray(x, dtype=float), shape).ravel()
        values = function(np.ascontiguousarray(at), np.ascontiguousarray(points)).reshape(shape)
        return values if shape else float(values)

    def __repr__(self) -> str:
        return f"<law '{self.name}'>"


@dataclass(frozen=True)
class FrozenLaw:
    """A law at one x."""

    law: Law
    x: float

    def pdf(self, y: ArrayLike) -> Any:
        return self.law.density(self.x, y)

    def cdf(self, y: ArrayLike) -> Any:
        return self.law.cdf(self.x, y)

    def sample(self, n: int = 500, *, seed: int = 0) -> NDArray[np.float64]:
        """n draws: samples x targets."""
        return self.law.sample([self.x], n, seed=seed)[0]


def names() -> list[str]:
    """The names of all laws."""
    return _core.law_names()


def get(name: str) -> Law:
    """The law of that name; an unknown one is an error with the list."""
    return Law(name)


unimodal, crossing, squares, arcs = (Law(name) for name in ("unimodal", "crossing", "squares", "arcs"))
