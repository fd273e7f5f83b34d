"""What a notebook shows of a model, a distribution and an explanation."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ._html import Markup, bar, details, page, sentence, small_density, table
from ._numbers import estimate_text, minus, text_for

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


def explanation_html(found: Explanation) -> str:
    """The contributions in one row, or the mean sizes over several."""
    rows, features = found.values.shape
    if rows == 0:
        return page(sentence(f"{found.words}: no rows"))
    one = rows == 1
    values = found.values[0] if one else np.abs(found.values).mean(axis=0)
    errors = found.errors[0] if one else np.sqrt((found.errors**2).sum(axis=0)) / rows
    if not one:
        errors = np.hypot(np.nan_to_num(errors), np.abs(found.values).std(axis=0, ddof=1) / np.sqrt(rows))
    order = np.argsort(-np.abs(values), kind="stable")[:_FEATURES]
    reach = np.nan_to_num(2 * errors[order])
    low = min(0.0, float((values[order] - reach).min())) if one else 0.0
    high = max(0.0, float((values[order] + reach).max())) or 1e-300
    spread = float(np.abs(values).max()) or 1.0
    lines = []
    for k in order:
        number = estimate_text(float(values[k]), 3 * spread)
        cells = [found.feature_names[k], *([cell_text(found.data[0, k])] if one else [])]
        lines.append(
            [
                *cells,
                bar(float(values[k]), float(errors[k]), low, high),
                f"+{number}" if one and values[k] > 0 else number,
            ]
        )
    if one:
        output, base = (estimate_text(float(one), 3 * spread) for one in (found.output[0], found.base_values[0]))
        words = f"{found.words} is {output} here and {base} on average"
    else:
        words = f"{found.words}: mean size of the contributions in {rows:,} rows"
    rest = f"{features - len(order)} smaller contributions are not shown" if features > len(order) else ""
    titles = ["feature", *(["value"] if one else []), "", "contribution" if one else "mean size"]
    return page(sentence(words), table(titles, lines), sentence(rest, soft=True) if rest else "")


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
