"""A region left out of training: does the model say that it has seen nothing there?

Not in the paper. California housing with default options, without the rows of one region of the map: the San Francisco Bay Area, in
the middle of the training rows' latitudes and longitudes, or San Diego, at their end. Beside it the same fit on all training
rows. Both parts of the expected CRPS ([method.md](method.md#uncertainty-in-two-parts)) and the scores are those of the test rows, which lie
inside and outside of the region. The regions and the rules were fixed before the first fit.
"""

from __future__ import annotations

import sys

import numpy as np
from matplotlib.figure import Figure

from experiments.frame import look
from experiments.frame.experiment import Cell, Claim, Experiment, Numbers, Result, Results, Settings
from experiments.frame.runner import main
from experiments.frame.settings import HURRY, plain
from experiments.frame.workshop import Data, Workshop

TABLE = "california"
LATITUDE, LONGITUDE = 6, 7  # columns
REGIONS = {"bay": ((37.2, 38.1), (-122.6, -121.7)), "diego": ((32.5, 33.2), (-117.4, -116.8))}  # latitudes, longitudes
NAMES = {"bay": "the San Francisco Bay Area", "diego": "San Diego"}
PARTS = ("aleatoric", "epistemic")
MORE = 1.5  # times as much as with the region's rows in training is more
SHOWN = "bay"
MAP = ((36.0, 39.6), (-123.8, -119.8))  # latitudes and longitudes of the picture


def inside(x: np.ndarray, region: str) -> np.ndarray:
    (south, north), (west, east) = REGIONS[region]
    return (x[:, LATITUDE] >= south) & (x[:, LATITUDE] <= north) & (x[:, LONGITUDE] >= west) & (x[:, LONGITUDE] <= east)


def cells(settings: Settings) -> list[Cell]:
    return [Cell(f"{left_out} {split}", fit_without, {"left_out": left_out, "split": split} | settings["fit"])
            for split in range(settings["splits"]) for left_out in ("nothing", *REGIONS)]


def fit_without(workshop: Workshop, left_out: str, split: int, hurry: Settings, draws: int, most: int | None) -> Result:
    """The forecasts of all test rows by a model that has not seen a region; of `most` training rows where that is a number."""
    table = workshop.table(TABLE, split)
    x, y = table.train.x[:most], table.train.y[:most, 0]
    kept = np.ones(len(y), bool) if left_out == "nothing" else ~inside(x, left_out)
    rows = Data(f"{table.train.name}, {len(y)} rows, without {left_out}", x[kept], y[kept])
    forecast = workshop.model(rows, **plain(split, **hurry)).predict_dist(table.test.x, n_samples=draws)
    truth = table.test.y[:, 0]
    low, high = forecast.interval(0.9)
    parts = forecast.uncertainty("expected_crps")
    return {"x": table.test.x[:, [LATITUDE, LONGITUDE]], "rows": np.array([kept.sum(), len(kept)]), "crps": forecast.crps(truth),
            "error": np.abs(forecast.median() - truth), "covered": ((low <= truth) & (truth <= high)).astype(float),
            **{f"in {region}": inside(table.test.x, region) for region in REGIONS},
            **{part: getattr(parts, part) for part in PARTS}}


def numbers(settings: Settings, done: Results) -> Numbers:
    """Of each region, split by split: means over its test rows and over all others, without and with its training rows."""
    splits = range(settings["splits"])
    out: Numbers = {"splits": settings["splits"], "regions": {}}
    for region in REGIONS:
        one: Numbers = {"rows": [[int(value) for value in done[f"{region} {split}"]["rows"]] for split in splits]}
        for left_out in (region, "nothing"):
            found = [done[f"{left_out} {split}"] for split in splits]
            one["without" if left_out == region else "with"] = {
                where: {name: [float(f"{each[name][each[f'in {region}'] == here].mean():.4g}") for each in found]
                        for name in (*PARTS, "crps", "error", "covered")}
                for where, here in (("inside", True), ("outside", False))}
        one["test_rows"] = [int(done[f"{region} {split}"][f"in {region}"].sum()) for split in splits]
        out["regions"][region] = one
    return out


def times(found: Numbers, where: str, name: str) -> np.ndarray:
    """Without the region's training rows by with them, for each split."""
    return np.array(found["without"][where][name]) / np.array(found["with"][where][name])


def draw(numbers: Numbers, done: Results) -> Figure:
    figure = look.new_figure(9.2, 5.2)
    panels = figure.subplots(1, 2, sharex=True, sharey=True)
    found = [done[f"{left_out} 0"] for left_out in ("nothing", SHOWN)]
    shown = [[(one["x"][:, i] >= low) & (one["x"][:, i] <= high) for i, (low, high) in enumerate(MAP)] for one in found]
    highest = np.quantile(np.concatenate([one["epistemic"][np.all(some, axis=0)] for one, some in zip(found, shown)]), 0.99)
    (south, north), (west, east) = REGIONS[SHOWN]
    for axes, one in zip(panels, found):
        order = np.argsort(one["epistemic"])  # what is uncertain lies on top
        dots = axes.scatter(one["x"][order, 1], one["x"][order, 0], s=9, linewidths=0, c=one["epistemic"][order], cmap=look.RISING, vmin=0,
                            vmax=highest, rasterized=True)
        axes.plot([west, east, east, west, west], [south, south, north, north, south], color=look.INK, linewidth=1.4)
        axes.set(xlabel="longitude (degrees)", aspect=1.25, xlim=MAP[1], ylim=MAP[0], xticks=[-123, -122, -121, -120], yticks=[36, 37, 38, 39])
    panels[0].set_ylabel("latitude (degrees)")
    figure.colorbar(dots, ax=panels, label="epistemic part (100,000 dollars)", extend="max")
    look.letter(panels, ("all training rows", "without those in the box"))
    return figure


def claims(numbers: Numbers) -> list[Claim]:
    made = []
    for region, found in numbers["regions"].items():
        more, less = times(found, "inside", "epistemic"), times(found, "inside", "aleatoric")
        covered = np.array(found["without"]["inside"]["covered"])
        name, splits = NAMES[region], splits_of(numbers)
        made += [
            Claim(f"not in the paper: the networks disagree more about a region that was left out, {name}",
                  f"epistemic part of its test rows, {MORE:g} times or more that of a fit with its rows, in each of {splits}: {listed(more)}", bool((more >= MORE).all())),
            Claim(f"not in the paper: there the epistemic part grows more than the aleatoric one, {name}",
                  f"by a larger factor than the aleatoric one in each of {splits}: {listed(more)} against {listed(less)}",
                  bool((more > less).all())),
            Claim(f"not in the paper: there the 90% interval still covers, {name}",
                  f"85% or more of its test rows, mean of {splits}: {covered.mean():.0%}", bool(covered.mean() >= 0.85)),
        ]
    return made


def splits_of(numbers: Numbers) -> str:
    return "1 split" if numbers["splits"] == 1 else f"{numbers['splits']} splits"


def listed(values: np.ndarray) -> str:
    return ", ".join(f"{value:.2f}" for value in values)


def section(numbers: Numbers) -> list[str]:
    lines = ["| test rows | training | aleatoric | epistemic | epistemic share | CRPS | mean absolute error | 90% interval covers |",
             "| --- | --- |" + " ---: |" * 6]
    for region, found in numbers["regions"].items():
        for where, place in (("inside", NAMES[region]), ("outside", "all others")):
            for training, words in (("with", "all rows"), ("without", f"without {NAMES[region]}")):
                one = {name: float(np.mean(values)) for name, values in found[training][where].items()}
                share = one["epistemic"] / (one["aleatoric"] + one["epistemic"])
                lines.append(f"| {place} | {words} | {one['aleatoric']:.3f} | {one['epistemic']:.4f} | {share:.0%} | {one['crps']:.3f} | "
                             f"{one['error']:.3f} | {one['covered']:.0%} |")
    told = "; ".join(f"{NAMES[region]} has {np.mean([of - kept for kept, of in found['rows']]):,.0f} of "
                     f"{found['rows'][0][1]:,} training rows and {np.mean(found['test_rows']):.0f} test rows"
                     for region, found in numbers["regions"].items())
    price = "; ".join(f"{np.mean(found['without']['inside']['crps']) - np.mean(found['with']['inside']['crps']):.3f} in "
                      f"{NAMES[region]}, where the epistemic part grows by "
                      f"{np.mean(found['without']['inside']['epistemic']) - np.mean(found['with']['inside']['epistemic']):.3f}"
                      for region, found in numbers["regions"].items())
    return lines + [
        "",
        f"Units of 100,000 dollars, the parts are those of the expected CRPS; mean over {splits_of(numbers)}, on average {told}.",
        "",
        f"- **A lower bound.** Leaving the region out costs a CRPS of {price}. Networks that miss the same rows miss the same thing, and "
        "what they agree about is not in the epistemic part.",
    ]


EXPERIMENT = Experiment(
    name="left_out",
    title="A region left out of training",
    about=__doc__,
    caption="The epistemic part of the expected CRPS of each test row, where it lies: (a) with all training rows, (b) without those of the box.",
    full={"splits": 2, "fit": {"hurry": {}, "draws": 1000, "most": None}},
    quick={"splits": 1, "fit": {"hurry": HURRY | {"networks": 3, "epochs": 3}, "draws": 200, "most": 3000}},
    cells=cells, numbers=numbers, draw=draw, claims=claims, section=section, table=TABLE,
)

if __name__ == "__main__":
    sys.exit(main([EXPERIMENT], __doc__))
