"""A bar with the time left on a terminal; otherwise one line for every cell that ends."""

from __future__ import annotations

import sys
import time
from collections import defaultdict
from collections.abc import Iterable

from tables.results import Key, Record

WIDTH = 24


class Progress:
    """Guesses the time of a cell from the same method on the same table, else from the method, else from all."""

    def __init__(self, todo: list[Key], done: Iterable[Record]) -> None:
        self.todo = list(todo)
        self.total = len(todo)
        self.terminal = sys.stderr.isatty()
        self.times: dict[tuple, list[float]] = defaultdict(list)
        self.begun = time.perf_counter()
        for record in done:
            self.learn(record)

    def learn(self, record: Record) -> None:
        table, method = record["table"], record["method"]
        for key in ((table, method), (method,), ()):
            self.times[key].append(record["wall_seconds"])

    def guess(self, cell: Key) -> float:
        table, _, method = cell
        known = next((self.times[key] for key in ((table, method), (method,), ()) if key in self.times), [0.0])
        return sum(known) / len(known)

    def start(self, cell: Key) -> None:
        if self.terminal:
            ended = self.total - len(self.todo)
            bar = ("#" * (WIDTH * ended // self.total)).ljust(WIDTH, ".")
            left = clock(sum(self.guess(cell) for cell in self.todo))
            table, split, method = cell
            self.line(f"[{bar}] {ended}/{self.total}  about {left} left  {table} {split} {method}")

    def skip(self, cell: Key) -> None:
        self.todo.remove(cell)
        self.say(f"{name(cell)}  left out: another split took longer than --slow-after")

    def finish(self, record: Record) -> None:
        cell = (record["table"], record["split"], record["method"])
        self.todo.remove(cell)
        self.learn(record)
        if record["status"] == "ok":
            scores = record["scores"]
            told = f"CRPS {scores['crps']:.5g}" if scores["crps"] is not None else f"MAE {scores['mae']:.5g}"
        else:
            told = f"{record['status']}: {record['error']}"
        self.say(f"{name(cell)}  {record['wall_seconds']:8.1f} s  {told}")

    def close(self) -> None:
        if self.total:
            self.say(f"{self.total} cells in {clock(time.perf_counter() - self.begun)}")

    def say(self, text: str) -> None:
        self.line("")
        print(text, file=sys.stderr, flush=True)

    def line(self, text: str) -> None:
        """Text that the next text replaces."""
        if self.terminal:
            print(f"\r\033[K{text}", end="", file=sys.stderr, flush=True)


def name(cell: Key) -> str:
    table, split, method = cell
    return f"{table:13} {split} {method:11}"


def clock(seconds: float) -> str:
    minutes = round(seconds) // 60
    return f"{minutes // 60} h {minutes % 60:02} min" if minutes >= 60 else f"{minutes}:{round(seconds) % 60:02} min"
