"""Why a forecast is what it is: Shapley values of rows."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import _core


@dataclass(frozen=True)
class Explanation:
    """Shapley values of some rows; for each row, ``base_values`` plus the sum of ``values`` is ``output``.

    Attributes
    ----------
    values : array of shape (rows, features)
        How far each feature moves the explained number away from the base value.
    base_values : array of shape (rows,)
        Its mean over the background rows.
    output : array of shape (rows,)
        The explained number itself.
    data : array of shape (rows, features)
        What stands in the rows: numbers, or objects where a feature is a category or holds dates.
    feature_names : list of str
    probability : array of shape (rows,)
        Share of each row's draws in the region; 1 without one.
    exact : bool
        Whether all sets of features were asked for, or a sample of them.
    """

    values: NDArray[np.float64]
    base_values: NDArray[np.float64]
    output: NDArray[np.float64]
    data: NDArray[Any]
    feature_names: list[str]
    probability: NDArray[np.float64]
    exact: bool

    @classmethod
    def _of(cls, found: _core.Explanation, texts: Collection[str]) -> Explanation:
        """`texts` are the features whose cells are no numbers."""
        values, names = found.values(), found.features
        cells = np.array(found.cells, dtype=object).reshape(values.shape)
        for place, name in enumerate(names):
            if name not in texts:
                cells[:, place] = [float(cell) if cell else np.nan for cell in cells[:, place]]
        data = cells if any(name in texts for name in names) else cells.astype(np.float64)
        return cls(values, found.base(), found.output(), data, names, found.probability(), found.exact)

    def to_shap(self) -> Any:
        """The same as a ``shap.Explanation``, for the plots of the shap package."""
        try:
            import shap
        except ImportError:
            raise ImportError("shap's plots need the package shap: pip install shap") from None
        return shap.Explanation(
            values=self.values, base_values=self.base_values, data=self.data, feature_names=self.feature_names
        )
