"""The pool ranker: judgements in any order, records that come later, explanations, and what is refused."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.unit.filtering.screening.records_of_two_kinds import records
from threadpoolctl import threadpool_info

from bayesift.errors import BadInput, NotFound
from bayesift.filtering.screening.judged_rows import JudgedRows
from bayesift.filtering.screening.pool_ranker import PoolRanker

TEXTS, TRUTH = records(60)
RANKER = PoolRanker(TEXTS, question="word21 word25", seed=3)


def same(one, other):
    """Whether two rankers are in the same state, to the byte."""
    return (
        one.scores().tobytes() == other.scores().tobytes()
        and one.probabilities().tobytes() == other.probabilities().tobytes()
        and one.order().tolist() == other.order().tolist()
    )


judgements = st.lists(st.tuples(st.integers(0, 59), st.booleans()), max_size=12)


@settings(max_examples=25, deadline=None)
@given(judgements, st.randoms())
def test_one_by_one_is_all_at_once_in_any_order(judged, chance):
    last = dict(judged)
    together, singly = RANKER.unjudged(), RANKER.unjudged()
    for record, relevant in judged:
        singly.judge(record, relevant)
        assert record not in singly.order()
    mixed = list(last.items())
    chance.shuffle(mixed)
    together.learn([i for i, _ in mixed], np.array([y for _, y in mixed], bool))
    assert same(singly, together)
    assert not np.isin(singly.order(), list(last)).any()
    assert singly.order().size == 60 - len(last)


@settings(max_examples=15, deadline=None)
@given(judgements.filter(len), st.data())
def test_a_withdrawn_judgement_was_never_given(judged, data):
    last = dict(judged)
    gone = data.draw(st.sampled_from(sorted(last)))
    one, other = RANKER.unjudged(), RANKER.unjudged()
    for record, relevant in judged:
        one.judge(record, relevant)
    one.scores()
    one.withdraw(gone)
    for record, relevant in last.items():
        if record != gone:
            other.judge(record, relevant)
    assert same(one, other)


def test_records_that_come_later_are_as_if_there_from_the_start():
    late = PoolRanker(TEXTS[:35], question="word21 word25", seed=3)
    for ranker, some in ((late, range(20)), (whole := RANKER.unjudged(), range(20))):
        ranker.learn(list(some), TRUTH[:20])
    late.add(TEXTS[35:50])
    late.add(TEXTS[50:])
    assert late.size == 60
    assert same(late, whole)


def test_stored_vectors_give_the_same_ranker_and_take_later_records():
    again = PoolRanker.from_vectors(RANKER.vectors(), question="word21 word25", seed=3)
    one = RANKER.unjudged()
    for ranker in (again, one):
        ranker.learn([0, 1, 5], TRUTH[[0, 1, 5]])
    assert same(again, one)
    again.add([("word21 unheard", "")])
    assert again.size == 61
    assert RANKER.size == 60


def test_terms_are_as_written_in_the_record_or_most_often_in_the_pool():
    texts = [
        ("Statins and stroke", "The statin."),
        ("Statin trials", "<b>statin</b> in a trial"),
        ("Asthma trials", ""),
    ]
    ranker = PoolRanker(texts)
    ranker.learn([0, 2], [True, False])
    here = [word for word, _ in ranker.explain(1, texts=texts[1])[0]]
    assert "statin" in here
    assert "statins" not in here
    assert {"statin", "statins"} <= {word for word, _ in ranker.explain(0, texts=texts[0])[0]}
    assert "trials" in [word for word, _ in ranker.explain(1)[1]]
    assert "statin" in dict(ranker.terms())


def test_relevant_records_come_first():
    ranker = RANKER.unjudged()
    ranker.learn(range(20), TRUTH[:20])
    order = ranker.order()
    assert TRUTH[order[:6]].mean() > 2 * TRUTH[order].mean()
    p = ranker.probabilities()
    assert ((p > 0) & (p < 1)).all()
    assert (np.argsort(-p[order], kind="stable") == np.arange(order.size)).all()
    assert ranker.order(5).tolist() == order[:5].tolist()


def test_before_the_first_judgement_the_question_or_the_seed_decides():
    first = RANKER.unjudged().order(3)
    assert all("word21" in " ".join(TEXTS[i]) or "word25" in " ".join(TEXTS[i]) for i in first)
    drawn = PoolRanker(TEXTS, seed=1)
    assert sorted(drawn.order().tolist()) == list(range(60))
    assert drawn.order().tolist() == PoolRanker(TEXTS, seed=1).order().tolist()
    assert drawn.order().tolist() != PoolRanker(TEXTS, seed=2).order().tolist()
    assert (drawn.scores() == 0).all()


@pytest.mark.parametrize("relevant", [True, False])
def test_judgements_of_one_class_are_enough(relevant):
    ranker = PoolRanker(TEXTS)
    ranker.learn([0, 1], [relevant, relevant])
    assert np.isfinite(ranker.scores()).all()
    assert np.isfinite(ranker.probabilities()).all()


@pytest.mark.parametrize("texts", [[], [("", "")], [("", ""), ("a", "b")], [("same words", "")] * 5])
def test_pools_with_little_in_them(texts):
    ranker = PoolRanker(texts, question="same")
    ranker.learn(range(min(1, len(texts))), [True] * min(1, len(texts)))
    assert ranker.order().size == max(0, len(texts) - 1)
    assert np.isfinite(ranker.probabilities()).all()
    ranker.add([("more words", "of another record")])
    assert ranker.size == len(texts) + 1
    assert np.isfinite(ranker.scores()).all()


def test_words_for_and_against():
    texts = [("statins stroke", ""), ("statins asthma", ""), ("asthma", "children"), ("stroke", "children")]
    ranker = PoolRanker(texts)
    ranker.learn([0, 2], [True, False])
    good, bad = ranker.explain(1, 2)
    assert good[0][0] == "statins"
    assert bad[0][0] == "asthma"
    assert all(part > 0 for _, part in good + bad)
    assert {name for name, _ in ranker.terms(2)} == {"statins", "stroke"}
    assert PoolRanker(TEXTS).terms(5) == []
    assert ranker.explain(1, 0) == ([], [])


def test_what_is_wrong_is_named():
    ranker = PoolRanker(TEXTS[:5])
    for call, reason in [
        (lambda: ranker.judge(5, True), "out of range; give whole numbers below 5"),
        (lambda: ranker.judge(-1, True), "out of range"),
        (lambda: ranker.learn([0.5], [True]), "out of range"),
        (lambda: ranker.learn([0, 1], [True]), "one true or false per record"),
        (lambda: ranker.learn([0], ["yes"]), "one true or false per record"),
        (lambda: ranker.learn([0], [2]), "one true or false per record"),
        (lambda: ranker.explain(9), "out of range"),
        (lambda: ranker.order(-1), "count is -1"),
        (lambda: PoolRanker(TEXTS, seed=-1), "the random seed is -1"),
        (lambda: PoolRanker([("title", None)]), "record 0 is not a title and an abstract"),
        (lambda: ranker.add(["title"]), "record 5 is not a title and an abstract"),
        (lambda: PoolRanker.from_vectors({"indptr": np.zeros(1)}), "the stored vectors lack 'indices'"),
        (lambda: PoolRanker.from_vectors(ranker.vectors() | {"made_of": "words"}), "vectors have other terms"),
    ]:
        with pytest.raises(BadInput, match=reason):
            call()
    with pytest.raises(NotFound, match="record 3 is not judged"):
        ranker.withdraw(3)
    assert ranker.size == 5
    assert (ranker.scores() == 0).all()


def test_a_judgement_is_learned_in_one_thread(monkeypatch):
    seen = []
    solve = JudgedRows.solve

    def watched(self, targets):
        seen.append({library["num_threads"] for library in threadpool_info() if library["user_api"] == "blas"})
        return solve(self, targets)

    monkeypatch.setattr(JudgedRows, "solve", watched)
    ranker = PoolRanker([("wheat", "corn"), ("oil", "gas"), ("wheat", "harvest")])
    ranker.judge(0, True)
    ranker.order()
    assert seen == [{1}]
