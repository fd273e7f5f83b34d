# %% [markdown]
# # Sampling functions
#
# Fix the noise and let x run: the model becomes a function of x. Many such functions show what the model believes could
# be going on, here where three curves cross.

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
model = MirrorballRegressor(members=1, width=64, epochs=60, random_state=0).fit(X, y)

# %%
grid = np.linspace(*law.domain, 200)
curves = model.functions(grid[:, None], 12)

figure, axes = pyplot.subplots(1, 2, figsize=(12, 4.4), layout="constrained")
plot.functions(grid, curves, x_true=X[::3], y_true=y[::3], ax=axes[0])
plot.density(model.sample([[0.3]], 3000), truth=law.at(0.3), ax=axes[1])
axes[0].set_title("12 functions")
axes[1].set_title("x = 0.3")
figure.savefig(PICTURES / "functions.png", dpi=120)

# %% [markdown]
# A question about whole functions that no list of quantiles can answer: where does y cross 0 on its way, and how often?

# %%
many = np.asarray(model.functions(grid[:, None], 500)).reshape(len(grid), -1)
crossings = (np.diff(np.sign(many), axis=0) != 0).sum(axis=0)
for count in range(3):
    print(f"{(crossings == count).mean():6.1%} of the functions cross 0 {count} times")

# %% [markdown]
# Functions are the networks' own, without calibration: calibration works by rank, row by row, and would make them jump.
# For questions about one row, ask `sample` or `predict_dist`. Here is how far those are from the truth.

# %%
places = law.positions(50)
found = metrics.distances(law, model.sample(places[:, None], 2000), x=places)
print(f"mean distance to the truth: Hellinger {found.hellinger:.3f}, Wasserstein {found.wasserstein:.3f}")

# %%
ax = plot.learning_curves(model)
ax.figure.savefig(PICTURES / "functions_learning.png", dpi=120)
