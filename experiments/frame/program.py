"""Which program made a result: each cell keeps it, and the page says which results are of an earlier one."""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Iterable
from pathlib import Path

import numpy as np
from mirrorball import _core
from mirrorball._core import _library

from experiments.frame.experiment import Numbers, Result
from tables import machine

PROGRAM = "program"  # a cell's name for it
UNKNOWN = {"version": "", "commit": "", "date": ""}  # of a cell from before programs were kept

Program = dict[str, str]


def current() -> Program:
    """Version, commit and the commit's time of the installed package, as tools/python left them in its environment."""
    return {"version": _core.__version__, **machine.last_change(Path(sys.prefix))}


def build() -> str:
    """What is compiled, in short: models of another build are not used again."""
    return hashlib.sha256(_library.FILE.read_bytes()).hexdigest()[:12]


def kept(program: Program) -> Result:
    """As an array of a cell."""
    return {PROGRAM: np.array(json.dumps(program))}


def of_cells(cells: Iterable[Result]) -> list[Program]:
    """The programs of cells, each once, the oldest first."""
    return distinct(json.loads(str(cell[PROGRAM])) if PROGRAM in cell else UNKNOWN for cell in cells)


def distinct(programs: Iterable[Program]) -> list[Program]:
    return sorted({one["commit"] or one["version"]: one for one in programs}.values(), key=lambda one: one["date"])


def of_method(record: Numbers, method: str) -> list[Program]:
    """The programs of a method's numbers, which may be of an earlier run than the others."""
    return record.get("earlier", {}).get(method) or record.get("programs", [UNKNOWN])


def of_record(record: Numbers) -> list[Program]:
    return distinct([*record.get("programs", [UNKNOWN]), *(one for some in record.get("earlier", {}).values() for one in some)])


def newest(records: Iterable[Numbers | None], *more: list[Program]) -> Program:
    """The newest of all that made something: what another one made is marked on the page."""
    return max((one for some in (*(of_record(record) for record in records if record), *more) for one in some if one["commit"]),
               key=lambda one: one["date"], default=UNKNOWN)


def of_tables(records: Iterable[Numbers], method: str) -> list[Program]:
    """The programs of a method's records in the two tables: their version, commit and its time; without a commit, the day of the run."""
    return distinct({"version": record["versions"].get("mirrorball", "").removeprefix("mirrorball "), "commit": record.get("commit") or "",
                     "date": record["date"] if "date" in record else record["when"]} for record in records
                    if record["method"] == method and record["status"] == "ok")


def named(programs: Iterable[Program]) -> str:
    """For the page: commits with their days."""
    return ", ".join(f"commit {one['commit']} of {one['date'][:10]}" if one["commit"] else
                     f"version {one['version']}, run on {one['date'][:10]}" if one["version"] else "of which nothing is recorded"
                     for one in programs)
