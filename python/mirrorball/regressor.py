"""The scikit-learn estimator."""

from __future__ import annotations

import numpy as np
from sklearn.base import BaseEstimator, RegressorMixin

from . import _core


class MirrorballRegressor(RegressorMixin, BaseEstimator):
    def fit(self, X, y):
        X, y = np.asarray(X, dtype=float), np.asarray(y, dtype=float)
        table = _core.Table()
        for i in range(X.shape[1]):
            table.add_numbers(f"x{i}", np.ascontiguousarray(X[:, i]))
        table.add_numbers("y", y)
        self.model_ = _core.fit(table, ["y"], _core.Options())
        return self
