"""Explanations of predictions: Shapley values of rows."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import _core


@dataclass(frozen=True, repr=False)
class Explanation:
    """Shapley values of some rows; for each row, ``base_values`` plus the sum of ``values`` is ``output``. It prints as a
    table.

    Attributes
    ----------
    values : array of shape (rows, features)
        How far each feature moves the explained number away from the base value.
    base_values : array of shape (rows,)
        Its mean over the background rows.
    output : array of shape (rows,)
        The explained number itself.
    data : array of shape (rows, features)
        The values of the features: numbers, or objects where a feature is a category or a date.
    feature_names : list of str
    probability : array of shape (rows,)
        Probability of the region in each row; 1 without one.
    exact : bool
        Whether all sets of features were evaluated, or some of them chosen at random.
    errors : array of shape (rows, features)
        Standard errors of ``values``, from the choice of background rows and orders of features: a value lies within two
        of them in 95 of 100 cases. 0 where all were taken, NaN where there is a single background row.
    of, where, target : str
        What is explained, as in the call; of a function, its name.

    Examples
    --------
    >>> from mirrorball import MirrorballRegressor
    >>> X = np.random.default_rng(0).uniform(-1, 1, (200, 2))
    >>> model = MirrorballRegressor(networks=1, epochs=5).fit(X, X[:, 0])
    >>> found = model.explain(X[:2], X, n_samples=50, background_rows=10)
    >>> found.values.shape, found.feature_names
    ((2, 2), ['x0', 'x1'])
    """

    values: NDArray[np.float64]
    base_values: NDArray[np.float64]
    output: NDArray[np.float64]
    data: NDArray[Any]
    feature_names: list[str]
    probability: NDArray[np.float64]
    exact: bool
    errors: NDArray[np.float64]
    of: str = "mean"
    where: str = ""
    target: str = ""

    @property
    def words(self) -> str:
        """What is explained, in words.

        Examples
        --------
        >>> nothing = np.empty((0, 0))
        >>> Explanation(*4 * [nothing], [], nothing, True, nothing, of="width:0.9", target="price").words
        'The width of the 90% interval of price'
        """
        kind, _, level = self.of.partition(":")
        share = f"{100 * float(level):.4g}%" if level else ""
        number = {
            "mean": "mean",
            "sd": "standard deviation",
            "median": "median",
            "quantile": f"{share} quantile",
            "width": f"width of the {share} interval",
            "region": f"probability of {self.where}",
        }.get(kind, self.of)
        if kind == "region":
            return f"The {number}"
        return f"The {number} of {self.target or 'y'}{f' where {self.where}' if self.where else ''}"

    def __repr__(self) -> str:
        """One row with its contributions, or the importances over several."""
        from ._shown import explanation_text

        return explanation_text(self)

    def _repr_html_(self) -> str:
        """One row with its contributions, or the importances over several."""
        from ._shown import explanation_html

        return explanation_html(self)

    @classmethod
    def _of(
        cls, found: _core.Explanation, texts: Collection[str], of: str = "mean", where: str = "", target: str = ""
    ) -> Explanation:
        """`texts` are the features whose cells are no numbers."""
        values, names = found.values(), found.features
        cells = np.array(found.cells, dtype=object).reshape(values.shape)
        for place, name in enumerate(names):
            if name not in texts:
                cells[:, place] = [float(cell) if cell else np.nan for cell in cells[:, place]]
        data = cells if any(name in texts for name in names) else cells.astype(np.float64)
        numbers = (values, found.base(), found.output(), data)
        return cls(*numbers, names, found.probability(), found.exact, found.errors(), of, where, target)

    def to_shap(self) -> Any:
        """The same as a ``shap.Explanation``, for the plots of the shap package.

        Returns
        -------
        shap.Explanation

        Examples
        --------
        >>> model.explain(X, background).to_shap()  # doctest: +SKIP
        """
        try:
            import shap
        except ImportError:
            raise ImportError("shap's plots need the package shap: pip install shap") from None
        return shap.Explanation(
            values=self.values, base_values=self.base_values, data=self.data, feature_names=self.feature_names
        )
