"""The NLL of a target with atoms, values that are probability masses: docs/method.md, "Scores". The same for all
methods, by their draws."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

QUANTILES = 1000  # of the training targets, as the program keeps them
LEADING_SHARE, ATOM_SHARE, FEWEST_REPEATS = 1 / 6, 0.01, 3
REST_WIDTH = 0.01  # of the range


@dataclass
class Atoms:
    """Cells [low, high] around the atoms, ascending, with their shares of the training targets."""

    low: np.ndarray
    high: np.ndarray
    share: np.ndarray
    range: float

    def cell(self, values: np.ndarray) -> np.ndarray:
        """The number of the cell of each value, or -1."""
        place = np.minimum(np.searchsorted(self.high, values, side="left"), len(self.low) - 1)
        return np.where((self.low[place] <= values) & (values <= self.high[place]), place, -1)


def atoms_of(train: np.ndarray) -> Atoms | None:
    """The atoms of a target by its training values, or None."""
    quantiles = np.quantile(train, np.linspace(0, 1, min(len(train), QUANTILES)))
    values, counts = np.unique(quantiles, return_counts=True)
    share = counts / len(quantiles)
    if len(values) < 2 or not ((share >= LEADING_SHARE) & (counts >= FEWEST_REPEATS)).any():
        return None
    half = np.diff(values) / 2
    below, above = np.concatenate([half[:1], half]), np.concatenate([half, half[-1:]])
    keep = (share >= ATOM_SHARE) & (counts >= FEWEST_REPEATS)
    return Atoms(
        (values - below)[keep],
        (values + above)[keep],
        (counts / (len(quantiles) + 1))[keep],
        float(values[-1] - values[0]),
    )


def nll(draws: np.ndarray, y: np.ndarray, atoms: Atoms) -> np.ndarray:
    """-log of the probability of y's cell, or of the density at y where it is in none: of the draws (rows x M) and one
    more that follows the training targets."""
    cells, own = atoms.cell(draws), atoms.cell(y)
    loss = np.empty(len(y))
    for row, cell in enumerate(own):
        if cell >= 0:
            p = np.count_nonzero(cells[row] == cell) + atoms.share[cell]
        else:
            rest = draws[row][cells[row] < 0]
            scott = len(rest) ** -0.4 * rest.var(ddof=1) if len(rest) > 1 else 0.0
            width = np.sqrt(scott + (REST_WIDTH * atoms.range) ** 2)
            p = np.exp(-0.5 * np.square((y[row] - rest) / width)).sum() / (width * np.sqrt(2 * np.pi))
            p += (1 - atoms.share.sum()) / atoms.range
        loss[row] = np.log(draws.shape[1] + 1) - np.log(p)
    return loss
