"""The pieces that the experiments share."""

import json

import numpy as np
import pytest
from mirrorball._core import _library
from scipy.stats import norm

from experiments.extrapolation import effective_width
from experiments import arcs
from experiments.frame import distances, look, page, program, rivals, store
from experiments.frame.curves import below_for_good, first_below, told
from tables.quantiles import LEVELS_51


def test_results_come_back_as_they_were(tmp_path):
    result = {"a": np.arange(6.0).reshape(2, 3), "name": np.array("x"), "number": np.array(3.5)}
    store.save(tmp_path / "deep" / "cell.npz", result)
    back = store.load(tmp_path / "deep" / "cell.npz")
    assert back.keys() == result.keys() and all((back[key] == result[key]).all() for key in result)
    assert [path.name for path in (tmp_path / "deep").iterdir()] == ["cell.npz"]


def test_keys_tell_settings_apart():
    assert store.key("a", {"x": 1, "y": 2}) == store.key("a", {"y": 2, "x": 1})
    assert store.key("a", {"x": 1}) != store.key("a", {"x": 2})
    with pytest.raises(TypeError):
        store.key("a", {"x": np.arange(3)})


def test_smoothed_draws_are_the_quantiles_law_and_the_filters():
    """51 quantiles of N(0, 1) and a filter of 0.5: a normal law with variance 1.25, less a little of the tails."""
    draws = rivals.smoothed(norm.ppf(LEVELS_51)[None, :], 0.5, 10_000)[0]
    assert abs(draws.mean()) < 0.01
    assert draws.std() == pytest.approx(np.sqrt(1.25), rel=0.03)
    assert np.quantile(draws, 0.8) == pytest.approx(norm.ppf(0.8) * np.sqrt(1.25), abs=0.03)


def test_smoothing_takes_crossed_and_equal_quantiles():
    rows = np.array([np.repeat([2.0, 1.0, 3.0], 17), np.full(51, 4.0)])
    draws = rivals.smoothed(rows, 0.1, 1000)
    assert np.isfinite(draws).all() and (np.diff(draws, axis=1) >= 0).all()
    assert draws[1].std() == pytest.approx(0.1, rel=0.05)


def test_truth_is_near_itself_and_the_marginal_is_not():
    from mirrorball import laws

    x = np.array([-1.0, 0.0, 1.0])
    truth = distances.to_truth("crossing", x, laws.crossing.sample(x, 10_000, seed=3))
    wrong = distances.to_truth("crossing", x, np.tile(np.linspace(-1.5, 1.5, 10_000), (3, 1)))
    assert truth.shape == (3, 4) and (truth[:, 1:] < 0.06).all() and (wrong > 2 * truth).all()


def test_effective_width_of_known_laws():
    assert effective_width(np.linspace(0, 2, 100_001)) == pytest.approx(2, rel=0.05)
    thin = np.concatenate([np.linspace(0, 0.2, 50_000), np.linspace(9, 9.2, 50_000)])
    assert effective_width(thin) == pytest.approx(0.45, abs=0.06)


def test_first_epoch_below():
    assert first_below(np.array([3.0, 2.0, 1.0]), 2.5) == 2
    assert first_below(np.array([3.0, 2.0]), 1.0) is None
    assert below_for_good(np.array([3.0, 1.0, 2.0, 1.0, 0.5]), 1.5) == 4
    assert below_for_good(np.array([1.0, 3.0]), 1.5) is None and below_for_good(np.array([1.0]), 1.5) == 1


def test_epochs_in_words():
    assert told(3, 200) == "3" and told(None, 200) == "not in 200"


def test_hellinger_by_cells_is_that_of_the_core():
    """On the core's own cells; more cells give a larger distance."""
    from mirrorball import laws

    draws = laws.arcs.sample(np.array([0.3]), 20_000, seed=5)[0]
    found = dict(zip(arcs.CELLS, arcs.hellinger(0.8, draws)))
    core = distances.to_truth("arcs", np.array([0.8]), draws[None])[0, distances.NAMES.index("hellinger")]
    assert found[arcs.OWN_CELLS] == pytest.approx(core, abs=2e-3)
    assert list(found.values()) == sorted(found.values())


def test_a_figure_has_a_dark_form():
    svg = look.with_dark_form('<svg><defs></defs><path style="fill: #222222"/></svg>')
    assert "prefers-color-scheme:dark" in svg and '[style*="fill: #222222"]{fill:#e6e6e6!important}' in svg


OLD = {"version": "0.2.0", "commit": "aaaaaaa", "date": "2026-01-01T00:00:00+00:00"}
NEW = {"version": "0.2.0", "commit": "bbbbbbb", "date": "2026-02-01T00:00:00+00:00"}


def test_results_of_an_earlier_program_say_so():
    newest = program.newest([{"programs": [OLD]}, None, {"programs": [NEW], "earlier": {"gp": [OLD]}}])
    assert newest == NEW
    assert "made by an earlier program, commit aaaaaaa of 2026-01-01" in page.earlier({"programs": [OLD]}, newest)[1]
    assert "made in part by an earlier program" in page.earlier({"programs": [OLD, NEW]}, newest)[1]
    assert "Gaussian process are of an earlier run (commit aaaaaaa" in page.earlier({"programs": [NEW], "earlier": {"gp": [OLD]}}, newest)[1]
    assert page.earlier({"programs": [NEW], "earlier": {}}, newest) == page.earlier({"programs": []}, newest) == []


def test_a_method_s_program_is_that_of_its_run():
    record = {"programs": [NEW], "earlier": {"gp": [OLD]}}
    assert program.of_method(record, "gp") == [OLD] and program.of_method(record, "default") == [NEW]


def test_cells_know_their_program():
    cells = [program.kept(NEW), program.kept(OLD), program.kept(NEW)]
    assert program.of_cells(cells) == [OLD, NEW]
    assert program.of_cells([{}]) == [program.UNKNOWN]
    now = program.current()
    assert now["version"] and now["date"][:2] == "20" and len(now["commit"]) >= 7  # as tools/python left it
    assert len(program.build()) == 12 and _library.FILE.stat().st_size > 1e6  # what is compiled, not what imports it


def test_tables_of_an_earlier_program_say_so():
    from tables.summary import Summary

    def summary(version, **more):
        return Summary([{"table": "concrete", "method": "paper", "split": 0, "status": "ok", "when": "2026-01-02T00:00:00+00:00",
                         "versions": {"mirrorball": f"mirrorball {version}"}, **more}])

    old, new = summary("0.1.0"), summary("0.2.0", commit=NEW["commit"], date=NEW["date"])
    assert "DN+ (paper) by version 0.1.0, run on 2026-01-02" in page.of_earlier_programs(old, NEW)[0]
    assert page.of_earlier_programs(new, NEW) == []
    assert "evenly spread" in page.noise(old, {})[0] and page.noise(new, {}) == []


def test_anchor_is_github_s():
    assert page.anchor("DISCO Nets against DN+: learning curves") == "disco-nets-against-dn-learning-curves"


def test_methods_that_are_not_run_again_keep_their_numbers(tmp_path):
    from experiments.frame.runner import Run, with_earlier, with_methods

    how = Run(workshop=None, out=tmp_path, methods=("paper",))
    how.figures.mkdir()
    (how.figures / "arcs.json").write_text(json.dumps({"numbers": {"seeds": 1, "paper": {"mean": 2}, "default": {"mean": 3}}, "programs": [OLD]}))
    numbers, earlier = with_earlier(arcs.EXPERIMENT, {"seeds": 1, "paper": {"mean": 1}}, how)
    assert numbers == {"seeds": 1, "paper": {"mean": 1}, "default": {"mean": 3, "seeds": 1}} and earlier == {"default": [OLD]}
    taken = []  # at any depth, in the order of the methods
    assert list(with_methods({"by": {"gp": 1}}, {"by": {"lgbm": 2, "gp": 3}}, ["lgbm", "gp"], taken)["by"].items()) == [("lgbm", 2), ("gp", 1)]
    assert taken == ["lgbm"]
    whole = Run(workshop=None, out=tmp_path)
    assert with_earlier(arcs.EXPERIMENT, {"seeds": 1}, whole) == ({"seeds": 1}, {})


def test_independent_noise_is_applied_to_dn_alone():
    from experiments.frame import prediction_noise
    from tables.summary import Summary

    scores = {"crps": 2.0, "crps_median": 1.0, "mae": 1.0, "rmse": 1.0, "nll_median": -1.0}
    records = [{"table": "concrete", "method": method, "split": 0, "status": "ok", "scores": scores} for method in ("paper", "lgbm")]
    found = {"tables": {"concrete": {name: [4.0, 4.4] for name in prediction_noise.SCORES}}}
    cells = prediction_noise.applied(Summary(records), found).cells
    assert cells["concrete", "paper", 0]["scores"]["crps"] == pytest.approx(2.2)
    assert cells["concrete", "paper", 0]["scores"]["nll_median"] == pytest.approx(-0.6)
    assert cells["concrete", "lgbm", 0]["scores"] == scores
    assert "mean CRPS +10.0% to +10.0%" in prediction_noise.told(found)


def test_much_sooner_is_not_a_little_sooner():
    from experiments.frame.curves import sooner

    assert [claim.holds for claim in sooner("Tanh", 10, 50, 200, 7)] == [True, False]
    assert [claim.holds for claim in sooner("Tanh", 10, None, 200, 7)] == [True, True]
    assert [claim.holds for claim in sooner("Tanh", None, None, 200, 7)] == [False, False]
