"""Scorers for scikit-learn's ``cross_val_score``, ``cross_validate`` and ``GridSearchCV``.

They are passed as objects, ``scoring=mirrorball.scoring.crps``: scikit-learn has no way to register a name. Higher is
better, as scikit-learn wants it: losses are negated. They work with a ``MirrorballRegressor``, and with a ``Pipeline`` or
a ``TransformedTargetRegressor`` around one. For several metrics give a dictionary, or `combine`, which predicts once for
all of them:

>>> import numpy as np
>>> from sklearn.model_selection import cross_validate
>>> from mirrorball import MirrorballRegressor, scoring
>>> X = np.random.default_rng(0).uniform(-1, 1, (120, 1))
>>> model = MirrorballRegressor(networks=1, epochs=5, calibrate="none")
>>> found = cross_validate(model, X, X[:, 0], cv=2, scoring=scoring.combine(scoring.crps, scoring.coverage(0.9)))
>>> found["test_crps"].shape, found["test_coverage_90"].shape
((2,), (2,))

With `combine` or a dictionary, name the one that a search maximizes: ``GridSearchCV(..., refit="crps")``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from numpy.typing import ArrayLike

from . import metrics
from ._core import SUMMARY_SAMPLES
from .distribution import Distribution
from .pipeline import predict_dist

__all__ = [
    "Scorer",
    "combine",
    "coverage",
    "crps",
    "energy_score",
    "interval_score",
    "interval_width",
    "log_score",
    "mae",
    "pinball",
    "rmse",
]


@dataclass(frozen=True)
class Scorer:
    """A scorer for scikit-learn: ``scorer(estimator, X, y)`` returns a number, higher is better.

    Parameters
    ----------
    name : str
    metric : callable
        ``metric(y, distribution, sample_weight=...)``, as the functions of ``mirrorball.metrics``.
    sign : int, default -1
        1 where the metric itself is returned.
    n_samples : int, default 1000
        Number of samples per row.

    Examples
    --------
    >>> crps
    Scorer('crps', negated)
    >>> Scorer("crps", metrics.crps, n_samples=200).n_samples
    200
    """

    name: str
    metric: Callable[..., Any] = field(repr=False)
    sign: int = -1
    n_samples: int = SUMMARY_SAMPLES

    def __call__(self, estimator: Any, X: Any, y: ArrayLike, sample_weight: ArrayLike | None = None) -> float:
        """The score of a fitted estimator on some rows."""
        return self.of(predict_dist(estimator, X, n_samples=self.n_samples), y, sample_weight)

    def of(self, dist: Distribution, y: ArrayLike, sample_weight: ArrayLike | None = None) -> float:
        """The score of a prediction.

        Parameters
        ----------
        dist : Distribution
        y : array of shape (rows,) or (rows, targets)
        sample_weight : array of shape (rows,), optional

        Returns
        -------
        float

        Examples
        --------
        >>> mae.of(Distribution([[1.0, 2.0, 3.0]]), [5.0])
        -3.0
        """
        return self.sign * float(self.metric(y, dist, sample_weight=sample_weight))

    def __repr__(self) -> str:
        return f"Scorer({self.name!r}{', negated' if self.sign < 0 else ''})"


@dataclass(frozen=True)
class _Combined:
    """Several scorers that share one prediction: a callable that returns a dictionary, as scikit-learn takes it."""

    scorers: tuple[Scorer, ...]

    def __call__(
        self, estimator: Any, X: Any, y: ArrayLike, sample_weight: ArrayLike | None = None
    ) -> dict[str, float]:
        dist = predict_dist(estimator, X, n_samples=max(scorer.n_samples for scorer in self.scorers))
        return {scorer.name: scorer.of(dist, y, sample_weight) for scorer in self.scorers}


crps = Scorer("crps", metrics.crps)
"""Minus the mean CRPS; with several targets the mean over them."""

energy_score = Scorer("energy_score", metrics.energy_score)
"""Minus the mean energy score: the CRPS of several targets jointly."""

mae = Scorer("mae", metrics.mae)
"""Minus the mean absolute error of the median."""

rmse = Scorer("rmse", metrics.rmse)
"""Minus the root mean squared error of the mean."""

log_score = Scorer("log_score", metrics.nll)
"""The mean log density at the observed values, by a kernel density estimate."""


def combine(*scorers: Scorer) -> Callable[..., dict[str, float]]:
    """Several scorers in one that predicts only once, for ``scoring=`` of ``cross_validate`` and ``GridSearchCV``.

    Parameters
    ----------
    *scorers : Scorer
        With different names.

    Returns
    -------
    callable
        It returns a dictionary of names and scores.

    Examples
    --------
    >>> both = combine(crps, coverage(0.9))
    >>> [scorer.name for scorer in both.scorers]
    ['crps', 'coverage_90']
    """
    names = [scorer.name for scorer in scorers]
    if not names or len(set(names)) < len(names):
        raise ValueError(f"the scorers are {', '.join(names) or 'none'}: give one at least, with different names")
    return _Combined(scorers)


def coverage(level: float = 0.9) -> Scorer:
    """The share of rows inside their central interval. To report it, not to maximize it: near ``level`` is best.

    Parameters
    ----------
    level : float, default 0.9
        The probability of the interval.

    Returns
    -------
    Scorer

    Examples
    --------
    >>> coverage(0.8)
    Scorer('coverage_80')
    """
    return Scorer(f"coverage_{_percent(level)}", _Of(metrics.coverage, level), sign=1)


def interval_width(level: float = 0.9) -> Scorer:
    """Minus the mean width of the central interval. Meaningful only beside `coverage`.

    Parameters
    ----------
    level : float, default 0.9
        The probability of the interval.

    Returns
    -------
    Scorer

    Examples
    --------
    >>> interval_width(0.9)
    Scorer('width_90', negated)
    """
    return Scorer(f"width_{_percent(level)}", _Width(level))


def interval_score(level: float = 0.9) -> Scorer:
    """Minus Winkler's score of the central interval: width and misses in one number.

    Parameters
    ----------
    level : float, default 0.9
        The probability of the interval.

    Returns
    -------
    Scorer

    Examples
    --------
    >>> interval_score(0.9)
    Scorer('interval_score_90', negated)
    """
    return Scorer(f"interval_score_{_percent(level)}", _Of(metrics.interval_score, level))


def pinball(quantile: float = 0.5) -> Scorer:
    """Minus the pinball loss of a quantile.

    Parameters
    ----------
    quantile : float, default 0.5
        Its probability level.

    Returns
    -------
    Scorer

    Examples
    --------
    >>> pinball(0.95)
    Scorer('pinball_95', negated)
    """
    return Scorer(f"pinball_{_percent(quantile)}", _Of(metrics.pinball, quantile))


@dataclass(frozen=True)
class _Of:
    """A metric at one level; unlike a lambda, joblib can send it to other processes."""

    metric: Callable[..., Any]
    level: float

    def __call__(self, y: ArrayLike, dist: Distribution, sample_weight: ArrayLike | None = None) -> float:
        return self.metric(y, dist, self.level, sample_weight=sample_weight)


@dataclass(frozen=True)
class _Width:
    """The width needs no observed values."""

    level: float

    def __call__(self, y: ArrayLike, dist: Distribution, sample_weight: ArrayLike | None = None) -> float:
        return metrics.interval_width(dist, self.level, sample_weight=sample_weight)


def _percent(share: float) -> str:
    """
    >>> _percent(0.9), _percent(0.995)
    ('90', '99.5')
    """
    if not 0 < share < 1:
        raise ValueError(f"the level {share:g} is not between 0 and 1")
    return f"{100 * share:.6g}"
