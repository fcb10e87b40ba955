"""The report of a review: counts that add up, text that can be printed, and nothing that breaks on an empty one."""

import re

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bayesift.filtering.screening.summary import (
    AgreementSummary,
    EstimatePoint,
    Flow,
    ListCounts,
    ReviewSummary,
)
from bayesift.report import review_page
from bayesift.report.methods import methods_text
from bayesift.report.prisma import flow_diagram

LONG = "Wrong population: " + "participants below the age of eighteen, " * 8
FLOW = Flow(
    identified={"a.ris": 60, "<b>.csv": 40},
    duplicates=10,
    unreadable=1,
    abstract=ListCounts(included=12, excluded={LONG: 20, "": 3, "design": 5}, maybe=2, conflicts=1),
    full_text=ListCounts(included=4, excluded={"no outcome": 5}),
    not_retrieved=2,
)
SUMMARY = ReviewSummary(
    name="Statins <in> HIV",
    question="Do statins help?",
    criteria="# Include\n- adults & *children*\n- <b>trials</b>",
    reviewers=("Ann", "Bob"),
    blind=True,
    flow=FLOW,
    relevant=(True, False) * 21 + (False,),
    sources=("known",) + ("ranked",) * 40 + ("random",) * 2,
    estimates=(EstimatePoint(20, 5.0, 1, 12), EstimatePoint(43, 1.5, 0, 4)),
    rule="stop when, with 95 % certainty, at least 95 % are found",
    stopping="at least 84 % are found with 95 % certainty",
    stopped=True,
    agreement=(AgreementSummary("abstract", "Ann", "Bob", 0.8, 0.7, 0.9, {"include": {"include": 5, "exclude": 1}}),),
    terms=(("statin", 2.0), ("mice", -1.0)),
    ranker="Gaussian process regression",
    seed=3,
    versions={"bayesift": "1.0"},
)


def words(html: str) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<style>.*?</style>|<script>.*?</script>|<[^>]+>", " ", html, flags=re.DOTALL))


def test_every_count_of_the_flow_is_shown():
    text = words(flow_diagram(FLOW, stopped=True))
    for part in (
        "Records identified (n = 100)", "a.ris (n = 60)", "&lt;b&gt;.csv (n = 40)",
        "Records removed before screening (n = 11)", "duplicates (n = 10)", "entries that could not be read (n = 1)",
        "Records to screen (n = 89)", "Records screened by title and abstract (n = 43)",
        "Records not screened: stopping rule (n = 46)", "Records excluded (n = 28)", "design (n = 5)",
        "no reason given (n = 3)", "Records undecided (n = 3)", "Reports sought for retrieval (n = 12)",
        "Reports not retrieved (n = 2)", "Reports not assessed yet (n = 1)", "Reports assessed for eligibility (n = 9)",
        "Reports excluded (n = 5)", "Reports included in the review (n = 4)",
    ):  # fmt: skip
        assert part in text
    assert "not screened yet" in words(flow_diagram(FLOW))


counts = st.builds(
    ListCounts,
    included=st.integers(0, 50),
    excluded=st.dictionaries(st.text(max_size=5), st.integers(0, 50), max_size=4),
    maybe=st.integers(0, 9),
    conflicts=st.integers(0, 9),
)


@given(abstract=counts, unread=st.integers(0, 99), duplicates=st.integers(0, 99), full=st.none() | counts)
def test_the_flow_adds_up(abstract, unread, duplicates, full):
    flow = Flow(
        identified={"a": abstract.read + unread, "b": duplicates},
        duplicates=duplicates,
        abstract=msgspec.structs.replace(abstract, included=full.read) if full else abstract,
        full_text=full,
    )
    flow = msgspec.structs.replace(flow, identified={"a": flow.screened + unread, "b": duplicates})
    assert flow.identified_in_all == flow.duplicates + flow.screened + flow.not_screened
    assert flow.not_screened == unread
    assert flow.not_assessed == 0
    assert words(review_page(ReviewSummary(flow=flow)).html())


def test_the_page_says_all_that_a_methods_section_needs():
    text = words(review_page(SUMMARY).html())
    for part in (
        "Do statins help?", "Gaussian process regression", "random seed", "stop when, with 95 % certainty",
        "At least 84 % are found with 95 % certainty.", "0.80 (95 % interval 0.70 to 0.90)", "statin", "mice",
        "bayesift 1.0", "blind to each other", "40 in the order of the ranking, 2 drawn at random, 1 known beforehand",
        "adults &amp; children", "0 to 4",
    ):  # fmt: skip
        assert part in text, part
    assert "Statins &lt;in&gt; HIV" in text


def test_criteria_are_shown_as_headings_and_lists_and_html_in_them_is_text():
    html = review_page(SUMMARY).html()
    assert "<h3>Include</h3><ul><li>adults &amp; <em>children</em></li><li>&lt;b&gt;trials&lt;/b&gt;</li></ul>" in html
    assert "# Include" not in html


def test_an_empty_review_has_a_page():
    page = review_page(ReviewSummary())
    text = words(page.html())
    assert "Nothing has been read yet." in text
    assert "Records identified (n = 0)" in text
    assert "nan" not in text.lower().replace("finance", "")
    assert page.html() == review_page(ReviewSummary()).html()


def test_kappa_that_is_not_defined_is_said_to_be_so():
    nan = float("nan")
    agreement = AgreementSummary("full-text", "Ann", "Bob", nan, nan, nan, {"include": {"include": 2}})
    assert "kappa of Ann and Bob on full texts was not defined" in " ".join(
        methods_text(ReviewSummary(agreement=(agreement,)))
    )


@pytest.mark.parametrize("number", [0, 1, 2])
def test_the_methods_text_agrees_with_its_numbers(number):
    flow = Flow(
        identified={"a.ris": 3 * number},
        duplicates=number,
        unreadable=number,
        abstract=ListCounts(included=number),
    )
    text = " ".join(methods_text(ReviewSummary(flow=flow)))
    assert not re.search(r"\b1 (records|duplicates|entries)\b|\b[02] (record|duplicate|entry)\b", text)
    assert not re.search(r"\b1 \w+ were\b|\b2 \w+ was\b", text)


def test_chart_holds_the_whole_estimate_and_cuts_only_the_band():
    from bayesift.report.charts import Series
    from bayesift.report.review import _top

    curve = Series("found", [0, 10], [0.0, 5.0])
    assert _top([curve, Series("all", [1], [40.0], low=[5.0], high=[900.0])]) == (0.0, 40.0)
    assert _top([curve, Series("all", [1], [6.0], low=[5.0], high=[900.0])]) == (0.0, 15.0)
    assert _top([curve]) == (0.0, 5.0)


def test_words_have_an_axis_with_a_label_and_bars_without_the_style_of_text():
    html = review_page(SUMMARY).html()
    assert html.count(">weight</text>") == 2
    assert re.search(r"(?<!span)\.bar\{", html) is None
