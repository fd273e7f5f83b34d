# %% [markdown]
# # Two targets, jointly
#
# A point on an arc: each coordinate alone says little, the two together nearly everything. The true distribution is known, so that
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

# %% [markdown]
# One small network, a smooth input, no calibration: closer to the paper's experiment than the default.

# %%
model = MirrorballRegressor(
    preset="paper",
    width=64,
    epochs=60,
    learning_rate=0.003,
    options={"draws": 32, "batch": 100, "schedule": "cosine", "input_transform": "standard", "prediction_noise": "even"},
    target_transform="standard",
    random_state=0,
).fit(X, y)
at = np.array([[0.8]])
prediction = model.predict_dist(at, n_samples=3000)

# %% [markdown]
# Regions of both targets: any function of the samples that returns which lie inside.

# %%
truth = laws.arcs.sample(at, 100_000, seed=2)[0]
corner = prediction.probability(lambda y1, y2: (y1 > 0) & (y2 > 0))[0]
middle = prediction.probability(lambda y1, y2: y1**2 + y2**2 < 0.2**2)[0]
print(f"P(y1 > 0 and y2 > 0 | x = 0.8)    model {corner:.3f}, truth {(truth > 0).all(axis=1).mean():.3f}")
print(f"P(within 0.2 of the middle)       model {middle:.3f}, truth {(np.hypot(*truth.T) < 0.2).mean():.3f}")

# %% [markdown]
# What is lost when the targets are taken one by one? Shuffling the samples of one target keeps both marginals and breaks
# what joins them. The CRPS of each target stays as it is, and sees nothing; the energy score and, more clearly, the joint
# NLL rise.

# %%
x_new = np.random.default_rng(3).uniform(0.3, 1, 500)
y_new = laws.arcs.sample(x_new, 1, seed=3)[:, 0]
joint = model.sample(x_new[:, None], 300)
apart = joint.copy()
apart[:, :, 1] = np.random.default_rng(0).permuted(apart[:, :, 1], axis=1)
for name, forecast in {"jointly": joint, "one by one": apart}.items():
    crps, energy = metrics.crps(y_new, forecast), metrics.energy_score(y_new, forecast)
    print(
        f"{name:11} CRPS {crps:.4f}   joint NLL {metrics.nll(y_new, forecast, joint=True):.3f}   energy score {energy:.4f}"
    )

# %%
figure, axes = pyplot.subplots(1, 2, figsize=(11, 4.8), layout="constrained", sharex=True, sharey=True)
shuffled = np.random.default_rng(0).permuted(prediction.samples, axis=1)
plot.joint(prediction, truth=laws.arcs.at(0.8), ax=axes[0]).get_legend().remove()
plot.joint(shuffled, truth=laws.arcs.at(0.8), ax=axes[1]).legend(loc="upper left", bbox_to_anchor=(1, 1), frameon=False)
axes[0].set_title("learned jointly")
axes[1].set_title("the same, targets one by one")
figure.savefig(PICTURES / "two_targets.png", dpi=120)

# %% [markdown]
# How far is the model from the truth along x? Even samples from the true distribution are not at distance 0.

# %%
places = np.linspace(0.2, 1, 5)
model_at, law_at = model.sample(places[:, None], 3000), laws.arcs.sample(places, 3000, seed=4)
found, least = (metrics.distances(laws.arcs, samples, x=places, per_row=True) for samples in (model_at, law_at))
for k, x in enumerate(places):
    print(f"x = {x:.1f}   Hellinger {found.hellinger[k]:.3f} (exact samples {least.hellinger[k]:.3f})")
