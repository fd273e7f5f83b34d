"""One cell, in a process of its own: `python -m experiments.frontier.cell JOB.json` leaves its record in the answer file."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import numpy as np

from experiments.frontier import data, sets
from experiments.frontier.results import SCORES
from tables import machine, metrics
from tables.methods import METHODS
from tables.task import Rows, Task


def run(job: dict[str, Any]) -> dict[str, Any]:
    """Load, split, forecast, score."""
    cell = sets.Cell(**job["cell"])
    table = data.load(cell.table, Path(job["data"]))
    if cell.set == "B":
        table = data.as_published(table)
    split = sets.split(cell, len(table.y))
    known = np.concatenate([split.train, split.valid])
    features = data.features(table, cell.method, known)

    def rows(some: np.ndarray) -> Rows:
        return Rows(features.x[some], table.y[some])

    task = Task(cell.table, rows(split.train), rows(split.valid), features.x[split.test], cell.k, job["threads"],
                Path(job["folder"]), Path(job["program"]), chosen=job["chosen"], categorical=features.categorical,
                samples=sets.SETS[cell.set].samples)
    forecast = METHODS[cell.method].load()(task)
    y = table.y[split.test]
    exact = None if forecast.nll is None else forecast.nll(y)
    scores = metrics.score(forecast.draws, y, exact, table.y[known])
    return {
        "rows_train": len(known), "rows_test": len(y), "features": table.cells.shape[1], "samples": forecast.draws.shape[1],
        **{name: f"{scores[name]:.6g}" for name in SCORES},
        "crps_of_no_features": f"{crps_of_no_features(table.y[known], y):.6g}",
        **{f"{stage}_cpu": f"{task.cpu_seconds.get(stage, 0):.2f}" for stage in ("fit", "tune", "predict")},
        "fit_wall": f"{task.seconds['fit']:.2f}", "chosen": json.dumps(task.chosen) if task.chosen else "",
        **program(job, METHODS[cell.method].packages),
    }


def crps_of_no_features(train: np.ndarray, y: np.ndarray) -> float:
    """Of the training targets as the forecast of every row: equal to the published figure where the rows are the same."""
    ordered = np.sort(train)
    return float(np.mean([metrics.crps(ordered[None, :], y[i:i + 1])[0] for i in range(len(y))]))


def program(job: dict[str, Any], packages: tuple[str, ...]) -> dict[str, str]:
    """What ran: the program with its commit, or the version of the package."""
    if packages:
        return {"program": " ".join(f"{name} {version}" for name, version in machine.versions(packages[:1]).items() if name != "python")}
    said = machine.program_version(Path(job["program"]))
    return {"program": said["mirrorball"], "commit": job["commit"], "program_sha256": said["program_sha256"]}


def main() -> None:
    job = json.loads(Path(sys.argv[1]).read_text())
    Path(job["answer"]).write_text(json.dumps(run(job), allow_nan=False))


if __name__ == "__main__":
    main()
