"""The pictures: the right numbers are drawn, where they were asked for."""

import dataclasses
import re
import runpy
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

matplotlib = pytest.importorskip("matplotlib")
matplotlib.use("Agg")

from matplotlib import pyplot
from matplotlib.colors import to_rgba
from mirrorball import Distribution, Explanation, MirrorballRegressor, laws, metrics, plot
from mirrorball._palette import DARK, LIGHT
from scipy.stats import binom, norm

ROOT = Path(__file__).parents[2]

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
    with pytest.raises(ImportError, match=r"mirrorball-ml\[plot\]"):
        plot.fan_chart(None, forecast[1])


class TestFanChart:
    def test_bands_median_and_dots(self, forecast):
        y, draws = forecast
        x = np.random.default_rng(6).permutation(ROWS).astype(float)
        ax = plot.fan_chart(x, draws, y_true=y, xlabel="size")
        order = np.argsort(x)
        np.testing.assert_array_equal(line(ax, "median")[:, 0], x[order])
        np.testing.assert_allclose(line(ax, "median")[:, 1], np.median(draws.samples[order, :, 0], axis=1))
        np.testing.assert_array_equal(line(ax, "outcomes")[:, 1], y[order])
        outer, inner = ax.collections
        for band, level in ((outer, 0.9), (inner, 0.5)):
            low, high = np.quantile(draws.samples[:, :, 0], [(1 - level) / 2, (1 + level) / 2], axis=1)
            corners = band.get_paths()[0].vertices[:, 1]
            assert corners.min() == pytest.approx(low.min())
            assert corners.max() == pytest.approx(high.max())
        assert legend(ax) == ["90% interval", "50% interval", "median", "outcomes"]
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
        np.testing.assert_allclose(line(ax, "median")[:, 1], np.median(draws.samples[:, :, 1], axis=1))
        with pytest.raises(ValueError, match="'west'.*east, north"):
            plot.fan_chart(days, draws, target="west")
        with pytest.raises(ValueError, match="target 2 does not exist: .*2 targets"):
            plot.fan_chart(days, draws, target=2)
        with pytest.raises(ValueError, match="x has 3 values.*4 rows"):
            plot.fan_chart([1, 2, 3], draws)


class TestRealX:
    """Thousands of rows, ties, uneven steps."""

    @pytest.fixture
    def fares(self):
        random = np.random.default_rng(4)
        distance = random.lognormal(1, 0.8, 1200).round(1)
        return distance, 3 + 2.5 * distance[:, None] * random.lognormal(0, 0.3, (1200, 50))

    def test_rows_are_put_together(self, fares):
        distance, samples = fares
        ax = plot.fan_chart(distance, samples, y_true=samples[:, 0])
        x, median = line(ax, "median").T
        assert 10 < len(x) < 50 and (np.diff(x) > 0)[1:-1].all()
        assert np.abs(np.diff(median)).sum() < 2 * np.ptp(median)  # no spikes
        assert "1,200 rows in" in ax.get_xlabel()
        inner = distance[(distance > x[5]) & (distance < x[7])]
        assert np.median(3 + 2.5 * inner) == pytest.approx(median[6], rel=0.2)
        assert len(line(plot.fan_chart(distance, samples, bins=6), "median")) <= 8
        assert len(line(plot.fan_chart(distance, samples, bins=0), "median")) == 1200
        with pytest.raises(ValueError, match="bins is -1"):
            plot.fan_chart(distance, samples, bins=-1)

    def test_groups_hold_the_quantiles_of_all_their_samples(self):
        x = np.repeat([1.0, 2.0, 3.0], 30)
        samples = np.random.default_rng(0).normal(10 * x[:, None], 1, (90, 40))
        ax = plot.fan_chart(x, samples, bins=3)
        assert line(ax, "median")[:, 0].tolist() == [1, 2, 3]  # none reaches where its rows do not
        np.testing.assert_allclose(line(ax, "median")[:, 1], np.median(samples.reshape(3, -1), axis=1))

    def test_series_and_smooth_grids_are_left_alone(self):
        hours = np.arange(500.0)
        wave = np.sin(hours / 4)[:, None] + np.random.default_rng(0).normal(0, 0.1, (500, 30))
        assert len(line(plot.fan_chart(hours, wave), "median")) == 500
        uneven = np.sort(np.random.default_rng(1).uniform(0, 1, 300))
        assert len(line(plot.fan_chart(uneven, uneven[:, None] + np.linspace(-1, 1, 9)), "median")) == 300

    def test_categories_stand_side_by_side(self, fares):
        kind = np.where(fares[0] > 3, "far", "near")
        ax = plot.fan_chart(kind, fares[1], y_true=fares[1][:, 0])
        assert ticks(ax.xaxis) == list(dict.fromkeys(kind))
        assert legend(ax) == ["90% interval", "50% interval", "median", "outcomes: median, 5% to 95%"]
        many = np.array([f"neighbourhood {k % 18}" for k in range(len(kind))])
        ax = plot.fan_chart(many, fares[1], y_true=fares[1][:, 0])
        ax.figure.draw_without_rendering()
        assert ax.get_legend().get_window_extent().x1 <= ax.figure.bbox.x1
        boxes = [label.get_window_extent() for label in ax.get_xticklabels()]
        assert all(left.x1 <= right.x0 + 1 for left, right in zip(boxes, boxes[1:]))


class TestDensity:
    def test_it_is_the_density_of_the_pages(self, forecast):
        _, draws = forecast
        ax = plot.density(draws, row=3, y_true=12_000)
        found = draws.density(3)
        np.testing.assert_allclose(ax.get_lines()[0].get_xydata(), np.column_stack([found.x, found.y]))
        assert line(ax, "outcome 12,000")[0, 0] == 12_000
        median = np.median(draws.samples[3, :, 0])
        assert legend(ax)[1] == f"median {round(median, -2):,.0f}"  # no digit that the samples leave open

    def test_limits_spikes_and_bars(self):
        values = np.minimum(np.random.default_rng(0).normal(4, 1, 500), 5)
        ax = plot.density(Distribution([values], ["value"], limits=[(0, 5)]))
        assert max(line.get_xdata().max() for line in ax.get_lines()) == 5
        assert [text.get_text() for text in ax.texts] == ["17%"]
        mostly = plot.density([[5.0] * 480 + [*np.linspace(1, 4.9, 18)] + [4.5] * 2])
        assert [text.get_text() for text in mostly.texts] == ["96%"]  # 0.4% is not worth a word
        free = plot.density(values[None], limits=(None, 9))
        assert free.get_lines()[0].get_xdata().max() == pytest.approx(5, abs=1)
        bars = plot.density([[1.0] * 30 + [2.0] * 70])
        assert bars.get_ylabel() == "probability" and len(bars.patches) == 2
        assert [text.get_text() for text in bars.texts] == ["30%", "70%"]
        assert "median 2" in legend(bars) and "60%" in ticks(bars.yaxis)

    @pytest.mark.parametrize("truth", [laws.crossing.at(0.3), norm(0, 1), lambda y: np.exp(-np.abs(y)) / 2])
    def test_truth(self, truth):
        ax = plot.density(laws.crossing.sample(0.3, 300), truth=truth)
        x, pdf = line(ax, "truth").T
        np.testing.assert_allclose(pdf, getattr(truth, "pdf", truth)(x))
        assert sum(bar.get_height() * bar.get_width() for bar in ax.patches) == pytest.approx(1)
        assert legend(ax) == ["300 samples", "truth"]

    def test_draws_without_spread(self):
        ax = plot.density(np.full((1, 50), 7.0))
        assert [text.get_text() for text in ax.texts] == ["100%"]

    def test_row_out_of_range(self, forecast):
        with pytest.raises(ValueError, match="row 80 does not exist: .*80 rows"):
            plot.density(forecast[1], row=80)


class TestJoint:
    def test_a_far_sample_leaves_room_for_the_others(self):
        draws = np.random.default_rng(2).normal(size=(1, 1000, 2))
        draws[0, 0] = 500
        assert plot.joint(draws).get_xlim()[1] < 10
        assert plot.joint(draws, y_true=[20, 0]).get_xlim()[1] > 20  # what was observed is seen
        with pytest.raises(ValueError, match="y_true has 1 values: give those of row 0, one for each of the 2 targets"):
            plot.joint(draws, y_true=[1.0])

    def test_contours_hold_their_share(self):
        draws = np.random.default_rng(1).multivariate_normal([0, 5], [[1, 0.8], [0.8, 1]], 4000)[None]
        ax = plot.joint(draws, levels=(0.5, 0.9), y_true=[1.0, 6.0])
        lines = [one for one in ax.collections if one.get_facecolor().size == 0 or one.get_facecolor()[0][3] == 0]
        for contour, level in zip(lines, (0.9, 0.5)):
            inside = np.zeros(4000, dtype=bool)
            for path in contour.get_paths():
                inside |= path.contains_points(draws[0])
            assert inside.mean() == pytest.approx(level, abs=0.02)
        assert legend(ax) == ["500 samples", "90% region", "50% region", "outcome"]
        np.testing.assert_array_equal(line(ax, "outcome"), [[1, 6]])
        assert (ax.get_xlabel(), ax.get_ylabel()) == ("y1", "y2")

    def test_truth(self):
        ax = plot.joint(laws.arcs.sample(0.8, 400), truth=laws.arcs.at(0.8))
        assert "true 90% region" in legend(ax)


class TestCalibration:
    """The verdict is that of the report and of `mirrorball score`."""

    def test_pit_histogram(self, forecast):
        y, draws = forecast
        ax = plot.pit_histogram(y, draws, bins=5)
        check = metrics.calibration(y, draws)
        deciles = np.interp(np.linspace(0, 1, 6), [0, *check["level"], 1], [0, *check["share"], 1])
        heights = [bar.get_height() for bar in ax.containers[0]]
        np.testing.assert_allclose(heights, np.diff(deciles))
        band = ax.patches[0].get_extents().transformed(ax.transData.inverted())
        np.testing.assert_allclose([band.y0, band.y1], binom.ppf([0.005, 0.995], ROWS, 0.2) / ROWS)
        assert ax.get_title(loc="left").replace("\n", " ") == check["words"]
        assert "20%" in ticks(ax.yaxis)

    def test_bins_of_the_report(self):
        random = np.random.default_rng(2)
        for rows, bins in ((300, 10), (400, 20)):
            ax = plot.pit_histogram(random.normal(size=rows), random.normal(size=(rows, 50)))
            assert len(ax.containers[0]) == bins

    def test_the_verdict_fills_the_width_of_a_plot_in_a_grid(self, forecast):
        from matplotlib import pyplot

        figure, axes = pyplot.subplots(2, 3, figsize=(18, 10), layout="constrained")
        for draw, ax in zip((plot.pit_histogram, plot.calibration_curve), axes.flat):
            draw(*forecast, ax=ax, **({} if draw is plot.pit_histogram else {"difference": True}))
        figure.draw_without_rendering()
        for ax in axes.flat[:2]:
            words = next(one for one in ax.texts + [ax.title, ax._left_title] if one.get_text())
            share = words.get_window_extent().width / ax.get_window_extent().width
            assert 0.75 < share < 1.05

    def test_curve_and_band_are_those_of_the_check(self, forecast):
        y, draws = forecast
        ax = plot.calibration_curve(y, draws)
        check = metrics.calibration(y, draws)
        np.testing.assert_allclose(line(ax, "observed")[1:-1].T, [check["level"], check["share"]])
        corners = ax.collections[0].get_paths()[0].vertices
        at = corners[np.isclose(corners[:, 0], 0.5), 1]
        assert (at.min(), at.max()) == pytest.approx((check["low"][49], check["high"][49]))
        assert ax.get_title(loc="left").replace("\n", " ") == check["words"]
        apart = plot.calibration_curve(y, draws, difference=True)
        np.testing.assert_allclose(line(apart, "observed")[1:-1, 1], np.subtract(check["share"], check["level"]))

    def test_models_side_by_side_have_their_verdicts(self, forecast):
        y, draws = forecast
        centre = draws.samples.mean(axis=1, keepdims=True)
        ax = plot.calibration_curve(y, {"ours": draws, "narrow": centre + 0.2 * (draws.samples - centre)})
        band, ours, narrow = legend(ax)
        assert band == "95% band of a calibrated model" and ours.startswith("ours: ")
        assert narrow.startswith("narrow: too narrow")  # another instruction set fits another network, which may be biased
        styles = {one.get_linestyle() for one in ax.get_lines()[1:]}
        assert len(styles) == 2  # colour alone does not tell them apart

    def test_few_values_are_no_fault(self):
        """Closed intervals and y <= quantile called a calibrated forecast of few values off."""
        random = np.random.default_rng(7)
        y, samples = random.integers(0, 4, 600).astype(float), random.integers(0, 4, (600, 200)).astype(float)
        assert metrics.calibration(y, samples)["verdict"] == "calibrated"
        ax = plot.calibration_curve(y, samples)
        level, share = line(ax, "observed").T
        assert np.abs(share - level).max() < 0.07

    def test_a_band_of_another_confidence(self, forecast):
        def height(confidence):
            corners = plot.calibration_curve(*forecast, confidence=confidence).collections[0].get_paths()[0].vertices
            return np.ptp(corners[np.isclose(corners[:, 0], 0.5), 1])

        assert height(0.5) < height(0.95) < height(0.999)
        assert height(0.9499) == pytest.approx(height(0.95), abs=0.03)
        with pytest.raises(ValueError, match="confidence is 2"):
            plot.calibration_curve(*forecast, confidence=2)

    def test_wrong_rows(self, forecast):
        with pytest.raises(ValueError, match=r"shape \(79,\).*80 rows"):
            plot.pit_histogram(forecast[0][1:], forecast[1])


class TestWidthAgainstCoverage:
    def test_numbers(self, forecast):
        y, draws = forecast
        ax = plot.width_against_coverage(y, {"a": draws, "b": draws.samples * 1.1}, levels=[0.2, 0.6])
        expected = [(metrics.coverage(y, draws, p), metrics.interval_width(draws, p)) for p in (0.2, 0.6)]
        np.testing.assert_allclose(line(ax, "a"), expected)
        assert legend(ax) == ["a", "b", "coverage expected"]
        assert "price" in ax.get_ylabel()
        assert [text.get_text() for text in ax.texts] == ["50%", "90%", "50%", "90%"]


    def test_the_coverage_expected_of_few_values_is_above_the_level(self):
        random = np.random.default_rng(2)
        ax = plot.width_against_coverage(random.integers(0, 4, 90), random.integers(0, 4, (90, 400)), mark=(0.5,))
        rings = [one for one in ax.get_lines() if one.get_markersize() == 10]
        assert rings[0].get_xdata()[0] > 0.6


class TestFunctions:
    def test_one_line_a_function(self):
        x, curves = np.array([2.0, 0.0, 1.0]), np.arange(12.0).reshape(3, 4)
        ax = plot.functions(x, curves, x_true=[0.5], y_true=[3.0])
        assert len(ax.get_lines()) == 5
        np.testing.assert_array_equal(line(ax, "sample functions"), [[0, 4], [1, 8], [2, 0]])
        np.testing.assert_array_equal(line(ax, "outcomes"), [[0.5, 3]])
        with pytest.raises(ValueError, match="x has 2 values.*3 rows"):
            plot.functions([1, 2], curves)
        with pytest.raises(ValueError, match="without x_true"):
            plot.functions(x, curves, y_true=[1.0])


@pytest.fixture(scope="module")
def explained():
    names = ["area", "district", "built"]
    values = np.array([[40.0, -15.0, 1.0], [-30.0, 5.0, 2.0]])
    data = np.array([[72.0, "harbour", np.nan], [50.0, "hills", 1950.0]], dtype=object)
    errors = np.array([[2.0, 3.0, 4.0], [1.0, 1.0, 1.0]])
    return Explanation(values, np.array([300.0, 300.0]), np.array([326.0, 277.0]), data, names, np.ones(2), True, errors,
                       target="price")  # fmt: skip


class TestExplanation:
    def test_bars_whiskers_and_what_is_not_known(self, explained):
        ax = plot.explanation(explained)
        assert [bar.get_width() for bar in ax.patches] == [40, -15, 1]
        assert [label.get_text() for label in ax.get_yticklabels()] == ["area = 72", "district = harbour", "built = missing"]
        whiskers = [one.get_xdata() for one in ax.get_lines() if len(one.get_xdata()) == 2][:3]
        np.testing.assert_allclose(whiskers, [[36, 44], [-21, -9], [-7, 9]])
        faces = [bar.get_facecolor() for bar in ax.patches]
        assert faces[0] == to_rgba(LIGHT.accent) and faces[1] == to_rgba(LIGHT.other)
        assert faces[2] not in (faces[0], faces[1])  # its sign is not known
        assert ax.get_title(loc="left") == "The mean of price is 326 here and 300 on average"
        assert ax.get_xlabel() == "contribution to the mean of price"
        with pytest.raises(ValueError, match="row 2 does not exist: the explanation has 2 rows"):
            plot.explanation(explained, row=2)

    def test_the_others_are_one_bar(self, explained):
        ax = plot.explanation(explained, top=1)
        assert [bar.get_width() for bar in ax.patches] == [40, -14]
        assert ax.get_yticklabels()[1].get_text() == "2 other features"

    def test_importance(self, explained):
        ax = plot.importance(explained)
        assert [bar.get_width() for bar in ax.patches] == [35, 10, 1.5]
        dots = plot.importance(explained, top=2, dots=True)
        assert len(dots.collections) == 2 and "1 less important features" in dots.get_xlabel()
        np.testing.assert_allclose(dots.collections[0].get_offsets()[:, 0], [40, -30])
        colours = {entry.get_label(): to_rgba(entry.get_color()) for entry in dots.get_lines() if "value" in str(entry.get_label())}
        assert colours == {"low value of the feature": to_rgba(LIGHT.accent), "high value": to_rgba(LIGHT.other)}  # as in the report


class TestAlong:
    def test_rows_as_they_are(self, fitted, data):
        ax = plot.along(fitted, "x0", data[0], y_true=data[1], n_samples=50)
        assert "400 rows in" in ax.get_xlabel() and len(line(ax, "outcomes")) == 400

    def test_one_row(self, fitted, data):
        ax = plot.along(fitted, 0, data[0], row=7, points=12, n_samples=100)
        x, median = line(ax, "median").T
        rows = np.column_stack([x, np.full(12, data[0][7, 1])])
        np.testing.assert_allclose(median, np.median(fitted.sample(rows, 100)[:, :, 0], axis=1))
        low, high = np.quantile(data[0][:, 0], [0.01, 0.99])
        assert (x[0], x[-1]) == pytest.approx((low, high), abs=0.02)
        assert any((one.get_xdata() == data[0][7, 0]).all() for one in ax.get_lines() if len(one.get_xdata()) == 2)
        for feature, words in (("x9", "no feature is named 'x9': the features are x0, x1"), (4, "has 2 features")):
            with pytest.raises(ValueError, match=words):
                plot.along(fitted, feature, data[0])
        with pytest.raises(ValueError, match="row 400 does not exist: X has 400 rows"):
            plot.along(fitted, 0, data[0], row=400)
        with pytest.raises(ValueError, match="leave out row or y_true"):
            plot.along(fitted, 0, data[0], row=1, y_true=data[1])

    def test_where_no_row_is_near_it_is_grey(self):
        rng = np.random.default_rng(1)
        latitude = rng.uniform(32, 40, 400)
        X = np.column_stack([latitude, 2 * latitude + rng.uniform(-1, 1, 400)])  # the two go together
        model = MirrorballRegressor(networks=1, width=8, epochs=2, n_jobs=1).fit(X, latitude)
        row = int(np.argmin(np.abs(latitude - 34)))
        ax = plot.along(model, 0, X, row=row, points=20, n_samples=40)
        x = line(ax, "median")[:, 0]
        far = line(ax, "no rows near")[:, 1]
        backed = np.isfinite(np.ma.filled(line(ax, "median")[:, 1], np.nan))
        assert backed[np.abs(x - 34) < 0.4].all() and not backed[x > 36].any()
        assert np.isfinite(np.ma.filled(far, np.nan))[x > 36].all() and "no rows near" in legend(ax)
        few = plot.along(model, 0, X[:50], row=3, points=20, n_samples=40)  # too few to say
        assert "no rows near" not in legend(few)
        with pytest.raises(ValueError, match="near is of single rows: give bins=0"):
            plot.fan_chart(x, model.sample(X[:20], 10), near=backed)

    def test_frames_dates_and_categories(self):
        pandas, polars, arrow = (pytest.importorskip(name) for name in ("pandas", "polars", "pyarrow"))
        days = pandas.date_range("2024-01-01", periods=60)
        frame = pandas.DataFrame({"day": days, "kind": ["a", "b", "c"] * 20, "size": np.arange(60.0)})
        model = MirrorballRegressor(networks=1, width=8, epochs=2, n_jobs=1).fit(frame, frame["size"])
        for X in (frame, polars.from_pandas(frame), arrow.Table.from_pandas(frame)):
            medians = [
                line(plot.along(model, name, X, row=2, points=5, n_samples=40), "median")[:, 1] for name in ("day", "size")
            ]
            assert all(len(one) == 5 for one in medians)
            assert ticks(plot.along(model, "kind", X, row=2, n_samples=40).xaxis) == model.categories_["kind"]
        assert "size" in plot.along(model, "size", frame, n_samples=40).get_xlabel()

    def test_dates_that_a_file_gives_as_text(self):
        pandas = pytest.importorskip("pandas")
        days = pandas.date_range("2024-01-01", periods=60).strftime("%Y-%m-%d")
        frame = pandas.DataFrame({"day": days, "size": np.arange(60.0)})
        model = MirrorballRegressor(networks=1, width=8, epochs=2, n_jobs=1).fit(frame, frame["size"])
        ax = plot.along(model, "day", frame, n_samples=40)
        assert line(ax, "median")[0, 0] == pytest.approx(np.datetime64("2024-01-01", "D").astype(int), abs=10)


class TestPalette:
    def test_it_is_that_of_the_pages(self):
        css = (ROOT / "web" / "src" / "shared" / "theme.css").read_text()
        pages = dict(re.findall(r"--([a-z-]+): light-dark\((#\w+, #\w+)\)", css))
        for name in (field.name for field in dataclasses.fields(LIGHT)):
            assert pages[name.replace("_", "-")] == f"{getattr(LIGHT, name)}, {getattr(DARK, name)}", name

    def test_the_picture_of_the_readme_has_it_too(self):
        looks = runpy.run_path(str(ROOT / "tools" / "make_flats.py"))["LOOKS"]
        for scheme, palette in (("light", LIGHT), ("dark", DARK)):
            assert looks[scheme] == {name: getattr(palette, name) for name in looks[scheme]}

    def test_it_follows_the_ground(self, forecast):
        with plot.style("dark"):
            dark = plot.fan_chart(None, forecast[1])
        assert line_colour(dark) == DARK.accent and dark.figure.get_facecolor() == to_rgba(DARK.card)
        assert line_colour(plot.fan_chart(None, forecast[1])) == LIGHT.accent
        figure, ax = pyplot.subplots(facecolor="black")
        ax.set_facecolor("none")
        assert line_colour(plot.fan_chart(None, forecast[1], ax=ax)) == DARK.accent
        with pytest.raises(ValueError, match="'grey': it must be 'light' or 'dark'"), plot.style("grey"):
            pass


def line_colour(ax):
    return next(one.get_color() for one in ax.get_lines() if one.get_label() == "median")


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


def one_explanation():
    one = np.ones(1)
    return Explanation(np.array([[1.0]]), one, one, np.array([[3.0]]), ["a"], one, True, np.array([[0.1]]))


@pytest.mark.parametrize(
    "draw",
    [
        lambda y, d, ax: plot.fan_chart(None, d, ax=ax),
        lambda y, d, ax: plot.density(d, ax=ax),
        lambda y, d, ax: plot.joint(np.concatenate([d.samples, d.samples**2], axis=2), ax=ax),
        lambda y, d, ax: plot.pit_histogram(y, d, ax=ax),
        lambda y, d, ax: plot.calibration_curve(y, d, ax=ax),
        lambda y, d, ax: plot.width_against_coverage(y, d, ax=ax),
        lambda y, d, ax: plot.functions(range(ROWS), d, ax=ax),
        lambda y, d, ax: plot.learning_curves(HISTORY, ax=ax),
        lambda y, d, ax: plot.explanation(one_explanation(), ax=ax),
        lambda y, d, ax: plot.importance(one_explanation(), dots=True, ax=ax),
    ],
)
def test_draws_where_it_is_told_to(draw, forecast):
    figure, axes = pyplot.subplots(1, 2)
    assert draw(*forecast, axes[1]) is axes[1]
    assert not axes[0].has_data()
    assert axes[1].has_data()
    assert pyplot.get_fignums() == [figure.number]
    assert axes[1].get_xlabel() and axes[1].get_ylabel()
