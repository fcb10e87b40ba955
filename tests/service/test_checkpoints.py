"""Checkpoints are written part by part and beside other changes: one that is not complete is none."""

import pytest
import sqlalchemy as sa
from tests.service.states import states
from tests.service.streams import BUSY, documents

from bayesift.filtering.store import Workspace, checkpoints, schema


@pytest.fixture
def workspace(url, monkeypatch):
    monkeypatch.setattr(checkpoints, "PART", 2_000)
    with Workspace.create(url, groups=1, **BUSY) as workspace:
        workspace.add_topic("oil", about="crude oil prices")
        list(workspace.process(documents(60)))
        yield workspace


def parts(workspace):
    """Return how many parts there are of each checkpoint, by the documents it has received."""
    c = schema.checkpoints.c
    with workspace.reading() as connection:
        found = connection.execute(sa.select(c.received, sa.func.count()).group_by(c.received)).all()
    return {received: count for received, count in found}  # noqa: C416


def killed_after(monkeypatch, workspace, writes):
    """Let the transactions after the first ones fail, as if the process had been killed."""
    real, done = workspace.database.write, []

    def write(*keys):
        done.append(keys)
        if len(done) > writes:
            raise KeyboardInterrupt
        return real(*keys)

    monkeypatch.setattr(workspace.database, "write", write)


def test_one_that_was_not_completed_is_not_used_and_goes(workspace, url, monkeypatch):
    workspace.checkpoint()
    assert parts(workspace)[60] > 3
    list(workspace.process(documents(30, first=60)))
    before = states(workspace)
    with monkeypatch.context() as patch:
        killed_after(patch, workspace, 2)
        with pytest.raises(KeyboardInterrupt):
            workspace.checkpoint()
    assert parts(workspace)[90] == 2
    with Workspace.open(url) as second:
        assert states(second) == before
        with second.reading() as connection:
            assert [at.received for at in checkpoints.positions(connection, 0)] == [60]
    complete = parts(workspace)[90]
    assert complete > 3  # written when the second was closed, over the parts that were there
    list(workspace.process(documents(30, first=90)))
    with monkeypatch.context() as patch:
        killed_after(patch, workspace, 2)
        with pytest.raises(KeyboardInterrupt):
            workspace.checkpoint()
    list(workspace.process(documents(30, first=120)))
    workspace.checkpoint()
    assert set(parts(workspace)) == {90, 150}
    with Workspace.open(url, write=False) as second:
        assert states(second) == states(workspace)


def test_what_is_left_of_an_old_one_is_not_used_and_goes(workspace, url, monkeypatch):
    workspace.tidies = False
    for first in (60, 90):
        workspace.checkpoint()
        list(workspace.process(documents(30, first=first)))
    before = states(workspace)
    with monkeypatch.context() as patch:
        killed_after(patch, workspace, len(before[0]) // 2_000 + 3)  # all parts of this one, and two are removed
        with pytest.raises(KeyboardInterrupt):
            workspace.checkpoint()
    assert 0 < parts(workspace)[60] < parts(workspace)[90]
    with Workspace.open(url) as second:
        assert states(second) == before
        with second.reading() as connection:
            assert [at.received for at in checkpoints.positions(connection, 0)] == [120, 90]
    list(workspace.process(documents(30, first=120)))
    workspace.checkpoint()
    assert set(parts(workspace)) == {120, 150}


def test_what_changes_meanwhile_is_not_in_it(workspace, url, monkeypatch):
    real, workspace.tidies = checkpoints.encode, False

    def encode(state):
        workspace.judge("oil", "d1", True)
        list(workspace.process(documents(30, first=60)))
        workspace.edit_words("oil", {"tanker": (2.0, 0.1)})
        return real(state)

    expected = real(checkpoints.copied(workspace.filter.state()))
    with monkeypatch.context() as patch:
        patch.setattr(checkpoints, "encode", encode)
        workspace.checkpoint()
    with workspace.reading() as connection:
        (at, data), *_ = checkpoints.states(connection, 0)
    assert at.received == 60
    assert data == expected
    with Workspace.open(url, write=False) as second:
        assert states(second) == states(workspace)


def test_two_that_write_the_same_one_at_the_same_time(workspace, url, monkeypatch):
    before = states(workspace)
    with Workspace.open(url) as second:
        assert states(second) == before
        real, done = workspace.database.write, []

        def write(*keys):
            done.append(keys)
            if len(done) == 3:
                second.checkpoint()
            return real(*keys)

        monkeypatch.setattr(workspace.database, "write", write)
        workspace.checkpoint()
        assert len(done) >= 3
        whole = parts(second)[60]
        assert whole > 3
        with second.reading() as connection:
            assert len(b"".join(data for _, data in checkpoints.states(connection, 0))) > 2_000 * (whole - 1)
    with Workspace.open(url, write=False) as third:
        assert states(third) == before


def test_a_workspace_that_was_just_opened_makes_the_checkpoint_that_is_missing(url):
    with Workspace.create(url, groups=1, **BUSY) as first:
        first.add_topic("oil", about="crude oil prices")
        list(first.process(documents(20)))
        with Workspace.open(url) as second:
            assert parts(second) == {}
            second.checkpoint()
            assert list(parts(second)) == [20]
            before = states(second)
        with Workspace.open(url) as third:
            third.checkpoint()
            assert third._groups._loaded == {}  # there was nothing to write
            assert states(third) == before
