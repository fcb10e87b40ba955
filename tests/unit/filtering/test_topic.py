"""A topic: answers that are changed or withdrawn, and answers that contradict earlier ones."""

import pytest
from tests.reference.events import survivors
from tests.unit.filtering.streams import same, started

from bayesift.errors import BadInput
from bayesift.filtering.events import Changed, Shown, Withdrawn, judged
from bayesift.filtering.topic import Topic


@pytest.mark.parametrize("every", [1, 3, 64])
def test_withdrawing_and_changing_is_as_if_it_had_always_been_so(every):
    profile, rows, y = started()
    topic, log = Topic(profile, every=every), []
    for i in range(20):
        log += [Shown("t", str(i)), judged("t", str(i), bool(y[i]), rows[i])]
    log += [Withdrawn("t", "4"), Changed("t", "11", bool(not y[11]))]
    log.append(judged("t", "4", True, rows[4]))  # judged again, at its new place
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
