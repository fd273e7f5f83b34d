"""mirrorball.metrics against the packages people know, and its own convention."""

import threading
import time

import numpy as np
import properscoring
import pytest
import scipy.stats
import scoringrules
from mirrorball import _core, laws, metrics
from mirrorball.distribution import Distribution
from scipy.spatial.distance import jensenshannon
from sklearn.metrics import mean_pinball_loss

ROWS, SAMPLES = 60, 41
CLOSE = {"rtol": 1e-6, "atol": 1e-9}


@pytest.fixture
def one():
    rng = np.random.default_rng(1)
    return rng.normal(3, 2, ROWS), rng.normal(3, 2, (ROWS, SAMPLES))


@pytest.fixture
def two():
    rng = np.random.default_rng(2)
    return rng.normal(0, [1, 5], (ROWS, 2)), rng.normal(0, [1, 5], (ROWS, SAMPLES, 2))


class TestAgainstOthers:
    def test_crps_is_properscorings_and_scoringrules(self, one):
        y, draws = one
        found = metrics.crps(y, draws, per_row=True)
        np.testing.assert_allclose(found, properscoring.crps_ensemble(y, draws), **CLOSE)
        np.testing.assert_allclose(found, scoringrules.crps_ensemble(y, draws, estimator="nrg"), **CLOSE)
        fair = metrics.crps(y, draws, fair=True, per_row=True)
        np.testing.assert_allclose(fair, scoringrules.crps_ensemble(y, draws, estimator="fair"), **CLOSE)

    def test_crps_of_many_draws_is_the_normals(self):
        exact = properscoring.crps_gaussian(1.3, 0, 1)
        draws = scipy.stats.norm.ppf((np.arange(200_000) + 0.5) / 200_000)
        assert metrics.crps([1.3], draws[None]) == pytest.approx(exact, abs=1e-5)

    def test_energy_score_is_scoringrules(self, two):
        y, draws = two
        for fair, estimator in ((False, "nrg"), (True, "fair")):
            expected = scoringrules.es_ensemble(y, draws, estimator=estimator)
            np.testing.assert_allclose(metrics.energy_score(y, draws, fair=fair, per_row=True), expected, **CLOSE)

    def test_energy_score_of_one_target_is_the_crps(self, one):
        np.testing.assert_array_equal(metrics.energy_score(*one, per_row=True), metrics.crps(*one, per_row=True))

    def test_nll_is_scipys_kernel_estimate(self, one):
        y, draws = one
        expected = [-scipy.stats.gaussian_kde(s).logpdf(v)[0] for v, s in zip(y, draws)]
        np.testing.assert_allclose(metrics.nll(y, draws, per_row=True), expected, **CLOSE)

    def test_joint_nll_is_scipys_kernel_estimate(self, two):
        y, draws = two
        expected = [-scipy.stats.gaussian_kde(s.T).logpdf(v)[0] for v, s in zip(y, draws)]
        np.testing.assert_allclose(metrics.nll(y, draws, joint=True, per_row=True), expected, **CLOSE)

    def test_pit_is_scipys_mean_rank(self, one):
        y, draws = one
        draws[:, 0] = y  # ties
        expected = [scipy.stats.percentileofscore(s, v, kind="mean") / 100 for v, s in zip(y, draws)]
        np.testing.assert_allclose(metrics.pit(y, draws), expected, **CLOSE)

    @pytest.mark.parametrize("level", [0.1, 0.5, 0.9])
    def test_intervals_are_scoringrules_and_numpys(self, one, level):
        y, draws = one
        low, high = np.quantile(draws, [(1 - level) / 2, (1 + level) / 2], axis=1)
        expected = scoringrules.interval_score(y, low, high, 1 - level)
        np.testing.assert_allclose(metrics.interval_score(y, draws, level, per_row=True), expected, **CLOSE)
        assert metrics.coverage(y, draws, level) == np.mean((low <= y) & (y <= high))
        assert metrics.interval_width(draws, level) == pytest.approx(np.mean(high - low), rel=1e-12)

    @pytest.mark.parametrize("q", [0.05, 0.5, 0.8])
    def test_pinball_is_sklearns_and_scoringrules(self, one, q):
        y, draws = one
        quantile = np.quantile(draws, q, axis=1)
        assert metrics.pinball(y, draws, q) == pytest.approx(mean_pinball_loss(y, quantile, alpha=q), rel=1e-12)
        np.testing.assert_allclose(
            metrics.pinball(y, draws, q, per_row=True), scoringrules.quantile_score(y, quantile, q), **CLOSE
        )

    def test_qice_from_its_definition(self, one):
        y, draws = one
        deciles = np.quantile(draws, np.arange(1, 10) / 10, axis=1)
        shares = np.bincount((deciles < y).sum(axis=0), minlength=10) / ROWS
        assert metrics.qice(y, draws) == pytest.approx(np.abs(shares - 0.1).mean(), abs=1e-12)

    def test_distances_of_samples_are_scipys(self, one):
        _, draws = one
        other = np.random.default_rng(3).normal(2, 3, (ROWS, 57))
        found = metrics.distances(other, draws, cells=30, per_row=True)
        for row in range(ROWS):
            a, b = draws[row], other[row]
            assert found.wasserstein[row] == pytest.approx(scipy.stats.wasserstein_distance(a, b), rel=1e-6)
            assert found.energy[row] == pytest.approx(scipy.stats.energy_distance(a, b), rel=1e-6)
            edges = np.linspace(min(a.min(), b.min()), max(a.max(), b.max()), 31)
            p, q = (np.histogram(s, edges)[0] / len(s) for s in (a, b))
            assert found.jsd[row] == pytest.approx(jensenshannon(p, q, base=2), rel=1e-6)
            hellinger = np.sqrt(np.square(np.sqrt(p) - np.sqrt(q)).sum() / 2)
            assert found.hellinger[row] == pytest.approx(hellinger, rel=1e-6)

    def test_distances_to_a_law_are_scipys(self):
        x, draws = np.array([-0.7, 0.4]), laws.crossing.sample([-0.7, 0.4], 300, seed=4)
        found = metrics.distances(laws.crossing, draws, x=x, per_row=True)
        edges = np.linspace(-2.6, 2.6, 105)
        for row, at in enumerate(x):
            grid = np.linspace(-3, 3, 400_001)
            cdf = laws.crossing.cdf(at, grid)
            steps = np.searchsorted(np.sort(draws[row, :, 0]), grid, side="right") / 300
            gap, width = cdf - steps, grid[1] - grid[0]
            assert found.wasserstein[row] == pytest.approx(np.abs(gap).sum() * width, abs=1e-5)
            assert found.energy[row] == pytest.approx(np.sqrt(2 * np.square(gap).sum() * width), abs=1e-5)
            p = np.diff([0, *laws.crossing.cdf(at, edges[1:-1]), 1])
            q = np.histogram(draws[row], edges)[0] / 300
            assert found.jsd[row] == pytest.approx(jensenshannon(p, q, base=2), rel=1e-6)


class TestConvention:
    def test_mean_weights_and_rows(self, one):
        y, draws = one
        rows = metrics.crps(y, draws, per_row=True)
        assert rows.shape == (ROWS,)
        assert isinstance(metrics.crps(y, draws), float)
        assert metrics.crps(y, draws) == pytest.approx(rows.mean(), rel=1e-12)
        weight = np.arange(ROWS)
        assert metrics.crps(y, draws, sample_weight=weight) == pytest.approx(
            np.average(rows, weights=weight), rel=1e-12
        )

    def test_weights_count_rows_in_qice(self, one):
        y, draws = one
        weight = np.random.default_rng(4).integers(0, 3, ROWS)
        repeated = np.repeat(np.arange(ROWS), weight)
        assert metrics.qice(y, draws, sample_weight=weight) == pytest.approx(metrics.qice(y[repeated], draws[repeated]))

    def test_several_targets_as_scikit_learn(self, two):
        y, draws = two
        each = [metrics.crps(y[:, k], draws[:, :, k]) for k in range(2)]
        np.testing.assert_allclose(metrics.crps(y, draws, multioutput="raw_values"), each)
        assert metrics.crps(y, draws) == pytest.approx(np.mean(each))
        assert metrics.crps(y, draws, multioutput=[1, 3]) == pytest.approx((each[0] + 3 * each[1]) / 4)
        assert metrics.crps(y, draws, per_row=True).shape == (ROWS,)
        assert metrics.crps(y, draws, per_row=True, multioutput="raw_values").shape == (ROWS, 2)
        assert metrics.pit(y, draws).shape == (ROWS, 2)

    def test_lists_of_levels(self, two):
        y, draws = two
        found = metrics.coverage(y, draws, [0.5, 0.9], multioutput="raw_values")
        assert found.shape == (2, 2)
        assert found[1, 0] == metrics.coverage(y[:, 1], draws[:, :, 1], 0.5)
        assert metrics.coverage(y, draws, [0.5, 0.9], per_row=True).shape == (ROWS, 2)
        assert metrics.pinball(y, draws, [0.1, 0.5, 0.9]).shape == (3,)

    def test_distributions_frames_and_other_layouts(self, two):
        y, draws = two
        pandas = pytest.importorskip("pandas")
        expected = metrics.energy_score(y, draws)
        assert metrics.energy_score(pandas.DataFrame(y), Distribution(draws)) == expected
        assert metrics.energy_score(np.asfortranarray(y), np.asfortranarray(draws)) == expected
        single = metrics.crps(y[:, :1].astype(np.float32), draws[:, :, :1].astype(np.float32))
        assert single == pytest.approx(metrics.crps(y[:, 0], draws[:, :, 0]), rel=1e-6)

    def test_threads_do_not_change_a_bit(self, two):
        y, draws = two
        for metric in (metrics.crps, metrics.energy_score, metrics.nll):
            assert metric(y, draws, n_jobs=1) == metric(y, draws, n_jobs=3) == metric(y, draws)

    def test_other_threads_go_on_meanwhile(self):
        rng = np.random.default_rng(0)
        predictive, y = _core.Predictive(rng.normal(size=(2000, 1000, 2)), ["a", "b"]), rng.normal(size=(2000, 2))
        ticks, over = [], threading.Event()

        def tick():
            while not over.wait(0.001):
                ticks.append(time.perf_counter())

        ticker = threading.Thread(target=tick)
        ticker.start()
        start = time.perf_counter()
        _core.kde_nll(predictive, y, True, 1)
        end = time.perf_counter()
        over.set()
        ticker.join()
        assert sum(start < at < end for at in ticks) >= 5

    def test_draws_without_spread_are_counted(self):
        with pytest.warns(UserWarning, match="1 of 2 forecasts have no spread"):
            assert np.isfinite(metrics.nll([1.0, 1.0], [[1.0, 1.0, 1.0], [0.0, 1.0, 2.0]]))

    def test_summary_has_the_same_numbers(self, two):
        y, draws = two
        report = metrics.summary(y, draws, target_names=["a", "b"])
        assert (report["rows"], report["samples"]) == (ROWS, SAMPLES)
        b = report["targets"]["b"]
        assert b["crps"]["mean"] == pytest.approx(metrics.crps(y[:, 1], draws[:, :, 1]), rel=1e-12)
        assert b["crps"]["median"] == pytest.approx(np.median(metrics.crps(y[:, 1], draws[:, :, 1], per_row=True)))
        assert b["nll"]["mean"] == pytest.approx(metrics.nll(y[:, 1], draws[:, :, 1]), rel=1e-12)
        assert b["qice"] == pytest.approx(metrics.qice(y[:, 1], draws[:, :, 1]))
        assert b["interval"][0.9]["coverage"] == pytest.approx(metrics.coverage(y[:, 1], draws[:, :, 1], 0.9))
        assert b["interval"][0.5]["width"] == pytest.approx(metrics.interval_width(draws[:, :, 1], 0.5))
        assert b["rmse"] == pytest.approx(np.sqrt(np.square(draws[:, :, 1].mean(axis=1) - y[:, 1]).mean()))
        assert report["energy_score"]["mean"] == pytest.approx(metrics.energy_score(y, draws), rel=1e-12)

    def test_the_true_law_scores_best(self):
        x = np.linspace(-1, 1, 3000)
        y = laws.crossing.sample(x, 1, seed=1)[:, 0, 0]
        truth = laws.crossing.sample(x, 200, seed=2)
        for wrong in (truth + 0.15, truth * 1.3, truth.mean(axis=1, keepdims=True) + 0 * truth):
            assert metrics.crps(y, truth, fair=True) < metrics.crps(y, wrong, fair=True)


class TestRefusals:
    @pytest.mark.parametrize(
        ("call", "words"),
        [
            (lambda: metrics.crps([1.0, 2.0], np.ones((3, 4))), r"shape \(2,\).*3 rows"),
            (lambda: metrics.crps(np.ones((3, 2)), np.ones((3, 4))), r"shape \(3, 2\).*1 targets"),
            (lambda: metrics.crps([1.0], [1.0]), r"rows x samples"),
            (lambda: metrics.crps([], np.ones((0, 4))), "are empty"),
            (lambda: metrics.crps([1.0], np.ones((1, 1)), fair=True), "1 sample per row.*at least 2"),
            (lambda: metrics.crps([np.nan], np.ones((1, 3))), "nan in row 0"),
            (lambda: metrics.crps([1.0], [[1.0, np.inf]]), "inf in row 0, sample 1"),
            (lambda: metrics.crps([1.0], np.ones((1, 3)), sample_weight=[1.0, 2.0]), r"shape \(2,\), there are 1 rows"),
            (lambda: metrics.crps([1.0], np.ones((1, 3)), sample_weight=[-1.0]), "at least 0"),
            (lambda: metrics.crps([1.0], np.ones((1, 3)), n_jobs=0), "n_jobs is 0"),
            (lambda: metrics.crps([1.0], np.ones((1, 3)), multioutput="mean"), "'uniform_average'"),
            (lambda: metrics.coverage([1.0], np.ones((1, 3)), level=90), "level is 90"),
            (lambda: metrics.interval_score([1.0], np.ones((1, 3)), level=1.0), "below 1"),
            (lambda: metrics.pinball([1.0], np.ones((1, 3)), quantile=1.5), "not 1.5"),
            (lambda: metrics.qice([1.0], np.ones((1, 3)), bins=1), "bins is 1"),
            (lambda: metrics.distances(laws.crossing, np.ones((2, 3))), "need x.*2"),
            (lambda: metrics.distances(laws.arcs, np.ones((2, 3)), x=0.5), "1 targets, the distribution 'arcs' has 2"),
            (lambda: metrics.distances(np.ones((3, 3)), np.ones((2, 3))), "2 rows.*of 3"),
            (lambda: metrics.distances(np.ones((2, 3, 3)), np.ones((2, 3, 3))), "1 or 2 targets"),
        ],
    )
    def test_says_both_numbers(self, call, words):
        with pytest.raises(ValueError, match=words):
            call()
