"""Laws to run on where no table is to be had: enough to see that every method works."""

from __future__ import annotations

import numpy as np


def unimodal(rows: int = 2000) -> tuple[np.ndarray, np.ndarray]:
    """y = exp(sin(pi x)) + N(0, 0.4^2)."""
    random = np.random.RandomState(1)
    x = random.uniform(-1, 1, rows)
    return x[:, None], np.exp(np.sin(np.pi * x)) + random.normal(0, 0.4, rows)


def crossing(rows: int = 3000) -> tuple[np.ndarray, np.ndarray]:
    """y is x, cos x or -cos x, a third each, plus N(0, 0.15^2): no Gaussian fits it."""
    random = np.random.RandomState(2)
    x = random.uniform(-np.pi / 2, np.pi / 2, rows)
    curves = np.stack([x, np.cos(x), -np.cos(x)])
    return x[:, None], curves[random.randint(3, size=rows), np.arange(rows)] + random.normal(0, 0.15, rows)


LAWS = {"unimodal": unimodal, "crossing": crossing}
