"""Early questions of new GP topics: how many, on which day, and when they stop."""

import numpy as np
import pytest
from tests.unit.filtering.gp_streams import matrix

from bayesift.filtering import Filter, GPProfile, Row, Strategy, TopicKernel, load_filter, rows_of, save_filter
from bayesift.filtering.early_questions import ANSWERED, EARLY, EARLY_SHARE, FOUND, PAYING, RICH
from bayesift.filtering.topic_lines import TopicLines

X, Y = matrix()
ROWS = list(rows_of(X))
SHARED = TopicKernel(X[:200])


def stream(topics=1, balance=2 / 3):
    """Return a filter of topics that are about one word each."""
    profiles = [GPProfile.start(f"t{t}", SHARED, statement=Row.of({2 + 4 * t: 1.0})) for t in range(topics)]
    return Filter(profiles, Strategy("daily", balance=balance, random_share=0.0), background=ROWS[:200])


def unusual(profile, word):
    """Return a document with a little of the word: unusual enough for an early question, and not probable."""
    rare = TopicLines.of([profile]).score_at(np.array([0]), np.array([EARLY_SHARE]))[0]
    for share in np.linspace(0.0, 1.0, 401)[1:]:
        row = Row.of({word: share, 61: float(np.sqrt(1.0 - share**2))})
        if profile.score(row) > rare + 1e-4:
            break
    return row


def shown(f, n, answer=None, date="2025-01-01"):
    """Process documents; return which topics each was shown to, one after the other."""
    found = []
    for i in range(n):
        t = i % len(f.topics)
        row = unusual(f.topics[t].profile, 2 + 4 * t)
        for outcome in f.process(f"{date}-{f.n_documents}", row, date):
            found.append(outcome.topic)
            if answer is not None:
                f.judge(outcome.topic, outcome.document, answer)
    return found


def test_without_an_answer_there_is_one_per_day():
    f = stream()
    assert shown(f, 5) == ["t0"]
    assert shown(f, 5, date="2025-01-02") == ["t0"]


def test_a_reader_who_wants_precision_is_asked_too():
    f = stream(balance=0.02)
    assert shown(f, 5) == ["t0"]


def test_a_topic_alone_goes_on_after_a_wrong_one_but_not_for_ever():
    f = stream()
    assert (FOUND / (1 + ANSWERED)) >= RICH
    assert len(shown(f, 30, answer=False)) == EARLY


def test_they_stop_where_topics_find_nothing():
    f = stream(topics=12)
    asked = shown(f, 40, answer=False)
    least = PAYING / 3.0
    assert (FOUND / (len(set(asked)) + ANSWERED)) < least
    assert len(set(asked)) < 12
    assert f.decisions.bars.finding < least
    assert not f.decisions.bars.asking_early().any()


def test_an_answer_about_one_topic_counts_for_the_others():
    f = stream(topics=3)
    f.judge("t0", "x", False, ROWS[3])
    low = f.decisions.bars.finding
    f.judge("t1", "x", True, ROWS[3])
    assert f.decisions.bars.finding > low
    f.withdraw("t0", "x")
    assert f.decisions.bars.n_answered == f.decisions.bars.n_found == 1


@pytest.mark.parametrize("answer", [True, False])
def test_a_saved_filter_asks_as_before(tmp_path, answer):
    f = stream(topics=6)
    shown(f, 2, answer=answer)
    save_filter(f, tmp_path / "f.filter")
    again = load_filter(tmp_path / "f.filter")
    for part in ("relevant", "irrelevant", "shown", "today", "score"):
        np.testing.assert_array_equal(getattr(again.decisions.bars, part), getattr(f.decisions.bars, part))
    assert again.decisions.bars.finding == f.decisions.bars.finding
    assert shown(again, 6, answer=False) == shown(f, 6, answer=False)
