"""Samples of rows, and what samples answer."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ._library import Library, Owner, Text, Texts, json_of, made_by
from .arrays import Window, contiguous, cube, pointer

SUMMARY_SAMPLES: int = Library.summary_samples()


class Predictive(Owner):
    """Samples from p(y | x) for some rows, and what samples answer."""

    _free = Library.predictive_free

    def __init__(self, draws: Any, target_names: Sequence[str]) -> None:
        """Of samples of shape rows x samples x targets."""
        samples, _kept = cube(np.asarray(draws, dtype=np.float64))
        self._as_parameter_ = made_by(Library.predictive_new, ctypes.byref(samples), Texts.of(target_names))

    @property
    def target_names(self) -> list[str]:
        return json_of(Library.predictive_names, self)

    @property
    def shape(self) -> tuple[int, int]:
        """rows x targets"""
        rows, _, targets = self._memory()[1]
        return rows, targets

    @property
    def draws(self) -> NDArray[np.float64]:
        """The samples, rows x samples x targets, without a copy."""
        address, (rows, samples, targets) = self._memory()
        if not address:
            return np.empty((rows, samples, targets))
        strides = (8 * samples * targets, 8, 8 * samples)
        return np.asarray(Window(self, address, (rows, samples, targets), strides))

    @property
    def limits(self) -> NDArray[np.float64]:
        """The range that samples can have, targets x 2; infinite where nothing limits them."""
        return self._fill(Library.predictive_limits, (self.shape[1], 2))

    @limits.setter
    def limits(self, limits: Any) -> None:
        at = contiguous(limits, 2)
        if at.shape != (self.shape[1], 2):
            raise ValueError(f"limits have shape {at.shape}; expected {(self.shape[1], 2)}: low and high of each target")
        Library.predictive_set_limits(self, pointer(at))

    @property
    def sources(self) -> NDArray[np.uint32] | None:
        """The network that each sample comes from; None where that is not known."""
        out = np.empty(self._memory()[1][1], dtype=np.uint32)
        return out if Library.predictive_sources(self, pointer(out)) else None

    @sources.setter
    def sources(self, sources: Any) -> None:
        at = np.ascontiguousarray(sources, dtype=np.uint32)
        Library.predictive_set_sources(self, pointer(at), at.size)

    def density(self, row: int, target: int, low: float, high: float, points: int) -> dict[str, Any]:
        """The density of a row as it is drawn, on so many points from low to high."""
        return json_of(Library.predictive_shape, self, row, target, low, high, points)

    def mean(self, threads: int = 0) -> NDArray[np.float64]:
        """rows x targets"""
        return self._fill(Library.predictive_mean, self.shape, threads)

    def sd(self, threads: int = 0) -> NDArray[np.float64]:
        """rows x targets"""
        return self._fill(Library.predictive_sd, self.shape, threads)

    def uncertainty(self, threads: int = 0) -> NDArray[np.float64]:
        """rows x targets x 2 x 3: of variance and expected CRPS the total, aleatoric and epistemic part."""
        return self._fill(Library.predictive_uncertainty, (*self.shape, 2, 3), threads)

    def quantiles(self, levels: Sequence[float], threads: int = 0) -> NDArray[np.float64]:
        """rows x levels x targets"""
        at, (rows, targets) = contiguous(levels, 1), self.shape
        return self._fill(Library.predictive_quantiles, (rows, at.size, targets), pointer(at), at.size, threads)

    def cdf(self, y: Any, threads: int = 0) -> NDArray[np.float64]:
        """Of points y, rows x points x targets, target by target; the same shape."""
        at = contiguous(y, 3)
        return self._fill(Library.predictive_cdf, at.shape, pointer(at), *at.shape, threads)

    def log_density(self, y: Any, threads: int = 0) -> NDArray[np.float64]:
        """Of the joint kernel density at points y, rows x points x targets; rows x points."""
        at = contiguous(y, 3)
        return self._fill(Library.predictive_log_density, at.shape[:2], pointer(at), *at.shape, threads)

    def crps(self, y: Any, fair: bool = False, threads: int = 0) -> NDArray[np.float64]:
        """Of values y, rows x targets; the same shape."""
        at = contiguous(y, 2)
        return self._fill(Library.predictive_crps, at.shape, pointer(at), *at.shape, fair, threads)

    def energy_score(self, y: Any, fair: bool = False, threads: int = 0) -> NDArray[np.float64]:
        """Of values y, rows x targets; one number a row."""
        at = contiguous(y, 2)
        return self._fill(Library.predictive_energy_score, at.shape[:1], pointer(at), *at.shape, fair, threads)

    def probability(self, region: str, threads: int = 0) -> NDArray[np.float64]:
        """Share of samples in a region given as text, as y1 > 0.2 and y2 <= 3; one number a row."""
        return self._fill(Library.predictive_probability, self.shape[:1], Text.of(region), threads)

    def _memory(self) -> tuple[int | None, tuple[int, int, int]]:
        sizes = [ctypes.c_size_t() for _ in range(3)]
        address = Library.predictive_draws(self, *map(ctypes.byref, sizes))
        rows, samples, targets = (size.value for size in sizes)
        return address, (rows, samples, targets)

    def _fill(self, function: Callable[..., None], shape: tuple[int, ...], *arguments: Any) -> NDArray[np.float64]:
        out = np.empty(shape)
        function(self, *arguments, pointer(out))
        return out
