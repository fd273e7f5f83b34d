"""docs/paper.md, made from the numbers of the experiments that have been run."""

from __future__ import annotations

import json
from pathlib import Path

from experiments.frame import four_laws, left_open, look, prediction_noise, program
from experiments.frame.catalogue import experiments
from experiments.frame.experiment import Claim, Experiment
from experiments.frame.program import Program
from tables import results
from tables.methods import METHODS, RIVALS
from tables.pages import WORDS
from tables.report import read_printed
from tables.summary import Summary
from tables.verdicts import PAPERS, Verdict, medians_not_means, nearer
from tables.verdicts import verdicts as of_tables

HEAD = """\
# The paper, figure by figure

Made by `make paper` from the numbers in [paper/](paper); do not edit by hand.

Every experiment of Kanazawa & Gupta's DN+ paper, run with Mirrorball beside other methods (LightGBM,
quantile-forest, scikit-learn's Gaussian process). *DN+ (paper's settings)* is `preset="paper"` with the settings the
paper prints for the experiment: one network, N independent draws per row, a constant learning rate, x and y as they are,
independent noise in prediction. *Mirrorball, default options* is a plain fit of the same rows, with all that the
[method](method.md) adds to the network. True distributions and distances come from the C++ core
([formulas and cells](method.md#known-distributions-and-four-distances)). The paper shows most results as pictures without numbers;
where it prints one, it is shown beside ours.
"""

TABLES = """\
The paper's tables of ten data sets are in [experiments/tables](../experiments/tables), which runs Mirrorball and {others}
other methods on them and [prints the results](../experiments/tables/results/report.md) beside the paper's. The lines of
the first table above come from these results (`tools/tables`): {splits} random splits, the {papers} methods of the paper, ranks over
the {tables} tables. [Where each table comes from](../experiments/tables/README.md#tables), what had to be reconstructed and the checksums are listed there.
"""
MEDIANS_HEAD = """\
**The CRPS and NLL that the paper prints are medians over the test rows, not means.** The text does not say so; the
numbers do. Its own setting, run again (`--preset paper`, mean over the splits):
"""
MEDIANS = """\
The printed number is nearer to the median than to the mean on {nearer}. Why it matters: a mean CRPS of
{california} on California is not "worse than the paper's {printed:g}", and a method that is good on easy rows and bad on hard ones
looks better in the median than it is. CRPS and NLL are proper scores only in the mean. So the benchmark reports both,
compares the median column with the paper, and judges by the mean.

On ailerons the printed MAE of the forest and of NGBoost are {forest} and {ngboost} times what both reach here, while
those of the other four methods agree with ours within {others}. The reason is not known.
"""
CPU = "cpu_seconds"
OURS = tuple(name for name, method in METHODS.items() if method.needs_program and name in RIVALS)
BEFORE_NOISE = "0.1.0"  # the last version whose `--preset paper` had evenly spread samples
TABLES_TITLE = "The two tables"
TABLES_FILE = Path(__file__).resolve().parents[1] / "tables" / "results" / "results.jsonl"

OWN = "not in the paper"  # a claim that begins like this is ours
VERDICTS = {True: "yes", False: "**no**", None: "cannot say"}


def write(out: Path) -> None:
    """Writes paper.md from the numbers under `out`/paper; an experiment without numbers is named as missing."""
    run = {experiment: read(out / "paper" / f"{experiment.name}.json") for experiment in experiments()}
    summary = Summary(results.read(TABLES_FILE).values())
    newest = program.newest(run.values(), *(program.of_tables(summary.cells.values(), method) for method in OURS))
    lines = [HEAD, *setting(run, summary, newest), "", "## What holds", "", *verdicts(run, summary)]
    for experiment, record in run.items():
        lines += ["", f"## {experiment.title}", "", *body(experiment, record, newest)]
    out.mkdir(parents=True, exist_ok=True)
    lines += ["", f"## {four_laws.TITLE}", "", *four_laws.section(run, newest)]
    lines += ["", f"## {TABLES_TITLE}", "", tables_text(summary), *noise(summary, run), MEDIANS_HEAD, *medians_not_means(summary), "", medians(summary),
              *of_earlier_programs(summary, newest), *left_open.table(run, summary)]
    (out / "paper.md").write_text("\n".join(lines))


def read(path: Path) -> dict | None:
    return json.loads(path.read_text()) if path.exists() else None


def setting(run: dict[Experiment, dict | None], summary: Summary, newest: Program) -> list[str]:
    """Machine, versions and times; a quick run says that its numbers mean nothing."""
    records = [record for record in run.values() if record is not None]
    machines = sorted({f"{record['machine']['cpu']}, {record['machine']['cores']} cores" for record in records})
    versions = sorted({f"{name} {version}" for record in records for name, version in record["versions"].items()})
    lines = [f"Machine: {'; '.join(machines)}. Versions: {', '.join(versions)}. Mirrorball: {program.named([newest])}, "
             "where nothing else is said.", "", *times(run, summary)]
    if any(record["quick"] for record in records):
        lines.append("**Some of this is from a quick run, which shows that all works: its numbers mean nothing.**")
    return lines


def times(run: dict[Experiment, dict | None], summary: Summary) -> list[str]:
    """CPU time of the experiments and the tables: wall time would be that of whatever else ran."""
    minutes = {experiment.name: record[CPU] / 60 for experiment, record in run.items() if record and CPU in record}
    rest = [experiment.name for experiment, record in run.items() if record and CPU not in record and record["programs"]]
    told = ", ".join(f"{name}: {value:.1f}" for name, value in minutes.items())
    by_method = {METHODS[method].label: sum(sum(record["cpu_seconds"].values()) for key, record in summary.cells.items()
                                            if key[1] == method and record["status"] == "ok") / 60
                 for method in summary.methods if method in RIVALS}
    tables = ", ".join(f"{name}: {value:.0f}" for name, value in by_method.items())
    return [*([f"CPU minutes of the figures: {told}; together {sum(minutes.values()):.1f}."] if minutes else []),
            *([f"Not timed: {', '.join(rest)}, which were run before times were kept, or in parts."] if rest else []),
            f"CPU minutes of the tables: {tables}; together {sum(by_method.values()):.0f}."]


def verdicts(run: dict[Experiment, dict | None], summary: Summary) -> list[str]:
    """How many claims hold, and one line for each: whether it holds here, and by how much."""
    made: list[tuple[str, Claim | Verdict]] = [
        (experiment.title, claim) for experiment, record in run.items() if record for claim in experiment.claims(record["numbers"])]
    made += [(four_laws.TITLE, claim) for claim in four_laws.claims(run)]
    made += [(TABLES_TITLE, verdict) for verdict in of_tables(summary)]
    own = [claim.holds for _, claim in made if claim.paper.startswith(OWN)]
    printed = [claim.holds for _, claim in made if not claim.paper.startswith(OWN)]
    return [f"Of {len(printed)} claims of the paper, {printed.count(True)} hold here and {printed.count(False)} do not; some are judged more than "
            f"once, for several activations, sizes or scores. Of {len(own)} lines that are not in the paper, {own.count(True)} hold.", "",
            "| experiment | claim | holds here | rule and what was found |", "| --- | --- | --- | --- |",
            *(verdict_line(title, claim) for title, claim in made)]


def verdict_line(title: str, claim: Claim | Verdict) -> str:
    paper, ours = (text.replace("|", r"\|") for text in (claim.paper, claim.ours))
    return f"| [{title}](#{anchor(title)}) | {paper} | {VERDICTS[claim.holds]} | {ours} |"


def medians(summary: Summary) -> str:
    """What the table of medians shows, and where print and our runs part."""
    printed = read_printed()
    times = {method: printed["ailerons", "mae", METHODS[method].printed] / summary.value("ailerons", method, "mae")
             for method in PAPERS}
    forest, ngboost = times.pop("qrf"), times.pop("ngboost")
    return MEDIANS.format(
        nearer=nearer(summary), forest=f"{forest:.1f}", ngboost=f"{ngboost:.1f}",
        others=f"{max(abs(ratio - 1) for ratio in times.values()):.0%}",
        california=f"{summary.value('california', 'paper', 'crps'):.2f}", printed=printed["california", "crps", "DN+"])


def tables_text(summary: Summary) -> str:
    splits = {len(summary.common(table, PAPERS)) for table in summary.tables}
    return TABLES.format(others=WORDS[sum(method in RIVALS for method in summary.methods) - 1], papers=WORDS[len(PAPERS)], tables=WORDS[len(summary.tables)],
                         splits=" to ".join(WORDS[count] for count in sorted(splits)))


def noise(summary: Summary, run: dict[Experiment, dict | None]) -> list[str]:
    """Where DN+ was run by a version without independent samples: what these change, as measured on smaller fits."""
    if BEFORE_NOISE not in {one["version"] for one in program.of_tables(summary.cells.values(), "paper")}:
        return []
    said = f"DN+ was run by version {BEFORE_NOISE}, whose `--preset paper` has evenly spread samples, where the paper has independent ones."
    found = next((record["numbers"].get("noise") for experiment, record in run.items() if record and experiment.name == "choices"), None)
    if found is None:
        return [f"{said} What that changes was not measured.", ""]
    before, after = of_tables(summary), of_tables(prediction_noise.applied(summary, found))
    turned = [one.paper for one, other in zip(before, after) if one.holds != other.holds]
    what = f"turn these: {'; '.join(turned)}" if turned else "turn none of the verdicts"
    return [f"{said} The difference was measured on smaller fits, one for each table: {prediction_noise.told(found)}. Applied to the "
            f"scores of DN+, table by table, these changes {what}.", ""]


def of_earlier_programs(summary: Summary, newest: Program) -> list[str]:
    """Of which programs the rows of Mirrorball and its presets are, where it is not the newest."""
    made = {METHODS[method].label: [one for one in program.of_tables(summary.cells.values(), method) if one != newest] for method in OURS}
    told = "; ".join(f"{label} by {program.named(programs)}" for label, programs in made.items() if programs)
    return [f"*An earlier program made the results of: {told}.*", ""] if told else []


def body(experiment: Experiment, record: dict | None, newest: Program) -> list[str]:
    command = f"`python -m experiments.{experiment.name}`"
    if record is None:
        return [f"Not run yet: {command}."]
    caption = record.get("caption", experiment.caption)  # of the figure that is there, maybe of an earlier version
    return [
        experiment.about.strip().split("\n\n", 1)[1], "",
        f"![{caption}](paper/{experiment.name}.svg)", "",
        f"*{caption}* {command}, [numbers](paper/{experiment.name}.json).", "",
        *experiment.section(record["numbers"]),
        *earlier(record, newest),
    ]


def earlier(record: dict, newest: Program) -> list[str]:
    """Results of another program than the newest one say so."""
    said = []
    if old := [one for one in record.get("programs", [program.UNKNOWN]) if one != newest]:
        part = "" if len(old) == len(record.get("programs", old)) else " in part"
        said.append(f"These numbers were made{part} by an earlier program, {program.named(old)}.")
    if kept := record.get("earlier"):
        programs = program.distinct(one for some in kept.values() for one in some)
        said.append(f"The numbers of {', '.join(look.LABELS[method] for method in kept)} are of an earlier run ({program.named(programs)}).")
    if record.get("old_figure"):
        said.append("The figure is of an earlier run too, and shows the earlier numbers of all.")
    return ["", f"*{' '.join(said)}*"] if said else []


def anchor(title: str) -> str:
    """The anchor that GitHub gives a heading."""
    kept = "".join(letter for letter in title.lower() if letter.isalnum() or letter in " -_")
    return kept.replace(" ", "-")
