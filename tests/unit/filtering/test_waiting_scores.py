"""The table of features that scores of waiting documents are computed from."""

import gc

import numpy as np
import pytest
from scipy import sparse

from bayesift.filtering import GPProfile, TopicKernel, rows_of
from bayesift.filtering.events import Shown
from bayesift.filtering.topic import Topic
from bayesift.filtering.waiting_scores import FeatureTable, WaitingScores

SHARED = TopicKernel(sparse.random(60, 40, 0.2, random_state=0, format="csr"))
ROWS = list(rows_of(sparse.random(7, 40, 0.3, random_state=1, format="csr").sorted_indices()))


@pytest.mark.parametrize("most", [3, 4, 100])
def test_features_are_those_of_the_kernel_also_when_the_table_is_full(most):
    table = FeatureTable(most)
    for some in (ROWS[:3], ROWS[1:4], [], ROWS[4:], ROWS[:1], [ROWS[2], ROWS[2]], ROWS[:3]):
        places = table.places(SHARED, some)
        assert places.size == len(some)
        expected = [SHARED.features(row) for row in some]
        assert [table.values[place].tobytes() for place in places] == [one.tobytes() for one in expected]


def test_rows_with_the_same_content_and_another_kernel():
    table, (row, *_) = FeatureTable(10), ROWS
    twin = type(row)(row.columns.copy(), row.weights.copy())
    first, second = table.places(SHARED, [row, twin])
    assert table.values[first].tobytes() == table.values[second].tobytes()
    other = TopicKernel(sparse.random(60, 40, 0.2, random_state=2, format="csr"))
    (place,) = table.places(other, [row])
    assert table.values[place].tobytes() == other.features(row).tobytes()
    assert not np.array_equal(other.features(row), SHARED.features(row))


def test_a_topic_that_is_gone_leaves_nothing_behind():
    scores, topics = WaitingScores(), []
    for name in "ab":
        topic = Topic(GPProfile.start(name, SHARED, statement=ROWS[0]))
        topic.show(Shown(name, "d"), ROWS[1])
        topics.append(topic)
        assert [ranked.document for ranked in scores.ranking(topic, ["d"])] == ["d"]
    assert len(scores._known) == 2
    del topic
    topics.pop()
    gc.collect()
    assert len(scores._known) == 1
    topics[0].profile.name = "b"  # another name is no other topic
    assert scores.ranking(topics[0], ["d"]) == next(iter(scores._known.values())).ranked
