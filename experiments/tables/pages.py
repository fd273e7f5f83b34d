"""The parts of README.md and docs/results.md that hold scores, made from the committed results.

A part stands between two comments, `<!-- tables: NAME -->` and `<!-- /tables -->`; `python -m tables report` fills them.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

from tables.methods import METHODS
from tables.report import BASE, Lines, best, mean, over_tables
from tables.summary import Summary

ROOT = Path(__file__).resolve().parents[2]
PAGES = (ROOT / "README.md", ROOT / "docs" / "results.md")
PART = re.compile(r"(<!-- tables: (\w+) -->\n).*?(<!-- /tables -->)", re.DOTALL)

#: As the pages name them, where that is not the label.
NAMES = {
    "mirrorball": "**Mirrorball**", "paper": "DN+ as in the paper (`--preset paper`)", "lgbm": "LightGBM, 51 quantiles, tuned",
    "catboost": "CatBoost, 51 quantiles, number of trees tuned", "qrf": "quantile forest, tuned", "ngboost": "NGBoost, tuned",
}
#: In a sentence.
SPOKEN = {"qrf": "the quantile forest", "gp": "the Gaussian process", "lgbm": "LightGBM", "catboost": "CatBoost", "paper": "DN+"}
WORDS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def write_pages(summary: Summary) -> None:
    for path in PAGES:
        path.write_text(filled(path.read_text(), summary))


def filled(text: str, summary: Summary) -> str:
    """A page with every part made anew; what stands between the parts is not touched."""
    return PART.sub(lambda found: found[1] + "\n".join(PARTS[found[2]](summary)) + "\n" + found[3], text)


def default_options(summary: Summary) -> Lines:
    """Mirrorball on each table."""
    rows = []
    for table in summary.tables:
        some = summary.cells[table, BASE, min(summary.splits(table, BASE))]
        value = {name: summary.value(table, BASE, name) for name in ("crps", "nll", "mae", "rmse", "coverage90", "fit")}
        rows.append([
            table, f"{sum(some['rows'].values()):,} × {some['features']}", digits(value["crps"]), f"{value['nll']:.3f}",
            digits(value["mae"]), digits(value["rmse"]), f"{value['coverage90']:.1%}", f"{value['fit']:.1f} s"])
    header = ["table", "rows × features", "CRPS", "NLL", "MAE of the median", "RMSE of the mean", "90% interval covers",
              "fit (CPU time)"]
    return plain(header, rows)


def beside_others(summary: Summary) -> Lines:
    """All methods, best CRPS first."""
    return compared(summary, {"crps": "CRPS", "nll": "NLL", "crps_median": "median CRPS", "nll_median": "median NLL"})


def overview(summary: Summary) -> Lines:
    """The same, narrow enough for the first page."""
    return compared(summary, {"crps": "CRPS", "nll": "NLL"})


def compared(summary: Summary, metrics: dict[str, str]) -> Lines:
    ranks = {metric: summary.average_ranks(metric)[0] for metric in metrics}
    ratios = {method: summary.ratio(method, BASE, "crps") for method in ranks["crps"]}
    rows = []
    for method in sorted(ratios, key=ratios.__getitem__):
        places = [best(f"{ranking[method]:.1f}", ranking[method] == min(ranking.values())) for ranking in ranks.values()]
        ratio = "1" if method == BASE else f"{ratios[method]:.2f}"
        covers = mean(over_tables(summary, method, "coverage90"))
        rows.append([NAMES.get(method, METHODS[method].label), ratio, *places, f"{covers:.1%}"])
    return plain(["", "CRPS", *(f"rank, {name}" for name in metrics.values()), "90% interval covers"], rows)


def verdict(summary: Summary) -> Lines:
    """Where Mirrorball is best by the two scores that judge, and who is ahead where it is not."""
    return [sentence(summary, {"crps": "mean CRPS", "nll": "mean NLL"})]


def verdicts(summary: Summary) -> Lines:
    """The same by all scores, and by the time of a fit."""
    return [
        f"- {sentence(summary, {'crps': 'mean CRPS', 'nll': 'mean NLL'})}",
        f"- {sentence(summary, {'mae': 'MAE', 'rmse': 'RMSE'})}",
        f"- By the median over rows: {sentence(summary, {'crps_median': 'CRPS', 'nll_median': 'NLL'})}",
        f"- {cheaper(summary)}",
    ]


def sentence(summary: Summary, metrics: dict[str, str]) -> str:
    counts = []
    for metric, name in metrics.items():
        behind = {table: rivals for table in summary.tables if (rivals := summary.behind(table, BASE, metric)) is not None}
        lost = "; ".join(f"{table}: {ahead(summary, table, metric, rivals)}" for table, rivals in behind.items() if rivals)
        won = amount(sum(not rivals for rivals in behind.values()), len(behind))
        counts.append(f"the lowest {name} on {won}" + f" ({lost})" * bool(lost))
    return f"Mirrorball has {' and '.join(counts)}."


def ahead(summary: Summary, table: str, metric: str, rivals: dict[str, float]) -> str:
    """Who is ahead on a table, and by how much: NLL may be negative, so its differences are not shares."""
    if len(rivals) > 3:
        return f"{WORDS[len(rivals)]} other methods are lower"
    told = []
    for rival, gap in rivals.items():
        theirs = summary.value(table, rival, metric, summary.common(table, (BASE, rival)))
        by = f"{gap:.2g}" if metric.startswith("nll") else f"{gap / theirs:.1%}"
        told.append(f"{SPOKEN.get(rival, METHODS[rival].label)} is lower by {by}")
    return ", ".join(told)


def cheaper(summary: Summary) -> str:
    fit, tune = summary.against(BASE, "lgbm", "fit"), summary.against(BASE, "lgbm", "tune")
    alone = sum(ours < theirs for ours, theirs in fit)
    with_tuning = sum(ours < theirs + tuning for (ours, theirs), (_, tuning) in zip(fit, tune))
    return (f"Its fit takes less CPU time than LightGBM's 51 models on {amount(alone, len(fit))}, with LightGBM's tuning "
            f"counted on {amount(with_tuning, len(fit))}.")


def amount(count: int, of: int) -> str:
    return f"all {WORDS[of]} tables" if count == of else f"{WORDS[count]} of {WORDS[of]} tables"


def digits(value: float) -> str:
    """Four digits, thousands with commas."""
    return f"{value:,.0f}" if abs(value) >= 1e4 else f"{value:.4g}"


def plain(header: list[str], rows: list[list[str]]) -> Lines:
    return [f"| {' | '.join(row)} |" for row in (header, ["---"] * len(header), *rows)]


PARTS: dict[str, Callable[[Summary], Lines]] = {
    part.__name__: part for part in (default_options, beside_others, overview, verdict, verdicts)
}
