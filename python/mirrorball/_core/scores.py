"""Scores of samples from any source, row by row."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ._library import Library, Text, json_of
from .arrays import contiguous, pointer
from .predictive import Predictive


def pit(draws: Predictive, y: Any, threads: int) -> NDArray[np.float64]:
    """Of values y, rows x targets; the same shape."""
    at = contiguous(y, 2)
    out = np.empty(draws.shape)
    Library.pit(draws, pointer(at), at.size, threads, pointer(out))
    return out


def kde_nll(draws: Predictive, y: Any, joint: bool, threads: int) -> tuple[NDArray[np.float64], int]:
    """rows x targets, or rows x 1 for the joint density; and how many had samples without spread."""
    at, floored = contiguous(y, 2), ctypes.c_size_t()
    rows, targets = draws.shape
    out = np.empty((rows, 1 if joint else targets))
    Library.kde_nll(draws, pointer(at), at.size, joint, threads, pointer(out), ctypes.byref(floored))
    return out, floored.value


def law_distances(draws: Predictive, law: str, x: Any, threads: int) -> NDArray[np.float64]:
    """rows x (jsd, hellinger, wasserstein, energy) to the known distribution at each row's x."""
    at = contiguous(x, 1)
    out = np.empty((at.size, 4))
    Library.law_distances(draws, Text.of(law), pointer(at), at.size, threads, pointer(out))
    return out


def sample_distances(draws: Predictive, other: Predictive, cells: int, threads: int) -> NDArray[np.float64]:
    """rows x (jsd, hellinger, wasserstein, energy) between two sets of samples."""
    out = np.empty((draws.shape[0], 4))
    Library.sample_distances(draws, other, cells, threads, pointer(out))
    return out


def score_summary(draws: Predictive, y: Any, levels: Sequence[float], threads: int) -> dict[str, Any]:
    """All scores, as a dict."""
    at, coverages = contiguous(y, 2), contiguous(levels, 1)
    found = json_of(Library.score_summary, draws, pointer(at), at.size, pointer(coverages), coverages.size, threads)
    for scores in found["targets"].values():
        scores["interval"] = dict(scores["interval"])
    return found
