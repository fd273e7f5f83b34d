"""What the choices change that the paper leaves open: one at a time.

Not in the paper. DN+ on the concrete table as in [the two tables](#the-two-tables) (`--preset paper`, batches of 40, normal quantiles in
and out), but with N = 10 instead of 100 and 100 epochs instead of 400, to save time. Each line changes one choice. *Another seed* shows
what chance alone does. Then the base network on both targets of sulfur, to see which of them the paper took. Last, what
independent instead of evenly spread noise in prediction changes, on all ten tables.
"""

from __future__ import annotations

import sys

import numpy as np
from matplotlib.figure import Figure

from experiments.frame import look, prediction_noise
from experiments.frame.experiment import Cell, Claim, Experiment, Numbers, Result, Results, Settings
from experiments.frame.runner import main
from experiments.frame.workshop import Data, Workshop
from tables.data import SOURCES
from tables.metrics import score
from tables.report import read_printed

TABLE, TWO_TARGETS = "concrete", "sulfur"
OURS = "ours"
EVEN = {"prediction_noise": "even"}
#: What differs from our choice, and how the page names it.
CHOICES: dict[str, tuple[Settings, str]] = {
    OURS: ({}, "our choice"),
    "seed": ({"random_state": 100}, "another seed"),
    "slow": ({"learning_rate": 0.0003}, "learning rate 0.0003"),
    "fast": ({"learning_rate": 0.003}, "learning rate 0.003"),
    "beta2": ({"beta2": 0.99}, "Adam's β₂ = 0.99"),
    "tanh": ({"activation": "tanh"}, "Tanh"),
    "selu": ({"activation": "selu"}, "SELU"),
    "gcu": ({"activation": "gcu"}, "GCU"),
    "normal": ({"init_sd": 0.1}, "initial weights from N(0, 0.1²)"),
    "linear": ({"activate_input": False}, "no activation after the first layer"),
    "patience": ({"patience": 10}, "stopped after 10 epochs without a better one"),
    "last": ({"valid_fraction": 0.0}, "the last epoch's weights"),
    "short": ({"epochs": 50}, "50 epochs"),
    "long": ({"epochs": 200}, "200 epochs"),
    "even": (EVEN, "evenly spread noise in prediction, against the paper"),
}
SCORES = {"crps": "mean CRPS", "mae": "MAE", "nll_median": "NLL, median"}
DRAWS = 500
LITTLE = 0.05  # of the CRPS: a choice that changes less does not decide anything
PRINTED = "BaseNN"  # as printed.csv names the base network
SCORED = ("mae", "rmse")


def cells(settings: Settings) -> list[Cell]:
    one = [Cell(f"{choice} {split}", fit_and_score, {"choice": choice, "split": split} | settings["fit"])
           for split in range(settings["splits"]) for choice in settings["methods"]]
    targets = [Cell(f"{TWO_TARGETS} {target} {split}", target_errors, {"target": target, "split": split} | settings["targets"])
               for split in range(settings["splits"]) for target in (0, 1)]
    return one + targets + [Cell(f"noise {table}", noise_scores, {"table": table} | settings["noise"]["fit"])
                            for table in settings["noise"]["tables"]]


def parts(workshop: Workshop, name: str, split: int, target: int, most: int | None) -> tuple[Data, Data, Data]:
    """Training, validation and test rows of a split with one target; of `most` training rows where that is a number."""
    if why := workshop.lacks(name):
        raise SystemExit(why)
    table = workshop.table(name, split)
    x, y = table.train.x, table.train.y[:, target]
    held = len(y) // 10  # the last ones, as in `tables`
    train = slice(0, len(y) - held)
    kept = slice(0, len(y) - held if most is None else most)
    label = f"{table.train.name}, target {target}"
    return (Data(f"{label}, {len(y[train][kept])} rows", x[train][kept], y[train][kept]), Data(f"{label}, valid", x[-held:], y[-held:]),
            Data(f"{label}, test", table.test.x, table.test.y[:, target]))


def fit_and_score(workshop: Workshop, choice: str, split: int, epochs: int, draws: int, most: int | None) -> Result:
    train, valid, test = parts(workshop, TABLE, split, 0, most)
    options: Settings = {"preset": "paper", "random_state": split, "batch": 40, "draws": draws, "epochs": epochs} | CHOICES[choice][0]
    if choice == "seed":
        options["random_state"] += split
    model = workshop.model(train, None if choice == "last" else valid, **options)
    found = score(model.sample(test.x, DRAWS)[:, :, 0], test.y)
    return {name: np.array(found[name]) for name in SCORES}


def noise_scores(workshop: Workshop, table: str, epochs: int, draws: int, most: int | None) -> Result:
    """One network's scores with evenly spread and with independent noise in prediction: training does not know which it will be."""
    train, valid, test = parts(workshop, table, 0, 0, most)
    fit: Settings = {"preset": "paper", "random_state": 0, "batch": 40 if table == TABLE else 200, "draws": draws, "epochs": epochs}
    found = [score(workshop.model(train, valid, **fit | noise).sample(test.x, DRAWS)[:, :, 0], test.y) for noise in (EVEN, {})]
    return {name: np.array([one[name] for one in found]) for name in prediction_noise.SCORES}


def target_errors(workshop: Workshop, target: int, split: int, epochs: int, most: int | None) -> Result:
    train, valid, test = parts(workshop, TWO_TARGETS, split, target, most)
    error = np.ravel(workshop.model(train, valid, preset="point", random_state=split, epochs=epochs).predict(test.x)) - test.y
    return {"mae": np.abs(error).mean(), "rmse": np.sqrt(np.square(error).mean())}


def numbers(settings: Settings, done: Results) -> Numbers:
    splits = range(settings["splits"])

    def listed(name: str, measure: str) -> list[float]:
        return [float(f"{float(done[f'{name} {split}'][measure]):.4g}") for split in splits]

    printed = read_printed()
    return {
        "splits": settings["splits"], "epochs": settings["fit"]["epochs"],
        "choices": {choice: {measure: listed(choice, measure) for measure in SCORES} for choice in settings["methods"]},
        "draws": settings["fit"]["draws"],
        "noise": {"epochs": settings["noise"]["fit"]["epochs"], "tables": {
            table: {name: [float(f"{value:.5g}") for value in done[f"noise {table}"][name]] for name in prediction_noise.SCORES}
            for table in settings["noise"]["tables"]}},
        "targets": {"printed": {measure: printed[TWO_TARGETS, measure, PRINTED] for measure in SCORED}}
        | {f"y{target + 1}": {measure: listed(f"{TWO_TARGETS} {target}", measure) for measure in SCORED} for target in (0, 1)},
    }


def change(numbers: Numbers, choice: str, measure: str = "crps") -> np.ndarray:
    """By how much a choice changes a score, split by split."""
    return np.array(numbers["choices"][choice][measure]) / np.array(numbers["choices"][OURS][measure]) - 1


def others(numbers: Numbers) -> list[str]:
    return [choice for choice in numbers["choices"] if choice not in (OURS, "seed")]


def draw(numbers: Numbers, done: Results) -> Figure:
    figure = look.new_figure(9.2, 6.4)
    axes = figure.subplots()
    shown = ["seed", *others(numbers)]
    for line, choice in enumerate(shown):
        found = 100 * change(numbers, choice)
        axes.plot(found, np.full(len(found), line), "o", color=look.GREY, markersize=5, label="one split")
        axes.plot(found.mean(), line, "D", color=look.COLOURS["paper"], markersize=8, label="mean")
    for limit in (-100 * LITTLE, 100 * LITTLE):
        axes.axvline(limit, color=look.GREY, linestyle="--", linewidth=1)
    axes.axvline(0, color=look.INK, linewidth=0.8)
    axes.set_yticks(range(len(shown)), [CHOICES[choice][1] for choice in shown])
    axes.invert_yaxis()
    axes.set_xlabel("change of the mean CRPS (%), dashed: ±5%")
    handles, labels = axes.get_legend_handles_labels()
    figure.legend(handles[:2], labels[:2], loc="outside upper center", ncols=2)
    return figure


def claims(numbers: Numbers) -> list[Claim]:
    found = {choice: change(numbers, choice).mean() for choice in others(numbers) if choice != "even"}  # which the paper does not leave open
    more = [choice for choice in found if abs(found[choice]) >= LITTLE]
    near = [nearer(numbers, measure) for measure in SCORED]
    return [
        Claim("not in the paper: none of the choices that it leaves open decides anything on concrete",
              f"each changes the mean CRPS by less than {LITTLE:.0%}, mean of {splits_of(numbers)}: "
              + ", ".join(f"{found[choice]:+.1%} {CHOICES[choice][1]}" for choice in found), not more),
        Claim("not in the paper: its target of sulfur is y₁ (H₂S)",
              f"the printed MAE and RMSE of the base network are nearer to ours of y₁, by their ratio, mean of {splits_of(numbers)}: "
              + "; ".join(f"{measure.upper()} {ratio(numbers, 'y1', measure):.2f} times ours of y₁, {ratio(numbers, 'y2', measure):.2f} of y₂"
                          for measure in SCORED), all(one == "y1" for one in near)),
    ]


def ratio(numbers: Numbers, target: str, measure: str) -> float:
    """The printed error by ours."""
    found = numbers["targets"]
    return found["printed"][measure] / float(np.mean(found[target][measure]))


def nearer(numbers: Numbers, measure: str) -> str:
    """The target whose error is nearer to the printed one."""
    return min(("y1", "y2"), key=lambda target: abs(np.log(ratio(numbers, target, measure))))


def splits_of(numbers: Numbers) -> str:
    return "1 split" if numbers["splits"] == 1 else f"{numbers['splits']} splits"


def section(numbers: Numbers) -> list[str]:
    lines = ["| | " + " | ".join(f"{name} | change" if measure != "nll_median" else name for measure, name in SCORES.items()) + " |",
             "| --- |" + " ---: |" * 5]
    for choice in numbers["choices"]:
        told = []
        for measure in SCORES:
            mean = np.mean(numbers["choices"][choice][measure])
            told.append(f"{mean:.3f}")
            if measure != "nll_median":
                told.append("" if choice == OURS else spread(change(numbers, choice, measure)))
        lines.append(f"| {CHOICES[choice][1]} | {' | '.join(told)} |")
    found = numbers["targets"]
    errors = "; ".join(f"{measure.upper()} {np.mean(found['y1'][measure]):.4f} on y₁ and {np.mean(found['y2'][measure]):.4f} on y₂, "
                       f"printed is {found['printed'][measure]:.4f}" for measure in SCORED)
    chance = abs(change(numbers, "seed")).max()
    beyond = [CHOICES[choice][1] for choice in others(numbers) if abs(change(numbers, choice).mean()) > chance]
    return lines + [
        "",
        f"Test rows of {splits_of(numbers)}, {DRAWS} samples each, {numbers['epochs']} epochs where nothing else is said; in brackets each "
        "split. Our choices: ReLU, initial weights uniform in ±1/√n, an activation after the first layer, all epochs run and those weights "
        "kept that had the lowest validation loss.",
        "",
        f"- **Concrete:** another seed changes the CRPS of a split by up to {chance:.0%}. In the mean more than that: "
        f"{', '.join(beyond) or 'none'}. {splits_of(numbers).capitalize()} cannot distinguish a smaller difference from chance.",
        f"- **Sulfur,** the base network: {errors}.",
        *noise_lines(numbers),
    ]


def noise_lines(numbers: Numbers) -> list[str]:
    if "noise" not in numbers:  # of an earlier version
        return []
    found = numbers["noise"]
    return [f"- **Noise in prediction:** {DRAWS} independent instead of evenly spread samples of one and the same network (split 0, "
            f"{found['epochs']} epochs) change, from table to table of {len(found['tables'])}: {prediction_noise.told(found)}."]


def spread(changes: np.ndarray) -> str:
    return f"{changes.mean():+.1%} ({', '.join(f'{one:+.1%}' for one in changes)})"


EXPERIMENT = Experiment(
    name="choices",
    title="Choices that the paper leaves open",
    about=__doc__,
    caption="Change of the mean CRPS on concrete when one choice is made otherwise.",
    full={"methods": list(CHOICES), "splits": 3, "fit": {"epochs": 100, "draws": 10, "most": None}, "targets": {"epochs": 100, "most": None},
          "noise": {"tables": list(SOURCES), "fit": {"epochs": 10, "draws": 10, "most": None}}},
    quick={"methods": [OURS, "seed", "linear", "last"], "splits": 1, "fit": {"epochs": 5, "draws": 10, "most": 300},
           "targets": {"epochs": 2, "most": 1000},
           "noise": {"tables": [TABLE], "fit": {"epochs": 3, "draws": 10, "most": 300}}},
    cells=cells, numbers=numbers, draw=draw, claims=claims, section=section, table=TABLE,
    drawn_from_numbers=True,
)

if __name__ == "__main__":
    sys.exit(main([EXPERIMENT], __doc__))
