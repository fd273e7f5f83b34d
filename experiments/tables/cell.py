"""One cell, in a process of its own: `python -m tables.cell JOB.json` leaves its record in the job's answer file.

A process per cell makes time and memory honest, and a crash costs one cell.
"""

from __future__ import annotations

import json
import resource
import sys
from pathlib import Path

import psutil

from tables import data, machine, metrics
from tables.methods import METHODS
from tables.results import Record
from tables.splits import split_rows
from tables.task import Rows, Task


def run_cell(job: dict) -> Record:
    """Load, split, forecast, score."""
    table = data.load(job["table"], Path(job["data"]))
    split = split_rows(len(table.y), job["split"])
    method = METHODS[job["method"]]
    function = method.load()
    program = Path(job["program"])
    task = Task(
        table=table.name,
        train=Rows(table.x[split.train], table.y[split.train]),
        valid=Rows(table.x[split.valid], table.y[split.valid]),
        test_x=table.x[split.test],
        seed=job["split"],
        threads=job["threads"],
        folder=Path(job["folder"]),
        program=program,
        chosen=job["chosen"],
    )
    idle_mb = psutil.Process().memory_info().rss / 2**20
    forecast = function(task)
    y = table.y[split.test]
    if forecast.draws.shape[1] == 1:
        scores = metrics.score_points(forecast.draws[:, 0], y)
    else:
        exact = None if forecast.nll is None else forecast.nll(y)
        scores = metrics.score(forecast.draws, y, exact, task.all_rows.y)
    own = machine.program_version(program) if method.needs_program else {}
    return {
        "rows": {"train": len(split.train), "valid": len(split.valid), "test": len(split.test)},
        "features": table.x.shape[1],
        "scores": scores,
        "seconds": rounded(task.seconds),
        "cpu_seconds": rounded(task.cpu_seconds),
        "idle_mb": round(idle_mb),
        "peak_mb": round(largest_process_mb()),
        "chosen": task.chosen,
        "versions": machine.versions(method.packages) | own,
    }


def rounded(seconds: dict[str, float]) -> dict[str, float]:
    return {stage: round(value, 3) for stage, value in seconds.items()}


def largest_process_mb() -> float:
    """Peak of this process or of its largest child, from the system's own count: no short peak is missed."""
    return max(resource.getrusage(who).ru_maxrss for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)) / 1024


def main() -> None:
    job = json.loads(Path(sys.argv[1]).read_text())
    Path(job["answer"]).write_text(json.dumps(run_cell(job), allow_nan=False))


if __name__ == "__main__":
    main()
