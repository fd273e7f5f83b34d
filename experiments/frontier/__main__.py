"""`python -m experiments.frontier B|A|S|D|more` runs what is missing of a set, or of several, and writes docs/frontier.md; `page` only writes."""

from __future__ import annotations

import argparse
import os
import signal
import sys
from pathlib import Path

from experiments.frontier import page, runner
from experiments.frontier.sets import DEFAULT, SETS
from tables import machine
from tables.__main__ import PROGRAM, names, numbers, positive
from tables.methods import METHODS

DATA = runner.ROOT.parent / "shared" / "datasets"


def main() -> int:
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # leave through `finally`: no cell is left running
    arguments = parser().parse_args()
    try:
        failures = run(arguments) if set(arguments.sets) - {"page"} else 0  # the page alone disturbs no run
    except KeyboardInterrupt:
        print("\nstopped; the next run goes on from here", file=sys.stderr)
        return 130
    if arguments.out == runner.results.RESULTS:
        page.write()
    return 1 if failures else 0


def run(arguments: argparse.Namespace) -> int:
    wanted = [name for name in arguments.sets if name != "page"]
    unknown = [name for name in arguments.methods or () if name not in METHODS]
    if unknown:
        sys.exit(f"there is no method {', '.join(unknown)}; there are {', '.join(METHODS)}")
    if set(wanted) - {"more"} and any(not METHODS[name].needs_program for name in arguments.methods or ()):
        sys.exit("sets B, A, S and D have the figures of others as they were published: only Mirrorball runs there")
    if not arguments.mirrorball.is_file() and any(DEFAULT in (arguments.methods or SETS[name].methods) for name in wanted):
        sys.exit(f"there is no program {arguments.mirrorball}: run `make`, or name one with --mirrorball")
    return runner.run(runner.Plan(
        cells=[cell for name in wanted for cell in SETS[name].cells(name, arguments.splits, arguments.tables, arguments.methods)],
        data=arguments.data, program=arguments.mirrorball, commit=arguments.commit or machine.commit_of_program(),
        threads=arguments.threads, out=arguments.out, time_limit=arguments.time_limit, minutes=arguments.minutes,
        redo=arguments.redo, say=lambda text: print(text, flush=True)))


def splits(text: str) -> int | list[int]:
    """How many, or which."""
    return numbers(text) if "," in text else positive(text)


def parser() -> argparse.ArgumentParser:
    top = argparse.ArgumentParser(prog="python -m experiments.frontier", description=__doc__)
    add = top.add_argument
    add("sets", nargs="+", choices=[*SETS, "page"], help="what to run; page: only the page, from the results that are there")
    add("--data", type=Path, default=Path(os.environ.get("MIRRORBALL_DATA", DATA)), help="folder with NAME.csv.gz and more/NAME.csv.gz")
    add("--tables", type=names, help="comma-separated [all of the set]")
    add("--splits", type=splits, help="how many, or which: 2 or 1,3 [all of the set]")
    add("--methods", type=names, help="comma-separated [all of the set]")
    add("--threads", type=positive, default=os.cpu_count() or 1, help="threads of each method [all cores]")
    add("--minutes", type=float, default=float("inf"), help="begin no fit after so many minutes")
    add("--time-limit", type=float, default=7200.0, metavar="S", help="seconds after which a fit is stopped [7200]")
    add("--mirrorball", type=Path, default=PROGRAM, help="the mirrorball program [build/release/mirrorball]")
    add("--commit", help="the commit that the program was built from [that of the last build]")
    add("--redo", action="store_true", help="run what is there once more; the new lines replace the old")
    add("--out", type=Path, default=runner.results.RESULTS, help="another file than the committed results")
    return top


if __name__ == "__main__":
    sys.exit(main())
