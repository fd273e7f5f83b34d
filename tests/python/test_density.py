"""The density that is drawn: the rule of C++ and the pages, and the limits it needs."""

from __future__ import annotations

import json
import pickle
from pathlib import Path

import numpy as np
import pytest

from mirrorball import Distribution, MirrorballRegressor

CASES = json.loads((Path(__file__).parents[1] / "predictive" / "density_cases.json").read_text())


@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
def test_is_that_of_the_rule(case):
    low, high = case["domain"]
    found = Distribution([case["samples"]], limits=[case["limits"]]).density(low=low, high=high, points=case["points"])
    assert found.bars == case["bars"]
    assert [list(spike) for spike in found.spikes] == case["spikes"]
    assert found.bandwidth == pytest.approx(case["bandwidth"], rel=1e-12)
    assert found.spike_width == pytest.approx(case["spike_width"], rel=1e-12)
    assert [*found.x[:1], *found.x[-1:]] == case["x"]
    np.testing.assert_allclose(found.y, case["y"], atol=1e-6 * max(case["y"], default=1))


def area(found, below=np.inf):
    return np.trapezoid(np.where(found.x < below, found.y, 0), found.x) if len(found.x) else 0.0


def case_of(name, limited=True):
    [case] = [one for one in CASES if one["name"] == name]
    return Distribution([case["samples"]], limits=[case["limits"]] if limited else None)


def test_no_area_below_zero_kelvin():
    free = case_of("0 kelvin", limited=False).density(points=2000)
    assert area(free, below=0) == pytest.approx(0.09, abs=0.005)
    found = case_of("0 kelvin").density(points=2000)
    assert found.x[0] == found.limits[0] == 0.00021
    assert area(found) == pytest.approx(1, abs=0.005)


def test_a_cap_is_a_spike():
    found = case_of("24% at the cap").density(points=2000)
    assert [tuple(spike) for spike in found.spikes] == [(5.00001, 0.24)]
    assert found.x[-1] == 5.00001 and area(found) == pytest.approx(0.76, abs=0.005)


def test_a_model_gives_its_limits(fitted, data):
    X, y = data
    dist = fitted.predict_dist(X[:5])
    assert dist.limits == [pytest.approx((y.min(), y.max()), rel=1e-6)]
    assert fitted._predict(fitted._known_table(X), 0, 5, 10, 0, True).limits == dist.limits
    free = MirrorballRegressor(networks=1, epochs=2, width=8, target_transform="standard", n_jobs=1).fit(X, y)
    assert free.predict_dist(X[:5]).limits == [(-np.inf, np.inf)]


def test_limits_stay_with_the_samples():
    samples = np.arange(24.0).reshape(3, 4, 2)
    dist = Distribution(samples, ["a", "b"], limits=[(0, None), (None, 30)])
    assert dist.limits == [(0, np.inf), (-np.inf, 30)]
    assert dist[1:].limits == pickle.loads(pickle.dumps(dist)).limits == dist.limits
    assert dist.marginal("b").limits == [(-np.inf, 30)]
    assert dist.density(target="b", row=-1).limits == (-np.inf, 30)
    with pytest.raises(ValueError, match="limits 3 to 2 are not in order"):
        Distribution(samples[:, :, :1], limits=[(3, 2)])
    with pytest.raises(ValueError, match=r"limits have shape \(1, 2\); expected \(2, 2\)"):
        Distribution(samples, limits=[(0, 1)])
    with pytest.raises(ValueError, match="row 3 does not exist: the forecast has 3 rows"):
        dist.density(3)
    with pytest.raises(ValueError, match="target 2 does not exist: the forecast has 2 targets"):
        dist.density(target=2)
