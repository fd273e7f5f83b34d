"""The experiments in the order of the paper."""

from __future__ import annotations

from importlib import import_module

from experiments.frame.experiment import Experiment

NAMES = (
    "unimodal", "crossing", "extrapolation", "uncertainty", "left_out", "batch_draws", "baselines", "learning_curves",
    "torch_twin", "functions", "arcs", "joint", "explanation", "choices", "behind",
)


def experiments() -> list[Experiment]:
    return [import_module(f"experiments.{name}").EXPERIMENT for name in NAMES]
