"""The pictures: the right numbers are drawn, where they were asked for."""

import subprocess
import sys

import numpy as np
import pytest

matplotlib = pytest.importorskip("matplotlib")
matplotlib.use("Agg")

from matplotlib import pyplot
from mirrorball import laws, metrics, plot
from mirrorball.distribution import Distribution
from scipy.stats import binom, gaussian_kde, norm

ROWS, SAMPLES = 80, 101


@pytest.fixture(autouse=True)
def close_figures():
    yield
    pyplot.close("all")


@pytest.fixture
def forecast():
    rng = np.random.default_rng(5)
    centre = np.linspace(10_000, 50_000, ROWS)
    draws = Distribution((centre[:, None] + rng.normal(0, 4000, (ROWS, SAMPLES)))[:, :, None], ["price"])
    return centre + rng.normal(0, 4000, ROWS), draws


def line(ax, label):
    found = [one for one in ax.get_lines() if one.get_label() == label]
    assert len(found) == 1, [one.get_label() for one in ax.get_lines()]
    return found[0].get_xydata()


def legend(ax):
    return [text.get_text() for text in ax.get_legend().get_texts()]


def ticks(axis):
    axis.figure.canvas.draw()
    return [label.get_text() for label in axis.get_ticklabels()]


def test_importing_pictures_does_not_import_matplotlib():
    code = "import sys, mirrorball.plot; sys.exit('matplotlib' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_without_matplotlib_the_error_says_what_to_install(monkeypatch, forecast):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    monkeypatch.setitem(sys.modules, "matplotlib.pyplot", None)
    with pytest.raises(ImportError, match=r"mirrorball\[plot\]"):
        plot.fan_chart(None, forecast[1])


class TestFanChart:
    def test_bands_median_and_dots(self, forecast):
        y, draws = forecast
        x = np.random.default_rng(6).permutation(ROWS).astype(float)
        ax = plot.fan_chart(x, draws, y_true=y, levels=(0.5, 0.9), xlabel="size")
        order = np.argsort(x)
        np.testing.assert_array_equal(line(ax, "median")[:, 0], x[order])
        np.testing.assert_allclose(line(ax, "median")[:, 1], np.median(draws.draws[order, :, 0], axis=1))
        np.testing.assert_array_equal(line(ax, "observed")[:, 1], y[order])
        outer, inner = ax.collections
        for band, level in ((outer, 0.9), (inner, 0.5)):
            low, high = np.quantile(draws.draws[:, :, 0], [(1 - level) / 2, (1 + level) / 2], axis=1)
            corners = band.get_paths()[0].vertices[:, 1]
            assert corners.min() == pytest.approx(low.min())
            assert corners.max() == pytest.approx(high.max())
        assert legend(ax) == ["90%", "50%", "median", "observed"]
        assert (ax.get_xlabel(), ax.get_ylabel()) == ("size", "price")
        assert "40,000" in ticks(ax.yaxis)

    def test_rows_in_the_order_of_their_medians(self, forecast):
        ax = plot.fan_chart(None, forecast[1])
        assert (np.diff(line(ax, "median")[:, 1]) >= 0).all()

    def test_names_dates_and_targets(self):
        pandas = pytest.importorskip("pandas")
        draws = Distribution(np.random.default_rng(0).normal(size=(4, 30, 2)), ["east", "north"])
        days = pandas.Series(pandas.date_range("2026-01-01", periods=4), name="day")
        ax = plot.fan_chart(days, draws, target="north", y_true=np.ones((4, 2)))
        assert (ax.get_xlabel(), ax.get_ylabel()) == ("day", "north")
        np.testing.assert_allclose(line(ax, "median")[:, 1], np.median(draws.draws[:, :, 1], axis=1))
        with pytest.raises(ValueError, match="'west'.*east, north"):
            plot.fan_chart(days, draws, target="west")
        with pytest.raises(ValueError, match="target 2 asked.*2 targets"):
            plot.fan_chart(days, draws, target=2)
        with pytest.raises(ValueError, match="x has 3 values.*4 rows"):
            plot.fan_chart([1, 2, 3], draws)


class TestDensity:
    def test_kernel_estimate_is_scipys(self, forecast):
        _, draws = forecast
        ax = plot.density(draws, row=3, y_true=12_000)
        x, pdf = line(ax, "kernel estimate").T
        np.testing.assert_allclose(pdf, gaussian_kde(draws.draws[3, :, 0])(x), rtol=1e-6)
        assert sum(bar.get_height() * bar.get_width() for bar in ax.patches) == pytest.approx(1)
        assert line(ax, "observed")[0, 0] == 12_000
        assert legend(ax)[0] == "101 draws"

    @pytest.mark.parametrize("truth", [laws.crossing.at(0.3), norm(0, 1), lambda y: np.exp(-np.abs(y)) / 2])
    def test_truth(self, truth):
        ax = plot.density(laws.crossing.sample(0.3, 300), truth=truth)
        x, pdf = line(ax, "true law").T
        np.testing.assert_allclose(pdf, getattr(truth, "pdf", truth)(x))
        assert "kernel estimate" not in legend(ax)

    def test_draws_without_spread(self):
        assert legend(plot.density(np.full((1, 50), 7.0))) == ["50 draws"]

    def test_row_out_of_range(self, forecast):
        with pytest.raises(ValueError, match="row 80 asked.*80 rows"):
            plot.density(forecast[1], row=80)


class TestJoint:
    def test_contours_hold_their_share(self):
        draws = np.random.default_rng(1).multivariate_normal([0, 5], [[1, 0.8], [0.8, 1]], 4000)[None]
        ax = plot.joint(draws, levels=(0.5, 0.9), y_true=[1.0, 6.0])
        for contour, level in zip((c for c in ax.collections), (0.9, 0.5)):
            inside = np.zeros(4000, dtype=bool)
            for path in contour.get_paths():
                inside |= path.contains_points(draws[0])
            assert inside.mean() == pytest.approx(level, abs=0.02)
        assert legend(ax) == ["500 draws", "90% region", "50% region", "observed"]
        np.testing.assert_array_equal(line(ax, "observed"), [[1, 6]])
        assert (ax.get_xlabel(), ax.get_ylabel()) == ("y1", "y2")

    def test_truth(self):
        ax = plot.joint(laws.arcs.sample(0.8, 400), truth=laws.arcs.at(0.8))
        assert "true 90% region" in legend(ax)
        assert len(ax.collections) == 4


class TestPitHistogram:
    def test_bars_and_band(self, forecast):
        y, draws = forecast
        ax = plot.pit_histogram(y, draws, bins=5)
        heights = [bar.get_height() for bar in ax.patches[:5]]
        np.testing.assert_allclose(heights, np.histogram(metrics.pit(y, draws), 5, (0, 1))[0] / ROWS)
        band = ax.patches[5].get_extents().transformed(ax.transData.inverted())
        np.testing.assert_allclose([band.y0, band.y1], binom.ppf([0.025, 0.975], ROWS, 0.2) / ROWS)
        assert "20%" in ticks(ax.yaxis)

    def test_wrong_rows(self, forecast):
        with pytest.raises(ValueError, match=r"shape \(79,\).*80 rows"):
            plot.pit_histogram(forecast[0][1:], forecast[1])


class TestCalibrationCurve:
    def test_shares_and_area(self, forecast):
        y, draws = forecast
        ax = plot.calibration_curve(
            y, {"ours": draws, "narrow": draws.draws.mean(axis=1, keepdims=True) + 0 * draws.draws}
        )
        words = next(text for text in legend(ax) if text.startswith("ours"))
        level, share = line(ax, words)[1:-1].T
        expected = (y[:, None] <= np.quantile(draws.draws[:, :, 0], level, axis=1).T).mean(axis=0)
        np.testing.assert_allclose(share, expected)
        assert float(words.split()[-1]) == pytest.approx(np.abs(expected - level).mean(), abs=0.003)
        assert legend(ax)[0] == "95% band of a calibrated model"

    def test_band_holds_calibrated_models(self):
        rng = np.random.default_rng(8)
        outside = 0
        for _ in range(40):
            ax = plot.calibration_curve(rng.normal(size=200), rng.normal(size=(200, 400)))
            at_half = dict(line(ax, legend(ax)[1]))[0.5]
            low, high = binom.ppf([0.025, 0.975], 200, 0.5) / 200
            corners = ax.collections[0].get_paths()[0].vertices
            at = corners[np.isclose(corners[:, 0], 0.5), 1]
            assert (at.min(), at.max()) == pytest.approx((low, high))
            outside += not low <= at_half <= high
            pyplot.close(ax.figure)
        assert outside <= 8  # 2 are expected


class TestWidthAgainstCoverage:
    def test_numbers(self, forecast):
        y, draws = forecast
        ax = plot.width_against_coverage(y, {"a": draws, "b": draws.draws * 1.1}, levels=[0.2, 0.6])
        expected = [(metrics.coverage(y, draws, p), metrics.interval_width(draws, p)) for p in (0.2, 0.6)]
        np.testing.assert_allclose(line(ax, "a"), expected)
        assert legend(ax) == ["a", "b"]
        assert "price" not in ax.get_xlabel()
        assert [text.get_text() for text in ax.texts] == ["50%", "90%", "50%", "90%"]


class TestFunctions:
    def test_one_line_a_function(self):
        x, curves = np.array([2.0, 0.0, 1.0]), np.arange(12.0).reshape(3, 4)
        ax = plot.functions(x, curves, x_true=[0.5], y_true=[3.0])
        assert len(ax.get_lines()) == 5
        np.testing.assert_array_equal(line(ax, "sample functions"), [[0, 4], [1, 8], [2, 0]])
        np.testing.assert_array_equal(line(ax, "observed"), [[0.5, 3]])
        with pytest.raises(ValueError, match="x has 2 values.*3 rows"):
            plot.functions([1, 2], curves)
        with pytest.raises(ValueError, match="without x_true"):
            plot.functions(x, curves, y_true=[1.0])


HISTORY = [
    {"train": [3.0, 2.0, 1.0], "valid": [3.0, 1.5, 2.0], "best_epoch": 2, "stopped": False},
    {"train": [3.0, 2.0], "valid": [3.1, 2.5], "best_epoch": 2, "stopped": True},
]


class TestLearningCurves:
    def test_lines_and_rings(self):
        ax = plot.learning_curves(HISTORY)
        np.testing.assert_array_equal(line(ax, "training"), [[1, 3], [2, 2], [3, 1]])
        np.testing.assert_array_equal(line(ax, "validation"), [[1, 3], [2, 1.5], [3, 2]])
        rings = [one.get_xydata() for one in ax.get_lines() if one.get_marker() == "o" and len(one.get_xydata())]
        np.testing.assert_array_equal(rings[0], [[2, 1.5], [2, 2.5]])
        assert legend(ax) == ["training", "validation", "epoch kept"]

    def test_models_side_by_side(self):
        ax = plot.learning_curves({"a": HISTORY[:1], "b": HISTORY[1:]})
        assert legend(ax) == ["a", "b", "epoch kept"]
        with pytest.raises(ValueError, match="0 networks"):
            plot.learning_curves([])


@pytest.mark.parametrize(
    "draw",
    [
        lambda y, d, ax: plot.fan_chart(None, d, ax=ax),
        lambda y, d, ax: plot.density(d, ax=ax),
        lambda y, d, ax: plot.joint(np.concatenate([d.draws, d.draws**2], axis=2), ax=ax),
        lambda y, d, ax: plot.pit_histogram(y, d, ax=ax),
        lambda y, d, ax: plot.calibration_curve(y, d, ax=ax),
        lambda y, d, ax: plot.width_against_coverage(y, d, ax=ax),
        lambda y, d, ax: plot.functions(range(ROWS), d, ax=ax),
        lambda y, d, ax: plot.learning_curves(HISTORY, ax=ax),
    ],
)
def test_draws_where_it_is_told_to(draw, forecast):
    figure, axes = pyplot.subplots(1, 2)
    assert draw(*forecast, axes[1]) is axes[1]
    assert not axes[0].has_data()
    assert axes[1].has_data()
    assert pyplot.get_fignums() == [figure.number]
    assert axes[1].get_xlabel() and axes[1].get_ylabel()
