"""`python -m tables run` fills the results file, `python -m tables report` reads it."""

from __future__ import annotations

import argparse
import os
import signal
import sys
from pathlib import Path

from tables import data, results, synthetic
from tables.methods import METHODS, RIVALS
from tables.pages import write_pages
from tables.report import write_report
from tables.runner import Plan, run
from tables.summary import Summary

HERE = Path(__file__).resolve().parent
RESULTS = HERE / "results"  # those that are committed
PROGRAM = HERE.parent.parent / "build" / "release" / "mirrorball"


def main() -> int:
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # leave through `finally`: no cell is left running
    arguments = parser().parse_args()
    try:
        return arguments.verb(arguments)
    except KeyboardInterrupt:
        print("\nstopped; the next run goes on from here", file=sys.stderr)
        return 130


def parser() -> argparse.ArgumentParser:
    top = argparse.ArgumentParser(prog="python -m tables", description=sys.modules["tables"].__doc__)
    verbs = top.add_subparsers(required=True, metavar="VERB")

    running = verbs.add_parser("run", help="run the cells that are not done yet", formatter_class=Formatter)
    running.set_defaults(verb=run_verb)
    add_out(running)
    add = running.add_argument
    add("--data", type=Path, default=HERE / "data", help="folder with NAME.csv.gz; what is missing is downloaded")
    add("--tables", type=names, default=list(data.TABLES), help="comma-separated; also " + ", ".join(synthetic.LAWS))
    add("--splits", type=numbers, default=[0, 1, 2], help="a number of splits, or split numbers: 3 or 0,1,2")
    others = ", ".join(name for name in METHODS if name not in RIVALS)
    add("--methods", type=names, default=list(RIVALS), help=f"comma-separated; also {others}")
    add("--threads", type=positive, default=os.cpu_count() or 1, help="threads of each method")
    add("--time-limit", type=float, default=7200.0, metavar="S", help="seconds after which a cell is stopped")
    add("--slow-after", type=float, default=1200.0, metavar="S",
        help="a method that needs more processor seconds per thread for a split of a table runs no second one there")
    add("--mirrorball", type=Path, default=PROGRAM, help="the mirrorball program")
    add("--any-data", action="store_true", help="go on with files that are not those of the committed results")
    add("--retry", action="store_true", help="run failed cells again")
    add("--redo", action="store_true", help="run all the named cells again; the new records replace the old")
    add("--left", action="store_true", help="run nothing: say how many cells are left, and fail if there are some")

    reporting = verbs.add_parser("report", help="write report.md and report.svg, and the scores of README.md and docs/results.md", formatter_class=Formatter)
    reporting.set_defaults(verb=report_verb)
    add_out(reporting)
    return top


class Formatter(argparse.ArgumentDefaultsHelpFormatter):
    """Help with defaults, lists as they are typed."""

    def _expand_help(self, action: argparse.Action) -> str:
        if isinstance(action.default, list):
            action.default = ",".join(map(str, action.default))
        return super()._expand_help(action)


def add_out(verb: argparse.ArgumentParser) -> None:
    verb.add_argument("--out", type=Path, default=RESULTS, help="folder of results.jsonl and the report")


def names(text: str) -> list[str]:
    found = list(dict.fromkeys(word.strip() for word in text.split(",") if word.strip()))
    if not found:
        raise argparse.ArgumentTypeError("there is no name")
    return found


def numbers(text: str) -> list[int]:
    """How many splits, or which. One number is a count, so that 0 is a mistake and not the first split."""
    if "," not in text:
        return list(range(positive(text)))
    return list(dict.fromkeys(at_least(0, word) for word in text.split(",")))


def positive(text: str) -> int:
    return at_least(1, text)


def at_least(least: int, text: str) -> int:
    value = int(text)
    if value < least:
        raise argparse.ArgumentTypeError(f"{text} is below {least}")
    return value


def run_verb(arguments: argparse.Namespace) -> int:
    unknown = [method for method in arguments.methods if method not in METHODS]
    if unknown:
        sys.exit(f"there is no method {', '.join(unknown)}; there are {', '.join(METHODS)}")
    needs_program = any(METHODS[method].needs_program for method in arguments.methods)
    if needs_program and not arguments.left and not arguments.mirrorball.is_file():
        sys.exit(f"there is no program {arguments.mirrorball}: run `make`, or name one with --mirrorball")
    plan = Plan(
        tables=arguments.tables if arguments.left else available(arguments.tables, arguments.data, arguments.any_data),
        splits=arguments.splits,
        methods=arguments.methods,
        threads=arguments.threads,
        time_limit=arguments.time_limit,
        slow_after=arguments.slow_after,
        data=arguments.data,
        out=arguments.out,
        program=arguments.mirrorball,
        retry=arguments.retry,
        redo=arguments.redo,
    )
    if arguments.left:
        print(len(plan.left()))
        return 1 if plan.left() else 0
    return 1 if run(plan) else 0


def available(wanted: list[str], folder: Path, any_data: bool = False) -> list[str]:
    """The tables to be had, after trying to fetch those that are missing. Where the ten were wanted and there is none,
    the synthetic laws; a table that was asked for by name has no substitute.
    """
    found = []
    for name in wanted:
        try:
            if name not in synthetic.LAWS and data.find(name, folder) is None:
                data.fetch(name, folder)
            if not any_data:
                data.check(name, folder)
            found.append(name)
        except data.OtherTable as error:
            sys.exit(str(error))
        except data.MissingTable as error:
            print(error, file=sys.stderr)
    if found:
        return found
    if wanted != list(data.TABLES):
        sys.exit(f"no table is to be had of {', '.join(wanted)}")
    print(f"no table is to be had: running on {', '.join(synthetic.LAWS)} instead", file=sys.stderr)
    return list(synthetic.LAWS)


def report_verb(arguments: argparse.Namespace) -> int:
    print(write_report(arguments.out))
    if arguments.out.resolve() == RESULTS:
        write_pages(Summary(results.read(RESULTS / "results.jsonl").values()))
    return 0


if __name__ == "__main__":
    sys.exit(main())
