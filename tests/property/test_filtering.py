"""Replaying 10,000 random events, answers changed and withdrawn among them, equals a fresh run over the survivors."""

import numpy as np
import pytest
from tests.reference.events import survivors

from bayesift.filtering import Profile, ProfileSettings, Row
from bayesift.filtering.events import Changed, Shown, Withdrawn, judged
from bayesift.filtering.topic import Topic

TOPICS, EVENTS = 20, 500


def random_row(rng):
    columns = np.sort(rng.choice(80, rng.integers(1, 10), replace=False)).astype(np.int32)
    return Row(columns, rng.random(columns.size))


def random_event(rng, topic, document):
    answered = list(topic.answers)
    kind = rng.random()
    if kind < 0.1 and answered:
        return Withdrawn(topic.name, answered[rng.integers(len(answered))])
    if kind < 0.15 and answered:
        return Changed(topic.name, answered[rng.integers(len(answered))], bool(rng.random() < 0.5))
    if kind < 0.4:
        return Shown(topic.name, document, bool(rng.random() < 0.5))
    row = random_row(rng)
    return judged(topic.name, document, bool((row.columns < 20).sum() > 1), row)


def start(name, learner):
    settings = ProfileSettings(learner, min_statistic=4.0, again="recent")
    return Profile.start(name, settings, statement=Row.of({1: 0.8, 2: 0.6}))


@pytest.mark.parametrize("number", range(TOPICS))
def test_replay_is_exact(number):
    learner = ("flip-perceptron", "perceptron", "diagonal-perceptron")[number % 3]
    rng = np.random.default_rng(number)
    topic, log = Topic(start(str(number), learner), every=16), []
    for n in range(EVENTS):
        log.append(random_event(rng, topic, f"d{n}"))
        topic.record(log[-1])
    fresh = start(str(number), learner)
    for event in survivors(log):
        fresh.apply(event)
    ours, theirs = topic.profile.arrays(), fresh.arrays()
    assert ours.keys() == theirs.keys()
    assert all(ours[key].tobytes() == theirs[key].tobytes() for key in ours)
    assert fresh.terms.size > 10
    assert any(isinstance(event, Withdrawn) for event in log)
