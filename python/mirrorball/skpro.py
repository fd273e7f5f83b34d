"""Mirrorball as a probabilistic regressor of skpro. Needs skpro: ``pip install 'mirrorball[skpro]'``."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
import pandas as pd
from sklearn.base import clone

try:
    from skpro.distributions.empirical import Empirical
    from skpro.regression.base import BaseProbaRegressor
except ImportError as error:
    raise ImportError("the skpro adapter needs skpro: pip install 'mirrorball[skpro]'") from error

from . import _core
from .distribution import Distribution
from .regressor import MirrorballRegressor

__all__ = ["MirrorballProbaRegressor"]


class MirrorballProbaRegressor(BaseProbaRegressor):
    """Predictive distributions from tables, one or several targets, as skpro wants them.

    ``predict_proba`` gives skpro's ``Empirical`` distribution of the draws, which needs distinct index labels in X. It
    has no density: take ``regressor_.predict_dist(X).pdf`` for that.

    Parameters
    ----------
    regressor : MirrorballRegressor, optional
        The model to fit, with its options; a copy of it is fitted. None takes the defaults.
    samples : int, default=500
        Draws per row that answers are computed from.

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
    >>> regressor = MirrorballProbaRegressor(MirrorballRegressor(members=1, width=16, epochs=2), samples=100)
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

    def __init__(self, regressor: MirrorballRegressor | None = None, samples: int = _core.SCORE_SAMPLES) -> None:
        self.regressor = regressor
        self.samples = samples
        super().__init__()

    def _fit(self, X, y):
        model = MirrorballRegressor() if self.regressor is None else clone(self.regressor)
        self.regressor_ = model.fit(_named(X), _named(y))
        self._targets = y.columns
        return self

    def _predict(self, X):
        return self._frame(X, np.asarray(self.regressor_.predict(_named(X)), dtype=float).reshape(len(X), -1))

    def _predict_proba(self, X):
        draws = self._draws(X)
        index = pd.MultiIndex.from_product([range(draws.shape[1]), X.index])
        by_sample = pd.DataFrame(
            draws.transpose(1, 0, 2).reshape(-1, draws.shape[2]), index=index, columns=self._targets
        )
        return Empirical(by_sample, time_indep=False, skip_init_sorted=True, index=X.index, columns=self._targets)

    def _predict_quantiles(self, X, alpha):
        values = Distribution(self._draws(X)).quantile(alpha).reshape(len(X), len(alpha), -1)
        columns = pd.MultiIndex.from_product([self._targets, alpha])
        return pd.DataFrame(values.transpose(0, 2, 1).reshape(len(X), -1), index=X.index, columns=columns)

    def _predict_var(self, X):
        return self._frame(X, self._draws(X).var(axis=1, ddof=1 if self.samples > 1 else 0))

    def _draws(self, X) -> np.ndarray:
        return self.regressor_.sample(_named(X), self.samples)

    def _frame(self, X, values) -> pd.DataFrame:
        return pd.DataFrame(values, index=X.index, columns=self._targets)

    @classmethod
    def get_test_params(cls, parameter_set="default"):
        """Small models, for skpro's checks."""
        small = {"members": 1, "width": 8, "epochs": 2, "forest": 0}
        return [
            {"regressor": MirrorballRegressor(**small), "samples": 20},
            {"regressor": MirrorballRegressor(**small, calibrate="none", random_state=1), "samples": 3},
        ]


def _named(frame: pd.DataFrame) -> pd.DataFrame:
    """With text as column names, which is all that scikit-learn takes."""
    return frame.set_axis(frame.columns.astype(str), axis=1)
