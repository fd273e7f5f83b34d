"""Quantiles become draws, and draws keep what the quantiles said."""

import numpy as np
import pytest
from scipy.stats import norm

from tables.quantiles import DRAWS, LEVELS_51, draws_from_quantiles, middles, pinball


def test_levels_are_the_middles_of_equal_cells():
    np.testing.assert_allclose(middles(4), [0.125, 0.375, 0.625, 0.875])


def test_draws_follow_the_quantiles():
    draws = draws_from_quantiles(norm.ppf(LEVELS_51)[None, :], LEVELS_51)
    assert draws.shape == (1, DRAWS)
    np.testing.assert_allclose(np.quantile(draws, [0.1, 0.5, 0.9]), norm.ppf([0.1, 0.5, 0.9]), atol=0.01)


def test_crossed_quantiles_are_sorted():
    crossed, sorted_ = (draws_from_quantiles(np.array([row]), middles(3)) for row in ([2.0, 1, 3], [1.0, 2, 3]))
    np.testing.assert_array_equal(crossed, sorted_)


def test_pinball_by_hand():
    assert pinball(np.array([1.0, 3.0]), np.array([2.0, 2.0]), 0.9) == pytest.approx((0.1 + 0.9) / 2)
