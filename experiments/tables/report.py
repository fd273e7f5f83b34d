"""The report: the paper's two tables with ours beside the printed numbers, ranks, ratios, coverage and times."""

from __future__ import annotations

import csv
from collections.abc import Iterable
from pathlib import Path

import numpy as np

from tables import results
from tables.methods import METHODS, RIVALS
from tables.picture import draw
from tables.summary import Summary

BASE = "mirrorball"  # ratios and wins are told from its side
PRINTED = Path(__file__).with_name("printed.csv")
TITLES = {
    "crps": "CRPS, mean over rows",
    "crps_median": "CRPS, median over rows",
    "nll": "NLL, mean over rows",
    "nll_median": "NLL, median over rows",
    "mae": "MAE",
    "rmse": "RMSE",
}
# The paper's name of a score. Its CRPS and NLL agree with medians over rows, not with means.
PRINTED_AS = {"mae": "mae", "rmse": "rmse", "nll_median": "nll", "crps_median": "crps"}

CLOCK_STEP = 0.01  # processor seconds

Lines = list[str]


def write_report(out: Path) -> str:
    """Writes report.md and report.svg beside the results and returns the text."""
    records = results.read(out / "results.jsonl")
    if not any(record["status"] == "ok" for record in records.values()):
        raise SystemExit(f"there are no results in {out}: `python -m tables run` makes them")
    summary = Summary(records.values())
    text = "\n".join(compose(summary)) + "\n"
    (out / "report.md").write_text(text)
    draw(summary, BASE, out / "report.svg")
    return text


def compose(summary: Summary) -> Lines:
    """The whole report, part by part."""
    printed = read_printed()
    lines = ["# Ten tables", "", *setting(summary), "", *overview(summary)]
    if BASE in summary.methods:
        lines += ["", *wins(summary)]
    lines += ["", "![CPU time of a fit and CRPS of each method, relative to Mirrorball](report.svg)"]
    for title, metrics in (
        ("Point forecasts, with the paper's numbers in brackets", ("mae", "rmse")),
        ("Distributions, with the paper's numbers in brackets", ("nll_median", "crps_median")),
        ("Distributions, means over rows", ("nll", "crps")),
    ):
        lines += ["", f"## {title}"]
        for metric in metrics:
            lines += ["", *score_table(summary, metric, printed)]
    lines += ["", *coverage(summary), "", *times(summary), *harder(summary), *failures(summary)]
    return lines


def setting(summary: Summary) -> Lines:
    """Where, when and with what: a time means nothing without it."""
    records = list(summary.cells.values())
    machines = {
        f"{record['machine']['cpu']}, {record['machine']['cores']} cores, {record['machine']['memory_gb']} GB"
        for record in records
    }
    versions = {
        f"{name} {version}"
        for record in records
        for name, version in record.get("versions", {}).items()
        if name not in ("mirrorball", "program_sha256")
    }
    days = sorted(record["when"][:10] for record in records)
    said = {record["versions"]["mirrorball"] for record in records if "mirrorball" in record.get("versions", {})}
    lines = [
        f"{len(summary.tables)} tables, {len({key[2] for key in summary.cells})} splits, {days[0]} to {days[-1]}. "
        f"Machine: {'; '.join(sorted(machines))}; {thread_words(summary)}.",
        f"Versions: {', '.join(sorted(said) + sorted(versions))}.",
    ]
    return lines + [f"**The {METHODS[method].label} rows come from {count} different builds.**"
                    for method in summary.methods if (count := len(programs(summary, method))) > 1]


def thread_words(summary: Summary) -> str:
    """How many threads most cells had, and which methods had another number."""
    counts = [record["threads"] for record in summary.cells.values()]
    usual = max(set(counts), key=counts.count)
    others = sorted({(key[1], record["threads"]) for key, record in summary.cells.items()} - {
        (method, usual) for method in METHODS})
    names = ", ".join(f"{METHODS[method].label} {count}" for method, count in others)
    return f"{usual} thread{'s' * (usual != 1)}" + f" ({names})" * bool(names)


def programs(summary: Summary, method: str) -> set[str]:
    """The builds of mirrorball that a method's cells were run with; none for a rival."""
    return {record["versions"]["program_sha256"] for key, record in summary.cells.items()
            if key[1] == method and "program_sha256" in record.get("versions", {})}


def overview(summary: Summary) -> Lines:
    """One row per method: average ranks, accuracy and cost relative to ours."""
    base = BASE if BASE in summary.methods else summary.methods[0]
    ranks = {metric: summary.average_ranks(metric) for metric in TITLES}
    counts = sorted({count for _, count in ranks.values()})
    header = ["method", "cells", *(f"rank {metric.replace('_', ' ')}" for metric in TITLES), "CRPS ratio",
              "NLL difference", "90% covers", "fit", "tune", "predict", "peak MB"]
    rows = []
    for method in summary.methods:
        rows.append([
            METHODS[method].label,
            amount(summary, method),
            *(best(f"{value:.2f}", value == min(ranking.values())) if (value := ranking.get(method)) else ""
              for ranking, _ in ranks.values()),
            show(summary.ratio(method, base, "crps"), "{:.3f}"),
            show(summary.difference(method, base, "nll"), "{:+.3g}"),
            show(mean(over_tables(summary, method, "coverage90")), "{:.1%}"),
            *(show(geometric(over_tables(summary, method, stage)), "{:.3g}") for stage in ("fit", "tune", "predict")),
            show(max(over_tables(summary, method, "peak_mb"), default=None), "{:.0f}"),
        ])
    missing = [METHODS[method].label for method in RIVALS if method not in summary.methods]
    note = (
        "Cells: tables × splits. Ranks, by the splits that all methods of a table have: "
        f"average over {' or '.join(map(str, counts))} tables, 1 is best. Ratio: geometric mean over the tables "
        f"of CRPS / CRPS of {METHODS[base].label}; difference: mean of NLL - NLL of it (means over rows). Times: "
        "CPU seconds of all threads, the median of the splits, geometric mean over the tables, tuning apart "
        "(once per table). Memory: the "
        "largest of all tables." + f" Not run: {', '.join(missing)}." * bool(missing)
    )
    return [*markdown(header, rows), "", note]


def amount(summary: Summary, method: str) -> str:
    """Tables × splits: 10 × 3, or 10 × 1-3."""
    counts = [count for table in summary.tables if (count := len(summary.splits(table, method)))]
    if not counts:
        return "none"
    least, most = min(counts), max(counts)
    return f"{len(counts)} × {most if least == most else f'{least}-{most}'}"


def wins(summary: Summary) -> Lines:
    """Where we are first, and by how much we are not: against each rival on the splits that both have."""
    lines = []
    for metric in ("crps", "crps_median", "nll", "nll_median"):
        ahead = {table: rivals for table in summary.tables
                 if (rivals := summary.behind(table, BASE, metric)) is not None}
        lost = {table: rivals for table, rivals in ahead.items() if rivals}
        told = "; ".join(f"{table} ({', '.join(lead(summary, table, metric, *pair) for pair in rivals.items())})"
                         for table, rivals in lost.items())
        lines.append(f"- {TITLES[metric]}: Mirrorball is ahead of all on {len(ahead) - len(lost)} of {len(ahead)} "
                     f"tables{'; behind on ' * bool(told)}{told}.")
    if pairs := summary.against(BASE, "lgbm", "fit"):
        cheaper = sum(ours < theirs for ours, theirs in pairs)
        lines.append(f"- Its fit takes less CPU time than that of {METHODS['lgbm'].label} without tuning on "
                     f"{cheaper} of {len(pairs)} tables.")
    return lines


def lead(summary: Summary, table: str, metric: str, rival: str, gap: float) -> str:
    """By how much a rival is ahead: NLL may be negative, so a share of it would mean nothing."""
    if metric.startswith("nll"):
        return f"{METHODS[rival].label} by {gap:.2g}"
    theirs = summary.value(table, rival, metric, summary.common(table, (BASE, rival)))
    return f"{METHODS[rival].label} by {gap / theirs:.1%}"


def score_table(summary: Summary, metric: str, printed: dict[tuple[str, str, str], float]) -> Lines:
    """Tables down, methods across, the best bold. A row has the splits that all its methods have."""
    methods = [method for method in summary.methods if method in RIVALS and summary.has(method, metric)]

    def row(table: str) -> list[str]:
        alive = [method for method in methods if summary.splits(table, method)]
        common = summary.common(table, alive)
        values = {method: summary.value(table, method, metric, common) for method in alive if common}
        cells = [cell(table, method, values) for method in methods]
        return [table, f"{len(common)}", *cells, told(summary.value(table, BASE, metric))]

    def cell(table: str, method: str, values: dict[str, float]) -> str:
        if method not in values:
            return "failed" if summary.failed(table, method) else ""
        text = best(number(values[method]), values[method] == min(values.values()))
        paper = printed.get((table, PRINTED_AS.get(metric, ""), METHODS[method].printed or ""))
        return text if paper is None else f"{text} ({number(paper)})"

    ranks, count = summary.average_ranks(metric)
    rows = [*map(row, summary.tables),
            [f"*average rank ({count})*", "", *(show(ranks.get(method), "{:.2f}") for method in methods), ""]]
    header = ["table", "splits", *(METHODS[name].label for name in methods), f"{METHODS[BASE].label}, all splits"]
    return [f"**{TITLES[metric]}**", "", *markdown(header, rows)]


def coverage(summary: Summary) -> Lines:
    """Share of test rows inside the 90% interval, and what the interval costs in width."""
    methods = [method for method in summary.methods if summary.has(method, "coverage90")]
    shares = ((table, (summary.value(table, method, "coverage90") for method in methods)) for table in summary.tables)
    rows = [[table, *(show(value, "{:.1%}") for value in values)] for table, values in shares]
    base = BASE if BASE in methods else methods[0]
    rows.append(["*width, ratio*", *(show(summary.ratio(method, base, "width90"), "{:.3f}") for method in methods)])
    rows.append(["*QICE, mean*", *(show(mean(over_tables(summary, method, "qice")), "{:.4f}") for method in methods)])
    return ["## 90% intervals: share of rows inside", "",
            *markdown(["table", *(METHODS[name].label for name in methods)], rows)]


def times(summary: Summary) -> Lines:
    """Processor seconds of the last fit, with tuning and prediction behind."""

    def cell(table: str, method: str) -> str:
        values = [summary.value(table, method, stage) for stage in ("fit", "tune", "predict")]
        if None in values:
            return ""
        fit, tune, predict = (f"{value:.3g}" for value in values)
        return f"{fit} + {tune} + {predict}"

    rows = [[table, *(cell(table, method) for method in summary.methods)] for table in summary.tables]
    return ["## CPU seconds, the median of the splits: fit + tuning + prediction", "",
            *markdown(["table", *(METHODS[name].label for name in summary.methods)], rows)]


def harder(summary: Summary) -> Lines:
    """How the plain fit's CRPS grows as its table is made harder, and how far it still is from knowing nothing."""
    if not summary.harder or BASE not in summary.methods:
        return []

    def cell(table: str, method: str) -> str:
        common = summary.splits(table, method) & summary.splits(table, BASE)
        values = [summary.value(table, name, "crps", common) for name in (method, BASE)]
        return "failed" if summary.failed(table, method) else show(None if None in values else values[0] / values[1],
                                                                   "{:.3f}")

    columns = [*summary.harder, *(name for name in ("marginal",) if name in summary.methods)]
    rows = [[table, *(cell(table, method) for method in columns)] for table in summary.tables]
    rows.append(["*mean*", *(show(summary.ratio(method, BASE, "crps"), "{:.3f}") for method in columns)])
    return ["", "## Harder tables: CRPS relative to the untouched table", "",
            *markdown(["table", *(METHODS[name].label for name in columns)], rows), "",
            "Categories: every second column cut into text categories. Missing: that share of all cells removed, from test "
            "rows too. False: three tenths of the training rows have traded targets, and the given weight. Text has no "
            "order, so that 64 categories, which say more than 16, are harder to learn where rows are few. With 5% of the "
            "cells gone, a third of the rows of a table of eight features has a missing value, and no method knows what it hid."]


def failures(summary: Summary) -> Lines:
    """Cells without scores, each with its reason."""
    bad = [record for record in summary.cells.values() if record["status"] != "ok"]
    told = [f"- {record['table']}, split {record['split']}, {METHODS[record['method']].label}: {record['error']}"
            for record in bad]
    return ["", "## Without scores", "", *told] if told else []


def read_printed() -> dict[tuple[str, str, str], float]:
    """The paper's numbers by (table, score, method)."""
    with PRINTED.open() as file:
        return {(row["dataset"], row["metric"], row["method"]): float(row["value"]) for row in csv.DictReader(file)}


def over_tables(summary: Summary, method: str, metric: str) -> list[float]:
    values = (summary.value(table, method, metric) for table in summary.tables)
    return [value for value in values if value is not None]


def mean(values: list[float]) -> float | None:
    return float(np.mean(values)) if values else None


def geometric(values: list[float]) -> float | None:
    """Geometric mean of times; a stage that a method does not have takes none, less than the clock's step counts so."""
    if not any(values):
        return 0.0 if values else None
    return float(np.exp(np.mean(np.log(np.maximum(values, CLOCK_STEP)))))


def number(value: float) -> str:
    """Four digits: 0.2038, 42.68k, 9.649E-4."""
    if abs(value) >= 1e4:
        return f"{value / 1000:.4g}k" if abs(value) < 1e9 else f"{value:.3g}"
    if 0 < abs(value) < 1e-2:
        digits, power = f"{value:.3e}".split("e")
        return f"{digits}E{int(power)}"
    return f"{value:.4g}"


def told(value: float | None) -> str:
    return "" if value is None else number(value)


def show(value: float | None, form: str) -> str:
    return "" if value is None else form.format(value)


def best(text: str, is_best: bool) -> str:
    return f"**{text}**" if is_best else text


def markdown(header: list[str], rows: Iterable[list[str]]) -> Lines:
    """A table with its first column to the left and numbers to the right."""
    rule = ["---", *["---:"] * (len(header) - 1)]
    return [f"| {' | '.join(row)} |" for row in (header, rule, *rows)]
