"""Predictive distributions, represented by samples."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _core
from ._warnings import renamed, warn
from .density import Density, drawn_range

#: A region of target values: text, a function of one array per target that says where, or bounds by target name.
Region = str | Callable[..., ArrayLike] | Mapping[str, tuple]


#: What an uncertainty can be measured by.
_MEASURES = ("variance", "expected_crps")


class Uncertainty(NamedTuple):
    """How uncertain forecasts are, and the two parts that add up to it: arrays of shape (rows,) or (rows, targets).

    Examples
    --------
    >>> total, aleatoric, epistemic = Distribution([[0.0, 2.0, 4.0, 8.0]], sources=[0, 0, 1, 1]).uncertainty()
    >>> bool(np.allclose(total, aleatoric + epistemic))
    True
    """

    total: NDArray[np.float64]
    aleatoric: NDArray[np.float64]  #: what a network expects by itself, on average over the networks
    epistemic: NDArray[np.float64]  #: what the networks disagree about


class Distribution:
    """The predictive distributions of some rows, represented by samples.

    With one target, results have one number per row; with several, one column per target. Means, quantiles and the cdf
    are those of each target; densities and the energy score are joint.

    Parameters
    ----------
    samples : array of shape (rows, samples, targets), or (rows, samples) for one target
        Sample ``i`` of all targets is one joint sample.
    target_names : sequence of str, optional
        "y", or "y1", "y2", … by default.
    limits : sequence of (low, high), optional
        The range that samples of each target can have, None or an infinity where nothing limits them. A model sets it.
        Densities are drawn within it.
    sources : sequence of int, optional
        The network that each sample comes from, in every row: equal numbers mean the same one. A model sets it.
        `uncertainty` needs it.

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

    @renamed(draws="samples")
    def __init__(
        self,
        samples: ArrayLike,
        target_names: Sequence[str] | None = None,
        limits: Sequence[tuple[float | None, float | None]] | None = None,
        sources: ArrayLike | None = None,
    ) -> None:
        values = np.asarray(samples, dtype=np.float64)
        if values.ndim == 2:
            values = values[:, :, None]
        if values.ndim != 3 or values.shape[1] == 0 or values.shape[2] == 0:
            raise ValueError(
                f"samples have shape {np.shape(samples)}; expected rows x samples x targets with a sample at least, or"
                " rows x samples for one target"
            )
        if target_names is None:
            target_names = ["y"] if values.shape[2] == 1 else [f"y{i + 1}" for i in range(values.shape[2])]
        self._own(_core.Predictive(values, list(target_names)), 0)
        if limits is not None:
            self._predictive.limits = [_ends(*pair) for pair in limits]
        if sources is not None:
            self._predictive.sources = _whole_numbers(sources)

    @classmethod
    def _of(cls, predictive: _core.Predictive, threads: int = 0) -> Distribution:
        made = cls.__new__(cls)
        made._own(predictive, threads)
        return made

    def _own(self, predictive: _core.Predictive, threads: int) -> None:
        self._predictive = predictive
        self._threads = threads

    def _like(self, samples: ArrayLike, targets: Sequence[int]) -> Distribution:
        """Other samples of some of the targets, with all else of this one."""
        names, limits = self.target_names, self.limits
        made = Distribution(samples, [names[t] for t in targets], [limits[t] for t in targets])
        made._threads = self._threads
        sources = self.sources
        if sources is not None and made.samples.shape[1] == sources.size:
            made._predictive.sources = sources
        return made

    @property
    def samples(self) -> NDArray[np.float64]:
        """The samples, of shape (rows, samples, targets). The array is read-only.

        Examples
        --------
        >>> Distribution([[1.0, 2.0, 3.0]]).samples.shape
        (1, 3, 1)
        """
        view = self._predictive.draws
        view.flags.writeable = False
        return view

    @property
    def draws(self) -> NDArray[np.float64]:
        """The old name of `samples`."""
        warn("Distribution.draws is deprecated: use Distribution.samples", FutureWarning)
        return self.samples

    @property
    def target_names(self) -> list[str]:
        """The names of the targets.

        Examples
        --------
        >>> Distribution([[1.0, 2.0]], ["price"]).target_names
        ['price']
        """
        return list(self._predictive.target_names)

    @property
    def limits(self) -> list[tuple[float, float]]:
        """The range that samples of each target can have; infinite where nothing limits them.

        That is the range of the training targets, except with the target transforms "standard" and "none".

        Examples
        --------
        >>> Distribution([[1.0, 2.0]], limits=[(0, None)]).limits
        [(0.0, inf)]
        """
        return [(float(low), float(high)) for low, high in self._predictive.limits]

    @property
    def sources(self) -> NDArray[np.uint32] | None:
        """The network that each sample comes from, the same in every row; None where that is not known.

        Networks are numbered from 0; forest, Gaussian process and neighbours have the next three, in this order.

        Examples
        --------
        >>> Distribution([[1.0, 2.0, 3.0]], sources=[0, 0, 1]).sources.tolist()
        [0, 0, 1]
        """
        return self._predictive.sources

    def __len__(self) -> int:
        return self.samples.shape[0]

    def __getitem__(self, rows: Any) -> Distribution:
        """Some of the rows: a slice, an index or an array of them.

        >>> Distribution([[1.0, 2.0], [3.0, 4.0]])[1:].mean().tolist()
        [3.5]
        """
        picked = self.samples[rows]
        return self._like(picked[None] if picked.ndim == 2 else picked, range(self.samples.shape[2]))

    def __repr__(self) -> str:
        rows, samples, _ = self.samples.shape
        return f"Distribution(rows={rows}, samples={samples}, targets={self.target_names})"

    def _repr_html_(self) -> str:
        """The first rows as a table, with a small density each."""
        from ._shown import distribution_html

        return distribution_html(self)

    def __getstate__(self) -> dict[str, Any]:
        return {
            "samples": np.ascontiguousarray(self.samples),
            "target_names": self.target_names,
            "limits": self.limits,
            "sources": self.sources,
            "threads": self._threads,
        }

    def __setstate__(self, state: dict[str, Any]) -> None:
        self._own(_core.Predictive(state["samples"], state["target_names"]), state["threads"])
        if "limits" in state:  # pickles of version 0.1 have none
            self._predictive.limits = state["limits"]
        if state.get("sources") is not None:
            self._predictive.sources = state["sources"]

    def mean(self) -> NDArray[np.float64]:
        """The mean of each row.

        Returns
        -------
        array of shape (rows,) or (rows, targets)

        Examples
        --------
        >>> Distribution([[1.0, 2.0, 6.0]]).mean().tolist()
        [3.0]
        """
        return self._squeeze(self._predictive.mean(self._threads))

    def std(self) -> NDArray[np.float64]:
        """The standard deviation of each row, with samples - 1 in the denominator.

        Returns
        -------
        array of shape (rows,) or (rows, targets)

        Examples
        --------
        >>> Distribution([[1.0, 2.0, 3.0]]).std().tolist()
        [1.0]
        """
        return self._squeeze(self._predictive.sd(self._threads))

    def var(self) -> NDArray[np.float64]:
        """The variance of each row, with samples - 1 in the denominator.

        Returns
        -------
        array of shape (rows,) or (rows, targets)

        Examples
        --------
        >>> Distribution([[1.0, 3.0, 5.0]]).var().tolist()
        [4.0]
        """
        return self.std() ** 2

    def uncertainty(self, measure: str = "variance") -> Uncertainty:
        """How uncertain each row is, split into what the networks expect and what they disagree about.

        The aleatoric part is what a network expects by itself, on average over the networks: how much the target varies
        for given features. The epistemic part is what the networks disagree about, and more rows could reduce it.
        Forest, Gaussian process and neighbours count as one more network each. The two parts add up to the total, that of the
        calibrated samples. A model that is one network alone has no epistemic part.

        Networks can agree and be wrong together, above all far from the training rows: a small epistemic part is no
        proof of knowledge.

        Parameters
        ----------
        measure : "variance" or "expected_crps", default "variance"
            The variance of the samples (``std() ** 2``), with the variance of the networks' means as the epistemic
            part; or the CRPS that the forecast expects if the outcome follows it, half the mean distance of two samples,
            in the units of the target. Its epistemic part is what one would save by knowing which network is right.

        Returns
        -------
        Uncertainty
            Arrays ``total``, ``aleatoric`` and ``epistemic`` of shape (rows,) or (rows, targets).

        Examples
        --------
        >>> dist = Distribution([[-1.0, 1.0, -1.0, 1.0], [-3.0, -1.0, 1.0, 3.0]], sources=[0, 0, 1, 1])
        >>> dist.uncertainty("expected_crps").aleatoric.tolist()
        [0.5, 0.5]
        >>> dist.uncertainty("expected_crps").epistemic.tolist()
        [0.0, 0.75]
        """
        if measure not in _MEASURES:
            raise ValueError(f"the measure {measure!r} is unknown: use {' or '.join(map(repr, _MEASURES))}")
        if self.sources is None:
            raise ValueError(
                "the uncertainty cannot be split: which network each sample comes from is not known; give `sources`"
            )
        parts = self._predictive.uncertainty(self._threads)[:, :, _MEASURES.index(measure), :]
        return Uncertainty(*(self._squeeze(parts[:, :, i]) for i in range(3)))

    def median(self) -> NDArray[np.float64]:
        """The median of each row.

        Returns
        -------
        array of shape (rows,) or (rows, targets)

        Examples
        --------
        >>> Distribution([[1.0, 2.0, 9.0]]).median().tolist()
        [2.0]
        """
        return self.quantile(0.5)

    def quantile(self, q: ArrayLike) -> NDArray[np.float64]:
        """Quantiles of each row.

        Parameters
        ----------
        q : float or sequence of float
            Probability levels between 0 and 1.

        Returns
        -------
        array of shape (rows, levels) or (rows, levels, targets)
            A single level has no axis of levels.

        Examples
        --------
        >>> dist = Distribution([[1.0, 2.0, 3.0, 4.0, 5.0]])
        >>> dist.quantile([0.25, 0.5]).tolist()
        [[2.0, 3.0]]
        >>> dist.quantile(0.75).tolist()
        [4.0]
        """
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
        """Lower and upper end of the central interval of each row.

        Parameters
        ----------
        coverage : float, default 0.9
            The probability of the interval: 0.9 is the interval from the 5% to the 95% quantile.

        Returns
        -------
        lower, upper : arrays of shape (rows,) or (rows, targets)

        Examples
        --------
        >>> low, high = Distribution([np.arange(101.0)]).interval(0.8)
        >>> low.round(6).tolist(), high.round(6).tolist()
        ([10.0], [90.0])
        """
        if not 0 < coverage < 1:
            raise ValueError(f"the coverage {coverage:g} is not between 0 and 1")
        ends = self.quantile([(1 - coverage) / 2, (1 + coverage) / 2])
        return ends[:, 0], ends[:, 1]

    def cdf(self, y: ArrayLike) -> NDArray[np.float64]:
        """Probability of values at or below y, target by target.

        Parameters
        ----------
        y : float or array
            With one target one number, one per row, or an array of shape (rows, points) with several points for each
            row. With several targets it has a last axis of targets.

        Returns
        -------
        array of shape (rows,) or (rows, points), with a last axis of targets if there are several

        Examples
        --------
        >>> dist = Distribution([[1.0, 2.0, 3.0, 4.0]])
        >>> dist.cdf(2).tolist(), dist.cdf([[0, 1, 9]]).tolist()
        ([0.5], [[0.0, 0.25, 1.0]])
        """
        points, one = self._points(y)
        values = self._squeeze(self._predictive.cdf(points, self._threads))
        return values[:, 0] if one else values

    def logpdf(self, y: ArrayLike) -> NDArray[np.float64]:
        """Logarithm of the density at y, with several targets of the joint density.

        The density is a Gaussian kernel estimate with Scott's factor, as scipy's gaussian_kde: that of the NLL. It ignores
        the limits of a target; `density` has the one that is drawn. Samples without spread get a lower bound of the kernel width
        instead of an infinite density.

        Parameters
        ----------
        y : float or array
            As for `cdf`.

        Returns
        -------
        array of shape (rows,) or (rows, points)

        Examples
        --------
        >>> dist = Distribution([[-1.0, 0.0, 1.0]])
        >>> bool(dist.logpdf(0)[0] > dist.logpdf(3)[0])
        True
        """
        points, one = self._points(y)
        values = self._predictive.log_density(points, self._threads)
        return values[:, 0] if one else values

    def pdf(self, y: ArrayLike) -> NDArray[np.float64]:
        """Density at y: the exponential of `logpdf`.

        Parameters
        ----------
        y : float or array
            As for `cdf`.

        Returns
        -------
        array of shape (rows,) or (rows, points)

        Examples
        --------
        >>> dist = Distribution([[-1.0, 0.0, 1.0]])
        >>> bool(np.isclose(dist.pdf(0.5)[0], np.exp(dist.logpdf(0.5)[0])))
        True
        """
        return np.exp(self.logpdf(y))

    def density(
        self,
        row: int = 0,
        target: str | int = 0,
        *,
        low: float | None = None,
        high: float | None = None,
        points: int = 400,
    ) -> Density:
        """The density of one row as it is drawn, here, in the report and in the explorer.

        Values that many samples are equal to are spikes, or bars where few values hold nearly all samples. The curve is a
        kernel estimate of the other samples, reflected at the target's limits.

        Parameters
        ----------
        row : int, default 0
        target : str or int, default 0
            Its name or position.
        low, high : float, optional
            Where the curve begins and ends; by default all but 0.6% of the samples, and some room.
        points : int, default 400

        Returns
        -------
        Density

        Examples
        --------
        >>> capped = np.minimum(np.random.default_rng(0).normal(4, 1, (1, 500)), 5)
        >>> shape = Distribution(capped).density()
        >>> [(spike.value, spike.share) for spike in shape.spikes]
        [(5.0, 0.17)]
        >>> float(shape.x[-1])
        5.0
        """
        rows = len(self)
        if not -rows <= row < rows:
            raise ValueError(f"row {row} does not exist: the forecast has {rows} rows")
        place = self._place(target)
        if low is None or high is None:
            values = self.samples[row, :, place]
            first = self._predictive.density(row % rows, place, values.min() - 1, values.max() + 1, 2)
            ends = drawn_range(values, first["bandwidth"])
            low, high = (end if given is None else given for end, given in zip(ends, (low, high)))
        return Density._of(self._predictive.density(row % rows, place, low, high, points))

    def marginal(self, target: str | int) -> Distribution:
        """The distribution of one target alone.

        Parameters
        ----------
        target : str or int
            Its name or position.

        Returns
        -------
        Distribution

        Examples
        --------
        >>> dist = Distribution(np.arange(12.0).reshape(2, 3, 2), ["a", "b"])
        >>> dist.marginal("b").mean().tolist()
        [3.0, 9.0]
        """
        place = self._place(target)
        return self._like(self.samples[:, :, [place]], [place])

    @renamed(n="n_samples")
    def sample(self, n_samples: int | None = None, seed: int | None = 0) -> NDArray[np.float64]:
        """Some of the samples of each row, chosen at random.

        They are chosen without replacement as long as there are enough.

        Parameters
        ----------
        n_samples : int, optional
            How many per row; by default all of them, in their order.
        seed : int, default 0
            Decides which; None chooses others in every call.

        Returns
        -------
        array of shape (rows, n_samples, targets)

        Examples
        --------
        >>> Distribution([[1.0, 2.0, 3.0]]).sample(2).shape
        (1, 2, 1)
        """
        if n_samples is None:
            return self.samples.copy()
        if n_samples < 1:
            raise ValueError(f"n_samples is {n_samples}: it must be 1 or more")
        rows, samples, _ = self.samples.shape
        random = np.random.default_rng(seed)
        picks = (
            random.integers(samples, size=(rows, n_samples))
            if n_samples > samples
            else random.permuted(np.tile(np.arange(samples), (rows, 1)), axis=1)[:, :n_samples]
        )
        return np.take_along_axis(self.samples, picks[:, :, None], axis=1)

    def crps(self, y: ArrayLike, fair: bool = False) -> NDArray[np.float64]:
        """Continuous ranked probability score of each row: E|Y - y| - E|Y - Y'| / 2. Lower is better.

        Parameters
        ----------
        y : array of shape (rows,) or (rows, targets)
            The observed values.
        fair : bool, default False
            Leave out the pairs of a sample with itself.

        Returns
        -------
        array of shape (rows,) or (rows, targets)

        Examples
        --------
        >>> Distribution([[1.0, 3.0]]).crps([2.0]).tolist()
        [0.5]
        """
        return self._squeeze(self._predictive.crps(self._observed(y), fair, self._threads))

    def energy_score(self, y: ArrayLike, fair: bool = False) -> NDArray[np.float64]:
        """The CRPS with Euclidean norms, of all targets together. Lower is better.

        Parameters
        ----------
        y : array of shape (rows,) or (rows, targets)
            The observed values.
        fair : bool, default False
            Leave out the pairs of a sample with itself.

        Returns
        -------
        array of shape (rows,)

        Examples
        --------
        >>> Distribution([[[0.0, 0.0], [3.0, 4.0]]]).energy_score([[0.0, 0.0]]).tolist()
        [1.25]
        """
        return self._predictive.energy_score(self._observed(y), fair, self._threads)

    def probability(self, region: Region) -> NDArray[np.float64]:
        """Probability of a region of the targets, for each row.

        Parameters
        ----------
        region : str, callable or mapping
            Comparisons of targets and numbers, all of which must hold, as ``"y1 > 0.2 and 1 < y2 <= 3"`` (names with
            spaces in quotes); or a function that gets one array of samples per target, each of shape (rows, samples),
            and returns which are inside; or a mapping from target names to (low, high), both included, None being no
            bound.

        Returns
        -------
        array of shape (rows,)

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
        rows, samples, targets = self.samples.shape
        if isinstance(region, str):
            return self._predictive.probability(region, self._threads)
        if callable(region):
            inside = np.asarray(region(*(self.samples[:, :, t] for t in range(targets))), dtype=bool)
            if inside.shape != (rows, samples):
                raise ValueError(f"the region gave an array of shape {inside.shape}; expected {(rows, samples)}")
        elif isinstance(region, Mapping):
            inside = np.ones((rows, samples), dtype=bool)
            for name, (low, high) in region.items():
                values = self.marginal(name).samples[:, :, 0]
                inside &= (values >= (-np.inf if low is None else low)) & (values <= (np.inf if high is None else high))
        else:
            raise TypeError(f"the region is a {type(region).__name__}: give text, a function or a mapping of bounds")
        return inside.mean(axis=1)

    def _place(self, target: str | int) -> int:
        """The position of a target given by name or position."""
        names = self.target_names
        if isinstance(target, str):
            if target not in names:
                raise ValueError(f"unknown target {target!r}; the targets are {', '.join(names)}")
            return names.index(target)
        if not -len(names) <= target < len(names):
            raise ValueError(f"target {target} does not exist: the forecast has {len(names)} targets")
        return target % len(names)

    def _squeeze(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        return values[..., 0] if self.samples.shape[2] == 1 else values

    def _observed(self, y: ArrayLike) -> NDArray[np.float64]:
        """Values of shape (rows, targets), one vector for each row."""
        rows, _, targets = self.samples.shape
        values = np.asarray(y, dtype=np.float64)
        if targets == 1 and values.ndim == 1:
            values = values[:, None]
        if values.shape != (rows, targets):
            raise ValueError(f"y has shape {np.shape(y)}, and the forecast has {rows} rows of {targets} target(s)")
        return np.ascontiguousarray(values)

    def _points(self, y: ArrayLike) -> tuple[NDArray[np.float64], bool]:
        """Points of shape (rows, points, targets), and whether there is one a row."""
        rows, _, targets = self.samples.shape
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


def _ends(low: float | None, high: float | None) -> tuple[float, float]:
    return (-np.inf if low is None else low, np.inf if high is None else high)


def _whole_numbers(sources: ArrayLike) -> NDArray[np.int64]:
    values = np.asarray(sources)
    if values.ndim != 1 or not np.issubdtype(values.dtype, np.integer) or (values < 0).any():
        raise ValueError("sources are not a list of whole numbers from 0 on: give one for each sample")
    return values
