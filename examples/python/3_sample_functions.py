# %% [markdown]
# # Sampling functions
#
# Fix the noise and vary x: the model becomes a function of x. Many such functions show the distribution, here where three
# curves cross.

# %%
import os
from pathlib import Path

import numpy as np
from matplotlib import pyplot
from mirrorball import MirrorballRegressor, laws, metrics, plot

PICTURES = Path(os.environ.get("MIRRORBALL_PICTURES", "pictures"))
PICTURES.mkdir(parents=True, exist_ok=True)

law = laws.crossing
X, y = law.data(3000, seed=1)

# %% [markdown]
# One small network, a smooth input, no calibration: closer to the paper's experiment than the default.

# %%
model = MirrorballRegressor(
    preset="paper",
    width=64,
    epochs=60,
    learning_rate=0.003,
    options={"draws": 32, "batch": 100, "schedule": "cosine", "input_transform": "standard", "prediction_noise": "even"},
    random_state=0,
).fit(X, y)

# %%
grid = np.linspace(*law.domain, 200)
curves = model.functions(grid[:, None], 12)

figure, axes = pyplot.subplots(1, 2, figsize=(12, 4.4), layout="constrained")
plot.functions(grid, curves, x_true=X[:1000], y_true=y[:1000], ax=axes[0])
plot.density(model.sample([[0.3]], 3000), truth=law.at(0.3), ax=axes[1])
axes[0].set_title("12 functions")
axes[1].set_title("x = 0.3")
figure.savefig(PICTURES / "functions.png", dpi=120)

# %% [markdown]
# A question about whole functions, which no list of quantiles can answer: how far does y travel between x = -1 and 1?

# %%
inner = np.linspace(-1, 1, 100)
many = model.functions(inner[:, None], 500)[:, :, 0]
travel = np.abs(np.diff(many, axis=0)).sum(axis=0)
low, middle, high = np.quantile(travel, [0.05, 0.5, 0.95])
print(
    f"total rise and fall of y over [-1, 1]: median {middle:.2f}, 90% of the functions between {low:.2f} and {high:.2f}"
)

# %% [markdown]
# Functions are the networks' own, without calibration: calibration works by rank, row by row, and would make them jump.
# For a single row use `sample` or `predict_dist`. Their distance to the true distribution:

# %%
places = law.positions(50)
found = metrics.distances(law, model.sample(places[:, None], 2000), x=places)
print(f"mean distance to the truth: Hellinger {found.hellinger:.3f}, Wasserstein {found.wasserstein:.3f}")

# %%
ax = plot.learning_curves(model)
ax.figure.savefig(PICTURES / "functions_learning.png", dpi=120)
