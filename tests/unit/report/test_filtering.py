"""The pages of a simulated filter and of a screened pool."""

import re

import numpy as np
import pytest

from bayesift import Document
from bayesift.filtering import ProfileSettings, strategy_of
from bayesift.filtering.screening.pool import Screening
from bayesift.filtering.simulate.simulation import Tally, Trace, simulate
from bayesift.filtering.simulate.stream_task import prepare
from bayesift.report import filtering_page, screening_page

WORDS = {"farm": "Harvests wheats farming", "oil <b>": "Barrels refineries drilling"}


@pytest.fixture(scope="module")
def task():
    rng = np.random.default_rng(0)
    documents = []
    for i in range(120):
        topic = list(WORDS)[i % 2]
        body = " ".join(rng.choice(WORDS[topic].split(), 3)) + f" filler{i % 7}"
        documents.append(Document(str(i), f"Story {i} <i>", body, (topic,)))
    return prepare("stream", documents, 0.3)


@pytest.fixture(scope="module")
def runs(task):
    found = []
    for name in ("none", "rel+ig"):
        strategy, again = strategy_of(name, horizon=len(task.rows))
        trace, _ = simulate(task, list(WORDS), strategy, ProfileSettings(again=again), label=name)
        found.append((trace, strategy))
    return found


def cells(page, heading):
    part = page[page.index(f"<h2>{heading}</h2>") :]
    part = part[: part.index("</section>")]
    rows = [re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row) for row in re.findall(r"<tr>(.*?)</tr>", part, re.S)]
    return rows[0], rows[1:]


def test_measures_have_a_column_per_strategy(task, runs):
    page = filtering_page("T", "s", task, [trace for trace, _ in runs], runs[-1][1]).html()
    header, rows = cells(page, "Measures")
    assert header == ["measure", "none", "rel+ig"]
    assert [row[0] for row in rows] == list(runs[0][0].measures())
    asked = next(row for row in rows if row[0] == "asked")
    assert asked[1:] == ["0", str(sum(t.asked for t in runs[1][0].tallies))]


def test_the_last_documents_have_their_words_as_written(task, runs):
    trace, strategy = runs[-1]
    page = filtering_page("T", "s", task, [trace], strategy).html()
    _, rows = cells(page, "Last documents shown")
    assert len(rows) == min(12, len(trace.shown))
    outcome, relevant = trace.shown[-1]
    topic, action, title, words, *_ = rows[-1]
    assert topic == outcome.topic.replace("<", "&lt;").replace(">", "&gt;")
    assert action == f"{outcome.kind}, {'relevant' if relevant else 'not relevant'}"
    assert title.endswith("&lt;i&gt;")
    text = next(f"{d.title} {d.body}" for d in task.documents if d.id == outcome.document)
    assert all(word.rsplit(" ", 1)[0] in text for word in words.split(", "))


def test_a_run_in_which_nothing_happened_has_a_page(task):
    strategy, _ = strategy_of("none")
    page = filtering_page("T", "s", task, [Trace("none", [Tally("farm", 0)])], strategy).html()
    assert page.count("no data") == 6  # all charts but theta's
    assert "Last documents shown" not in page


def test_problems_are_counted_and_listed(task, runs):
    trace, strategy = runs[-1]
    bad = Trace("x", trace.tallies, trace.moments, problems=["<late>"] * 25, n_problems=40)
    page = filtering_page("T", "s", task, [bad], strategy).html()
    assert "40 " in page[page.index("<h2>Problems") :]
    assert len(cells(page, "Problems")[1]) == 20
    assert "<late>" not in page


def test_the_page_of_a_pool_has_the_estimate_at_the_stop():
    relevant = np.zeros(200, bool)
    relevant[[0, 1, 2, 5, 9, 30]] = True
    screening = Screening(np.arange(200), relevant)
    page = screening_page("T", "s", screening, 20).html()
    estimate = screening.remaining(20)
    assert f"<b>{estimate.low} to {estimate.high}</b>" in page
    assert "<b>5 of 6</b><span>found after 20 of 200 documents</span>" in page
    assert page.count('<svg class="chart"') == 2
