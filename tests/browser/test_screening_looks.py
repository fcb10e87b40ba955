"""The pages of a review, wide and narrow, light and dark, zoomed, empty and with odd text, checked with axe."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.browser.conftest import running
from tests.browser.test_looks import VIEWS, problems
from tests.service.literature import literature

from bayesift.filtering.screening.records import Record
from bayesift.filtering.screening.review import Review

LONG = "statins " + "a" * 300 + " https://example.org/" + "x" * 200
RTL = "الستاتين statins للبالغين"
PAGES = (
    "/", "/screen/abstract", "/screen/abstract?at=rtl", "/screen/abstract?at=long", "/screen/abstract?order=date",
    "/screen/full-text", "/records", "/records?q=statins", "/records/r1", "/records/long", "/conflicts", "/duplicates",
    "/history", "/files", "/settings", "/people", "/api/docs", "/nothing",
)  # fmt: skip
EMPTY = ("/", "/screen/abstract", "/screen/full-text", "/records", "/conflicts", "/duplicates", "/history")


@pytest.fixture
def site(tmp_path) -> Iterator[str]:
    """Return the address of a review with conflicts, duplicates, long words and right-to-left text."""
    odd = [
        Record("rtl", RTL, RTL * 20, authors=(RTL,), journal=RTL, year=2020, source="ar.ris:1"),
        Record("long", LONG, LONG * 3, authors=("A" * 100,) * 9, doi="10.1/" + "z" * 200, source="f" * 150 + ".ris:1"),
        Record("long-twin", LONG, "", source="g.ris:1"), Record("bare", source="g.ris:2"),
    ]  # fmt: skip
    criteria = f"# {LONG}\n- {RTL}\n\n" + "- one of many\n" * 40
    with Review.create(
        tmp_path / "odd.db", [*odd, *literature(30)], question=LONG, criteria=criteria, reviewers=2,
        reasons=["wrong population", "w" * 100, RTL],
    ) as review:  # fmt: skip
        for who, decision in (("ada", "include"), ("b" * 60, "exclude")):
            for id in ("r0", "long"):
                review.decide(id, decision, who=who, note=LONG, tags=["t" * 100, RTL])
            review.decide("r1", "include", who=who)
    with running(tmp_path / "odd.db") as found:
        yield found


@pytest.mark.parametrize("view", VIEWS)
def test_pages_are_accessible_and_fit(browser, site, view):
    assert problems(browser, site, PAGES, view) == []


@pytest.mark.parametrize("view", ["wide", "narrow"])
def test_empty_review(browser, tmp_path, view):
    Review.create(tmp_path / "empty.db").close()
    with running(tmp_path / "empty.db") as site:
        assert problems(browser, site, EMPTY, view) == []


def test_stopping_banner_has_contrast(browser, tmp_path):
    with Review.create(tmp_path / "s.db", literature(9), rule={"method": "share", "share": 0.1}) as review:
        review.decide("r1", "include", who="ada")
    with running(tmp_path / "s.db") as site:
        for view in ("wide", "dark"):
            assert problems(browser, site, ("/", "/screen/abstract"), view) == []
