"""Kill processes at random moments of ingest and judging: nothing acknowledged is lost, and nothing happens twice."""

import random
from collections import Counter

import pytest
import sqlalchemy as sa
from tests.service.children import ingest, judge, killed
from tests.service.states import replayed, states
from tests.service.streams import BUSY, NAMES

from bayesift.filtering.store import Workspace, schema

ROUNDS = 50  # with two kills each, for each of the two databases: 200 kills
LONGEST = 0.3  # seconds until a kill


class Books:
    """What was acknowledged, and what may have been committed without an acknowledgement."""

    def __init__(self):
        self.documents, self.shown = set(), set()
        self.answers, self.doubtful = {}, {}

    def enter(self, reports):
        for kind, *about in reports:
            if kind == "document":
                self.documents.update(about)
            elif kind == "shown":
                assert tuple(about) not in self.shown, f"{about} was shown twice"
                self.shown.add(tuple(about))
            elif kind == "ready":
                pass
            elif kind == "judging":
                self.doubtful[tuple(about[:2])] = about[2]
            else:
                self.answers[tuple(about[:2])] = about[2]
                del self.doubtful[tuple(about[:2])]

    def compare(self, workspace):
        """Compare with the database; what was in doubt is then known."""
        with workspace.database.read() as connection:
            ids = connection.execute(sa.select(schema.documents.c.id)).scalars().all()
            query = sa.select(schema.topics.c.name, schema.documents.c.id, schema.deliveries.c.state)
            query = query.join(schema.deliveries, schema.deliveries.c.topic == schema.topics.c.number)
            query = query.join(schema.documents, schema.deliveries.c.document == schema.documents.c.number)
            delivered = {(topic, id): state for topic, id, state in connection.execute(query)}
            events = connection.execute(sa.select(schema.events).order_by("topic_group", "number")).all()
        assert self.documents <= set(ids), "an acknowledged document is missing"
        assert len(ids) == len(set(ids))
        assert self.shown <= delivered.keys(), "an acknowledged delivery is missing"
        words = {"True": "relevant", "False": "irrelevant", "None": "waiting"}
        for key, answer in self.answers.items():
            possible = {words[answer]} | ({words[self.doubtful[key]]} if key in self.doubtful else set())
            assert delivered[key] in possible, f"{key} was answered {answer} and is {delivered[key]}"
        self.answers = {key: {v: k for k, v in words.items()}[state] for key, state in delivered.items()}
        self.doubtful.clear()
        self.shown = set(delivered)
        self.documents = set(ids)
        _check_events(events)


def _check_events(events):
    numbers, answered = Counter(), {}
    for event in events:
        numbers[event.topic_group] += 1
        assert event.number == numbers[event.topic_group], "events have a gap"
        key = event.topic, event.document
        if event.type == "shown":
            assert key not in answered, f"{key} was shown twice"
            answered[key] = False
        elif event.type == "judged":
            assert not answered[key], f"{key} was judged twice"
            answered[key] = True
        elif event.type == "withdrawn":
            answered[key] = False


@pytest.mark.parametrize(("groups", "settings"), [(1, {}), (2, BUSY)], ids=["default", "groups"])
def test_nothing_is_lost_and_nothing_happens_twice(url, groups, settings):
    with Workspace.create(url, groups=groups, **settings) as workspace:
        for name in NAMES:
            workspace.add_topic(name, about=f"{name} news")
    books, drawn = Books(), random.Random(groups)
    kills = 0
    for number in range(ROUNDS // 2):
        for reports in killed([ingest(url), judge(url)], 2 * number, drawn, LONGEST):
            books.enter(reports)
            kills += 1
        with Workspace.open(url) as workspace:
            books.compare(workspace)
            if number % 5 == 4:
                assert states(workspace) == replayed(workspace)
    assert kills == ROUNDS
    assert len(books.documents) > ROUNDS  # else the children never came to work
    assert sum(answer != "None" for answer in books.answers.values()) > (5 if settings else 0)
