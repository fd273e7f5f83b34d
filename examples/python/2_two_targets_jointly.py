# %% [markdown]
# # Two targets, jointly
#
# A point on an arc: each coordinate alone says little, the two together nearly everything. The law is known, so that
# what the model learned can be compared with the truth.

# %%
import os
from pathlib import Path

import numpy as np
from matplotlib import pyplot

from mirrorball import MirrorballRegressor, laws, metrics, plot

PICTURES = Path(os.environ.get("MIRRORBALL_PICTURES", "pictures"))
PICTURES.mkdir(parents=True, exist_ok=True)

X, y = laws.arcs.data(3000, seed=1)
print(f"x: {X.shape[1]} feature; y: {y.shape[1]} targets; {len(X):,} rows")

# %%
model = MirrorballRegressor(members=1, width=64, epochs=60, random_state=0).fit(X, y)

at = np.array([[0.8]])

# %% [markdown]
# Regions of both targets: any function of joint draws that says which lie inside.

# %%
draws = model.sample(at, 3000)
truth = laws.arcs.sample(at, 100_000, seed=2)


def upper_right(joint):
    return (joint[..., 0] > 0) & (joint[..., 1] > 0)


print(f"P(y1 > 0 and y2 > 0 | x = 0.8): model {upper_right(draws).mean():.3f}, truth {upper_right(truth).mean():.3f}")

# %% [markdown]
# What is lost when the targets are taken one by one? Shuffling the draws of one target keeps both marginals and breaks
# what joins them: the CRPS of each target stays as it is, the energy score rises.

# %%
x_new = np.random.default_rng(3).uniform(0.3, 1, 500)
y_new = laws.arcs.sample(x_new, 1, seed=3)[:, 0]
joint = model.sample(x_new[:, None], 300)
apart = joint.copy()
apart[:, :, 1] = np.random.default_rng(0).permuted(apart[:, :, 1], axis=1)
for name, forecast in {"jointly": joint, "one by one": apart}.items():
    print(f"{name:11} CRPS {metrics.crps(y_new, forecast):.4f}   energy score {metrics.energy_score(y_new, forecast):.4f}")

# %%
figure, axes = pyplot.subplots(1, 2, figsize=(11, 4.8), layout="constrained", sharex=True, sharey=True)
plot.joint(draws, truth=laws.arcs.at(0.8), ax=axes[0])
plot.joint(np.random.default_rng(0).permuted(draws, axis=1), truth=laws.arcs.at(0.8), ax=axes[1])
axes[0].set_title("learned jointly")
axes[1].set_title("the same, targets one by one")
figure.savefig(PICTURES / "two_targets.png", dpi=120)

# %% [markdown]
# How far is the model from the truth along x?

# %%
places = np.linspace(0.2, 1, 5)
found = metrics.distances(laws.arcs, model.sample(places[:, None], 3000), x=places, per_row=True)
for x, hellinger, wasserstein in zip(places, found.hellinger, found.wasserstein):
    print(f"x = {x:.1f}   Hellinger {hellinger:.3f}   Wasserstein {wasserstein:.3f}")
