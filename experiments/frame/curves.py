"""Learning curves: what is kept of them, and when they are below a level."""

from __future__ import annotations

import numpy as np

from experiments.frame.experiment import Claim, Numbers

PRINTED = 0.42  # half of the paper's 0.84: its loss is twice the energy score


def following(losses: np.ndarray) -> Numbers:
    """Of losses, seeds by epochs: their mean, and the epochs at which it is below the printed level."""
    return summary(losses.mean(axis=0), losses.std(axis=0))


def summary(mean: np.ndarray, sd: np.ndarray) -> Numbers:
    return {
        "mean": [round(float(value), 5) for value in mean],
        "sd": [round(float(value), 5) for value in sd],
        "lowest": round(float(np.min(mean)), 5),
        "over_epochs": round(float(np.mean(mean)), 5),
        "first_below": first_below(np.asarray(mean), PRINTED),
        "below_for_good": below_for_good(np.asarray(mean), PRINTED),
    }


def first_below(curve: np.ndarray, level: float) -> int | None:
    """The first epoch, counted from 1, whose loss is below a level."""
    below = np.flatnonzero(curve < level)
    return int(below[0]) + 1 if below.size else None


def below_for_good(curve: np.ndarray, level: float) -> int | None:
    """The epoch, counted from 1, from which on all losses are below a level."""
    above = np.flatnonzero(curve >= level)
    last = int(above[-1]) + 1 if above.size else 0
    return last + 1 if last < len(curve) else None


SOONER = {"substantially": 3, "more than seven times": 7}  # the paper's words, and how many times that is here


def sooner(label: str, first: int | None, second: int | None, epochs: int, seeds: int) -> list[Claim]:
    """Whether DN+ is below the printed level so much sooner than DISCO Nets, which may not be in all of the epochs."""
    found = f"mean curve of {seeds} seeds; {label}: epoch {told(first, epochs)} against {told(second, epochs)}"
    return [Claim(f"DN+ is below 0.84 (0.42 here) {words} sooner than DISCO Nets: printed are 20 and 150 epochs",
                  f"{times} times or more, {found}", first is not None and (second or epochs) >= times * first)
            for words, times in SOONER.items()]


def told(epoch: int | None, epochs: int) -> str:
    return f"{epoch}" if epoch else f"not in {epochs}"
