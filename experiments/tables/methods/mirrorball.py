"""Mirrorball and the paper's three networks, through the command line, as a user runs them."""

from __future__ import annotations

import csv
import subprocess
from pathlib import Path

import numpy as np

from tables.task import Forecast, Rows, Task


def default(task: Task) -> Forecast:
    """Plain `fit`: all rows, no options. It holds out validation rows by itself."""
    return run(task)


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


def run(task: Task, *options: str, rows: Rows | None = None, weights: np.ndarray | None = None) -> Forecast:
    """fit and predict as two processes. Files are written and read outside of the clock."""
    if rows is None:
        rows = task.train if "--valid" in options else task.all_rows
    weight = () if weights is None else ("--weight", "weight")
    train = write(task.folder / "train.csv", rows.x, rows.y, weights)
    test = write(task.folder / "test.csv", task.test_x)
    model, draws = task.folder / "model.mirrorball", task.folder / "draws.csv"
    common = ("--seed", str(task.seed), "--threads", str(task.threads))
    with task.timed("fit"):
        call(task.program, "fit", train, "--target", "y", *weight, "--out", model, "--quiet", *common, *options)
    with task.timed("predict"):
        call(task.program, "predict", model, test, "--samples", str(task.samples), "--out", draws, *common)
    return Forecast(np.loadtxt(draws, delimiter=",", skiprows=1, ndmin=2))


def write(path: Path, x: np.ndarray, y: np.ndarray | None = None, weights: np.ndarray | None = None) -> str:
    """A table as CSV: every digit of a number, text as it is, nothing for a gap."""
    columns = {f"x{i}": x[:, i] for i in range(x.shape[1])}
    columns |= {name: values for name, values in (("y", y), ("weight", weights)) if values is not None}
    with open(path, "w") as file:
        lines = csv.writer(file, lineterminator="\n")
        lines.writerow(columns)
        lines.writerows(map(cell, row) for row in zip(*columns.values()))
    return str(path)


def cell(value: float | str) -> str:
    if isinstance(value, str):
        return value
    return "" if np.isnan(value) else f"{value:.17g}"


def call(*words: str | Path) -> None:
    """Runs the program; its own message is the error."""
    done = subprocess.run(words, capture_output=True, text=True)
    if done.returncode != 0:
        raise RuntimeError(done.stderr.strip() or f"{words[0]} ended with code {done.returncode}")
