"""make_flats.py [PROGRAM]: writes docs/data/flats.csv and new_flats.csv, the tables of the guides. With PROGRAM, the
`mirrorball` program, also fits the first and draws docs/flats-light.svg and flats-dark.svg, the picture of the README, and
flats-narrow-light.svg and flats-narrow-dark.svg, which can be read on a telephone.

The flats are invented, so the true distribution of a price is known and can be drawn beside the predicted one.
"""

from __future__ import annotations

import datetime
import math
import random
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

DOCS = Path(__file__).resolve().parent.parent / "docs"
COLUMNS = ["area", "rooms", "district", "built", "balcony", "listed", "price", "days"]
FIRST_DAY = datetime.date(2024, 1, 1)
DAYS = 730

#: Thousands per square metre, and the standard deviation of the log price, by district.
DISTRICTS = {"centre": (4.6, 0.07), "harbour": (3.6, 0.08), "hills": (3.8, 0.22), "north": (2.7, 0.12)}
VIEW_SHARE, VIEW_FACTOR = 0.4, 1.7  # flats in the harbour with a view of the sea, which no column tells


def typical_price(area: float, district: str, built: int, balcony: bool, day: int) -> float:
    """The median price, without a view, in thousands."""
    age = 1 + 0.003 * (built - 1970) if built > 1945 else 1.0
    return DISTRICTS[district][0] * area**0.97 * age * (1.05 if balcony else 1) * (1 + 0.05 * day / 365)


def flat(chance: random.Random) -> list[str]:
    area = min(max(chance.lognormvariate(4.25, 0.35), 22), 220)
    rooms = max(1, round(area / 27 + chance.gauss(0, 0.5)))
    district = chance.choices(list(DISTRICTS), [3, 3, 2, 2])[0]
    built = chance.choice([chance.randint(1890, 1940), chance.randint(1950, 2023), chance.randint(1960, 1990)])
    balcony, day = chance.random() < 0.4, chance.randrange(DAYS)
    surprise = chance.gauss(0, DISTRICTS[district][1])
    price = typical_price(area, district, built, balcony, day) * math.exp(surprise)
    if district == "harbour" and chance.random() < VIEW_SHARE:
        price *= VIEW_FACTOR
    days = math.ceil(math.exp(3.2 + 4 * surprise + chance.gauss(0, 0.4)))  # a high price takes longer to sell
    known = chance.random() > (0.15 if built < 1945 else 0.05)
    listed = FIRST_DAY + datetime.timedelta(day)
    return [f"{area:.0f}", f"{rooms}", district, f"{built}" if known else "", f"{balcony}".lower(), f"{listed}",
            f"{price:.1f}", f"{days}"]  # fmt: skip


def tables() -> dict[str, str]:
    chance = random.Random(18)
    rows = [flat(chance) for _ in range(4500)]
    parts = {"flats.csv": rows[:4000], "new_flats.csv": rows[4000:]}
    return {name: "\n".join(",".join(row) for row in [COLUMNS, *part]) + "\n" for name, part in parts.items()}


#: The picture: three flats that differ in the district only, and what one sees.
SHOWN = {
    "Centre": "All flats cost about the same.",
    "Hills": "Prices vary widely.",
    "Harbour": "With a sea view, or without:\nno column records it.",
}
AREA, BUILT, DAY = 80, 1975, 366
SAMPLES = 4000
LOW, HIGH, BANDWIDTH = 140.0, 600.0, 10.0  # thousands


@dataclass(frozen=True)
class Layout:
    """Where things are, in pixels: of each flat how far its line is below the one before, and how high its curve."""

    left: int
    width: int
    top: int
    steps: tuple[int, int, int]
    heights: tuple[int, int, int]
    margin: int
    names_above: bool

    def place(self, price: float) -> float:
        return self.left + self.width * (price - LOW) / (HIGH - LOW)


WIDE = Layout(250, 560, 104, (104, 96, 150), (74, 62, 96), 28, names_above=False)
NARROW = Layout(14, 350, 156, (0, 136, 200), (64, 54, 112), 14, names_above=True)


def samples_of(program: str) -> dict[str, list[float]]:
    """Prices that a default fit predicts for the three flats."""
    first = str(FIRST_DAY + datetime.timedelta(DAY))
    rows = [f"{AREA},3,{name.lower()},{BUILT},false,{first}" for name in SHOWN]
    with tempfile.TemporaryDirectory() as folder:
        model, asked = f"{folder}/flats.mirrorball", Path(folder, "asked.csv")
        asked.write_text("\n".join([",".join(COLUMNS[:6]), *rows]) + "\n")
        fit = ["fit", f"{DOCS}/data/flats.csv", "--target", "price", "--ignore", "days", "--out", model, "--quiet"]
        subprocess.run([program, *fit], check=True)
        predict = [program, "predict", model, str(asked), "--samples", str(SAMPLES)]
        lines = subprocess.run(predict, check=True, capture_output=True, text=True).stdout.splitlines()[1:]
    return {name: sorted(map(float, line.split(","))) for name, line in zip(SHOWN, lines)}


def normal(z: float) -> float:
    return math.exp(-z * z / 2) / math.sqrt(2 * math.pi)


def true_density(district: str, price: float) -> float:
    sd, middle = DISTRICTS[district][1], typical_price(AREA, district, BUILT, False, DAY)
    parts = [(1 - VIEW_SHARE, middle), (VIEW_SHARE, middle * VIEW_FACTOR)] if district == "harbour" else [(1.0, middle)]
    return sum(share * normal(math.log(price / at) / sd) / (sd * price) for share, at in parts)


def predicted_density(samples: list[float], price: float) -> float:
    return sum(normal((price - sample) / BANDWIDTH) for sample in samples) / len(samples) / BANDWIDTH


def ridge(at: Layout, name: str, samples: list[float], base: float, height: float) -> str:
    """One flat: what it is, both densities, median and 90% interval."""
    prices = [LOW + (HIGH - LOW) * i / 280 for i in range(281)]
    predicted = [predicted_density(samples, price) for price in prices]
    true = [true_density(name.lower(), price) for price in prices]
    unit = height / max(predicted + true)
    place = at.place

    def line(values: list[float]) -> str:
        return " ".join(f"{place(x):.1f},{base - unit * value:.1f}" for x, value in zip(prices, values))

    low, median, high = (samples[round(level * (len(samples) - 1))] for level in (0.05, 0.5, 0.95))
    said = [SHOWN[name].replace("\n", " ")] if at.names_above else SHOWN[name].split("\n")
    first = base - height - 14 if at.names_above else base - 14
    words = "".join(f'<text x="{at.margin}" y="{first + 18 * i}">{part}</text>' for i, part in enumerate(said))
    ends = f"{place(LOW)},{base} {{}} {place(HIGH)},{base}"
    return f"""<text class="name" x="{at.margin}" y="{first - 22}">{name}</text>{words}
<polygon class="area" points="{ends.format(line(predicted))}"/><polyline class="curve" points="{line(predicted)}"/>
<polyline class="true" points="{line(true)}"/>
<path class="interval" d="M{place(low):.1f} {base + 11}H{place(high):.1f}"/>
<circle class="median" cx="{place(median):.1f}" cy="{base + 11}" r="5"/>
<text class="end" x="{place(low) - 8:.1f}" y="{base + 16}">{low:.0f}</text>
<text x="{place(high) + 8:.1f}" y="{base + 16}">{high:.0f}</text>
"""


def mean_note(at: Layout, samples: list[float], base: float, height: float) -> str:
    """Where the mean of two peaks lies, and the peaks by name."""
    mean = sum(samples) / len(samples)
    near = sum(abs(sample - mean) < 15 for sample in samples) / len(samples)
    middle = typical_price(AREA, "harbour", BUILT, False, DAY)
    place, between = at.place, "\n" if at.names_above else " "
    lines = f"The mean, {mean:.0f}:{between}hardly any flat costs that.".split("\n")
    top, beside = base - (0.86 if at.names_above else 0.72) * height, place(mean) + (6 if at.names_above else 10)
    words = "".join(
        f'<text class="ink" x="{beside:.1f}" y="{top - 4 + 18 * i:.1f}">{line}</text>\n' for i, line in enumerate(lines)
    )
    those = "are" if at.names_above else "of the prices are"
    return f"""<path class="mean" d="M{place(mean):.1f} {base}V{top - 14:.1f}"/>
{words}<text x="{beside:.1f}" y="{top - 4 + 18 * len(lines):.1f}">{100 * near:.0f}% {those} within ±15 of it.</text>
<text class="middle" x="{place(middle):.1f}" y="{base - 8}">no view</text>
<text class="middle" x="{place(middle * VIEW_FACTOR):.1f}" y="{base - 8}">sea view</text>
"""


#: The colours of the pages (web/src/shared/theme.css).
LOOKS = {
    "light": {"card": "#ffffff", "line": "#dfe3ea", "ink": "#171a20", "soft": "#565f6e", "accent": "#0b62c4",
              "other": "#b14a00"},
    "dark": {"card": "#171b22", "line": "#2b323d", "ink": "#eceff4", "soft": "#a3adbc", "accent": "#6db3ff",
             "other": "#ffa04d"},
}  # fmt: skip
STYLE = """text{{font:14px system-ui,-apple-system,"Segoe UI",Roboto,"Liberation Sans",sans-serif;fill:{soft}}}
.title{{font-size:19px;font-weight:650;fill:{ink}}}.name{{font-size:16px;font-weight:650;fill:{ink}}}.ink{{fill:{ink}}}
.card{{fill:{card};stroke:{line}}}.area{{fill:{accent};fill-opacity:.22}}.curve{{fill:none;stroke:{accent};stroke-width:2.2}}
.true{{fill:none;stroke:{other};stroke-width:2;stroke-dasharray:6 4}}.interval{{stroke:{accent};stroke-width:4}}
.median{{fill:{accent};stroke:{card};stroke-width:1.5}}.grid{{stroke:{line}}}.mean{{stroke:{ink};stroke-dasharray:2 3}}
.middle{{text-anchor:middle}}.end{{text-anchor:end}}"""


def picture(at: Layout, samples: dict[str, list[float]], look: dict[str, str]) -> str:
    bases = [at.top + sum(at.steps[: i + 1]) - at.steps[0] + at.heights[0] for i in range(len(samples))]
    bottom, width = bases[-1] + 34, at.left + at.width + at.margin + (12 if at.names_above else 6)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {bottom + 52}">',
        f"<title>Predicted price distributions of three flats of {AREA} square metres</title>",
        f"<style>{STYLE.format(**look)}</style>",
        f'<rect class="card" x=".5" y=".5" width="{width - 1}" height="{bottom + 51}" rx="14"/>',
        f'<text class="title" x="{at.margin}" y="40">What will this flat cost?</text>',
        f'<text x="{at.margin}" y="62">{AREA} m², built in {BUILT}, in three districts</text>',
        legend(at.margin, 88, 20, "90% interval") if at.names_above else legend(at.left + 60, 36, 34, "median, 90% interval"),
    ]
    for price in range(200, int(HIGH) + 1, 100):
        parts.append(f'<path class="grid" d="M{at.place(price):.1f} {at.top - 12}V{bottom}"/>')
        parts.append(f'<text class="middle" x="{at.place(price):.1f}" y="{bottom + 20}">{price}</text>')
    parts.append(f'<text class="middle" x="{at.left + at.width / 2}" y="{bottom + 41}">price, in thousands</text>')
    for (name, values), base, height in zip(samples.items(), bases, at.heights):
        parts.append(ridge(at, name, values, base, height))
    parts.append(mean_note(at, samples["Harbour"], bases[-1], at.heights[-1]))
    return "\n".join([*parts, "</svg>", ""])


def legend(x: float, y: float, between: float, words: str) -> str:
    true, interval = x + 94 + between, x + 94 + between + 58 + between
    return f"""<rect class="area" x="{x}" y="{y - 11}" width="26" height="13"/><path class="curve" d="M{x} {y - 11}h26"/>
<text x="{x + 32}" y="{y}">predicted</text>
<path class="true" d="M{true} {y - 5}h28"/><text x="{true + 34}" y="{y}">true</text>
<path class="interval" d="M{interval} {y - 5}h36"/><circle class="median" cx="{interval + 18}" cy="{y - 5}" r="5"/>
<text x="{interval + 42}" y="{y}">{words}</text>"""


def main() -> None:
    (DOCS / "data").mkdir(exist_ok=True)
    for name, text in tables().items():
        (DOCS / "data" / name).write_text(text, encoding="utf-8")
    if len(sys.argv) > 1:
        samples = samples_of(sys.argv[1])
        for scheme, look in LOOKS.items():
            for name, at in ("flats", WIDE), ("flats-narrow", NARROW):
                (DOCS / f"{name}-{scheme}.svg").write_text(picture(at, samples, look), encoding="utf-8")


if __name__ == "__main__":
    main()
