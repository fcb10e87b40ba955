"""A profile: its start, its growth, its state."""

import numpy as np
import pytest
from tests.unit.filtering.streams import documents, same, started

from bayesift.errors import BadInput
from bayesift.filtering import Profile, Row
from bayesift.filtering.events import judged
from bayesift.learn.priors import PriorTerms


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
    described = Profile.start("t", feature_prior=known)
    assert described.terms.tolist() == [1]
    assert described.field(Row.of({1: 1.0})) == pytest.approx((2.0, 1.25))


def test_a_topic_with_nothing_raises_with_its_name():
    with pytest.raises(BadInput, match="'cs-XX' has no example and no statement"):
        Profile.start("cs-XX", training=documents()[0])
