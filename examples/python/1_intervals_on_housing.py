# %% [markdown]
# # Intervals on housing
#
# What is a house worth, and how certain is that? A model that predicts a distribution, checked on held-out rows. Uses
# California housing from the folder that MIRRORBALL_DATA names (or ../shared/datasets); without it, a simulated table
# of houses with text and missing values. A pandas or polars frame would do as well as these arrays.

# %%
import os
from pathlib import Path

import numpy as np
from matplotlib import pyplot
from mirrorball import MirrorballRegressor, metrics, plot
from sklearn.model_selection import train_test_split

PICTURES = Path(os.environ.get("MIRRORBALL_PICTURES", "pictures"))
PICTURES.mkdir(parents=True, exist_ok=True)


# %%
def simulated_houses(rows: int, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Prices in $1000. The larger the house, the less certain its price; sea view pays only on some plots."""
    rng = np.random.default_rng(seed)
    area = rng.gamma(9, 14, rows)
    worth = {"centre": 3.4, "harbour": 2.6, "hills": 3.0, "old town": 2.2}
    district = rng.choice(list(worth), rows, p=[0.3, 0.2, 0.3, 0.2])
    built = rng.integers(1900, 2024, rows).astype(float)
    view = (district == "harbour") & (rng.random(rows) < 0.4)
    price = area * np.array([worth[name] for name in district]) * (1 + 0.002 * (built - 1960))
    price *= np.exp(0.12 * rng.normal(size=rows)) * np.where(view, 1.6, 1)
    built[rng.random(rows) < 0.1] = np.nan  # missing
    return np.column_stack([area.astype(object), district, built]), price


def california(file: Path, rows: int) -> tuple[np.ndarray, np.ndarray]:
    table = np.genfromtxt(file, delimiter=",", skip_header=1)
    some = np.random.default_rng(0).choice(len(table), rows, replace=False)
    return table[some, :-1], table[some, -1]


folder = Path(os.environ.get("MIRRORBALL_DATA", "../shared/datasets"))
file = folder / "california.csv.gz"
if file.exists():
    features, prices = california(file, 4000)
    target = "MedHouseVal"
else:
    features, prices = simulated_houses(4000)
    target = "price"
X_train, X_test, y_train, y_test = train_test_split(features, prices, test_size=0.25, random_state=0)
print(f"{len(X_train):,} training rows, {len(X_test):,} test rows; the target is {target}")

# %% [markdown]
# Two small networks are enough for a look; use the defaults for the best model. After the fit, `fit_report_` shows its
# error on rows that were held out.

# %%
model = MirrorballRegressor(networks=2, width=64, random_state=0).fit(X_train, y_train)
print(model.fit_report_)
prediction = model.predict_dist(X_test)

low, high = prediction.interval(0.9)
print("\n   low  median    high  observed")
for row in range(5):
    print(f"{low[row]:6.2f}  {prediction.median()[row]:6.2f}  {high[row]:6.2f}    {y_test[row]:6.2f}")

# %% [markdown]
# Does the 90% interval contain 90% of the houses? Is the CRPS lower than that of a forecast without features?

# %%
everyone = np.tile(np.quantile(y_train, (np.arange(500) + 0.5) / 500), (len(y_test), 1))
for name, samples in {"model": prediction, "no features": everyone}.items():
    print(
        f"{name:12} CRPS {metrics.crps(y_test, samples):8.4f}   90% interval covers"
        f" {metrics.coverage(y_test, samples):.1%}, mean width {metrics.interval_width(samples):8.3f}"
        f"   QICE {metrics.qice(y_test, samples):.3f}"
    )

# %%
some = np.sort(np.random.default_rng(0).choice(len(y_test), 150, replace=False))
ax = plot.fan_chart(None, prediction[some], y_true=y_test[some], ylabel=target)
ax.set_title("150 houses of the test rows")
ax.figure.savefig(PICTURES / "housing_fan.png", dpi=120)

# %%
figure, axes = pyplot.subplots(1, 3, figsize=(14, 4.2), layout="constrained")
plot.pit_histogram(y_test, prediction, ax=axes[0])
plot.calibration_curve(y_test, prediction, ax=axes[1])
plot.width_against_coverage(y_test, {"model": prediction, "no features": everyone}, ax=axes[2])
figure.savefig(PICTURES / "housing_calibration.png", dpi=120)

# %% [markdown]
# Which predictions are the least certain? Sort by the width of the interval.

# %%
width = metrics.interval_width(prediction, 0.9, per_row=True)
print("\nwidest intervals:")
for row in np.argsort(-width)[:3]:
    print(f"width {width[row]:.2f}, observed {y_test[row]:.2f}: {', '.join(str(value) for value in X_test[row])}")
