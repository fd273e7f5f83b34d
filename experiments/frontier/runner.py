"""Runs the cells that have no line yet, one at a time, each in its own process, and writes a line for every one."""

from __future__ import annotations

import json
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from datetime import datetime, timezone
from pathlib import Path

from experiments.frontier import data, results
from experiments.frontier.results import Record
from experiments.frontier.sets import Cell
from tables import machine
from tables.results import only_writer
from tables.runner import reason, watch

ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True)
class Plan:
    """What to run and how."""

    cells: list[Cell]
    data: Path
    program: Path
    commit: str
    threads: int
    out: Path = results.RESULTS
    time_limit: float = 7200.0
    minutes: float = float("inf")
    redo: bool = False
    say: Callable[[str], None] = print


def available(cells: list[Cell], folder: Path, say: Callable[[str], None]) -> list[Cell]:
    """The cells whose tables are there; says which are not."""
    absent = {}
    for name in dict.fromkeys(cell.table for cell in cells):
        if name != "diabetes" and data.find(name, folder) is None:
            absent[name] = sum(cell.table == name for cell in cells)
    if absent:
        say(f"not in {folder}: {', '.join(absent)}; {sum(absent.values())} of {len(cells)} results are left out "
            "(--data names another folder)")
    return [cell for cell in cells if cell.table not in absent]


def run(plan: Plan) -> int:
    """Runs what is missing; returns how many cells failed."""
    end = time.monotonic() + 60 * plan.minutes
    cells = available(plan.cells, plan.data, plan.say)
    failures = 0
    with only_writer(plan.out):
        done = results.read(plan.out)
        todo = [cell for cell in cells if plan.redo or cell not in done]
        for place, cell in enumerate(todo):
            if time.monotonic() > end:
                plan.say(f"{len(todo) - place} results left for the next run")
                break
            done[cell] = run_cell(plan, cell, chosen_before(cell, done))
            results.append(done[cell], plan.out)
            failures += done[cell]["status"] != "ok"
            plan.say(told(done[cell]))
    return failures


def chosen_before(cell: Cell, done: dict[Cell, Record]) -> dict:
    """What tuning chose for this table and method on the lowest split, which tunes for all."""
    earlier = {other.k: record["chosen"] for other, record in done.items()
               if (other.set, other.table, other.subset, other.method) == (cell.set, cell.table, cell.subset, cell.method)
               and other.k < cell.k and record["status"] == "ok"}
    return json.loads(earlier[min(earlier)] or "{}") if earlier else {}


def run_cell(plan: Plan, cell: Cell, chosen: dict) -> Record:
    """The line of one cell, whatever becomes of its process."""
    record: Record = {
        **{name: str(value) for name, value in asdict(cell).items()}, "status": "ok", "threads": str(plan.threads),
        "cpu": machine.cpu_model(), "when": datetime.now(timezone.utc).isoformat(timespec="seconds"),
    }
    with tempfile.TemporaryDirectory(prefix="frontier-") as folder:
        job, answer, log = (Path(folder) / name for name in ("job.json", "answer.json", "log"))
        job.write_text(json.dumps({
            "cell": asdict(cell), "threads": plan.threads, "folder": folder, "chosen": chosen, "answer": str(answer),
            "data": str(plan.data.resolve()), "program": str(plan.program.resolve()), "commit": plan.commit,
        }))
        words = [sys.executable, "-m", "experiments.frontier.cell", str(job)]
        code, _ = watch(words, ROOT, log, plan.threads, plan.time_limit)
        if code == 0:
            return record | {name: str(value) for name, value in json.loads(answer.read_text()).items()}
        why = reason(code, log.read_text(errors="replace"), plan.time_limit)
        return record | {"status": "timeout" if code is None else "failed", "error": why, "commit": plan.commit}


def told(record: Record) -> str:
    place = " ".join(record[name] for name in ("set", "table", "subset", "k", "method"))
    if record["status"] != "ok":
        return f"{place}: {record['status']}: {record['error']}"
    return f"{place}: CRPS {record['crps']}, 90% covers {float(record['coverage90']):.1%}, fit {record['fit_cpu']} CPU s"
