"""The log of events: written, read and replayed."""

import pytest
from tests.unit.filtering.streams import same, started

from bayesift.errors import BadInput
from bayesift.filtering import read_log, write_log
from bayesift.filtering.events import Shown, Withdrawn, judged
from bayesift.filtering.topic import Topic


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
