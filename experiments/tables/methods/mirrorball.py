"""Mirrorball and the paper's three networks, through the command line, as a user runs them."""

from __future__ import annotations

import subprocess
from pathlib import Path

import numpy as np

from tables.quantiles import DRAWS
from tables.task import Forecast, Task


def default(task: Task) -> Forecast:
    """Plain `fit`: all rows, no options. It holds out validation rows by itself."""
    return run(task, "--preset", "default")


def paper(task: Task) -> Forecast:
    """DN+ exactly as printed."""
    return run_preset(task, "paper")


def disco(task: Task) -> Forecast:
    """DISCO Nets with the paper's settings: the noise joins the inputs."""
    return run_preset(task, "disco")


def point(task: Task) -> Forecast:
    """The base network with the paper's settings: squared error and no noise."""
    return run_preset(task, "point")


def run_preset(task: Task, preset: str) -> Forecast:
    """The paper's early stopping on the validation rows, and its smaller batches on the smallest table."""
    small = ["--batch", "40", "--epochs", "400"] if task.table == "concrete" else []
    valid = write(task.folder / "valid.csv", task.valid.x, task.valid.y)
    return run(task, "--preset", preset, "--valid", valid, *small)


def run(task: Task, *options: str) -> Forecast:
    """fit and predict as two processes. Files are written and read outside of the clock."""
    rows = task.train if "--valid" in options else task.all_rows
    train = write(task.folder / "train.csv", rows.x, rows.y)
    test = write(task.folder / "test.csv", task.test_x)
    model, draws = task.folder / "model.mirrorball", task.folder / "draws.csv"
    common = ("--seed", str(task.seed), "--threads", str(task.threads))
    with task.timed("fit"):
        call(task.program, "fit", train, "--target", "y", "--out", model, "--quiet", *common, *options)
    with task.timed("predict"):
        call(task.program, "predict", model, test, "--samples", str(DRAWS), "--out", draws, *common)
    return Forecast(np.loadtxt(draws, delimiter=",", skiprows=1, ndmin=2))


def write(path: Path, x: np.ndarray, y: np.ndarray | None = None) -> str:
    """A table as CSV, every digit kept."""
    names = [f"x{i}" for i in range(x.shape[1])] + ([] if y is None else ["y"])
    cells = x if y is None else np.column_stack([x, y])
    np.savetxt(path, cells, fmt="%.17g", delimiter=",", header=",".join(names), comments="")
    return str(path)


def call(*words: str | Path) -> None:
    """Runs the program; its own message is the error."""
    done = subprocess.run(words, capture_output=True, text=True)
    if done.returncode != 0:
        raise RuntimeError(done.stderr.strip() or f"{words[0]} ended with code {done.returncode}")
