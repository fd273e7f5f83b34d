"""README.md and docs/results.md have the scores of the committed results."""

from __future__ import annotations

import pytest
from tables import results
from tables.__main__ import RESULTS
from tables.pages import PAGES, PART, filled
from tables.report import compose
from tables.summary import Summary


@pytest.fixture(scope="module")
def summary() -> Summary:
    return Summary(results.read(RESULTS / "results.jsonl").values())


@pytest.mark.parametrize("page", PAGES, ids=lambda path: path.name)
def test_pages_have_the_committed_scores(page, summary):
    text = page.read_text()
    assert PART.search(text) and filled(text, summary) == text


def test_report_has_the_committed_scores(summary):
    assert (RESULTS / "report.md").read_text() == "\n".join(compose(summary)) + "\n"


def test_only_parts_are_filled(summary):
    page = "before\n<!-- tables: verdict -->\nold\n<!-- /tables -->\nafter\n"
    text = filled(page, summary)
    assert text.startswith("before\n<!-- tables: verdict -->\nMirrorball has") and text.endswith("<!-- /tables -->\nafter\n")
    assert "old" not in text and filled(text, summary) == text
