"""Fits and predictions on Dask DataFrames and Arrays. Needs Dask: ``pip install 'mirrorball-ml[dask]'``."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

try:
    import dask
    import dask.array as da
except ImportError as error:
    raise ImportError("mirrorball.dask needs Dask: pip install 'mirrorball-ml[dask]'") from error

from . import _core
from ._core import SUMMARY_SAMPLES
from .regressor import MirrorballRegressor
from .settings import options_of, seed_of

__all__ = ["DaskMirrorballRegressor"]


class DaskMirrorballRegressor:
    """`MirrorballRegressor` for Dask DataFrames and Arrays.

    Each network of the ensemble is a Dask task, and so is its refit. Every task needs the whole table: it is joined once and
    sent to the workers that run tasks, so it must fit into the memory of each of them. A lost worker costs the tasks that
    it ran, which Dask runs again, with the same result. The fitted model is the one that `MirrorballRegressor` gives on
    the computed collections, byte for byte.

    Parameters
    ----------
    client : distributed.Client, optional
        The cluster to use. By default the current client, or where there is none, Dask's local scheduler.
    **parameters : dict
        Those of `MirrorballRegressor`. ``n_jobs`` is the number of threads of one task; by default 1, because a worker runs
        as many tasks at a time as it has threads.

    Examples
    --------
    >>> import dask.array as da
    >>> X = da.random.default_rng(0).uniform(-1, 1, (300, 2), chunks=(100, 2))
    >>> model = DaskMirrorballRegressor(networks=2, epochs=5).fit(X, X[:, 0])
    >>> model.predict(X).compute().shape
    (300,)
    """

    def __init__(self, client: Any = None, **parameters: Any) -> None:
        self.client = client
        self._local = MirrorballRegressor(**parameters)

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """The parameters, with ``client``.

        Parameters
        ----------
        deep : bool, default True
            Ignored; scikit-learn passes it.

        Returns
        -------
        dict
        """
        return {"client": self.client, **self._local.get_params(deep)}

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> DaskMirrorballRegressor:
        """Fits the model, at once.

        Parameters
        ----------
        X : dask DataFrame or Array of shape (rows, features)
        y : dask Series, DataFrame or Array of shape (rows,) or (rows, targets)
            With as many partitions as X.
        sample_weight : dask Series or Array of shape (rows,), optional

        Returns
        -------
        DaskMirrorballRegressor
            The fitted estimator itself.
        """
        given = [("X", X), ("y", y), ("sample_weight", sample_weight)]
        columns = [_blocks(name, values) for name, values in given if values is not None]
        for (name, _), blocks in zip(given[1:], columns[1:]):
            if len(blocks) != len(columns[0]):
                raise ValueError(
                    f"{name} has {len(blocks)} partitions, X has {len(columns[0])}: repartition one of them"
                )
        parameters = self._local.get_params(deep=False)
        # All tasks need the same seed, and none a bar of its own.
        task = {**parameters, "random_state": seed_of(self._local.random_state), "verbose": False}
        task["n_jobs"] = task["n_jobs"] or 1
        networks = options_of(MirrorballRegressor(**task)).values()["networks"]
        table = dask.delayed(_joined, pure=True)(columns)
        train = dask.delayed(_train_network, pure=True)
        first = [train(task, table, "training", network, []) for network in range(networks)]
        again = [train(task, table, "refit", network, first) for network in range(networks)]
        self._local = self._compute(dask.delayed(_assemble, pure=True)(task, table, first + again))
        self._local.set_params(**parameters)
        return self

    def predict(self, X: Any, *, n_samples: int = SUMMARY_SAMPLES, seed: int = 0) -> da.Array:
        """The mean, as `MirrorballRegressor.predict` gives it, computed partition by partition when it is needed.

        Parameters
        ----------
        X : dask DataFrame or Array of shape (rows, features)
        n_samples : int, default 1000
        seed : int, default 0

        Returns
        -------
        dask Array of shape (rows,) or (rows, targets)
        """
        return self._lazy(X, "predict", n_samples=n_samples, seed=seed)

    def predict_quantiles(
        self, X: Any, q: float | Sequence[float] = (0.05, 0.5, 0.95), *, n_samples: int = SUMMARY_SAMPLES, seed: int = 0
    ) -> da.Array:
        """Quantiles, as `MirrorballRegressor.predict_quantiles` gives them.

        Parameters
        ----------
        X : dask DataFrame or Array of shape (rows, features)
        q : float or list of float
        n_samples : int, default 1000
        seed : int, default 0

        Returns
        -------
        dask Array
        """
        return self._lazy(X, "predict_quantiles", q, n_samples=n_samples, seed=seed)

    def predict_interval(
        self, X: Any, coverage: float = 0.9, *, n_samples: int = SUMMARY_SAMPLES, seed: int = 0
    ) -> tuple[da.Array, da.Array]:
        """The ends of the central interval, as `MirrorballRegressor.predict_interval` gives them.

        Parameters
        ----------
        X : dask DataFrame or Array of shape (rows, features)
        coverage : float, default 0.9
        n_samples : int, default 1000
        seed : int, default 0

        Returns
        -------
        lower, upper : dask Arrays
        """
        both = self._lazy(X, "predict_interval", coverage, n_samples=n_samples, seed=seed)
        return both[..., 0], both[..., 1]

    def sample(self, X: Any, n_samples: int = 100, seed: int = 0) -> da.Array:
        """Samples, as `MirrorballRegressor.sample` gives them.

        Parameters
        ----------
        X : dask DataFrame or Array of shape (rows, features)
        n_samples : int, default 100
        seed : int, default 0

        Returns
        -------
        dask Array of shape (rows, n_samples, targets)
        """
        return self._lazy(X, "sample", n_samples, seed)

    def to_local(self) -> MirrorballRegressor:
        """The fitted `MirrorballRegressor`.

        Returns
        -------
        MirrorballRegressor
        """
        check_is_fitted(self._local)
        return self._local

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes a model file.

        Parameters
        ----------
        path : str or path
        """
        self._local.save(path)

    def _compute(self, value: Any) -> Any:
        if self.client is not None:
            return self.client.compute(value).result()
        return value.compute()

    def _lazy(self, X: Any, method: str, *arguments: Any, **named: Any) -> da.Array:
        """The results of a method for every partition, one below the other."""
        parts, sizes, none = _blocks("X", X), _sizes(X), _empty(X)
        shape = _call(self._local, none, method, arguments, named).shape[1:]
        model = dask.delayed(self._local)
        call: Callable[..., Any] = dask.delayed(_call, pure=True)
        arrays = [
            da.from_delayed(call(model, part, method, arguments, named), (size, *shape), np.float64)
            for part, size in zip(parts, sizes)
        ]
        return da.concatenate(arrays, allow_unknown_chunksizes=True)


def _blocks(name: str, values: Any) -> list[Any]:
    """The partitions of a collection; each holds whole rows."""
    if isinstance(values, da.Array):
        whole = values.rechunk(dict.fromkeys(range(1, values.ndim), -1))
        return list(whole.to_delayed().ravel())
    if hasattr(values, "divisions"):  # a frame or a series
        return list(values.to_delayed())
    raise TypeError(f"{name} is a {type(values).__name__}: give a Dask DataFrame or Array, or use MirrorballRegressor")


def _sizes(X: Any) -> Sequence[float]:
    return X.chunks[0] if isinstance(X, da.Array) else [float("nan")] * X.npartitions


def _empty(X: Any) -> Any:
    """The same columns without rows."""
    return np.empty((0, *X.shape[1:]), X.dtype) if isinstance(X, da.Array) else X._meta.iloc[:0]


def _call(model: MirrorballRegressor, X: Any, method: str, arguments: tuple, named: dict[str, Any]) -> Any:
    found = getattr(model, method)(X, *arguments, **named)
    return np.stack(found, axis=-1) if isinstance(found, tuple) else found


def _joined(columns: list[list[Any]]) -> list[Any]:
    """X, y and the weights of all partitions."""
    return [_concatenated(blocks) for blocks in columns]


def _concatenated(blocks: list[Any]) -> Any:
    if isinstance(blocks[0], np.ndarray):
        return np.concatenate(blocks)
    from dask.dataframe.dispatch import concat

    return concat(blocks)


def _train_network(parameters: dict[str, Any], table: list[Any], phase: str, network: int, parts: list[bytes]) -> bytes:
    model = MirrorballRegressor(**parameters)
    X, y, weights = (*table, None)[:3]
    train, roles = model._training_table(X, y, weights, None, None)
    options = options_of(model)
    return _core.fit_part(train, None, roles.targets, roles.weight, options, phase, network, b"".join(parts))


def _assemble(parameters: dict[str, Any], table: list[Any], parts: list[bytes]) -> MirrorballRegressor:
    X, y, weights = (*table, None)[:3]
    return MirrorballRegressor(**parameters)._fit(X, y, weights, parts=b"".join(parts))
