"""A topic: its start, its growth, its state, and answers that are changed or withdrawn."""

import numpy as np
import pytest
from scipy import sparse

from bayesift.errors import BadInput
from bayesift.filtering import Profile, ProfileSettings, Row, Topic, rows_of
from bayesift.filtering.events import Changed, Shown, Withdrawn, judged, read_log, survivors, write_log
from bayesift.learn.priors import PriorTerms


def stream(seed=0, n=200, d=60):
    rng = np.random.default_rng(seed)
    X = sparse.csr_matrix(sparse.random(n, d, 0.1, "csr", rng=rng))
    X.sort_indices()
    return X, np.asarray(X[:, :4].sum(axis=1)).ravel() > 0.3


def started(learner="flip-perceptron", **settings):
    X, y = stream()
    profile = Profile.start(
        "t",
        ProfileSettings(learner=learner, min_statistic=3.0, **settings),
        training=X[:100],
        relevant=np.flatnonzero(y[:100]),
    )
    return profile, list(rows_of(X[100:])), y[100:]


def same(a, b):
    left, right = a.arrays(), b.arrays()
    return left.keys() == right.keys() and all(
        left[k].dtype == right[k].dtype and left[k].tobytes() == right[k].tobytes() for k in left
    )


@pytest.mark.parametrize("learner", ["flip-perceptron", "perceptron", "diagonal-perceptron"])
def test_a_restored_profile_goes_on_as_the_first_would(learner):
    profile, rows, y = started(learner)
    for i in range(30):
        profile.apply(judged("t", str(i), bool(y[i]), rows[i]))
    copy = started(learner)[0].restore(profile.arrays())
    assert same(profile, copy)
    for i in range(30, 60):
        profile.apply(judged("t", str(i), bool(y[i]), rows[i]))
        copy.apply(judged("t", str(i), bool(y[i]), rows[i]))
    assert same(profile, copy)
    assert profile.field(rows[70]) == copy.field(rows[70])


def test_terms_are_added_and_none_is_lost():
    profile, rows, y = started(min_terms=0)
    before = profile.terms.copy()
    for i in range(100):
        profile.apply(judged("t", str(i), bool(y[i]), rows[i]))
    assert profile.terms.size > before.size
    assert profile.terms[: before.size].tolist() == before.tolist()
    assert profile.belief.mean.size == profile.terms.size + 1


def test_terms_stay_within_their_limit():
    profile, rows, y = started(initial_terms=3, max_terms=5)
    assert profile.terms.size == 3
    for i in range(100):
        profile.apply(judged("t", str(i), bool(y[i]), rows[i]))
    assert profile.terms.size == 5


def test_what_is_learned_again_after_an_irrelevant_document():
    for again, expected in (("no", 0), ("order", 5), ("recent", 5)):
        profile, rows, _ = started(again=again)
        for i in range(5):
            profile.apply(judged("t", str(i), False, rows[i]))
        profile.apply(judged("t", "5", True, rows[5]))
        assert profile.counters.learned_again == expected


def test_recency_prefers_the_last_ones():
    profile, _, _ = started(again="recent")
    profile.memory = [Row.of({0: float(i)}) for i in range(100)]
    ages = [99 - profile._past().weights[0] for _ in range(400)]
    assert np.median(ages) == pytest.approx(10, abs=2)
    assert min(ages) == 0


def test_a_topic_may_start_from_words_alone():
    statement = Row.of({3: 0.8, 7: 0.6})
    profile = Profile.start("t", statement=statement)
    assert profile.probability(statement) > 0.6
    known = PriorTerms({"b": (2.0, 0.5)}).to_features({"a": 0, "b": 1}, 2)
    told = Profile.start("t", known=known)
    assert told.terms.tolist() == [1]
    assert told.field(Row.of({1: 1.0})) == pytest.approx((2.0, 1.25))


def test_a_topic_with_nothing_is_refused_by_its_name():
    with pytest.raises(BadInput, match="'cs-XX' has no example and no statement"):
        Profile.start("cs-XX", training=stream()[0])


@pytest.mark.parametrize("every", [1, 3, 64])
def test_withdrawing_and_changing_is_as_if_it_had_always_been_so(every):
    profile, rows, y = started()
    topic, log = Topic(profile, every=every), []
    for i in range(20):
        log += [Shown("t", str(i)), judged("t", str(i), bool(y[i]), rows[i])]
    log += [Withdrawn("t", "4"), Changed("t", "11", bool(not y[11]))]
    log.append(judged("t", "4", True, rows[4]))  # judged anew, at its new place
    for event in log:
        topic.record(event)
    fresh = started()[0]
    for event in survivors(log):
        fresh.apply(event)
    assert same(topic.profile, fresh)
    assert topic.answer("11") == (not y[11])
    assert fresh.counters.shown == 20


def test_answers_that_contradict_the_log_change_nothing():
    profile, rows, _ = started()
    topic = Topic(profile)
    topic.record(judged("t", "d", True, rows[0]))
    before = topic.profile.arrays()
    wrong = [
        (judged("t", "d", True, rows[0]), "duplicate judgement: document 'd'"),
        (judged("t", "d", False, rows[0]), "contradicts the earlier judgement: document 'd'"),
        (Withdrawn("t", "e"), "no judgement to change or withdraw: document 'e'"),
        (Changed("t", "e", True), "no judgement to change or withdraw: document 'e'"),
    ]
    for event, reason in wrong:
        with pytest.raises(BadInput, match=reason):
            topic.record(event)
    assert len(topic.surviving) == 1
    assert all((before[k] == v).all() for k, v in topic.profile.arrays().items())


def test_a_log_is_read_as_it_was_written(tmp_path):
    profile, rows, y = started()
    topic, log = Topic(profile), []
    for i in range(10):
        log += [Shown("t", str(i), asked=i % 2 == 0), judged("t", str(i), bool(y[i]), rows[i])]
    log.append(Withdrawn("t", "3"))
    for event in log:
        topic.record(event)
    write_log(tmp_path / "log.jsonl.gz", log)
    again = Topic(started()[0])
    for event in read_log(tmp_path / "log.jsonl.gz"):
        again.record(event)
    assert same(topic.profile, again.profile)


def test_a_log_that_ends_within_a_line_says_where(tmp_path):
    path = tmp_path / "log.jsonl"
    write_log(path, [Shown("t", "1"), Shown("t", "2")])
    path.write_bytes(path.read_bytes()[:-10])
    events = read_log(path)
    assert next(events) == Shown("t", "1")
    with pytest.raises(BadInput, match=r"log.jsonl:2: not an event"):
        next(events)
