"""Quantiles, intervals, samples and distributions of a model inside scikit-learn's meta-estimators.

A ``Pipeline`` passes on ``predict`` only. The functions here take a fitted ``Pipeline``, ``GridSearchCV`` (or another
search), ``TransformedTargetRegressor``, or any nesting of them around a ``MirrorballRegressor``, and a plain
``MirrorballRegressor`` too:

>>> import numpy as np
>>> from sklearn.pipeline import make_pipeline
>>> from sklearn.preprocessing import StandardScaler
>>> from mirrorball import MirrorballRegressor, pipeline
>>> X = np.linspace(-1, 1, 200)[:, None]
>>> pipe = make_pipeline(StandardScaler(), MirrorballRegressor(networks=1, epochs=5)).fit(X, X[:, 0])
>>> low, high = pipeline.predict_interval(pipe, X[:3], 0.9)
>>> low.shape
(3,)

With a ``TransformedTargetRegressor`` the samples are transformed back one by one, so that quantiles and intervals are
those of the target itself, and the mean is the mean of the transformed samples (``TransformedTargetRegressor.predict``
returns the transform of the mean instead). Mirrorball transforms targets itself and needs none.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.utils.validation import check_is_fitted

from ._core import SUMMARY_SAMPLES
from .distribution import Distribution

__all__ = ["predict_dist", "predict_interval", "predict_quantiles", "sample"]


def predict_dist(estimator: Any, X: Any, *, n_samples: int = SUMMARY_SAMPLES, seed: int = 0) -> Distribution:
    """The distribution of each row.

    Parameters
    ----------
    estimator : Pipeline, search, TransformedTargetRegressor or MirrorballRegressor
        Fitted.
    X : array or frame of shape (rows, features)
        As for the estimator's ``predict``.
    n_samples : int, default 1000
        Number of samples per row.
    seed : int, default 0
        The same seed gives the same samples.

    Returns
    -------
    Distribution

    Examples
    --------
    >>> from sklearn.compose import TransformedTargetRegressor
    >>> from mirrorball import MirrorballRegressor
    >>> X = np.linspace(0, 1, 200)[:, None]
    >>> model = TransformedTargetRegressor(MirrorballRegressor(networks=1, epochs=5), func=np.log, inverse_func=np.exp)
    >>> dist = predict_dist(model.fit(X, np.exp(X[:, 0])), X[:3])
    >>> bool((dist.samples > 0).all())
    True
    """
    inner, rows = _unwrapped(estimator, X)
    if hasattr(inner, "predict_dist"):
        return inner.predict_dist(rows, n_samples=n_samples, seed=seed)
    dist = predict_dist(inner.regressor_, rows, n_samples=n_samples, seed=seed)
    return _transformed_back(dist, inner.transformer_)


def predict_quantiles(
    estimator: Any, X: Any, q: ArrayLike = (0.05, 0.5, 0.95), *, n_samples: int = SUMMARY_SAMPLES, seed: int = 0
) -> NDArray[np.float64]:
    """Quantiles of each row's distribution, as ``MirrorballRegressor.predict_quantiles``.

    Parameters
    ----------
    estimator : Pipeline, search, TransformedTargetRegressor or MirrorballRegressor
        Fitted.
    X : array or frame of shape (rows, features)
    q : float or sequence of float, default (0.05, 0.5, 0.95)
        Probability levels between 0 and 1.
    n_samples : int, default 1000
    seed : int, default 0

    Returns
    -------
    array of shape (rows, levels) or (rows, levels, targets)
        A single level has no axis of levels.

    Examples
    --------
    >>> from mirrorball import MirrorballRegressor
    >>> X = np.linspace(0, 1, 200)[:, None]
    >>> predict_quantiles(MirrorballRegressor(networks=1, epochs=5).fit(X, X[:, 0]), X[:3], [0.1, 0.9]).shape
    (3, 2)
    """
    inner, rows = _unwrapped(estimator, X)
    if hasattr(inner, "predict_quantiles"):
        return inner.predict_quantiles(rows, q, n_samples=n_samples, seed=seed)
    return predict_dist(inner, rows, n_samples=n_samples, seed=seed).quantile(q)


def predict_interval(
    estimator: Any, X: Any, coverage: float = 0.9, *, n_samples: int = SUMMARY_SAMPLES, seed: int = 0
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Lower and upper end of the central interval of each row, as ``MirrorballRegressor.predict_interval``.

    Parameters
    ----------
    estimator : Pipeline, search, TransformedTargetRegressor or MirrorballRegressor
        Fitted.
    X : array or frame of shape (rows, features)
    coverage : float, default 0.9
        The probability of the interval.
    n_samples : int, default 1000
    seed : int, default 0

    Returns
    -------
    lower, upper : arrays of shape (rows,) or (rows, targets)

    Examples
    --------
    >>> from mirrorball import MirrorballRegressor
    >>> X = np.linspace(0, 1, 200)[:, None]
    >>> low, high = predict_interval(MirrorballRegressor(networks=1, epochs=5).fit(X, X[:, 0]), X[:3])
    >>> bool((low <= high).all())
    True
    """
    inner, rows = _unwrapped(estimator, X)
    if hasattr(inner, "predict_interval"):
        return inner.predict_interval(rows, coverage, n_samples=n_samples, seed=seed)
    return predict_dist(inner, rows, n_samples=n_samples, seed=seed).interval(coverage)


def sample(estimator: Any, X: Any, n_samples: int = 100, seed: int = 0) -> NDArray[np.float64]:
    """Samples from each row's distribution, as ``MirrorballRegressor.sample``.

    Parameters
    ----------
    estimator : Pipeline, search, TransformedTargetRegressor or MirrorballRegressor
        Fitted.
    X : array or frame of shape (rows, features)
    n_samples : int, default 100
        Number of samples per row.
    seed : int, default 0

    Returns
    -------
    array of shape (rows, n_samples, targets)

    Examples
    --------
    >>> from mirrorball import MirrorballRegressor
    >>> X = np.linspace(0, 1, 200)[:, None]
    >>> sample(MirrorballRegressor(networks=1, epochs=5).fit(X, X[:, 0]), X[:3], 20).shape
    (3, 20, 1)
    """
    return predict_dist(estimator, X, n_samples=n_samples, seed=seed).samples


def _unwrapped(estimator: Any, X: Any) -> tuple[Any, Any]:
    """The model inside pipelines and searches, or its TransformedTargetRegressor, and the rows as they reach it."""
    if hasattr(estimator, "predict_dist") or (hasattr(estimator, "transformer_") and hasattr(estimator, "regressor_")):
        return estimator, X
    if hasattr(estimator, "best_estimator_"):
        return _unwrapped(estimator.best_estimator_, X)
    if hasattr(estimator, "steps"):
        check_is_fitted(estimator)
        return _unwrapped(estimator[-1], estimator[:-1].transform(X) if len(estimator.steps) > 1 else X)
    raise TypeError(
        f"{type(estimator).__name__} has no predictive distribution: give a fitted MirrorballRegressor, or a Pipeline,"
        " a search or a TransformedTargetRegressor around one"
    )


def _transformed_back(dist: Distribution, transformer: Any) -> Distribution:
    """The samples through the inverse transform of the targets."""
    rows, samples, targets = dist.samples.shape
    back = transformer.inverse_transform(dist.samples.reshape(-1, targets))
    # Where samples end is not known of a transformer that takes several targets together.
    made = Distribution(np.asarray(back, dtype=np.float64).reshape(rows, samples, targets), dist.target_names)
    made._threads = dist._threads
    return made
