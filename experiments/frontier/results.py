"""The committed results: a line of results.csv for each cell, only ever appended to, and the published figures beside."""

from __future__ import annotations

import csv
import os
from pathlib import Path

from experiments.frontier.sets import Cell

Record = dict[str, str]

FOLDER = Path(__file__).resolve().parent
RESULTS = FOLDER / "results.csv"
PUBLISHED = FOLDER / "published.csv"
SCORES = ("crps", "crps_median", "nll", "nll_median", "mae", "rmse", "coverage90", "width90")
COLUMNS = ("set", "table", "subset", "k", "method", "status", "rows_train", "rows_test", "features", "samples", *SCORES,
           "crps_of_no_features", "fit_cpu", "tune_cpu", "predict_cpu", "fit_wall", "threads", "program", "commit",
           "program_sha256", "cpu", "when", "chosen", "error")


def cell_of(record: Record) -> Cell:
    return Cell(record["set"], record["table"], int(record["subset"] or 0), int(record["k"]), record["method"])


def read(path: Path = RESULTS) -> dict[Cell, Record]:
    """The last line of every cell. A line cut short by a crash is passed over: its cell runs again."""
    if not path.exists():
        return {}
    with open(path, newline="") as file:
        whole = [record for record in csv.DictReader(file) if None not in record.values()]
    return {cell_of(record): record for record in whole}


def append(record: Record, path: Path = RESULTS) -> None:
    """One line by one write, on the disk before we go on; the header first."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with open(path, "a", newline="") as file:
        if file.tell() == 0:
            csv.writer(file, lineterminator="\n").writerow(COLUMNS)
        csv.DictWriter(file, COLUMNS, lineterminator="\n").writerow(record)
        file.flush()
        os.fsync(file.fileno())


def published() -> list[Record]:
    with open(PUBLISHED, newline="") as file:
        return list(csv.DictReader(file))
