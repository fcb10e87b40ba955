"""The log of events: written, read and replayed."""

from pathlib import Path
from typing import get_args

import numpy as np
import pytest
from tests.unit.filtering.streams import made, same, started

from bayesift.errors import BadInput
from bayesift.filtering import Row, load_filter, read_log, write_log
from bayesift.filtering.event_log import encoded
from bayesift.filtering.events import (
    Changed,
    Event,
    Example,
    Judged,
    Past,
    Received,
    Shown,
    TopicAdded,
    TopicPaused,
    TopicRemoved,
    TopicRenamed,
    TopicResumed,
    TopicSet,
    Withdrawn,
    WordsEdited,
    judged,
)
from bayesift.filtering.topic import Topic

FOLDER = Path(__file__).parent / "data"


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


def close(one, other) -> bool:
    """Return whether two profiles are the same but for rounding."""
    mine, theirs = one.arrays(), other.arrays()
    return mine.keys() == theirs.keys() and all(
        a.shape == theirs[key].shape and np.allclose(a, theirs[key], rtol=1e-9, atol=1e-12) for key, a in mine.items()
    )


def test_a_log_without_provenance_is_read_and_replayed():
    events = list(read_log(FOLDER / "without-provenance.log.gz"))
    assert len(events) == 69
    assert {type(event).__name__ for event in events} == {"Shown", "Judged", "Changed", "Withdrawn"}
    assert all(event.time is event.who is event.source is event.version is event.note is None for event in events)
    stream, rows, _ = made("rel+ig")
    for event in events:
        if isinstance(event, Shown):
            stream.show([event], rows[int(event.document)])
        else:
            stream.apply(event)
    old = load_filter(FOLDER / "version-2-flip-perceptron.filter")
    for mine, theirs in zip(stream.topics, old.topics, strict=True):
        assert close(mine.profile, theirs.profile)  # the file may come from a machine that rounds otherwise
        assert mine.answers.keys() == theirs.answers.keys()
        assert mine.waiting.keys() == theirs.waiting.keys()


def test_events_keep_their_provenance(tmp_path):
    said = {"time": "2025-03-01T10:00:00+00:00", "who": "ann", "source": "random", "probability": 0.25, "gain": 0.5,
            "version": 7, "note": "a remark", "chance": 0.05, "undo": True}  # fmt: skip
    events = [
        Shown("t", "d", True, **said),
        judged("t", "d", True, Row.of({1: 0.5}), **said),
        Changed("t", "d", False, **said),
        Withdrawn("t", "d", **said),
        Received("d", "2025-03-01", **said),
        TopicAdded("t", "wheat", {"a": (1.0, 0.5)}, (Example("e", "Corn", "crops"),), (Past("p", True, {"a": 1.0}),)),
        TopicRenamed("t", "u", **said),
        TopicPaused("t", **said),
        TopicResumed("t", **said),
        TopicRemoved("t", **said),
        TopicSet("t", 3, 0.9, **said),
        WordsEdited("t", {"corn": (1.0, 0.5)}, **said),
    ]
    assert {type(event) for event in events} == set(get_args(Event))
    write_log(tmp_path / "log.zst", events)
    again = list(read_log(tmp_path / "log.zst"))
    assert [encoded(event) for event in again] == [encoded(event) for event in events]
    assert [event for event in again if not isinstance(event, Judged)] == [
        event for event in events if not isinstance(event, Judged)
    ]
    assert encoded(Withdrawn("t", "d")) == b'{"type":"withdrawn","topic":"t","document":"d"}'
