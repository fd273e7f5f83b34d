"""The results file: one JSON line per (table, split, method), only ever appended to."""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

Record = dict[str, Any]
Key = tuple[str, int, str]


def key_of(record: Record) -> Key:
    """What makes a cell: a second line with the same key replaces the first."""
    return record["table"], record["split"], record["method"]


def read(path: Path) -> dict[Key, Record]:
    """The last record of every cell. A line cut short by a crash is passed over: its cell runs again."""
    records: dict[Key, Record] = {}
    if path.exists():
        for line in path.read_text().splitlines():
            try:
                record = json.loads(line)
                records[key_of(record)] = record
            except (json.JSONDecodeError, KeyError, TypeError):
                continue
    return records


def append(path: Path, record: Record) -> None:
    """One line by one write, on the disk before we go on. A torn line before it stays alone on its line."""
    path.parent.mkdir(parents=True, exist_ok=True)
    torn = path.exists() and not path.read_bytes().endswith(b"\n") and path.stat().st_size > 0
    line = ("\n" if torn else "") + json.dumps(record, allow_nan=False) + "\n"
    file = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o644)
    try:
        os.write(file, line.encode())
        os.fsync(file)
    finally:
        os.close(file)


@contextmanager
def only_writer(path: Path) -> Iterator[None]:
    """Refuses a second run on the same file: it would repeat the cells of the first and disturb its times."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with open(path, "a") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise SystemExit(f"another run is writing to {path}: wait for it, or choose another --out") from None
        yield
