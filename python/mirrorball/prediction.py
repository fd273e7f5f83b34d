"""What an estimator predicts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _core
from ._core import SUMMARY_SAMPLES
from ._options import Parameters
from ._warnings import renamed
from .distribution import Distribution, Uncertainty
from .progress import Bar
from .settings import count_of, threads_of

_BLOCK = 2_000_000  # samples computed at a time


class Predictions(Parameters):
    """Means, quantiles, intervals, samples and distributions of rows."""

    model_: _core.Model
    target_names_: list[str]

    def _known_table(self, X: Any) -> _core.Table:
        """The features of X, for a fitted model."""
        raise NotImplementedError

    @renamed(samples="n_samples")
    def predict(self, X: Any, *, n_samples: int = SUMMARY_SAMPLES, seed: int = 0) -> NDArray[np.float64]:
        """The mean of each row's distribution.

        Parameters
        ----------
        X : array or frame of shape (rows, features)
        n_samples : int, default 1000
            Number of samples per row that the mean is computed from.
        seed : int, default 0
            The same seed gives the same samples.

        Returns
        -------
        array of shape (rows,) or (rows, targets)

        Examples
        --------
        >>> from mirrorball import MirrorballRegressor
        >>> X = np.linspace(-1, 1, 200)[:, None]
        >>> MirrorballRegressor(networks=1, epochs=5).fit(X, X[:, 0]).predict(X[:3]).shape
        (3,)
        """
        return np.concatenate([dist.mean() for dist in self._blocks(self._known_table(X), n_samples, seed)])

    @renamed(samples="n_samples")
    def predict_quantiles(
        self, X: Any, q: ArrayLike = (0.05, 0.5, 0.95), *, n_samples: int = SUMMARY_SAMPLES, seed: int = 0
    ) -> NDArray[np.float64]:
        """Quantiles of each row's distribution.

        Parameters
        ----------
        X : array or frame of shape (rows, features)
        q : float or sequence of float, default (0.05, 0.5, 0.95)
            Probability levels between 0 and 1.
        n_samples : int, default 1000
            Number of samples per row that the quantiles are computed from.
        seed : int, default 0
            The same seed gives the same samples.

        Returns
        -------
        array of shape (rows, levels) or (rows, levels, targets)
            A single level has no axis of levels.

        Examples
        --------
        >>> from mirrorball import MirrorballRegressor
        >>> X = np.linspace(-1, 1, 200)[:, None]
        >>> model = MirrorballRegressor(networks=1, epochs=5).fit(X, X[:, 0])
        >>> model.predict_quantiles(X[:3], [0.1, 0.9]).shape
        (3, 2)
        """
        return np.concatenate([dist.quantile(q) for dist in self._blocks(self._known_table(X), n_samples, seed)])

    @renamed(samples="n_samples")
    def predict_interval(
        self, X: Any, coverage: float = 0.9, *, n_samples: int = SUMMARY_SAMPLES, seed: int = 0
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Lower and upper end of the central interval of each row.

        Parameters
        ----------
        X : array or frame of shape (rows, features)
        coverage : float, default 0.9
            The probability of the interval: 0.9 is the interval from the 5% to the 95% quantile.
        n_samples : int, default 1000
            Number of samples per row that the interval is computed from.
        seed : int, default 0
            The same seed gives the same samples.

        Returns
        -------
        lower, upper : arrays of shape (rows,) or (rows, targets)

        Examples
        --------
        >>> from mirrorball import MirrorballRegressor
        >>> X = np.linspace(-1, 1, 200)[:, None]
        >>> low, high = MirrorballRegressor(networks=1, epochs=5).fit(X, X[:, 0]).predict_interval(X[:3], 0.8)
        >>> bool((low <= high).all())
        True
        """
        blocks = self._blocks(self._known_table(X), n_samples, seed)
        lower, upper = zip(*(dist.interval(coverage) for dist in blocks))
        return np.concatenate(lower), np.concatenate(upper)

    def predict_uncertainty(
        self, X: Any, measure: str = "variance", *, n_samples: int = SUMMARY_SAMPLES, seed: int = 0
    ) -> Uncertainty:
        """How uncertain each row is, split into what the networks expect and what they disagree about.

        Parameters
        ----------
        X : array or frame of shape (rows, features)
        measure : "variance" or "expected_crps", default "variance"
            As for `Distribution.uncertainty`, which says what the parts are.
        n_samples : int, default 1000
            Number of samples per row that it is computed from.
        seed : int, default 0
            The same seed gives the same samples.

        Returns
        -------
        Uncertainty
            Arrays ``total``, ``aleatoric`` and ``epistemic`` of shape (rows,) or (rows, targets).

        Examples
        --------
        >>> from mirrorball import MirrorballRegressor
        >>> X = np.linspace(-1, 1, 200)[:, None]
        >>> model = MirrorballRegressor(networks=3, epochs=5).fit(X, X[:, 0])
        >>> total, aleatoric, epistemic = model.predict_uncertainty(X[:3])
        >>> bool(np.allclose(total, aleatoric + epistemic))
        True
        """
        blocks = self._blocks(self._known_table(X), n_samples, seed)
        return Uncertainty(*map(np.concatenate, zip(*(dist.uncertainty(measure) for dist in blocks))))

    @renamed(n="n_samples")
    def sample(self, X: Any, n_samples: int = 100, seed: int = 0) -> NDArray[np.float64]:
        """Samples from each row's distribution.

        Parameters
        ----------
        X : array or frame of shape (rows, features)
        n_samples : int, default 100
            Number of samples per row.
        seed : int, default 0
            The same seed gives the same samples.

        Returns
        -------
        array of shape (rows, n_samples, targets)
            Sample i of all targets is one joint sample.

        Examples
        --------
        >>> from mirrorball import MirrorballRegressor
        >>> X = np.linspace(-1, 1, 200)[:, None]
        >>> MirrorballRegressor(networks=1, epochs=5).fit(X, X[:, 0]).sample(X[:3], 20).shape
        (3, 20, 1)
        """
        return self._samples(X, n_samples, seed, calibrated=True)

    @renamed(n="n_functions")
    def functions(self, X: Any, n_functions: int = 20, seed: int = 0) -> NDArray[np.float64]:
        """Sample functions along the rows of X: the noise is fixed while x varies.

        These are the networks' own samples, smooth in x, before calibration.

        Parameters
        ----------
        X : array or frame of shape (rows, features)
        n_functions : int, default 20
            Number of functions.
        seed : int, default 0
            The same seed gives the same functions.

        Returns
        -------
        array of shape (rows, n_functions, targets)

        Examples
        --------
        >>> from mirrorball import MirrorballRegressor
        >>> X = np.linspace(-1, 1, 200)[:, None]
        >>> MirrorballRegressor(networks=1, epochs=5).fit(X, X[:, 0]).functions(X, 4).shape
        (200, 4, 1)
        """
        return self._samples(X, n_functions, seed, calibrated=False)

    @renamed(samples="n_samples")
    def predict_dist(self, X: Any, *, n_samples: int = SUMMARY_SAMPLES, seed: int = 0) -> Distribution:
        """The distribution of each row, represented by samples: mean, quantiles, probabilities, densities from one object.

        Parameters
        ----------
        X : array or frame of shape (rows, features)
        n_samples : int, default 1000
            Number of samples per row.
        seed : int, default 0
            The same seed gives the same samples.

        Returns
        -------
        Distribution

        Examples
        --------
        >>> from mirrorball import MirrorballRegressor
        >>> X = np.linspace(-1, 1, 200)[:, None]
        >>> dist = MirrorballRegressor(networks=1, epochs=5).fit(X, X[:, 0]).predict_dist(X[:3])
        >>> dist.probability("y > 0.5").shape
        (3,)
        """
        samples, sources = self._samples_and_sources(X, n_samples, seed, calibrated=True)
        predictive = _core.Predictive(samples, self.target_names_)
        predictive.sources = sources
        predictive.limits = [target.limits for target in self.model_.schema.targets]
        return Distribution._of(predictive, threads_of(self))

    def _samples(self, X: Any, n: int, seed: int, calibrated: bool) -> NDArray[np.float64]:
        return self._samples_and_sources(X, n, seed, calibrated)[0]

    def _samples_and_sources(
        self, X: Any, n: int, seed: int, calibrated: bool
    ) -> tuple[NDArray[np.float64], NDArray[np.uint32] | None]:
        table = self._known_table(X)
        out: NDArray[np.float64] | None = None
        sources: NDArray[np.uint32] | None = None
        begin = 0
        for dist in self._blocks(table, n, seed, calibrated):
            if out is None:  # a network without noise has fewer samples than were asked for
                out, sources = np.empty((len(table), *dist.samples.shape[1:])), dist.sources
            out[begin : begin + len(dist)] = dist.samples
            begin += len(dist)
        assert out is not None  # there is a block at least
        return out, sources

    def _blocks(self, table: _core.Table, samples: int, seed: int, calibrated: bool = True) -> Iterator[Distribution]:
        """Some rows at a time, so that the memory of a summary does not grow with the table."""
        samples, seed = count_of("n_samples", samples), count_of("seed", seed, 0)
        step = min(max(_BLOCK // (samples * len(self.target_names_)), 1), 4096)
        with Bar(self.verbose) as bar:
            for begin in range(0, max(1, len(table)), step):  # a table without rows has one block too
                end = min(begin + step, len(table))
                yield self._predict(table, begin, end, samples, seed, calibrated)
                bar.show(end / max(1, len(table)), f"{end:,} rows")

    def _predict(
        self, table: _core.Table, begin: int, end: int, samples: int, seed: int, calibrated: bool
    ) -> Distribution:
        threads = threads_of(self)
        return Distribution._of(self.model_.predict(table, begin, end, samples, seed, threads, calibrated), threads)
