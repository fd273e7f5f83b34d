"""Mirrorball as a probabilistic regressor of skpro. Needs skpro: ``pip install 'mirrorball-ml[skpro]'``."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
import pandas as pd
from sklearn.base import clone

try:
    from skpro.distributions.empirical import Empirical
    from skpro.regression.base import BaseProbaRegressor
except ImportError as error:
    raise ImportError("the skpro adapter needs skpro: pip install 'mirrorball-ml[skpro]'") from error

from . import _core
from .distribution import Distribution
from .regressor import MirrorballRegressor

__all__ = ["MirrorballProbaRegressor"]


class MirrorballProbaRegressor(BaseProbaRegressor):
    """Predictive distributions from tables, one or several targets, with the interface of skpro.

    ``predict_proba`` gives skpro's ``Empirical`` distribution of the samples, which needs distinct index labels in X. It
    has no density: take ``regressor_.predict_dist(X).pdf`` for that.

    Parameters
    ----------
    regressor : MirrorballRegressor, optional
        The model to fit, with its options; a copy of it is fitted. None takes the defaults.
    n_samples : int, default=1000
        Number of samples per row that results are computed from.

    Attributes
    ----------
    regressor_ : MirrorballRegressor
        The fitted model.

    Examples
    --------
    >>> import pandas as pd
    >>> from mirrorball import MirrorballRegressor, laws
    >>> from mirrorball.skpro import MirrorballProbaRegressor
    >>> X, y = laws.crossing.data(300, seed=1)
    >>> X, y = pd.DataFrame(X, columns=["x"]), pd.DataFrame({"y": y})
    >>> regressor = MirrorballProbaRegressor(MirrorballRegressor(networks=1, width=16, epochs=2), n_samples=100)
    >>> regressor.fit(X, y).predict_interval(X[:3], coverage=0.9).shape
    (3, 2)
    """

    _tags: ClassVar = {
        "authors": ["mirrorball"],
        "maintainers": ["mirrorball"],
        "capability:multioutput": True,
        "capability:missing": True,
        "X_inner_mtype": "pd_DataFrame_Table",
        "y_inner_mtype": "pd_DataFrame_Table",
    }

    def __init__(self, regressor: MirrorballRegressor | None = None, n_samples: int = _core.SUMMARY_SAMPLES) -> None:
        self.regressor = regressor
        self.n_samples = n_samples
        super().__init__()

    def _fit(self, X: pd.DataFrame, y: pd.DataFrame) -> MirrorballProbaRegressor:
        model = MirrorballRegressor() if self.regressor is None else clone(self.regressor)
        targets = _named(y)
        self.regressor_ = model.fit(_named(X), targets.iloc[:, 0] if targets.shape[1] == 1 else targets)
        self._targets = y.columns
        return self

    def _predict(self, X: pd.DataFrame) -> pd.DataFrame:
        return self._frame(X, np.asarray(self.regressor_.predict(_named(X)), dtype=float).reshape(len(X), -1))

    def _predict_proba(self, X: pd.DataFrame) -> Empirical:
        samples = self._samples(X)
        index = pd.MultiIndex.from_product([range(samples.shape[1]), X.index])
        by_sample = pd.DataFrame(
            samples.transpose(1, 0, 2).reshape(-1, samples.shape[2]), index=index, columns=self._targets
        )
        return Empirical(by_sample, time_indep=False, skip_init_sorted=True, index=X.index, columns=self._targets)

    def _predict_quantiles(self, X: pd.DataFrame, alpha: list[float]) -> pd.DataFrame:
        values = Distribution(self._samples(X)).quantile(alpha).reshape(len(X), len(alpha), -1)
        columns = pd.MultiIndex.from_product([self._targets, alpha])
        return pd.DataFrame(values.transpose(0, 2, 1).reshape(len(X), -1), index=X.index, columns=columns)

    def _predict_var(self, X: pd.DataFrame) -> pd.DataFrame:
        return self._frame(X, self._samples(X).var(axis=1, ddof=1 if self.n_samples > 1 else 0))

    def _samples(self, X: pd.DataFrame) -> np.ndarray:
        return self.regressor_.sample(_named(X), self.n_samples)

    def _frame(self, X: pd.DataFrame, values: np.ndarray) -> pd.DataFrame:
        return pd.DataFrame(values, index=X.index, columns=self._targets)

    @classmethod
    def get_test_params(cls, parameter_set: str = "default") -> list[dict[str, Any]]:
        """Small models, for skpro's checks."""
        small: dict[str, Any] = {"networks": 1, "width": 8, "epochs": 2, "options": {"forest": 0}}
        return [
            {"regressor": MirrorballRegressor(**small), "n_samples": 20},
            {"regressor": MirrorballRegressor(**small, calibrate="none", random_state=1), "n_samples": 3},
        ]


def _named(frame: pd.DataFrame) -> pd.DataFrame:
    """With text as column names, which is all that scikit-learn takes."""
    return frame.set_axis(frame.columns.astype(str), axis=1)
