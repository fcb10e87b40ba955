"""Renewing the background of all topics together gives the bytes of one topic at a time."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from tests.unit.filtering.gp_streams import made, matrix, run

from bayesift.filtering import Filter, GPProfile, Strategy, TopicKernel, load_filter, rows_of, save_filter
from bayesift.filtering import gp_profile as module
from bayesift.filtering.bars import Bars
from bayesift.filtering.events import judged
from bayesift.filtering.outcomes import _largest
from bayesift.filtering.random_questions import SOON, RandomQuestions, uniform
from bayesift.filtering.saving import filter_of, filter_state
from bayesift.filtering.topic import Topic
from bayesift.filtering.topic_lines import TopicLines
from bayesift.filtering.topic_ranks import ranked
from bayesift.learn.priors import NOTHING_KNOWN, PriorTerms

X, Y = matrix(400)
ROWS = list(rows_of(X))
FIRST, SECOND = TopicKernel(X[:60]), TopicKernel(X[:350])
WORDS = PriorTerms({"a": (0.7, 0.5), "b": (-0.4, 2.0), "c": (0.3, 0.2)}).to_features({"a": 5, "b": 9, "c": 90}, 91)


def topics(shared=FIRST, n=12):
    """Return topics of all kinds: statements, examples, words, judged documents, and several of these."""
    found = []
    for t in range(n):
        start = {"statement": ROWS[t]} if t % 3 else {"examples": ROWS[t : t + 2]}
        profile = GPProfile.start(f"t{t}", shared, **start, feature_prior=WORDS if t % 4 == 0 else NOTHING_KNOWN)
        for i in range(t):
            profile.apply(judged(profile.name, str(i), bool(Y[20 + i, 0]), ROWS[20 + i], chance=0.5 if i % 2 else 1.0))
        found.append(profile)
    return found


def parts(profile):
    """Return all that decisions depend on, as bytes."""
    tail, line = profile.calibration
    numbers = [*tail, line.slope, line.offset, *line.covariance.ravel(), *profile.field(ROWS[7])]
    arrays = [profile.terms, profile.weights, profile.dense, profile.usual]
    return [array.tobytes() for array in (*arrays, np.array(numbers))]


def test_topics_learn_together_what_each_learns_alone(monkeypatch):
    together, alone = topics(), topics()
    GPProfile.rebase(together, SECOND)
    for profile in alone:
        GPProfile.rebase([profile], SECOND)
    fresh = topics(SECOND)
    assert [parts(p) for p in together] == [parts(p) for p in alone] == [parts(p) for p in fresh]
    monkeypatch.setattr(module, "TOGETHER", 5)
    blocks = topics()
    GPProfile.rebase(blocks, SECOND)
    assert [parts(p) for p in blocks] == [parts(p) for p in alone]


@pytest.mark.parametrize("order", [range(12), [*range(5, 12), *range(5)], [3], []])
def test_what_topics_have_learned_is_that_of_each(monkeypatch, order):
    monkeypatch.setattr(module, "TOGETHER", 5)
    found = topics()
    GPProfile.rebase(found, SECOND)
    found[6].apply(judged("t6", "x", True, ROWS[33]))
    some = [found[i] for i in order]
    sizes, terms, weights, dense = GPProfile.learned(some)
    assert sizes.tolist() == [profile.terms.size for profile in some]
    assert terms.tobytes() == b"".join(profile.terms.tobytes() for profile in some)
    assert weights.tobytes() == b"".join(profile.weights.tobytes() for profile in some)
    assert dense.tobytes() == b"".join(profile.dense.tobytes() for profile in some)
    assert not any(np.shares_memory(dense, profile.dense) for profile in some)


def test_what_is_learned_after_a_renewal_and_after_loading_is_the_same():
    together = topics()
    GPProfile.rebase(together, SECOND)
    for profile, fresh in zip(together, topics(SECOND), strict=True):
        loaded = GPProfile(profile.name, SECOND, profile.feature_prior).restore(profile.arrays())
        for p in (profile, fresh, loaded):
            p.apply(judged(p.name, "x", True, ROWS[33]))
        assert parts(profile) == parts(fresh) == parts(loaded)


def test_scores_of_the_background_are_those_of_the_profile():
    profile = topics()[5]
    found = profile._regression.of_reference()
    exact = np.array([profile.score(row) for row in rows_of(FIRST.reference)])
    own = {ROWS[i].key for i in (5, *range(20, 25))}
    others = [row.key not in own for row in rows_of(FIRST.reference)]
    assert others.count(False) == len(own)
    np.testing.assert_allclose(found[others], exact[others], atol=2e-6)
    assert profile.usual.tolist() == sorted(found.astype(np.float32).tolist(), reverse=True)


def test_own_documents_among_the_background_score_as_if_they_were_not_learned():
    profile = GPProfile.start("t", FIRST, examples=ROWS[:4], feature_prior=WORDS)
    profile.apply(judged("t", "x", False, ROWS[7]))
    others = GPProfile.start("t", FIRST, examples=[ROWS[0], *ROWS[2:4]], feature_prior=WORDS)
    others.apply(judged("t", "x", False, ROWS[7]))
    (place,) = FIRST.places([ROWS[1].key])[1]
    assert profile._regression.of_reference()[place] == pytest.approx(others.score(ROWS[1]), abs=1e-9)
    assert profile.score(ROWS[1]) > others.score(ROWS[1]) + 0.1


def test_the_order_of_the_topics_and_of_the_documents_changes_no_score():
    found = topics()
    GPProfile.rebase(found, SECOND)
    dense = np.array([p.dense for p in found])
    ends = np.cumsum([0, *(p.terms.size for p in found)])
    terms, weights = np.concatenate([p.terms for p in found]), np.concatenate([p.weights for p in found])
    every = SECOND.reference_scores(dense, ends, terms, weights)
    for t, p in enumerate(found):
        alone = SECOND.reference_scores(p.dense[None], np.array([0, p.terms.size]), p.terms, p.weights)
        assert alone[0].tobytes() == every[t].tobytes()
        backwards = np.array([0, p.terms.size]), p.terms[::-1].copy(), p.weights[::-1].copy()
        assert SECOND.reference_scores(p.dense[None], *backwards).tobytes() == alone.tobytes()


@settings(max_examples=50, deadline=None)
@given(arrays.arrays(np.float64, st.tuples(st.integers(1, 3), st.integers(0, 60)), elements=st.integers(-3, 3)))
def test_ranks_are_those_of_a_sort(scores):
    ranks = ranked(scores)
    np.testing.assert_array_equal(ranks.usual, -np.sort(-scores, axis=1))
    if scores.shape[1]:
        known = scores.shape[1] / (scores.shape[1] + 100.0)
        expected = known * np.quantile(scores, 0.9, axis=1) + (1.0 - known) * 0.02
        np.testing.assert_allclose([tail.begins for tail in ranks.tails], expected, atol=1e-12)


@pytest.mark.parametrize("strategy", [Strategy("daily", random_share=0.5), Strategy("rnd", target=5, horizon=40)])
def test_random_questions_are_those_of_the_sum_of_the_chances(strategy):
    rng = np.random.default_rng(0)
    bars = Bars(strategy, TopicLines(200))
    bars.shown, bars.drawn = rng.integers(0, 9, 200), rng.integers(0, 2, 200)
    bars.day, bars.today = "2025-01-01", rng.integers(0, 40, 200)
    questions, found = RandomQuestions(strategy, bars, 3), set()
    for seen in range(1, 400):
        if strategy.name == "rnd":
            chances = np.maximum(5 - bars.shown, 0.0) / 40
        else:
            wanted = np.maximum(strategy.random_share * (bars.shown + 1.0) - bars.drawn, 0.0)
            chances = wanted / (seen + SOON) * (bars.today < bars.per_day)
        t = int(np.searchsorted(np.cumsum(chances), uniform(3, seen), side="right"))
        expected = (t, chances[t]) if t < 200 else (-1, 0.0)
        assert questions.ask(seen) == pytest.approx(expected)
        found.add(expected[0])
        if seen % 3 == 0:  # a document is shown
            some = rng.permutation(200)[:5]
            questions.before(some)
            bars.show(some, some % 5 == 0, seen)
            questions.after(some)
        if seen % 50 == 0:
            bars.today[:] = 0
            questions.forget()
    assert len(found) > 3
    assert RandomQuestions(Strategy("none"), bars, 3).ask(1)[0] == -1


def test_a_new_day_sets_the_bars_that_each_topic_would_set():
    stream, rows, Y = made(per_day=2, balance=0.9)
    stream.set_own("t1", 7, 0.4)
    run(stream, rows, Y, end=139)
    stream.receive("140", rows[140], "2025-02-01")
    bars = stream.decisions.bars
    together = bars.score.tobytes()
    for t in range(len(stream.topics)):
        bars.update(np.array([t]), stream.n_documents)
    assert bars.score.tobytes() == together
    assert np.isfinite(bars.score).all()


def test_many_topics_saved_between_two_renewals_go_on_to_the_byte(tmp_path):
    def started():
        return Filter(topics(), Strategy("daily", per_day=3, balance=0.8), background=ROWS[:60], seed=1)

    whole, first = started(), started()
    documents = [(str(i), row, f"2025-01-{1 + i // 20:02}") for i, row in enumerate(ROWS[60:340])]
    expected = whole.process_many(documents)
    shown = first.process_many(documents[:100])  # renewed at 64 and 128, then at 256
    save_filter(first, tmp_path / "a.filter")
    loaded = load_filter(tmp_path / "a.filter")
    assert shown + loaded.process_many(documents[100:]) == expected
    assert len(expected) > 10
    assert [parts(t.profile) for t in loaded.topics] == [parts(t.profile) for t in whole.topics]
    save_filter(loaded, tmp_path / "b.filter")
    save_filter(whole, tmp_path / "c.filter")
    assert (tmp_path / "b.filter").read_bytes() == (tmp_path / "c.filter").read_bytes()


def test_restored_topics_learn_when_they_are_needed_and_the_same():
    stream = Filter(topics(), Strategy("daily", per_day=3, balance=0.8), background=ROWS[:60], seed=1)
    documents = [(str(i), row, f"2025-01-{1 + i // 20:02}") for i, row in enumerate(ROWS[60:160])]
    stream.process_many(documents[:70])  # renewed at 128, so that the kernel is not that of the start
    loaded = filter_of(filter_state(stream), None)

    def learned():
        return [t.name for t in loaded.topics if "own" in vars(t.profile)]

    assert learned() == []
    assert loaded.topics[5].profile.probability(ROWS[3]) == stream.topics[5].profile.probability(ROWS[3])
    assert learned() == ["t5"]
    assert parts(loaded.topics[5].profile) == parts(stream.topics[5].profile)
    for one in (stream, loaded):
        one.judge("t7", "new", True, ROWS[4])
    assert len(learned()) == 12
    assert loaded.decisions.bars.score.tobytes() == stream.decisions.bars.score.tobytes()
    assert loaded.process_many(documents[70:]) == stream.process_many(documents[70:])
    assert [parts(t.profile) for t in loaded.topics] == [parts(t.profile) for t in stream.topics]


@pytest.mark.parametrize("change", [("remove", "t3"), ("rename", "t3", "x"), ("set_own", "t3", 1, 0.9)])
def test_restored_topics_can_change_before_they_are_needed(change):
    stream = Filter(topics(), Strategy("daily", per_day=3, balance=0.8), background=ROWS[:60], seed=1)
    documents = [(str(i), row, f"2025-01-{1 + i // 20:02}") for i, row in enumerate(ROWS[60:160])]
    stream.process_many(documents[:70])
    loaded = filter_of(filter_state(stream), None)
    for one in (stream, loaded):
        getattr(one, change[0])(*change[1:])
    assert loaded.process_many(documents[70:]) == stream.process_many(documents[70:])
    for one in (stream, loaded):
        one.add(Topic(GPProfile.start("new", one.shared, statement=ROWS[2])))
        one.refresh()
    assert loaded.decisions.bars.score.tobytes() == stream.decisions.bars.score.tobytes()


@given(arrays.arrays(np.float64, st.integers(0, 30), elements=st.integers(-4, 4)))
def test_the_words_that_explain_are_those_of_a_stable_sort(share):
    best, amounts = _largest(np.arange(share.size, dtype=np.int32), share)
    np.testing.assert_array_equal(best, np.argsort(-np.abs(share), kind="stable")[:8])
    np.testing.assert_array_equal(amounts, share[best])
