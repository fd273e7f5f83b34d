"""The report and the explorer from Python, and what a notebook shows."""

from __future__ import annotations

import json
import urllib.error
import urllib.request

import numpy as np
import pandas as pd
import pytest
from conftest import PROGRAM

from mirrorball import Distribution, MirrorballRegressor


@pytest.fixture(scope="module")
def flats():
    random = np.random.default_rng(3)
    frame = pd.DataFrame({"area": random.gamma(9, 9, 300), "district": random.choice(["centre", "a<b"], 300)})
    price = pd.Series(
        frame["area"] * np.where(frame["district"] == "centre", 4, 3) + random.normal(0, 9, 300), name="price"
    )
    return frame, price


@pytest.fixture(scope="module")
def model(flats):
    return MirrorballRegressor(networks=1, width=16, n_jobs=1, options={"forest": 8, "gaussian_process": 0}).fit(
        flats[0][:200], flats[1][:200]
    )


@pytest.mark.skipif(not PROGRAM.exists(), reason="no program was built")
def test_the_report_is_that_of_the_program(model, flats, tmp_path, program):
    X, y = flats[0][200:], flats[1][200:]
    made = model.report(X, y, tmp_path / "report.html", rows=50, explain_rows=3, n_samples=100)
    assert (tmp_path / "report.html").read_text() == made.html
    assert made.html.lower().startswith("<!doctype html>")
    model.save(tmp_path / "model")
    X.assign(price=y).to_csv(tmp_path / "data", index=False)
    words = ("--rows", "50", "--explain-rows", "3", "--samples", "100", "--json", "--quiet", "--out", "-")
    assert json.loads(program("report", tmp_path / "model", tmp_path / "data", *words)) == made.data
    assert made.data["data"]["rows"] == 100 and "On these 50 rows" in repr(made)
    assert made._repr_html_().startswith('<iframe srcdoc="&lt;!doctype') or "&lt;!DOCTYPE" in made._repr_html_()


def test_a_report_without_outcomes_and_what_it_refuses(model, flats):
    X, y = flats
    assert not model.report(X[200:220], explain_rows=0, n_samples=20).data["data"]["scored"]
    with pytest.raises(ValueError, match=r"y has 2 target\(s\), the model has 1"):
        model.report(X, np.column_stack([y, y]))
    with pytest.raises(ValueError, match=r"inconsistent numbers of samples: \[300, 3\]"):
        model.report(X, y[:3])


def test_the_explorer_serves_the_model_until_it_is_stopped(model, flats):
    X, y = flats
    with model.explore(X, y, name="flats", open_browser=False) as explorer:
        with urllib.request.urlopen(explorer.url + "v1/model") as answer:
            about = json.load(answer)
        assert about["name"] == "flats" and about["background"] == "given"
        assert about["targets"][0]["limits"] == pytest.approx(model.predict_dist(X[:1]).limits[0], rel=1e-6)
        assert explorer.url in explorer._repr_html_() and "<iframe" in explorer._repr_html_()
    assert "stopped" in repr(explorer) and "<iframe" not in explorer._repr_html_()
    with pytest.raises(urllib.error.URLError):
        urllib.request.urlopen(explorer.url, timeout=5)
    explorer.stop()  # twice does no harm


def test_a_browser_is_opened_where_no_notebook_shows_the_page(model, monkeypatch):
    opened = []
    monkeypatch.setattr("webbrowser.open", opened.append)
    with model.explore() as explorer:
        assert opened == [explorer.url]
    monkeypatch.setattr("mirrorball.pages.in_notebook", lambda: True)
    model.explore().stop()
    assert len(opened) == 1


class TestNotebook:
    def test_a_fitted_model(self, model):
        html = model._repr_mimebundle_()["text/html"]
        assert "the distribution of price" in html and "200 training rows" in html and "90% coverage" in html
        assert "a&lt;b" in html and "a<b" not in html
        assert "Parameters" in html and "width=16" in html.replace(" ", "") or "width" in html
        assert "training rows" not in MirrorballRegressor()._repr_mimebundle_()["text/html"]

    def test_a_distribution(self, model, flats):
        html = model.predict_dist(flats[0], n_samples=200)._repr_html_()
        assert "300 rows, 200 samples each; the first 6 are shown" in html
        assert html.count("<svg") == 6 and "90% interval" in html
        bars = Distribution([[1.0] * 30 + [2.0] * 70], ["<i>"])._repr_html_()
        assert bars.count('class="spike"') == 2 and "&lt;i&gt;" in bars and "<i>" not in bars
        assert "0 rows" in model.predict_dist(flats[0][:0])._repr_html_()

    def test_an_explanation(self, model, flats):
        X = flats[0]
        one = model.explain(X[:1], X, n_samples=50, background_rows=10)
        assert "The mean of price is" in one._repr_html_() and one._repr_html_().count("<svg") == 2
        some = model.explain(X[:4], X, of="width:0.9", n_samples=50, background_rows=10)
        assert some.words == "The width of the 90% interval of price"
        assert "mean size of the contributions in 4 rows" in some._repr_html_()
        region = model.explain(X[:1], X, of="region", where="price > 0", n_samples=50, background_rows=10)
        assert region.words == "The probability of price > 0"
        lines = repr(one).splitlines()
        assert lines[0].startswith("The mean of price is ") and lines[1].split() == ["value", "contribution"]
        assert sorted(line.split()[0] for line in lines[2:]) == sorted(one.feature_names)
        assert "mean size" in repr(some) and repr(region).startswith("The probability of price > 0 is ")

    def test_tables(self, model):
        assert "CRPS" in model.fit_report_._repr_html_() and "price" in model.fit_report_._repr_html_()
        assert "2 categories" in model.columns_._repr_html_()
