"""What the networks expect and what they disagree about, inside and outside the data.

The paper's Figure 7 once more, with ensembles: outside the data "the epistemic uncertainty must be high", which the paper finds of
single networks with GCU alone. A single network cannot say what of its spread is epistemic; an ensemble can
([method.md](method.md#uncertainty-in-two-parts) has the formulas). Six networks for each activation, trained as Mirrorball does by
default on x and y as they are, without forest, boosted trees and calibration; and the plain default with all of them.
"""

from __future__ import annotations

import sys

import numpy as np
from matplotlib.figure import Figure
from mirrorball import laws

from experiments.crossing import ACTIVATIONS, LAW
from experiments.extrapolation import EDGE, FAR, RANGE, far_outside, just_outside, within
from experiments.frame import look
from experiments.frame.experiment import Cell, Claim, Experiment, Numbers, Result, Results, Settings, by_seed
from experiments.frame.runner import main
from experiments.frame.settings import HURRY, plain
from experiments.frame.workshop import Workshop, law_data

ENSEMBLES = (*ACTIVATIONS, "default")
ZONES = {"inside": within, "near": just_outside, "far": far_outside}
MEASURES = {"crps": "expected_crps", "variance": "variance"}
PARTS = ("aleatoric", "epistemic")
SAID = {"aleatoric": "aleatoric", "epistemic": "epistemic"}
MORE = 2  # times as much disagreement as inside the data is more


def options(ensemble: str, seed: int, hurry: Settings) -> Settings:
    if ensemble == "default":
        return plain(seed, **hurry)
    raw = {"input_transform": "none", "target_transform": "none", "forest": 0, "boosting": 0, "calibrate": "none"}
    return plain(seed, **raw, activation=ensemble, **{name: value for name, value in hurry.items() if name not in raw})


def cells(settings: Settings) -> list[Cell]:
    sizes = {key: settings["fit"][key] for key in ("points", "draws")}
    return [*by_seed(split_uncertainty, "ensemble", settings["methods"], settings), Cell("truth", true_uncertainty, sizes)]


def split_uncertainty(workshop: Workshop, ensemble: str, seed: int, hurry: Settings, points: int, draws: int) -> Result:
    """Both parts along x, of the variance and of the expected CRPS."""
    model = workshop.model(law_data(LAW, seed), **options(ensemble, seed, hurry))
    x = np.linspace(-RANGE, RANGE, points)
    forecast = model.predict_dist(x[:, None], n_samples=draws)
    found = {short: forecast.uncertainty(measure) for short, measure in MEASURES.items()}
    return {"x": x} | {f"{short} {part}": getattr(parts, part) for short, parts in found.items() for part in PARTS}


def true_uncertainty(workshop: Workshop, points: int, draws: int) -> Result:
    """The expected CRPS of the true distribution, half the mean distance of two samples; only inside there is one."""
    x = np.linspace(-RANGE, RANGE, points)
    x = x[within(np.abs(x))]
    made = np.sort(laws.get(LAW).sample(x, draws, seed=1)[:, :, 0], axis=1)
    weights = 2 * np.arange(draws) - draws + 1
    return {"x": x, "crps": made @ weights / draws**2}


def numbers(settings: Settings, done: Results) -> Numbers:
    """By zone: means over x and seeds, and what each seed has outside as a multiple of inside."""
    out: Numbers = {"seeds": settings["seeds"], "x": np.round(done[f"{settings['methods'][0]} 0"]["x"], 4).tolist(), "ensembles": {},
                    "truth": {"x": np.round(done["truth"]["x"], 4).tolist(), "crps": curve([done["truth"]["crps"]])}}
    for ensemble in settings["methods"]:
        found = [done[f"{ensemble} {seed}"] for seed in range(settings["seeds"])]
        one: Numbers = {"along": {part: curve([each[f"crps {part}"] for each in found]) for part in PARTS}}
        for zone, where in ZONES.items():
            one[zone] = {f"{short} {part}": [significant(each[f"{short} {part}"][where(np.abs(each["x"]))].mean()) for each in found]
                         for short in MEASURES for part in PARTS}
        out["ensembles"][ensemble] = one
    return out


def curve(found: list[np.ndarray]) -> list[float]:
    return [significant(value) for value in np.mean(found, axis=0)]


def significant(value: float) -> float:
    return float(f"{value:.4g}")


def times_inside(found: Numbers, zone: str, name: str) -> np.ndarray:
    """A part outside by that inside, for each seed."""
    return np.array(found[zone][name]) / np.array(found["inside"][name])


def draw(numbers: Numbers, done: Results) -> Figure:
    figure = look.new_figure(9.2, 6.6)
    panels = figure.subplots(2, 3, sharex=True, sharey=True)
    x = np.array(numbers["x"])
    for axes, found in zip(panels.flat, numbers["ensembles"].values()):
        for part in PARTS:
            axes.plot(x, found["along"][part], color=look.PARTS[part], linewidth=1.8, label=SAID[part])
        axes.plot(numbers["truth"]["x"], numbers["truth"]["crps"], ":", label="true distribution", **look.TRUTH)
        for edge in (-EDGE, EDGE):
            axes.axvline(edge, color=look.GREY, linestyle="--", linewidth=1)
        axes.set(xlim=(-RANGE, RANGE), yscale="log", xticks=[-4, -2, 0, 2, 4])
    for axes in panels.flat[len(numbers["ensembles"]):]:
        axes.remove()
    for axes in panels[:, 0]:
        axes.set_ylabel("expected CRPS\n(units of y)")
    for axes in (*panels[1, :2], panels[0, 2]):
        axes.set_xlabel("x (data: between dashes)")
        axes.tick_params(labelbottom=True)
    look.shared_legend(figure, panels[0, 0], 3)
    look.letter(panels.flat, (f"six {look.LABELS[name]} networks" if name != "default" else "Mirrorball, default"
                              for name in numbers["ensembles"]))
    return figure


def claims(numbers: Numbers) -> list[Claim]:
    made = []
    for zone, where in (("near", f"just outside the data (|x| < {FAR:g})"), ("far", f"far outside (|x| ≥ {FAR:g})")):
        times = {name: times_inside(found, zone, "crps epistemic") for name, found in numbers["ensembles"].items()}
        more = [name for name in ACTIVATIONS if (times[name] >= MORE).all()]
        rule = f"epistemic part of the expected CRPS outside / inside, {MORE} or more with each of {seeds_of(numbers)}"
        made += [
            Claim(f"epistemic uncertainty must be high {where}: six networks with GCU", f"{rule}: {listed(times['gcu'])}", "gcu" in more),
            Claim(f"of the four activations, epistemic uncertainty is high with GCU alone {where}",
                  f"{rule}: " + "; ".join(f"{look.LABELS[name]} {listed(times[name])}" for name in ACTIVATIONS), more == ["gcu"]),
            Claim(f"not in the paper: epistemic uncertainty is high with the default options {where}", f"{rule}: {listed(times['default'])}",
                  bool((times["default"] >= MORE).all())),
        ]
    return made


def seeds_of(numbers: Numbers) -> str:
    return "1 data set" if numbers["seeds"] == 1 else f"{numbers['seeds']} data sets"


def listed(times: np.ndarray) -> str:
    return ", ".join(f"{one:.1f}" for one in times)


def section(numbers: Numbers) -> list[str]:
    lines = ["| | inside: aleatoric | epistemic | just outside: aleatoric | epistemic | far outside: aleatoric | epistemic |",
             "| --- |" + " ---: |" * 6]
    for ensemble, found in numbers["ensembles"].items():
        told = (f"{np.mean(found[zone][f'crps {part}']):.{3 + (part == 'epistemic')}f}" for zone in ZONES for part in PARTS)
        lines.append(f"| {label(ensemble)} | {' | '.join(told)} |")
    lines += ["", f"The two parts of the expected CRPS in units of y, means over |x| ≤ π/2, π/2 < |x| < {FAR:g} and |x| ≥ {FAR:g}, and over "
              f"{seeds_of(numbers)}. The true distribution itself expects {np.mean(numbers['truth']['crps']):.3f} inside; beyond the data there is none.", "",
              "The same outside / inside, and of the variance (the square of `sd`), each data set in brackets:", "",
              "| | epistemic CRPS, just outside | far outside | epistemic variance, just outside | far outside | aleatoric variance, "
              "just outside | far outside |", "| --- |" + " ---: |" * 6]
    for ensemble, found in numbers["ensembles"].items():
        told = (by_seed_text(times_inside(found, zone, name)) for name in ("crps epistemic", "variance epistemic", "variance aleatoric")
                for zone in ("near", "far"))
        lines.append(f"| {label(ensemble)} | {' | '.join(told)} |")
    near = {name: times_inside(numbers["ensembles"][name], "near", "crps epistemic").mean() for name in ACTIVATIONS}
    most = max(near, key=lambda name: near[name])
    return lines + [
        "",
        f"- **Paper:** outside the data the forecast must be broad, and only that of GCU is (pictures of single networks). **Ours:** just "
        f"outside, six networks disagree most with {look.LABELS[most]}, {near[most]:.0f} times as much as inside; with the others "
        + ", ".join(f"{value:.0f} times ({look.LABELS[name]})" for name, value in near.items() if name != most) + ".",
        "- **It stays a small part.** With GCU the epistemic part is "
        + ", ".join(f"{share(numbers, zone):.1%} of the total {words}" for zone, words in (
            ("inside", "inside"), ("near", "just outside"), ("far", "far outside")))
        + ". The rest is spread that each network predicts by itself, although outside there are no data to learn it from.",
        "- **The default options** clip x at the end of the training range: outside, both parts stay what they are there, and do not "
        "show that there are no data.",
    ]


def share(numbers: Numbers, zone: str) -> float:
    """The epistemic part of the total, with GCU."""
    aleatoric, epistemic = (np.mean(numbers["ensembles"]["gcu"][zone][f"crps {part}"]) for part in PARTS)
    return float(epistemic / (aleatoric + epistemic))


def label(ensemble: str) -> str:
    return look.LABELS[ensemble] if ensemble == "default" else f"six networks, {look.LABELS[ensemble]}"


def by_seed_text(times: np.ndarray) -> str:
    return f"{times.mean():.1f} ({listed(times)})"


EXPERIMENT = Experiment(
    name="uncertainty",
    title="Aleatoric and epistemic uncertainty",
    about=__doc__,
    caption="The expected CRPS of five ensembles along x, in two parts, mean over the data sets, on a logarithmic axis.",
    full={"methods": list(ENSEMBLES), "seeds": 3, "fit": {"hurry": {}, "points": 201, "draws": 2000}},
    quick={"methods": list(ENSEMBLES), "seeds": 1, "fit": {"hurry": HURRY | {"networks": 3, "epochs": 3}, "points": 41, "draws": 300}},
    cells=cells, numbers=numbers, draw=draw, claims=claims, section=section,
    drawn_from_numbers=True,
)

if __name__ == "__main__":
    sys.exit(main([EXPERIMENT], __doc__))
