"""What a model says about its columns."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from mirrorball import MirrorballRegressor


@pytest.fixture(scope="module")
def model():
    random = np.random.default_rng(0)
    rows = 300
    X = pd.DataFrame(
        {
            "size": random.exponential(size=rows),
            "colour": random.choice(["red", "green", "green", "green"], size=rows),
            "day": pd.Timestamp("2020-01-01") + pd.to_timedelta(np.arange(rows), unit="D"),
        }
    )
    X.loc[3, "size"] = np.nan
    short = {"min_steps": 50, "gaussian_process": 0}
    settings = dict(networks=1, width=8, options=short, calibrate="scale", target_transform="standard")
    return MirrorballRegressor(**settings).fit(X, pd.Series(X["size"].fillna(1) + 5, name="price"))


def test_features(model):
    size, colour, day = model.model_.schema.features
    assert [column.name for column in (size, colour, day)] == ["size", "colour", "day"]
    assert [column.kind for column in (size, colour, day)] == ["number", "category", "number"]
    assert (size.missing, colour.missing) == (True, False)
    assert (size.transform, colour.transform) == ("rankit", None)
    assert (day.dates, size.dates) == (True, False)
    assert colour.categories == ["green", "red"] and size.categories == []
    assert size.training_quantile(0.5) == pytest.approx(size.median)
    assert model.categories_ == {"colour": ["green", "red"]}


@pytest.mark.parametrize("transform", ["smooth", "even", "rankit", "quantile", "none"])
def test_transforms_have_their_words(transform):
    x = np.random.default_rng(1).normal(size=(60, 2))
    short = {"min_steps": 0, "gaussian_process": 0, "forest": 4, "input_transform": transform}
    model = MirrorballRegressor(networks=1, width=8, epochs=1, options=short, target_transform=transform).fit(x, x[:, 0])
    schema = model.model_.schema
    assert [column.transform for column in (*schema.features, *schema.targets)] == [transform] * 3


def test_target_and_calibration(model):
    (price,) = model.model_.schema.targets
    assert (price.name, price.kind, price.transform) == ("price", "number", "standard")
    assert price.median > 5
    (calibration,) = model.model_.calibration
    assert calibration.spread > 0 and 0 <= calibration.forest_weight <= 1
    assert (calibration.tail_weight, calibration.interval) == (0, 1)  # scale leaves tails and interval alone
