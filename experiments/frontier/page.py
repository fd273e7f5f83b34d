"""docs/frontier.md, made from results.csv and published.csv: what is lost first, then set by set."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from experiments.frontier import results
from experiments.frontier.results import Record
from experiments.frontier.sets import DEFAULT, PACKAGES, SETS
from tables.methods import METHODS
from tables.pages import digits, plain

PAGE = Path(__file__).resolve().parents[2] / "docs" / "frontier.md"
UNSEEN = ("diabetes",)  # all other tables had a part in the development of the default options
COVERED = 0.90
FEW = 1_000  # rows to learn from, up to which coverage may be farther from 90%
NEAR = {True: 0.05, False: 0.03}
LARGE = 1e6  # an NLL beyond is no number to compare

TITLES = {
    "B": "Set B: six tables, nine methods tuned",
    "A": "Set A: 5,000 to 20,000 rows, pretrained models among the others",
    "S": "Set S: the same with 500 and 1,000 rows",
    "D": "Set D: California housing, a fine-tuned pretrained model",
    "more": "Fifteen development tables",
}
#: As the pages of these methods write them.
NAMES = {
    "TabICL-Quantiles": "TabICLv2", "RealTabPFN-2.5": "RealTabPFN-2.5", "treeffuser_published": "Treeffuser",
    "treeffuser_fm": "flow matching with trees", "treeffuser_score_plus": "score+ with trees", "deep_ensemble": "deep ensemble",
    "card": "CARD", "ibug": "IBUG", "ngboost": "NGBoost", "qreg_lightgbm": "LightGBM quantiles",
    "catboost_uncertainty": "CatBoost with uncertainty", "TabPFN-3 fine-tuned": "TabPFN-3, fine-tuned",
}

Lines = list[str]


@dataclass(frozen=True)
class Contest:
    """Ours and the best of the others on a table, means over the splits that are there."""

    set: str
    table: str
    subset: int
    done: int
    splits: int
    ours: dict[str, float]
    best: str = ""
    theirs: dict[str, float] | None = None

    @property
    def name(self) -> str:
        return f"{self.table} ({self.subset:,} rows)" if self.set == "S" else self.table

    @property
    def score(self) -> str:
        return "mse" if self.set == "D" else "crps"

    @property
    def ratio(self) -> float | None:
        return self.ours[self.score] / self.theirs[self.score] if self.theirs and self.done else None


class Frontier:
    """All contests of the committed results."""

    def __init__(self, records: Iterable[Record], published: Iterable[Record]) -> None:
        self.records = list(records)
        self.good = [record for record in self.records if record["status"] == "ok"]
        self.published = list(published)

    def contests(self, name: str) -> list[Contest]:
        return [self.contest(name, table, subset) for table, subset in SETS[name].tables]

    def contest(self, name: str, table: str, subset: int) -> Contest:
        ours = self.of(name, table, subset, DEFAULT)
        others = self.packages(table) if name == "more" else self.figures(name, table, subset, {record["k"] for record in ours})
        count = len(SETS[name].splits)
        if not ours:
            return Contest(name, table, subset, 0, count, {})
        mine = means(ours)
        score = "mse" if name == "D" else "crps"
        best = min(others, key=lambda method: others[method][score], default="")
        if name == "more":  # on the splits that both have
            mine = means([record for record in ours if record["k"] in self.common(table)])
        return Contest(name, table, subset, len(ours), count, mine, best, others.get(best))

    def of(self, name: str, table: str, subset: int, method: str) -> list[Record]:
        return [record for record in self.good
                if (record["set"], record["table"], int(record["subset"] or 0), record["method"]) == (name, table, subset, method)]

    def common(self, table: str) -> set[str]:
        """The splits of one of the fifteen tables that every method has which has any."""
        sets = [found for method in PACKAGES if (found := {record["k"] for record in self.of("more", table, 0, method)})]
        return set.intersection(*sets) if sets else set()

    def packages(self, table: str) -> dict[str, dict[str, float]]:
        """The other packages on one of the fifteen tables."""
        common = self.common(table)
        runs = {method: [record for record in self.of("more", table, 0, method) if record["k"] in common]
                for method in PACKAGES if method != DEFAULT}
        return {method: means(found) for method, found in runs.items() if found}

    def figures(self, name: str, table: str, subset: int, splits: set[str]) -> dict[str, dict[str, float]]:
        """What was published: means over the same folds where there are figures for each, else the published means."""
        rows: dict[str, list[Record]] = {}
        for record in self.published:
            mine = (record["set"], record["table"], int(record["subset"] or 0)) == (name, table, subset)
            if mine and (not record["k"] or not splits or record["k"] in splits):
                rows.setdefault(record["method"], []).append(record)
        return {method: means(found) for method, found in rows.items()}


def means(records: list[Record]) -> dict[str, float]:
    """Of every number that all records have; the squared error from its root, the standard error of the CRPS over the splits."""
    numbers = ("crps", "crps_se", "crps_median", "nll", "nll_median", "mse", "coverage90", "fit_cpu", "fit_seconds", "rows_train",
               "rows_test", "crps_of_no_features")
    found = {name: float(np.mean([float(record[name]) for record in records])) for name in numbers
             if records and all(record.get(name) for record in records)}
    if records and all(record.get("rmse") for record in records):
        found["mse"] = float(np.mean([float(record["rmse"]) ** 2 for record in records]))
    if len(records) > 1 and "crps" in found:
        found["crps_se"] = float(np.std([float(record["crps"]) for record in records], ddof=1) / np.sqrt(len(records)))
    return found


def write(path: Path = PAGE) -> None:
    path.write_text(text(Frontier(results.read().values(), results.published())))


def text(frontier: Frontier) -> str:
    lines = [
        "# Frontier", "",
        "Mirrorball's default options on the rows of the strongest published results we know, and on fifteen further tables beside other "
        "packages. The published figures are those of their authors: pretrained transformers on GPUs, and tree models tuned for each table. "
        "Mirrorball is trained from scratch on two CPU cores, without tuning.", "",
        "## What is lost", "", *lost(frontier), "",
        "## Overview", "", *overview(frontier), "",
    ]
    for name in SETS:
        lines += [f"## {TITLES[name]}", "", *SECTIONS[name](frontier), ""]
    lines += ["## How this is run", "", *how(frontier)]
    return "\n".join(lines) + "\n"


def lost(frontier: Frontier) -> Lines:
    """One line for each set: tables behind, worst first; then coverage, NLL and what has not been run."""
    lines: Lines = []
    for name in SETS:
        behind = sorted((one for one in frontier.contests(name) if one.ratio and one.ratio > 1), key=lambda one: -(one.ratio or 0))
        if behind:
            told = "; ".join(f"{one.name} {percent(one.ratio)} to {label(one.best)}" for one in behind)
            lines.append(f"- **{short(name)}**, {'squared error' if name == 'D' else 'CRPS'}: {told}.")
    if worse := nll_lost(frontier):
        lines.append(f"- **NLL**, behind: {'; '.join(worse)}.")
    if off := coverage_off(frontier):
        lines.append(f"- **Coverage** of the 90% interval farther than {100 * NEAR[False]:.0f} points from 90% ({100 * NEAR[True]:.0f} with at most {FEW:,} rows "
                     f"to learn from): {'; '.join(off)}.")
    if absent := missing(frontier):
        lines.append(f"- **Not run yet**: {'; '.join(absent)}.")
    if failed := [f"{record['table']} {METHODS[record['method']].label} ({record['error']})" for record in frontier.records if record["status"] != "ok"]:
        lines.append(f"- **Failed**: {'; '.join(failed)}.")
    return lines or ["Nothing."]


def nll_lost(frontier: Frontier) -> Lines:
    """Where another has a lower mean NLL, set by set: the others of set A and S by their own densities."""
    told: dict[str, Lines] = {}
    for name in ("A", "S", "more"):
        for one in frontier.contests(name):
            others = frontier.packages(one.table) if name == "more" else frontier.figures(name, one.table, one.subset, set())
            best = min(others, key=lambda method: others[method]["nll"], default="")
            if one.done and best and others[best]["nll"] < one.ours["nll"]:
                told.setdefault(name, []).append(f"{one.name} by {one.ours['nll'] - others[best]['nll']:.2g} to {label(best)}")
    return by_set(told)


def coverage_off(frontier: Frontier) -> Lines:
    told: dict[str, Lines] = {}
    for name in SETS:
        for one in frontier.contests(name):
            if one.done and abs(one.ours["coverage90"] - COVERED) > NEAR[one.ours["rows_train"] <= FEW]:
                told.setdefault(name, []).append(f"{one.name} {one.ours['coverage90']:.1%}")
    return by_set(told)


def by_set(told: dict[str, Lines]) -> Lines:
    return [f"{short(name)}: {', '.join(lines)}" for name, lines in told.items()]


def missing(frontier: Frontier) -> Lines:
    """Tables without any result, and splits that are left, set by set."""
    told = []
    for name in SETS:
        contests = frontier.contests(name)
        none = [one.name for one in contests if not one.done]
        counts = sorted({(one.done, one.splits) for one in contests if 0 < one.done < one.splits})
        some = [f"{of - done} of {of} splits of {listed([one.name for one in contests if one.done == done], contests)}" for done, of in counts]
        parts = [listed(none, contests)] if none else []
        parts = [*parts, *some]
        if parts:
            told.append(f"{short(name)}: {' and '.join(parts)}")
    lacking = [f"{METHODS[method].label} on {listed(tables, SETS['more'].tables)}" for method in PACKAGES if method != DEFAULT
               if (tables := [table for table, _ in SETS["more"].tables if not frontier.of("more", table, 0, method)])]
    return told + lacking


def listed(some: Lines, of: Sequence[object]) -> str:
    return "all tables" if len(some) == len(of) else ", ".join(some)


def overview(frontier: Frontier) -> Lines:
    rows = []
    for name in SETS:
        contests = [one for one in frontier.contests(name) if one.ratio]
        rows.append([
            short(name), f"{len(contests)} of {len(SETS[name].tables)}", str(sum((one.ratio or 2) < 1 for one in contests)),
            geometric([one for one in contests if one.table not in UNSEEN]), geometric([one for one in contests if one.table in UNSEEN]),
        ])
    return [*plain(["", "tables run", "Mirrorball is best on", "ours / best: development tables", "ours / best: other tables"], rows), "",
            "Ours / best: geometric mean over the tables of Mirrorball's CRPS (set D: squared error) divided by that of the best other method on "
            "that table; below 1 is ahead. The best other method is chosen for each table by its test score, which favours the others. "
            "Development tables are the ten of [results](results.md) and the fifteen below: their test scores were seen while the default options were "
            "chosen, if on other splits. The other table is diabetes."]



def section_b(frontier: Frontier) -> Lines:
    return [
        "Figures of [silaskoemen/diffgbm](https://github.com/silaskoemen/diffgbm) (2026): nine methods, each tuned by 25 trials on each table, "
        "200 samples per row. Mirrorball gives 200 samples too. Folds 1 to 5 of six: rows in the order of `default_rng(0).permutation(n)`; "
        "of these, number j of `default_rng(0).permutation(n)` is in fold j modulo 6. The fold tests, the others train. No NLL is published.", "",
        *versus(frontier, "B"), "", same_rows(frontier)]


def section_a(frontier: Frontier) -> Lines:
    return [
        "Figures of [rizbicki/tabDensityComparisons](https://github.com/rizbicki/tabDensityComparisons) (2026): 22 methods, of which "
        "seven are here: TabPFN-2.5 in two forms and TabICLv2, pretrained and on a GPU, and four that are trained from scratch. Rows: the first n of `RandomState(42).permutation(N)`, then "
        "`train_test_split(test_size=0.25, random_state=r)`, r from 0 to 3. The order of the rows in our files is another one, so the rows are not "
        "the same: compare means. Their CRPS and NLL come from densities on a grid, ours from 500 samples, which makes "
        "our CRPS greater by about a 500th. "
        "California there has totals per district where ours has ratios per household; its figures are converted to units of $100,000. Elevators has 61 and "
        "ailerons 35 distinct target values: a density may rise at them, which lowers their NLL and not ours.", "",
        *versus(frontier, "A")]


def section_s(frontier: Frontier) -> Lines:
    return ["Same source and rule as set A. The subsets of 500 and 1,000 rows include the test rows: 375 and 750 rows train.", "",
            *versus(frontier, "S")]


def section_d(frontier: Frontier) -> Lines:
    return ["The fine-tuning example of [PriorLabs/TabPFN](https://github.com/PriorLabs/TabPFN) on a GPU of 80 GB; "
            "`train_test_split(test_size=0.1, random_state=0)`. Only the squared error of the mean is published.", "", *versus(frontier, "D")]


def section_more(frontier: Frontier) -> Lines:
    rows = []
    for table, _ in SETS["more"].tables:
        found = {DEFAULT: frontier.contest("more", table, 0).ours} | frontier.packages(table)
        found = {method: scores for method, scores in found.items() if scores}
        if not found:
            rows.append([table, "not run", *[""] * (2 * len(PACKAGES) - 1)])
            continue
        row = [f"{table} ({len(frontier.common(table))})"]
        for score in ("crps", "nll"):
            lowest = min(scores[score] for scores in found.values())
            for method in PACKAGES:
                value = found.get(method, {}).get(score)
                shown = "" if value is None else told_nll(value) if score == "nll" else digits(value)
                row.append(f"**{shown}**" if value == lowest else shown)
        rows.append(row)
    labels = [METHODS[method].label for method in PACKAGES]
    contests = [one for one in frontier.contests("more") if one.ratio]
    nll_won = sum(min(others.values(), key=lambda scores: scores["nll"])["nll"] >= one.ours["nll"]
                  for one in contests if (others := frontier.packages(one.table)))
    return [
        "Tables of other kinds: small ones, counts and targets with few values, near-duplicate rows, many columns, text with missing values. "
        "All of them are development tables. Splits as on the [ten tables](results.md): a tenth tests; in brackets how many splits all methods of a "
        "row have; an empty cell has not been run. LightGBM (51 quantiles) and CatBoost get text columns as categories, the forest and NGBoost one column per category and "
        "medians for missing numbers; settings and tuning are those of [the ten tables](../experiments/tables/README.md#methods).", "",
        f"Mirrorball has the lowest CRPS on {sum((one.ratio or 2) < 1 for one in contests)} and the lowest NLL on {nll_won} of {len(contests)} tables.", "",
        *plain(["table (splits)", *(f"CRPS: {name}" for name in labels), *(f"NLL: {name}" for name in labels)], rows), "",
        *plain(["table", "rows × features", "90% interval covers", "fit, CPU seconds", "best other", "its fit, CPU seconds", "ours / best"],
               [[one.table, size(frontier, one), f"{one.ours['coverage90']:.1%}", f"{one.ours['fit_cpu']:.1f}", label(one.best),
                 f"{one.theirs['fit_cpu']:.1f}" if one.theirs else "", f"{one.ratio:.3f}" if one.ratio else ""]
                for one in frontier.contests("more") if one.done])]


SECTIONS = {"B": section_b, "A": section_a, "S": section_s, "D": section_d, "more": section_more}


def versus(frontier: Frontier, name: str) -> Lines:
    """Ours beside the best published, a table a row, then the geometric means."""
    score = "MSE" if name == "D" else "CRPS"
    rows = []
    for one in frontier.contests(name):
        if not one.done:
            rows.append([one.name, "", "", "not run", *[""] * 5])
            continue
        theirs = one.theirs or {}
        rows.append([
            one.name, with_error(theirs, one.score), label(one.best), with_error(one.ours, one.score),
            f"**{one.ratio:.3f}**" if (one.ratio or 2) < 1 else f"{one.ratio:.3f}",
            beside(f"{one.ours['coverage90']:.1%}", f"{theirs['coverage90']:.1%}" if "coverage90" in theirs else ""),
            beside(told_nll(one.ours["nll"]), told_nll(theirs["nll"]) if "nll" in theirs else ""),
            beside(f"{one.ours['fit_cpu']:.1f}", f"{theirs['fit_seconds']:.1f}" if "fit_seconds" in theirs else ""),
            f"{one.done} of {one.splits}",
        ])
    contests = [one for one in frontier.contests(name) if one.ratio]
    for words, some in (("geometric mean, development tables", [one for one in contests if one.table not in UNSEEN]),
                        ("geometric mean, other tables", [one for one in contests if one.table in UNSEEN])):
        if some and name != "D":
            rows.append([words, "", "", "", geometric(some), *[""] * 4])
    return [*plain(["table", f"{score}: best published", "by", f"{score}: Mirrorball", "ours / best", "90% interval covers (theirs)", "NLL (theirs)",
                    "fit, CPU seconds (theirs, as printed)", "splits run"], rows), "",
            "± of ours is the standard error over the splits that were run; theirs is over the folds in set B, and as printed elsewhere. Their seconds are those of their machines, wall time, without tuning: an order of magnitude at best."]


def same_rows(frontier: Frontier) -> str:
    """Whether the CRPS without features is theirs, fold by fold, to what they print."""
    same: dict[str, bool] = {}
    theirs = {(record["table"], record["k"]): float(record["crps_of_no_features"]) for record in frontier.published if record["crps_of_no_features"]}
    for record in frontier.good:
        if record["set"] == "B" and record["method"] == DEFAULT:
            equal = abs(float(record["crps_of_no_features"]) / theirs[record["table"], record["k"]] - 1) < 1e-5
            same[record["table"]] = same.get(record["table"], True) and equal
    yes, no = ([table for table, equal in same.items() if equal == wanted] for wanted in (True, False))
    return (f"The rows of a fold are theirs where the CRPS of the training targets, as the forecast for every row, is the figure they give to six digits: "
            f"{', '.join(yes) or 'none'}." + f" Not the same rows, so compare means: {', '.join(no)}." * bool(no)
            + " Yacht's resistance was restored from the logarithm that our file has." * ("yacht" in no))


def how(frontier: Frontier) -> Lines:
    lines = [
        "```console",
        "$ python3 -m venv build/frontier-venv && build/frontier-venv/bin/pip install -r experiments/tables/requirements.txt",
        *[f"$ build/frontier-venv/bin/python -m experiments.frontier {name}" for name in SETS],
        "$ build/frontier-venv/bin/python -m experiments.frontier page      # only this page, from the results that are there",
        "```", "",
        "A command runs what has no line in `experiments/frontier/results.csv` yet and writes this page; stopped, the next run goes on. "
        "`--redo` runs all again, `--splits`, `--tables` and `--methods` choose, `--minutes` ends a run early. The tables are not part of the repository: "
        "`--data FOLDER` has `NAME.csv.gz` of [the ten tables](../experiments/tables/README.md#tables) and `more/NAME.csv.gz` of the others; diabetes is scikit-learn's. "
        "The published figures are in `experiments/frontier/published.csv`, with the repository of each.", "",
        "- **Rule.** Plain `mirrorball fit` on all training rows, then `predict`; the seed is the number of the split. Nothing is chosen by these test scores.",
        "- **Scores.** Those of [the ten tables](method.md#scores), one code for all methods that were run here; NLL from a kernel density of the samples, or, "
        "where the training targets have atoms, from their probabilities. Published figures are as their authors computed them.",
        "- **Time.** CPU seconds of all threads; the machine was busy with other work during most runs, which makes them longer.",
        "- **Programs.** " + programs(frontier),
    ]
    return lines


def programs(frontier: Frontier) -> str:
    ours: dict[str, list[str]] = {}
    for record in frontier.good:
        if record["method"] == DEFAULT:
            ours.setdefault(f"{record['program']}, commit {record['commit']}", []).append(record["set"])
    told = [f"{program} ({', '.join(f'{name} {sets.count(name)}' for name in SETS if name in sets)})" for program, sets in ours.items()]
    packages = sorted({record["program"] for record in frontier.good if record["method"] != DEFAULT})
    machines = sorted({f"{record['cpu']}, {record['threads']} threads" for record in frontier.good})
    return f"Fits by program: {'; '.join(told) or 'none'}." + f" Packages: {', '.join(packages)}." * bool(packages) + f" Machine: {'; '.join(machines)}." * bool(machines)


def size(frontier: Frontier, one: Contest) -> str:
    some = frontier.of("more", one.table, 0, DEFAULT)[0]
    return f"{int(some['rows_train']) + int(some['rows_test']):,} × {some['features']}"


def geometric(contests: list[Contest]) -> str:
    ratios = [one.ratio for one in contests if one.ratio]
    return f"{np.exp(np.mean(np.log(ratios))):.3f}" if ratios else ""


def percent(ratio: float | None) -> str:
    return f"{(ratio or 1) - 1:.1%}"


def label(method: str) -> str:
    return NAMES.get(method) or (METHODS[method].label if method in METHODS else method)


def short(name: str) -> str:
    return "fifteen tables" if name == "more" else f"set {name}"


def with_error(scores: dict[str, float], score: str) -> str:
    return digits(scores[score]) + (f" ± {scores['crps_se']:.2g}" if score == "crps" and "crps_se" in scores else "")


def told_nll(value: float) -> str:
    return f"{value:.1e}" if abs(value) > LARGE else f"{value:.3f}"


def beside(ours: str, theirs: str) -> str:
    return f"{ours} ({theirs})" if theirs else ours
