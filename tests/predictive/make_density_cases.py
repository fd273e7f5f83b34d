"""Writes density_cases.json: what the density that is drawn must be, computed slowly from the rule.

The tests of C++, Python and the pages read that file. Run it again after a change of the rule:

    build/venv/bin/python tests/predictive/make_density_cases.py
"""

import json
import pathlib

import numpy as np

POINTS = 41


def silverman(samples):
    if len(samples) < 2:
        return 0.0
    iqr = np.subtract(*np.quantile(samples, [0.75, 0.25])) / 1.34
    sd = samples.std(ddof=1)
    return 0.9 * (min(sd, iqr) if iqr > 0 else sd) * len(samples) ** -0.2


def bell(samples, x, limits, width):
    """Sum of the kernels of the samples and of their mirror images, each 1 high, at every x."""
    y = np.zeros_like(x)
    for centre in (x, *(2 * end - x for end in limits if np.isfinite(end))):
        y += np.exp(-0.5 * ((samples[None] - centre[:, None]) / width) ** 2).sum(axis=1)
    return y


def spikes_of(samples, values, counts, limits):
    """Values and shares of the spikes, whether they are bars, and the bars' width."""
    total = len(samples)
    order = np.argsort(-counts, kind="stable")
    held = np.cumsum(counts[order])
    few = int(np.argmax(held >= 0.9 * total)) + 1
    least = counts[order[few - 1]]
    main = values[counts >= least]
    width = np.diff(main).min() if len(main) > 1 else np.inf
    each = few == 1 or least >= max(2, 0.005 * total)
    if few <= min(40, max(1, total // 4)) and each and width >= 1e-4 * np.ptp(values):
        return counts >= min(2, least), True, width if np.isfinite(width) else 0.0
    above = counts >= bell(samples, values, limits, silverman(samples)) - counts
    at_limit = np.isin(values, limits)
    enough = counts >= np.maximum(np.where(at_limit, 0.02, 0.05) * total, 5)
    return enough & (above | at_limit), False, 0.0


def case(name, samples, limits, domain):
    samples = np.asarray([float(f"{value:.7g}") for value in samples])
    total = len(samples)
    values, counts = np.unique(samples, return_counts=True)
    low, high = limits[0] if limits[0] is not None else -np.inf, limits[1] if limits[1] is not None else np.inf
    is_spike, bars, bar = spikes_of(samples, values, counts, (low, high))
    if np.isinf(low) and is_spike[0]:
        low = values[0]
    if np.isinf(high) and is_spike[-1]:
        high = values[-1]
    rest = np.repeat(values[~is_spike], counts[~is_spike])
    width = silverman(rest)
    start, end = max(domain[0], low), min(domain[1], high)
    step = max(0.0, end - start) / (POINTS - 1)
    bar = bar or 0.05 * (domain[1] - domain[0])
    kernel = max(width, step, bar / 2 if bars else 0)
    x = np.linspace(start, end, POINTS) if len(rest) and step > 0 else np.empty(0)
    y = bell(rest, x, (low, high), kernel) / (total * kernel * np.sqrt(2 * np.pi))
    return {
        "name": name,
        "samples": samples.tolist(),
        "limits": list(limits),
        "domain": list(domain),
        "points": POINTS,
        "bars": bars,
        "bandwidth": width,
        "spike_width": bar if bars else np.sqrt(2 * np.pi) * kernel,
        "spikes": [[value, count / total] for value, count in zip(values[is_spike], counts[is_spike])],
        "x": x[[0, -1]].tolist() if len(x) else [],
        "y": y.tolist(),
    }


def made():
    random = np.random.default_rng(19)
    mixed = np.concatenate
    # A critical temperature: much of it near the least that training had, far tails above.
    kelvin = 0.00021 + mixed([random.gamma(1.35, 6.5, 260), random.normal(32, 6, 60), random.uniform(50, 120, 30)])
    # House values: 24% of the samples are at the cap.
    capped = mixed([random.normal(4.05, 0.28, 228).clip(0.15, 4.99), np.full(72, 5.00001)])
    # The same with a forecast below the cap: 4% at the cap, and round values that training rows repeat.
    round_values = mixed([random.normal(4.6, 0.25, 258).clip(0.15, 4.99), np.full(12, 5.00001), np.repeat([4.5, 4.25], [15, 15])])
    # A narrow forecast with far tails, in which training rows repeat: 4% at one value where no other sample is.
    other = np.random.default_rng(20)
    repeats = mixed([other.normal(0.053, 0.002, 276), other.uniform(0.02, 0.12, 12), np.full(12, 0.091)])
    # A price that is agreed on: inside the bell, and higher than it.
    agreed = mixed([random.normal(100, 10, 200), np.full(100, 104.0)])
    fares = 4.5 + 0.5 * random.binomial(24, 0.45, 275)
    yield case("two peaks, no limits", mixed([random.normal(-3, 1, 150), random.normal(4, 0.7, 150)]), (None, None), (-8, 8))
    yield case("0 kelvin", kelvin, (0.00021, 185), (-5, 126))
    yield case("24% at the cap", capped, (0.14999, 5.00001), (0.3, 5.2))
    yield case("4% at the cap, round values", round_values, (0.14999, 5.00001), (3.4, 5.2))
    yield case("4% repeated in the tail", repeats, (0, 1), (0.02, 0.12))
    yield case("a third agreed on", agreed, (None, None), (60, 140))
    yield case("zeros, limits not known", mixed([np.zeros(90), random.gamma(2, 3, 210)]), (None, None), (-2, 25))
    yield case("grades", random.choice([3.0, 4, 5, 6, 7, 8], 250, p=[0.01, 0.04, 0.42, 0.36, 0.14, 0.03]), (3, 8), (2, 9))
    yield case("fares", mixed([fares, random.uniform(5, 14, 25)]), (2.5, 150), (3, 18))
    yield case("a fine lattice", np.round(random.normal(100, 24, 400)), (0, 300), (20, 180))
    yield case("zeros and a lattice", mixed([np.zeros(160), np.round(random.uniform(20, 88, 240))]), (0, 90), (-4, 94))
    yield case("even between its limits", random.uniform(0, 1, 300), (0, 1), (-0.5, 1.5))
    yield case("one value", np.full(50, 7.25), (7.25, 7.25), (6, 8))
    yield case("one sample", [2.5], (None, None), (0, 5))
    yield case("two samples", [1.0, 2.0], (None, None), (0, 3))
    # Most at the cap, and what is left of nine tenths at single values; or at the round value beside it.
    above = np.random.default_rng(21)
    below = above.normal(4.4, 0.5, 60).clip(0.15, 4.99)
    yield case("86% at the cap", mixed([below[:42], np.full(258, 5.00001)]), (0.14999, 5.00001), (2.9, 5.2))
    yield case("a value beside the cap", mixed([below[:24], np.full(12, 5.0), np.full(264, 5.00001)]), (0.14999, 5.00001), (2.9, 5.2))
    yield case("narrower than a step", random.normal(50, 0.001, 100), (0, 100), (0, 100))


if __name__ == "__main__":
    cases = list(made())
    lines = ",\n".join(json.dumps(one) for one in cases)
    pathlib.Path(__file__).with_name("density_cases.json").write_text(f"[\n{lines}\n]\n")
