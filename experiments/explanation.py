"""Why is the forecast high, why is it low? A region of the predictive law, explained feature by feature.

Figure 17 of the paper: a row of the sulfur table, the regions y₂ > 0.2 and y₂ < 0.15, Kernel SHAP of the network with
the noise held, averaged over the samples that lie in the region. The two importance vectors differ.
"""

from __future__ import annotations

import sys

import numpy as np
from matplotlib.figure import Figure

from experiments.frame import look
from experiments.frame.experiment import Cell, Claim, Experiment, Numbers, Result, Results, Settings
from experiments.frame.runner import main
from experiments.frame.workshop import Workshop
from experiments.joint import TABLE, options

REGIONS = {"low": "y2 < 0.15", "high": "y2 > 0.2"}
COLOURS = {"low": look.VIOLET, "high": look.CORAL}
LIMITS = {"low": 0.15, "high": 0.2}
ENOUGH = 0.15  # share of the draws that each region should hold


def cells(settings: Settings) -> list[Cell]:
    return [Cell("explain", explain_row, settings["fit"])]


def explain_row(workshop: Workshop, epochs: int, draws: int, background: int) -> Result:
    """The first test row with enough draws in both regions, explained in each of them."""
    table = workshop.table(TABLE)
    model = workshop.model(table.train, **options("paper", epochs, {}))
    y2 = model.sample(table.test.x, draws)[:, :, 1]
    shares = np.stack([(y2 < LIMITS["low"]).mean(axis=1), (y2 > LIMITS["high"]).mean(axis=1)], axis=1)
    row = int(np.flatnonzero((shares > ENOUGH).all(axis=1))[0])
    result = {"row": np.array(row), "draws": y2[row], "cells": table.test.x[row], "truth": table.test.y[row, 1],
              "features": np.array(table.features)}
    for region, where in REGIONS.items():
        found = model.explain(table.test.x[[row]], table.train.x, where=where, target="y2", n_samples=draws,
                              background_rows=background)
        result |= {f"{region} values": found.values[0], f"{region} base": found.base_values[0],
                   f"{region} output": found.output[0], f"{region} probability": found.probability[0]}
    return result


def numbers(settings: Settings, done: Results) -> Numbers:
    found = done["explain"]
    out: Numbers = {
        "row": int(found["row"]),
        "features": found["features"].tolist(),
        "cells": found["cells"].tolist(),
        "draws": settings["fit"]["draws"],
        "background": settings["fit"]["background"],
    }
    for region, where in REGIONS.items():
        values = found[f"{region} values"]
        out[region] = {
            "where": where,
            "probability": round(float(found[f"{region} probability"]), 4),
            "values": [round(float(value), 6) for value in values],
            "base": round(float(found[f"{region} base"]), 6),
            "output": round(float(found[f"{region} output"]), 6),
            "not_explained": float(found[f"{region} base"] + values.sum() - found[f"{region} output"]),
        }
    return out


def draw(numbers: Numbers, done: Results) -> Figure:
    found = done["explain"]
    figure = look.new_figure(9.2, 4.8)
    law, bars = figure.subplots(1, 2, width_ratios=(1, 1.2))
    low, high = np.quantile(found["draws"], [0, 0.99])  # a few draws lie far out
    step = (LIMITS["high"] - LIMITS["low"]) / max(1, round(40 * (LIMITS["high"] - LIMITS["low"]) / (high - low)))
    first, last = (np.floor((end - LIMITS["low"]) / step) for end in (low, high))
    edges = LIMITS["low"] + step * np.arange(first, last + 2)  # both limits are edges
    shares, _ = np.histogram(found["draws"], edges)
    middles = (edges[1:] + edges[:-1]) / 2
    inside = {"low": middles < LIMITS["low"], "high": middles > LIMITS["high"]}
    law.bar(middles, shares / len(found["draws"]), np.diff(edges), color="0.8")
    for region, some in inside.items():
        told = numbers[region]
        law.bar(middles[some], shares[some] / len(found["draws"]), np.diff(edges)[some], color=COLOURS[region],
                label=f"{sign(told['where'])}: {told['probability']:.0%} of the samples")
    law.axvline(float(found["truth"]), color=look.INK, linestyle="--", linewidth=1, label="true value")
    law.set(xlabel="y₂ (SO₂, scaled)", ylabel="share of the samples")
    at = np.arange(len(numbers["features"]))
    for offset, region in ((-0.2, "low"), (0.2, "high")):
        bars.barh(at + offset, numbers[region]["values"], 0.38, color=COLOURS[region])
    bars.axvline(0, color=look.INK, linewidth=0.8)
    names = [f"{name} = {cell:.3g}" for name, cell in zip(numbers["features"], numbers["cells"])]
    bars.set_yticks(at, names)
    bars.invert_yaxis()
    bars.locator_params(axis="x", nbins=6)
    bars.set_xlabel("SHAP value (units of y₂)")
    look.shared_legend(figure, law, 3)
    look.letter((law, bars), (f"forecast of test row {numbers['row']}", "what drives each part of it"))
    return figure


def sign(where: str) -> str:
    return where.replace("y2", "y₂")


DIFFERENT = 0.5  # of the largest value: what a feature's two values must differ by


def claims(numbers: Numbers) -> list[Claim]:
    low, high = (np.array(numbers[region]["values"]) for region in REGIONS)
    order = [[numbers["features"][i] for i in np.argsort(-np.abs(values))] for values in (low, high)]
    return [Claim("the importances in y₂ > 0.2 and y₂ < 0.15 clearly differ",
                  f"the largest difference of a feature above {DIFFERENT:g} times the largest value, one fit, one row: "
                  f"{np.abs(high - low).max():.3f} against {np.abs(high).max():.3f}; from most to least important {' '.join(order[1])} against {' '.join(order[0])}",
                  bool(np.abs(high - low).max() > DIFFERENT * np.abs(high).max()))]


def section(numbers: Numbers) -> list[str]:
    lines = [f"| | {' | '.join(numbers['features'])} | base | sum: mean of y₂ in the region |",
             f"| --- |{' ---: |' * (len(numbers['features']) + 2)}"]
    for region in REGIONS:
        told = numbers[region]
        values = " | ".join(f"{value:+.4f}" for value in told["values"])
        lines.append(f"| {sign(told['where'])} ({told['probability']:.0%} of the samples) | {values} | "
                     f"{told['base']:.4f} | {told['output']:.4f} |")
    low, high = (np.array(numbers[region]["values"]) for region in REGIONS)
    turned = [name for name, a, b in zip(numbers["features"], low, high) if a * b < 0]
    return lines + [
        "",
        f"Test row {numbers['row']}, {numbers['draws']} samples, {numbers['background']} background rows, all 32 sets "
        "of features; `explain` agrees with the `shap` package's KernelExplainer on the same function (a test "
        "compares them).",
        "",
        "- **Paper:** the two importance vectors clearly differ (a picture). **Ours:** "
        + (f"{', '.join(turned)} {'pushes' if len(turned) == 1 else 'push'} in opposite directions in the two regions; "
           if turned else "no feature changes its sign; ")
        + f"the vectors differ by {np.abs(high - low).sum():.4f} in total, the means of the regions by "
        f"{numbers['high']['output'] - numbers['low']['output']:.4f}.",
    ]


EXPERIMENT = Experiment(
    name="explanation",
    title="Explaining a region of the forecast: sulfur",
    about=__doc__,
    caption="(a) The samples of one row, with the two regions. (b) What each feature contributes in each of them.",
    full={"fit": {"epochs": 100, "draws": 1000, "background": 100}},
    quick={"fit": {"epochs": 2, "draws": 500, "background": 20}},
    cells=cells, numbers=numbers, draw=draw, claims=claims, section=section, table=TABLE,
)

if __name__ == "__main__":
    sys.exit(main([EXPERIMENT], __doc__))
