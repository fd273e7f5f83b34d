"""Quantiles and draws: how a method that knows quantiles gives the same 500 draws as one that samples."""

from __future__ import annotations

import numpy as np

DRAWS = 500


def middles(count: int) -> np.ndarray:
    """The middles of `count` equal cells of [0, 1]: levels that stand for equal shares of probability."""
    return (np.arange(count) + 0.5) / count


LEVELS_51 = middles(51)
DRAW_LEVELS = middles(DRAWS)


def draws_from_quantiles(quantiles: np.ndarray, levels: np.ndarray) -> np.ndarray:
    """Rows of quantiles to rows of 500 draws, by linear interpolation; flat beyond the outer levels.

    Quantiles that were fitted one by one may cross: they are sorted first, which never hurts them.
    """
    ordered = np.sort(quantiles, axis=1)
    return np.stack([np.interp(DRAW_LEVELS, levels, row) for row in ordered])


def pinball(y: np.ndarray, prediction: np.ndarray, level: float) -> float:
    """Mean quantile loss: what a single quantile is tuned on."""
    error = y - prediction
    return float(np.maximum(level * error, (level - 1) * error).mean())
