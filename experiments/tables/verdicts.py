"""What the paper says of its two tables, judged by the committed results: one line each, with the rule that decides.

Everything here is among the methods that the paper compares, on the same ten tables. The paper's CRPS and NLL agree with
medians over rows, so they are judged by medians; how it would be by means stands beside.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from tables.methods import METHODS
from tables.report import markdown, read_printed, told
from tables.summary import Summary, rank

PAPERS = tuple(name for name, method in METHODS.items() if method.printed)
DEFAULT = "mirrorball"
DRAWS = 100  # N, the draws per row of a training step in the paper's tables
NEAR = 1.25  # a number is that of the paper within this factor


class Verdict(NamedTuple):
    """A sentence of the paper, the rule with what was found, and whether that agrees."""

    paper: str
    ours: str
    holds: bool


class Scores:
    """One metric of some methods on all tables that all of them have, rows are tables."""

    def __init__(self, summary: Summary, methods: tuple[str, ...], metric: str) -> None:
        self.methods = [method for method in methods if summary.has(method, metric)]
        self.tables = [table for table in summary.tables if summary.common(table, self.methods)]
        self.values = np.array([[summary.value(table, method, metric, summary.common(table, self.methods))
                                 for method in self.methods] for table in self.tables])

    def ranks(self) -> dict[str, float]:
        """Average rank over the tables, best first."""
        means = np.mean([rank(list(row)) for row in self.values], axis=0)
        return dict(sorted(zip(self.methods, map(float, means)), key=lambda pair: pair[1]))

    def firsts(self, method: str) -> list[str]:
        """The tables on which a method is the best."""
        best = self.values.argmin(axis=1)
        return [table for table, first in zip(self.tables, best) if self.methods[first] == method]

    def gain(self, method: str, base: str) -> np.ndarray:
        """1 - method / base, for each table."""
        column = self.methods.index
        return 1 - self.values[:, column(method)] / self.values[:, column(base)]


def verdicts(summary: Summary) -> list[Verdict]:
    """In the order of the paper's text. All numbers are means over the same splits, times medians."""
    splits = sorted({len(summary.common(table, PAPERS)) for table in summary.tables})
    made = [*point_forecasts(summary), cost(summary), *distributions(summary), *of_the_default(summary)]
    return [one._replace(ours=f"{one.ours}; {' to '.join(map(str, splits))} splits") for one in made]


def point_forecasts(summary: Summary) -> list[Verdict]:
    mae, rmse = (Scores(summary, PAPERS, metric) for metric in ("mae", "rmse"))
    gains = {"MAE": mae.gain("paper", "basenn"), "RMSE": rmse.gain("paper", "basenn")}
    means = {name: float(gain.mean()) for name, gain in gains.items()}
    worse = {name: ", ".join(np.array(mae.tables)[gain < 0]) or "no table" for name, gain in gains.items()}
    both = average(mae.ranks(), rmse.ranks())
    order = list(both)
    return [
        Verdict("DN+ has a lower MAE and RMSE than the base network of the same size",
                f"mean over the tables above 0: {percent(means['MAE'])} and {percent(means['RMSE'])} lower; "
                f"higher on {worse['MAE']} (MAE) and {worse['RMSE']} (RMSE)", min(means.values()) > 0),
        Verdict("the reduction is 8% of the MAE and 10% of the RMSE",
                f"both within a factor of {NEAR}: {percent(means['MAE'])} and {percent(means['RMSE'])}",
                near(means["MAE"], 0.08) and near(means["RMSE"], 0.10)),
        Verdict("point forecasts: LightGBM is best, the base network worst",
                f"first and last by average rank in MAE and RMSE: {in_order(both)}",
                order[0] == "lgbm" and order[-1] == "basenn"),
        Verdict("point forecasts: DN+ is second to LightGBM, better than NGBoost, Gaussian process and forest",
                f"second by the same rank: {in_order(both)}", order[1] == "paper" and order[0] == "lgbm"),
    ]


def cost(summary: Summary) -> Verdict:
    ratio = summary.ratio("paper", "basenn", "fit")
    return Verdict(
        "DN+ costs 12.8 times as much as the base network",
        f"within a factor of {NEAR}: CPU time of a fit {ratio:.0f} times, geometric mean over the tables. A step of DN+ passes "
        f"{DRAWS} samples of every row through the network, so per sample it costs {ratio / DRAWS:.2f} times as much; the "
        f"printed {12.8 / DRAWS:.2f} per sample would follow from a GPU that a step of the base network does not fill, which was not tested",
        near(ratio, 12.8))


def distributions(summary: Summary) -> list[Verdict]:
    found = []
    for metric, name, first, count in (("nll", "NLL", "paper", 5), ("crps", "CRPS", "lgbm", 3)):
        median, mean = (Scores(summary, PAPERS, each) for each in (f"{metric}_median", metric))
        by_median, by_mean = median.ranks(), mean.ranks()
        found.append(Verdict(
            f"{label(first)} is best on average in {name}",
            f"first alone by average rank, medians over rows: {in_order(by_median)}; by means over rows: {in_order(by_mean)}",
            first_alone(by_median) == first))
        firsts = median.firsts("paper")
        found.append(Verdict(
            f"DN+ is best in {name} on {count} of ten tables",
            f"as many or more, medians over rows: {len(firsts)} ({', '.join(firsts) or 'none'}); by means over rows "
            f"{len(mean.firsts('paper'))}",
            len(firsts) >= count))
    return found


def of_the_default(summary: Summary) -> list[Verdict]:
    """The same of Mirrorball's default options, which the paper does not have."""
    found = []
    for metric, name in (("mae", "MAE"), ("rmse", "RMSE"), ("nll", "NLL"), ("crps", "CRPS")):
        scores = Scores(summary, (DEFAULT, *PAPERS), metric)
        firsts, ranks = len(scores.firsts(DEFAULT)), scores.ranks()
        found.append(Verdict(
            f"not in the paper: Mirrorball's default options are better on average in {name} than the paper's methods",
            f"first alone by average rank, by means over rows: {in_order(ranks)}; best on {firsts} of {len(scores.tables)} tables",
            first_alone(ranks) == DEFAULT))
    return found


def medians_not_means(summary: Summary) -> list[str]:
    """A table that shows which of the two the paper's CRPS and NLL are."""
    printed = read_printed()
    header, rows = ["table"], [[table] for table in summary.tables]
    for metric in ("crps", "nll"):
        header += [f"{metric.upper()}: mean over rows", "median over rows", "printed"]
        for row in rows:
            row += [told(summary.value(row[0], "paper", each)) for each in (metric, f"{metric}_median")]
            row.append(told(printed.get((row[0], metric, "DN+"))))
    return markdown(header, rows)


def nearer(summary: Summary) -> str:
    """How many of the printed numbers are nearer to our median than to our mean."""
    printed, counts = read_printed(), {}
    for metric in ("crps", "nll"):
        pairs = []
        for table in summary.tables:
            value = printed.get((table, metric, "DN+"))
            median, mean = (summary.value(table, "paper", each) for each in (f"{metric}_median", metric))
            if value is not None and median is not None and mean is not None:
                pairs.append(abs(median - value) < abs(mean - value))
        counts[metric.upper()] = f"{sum(pairs)} of {len(pairs)}"
    return " and ".join(f"{count} in {name}" for name, count in counts.items())


def average(*ranks: dict[str, float]) -> dict[str, float]:
    means = {name: float(np.mean([each[name] for each in ranks])) for name in ranks[0]}
    return dict(sorted(means.items(), key=lambda pair: pair[1]))


def first_alone(ranks: dict[str, float]) -> str | None:
    """The method with the best average rank; None where two share it."""
    first, second, *_ = ranks
    return first if ranks[first] < ranks[second] - 1e-9 else None


def in_order(ranks: dict[str, float]) -> str:
    return ", ".join(f"{label(name)} {value:.2f}" for name, value in ranks.items())


def label(name: str) -> str:
    return METHODS[name].label


def near(value: float, printed: float) -> bool:
    return printed / NEAR <= value <= printed * NEAR


def percent(share: float) -> str:
    return f"{share:.1%}"
