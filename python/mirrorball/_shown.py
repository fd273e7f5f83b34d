"""What a notebook shows of a model, a distribution and an explanation."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ._html import Markup, bar, details, page, sentence, small_density, table
from ._numbers import estimate_text, minus, text_for
from .report import table_text

if TYPE_CHECKING:
    from .distribution import Distribution
    from .explanation import Explanation
    from .regressor import MirrorballRegressor

_ROWS = 6  # of a distribution
_FEATURES = 12  # of an explanation


def distribution_html(dist: Distribution) -> str:
    """The first rows: density, median and 90% interval of each target, all rows of a target on one scale."""
    rows, samples, _ = dist.samples.shape
    if rows == 0:
        return page(sentence("Distributions of 0 rows"))
    shown = min(rows, _ROWS)
    titles, columns = ["row"], [[str(row) for row in range(shown)]]
    for t, name in enumerate(dist.target_names):
        titles += [name, "median", "90% interval"]
        columns += _target_columns(dist, t, shown)
    left = "" if shown == rows else f"; the first {shown} are shown"
    words = f"Distributions of {rows:,} row{'s' * (rows != 1)}, {samples:,} samples each{left}"
    return page(sentence(words, soft=True), table(titles, list(zip(*columns))))


def _target_columns(dist: Distribution, target: int, shown: int) -> list[list[str]]:
    values = dist.samples[:shown, :, target]
    low, high = (float(end) for end in np.quantile(values, [0.003, 0.997]))
    room = 0.04 * (high - low) or 0.05 * abs(low) or 1.0
    low, high = low - room, high + room
    pictures: list[str] = []
    medians: list[str] = []
    intervals: list[str] = []
    for row in range(shown):
        ends = np.quantile(values[row], [0.05, 0.5, 0.95])
        start, median, end = map(text_for(values[row]), map(float, ends))
        found = dist.density(row, target, low=low, high=high, points=120)
        pictures.append(small_density(found, low, high, float(ends[1])))
        medians.append(median)
        intervals.append(f"{start} to {end}")
    return [pictures, medians, intervals]


class _Contributions:
    """What is shown of an explanation: the contributions in one row, or their mean sizes over several."""

    def __init__(self, found: Explanation) -> None:
        rows, features = found.values.shape
        self.one = rows == 1
        self.values = found.values[0] if self.one else np.abs(found.values).mean(axis=0)
        self.errors = found.errors[0] if self.one else np.sqrt((found.errors**2).sum(axis=0)) / rows
        if not self.one:
            self.errors = np.hypot(np.nan_to_num(self.errors), np.abs(found.values).std(axis=0, ddof=1) / np.sqrt(rows))
        self.order = np.argsort(-np.abs(self.values), kind="stable")[:_FEATURES]
        self.spread = 3 * (float(np.abs(self.values).max()) or 1.0)
        if self.one:
            output, base = (estimate_text(float(one), self.spread) for one in (found.output[0], found.base_values[0]))
            self.words = f"{found.words} is {output} here and {base} on average"
        else:
            self.words = f"{found.words}: mean size of the contributions in {rows:,} rows"
        left = features - len(self.order)
        self.rest = f"{left} smaller contributions are not shown" if left else ""
        self.titles = [*(["value"] if self.one else []), "contribution" if self.one else "mean size"]

    def number(self, feature: int) -> str:
        text = estimate_text(float(self.values[feature]), self.spread)
        return f"+{text}" if self.one and self.values[feature] > 0 else text


def explanation_text(found: Explanation) -> str:
    """What is explained, and the contributions as a table."""
    if len(found.values) == 0:
        return f"{found.words}: no rows"
    shown = _Contributions(found)
    lines = {
        found.feature_names[k]: [*([cell_text(found.data[0, k])] if shown.one else []), shown.number(k)]
        for k in shown.order
    }
    return "\n".join([shown.words, table_text(shown.titles, lines), *([shown.rest] if shown.rest else [])])


def explanation_html(found: Explanation) -> str:
    """The contributions in one row, or the mean sizes over several."""
    if len(found.values) == 0:
        return page(sentence(f"{found.words}: no rows"))
    shown = _Contributions(found)
    values, errors, order = shown.values, shown.errors, shown.order
    reach = np.nan_to_num(2 * errors[order])
    low = min(0.0, float((values[order] - reach).min())) if shown.one else 0.0
    high = max(0.0, float((values[order] + reach).max())) or 1e-300
    lines = []
    for k in order:
        cells = [found.feature_names[k], *([cell_text(found.data[0, k])] if shown.one else [])]
        lines.append([*cells, bar(float(values[k]), float(errors[k]), low, high), shown.number(k)])
    titles = ["feature", *shown.titles[:-1], "", shown.titles[-1]]
    return page(sentence(shown.words), table(titles, lines), sentence(shown.rest, soft=True) if shown.rest else "")


def cell_text(cell: object) -> str:
    """The value of a feature."""
    if cell is None or cell == "" or (isinstance(cell, float) and np.isnan(cell)):
        return "missing"
    if not isinstance(cell, (float, np.floating)):
        return str(cell)
    value = float(cell)
    return minus(f"{value:,.0f}" if 1e4 <= abs(value) < 1e12 else f"{value:.4g}")


def model_html(model: MirrorballRegressor, parameters: str) -> str:
    """What it predicts from what, its error on held-out rows, its columns and its parameters."""
    core = model.model_
    networks = f"{len(model.history_)} network{'s' * (len(model.history_) != 1)}"
    facts = [
        f"{model.n_features_in_} feature{'s' * (model.n_features_in_ != 1)}",
        f"{core.training_rows:,} training rows",
        networks,
        "calibrated" if core.calibration else "not calibrated",
    ]
    title = f"MirrorballRegressor: the distribution of {' and '.join(model.target_names_)}"
    report = model.fit_report_
    return page(
        Markup(f"<p><strong>{sentence(title)[3:-4]}</strong></p>"),
        sentence(" · ".join(facts), soft=True),
        report._table() if report is not None else "",
        details(f"{model.n_features_in_} features", Markup(model.columns_._table())),
        details("Parameters", Markup(parameters)),
    )
