"""Runs the cells that are not done yet, one at a time, each in its own process, and records every one."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from datetime import datetime, timezone
from pathlib import Path

import psutil

from tables import machine, results
from tables.methods import METHODS
from tables.progress import Progress
from tables.results import Key, Record

LOOK_EVERY = 0.1  # seconds between two looks at the memory of a cell
THREAD_VARIABLES = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMEXPR_NUM_THREADS")


@dataclass(frozen=True)
class Plan:
    """What to run and how."""

    tables: list[str]
    splits: list[int]
    methods: list[str]
    threads: int
    time_limit: float
    slow_after: float
    data: Path
    out: Path
    program: Path
    retry: bool = False
    redo: bool = False
    built_from: dict[str, str] = field(default_factory=machine.last_change)  # the program's commit and its time

    @property
    def results_path(self) -> Path:
        return self.out / "results.jsonl"

    def left(self) -> list[Key]:
        done = results.read(self.results_path)
        return [cell for cell in self.cells() if wanted(self, done.get(cell))]

    def cells(self) -> list[Key]:
        """All cells, split by split, so that the first split of everything is there early."""
        return [(table, split, method) for split in self.splits for table in self.tables for method in self.methods]


def run(plan: Plan) -> int:
    """Runs what is missing; returns how many cells failed."""
    with results.only_writer(plan.results_path):
        done = results.read(plan.results_path)
        todo = [cell for cell in plan.cells() if wanted(plan, done.get(cell))]
        progress = Progress(todo, done.values())
        for cell in todo:
            done.pop(cell, None)  # what is run again must not be guided by what it replaces
        failures = 0
        for cell in todo:
            if too_slow(cell, done, plan.slow_after):
                progress.skip(cell)
                continue
            progress.start(cell)
            record = run_cell(plan, cell, chosen_before(cell, done))
            results.append(plan.results_path, record)
            done[cell] = record
            failures += record["status"] != "ok"
            progress.finish(record)
        progress.close()
    return failures


def wanted(plan: Plan, record: Record | None) -> bool:
    """A cell runs when it has no record, when it failed and is to be tried again, or when all are to be redone."""
    return record is None or plan.redo or (plan.retry and record["status"] != "ok")


def too_slow(cell: Key, done: dict[Key, Record], slow_after: float) -> bool:
    """Whether another split of this table has already cost the method more than it may.

    Processor seconds per thread count: a busy machine stretches them less than wall time.
    """
    return any(sum(record["cpu_seconds"].values()) > slow_after * record["threads"]
               for split, record in scored(cell, done) if split != cell[1])


def chosen_before(cell: Key, done: dict[Key, Record]) -> dict:
    """What tuning chose for this table and method on the lowest split; empty if no split before this one is done."""
    return next((record["chosen"] for split, record in scored(cell, done) if split < cell[1]), {})


def scored(cell: Key, done: dict[Key, Record]) -> list[tuple[int, Record]]:
    """The splits of this table and method that have scores, in their order."""
    table, _, method = cell
    keys = sorted(key for key in done if (key[0], key[2]) == (table, method))
    return [(key[1], done[key]) for key in keys if done[key]["status"] == "ok"]


def run_cell(plan: Plan, cell: Key, chosen: dict) -> Record:
    """The record of one cell, whatever becomes of its process."""
    table, split, method = cell
    record: Record = {
        "table": table,
        "split": split,
        "method": method,
        "status": "ok",
        "threads": plan.threads,
        "machine": machine.describe(),
        "when": datetime.now(timezone.utc).isoformat(timespec="seconds"),
    } | (plan.built_from if METHODS[method].needs_program else {})
    with tempfile.TemporaryDirectory(prefix="tables-") as folder:
        job, answer, log = (Path(folder) / name for name in ("job.json", "answer.json", "log"))
        job.write_text(json.dumps({
            "table": table, "split": split, "method": method, "threads": plan.threads, "folder": folder,
            "chosen": chosen,
            "answer": str(answer), "data": str(plan.data.resolve()), "program": str(plan.program.resolve()),
        }))
        begin = time.perf_counter()
        words = [sys.executable, "-m", "tables.cell", str(job)]
        code, peak_mb = watch(words, Path(__file__).resolve().parent.parent, log, plan.threads, plan.time_limit)
        record["wall_seconds"] = round(time.perf_counter() - begin, 3)
        if code == 0:
            record |= json.loads(answer.read_text())
            record["peak_mb"] = max(record["peak_mb"], round(peak_mb))
        else:
            record |= {"status": "timeout" if code is None else "failed", "peak_mb": round(peak_mb)}
            record["error"] = reason(code, log.read_text(errors="replace"), plan.time_limit)
    return record


def watch(words: list[str], folder: Path, log: Path, count: int, time_limit: float) -> tuple[int | None, float]:
    """Exit code, None after the time limit, and the largest memory of the process and its children together."""
    threads = dict.fromkeys(THREAD_VARIABLES, str(count))
    with open(log, "w") as output:
        child = subprocess.Popen(
            words, stdin=subprocess.DEVNULL, stdout=output, stderr=output, cwd=folder, env=os.environ | threads,
            start_new_session=True,
        )
    deadline, peak = time.perf_counter() + time_limit, 0.0
    try:
        while True:
            peak = max(peak, tree_mb(child.pid))
            left = max(0.001, deadline - time.perf_counter())
            try:
                return child.wait(min(LOOK_EVERY, left)), peak
            except subprocess.TimeoutExpired:
                if time.perf_counter() > deadline:
                    return None, peak
    finally:
        if child.poll() is None:
            os.killpg(child.pid, signal.SIGKILL)
            child.wait()


def tree_mb(pid: int) -> float:
    """Resident memory of a process and all its children, now."""
    try:
        process = psutil.Process(pid)
        family = [process, *process.children(recursive=True)]
    except psutil.NoSuchProcess:
        return 0.0
    total = 0
    for member in family:
        try:
            total += member.memory_info().rss
        except psutil.NoSuchProcess:
            continue
    return total / 2**20


def reason(code: int | None, log: str, limit: float) -> str:
    """One line that says why a cell has no scores."""
    if code is None:
        return f"stopped after {limit:g} s (--time-limit)"
    if code < 0:
        return f"ended by signal {signal.Signals(-code).name}: often too little memory"
    lines = [line for line in log.splitlines() if line.strip()]
    return lines[-1].strip() if lines else f"ended with code {code} and no message"
