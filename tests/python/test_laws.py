"""mirrorball.laws: densities that integrate to 1, samples that follow them, data as the program makes it."""

import numpy as np
import pytest
from mirrorball import laws


@pytest.mark.parametrize("name", ["unimodal", "crossing", "squares"])
def test_density_cdf_and_samples_agree_on_the_line(name):
    law = laws.get(name)
    for x in law.positions(9)[::3]:
        grid = np.linspace(-3, 5, 80_001)
        pdf, cdf = law.density(x, grid), law.cdf(x, grid)
        width = grid[1] - grid[0]
        np.testing.assert_allclose(np.cumsum(pdf) * width, cdf, atol=2e-4)
        draws = law.sample(x, 20_000, seed=3)[0, :, 0]
        at = np.quantile(draws, [0.1, 0.5, 0.9])
        np.testing.assert_allclose(law.cdf(x, at), [0.1, 0.5, 0.9], atol=0.015)


def test_arcs_have_two_targets():
    side = np.linspace(-1.3, 1.3, 261)
    plane = np.stack(np.meshgrid(side, side), axis=-1)
    pdf = laws.arcs.density(0.8, plane)
    assert pdf.shape == (261, 261)
    assert pdf.sum() * (side[1] - side[0]) ** 2 == pytest.approx(1, abs=1e-4)
    draws = laws.arcs.sample([0.8, 0.1], 20_000, seed=1)
    assert draws.shape == (2, 20_000, 2)
    below = (draws[0] <= [0.2, 0.1]).all(axis=1).mean()
    assert laws.arcs.cdf(0.8, [0.2, 0.1]) == pytest.approx(below, abs=0.015)


def test_crossing_is_the_formula():
    x, y = 0.7, np.array([-0.5, 0.1, 0.9])
    branches = np.array([x, np.cos(x), -np.cos(x)])
    expected = np.exp(-0.5 * ((y[:, None] - branches) / 0.15) ** 2).mean(axis=1) / (0.15 * np.sqrt(2 * np.pi))
    np.testing.assert_allclose(laws.crossing.density(x, y), expected, rtol=1e-12)


def test_seeds_names_and_shapes():
    assert laws.names() == ["unimodal", "crossing", "squares", "arcs"]
    X, y = laws.arcs.data(50, seed=2)
    assert (X.shape, y.shape) == ((50, 1), (50, 2))
    X, y = laws.unimodal.data()
    assert (X.shape, y.shape) == ((200, 1), (200,))
    np.testing.assert_array_equal(y, laws.unimodal.data(seed=0)[1])
    assert (laws.crossing.sample(0.1, 5, seed=1) == laws.crossing.sample(0.1, 5, seed=1)).all()
    two = laws.crossing.sample([0.1, 0.1], 5, seed=1)
    assert (two[0] != two[1]).any()
    assert isinstance(laws.crossing.density(0.1, 0.2), float)
    assert laws.crossing.density([[0.1], [0.2]], [0.3, 0.4, 0.5]).shape == (2, 3)
    frozen = laws.crossing.at(0.1)
    assert frozen.pdf(0.2) == laws.crossing.density(0.1, 0.2)
    assert frozen.sample(7).shape == (7, 1)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: laws.get("crosing"), "did you mean 'crossing'"),
        (lambda: laws.squares.density(0.7, 1.0), "x = 0.7 is outside"),
        (lambda: laws.arcs.density(0.5, [1.0, 2.0, 3.0]), "2 targets"),
        (lambda: laws.unimodal.sample(3.0, 5), "x = 3 is outside"),
        (lambda: laws.unimodal.data(0), "0 rows"),
    ],
)
def test_refusals(call, words):
    with pytest.raises(ValueError, match=words):
        call()
