"""Decisions of GP topics: daily, target, random questions; index, saving and replay."""

from types import SimpleNamespace

import numpy as np
import pytest
from tests.unit.filtering.gp_streams import made, run
from tests.unit.filtering.streams import same
from threadpoolctl import threadpool_info

from bayesift.errors import BadInput
from bayesift.filtering import (
    Filter,
    GPProfile,
    Profile,
    Row,
    Strategy,
    load_filter,
    reference_scores,
    save_filter,
    score_index,
    topic_kernel,
)
from bayesift.filtering.outcomes import contributions
from bayesift.filtering.score_index import ScoreIndex
from bayesift.filtering.strategies import GP_ONLY
from bayesift.filtering.topic_lines import TopicLines


def exact(stream, row):
    return [topic.profile.score(row) for topic in stream.topics]


def test_the_index_has_the_scores_of_the_profiles():
    stream, rows, Y = made()
    run(stream, rows, Y, end=150)
    index, shared = stream.decisions.index, stream.shared
    features = np.array([shared.features(row) for row in rows[:20]])
    np.testing.assert_allclose(index.scores(rows[:20], features), [exact(stream, row) for row in rows[:20]], atol=1e-5)
    new = ScoreIndex(GPProfile.learned([topic.profile for topic in stream.topics]), shared)
    np.testing.assert_allclose(index.scores(rows[:20], features), new.scores(rows[:20], features), atol=1e-6)


def test_products_of_many_topics_take_one_thread(monkeypatch):
    monkeypatch.setattr(score_index, "FEW", 0)
    seen = []
    for module in (score_index, reference_scores):
        numpy = SimpleNamespace(**vars(np))
        numpy.matmul = lambda *a, **k: seen.append(threads_of_blas()) or np.matmul(*a, **k)
        monkeypatch.setattr(module, "np", numpy)
    stream, rows, Y = made()
    run(stream, rows, Y, end=60)
    assert len(seen) > 60
    assert set(seen) == {1}


def threads_of_blas():
    return max(library["num_threads"] for library in threadpool_info() if library["user_api"] == "blas")


@pytest.mark.parametrize("most", [1, topic_kernel.MOST_WEAK])
def test_many_topics_are_scored_in_fewer_dimensions_and_decide_the_same(monkeypatch, most):
    monkeypatch.setattr(topic_kernel, "MOST_WEAK", most)
    expected = run(*made(balance=0.8))
    monkeypatch.setattr(score_index, "MANY", 1)
    stream, rows, Y = made(balance=0.8)
    assert run(stream, rows, Y) == expected
    shared = stream.shared
    high = stream.decisions.index.scores(rows[:40], shared.features_of_rows(rows[:40]))
    low = np.array([exact(stream, row) for row in rows[:40]])
    assert stream.decisions.index.dense.shape[1] < shared.n_dense
    assert (high > low - 1e-5).all()
    assert (high - low).mean() < 0.05
    if most == 1:  # with more weight of the weak negatives, scores differ less
        assert low.std() > 0.2


@pytest.mark.parametrize("one_in", [1, 2, 1000])
def test_frequent_terms_have_the_weights_of_the_profiles(monkeypatch, one_in):
    monkeypatch.setattr(score_index, "MANY", 1)
    monkeypatch.setattr(score_index, "ONE_IN", one_in)
    monkeypatch.setattr(score_index, "BLOCK", 2)
    stream, rows, Y = made()
    monkeypatch.setattr(type(stream), "renew_background", lambda self: None)  # the index follows every answer
    run(stream, rows, Y, end=150)
    for document in list(stream.topics[0].answers)[::2]:
        stream.withdraw("t0", document)
    index, features = stream.decisions.index, stream.shared.features_of_rows(rows[:20])
    new = ScoreIndex(GPProfile.learned([topic.profile for topic in stream.topics]), stream.shared)
    np.testing.assert_allclose(index.scores(rows[:20], features), new.scores(rows[:20], features), atol=1e-6)
    assert new.frequent.any(axis=1).all()
    assert np.count_nonzero(new.place >= 0) == len(new.frequent) > 0


def test_a_batch_may_be_prepared_while_another_document_is_decided():
    stream, rows, Y = made()
    run(stream, rows, Y, end=100)
    expected = [scores.copy() for _, scores in stream.decisions.prepared(rows[100:110])]
    batch = stream.decisions.prepared(rows[100:110])
    stream.decide("other", rows[200])
    np.testing.assert_array_equal([scores for _, scores in batch], expected)


def test_a_revised_answer_leaves_nothing_in_the_index():
    stream, *_ = made()
    before = stream.decisions.index.length.copy()
    stream.judge("t0", "x", True, Row.of({70: 0.5, 90: 0.5}))
    assert stream.decisions.index.length.sum() > before.sum()
    stream.withdraw("t0", "x")
    after = stream.decisions.index.length
    np.testing.assert_array_equal(after[: before.size], before)
    assert after[before.size :].sum() == 0


def test_daily_shows_what_is_relevant_and_learns():
    stream, rows, Y = made()
    shown = run(stream, rows, Y)
    hits = sum(bool(Y[int(o.document), stream.number[o.topic]]) for o in shown)
    assert hits > 0.5 * len(shown) > 0
    assert hits > 0.6 * Y.sum()
    assert all(o.interval[0] <= o.probability <= o.interval[1] for o in shown)


def test_no_more_than_per_day_is_shown():
    stream, rows, Y = made(per_day=2, balance=0.95)
    days = {}
    for outcome in run(stream, rows, Y):
        key = outcome.topic, int(outcome.document) // 20
        days[key] = days.get(key, 0) + 1
    assert max(days.values()) == 2


def test_balance_goes_from_precision_to_recall():
    shown = [len(run(*made(balance=balance))) for balance in (0.1, 0.5, 0.9)]
    assert shown[0] < shown[1] < shown[2]


def test_scores_words_and_probabilities_of_all_topics_are_those_of_each_to_the_byte():
    stream, rows, Y = made()
    every = np.arange(len(stream.topics))
    for end in (0, 60, 200):
        run(stream, rows, Y, end=end)
        weights, lines = stream.decisions.weights, stream.decisions.lines
        for row in rows[:20]:
            scores = weights.scores(every, row, stream.shared.features(row))
            n, columns, amounts = weights.words(every, row)
            p = lines.probabilities(every, scores)
            fields = lines.fields(every, scores, p)
            levels = lines.levels(every, np.full(every.size, 0.4))
            for t, topic in enumerate(stream.topics):
                profile = topic.profile
                assert scores[t] == profile.score(row)
                assert p[t] == profile.probability(row)
                assert (fields[0][t], fields[1][t]) == profile.field(row)
                assert levels[t] == profile.level(0.4)
                best, added = contributions(profile, row)
                assert columns[t, : n[t]].tolist() == best.tolist()
                assert amounts[t, : n[t]].tolist() == added.tolist()


def test_target_shows_as_many_as_wanted_whatever_comes():
    stream, rows, Y = made(Strategy("target", target=30, horizon=300))
    run(stream, rows, Y)
    assert [topic.profile.counters.shown for topic in stream.topics] == [30, 30, 30]


def test_t9p_goes_on_with_documents_above_the_precision_so_far():
    stream, rows, Y = made(Strategy("t9p", target=12, horizon=100))
    shown = run(stream, rows, Y)
    counts = dict.fromkeys(stream.number, (0, 0))
    later = 0
    for outcome in shown:
        relevant, n = counts[outcome.topic]
        if n >= 12:
            assert outcome.probability > (relevant + 0.5) / (n + 1.0)
            later += 1
        truth = Y[int(outcome.document), stream.number[outcome.topic]]
        counts[outcome.topic] = relevant + int(truth), n + 1
    assert all(n >= 12 for _, n in counts.values())
    assert later > 5


def test_random_questions_have_their_chance_and_can_be_estimated():
    stream, rows, Y = made(random_share=0.9, per_day=10_000)
    shown = run(stream, rows, Y)
    drawn = [o for o in shown if o.source == "random"]
    assert drawn
    assert all(0.0 < o.chance < 1.0 and o.kind == "asked" for o in drawn)
    topic = stream.topics[0]
    assert {event.chance for event in topic.surviving if event.source == "random"} <= {o.chance for o in drawn}
    estimate = topic.estimate()
    assert 0.0 < estimate.recall <= 1.0
    assert estimate.found == topic.profile.counters.relevant


def test_the_score_at_the_top_of_the_background_follows_its_tail():
    lines, rng = TopicLines(1), np.random.default_rng(0)
    errors = []
    for _ in range(50):
        lines.usual[0] = np.sort(rng.exponential(0.1, 2000))[::-1].astype(np.float32)
        lines.sizes[0] = 2000
        smooth = [lines.smooth_score_at(0, share) for share in (0.001, 0.02, 0.1)]
        assert smooth[1:] == [lines.usual[0][40], lines.usual[0][200]]
        errors.append((smooth[0] - 0.1 * np.log(1000), lines.usual[0][2] - 0.1 * np.log(1000)))
    assert np.std(errors, axis=0)[0] < 0.9 * np.std(errors, axis=0)[1]
    assert abs(np.mean(errors, axis=0)[0]) < 0.02
    lines.usual[0], lines.sizes[0] = lines.usual[0][:100], 100  # too few for a tail
    assert lines.smooth_score_at(0, 0.015) == lines.usual[0][1]


def test_the_score_at_a_share_is_a_rank_and_beyond_it_the_tail():
    profile = made()[0].topics[0].profile
    lines = TopicLines.of([profile])
    rank, tail, everything = lines.score_at(np.zeros(3, np.int64), np.array([0.1, 1e-5, 1.0]))
    assert rank == profile.usual[20]
    assert tail > profile.usual[0]
    assert everything == -np.inf


def test_learners_do_not_mix_and_strategies_of_perceptrons_are_refused():
    stream, *_ = made()
    gp = stream.topics[0].profile
    with pytest.raises(BadInput, match="not for the learner gp"):
        Filter([gp], Strategy("ig"))
    with pytest.raises(BadInput, match="another learner"):
        Filter([gp, Profile.start("p", statement=Row.of({0: 1.0}))], Strategy("target"))
    for name in GP_ONLY:
        with pytest.raises(BadInput, match=f"'{name}' is for the learner gp"):
            Filter([Profile.start("p", statement=Row.of({0: 1.0}))], Strategy(name))


def test_the_background_is_renewed_when_the_stream_is_four_times_as_long():
    stream, rows, Y = made()
    first = stream.shared
    run(stream, rows, Y, end=len(rows) - 1)
    assert stream.shared is first
    stream.background.seen = 511
    run(stream, rows, Y, begin=len(rows) - 1)
    assert stream.shared is not first
    assert all(topic.profile.shared is stream.shared for topic in stream.topics)


@pytest.mark.parametrize(
    "strategy",
    [
        None,
        Strategy("target", target=30, horizon=300),
        Strategy("t9p", target=12, horizon=100),
        Strategy("none"),
    ],
)
def test_a_saved_filter_goes_on_as_if_it_had_never_stopped(tmp_path, strategy):
    whole, rows, Y = made(strategy)
    expected = run(whole, rows, Y)
    stream, *_ = made(strategy)
    first = run(stream, rows, Y, end=130)
    save_filter(stream, tmp_path / "a.filter")
    loaded = load_filter(tmp_path / "a.filter")
    assert first + run(loaded, rows, Y, begin=130) == expected
    for mine, theirs in zip(loaded.topics, whole.topics, strict=True):
        assert same(mine.profile, theirs.profile)
    save_filter(loaded, tmp_path / "b.filter")
    save_filter(whole, tmp_path / "c.filter")
    assert (tmp_path / "b.filter").read_bytes() == (tmp_path / "c.filter").read_bytes()


def test_recorded_events_give_the_same_filter():
    stream, rows, Y = made()
    stream.log = []
    run(stream, rows, Y, end=150)
    again, *_ = made()
    events = iter(stream.log)
    pending = next(events, None)
    for i, row in enumerate(rows[:150]):
        again.receive(str(i), row, f"2025-01-{1 + i // 20:02}")
        while pending is not None and pending.document == str(i):
            if type(pending).__name__ == "Shown":
                again.show([pending], row)
            else:
                again.apply(pending)
            pending = next(events, None)
    assert all(same(a.profile, b.profile) for a, b in zip(again.topics, stream.topics, strict=True))
    assert run(again, rows, Y, begin=150) == run(stream, rows, Y, begin=150)


def test_many_documents_at_once_are_decided_as_one_by_one():
    one, rows, _ = made(per_day=3, balance=0.8)
    many, *_ = made(per_day=3, balance=0.8)
    documents = [(str(i), row, f"2025-01-{1 + i // 20:02}") for i, row in enumerate(rows)]  # the background is renewed
    expected = [outcome for document in documents for outcome in one.process(*document)]
    assert many.process_many(documents) == expected
    assert len(expected) > 5
    assert Filter([], Strategy("daily")).process_many(documents[:3]) == []


def test_asking_all_topics_changes_nothing():
    stream, rows, Y = made()
    run(stream, rows, Y, end=100)
    before = [topic.profile.arrays() for topic in stream.topics]
    everything = stream.decide("new", rows[3], include_passed=True)
    assert [o.topic for o in everything] == ["t0", "t1", "t2"]
    after = [topic.profile.arrays() for topic in stream.topics]
    assert all((a[k] == b[k]).all() for a, b in zip(before, after) for k in a)
