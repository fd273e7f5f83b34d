"""Runs an experiment's cells, those that are not kept yet, and writes numbers and figure."""

from __future__ import annotations

import argparse
import json
import os
import re
import signal
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from importlib import metadata
from pathlib import Path

import numpy as np

from experiments.frame import look, page, program, store
from experiments.frame.experiment import Experiment, Numbers, Results, Settings
from experiments.frame.program import Program, of_method
from experiments.frame.settings import AS_PRINTED
from experiments.frame.workshop import Workshop
from tables import machine

ROOT = Path(__file__).resolve().parents[2]
TABLES = ROOT / "experiments" / "tables" / "data"
PACKAGES = ("mirrorball", "numpy", "scipy", "scikit-learn", "lightgbm", "quantile-forest", "matplotlib")


@dataclass(frozen=True)
class Run:
    """How to run: `out` gets paper.md and the folder paper with figures and numbers."""

    workshop: Workshop
    out: Path
    quick: bool = False
    redo: bool = False
    renew: bool = False  # redo what another program made
    program: Program = field(default_factory=program.current)
    methods: tuple[str, ...] = ()  # of those experiments that have some by name; all by default
    say: Callable[[str], None] = lambda text: print(text, file=sys.stderr, flush=True)

    @property
    def figures(self) -> Path:
        return self.out / "paper"


def run(experiment: Experiment, how: Run) -> bool:
    """Runs one experiment to its end; False where its table is not to be had."""
    settings = experiment.quick if how.quick else experiment.full
    if how.methods:
        known = settings.get("methods", [])
        if unknown := [method for method in how.methods if method not in known]:
            raise SystemExit(f"{experiment.name} has no method {', '.join(unknown)}: it has {', '.join(known) or 'none by name'}")
        settings = settings | {"methods": [method for method in known if method in how.methods]}
    if experiment.table is not None and (why := how.workshop.lacks(experiment.table)):
        how.say(f"{experiment.name}: left out. {why}")
        return False
    begun = time.perf_counter()
    done = run_cells(experiment, settings, how)
    numbers, earlier = with_earlier(experiment, experiment.numbers(settings, done), how)
    path = how.figures / f"{experiment.name}.json"
    how.figures.mkdir(parents=True, exist_ok=True)
    old_figure = not experiment.complete(numbers)  # of an earlier run, which is left
    if not old_figure:
        look.save(experiment.draw(numbers, done), how.figures / experiment.name)
    record = {
        "experiment": experiment.name, "quick": how.quick, "settings": settings, "networks": AS_PRINTED, "earlier": earlier,
        "old_figure": old_figure, "programs": program.of_cells(done.values()),
        "caption": experiment.caption, "numbers": numbers, **({} if earlier else cpu_seconds(done)),
        "machine": machine.describe(), "versions": machine.versions(tuple(filter(installed, PACKAGES))),
    }
    path.write_text(readable(record))
    how.say(f"{experiment.name}: done in {clock(time.perf_counter() - begun)}, {how.figures / experiment.name}.svg")
    return True


def with_earlier(experiment: Experiment, numbers: Numbers, how: Run) -> tuple[Numbers, dict[str, list[Program]]]:
    """Where only some methods were run again: the numbers that the record has of the others, and the programs that made these."""
    path = how.figures / f"{experiment.name}.json"
    if not how.methods or not path.exists():
        return numbers, {}
    record = json.loads(path.read_text())
    earlier: list[str] = []
    merged = with_methods(numbers, record["numbers"], experiment.full["methods"], earlier)
    return merged, {method: of_method(record, method) for method in earlier}


def with_methods(now: Numbers, before: Numbers, methods: Sequence[str], taken: list[str]) -> Numbers:
    """`now`, at all depths with those methods that only `before` has, in the order of `methods`; `taken` gets their names."""
    missing = [method for method in methods if method in before and method not in now]
    taken += missing
    seeds = {"seeds": before["seeds"]} if "seeds" in before else {}
    both = now | {method: seeds | before[method] if seeds else before[method] for method in missing}
    both |= {name: with_methods(value, before[name], methods, taken)
             for name, value in now.items() if isinstance(value, dict) and isinstance(before.get(name), dict)}
    ordered = [name for name in methods if name in both]
    return {name: both[name] for name in [*ordered, *(name for name in both if name not in ordered)]}


def redraw(experiment: Experiment, figures: Path) -> None:
    """The figure once more, where the record has all of it."""
    path = figures / f"{experiment.name}.json"
    if experiment.drawn_from_numbers and path.exists() and experiment.complete(numbers := json.loads(path.read_text())["numbers"]):
        look.save(experiment.draw(numbers, {}), path.with_suffix(""))


def readable(record: dict) -> str:
    """JSON with a line for each name, and lists of numbers on one line."""
    text = json.dumps(record, indent=1, allow_nan=False)
    return re.sub(r"\[[^][{}]*\]", lambda numbers: " ".join(numbers[0].split()), text) + "\n"


def installed(package: str) -> bool:
    """A quick run does without some rivals."""
    try:
        return bool(metadata.version(package))
    except metadata.PackageNotFoundError:
        return False


def run_cells(experiment: Experiment, settings: Settings, how: Run) -> Results:
    """What all cells left, from the disk or made now. After an interruption the next run goes on with the rest."""
    cells = experiment.cells(settings)
    done: Results = {}
    for number, cell in enumerate(cells, 1):
        path = how.workshop.folder / "cells" / experiment.name / f"{store.key(cell.name, cell.settings)}.npz"
        if how.redo or not path.exists() or how.renew and not made_by(how.program, path):
            announce(f"{experiment.name} {number}/{len(cells)} {cell.name} ...")
            begun, cpu = time.perf_counter(), time.process_time()
            result = cell.work(how.workshop, **cell.settings)
            store.save(path, result | {page.CPU: np.array(time.process_time() - cpu)} | program.kept(how.program))
            announce("")
            how.say(f"{experiment.name} {number}/{len(cells)} {cell.name}  {time.perf_counter() - begun:.1f} s")
        done[cell.name] = store.load(path)
    return done


def made_by(wanted: Program, path: Path) -> bool:
    return program.of_cells([store.load(path)]) == [wanted]


def cpu_seconds(done: Results) -> Numbers:
    """Of all cells together; of those that an earlier version kept it is not known."""
    known = [float(one[page.CPU]) for one in done.values() if page.CPU in one]
    return {page.CPU: round(sum(known))} if known and len(known) == len(done) else {}


def announce(text: str) -> None:
    """On a terminal, a line that the next text replaces."""
    if sys.stderr.isatty():
        print(f"\r\033[K{text}", end="", file=sys.stderr, flush=True)


def clock(seconds: float) -> str:
    return f"{int(seconds) // 60}:{int(seconds) % 60:02} min"


def main(experiments: Iterable[Experiment], description: str) -> int:
    """The command line of one experiment or of all."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # leave through `finally`, as after Ctrl-C
    arguments = parser(description).parse_args()
    out = arguments.out or (ROOT / "build" / "paper-quick" / "out" if arguments.quick else ROOT / "docs")
    work = arguments.work or ROOT / "build" / ("paper-quick" if arguments.quick else "paper")
    how = Run(Workshop(work, arguments.data, arguments.threads, arguments.any_data, program.build()), out, arguments.quick,
              arguments.redo, arguments.renew, methods=tuple(arguments.methods or ()))
    left_out = []
    try:
        for experiment in experiments:
            if arguments.only and experiment.name not in arguments.only:
                continue
            if arguments.page:
                redraw(experiment, how.figures)
            elif run(experiment, how):
                page.write(how.out)  # page and records agree whenever it stops
            else:
                left_out.append(experiment.name)
    except KeyboardInterrupt:
        print("\nstopped; the next run goes on from here", file=sys.stderr)
        return 130
    page.write(how.out)
    print(how.out / "paper.md")
    return 1 if left_out else 0


def parser(description: str) -> argparse.ArgumentParser:
    top = argparse.ArgumentParser(description=description, formatter_class=argparse.ArgumentDefaultsHelpFormatter)
    add = top.add_argument
    add("only", nargs="*", metavar="NAME", help="experiments to run; all if none is named")
    add("--quick", action="store_true", help="a small version of everything, in seconds, into build/paper-quick")
    add("--redo", action="store_true", help="run cells again that are done; models that this very program fitted are kept")
    add("--renew", action="store_true", help="run cells again that another program made")
    add("--methods", nargs="+", metavar="METHOD", help="run only these methods again, and keep the numbers of the others")
    add("--page", action="store_true", help="only write paper.md, and the figures that need no more, again from the numbers that are there")
    add("--data", type=Path, default=Path(os.environ.get("MIRRORBALL_DATA", TABLES)), help="folder with sulfur.csv.gz")
    add("--any-data", action="store_true", help="go on with a table that is not the one of the committed results")
    add("--threads", type=int, default=os.cpu_count() or 1, help="threads of each method")
    add("--out", type=Path, help="where paper.md and the folder paper go [docs]")
    add("--work", type=Path, help="where cells and models are kept [build/paper]")
    return top
