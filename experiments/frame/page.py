"""docs/paper.md, made from the numbers of the experiments that have been run."""

from __future__ import annotations

import json
from pathlib import Path

from experiments.frame.catalogue import experiments
from experiments.frame.experiment import Experiment

HEAD = """\
# The paper, figure by figure

Made by `make paper` from the numbers in [paper/](paper); do not edit by hand.

Every experiment of Kanazawa & Gupta's DN+ paper, run with Mirrorball beside the real rivals (LightGBM,
quantile-forest, scikit-learn's Gaussian process). *DN+ (paper's settings)* is `preset="paper"` with the settings the
paper prints for the experiment: one network, independent draws, a constant learning rate. *Mirrorball, default
options* is a plain fit of the same rows: six networks, forest, calibration. True laws and distances come from the C++
core ([method.md](method.md#known-laws-and-four-distances) has the formulas and the cells). The paper shows most
results as pictures without numbers; where it prints one, it stands beside ours.
"""

TABLES = """\
## The two tables

The paper's tables of ten data sets are in [experiments/tables](../experiments/tables), which runs Mirrorball and nine
rivals on them and prints ours beside the paper's.

**The CRPS and NLL that the paper prints are medians over the test rows, not means.** The text does not say so; the
numbers do. Its own setting, run again on five random splits (mean over the splits; CRPS by `--preset paper`, NLL by a
PyTorch implementation of the same network):

| table | CRPS: mean over rows | median over rows | printed | NLL: mean over rows | median over rows | printed |
| --- | ---: | ---: | ---: | ---: | ---: | ---: |
| California | 0.220 | 0.124 | 0.132 | 0.314 | 0.050 | 0.077 |
| Kin8nm | 0.0420 | 0.030 | 0.027 | −1.11 | −1.41 | −1.54 |
| Concrete | 2.30 | 1.11 | 1.09 | 3.81 | 2.20 | 2.18 |

The medians agree with print, the means are up to twice as large. Why it matters: a mean CRPS of 0.22 on California is
not "worse than the paper's 0.132", and a method that is good on easy rows and bad on hard ones looks better in the
median than it is. CRPS and NLL are proper scores only in the mean. So the benchmark reports both, compares the median
column with the paper, and judges by the mean.
"""


VERDICTS = {True: "yes", False: "**no**", None: "cannot say"}


def write(out: Path) -> None:
    """Writes paper.md from the numbers under `out`/paper; an experiment without numbers is named as missing."""
    run = {experiment: read(out / "paper" / f"{experiment.name}.json") for experiment in experiments()}
    lines = [HEAD, *setting(run), "", "## What holds", "", *verdicts(run)]
    for experiment, record in run.items():
        lines += ["", f"## {experiment.title}", "", *body(experiment, record)]
    out.mkdir(parents=True, exist_ok=True)
    (out / "paper.md").write_text("\n".join([*lines, "", TABLES]))


def read(path: Path) -> dict | None:
    return json.loads(path.read_text()) if path.exists() else None


def setting(run: dict[Experiment, dict | None]) -> list[str]:
    """Machine and versions; a quick run says that its numbers mean nothing."""
    records = [record for record in run.values() if record is not None]
    machines = sorted({f"{record['machine']['cpu']}, {record['machine']['cores']} cores" for record in records})
    versions = sorted({f"{name} {version}" for record in records for name, version in record["versions"].items()})
    lines = [f"Machine: {'; '.join(machines)}. Versions: {', '.join(versions)}."]
    if any(record["quick"] for record in records):
        lines.append("**Some of this is from a quick run, which shows that all works: its numbers mean nothing.**")
    return lines


def verdicts(run: dict[Experiment, dict | None]) -> list[str]:
    """One line per claim of the paper: whether it holds here, and by how much."""
    lines = ["| experiment | claim | holds here | ours |", "| --- | --- | --- | --- |"]
    for experiment, record in run.items():
        for claim in experiment.claims(record["numbers"]) if record else []:
            paper, ours = (text.replace("|", r"\|") for text in (claim.paper, claim.ours))
            lines.append(f"| [{experiment.title}](#{anchor(experiment.title)}) | {paper} | {VERDICTS[claim.holds]} | "
                         f"{ours} |")
    return lines


def body(experiment: Experiment, record: dict | None) -> list[str]:
    command = f"`python -m experiments.{experiment.name}`"
    if record is None:
        return [f"Not run yet: {command}."]
    return [
        experiment.about.strip().split("\n\n", 1)[1], "",
        f"![{experiment.caption}](paper/{experiment.name}.svg)", "",
        f"*{experiment.caption}* {command}, [numbers](paper/{experiment.name}.json).", "",
        *experiment.section(record["numbers"]),
    ]


def anchor(title: str) -> str:
    """The anchor that GitHub gives a heading."""
    kept = "".join(letter for letter in title.lower() if letter.isalnum() or letter in " -_")
    return kept.replace(" ", "-")
