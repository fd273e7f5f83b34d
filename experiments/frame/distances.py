"""The four distances to a known law, from the C++ core, and their summary over x and seeds."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from mirrorball import laws, metrics

from experiments.frame.experiment import Numbers

NAMES = ("jsd", "hellinger", "wasserstein", "energy")
LABELS = {"jsd": "Jensen–Shannon", "hellinger": "Hellinger", "wasserstein": "Wasserstein", "energy": "energy"}


def to_truth(law: str, x: np.ndarray, draws: np.ndarray) -> np.ndarray:
    """Draws (x by samples, or x by samples by targets) to distances, x by 4 in the order of NAMES."""
    return np.stack(metrics.distances(laws.get(law), draws, x=x, per_row=True), axis=1)


def summary(seeds: Iterable[np.ndarray]) -> Numbers:
    """By distance: mean over seeds and x; standard deviation over x, as the paper's bars have it; range over seeds."""
    stack = np.stack(list(seeds))
    means = stack.mean(axis=1)
    return {
        name: {
            "mean": round(float(means[:, i].mean()), 5),
            "sd_over_x": round(float(stack[:, :, i].std(axis=1).mean()), 5),
            "seeds": [round(float(value), 5) for value in means[:, i]],
        }
        for i, name in enumerate(NAMES)
    }


def data_sets(seeds: int) -> str:
    return "one data set" if seeds == 1 else f"{seeds} data sets (in brackets: the range over the data sets)"


def mean_of(seeds: int) -> str:
    """In a rule: what the numbers are means of."""
    return "one data set" if seeds == 1 else f"mean of {seeds} data sets"


def ranking(methods: dict[str, Numbers], name: str) -> list[str]:
    """The methods from near to far by one distance."""
    return sorted(methods, key=lambda method: methods[method][name]["mean"])


def table(methods: dict[str, Numbers], labels: dict[str, str], seeds: int) -> list[str]:
    """Methods down, distances across, the nearest bold."""
    lines = [f"| | {' | '.join(LABELS[name] for name in NAMES)} |", f"| --- |{' ---: |' * len(NAMES)}"]
    for method, found in methods.items():
        cells = []
        for name in NAMES:
            text = f"{found[name]['mean']:.3f}"
            if seeds > 1:
                text += f" ({min(found[name]['seeds']):.3f}–{max(found[name]['seeds']):.3f})"
            cells.append(f"**{text}**" if ranking(methods, name)[0] == method else text)
        lines.append(f"| {labels[method]} | {' | '.join(cells)} |")
    return lines
