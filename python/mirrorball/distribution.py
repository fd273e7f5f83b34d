"""Predictive distributions held as draws."""

from __future__ import annotations

import numpy as np


class Distribution:
    """Draws from p(y | x) for some rows, and what draws answer.

    Parameters
    ----------
    draws : array of shape (rows, samples, targets)
        Draw ``i`` of all targets is one joint draw. An array of shape (rows, samples) has one target.
    target_names : list of str, optional
    """

    def __init__(self, draws, target_names=None):
        draws = np.asarray(draws, dtype=np.float64)
        self.draws = draws[:, :, None] if draws.ndim == 2 else draws
        n = self.draws.shape[2]
        self.target_names = list(target_names) if target_names is not None else (
            ["y"] if n == 1 else [f"y{i + 1}" for i in range(n)])
