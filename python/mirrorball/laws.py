"""Known distributions p(y | x) with one feature: to simulate data from, and to measure a fit against.

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
from ._warnings import renamed

__all__ = ["FrozenLaw", "Law", "arcs", "crossing", "get", "names", "squares", "unimodal"]


class Law:
    """One known distribution. x is the only feature; y has one value per target.

    Parameters
    ----------
    name : str
        One of `names`.

    Examples
    --------
    >>> Law("arcs").target_names
    ['y1', 'y2']
    """

    def __init__(self, name: str) -> None:
        self._law = _core.law(name)

    @property
    def name(self) -> str:
        """Its name.

        Examples
        --------
        >>> crossing.name
        'crossing'
        """
        return self._law.name

    @property
    def target_names(self) -> list[str]:
        """The names of its targets.

        Examples
        --------
        >>> crossing.target_names
        ['y']
        """
        return self._law.target_names

    @property
    def domain(self) -> tuple[float, float]:
        """Least and greatest x. Between the squares, their distribution is not defined.

        Examples
        --------
        >>> low, high = crossing.domain
        >>> low < high
        True
        """
        return self._law.low, self._law.high

    @property
    def default_rows(self) -> int:
        """Rows of a data set, as in the paper.

        Examples
        --------
        >>> crossing.default_rows > 0
        True
        """
        return self._law.default_rows

    def positions(self, count: int) -> NDArray[np.float64]:
        """Equidistant x over the domain, without those where the distribution is not defined.

        Parameters
        ----------
        count : int

        Returns
        -------
        array of shape (count,) or shorter

        Examples
        --------
        >>> crossing.positions(5).shape
        (5,)
        """
        return self._law.positions(count)

    def data(self, rows: int | None = None, *, seed: int = 0) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Simulated rows, the same as those of ``mirrorball data``.

        Parameters
        ----------
        rows : int, optional
            `default_rows` by default.
        seed : int, default 0

        Returns
        -------
        X : array of shape (rows, 1)
        y : array of shape (rows,), or (rows, 2) for arcs

        Examples
        --------
        >>> X, y = arcs.data(100)
        >>> X.shape, y.shape
        ((100, 1), (100, 2))
        """
        table = self._law.data(self.default_rows if rows is None else rows, seed)
        return table[:, :1], table[:, 1] if table.shape[1] == 2 else table[:, 1:]

    def density(self, x: ArrayLike, y: ArrayLike) -> Any:
        """The density p(y | x). x and y are broadcast against each other.

        Parameters
        ----------
        x : float or array
        y : float or array
            Its last axis holds the targets of arcs.

        Returns
        -------
        float or array

        Examples
        --------
        >>> crossing.density([0.0, 0.5], 0.0).shape
        (2,)
        """
        return self._pointwise(self._law.density, x, y)

    def cdf(self, x: ArrayLike, y: ArrayLike) -> Any:
        """The probability P(Y <= y | x), of all components for two targets.

        Parameters
        ----------
        x : float or array
        y : float or array

        Returns
        -------
        float or array

        Examples
        --------
        >>> crossing.cdf(0.0, 1e6)
        1.0
        """
        return self._pointwise(self._law.cdf, x, y)

    @renamed(n="n_samples")
    def sample(self, x: ArrayLike, n_samples: int = 500, *, seed: int = 0) -> NDArray[np.float64]:
        """Independent samples at each x, in the shape of ``MirrorballRegressor.sample``.

        Parameters
        ----------
        x : array of shape (rows,)
        n_samples : int, default 500
        seed : int, default 0

        Returns
        -------
        array of shape (rows, n_samples, targets)

        Examples
        --------
        >>> crossing.sample([0.0, 0.5], 10).shape
        (2, 10, 1)
        """
        return self._law.sample(np.ascontiguousarray(np.ravel(np.asarray(x, dtype=float))), n_samples, seed)

    def at(self, x: float) -> FrozenLaw:
        """The distribution at one x, with ``pdf``, ``cdf`` and ``sample`` of y alone.

        Parameters
        ----------
        x : float

        Returns
        -------
        FrozenLaw

        Examples
        --------
        >>> crossing.at(0.3).sample(5).shape
        (5, 1)
        """
        return FrozenLaw(self, float(x))

    def _pointwise(self, function: Any, x: ArrayLike, y: ArrayLike) -> Any:
        targets = len(self.target_names)
        y = np.asarray(y, dtype=float)
        if targets > 1 and (y.ndim == 0 or y.shape[-1] != targets):
            raise ValueError(
                f"the last axis of y has the shape {y.shape[-1:]}, '{self.name}' has {targets} targets"
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
    """A known distribution at one x.

    Parameters
    ----------
    law : Law
    x : float

    Examples
    --------
    >>> print(f"{FrozenLaw(crossing, 0.0).cdf(0.5):.4f}")
    0.6667
    """

    law: Law
    x: float

    def pdf(self, y: ArrayLike) -> Any:
        """The density at y.

        Parameters
        ----------
        y : float or array

        Returns
        -------
        float or array

        Examples
        --------
        >>> crossing.at(0.0).pdf([0.0, 1.0]).shape
        (2,)
        """
        return self.law.density(self.x, y)

    def cdf(self, y: ArrayLike) -> Any:
        """The probability of values at or below y.

        Parameters
        ----------
        y : float or array

        Returns
        -------
        float or array

        Examples
        --------
        >>> crossing.at(0.0).cdf(1e6)
        1.0
        """
        return self.law.cdf(self.x, y)

    @renamed(n="n_samples")
    def sample(self, n_samples: int = 500, *, seed: int = 0) -> NDArray[np.float64]:
        """Independent samples.

        Parameters
        ----------
        n_samples : int, default 500
        seed : int, default 0

        Returns
        -------
        array of shape (n_samples, targets)

        Examples
        --------
        >>> arcs.at(0.8).sample(7).shape
        (7, 2)
        """
        return self.law.sample([self.x], n_samples, seed=seed)[0]


def names() -> list[str]:
    """The names of all known distributions.

    Returns
    -------
    list of str

    Examples
    --------
    >>> names()
    ['unimodal', 'crossing', 'squares', 'arcs']
    """
    return _core.law_names()


def get(name: str) -> Law:
    """The distribution of that name; an unknown one is an error with the list.

    Parameters
    ----------
    name : str

    Returns
    -------
    Law

    Examples
    --------
    >>> get("arcs")
    <law 'arcs'>
    """
    return Law(name)


unimodal, crossing, squares, arcs = (Law(name) for name in ("unimodal", "crossing", "squares", "arcs"))
