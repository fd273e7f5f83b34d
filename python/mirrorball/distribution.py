"""Predictive distributions held as draws."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _core

#: A region of target values: a function of one array per target that says where, or bounds by target name.
Region = str | Callable[..., ArrayLike] | Mapping[str, tuple]


class Distribution:
    """Draws from p(y | x) for some rows, and what draws answer.

    With one target, answers have one number a row; with several, one column per target. Means, quantiles and the cdf
    are those of each target; densities and the energy score are joint.

    Parameters
    ----------
    draws : array of shape (rows, samples, targets), or (rows, samples) for one target
        Draw ``i`` of all targets is one joint draw.
    target_names : sequence of str, optional
        "y", or "y1", "y2", … without it.

    Examples
    --------
    >>> import numpy as np
    >>> from mirrorball import Distribution
    >>> dist = Distribution([[1.0, 2.0, 3.0], [10.0, 10.0, 40.0]])
    >>> dist
    Distribution(rows=2, samples=3, targets=['y'])
    >>> dist.mean().tolist()
    [2.0, 20.0]
    >>> dist.quantile([0, 0.5, 1]).tolist()
    [[1.0, 2.0, 3.0], [10.0, 10.0, 40.0]]
    >>> dist.probability(lambda y: y < 20).round(3).tolist()
    [1.0, 0.667]
    """

    def __init__(self, draws: ArrayLike, target_names: Sequence[str] | None = None) -> None:
        values = np.asarray(draws, dtype=np.float64)
        if values.ndim == 2:
            values = values[:, :, None]
        if values.ndim != 3 or values.shape[1] == 0 or values.shape[2] == 0:
            raise ValueError(
                f"draws have shape {np.shape(draws)}; expected rows x samples x targets with a sample at least, or"
                " rows x samples for one target"
            )
        if target_names is None:
            target_names = ["y"] if values.shape[2] == 1 else [f"y{i + 1}" for i in range(values.shape[2])]
        self._own(_core.Predictive(values, list(target_names)), 0)

    @classmethod
    def _of(cls, predictive: _core.Predictive, threads: int = 0) -> Distribution:
        made = cls.__new__(cls)
        made._own(predictive, threads)
        return made

    def _own(self, predictive: _core.Predictive, threads: int) -> None:
        self._predictive = predictive
        self._threads = threads

    def _like(self, draws: ArrayLike, target_names: list[str]) -> Distribution:
        """Other draws, with the threads of this one."""
        made = Distribution(draws, target_names)
        made._threads = self._threads
        return made

    @property
    def draws(self) -> NDArray[np.float64]:
        """The draws, of shape (rows, samples, targets), to be read only."""
        view = self._predictive.draws
        view.flags.writeable = False
        return view

    @property
    def target_names(self) -> list[str]:
        return list(self._predictive.target_names)

    def __len__(self) -> int:
        return self.draws.shape[0]

    def __getitem__(self, rows: Any) -> Distribution:
        """Some of the rows: a slice, an index or an array of them.

        >>> Distribution([[1.0, 2.0], [3.0, 4.0]])[1:].mean().tolist()
        [3.5]
        """
        picked = self.draws[rows]
        return self._like(picked[None] if picked.ndim == 2 else picked, self.target_names)

    def __repr__(self) -> str:
        rows, samples, _ = self.draws.shape
        return f"Distribution(rows={rows}, samples={samples}, targets={self.target_names})"

    def __getstate__(self) -> dict[str, Any]:
        return {
            "draws": np.ascontiguousarray(self.draws),
            "target_names": self.target_names,
            "threads": self._threads,
        }

    def __setstate__(self, state: dict[str, Any]) -> None:
        self._own(_core.Predictive(state["draws"], state["target_names"]), state.get("threads", 0))

    def mean(self) -> NDArray[np.float64]:
        return self._squeeze(self._predictive.mean(self._threads))

    def std(self) -> NDArray[np.float64]:
        """Standard deviation, with samples - 1 below the line."""
        return self._squeeze(self._predictive.sd(self._threads))

    def var(self) -> NDArray[np.float64]:
        return self.std() ** 2

    def median(self) -> NDArray[np.float64]:
        return self.quantile(0.5)

    def quantile(self, q: ArrayLike) -> NDArray[np.float64]:
        """Quantiles at level q, or at several levels: then of shape (rows, levels), or (rows, levels, targets)."""
        levels = np.asarray(q, dtype=np.float64)
        if levels.ndim > 1:
            raise ValueError(f"q has {levels.ndim} dimensions: give a number or a list of them")
        for level in levels.ravel():
            if not 0 <= level <= 1:
                raise ValueError(f"the quantile level {level:g} is outside 0 to 1")
        values = self._squeeze(self._predictive.quantiles(levels.ravel().tolist(), self._threads))
        return values[:, 0] if levels.ndim == 0 else values

    ppf = quantile

    def interval(self, coverage: float = 0.9) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Lower and upper end of the central interval.

        >>> low, high = Distribution([np.arange(101.0)]).interval(0.8)
        >>> low.round(6).tolist(), high.round(6).tolist()
        ([10.0], [90.0])
        """
        if not 0 < coverage < 1:
            raise ValueError(f"the coverage {coverage:g} is not between 0 and 1")
        ends = self.quantile([(1 - coverage) / 2, (1 + coverage) / 2])
        return ends[:, 0], ends[:, 1]

    def cdf(self, y: ArrayLike) -> NDArray[np.float64]:
        """Share of draws at or below y, target by target.

        With one target, y is one number, one a row, or an array of shape (rows, points) with several for each row.
        With several targets it has a last axis of targets.

        >>> dist = Distribution([[1.0, 2.0, 3.0, 4.0]])
        >>> dist.cdf(2).tolist(), dist.cdf([[0, 1, 9]]).tolist()
        ([0.5], [[0.0, 0.25, 1.0]])
        """
        points, one = self._points(y)
        values = self._squeeze(self._predictive.cdf(points, self._threads))
        return values[:, 0] if one else values

    def logpdf(self, y: ArrayLike) -> NDArray[np.float64]:
        """Logarithm of the density at y, shaped as for `cdf`; with several targets of the joint density.

        The density is a Gaussian kernel estimate with Scott's factor, as scipy's gaussian_kde. Draws without spread
        get a floor instead of an infinite density.
        """
        points, one = self._points(y)
        values = self._predictive.log_density(points, self._threads)
        return values[:, 0] if one else values

    def pdf(self, y: ArrayLike) -> NDArray[np.float64]:
        """Density at y: see `logpdf`."""
        return np.exp(self.logpdf(y))

    def marginal(self, target: str | int) -> Distribution:
        """The distribution of one target alone.

        >>> dist = Distribution(np.arange(12.0).reshape(2, 3, 2), ["a", "b"])
        >>> dist.marginal("b").mean().tolist()
        [3.0, 9.0]
        """
        if isinstance(target, str) and target not in self.target_names:
            raise ValueError(f"there is no target {target!r} among {', '.join(self.target_names)}")
        place = self.target_names.index(target) if isinstance(target, str) else target
        return self._like(self.draws[:, :, [place]], [self.target_names[place]])

    def sample(self, n: int | None = None, seed: int | None = 0) -> NDArray[np.float64]:
        """n joint draws for each row out of those held, of shape (rows, n, targets); all of them without n.

        They are taken without replacement as long as there are enough.
        """
        if n is None:
            return self.draws.copy()
        if n < 1:
            raise ValueError(f"{n} draws were asked for: at least 1 is needed")
        rows, samples, _ = self.draws.shape
        random = np.random.default_rng(seed)
        picks = (
            random.integers(samples, size=(rows, n))
            if n > samples
            else random.permuted(np.tile(np.arange(samples), (rows, 1)), axis=1)[:, :n]
        )
        return np.take_along_axis(self.draws, picks[:, :, None], axis=1)

    def crps(self, y: ArrayLike, fair: bool = False) -> NDArray[np.float64]:
        """Continuous ranked probability score of each row: E|Y - y| - E|Y - Y'| / 2. Lower is better.

        ``fair`` takes the pairs Y, Y' without those of a draw with itself.

        >>> Distribution([[1.0, 3.0]]).crps([2.0]).tolist()
        [0.5]
        """
        return self._squeeze(self._predictive.crps(self._observed(y), fair, self._threads))

    def energy_score(self, y: ArrayLike, fair: bool = False) -> NDArray[np.float64]:
        """The CRPS with Euclidean norms, of all targets together."""
        return self._predictive.energy_score(self._observed(y), fair, self._threads)

    def probability(self, region: Region) -> NDArray[np.float64]:
        """Share of joint draws inside a region, for each row.

        Parameters
        ----------
        region : str, callable or mapping
            Comparisons of targets and numbers, all of which must hold, as ``"y1 > 0.2 and 1 < y2 <= 3"`` (names with
            spaces in quotes); or a function that gets one array of draws per target, each of shape (rows, samples),
            and says which are inside; or a mapping from target names to (low, high), both included, None being no
            bound.

        Examples
        --------
        >>> dist = Distribution(np.array([[[1.0, 5.0], [2.0, 6.0], [3.0, 7.0], [4.0, 8.0]]]))
        >>> dist.probability(lambda y1, y2: (y1 > 1) & (y2 < 8)).tolist()
        [0.5]
        >>> dist.probability({"y1": (2, None), "y2": (None, 7.5)}).tolist()
        [0.5]
        >>> dist.probability("y1 >= 2 and y2 < 7.5").tolist()
        [0.5]
        """
        rows, samples, targets = self.draws.shape
        if isinstance(region, str):
            return self._predictive.probability(region, self._threads)
        if callable(region):
            inside = np.asarray(region(*(self.draws[:, :, t] for t in range(targets))), dtype=bool)
            if inside.shape != (rows, samples):
                raise ValueError(f"the region gave an array of shape {inside.shape}; expected {(rows, samples)}")
        elif isinstance(region, Mapping):
            inside = np.ones((rows, samples), dtype=bool)
            for name, (low, high) in region.items():
                draws = self.marginal(name).draws[:, :, 0]
                inside &= (draws >= (-np.inf if low is None else low)) & (draws <= (np.inf if high is None else high))
        else:
            raise TypeError(f"the region is a {type(region).__name__}: give text, a function or a mapping of bounds")
        return inside.mean(axis=1)

    def _squeeze(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        return values[..., 0] if self.draws.shape[2] == 1 else values

    def _observed(self, y: ArrayLike) -> NDArray[np.float64]:
        """Values of shape (rows, targets), one vector for each row."""
        rows, _, targets = self.draws.shape
        values = np.asarray(y, dtype=np.float64)
        if targets == 1 and values.ndim == 1:
            values = values[:, None]
        if values.shape != (rows, targets):
            raise ValueError(f"y has shape {np.shape(y)}, and the forecast has {rows} rows of {targets} target(s)")
        return np.ascontiguousarray(values)

    def _points(self, y: ArrayLike) -> tuple[NDArray[np.float64], bool]:
        """Points of shape (rows, points, targets), and whether there is one a row."""
        rows, _, targets = self.draws.shape
        values = np.asarray(y, dtype=np.float64)
        full = values[..., None] if targets == 1 and (values.ndim < 2 or values.shape != (rows, 1)) else values
        one = full.ndim < 3
        if full.ndim == 2:
            full = full[:, None, :]
        try:
            points = np.broadcast_to(full, (rows, full.shape[1] if full.ndim == 3 else 1, targets))
        except ValueError:
            raise ValueError(
                f"y has shape {np.shape(y)}, and the forecast has {rows} rows of {targets} target(s): give one point a"
                " row, or rows x points"
            ) from None
        return np.ascontiguousarray(points), one
