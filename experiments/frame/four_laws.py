"""The default options beside DN+ with the printed settings, on the paper's four distributions: numbers come from the records of the
experiments."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from experiments.frame import distances, look, program
from experiments.frame.experiment import Claim, Experiment, Numbers
from experiments.frame.program import Program

TITLE = "The default options on the four distributions"

ABOUT = """\
The default options are meant to be at least as near to the truth as DN+ with the settings that the paper prints, on each of its four
distributions. Where the paper has four activations, the default is compared with the nearest of them, distance by distance. The numbers are
those of the sections above: mean over the data sets, in brackets on how many of them the default is at least as near."""


class Contest(NamedTuple):
    """One distribution: the default's distances, and those of the printed networks by name."""

    name: str
    programs: list[Program]  # that made the default's numbers
    section: str  # that the numbers come from
    default: Numbers
    printed: dict[str, Numbers]


def contests(run: dict[Experiment, dict | None]) -> Iterator[Contest]:
    """Those that have been run."""
    found = {experiment.name: (experiment.title, record["numbers"]) for experiment, record in run.items() if record}
    programs = {experiment.name: program.of_method(record, "default") for experiment, record in run.items() if record}
    if "unimodal" in found:
        title, numbers = found["unimodal"]
        yield Contest("one peak", programs["unimodal"], title, numbers["distances"]["default"], {"DN+": numbers["distances"]["paper"]})
    if "crossing" in found and "default" in found["crossing"][1]["distances"]:
        title, numbers = found["crossing"]
        yield Contest("crossing curves", programs["crossing"], title, numbers["distances"]["default"],
                      {look.LABELS[name]: one for name, one in numbers["distances"].items() if name in ("relu", "selu", "tanh", "gcu")})
    if "functions" in found and "default" in found["functions"][1]:
        title, numbers = found["functions"]
        networks = next(iter(numbers["rates"].values()))  # the usual learning rate is the first
        yield Contest("squares", programs["functions"], title, numbers["default"]["distances"],
                      {look.LABELS[name]: one["distances"] for name, one in networks.items()})
    if "arcs" in found:
        title, numbers = found["arcs"]
        yield Contest("arcs", programs["arcs"], title, arcs_distances(numbers, "default"), {"DN+": arcs_distances(numbers, "paper")})


def arcs_distances(numbers: Numbers, method: str) -> Numbers:
    """All four; of an earlier version the Hellinger distance of one seed, on the 40 × 40 cells of the core."""
    mean = numbers[method]["cells"]["40"]["mean"]
    return numbers[method].get("distances", {"hellinger": {"mean": mean, "seeds": [mean]}})


def nearest(contest: Contest, name: str) -> str:
    """The printed network that is nearest by a distance."""
    return min(contest.printed, key=lambda network: contest.printed[network][name]["mean"])


def ahead(contest: Contest, name: str) -> bool:
    return contest.default[name]["mean"] <= contest.printed[nearest(contest, name)][name]["mean"]


def wins(contest: Contest, name: str) -> str:
    """On how many data sets the default is at least as near as that network."""
    ours, theirs = (np.array(one[name]["seeds"]) for one in (contest.default, contest.printed[nearest(contest, name)]))
    return f"{(ours <= theirs).sum()} of {len(ours)}"


def claims(run: dict[Experiment, dict | None]) -> list[Claim]:
    made = []
    for contest in contests(run):
        behind = [name for name in contest.default if not ahead(contest, name)]
        told = ", ".join(f"{distances.LABELS[name]} {contest.default[name]['mean']:.3f} against "
                         f"{contest.printed[nearest(contest, name)][name]['mean']:.3f}" for name in contest.default)
        which = "all four distances" if len(contest.default) == 4 else "the distance that was measured"
        made.append(Claim(
            f"not in the paper: the default options are at least as near as DN+ with the printed settings, {contest.name}",
            f"in {which}, {distances.mean_of(len(contest.default['hellinger']['seeds']))}: {told}", not behind))
    return made


def section(run: dict[Experiment, dict | None], newest: Program) -> list[str]:
    lines = ["| | " + " | ".join(distances.LABELS[name] for name in distances.NAMES) + " |", "| --- |" + " ---: |" * len(distances.NAMES)]
    for contest in contests(run):
        default, printed = [], []
        for name in distances.NAMES:
            if name not in contest.default:
                default.append("")
                printed.append("")
                continue
            best = nearest(contest, name)
            mean = f"{contest.default[name]['mean']:.3f}"
            default.append(f"**{mean}** ({wins(contest, name)})" if ahead(contest, name) else f"{mean} ({wins(contest, name)})")
            which = f" {best}" if len(contest.printed) > 1 else ""
            theirs = f"{contest.printed[best][name]['mean']:.3f}"
            printed.append((theirs if ahead(contest, name) else f"**{theirs}**") + which)
        lines += [f"| {contest.name}: default options | {' | '.join(default)} |", f"| {contest.name}: DN+ as printed | {' | '.join(printed)} |"]
    old = [contest.name for contest in contests(run) if contest.programs != [newest]]
    said = ["", f"*The default options were run with an earlier program on: {', '.join(old)}.*"] if old else []
    return [ABOUT, "", *lines, *said]
