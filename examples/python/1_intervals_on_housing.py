# %% [markdown]
# # Intervals on housing
#
# What is a house worth, and how sure is that? A model that answers with a distribution, checked on rows it has not
# seen. Takes California housing from the folder that MIRRORBALL_DATA names (or ../shared/datasets); without it, a
# made-up table of houses with text and gaps.

# %%
import os
from pathlib import Path

import numpy as np
import pandas as pd
from matplotlib import pyplot
from mirrorball import MirrorballRegressor, metrics, plot
from sklearn.model_selection import train_test_split

PICTURES = Path(os.environ.get("MIRRORBALL_PICTURES", "pictures"))
PICTURES.mkdir(parents=True, exist_ok=True)


# %%
def made_up_houses(rows: int, seed: int = 0) -> pd.DataFrame:
    """Prices in $1000. The larger the house, the less sure its price; sea view pays only on some plots."""
    rng = np.random.default_rng(seed)
    area = rng.gamma(9, 14, rows)
    district = rng.choice(["centre", "harbour", "hills", "old town"], rows, p=[0.3, 0.2, 0.3, 0.2])
    built = rng.integers(1900, 2024, rows).astype(float)
    worth = pd.Series(district).map({"centre": 3.4, "harbour": 2.6, "hills": 3.0, "old town": 2.2}).to_numpy()
    view = (district == "harbour") & (rng.random(rows) < 0.4)
    price = area * worth * (1 + 0.002 * (built - 1960)) * np.exp(0.12 * rng.normal(size=rows)) * np.where(view, 1.6, 1)
    built[rng.random(rows) < 0.1] = np.nan  # nobody knows
    return pd.DataFrame({"area": area, "district": district, "built": built, "price": price})


folder = Path(os.environ.get("MIRRORBALL_DATA", "../shared/datasets"))
file = folder / "california.csv.gz"
if file.exists():
    houses, target = pd.read_csv(file).sample(4000, random_state=0), "MedHouseVal"
else:
    houses, target = made_up_houses(4000), "price"
train, test = train_test_split(houses, test_size=0.25, random_state=0)
print(f"{len(train):,} rows to learn from, {len(test):,} to check on; the target is {target}")

# %% [markdown]
# Two small networks are enough for a look; leave the options out for the best model.

# %%
model = MirrorballRegressor(members=2, width=64, random_state=0)
model.fit(train.drop(columns=target), train[target])
prediction = model.predict_dist(test.drop(columns=target))

low, high = prediction.interval(0.9)
first = pd.DataFrame(
    {"low": np.ravel(low), "median": np.ravel(prediction.quantile(0.5)), "high": np.ravel(high)}, test.index
)
print(first.assign(observed=test[target]).head().round(3).to_string())

# %% [markdown]
# Does the 90% interval hold 90% of the houses? Is the CRPS better than that of a forecast that knows no features?

# %%
y = test[target].to_numpy()
everyone = np.tile(np.quantile(train[target], (np.arange(500) + 0.5) / 500), (len(y), 1))
for name, draws in {"model": prediction, "no features": everyone}.items():
    print(
        f"{name:12} CRPS {metrics.crps(y, draws):8.4f}   90% interval covers {metrics.coverage(y, draws):.1%}, "
        f"mean width {metrics.interval_width(draws):8.3f}   QICE {metrics.qice(y, draws):.3f}"
    )

# %%
some = np.sort(np.random.default_rng(0).choice(len(y), 150, replace=False))
ax = plot.fan_chart(None, prediction.draws[some], y_true=y[some], ylabel=target)
ax.set_title("150 houses the model has not seen")
ax.figure.savefig(PICTURES / "housing_fan.png", dpi=120)

# %%
figure, axes = pyplot.subplots(1, 3, figsize=(14, 4.2), layout="constrained")
plot.pit_histogram(y, prediction, ax=axes[0])
plot.calibration_curve(y, prediction, ax=axes[1])
plot.width_against_coverage(y, {"model": prediction, "no features": everyone}, ax=axes[2])
figure.savefig(PICTURES / "housing_calibration.png", dpi=120)

# %% [markdown]
# Where is the model least sure? Sort by the width of the interval.

# %%
width = metrics.interval_width(prediction, 0.9, per_row=True)
widest = test.assign(width=width).nlargest(3, "width")
print("\nleast sure of:")
print(widest.round(3).to_string())
