"""The table of what the paper leaves open, with our choices: numbers in it come from the records of the experiments."""

from __future__ import annotations

from experiments.frame.curves import told
from experiments.frame.experiment import Experiment
from tables.methods import METHODS
from tables.report import read_printed
from tables.summary import Summary
from tables.verdicts import PAPERS

CHOICES = "#choices-that-the-paper-leaves-open"

HEAD = """\
## What the paper leaves open

| not said in the paper | our choice | what it changes |
| --- | --- | --- |"""

ROWS = """\
| learning rate, Adam's constants, on the ten tables | 0.001, β 0.9 and 0.999 | {rate} |
| learning rate of the synthetic experiments | 0.001; in the squares also others | {squares} |
| epochs on the ten tables | at most 100 (400 on concrete), the best epoch by validation loss | {epochs} |
| how the early stop works | all epochs are run, and the weights of the epoch with the lowest validation loss are kept | {stop} |
| activation on the ten tables | ReLU | {activation} |
| initial weights, but for one peak (N(0, 0.1²)) | uniform in ±1/√n, n the inputs of a layer, as PyTorch's linear layers | {initial} |
| an activation after the first layer of the features | yes, before the product with the noise | {first} |
| noise of the validation samples that choose an epoch | evenly spread over [0, 1), the same in every epoch | not measured: the program has no other |
| x of the rows of one peak and of the crossing curves | uniform at random | not measured |
| how many x and data sets the distances are means over | as each section says; 21 x for arcs | the range over the data sets stands in brackets |
| positions of the three squares | corners at (−2, −1), (−0.5, 0.5), (1, −1) | not measured |
| cells of the Hellinger distance of two targets | {cells} in [−1.1, 1.1]² | {arcs} |
| width of the Gaussian filter over 51 quantiles | 0.05 | decides between LightGBM and DN+: the tables by width on this page |
| kernel of the density behind the NLL of samples | Gaussian, width by Scott's rule | not measured |
| ν of the Gaussian process' Matérn kernel | 1.5 | not measured |
| tuning ranges of LightGBM, NGBoost and the forest | [as listed](../experiments/tables/README.md#methods) | not measured |
| batch sizes and N of Figure 8 | {sizes} | the trend is judged, not single cells |
| what the loss of 0.84 in the learning curves counts | twice the printed formula | by the formula itself it would be [reached by a forecast without x](#disco-nets-against-dn-learning-curves) |
| activation of the learning curves | ReLU and Tanh, both shown | {curves} |
| which target of sulfur in the tables | y₁ (H₂S) | {target} |
| rule of the split into training, validation and test rows | random, three seeds | {splits} |
| mean or median over rows in Table 2 | [medians](#the-two-tables), as the numbers show | a factor of up to {factor:.1f} in CRPS |
"""


def table(run: dict[Experiment, dict | None], summary: Summary) -> list[str]:
    factor = max(summary.value(name, "paper", "crps") / summary.value(name, "paper", "crps_median") for name in summary.tables)
    numbers = {experiment.name: record["numbers"] for experiment, record in run.items() if record}
    return [HEAD, ROWS.format(squares=squares(numbers.get("functions")), arcs=arcs(numbers.get("arcs")), cells=cells(numbers.get("arcs")),
                              sizes=sizes(numbers.get("batch_draws")), curves=curves(numbers.get("learning_curves")), factor=factor,
                              splits=splits(summary), target=target(summary, numbers.get("choices")),
                              **choices(numbers.get("choices")))]


def splits(summary: Summary) -> str:
    """How far the scores of DN+ differ between the splits of a table."""
    spread = []
    for name in summary.tables:
        found = [summary.cells[name, "paper", split]["scores"]["crps"] for split in sorted(summary.splits(name, "paper"))]
        spread.append(max(found) / min(found) - 1)
    return (f"scores are means over three splits; the mean CRPS of DN+ differs between them by {min(spread):.1%} to {max(spread):.1%} "
            "of the lowest, by table")


def target(summary: Summary, found: dict | None) -> str:
    """Whether the printed errors on sulfur are those of the target that was taken."""
    printed = read_printed()
    told_errors = []
    for score in ("mae", "rmse"):
        ratios = [printed["sulfur", score, METHODS[method].printed] / summary.value("sulfur", method, score) for method in PAPERS]
        told_errors.append(f"{min(ratios):.2f} to {max(ratios):.2f} times ours in {score.upper()}")
    base = f"; those of the base network with y₂: [above]({CHOICES})" if found else "; y₂ (SO₂) was not tried"
    return f"the printed errors of the six methods are {' and '.join(told_errors)}{base}"


def choices(found: dict | None) -> dict[str, str]:
    """By place in the table: what the experiment with one choice at a time found."""
    from experiments import choices as one_choice  # which imports this module, by way of the page

    places = {"rate": ("slow", "fast", "beta2"), "epochs": ("short", "long"), "stop": ("patience", "last"),
              "activation": ("tanh", "selu", "gcu"), "initial": ("normal",), "first": ("linear",)}
    if found is None:
        return dict.fromkeys(places, "not measured")
    chance = abs(one_choice.change(found, "seed")).max()

    def said(names: tuple[str, ...]) -> str:
        measured = [f"{one_choice.change(found, name).mean():+.0%} with {one_choice.CHOICES[name][1]}" for name in names if name in found["choices"]]
        return (f"mean CRPS on [concrete]({CHOICES}): {', '.join(measured)} (another seed: up to {chance:.0%} on a split)" if measured
                else "not measured")

    return {place: said(names) for place, names in places.items()}


def squares(found: dict | None) -> str:
    if found is None:
        return "not measured"
    worst = {rate: min(one["inside"] for one in found["rates"][rate].values()) for rate in found["rates"]}
    told_rates = ", ".join(f"{share:.0%} with {rate}" for rate, share in worst.items())
    return f"share of the functions inside [the squares](#sample-functions-in-three-squares), worst network: {told_rates}"


def cells(found: dict | None) -> str:
    measured = list(found["paper"].get("cells", [])) if found else []
    return f"{measured[0]} × {measured[0]} to {measured[-1]} × {measured[-1]}" if measured else "40 × 40"


def arcs(found: dict | None) -> str:
    if found is None:
        return "not measured"
    cells = found["paper"].get("cells")
    if not cells:
        return "fewer cells give smaller numbers: see [arcs](#two-targets-arcs)"
    told_cells = ", ".join(f"{one['mean']:.3f} on {count}²" for count, one in cells.items())
    return f"the mean distance of [arcs](#two-targets-arcs): {told_cells}"


def sizes(found: dict | None) -> str:
    if found is None:
        return "not run"
    return f"{', '.join(map(str, found['batches']))} and {', '.join(map(str, found['draws']))}"


def curves(found: dict | None) -> str:
    if found is None:
        return "not measured"
    disco = {name.split()[0]: one for name, one in found["curves"].items() if name.endswith("disco")}
    epochs = ", ".join(f"{told(one['first_below'], len(one['mean']))} ({name})" for name, one in disco.items())
    return f"[epochs of DISCO Nets](#disco-nets-against-dn-learning-curves) until below 0.42: {epochs}"
