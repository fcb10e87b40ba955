"""A workspace behaves as a TextFilter that never stops, on SQLite and on PostgreSQL."""

import threading
import warnings
from pathlib import Path

import msgspec
import numpy as np
import pytest
from tests.service.states import replayed, states
from tests.service.streams import BUSY, NAMES, documents, is_relevant

from bayesift.errors import BadInput, BayesiftError, Notice
from bayesift.filtering.events import Shown
from bayesift.filtering.store import Workspace, checkpoints, journal, schema
from bayesift.filtering.text_filter import TextFilter


def fill(workspace, n=120, judged=15, **topics):
    """Add the topics, process documents and judge some of those shown."""
    for name in NAMES:
        workspace.add_topic(name, about=f"{name} news", words={name: (1.0, 0.5)})
    shown = list(workspace.process(documents(n), batch=32))
    for item in shown[:judged]:
        workspace.judge(item.topic, item.document, is_relevant(item.topic, item.document), who="me")
    return shown


def inboxes(workspace):
    return {topic: [item.to_dict() for item in workspace.inbox(topic)] for topic in workspace.topics}


@pytest.mark.parametrize("settings", [{"per_day": 5}, BUSY], ids=["default", "busy"])
def test_it_decides_as_a_filter_without_a_store(url, settings):
    with Workspace.create(url, groups=1, **settings) as stored:
        shown = fill(stored)
        plain = TextFilter(**settings)
        assert [i.to_dict() for i in fill(plain_like(plain))] == [i.to_dict() for i in shown]
        assert {name: [i.to_dict() for i in plain.inbox(name)] for name in NAMES} == inboxes(stored)
        for _ in shown[:15]:
            stored.undo()
        with pytest.raises(BadInput, match="nothing to undo"):
            stored.undo()
        assert sum(topic.relevant + topic.irrelevant for topic in stored.status().topics) == 0


class plain_like:
    """A TextFilter with the arguments of a workspace."""

    def __init__(self, plain):
        self.plain = plain

    def process(self, found, batch):
        yield from self.plain.process(found)

    def __getattr__(self, name):
        return getattr(self.plain, name)


@pytest.mark.parametrize("groups", [1, 3])
def test_opening_again_and_replaying_give_the_same_bytes(url, groups):
    with Workspace.create(url, groups=groups, **BUSY) as first:
        shown = fill(first)
        first.change(*shown[0].about, not is_relevant(*shown[0].about))
        first.withdraw(*shown[1].about)
        first.undo(shown[1].topic)
        first.judge("oil", "searched-1", True, text={"title": "Oil", "body": "crude oil \0 from Norway"})
        first.pause_topic("music")
        first.rename_topic("oil", "petroleum")
        first.edit_words("petroleum", {"crude": (2.0, 0.5)})
        before, waiting = states(first), inboxes(first)
    with Workspace.open(url) as second:
        assert states(second) == before
        assert inboxes(second) == waiting
        assert replayed(second) == before
        more = [item.to_dict() for item in second.process(documents(40, first=120))]
    assert more


def test_two_workspaces_follow_each_other(url):
    one = Workspace.create(url, **BUSY)
    with one, Workspace.open(url) as two, Workspace.open(url, write=False) as reader:
        one.add_topic("harvest", about="wheat harvest")
        assert two.topics == ["harvest"]
        stream = documents(60)
        a = list(one.process(stream[:30]))
        b = list(two.process(stream[20:]))  # ten of them are there already
        assert len({i.document for i in a + b}) == len(a) + len(b)
        two.judge("harvest", a[0].document, True)
        with pytest.raises(BadInput, match="contradicts"):
            one.judge("harvest", a[0].document, False)
        assert states(one) == states(two) == states(reader)
        assert one.status().documents == 60
        assert inboxes(reader) == inboxes(one)
        with pytest.raises(BadInput, match="opened for reading only"):
            reader.judge("harvest", b[0].document, True)


def test_threads_take_turns(url):
    with Workspace.create(url, groups=1) as workspace:
        workspace.add_topic("harvest", about="wheat harvest")
        stream = documents(120)
        threads = [
            threading.Thread(target=lambda part=part: list(workspace.process(part, batch=7)))
            for part in (stream[::3], stream[1::3], stream[2::3])
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert workspace.status().documents == 120
        assert states(workspace) == replayed(workspace)


def test_threads_read_while_another_writes(url):
    with Workspace.create(url, groups=1, **BUSY) as workspace:
        fill(workspace, n=30)
        problems, done = [], threading.Event()

        def read():
            while not done.is_set():
                try:
                    assert workspace.status().documents >= 30
                    workspace.inbox("oil", 5)
                    workspace.search("report")
                    workspace.documents(limit=3)
                    workspace.history("oil", limit=3)
                except BaseException as problem:
                    problems.append(problem)
                    raise

        threads = [threading.Thread(target=read) for _ in range(3)]
        for thread in threads:
            thread.start()
        for item in list(workspace.process(documents(90), batch=4))[:20]:
            workspace.judge(item.topic, item.document, True)
        done.set()
        for thread in threads:
            thread.join()
        assert not problems
        assert states(workspace) == replayed(workspace)


def test_lists_for_pages(url):
    with Workspace.create(url, groups=2, **BUSY) as workspace:
        shown = fill(workspace, n=60, judged=8)
        first = workspace.documents(limit=40)
        second = workspace.documents(before=first[-1].number, limit=40)
        assert [d.id for d in first + second] == [f"d{i}" for i in range(59, -1, -1)]
        topic = shown[0].topic
        happened = workspace.history(topic, limit=1000)
        assert happened[-1].event.about == f"{topic} news"
        numbers = [entry.number for entry in happened]
        assert numbers == sorted(numbers, reverse=True)
        assert [entry.number for entry in workspace.history(topic, before=numbers[1], limit=2)] == numbers[2:4]
        own = [item.document for item in shown if item.topic == topic]
        assert [entry.event.document for entry in reversed(happened) if isinstance(entry.event, Shown)] == own
        days = workspace.statistics()
        assert sum(day.shown for day in days) == len(shown)
        assert sum(day.relevant + day.irrelevant for day in days) == 8
        workspace.pause_topic(topic, who="ada")
        assert workspace.history(topic, limit=1)[0].event.who == "ada"
        with workspace.using(topic) as own:
            assert workspace.estimates(topic) == own.estimates(topic)


def test_documents_are_idempotent_by_id(url):
    with Workspace.create(url) as workspace:
        wheat = {"id": 7, "text": "Wheat fell.", "url": "http://x/7"}
        assert workspace.add_documents(["Corn rose.", wheat], source="f") == 2
        assert workspace.add_documents(["Corn rose."]) == 0
        with pytest.warns(Notice, match="1 document came again with another text, which is not stored: '7'"):
            assert workspace.add_documents([{"id": "7", "text": "Other."}, {"id": "8", "text": "x"}]) == 1
        with warnings.catch_warnings(action="error"):  # the same text with another date
            assert workspace.add_documents([wheat | {"date": "2026-01-01"}, wheat | {"date": "2026-01-02"}]) == 0
        found = workspace.document("7")
        assert (found.body, found.url, found.source) == ("Wheat fell.", "http://x/7", "f")
        assert workspace.document("9") is None


def test_stored_documents_are_worked_off_in_their_order(url):
    stream = documents(90)
    with Workspace.create(url, **BUSY) as workspace:
        workspace.add_topic("oil", about="crude oil")
        workspace.add_documents(stream[:60])
        assert max(group.behind for group in workspace.status().groups) == 60
        late = list(workspace.process(stream[60:], batch=10))  # the others come first
        assert max(group.behind for group in workspace.status().groups) == 0
        assert list(workspace.work(once=True)) == []
        order = [int(item.document[1:]) for item in late]
        assert order == sorted(order)
        assert order[0] < 60 < order[-1]


def test_search(url):
    with Workspace.create(url) as workspace:
        workspace.add_documents([
            {"id": "a", "title": "Wheat", "text": "A long story about corn, and corn again."},
            {"id": "b", "text": 'He said: "NOT (corn*)" AND left'},
            {"id": "c", "text": "Münchner Straße; corn futures"},
        ])  # fmt: skip
        assert [d.id for d in workspace.search("corn wheat")] == ["a"]
        assert {d.id for d in workspace.search("CORN")} == {"a", "b", "c"}
        assert [d.id for d in workspace.search('"corn futures"')] == ["c"]
        assert [d.id for d in workspace.search("straße")] == ["c"]
        for odd in ("", "*", '"', 'NOT AND OR "(', "corn NEAR/2", "a:b", "-", "'; DROP TABLE documents; --"):
            workspace.search(odd)
        assert len(workspace.search("corn", limit=2)) == 2


def test_texts_that_databases_do_not_store(url):
    with Workspace.create(url) as workspace:
        workspace.add_topic("t", about="corn")
        list(workspace.process([{"id": "a\0b", "title": "\ud800corn", "body": "corn\0 \U0001f33d"}]))
        (item,) = workspace.inbox("t")
        assert item.document == "a\ufffdb"
        assert workspace.document(item.document).body == "corn\ufffd \U0001f33d"
        assert states(workspace) == replayed(workspace)


def test_unknown_topics_documents_and_settings(url, new_url):
    with Workspace.create(url) as workspace:
        with pytest.raises(BadInput, match="no topic 'x'; add it first"):
            workspace.judge("x", "d", True)
        workspace.add_topic("oil", about="crude oil")
        with pytest.raises(BadInput, match="no topic 'x'; topics are: oil"):
            workspace.inbox("x")
        with pytest.raises(BadInput, match="document 'd' is unknown"):
            workspace.judge("oil", "d", True)
        with pytest.raises(BadInput, match="not a boolean"):
            workspace.judge("oil", "d", "yes", text="oil")
        assert workspace.document("d") is None  # nothing stays of what failed
        with pytest.raises(BadInput, match="'oil' already exists"):
            workspace.add_topic("oil", about="crude")
        with pytest.raises(BadInput):
            workspace.add_topic("stop", about="the of and")
        assert workspace.topics == ["oil"]
        with pytest.raises(BadInput, match="the limit is 'x'"):
            workspace.inbox("oil", "x")
        workspace.set_topic("oil", per_day=3)
        assert workspace.history("oil")[0].event.per_day == 3
        with pytest.raises(BadInput, match="a document is a int"):
            list(workspace.process([3]))
    some = {"per_dy": 3}, {"per_day": 0}, {"language": "klingon"}
    for wrong in (*some, {"groups": 0}, {"documents_days": -1}, {"deliveries_days": 1.5}):
        other = new_url()
        with pytest.raises(BadInput):
            Workspace.create(other, **wrong)
        with pytest.raises(BayesiftError):
            Workspace.open(other)


def test_expiry(url):
    with Workspace.create(url, groups=1, **BUSY) as workspace:
        workspace.tidies = False  # on a busy machine a checkpoint is due midway, and what came after it is kept
        fill(workspace, judged=6)
        waited = sum(topic.waiting for topic in workspace.status().topics)
        judged = sum(topic.relevant + topic.irrelevant for topic in workspace.status().topics)
        assert workspace.expire("2036-01-01T00:00:00.000Z") == (0, 0)  # never, if not set
        workspace.set_expiry(documents_days=30, deliveries_days=10, who="ada")
        assert workspace.expire() == (0, 0)
        n = workspace.expire("2036-01-01T00:00:00.000Z")
        assert n == (waited, 120 - judged)
        assert inboxes(workspace) == {name: [] for name in NAMES}
        assert workspace.search("report 119") == []
        assert workspace.document("d119").body == ""
        assert workspace.add_documents(documents(120)) == 0  # known by their ids
        before = states(workspace)
    with Workspace.open(url) as workspace:
        assert (workspace.settings.documents_days, workspace.settings.deliveries_days) == (30, 10)
        assert states(workspace) == before
        workspace.judge("oil", "d118", False, text=documents(120)[118])  # the text comes back with the judgement
        assert workspace.document("d118").body
        assert workspace.search("report 118")
        assert list(workspace.process(documents(40, first=120)))


def test_a_folder_is_no_workspace(tmp_path):
    with pytest.raises(BadInput, match="is a folder; name a file"):
        Workspace.create(tmp_path)


LATER = "2036-01-01T00:00:00.000Z"


def texts(workspace, n):
    return sum(bool(workspace.document(f"d{i}").body) for i in range(n))


@pytest.mark.parametrize("way", ["close", "tidy"])
def test_few_documents_expire_too(url, monkeypatch, way):
    with Workspace.create(url, groups=1, documents_days=30, deliveries_days=10) as workspace:
        workspace.add_topic("oil", about="oil news")
        list(workspace.process(documents(20)))
    monkeypatch.setattr("bayesift.filtering.store.group.WORTH", 1e9)  # no checkpoint is due
    monkeypatch.setattr("bayesift.filtering.store.workspace.utc_now", lambda: LATER)
    with Workspace.open(url) as workspace:
        assert texts(workspace, 20) == 20
        if way == "tidy":
            monkeypatch.setattr("bayesift.filtering.store.workspace.EXPIRE", -1.0)
        list(workspace.process(documents(1, first=20)))
        assert texts(workspace, 20) == (20 if way == "close" else 0)
    with Workspace.open(url) as workspace:
        assert texts(workspace, 20) == 0


def test_what_no_process_has_loaded_expires_too(url):
    workspace = Workspace.create(url, groups=2, documents_days=30, deliveries_days=10)
    for name in ("oil", "corn", "port"):
        workspace.add_topic(name, about=f"{name} news")
    list(workspace.process(documents(20)))
    workspace.database.close()  # as if the process had been killed
    with Workspace.open(url) as workspace:
        assert workspace.expire(LATER)[1] == 20
        before = states(workspace)
    with Workspace.open(url) as workspace:
        assert states(workspace) == before


def test_no_checkpoint_keeps_documents_that_are_due(url):
    with Workspace.create(url, groups=1, documents_days=30, deliveries_days=10) as workspace:
        workspace.add_topic("oil", about="oil news")
        for first in (0, 20):
            list(workspace.process(documents(20, first=first)))
            workspace.checkpoint()
        assert workspace.expire(LATER)[1] == 40
        before = states(workspace)
    with Workspace.open(url) as workspace:
        assert states(workspace) == before
        assert texts(workspace, 40) == 0


def test_a_document_given_with_a_judgement_does_not_wait_to_be_processed(url):
    with Workspace.create(url, groups=2) as workspace:
        workspace.add_topic("oil", about="oil news")
        workspace.judge("oil", "library-1", True, text="Tankers with crude oil")
        assert [group.behind for group in workspace.status().groups] == [0, 0]
        workspace.add_documents(documents(3))
        assert [group.behind for group in workspace.status().groups] == [3, 3]


def test_a_topic_that_shows_nothing_is_silent(url, monkeypatch):
    monkeypatch.setattr("bayesift.filtering.store.silence.QUIET", 5)
    other = iter([{"id": f"other-{i}", "text": f"gardening {i}", "date": "2026-11-02"} for i in range(100)])

    def silent(workspace):
        return {topic.name: topic.silent for topic in workspace.status().topics}

    def more(workspace, n):
        assert not list(workspace.process([next(other) for _ in range(n)]))

    with Workspace.create(url, groups=2) as workspace:
        for name in ("oil", "paused", "busy"):
            workspace.add_topic(name, about=f"{name} news")
        workspace.pause_topic("paused")
        list(workspace.process([{"id": "d1", "text": "crude oil and busy ports", "date": "2026-11-02"}]))
        more(workspace, 7)
        assert silent(workspace) == {"oil": None, "paused": None, "busy": None}  # d1 waits
        workspace.judge("oil", "d1", False)
        workspace.judge("busy", "d1", True)
        more(workspace, 4)
        assert silent(workspace)["oil"] is None
        more(workspace, 1)
        found = silent(workspace)
        assert (found["oil"].documents, found["busy"].documents, found["paused"]) == (5, 5, None)
        assert found["oil"].since[:10] == workspace.history("oil")[-1].time[:10]
        workspace.judge("oil", "d2", True, text="a tanker")  # of its own accord it has found nothing yet
        assert silent(workspace)["oil"] is None
        more(workspace, 5)
        assert silent(workspace)["oil"].documents >= 5
        workspace.set_topic("oil", balance=0.9)
        assert silent(workspace)["oil"] is None


def test_a_topic_that_found_something_and_then_shows_nothing_is_silent(url, monkeypatch):
    monkeypatch.setattr("bayesift.filtering.store.silence.QUIET", 50)
    with Workspace.create(url, groups=1) as workspace:
        workspace.add_topic("oil", about="oil news")
        shown = list(workspace.process([{"id": f"d{i}", "text": f"crude oil {i}"} for i in range(3)]))
        assert len(shown) == 3
        for item, relevant in zip(shown, (False, True, False)):
            workspace.judge(*item.about, relevant)
        assert not list(workspace.process([{"id": f"x{i}", "text": f"other{i}"} for i in range(49)]))
        assert workspace.status().topics[0].silent is None
        assert not list(workspace.process({"id": "last", "text": "others"}))
        (topic,) = workspace.status().topics
        assert (topic.relevant, topic.silent.documents) == (1, 50)
        assert topic.silent.since[:10] == workspace.history("oil")[-1].time[:10]
        workspace.pause_topic("oil")
        assert workspace.status().topics[0].silent is None
        workspace.resume_topic("oil")
        assert workspace.status().topics[0].silent is None
        workspace.withdraw("oil", "d1")  # it waits again
        assert not list(workspace.process([{"id": f"y{i}", "text": f"more{i}"} for i in range(50)]))
        assert workspace.status().topics[0].silent is None


@pytest.mark.parametrize("name", [["oil"], 7, None, "oil\0", "oil\ud800"])
def test_a_name_that_no_database_holds_is_no_topic(url, name):
    with Workspace.create(url, groups=1) as workspace:
        workspace.add_topic("oil", about="oil news")
        calls = [
            lambda: workspace.judge(name, "d1", True, text="oil"), lambda: workspace.inbox(name),
            lambda: workspace.history(name), lambda: workspace.pause_topic(name), lambda: workspace.filter_of(name),
        ]  # fmt: skip
        for call in calls:
            with pytest.raises(BadInput, match=r"no topic .*; topics are: oil"):
                call()
        assert workspace.status().documents == 0


def test_to_set_the_expiry_is_an_event_with_its_author(url):
    with Workspace.create(url, groups=1) as workspace:
        workspace.set_expiry(documents_days=30, deliveries_days=None, who="ada")
        with pytest.raises(BadInput):
            workspace.set_expiry(documents_days=-1, deliveries_days=None, who="bob")
        assert workspace.settings.documents_days == 30
        with workspace.database.read() as connection:
            (change,) = journal.changes(connection)
    assert (change.type, change.who) == ("expiry-set", "ada")
    assert change.text == "let documents expire: after 30 days; deliveries: never"


def test_a_checkpoint_that_cannot_be_read_is_passed_over(url):
    with Workspace.create(url, groups=1, **BUSY) as workspace:
        fill(workspace)
        before = states(workspace)
        workspace.checkpoint()
        with workspace.database.write() as connection:
            connection.execute(schema.checkpoints.update().values(data=b"damaged"))
        odd = checkpoints.encode({"settings": {}, "stream": {}})  # of another bayesift
    with Workspace.open(url) as workspace:
        assert states(workspace) == before
        workspace.checkpoint()
        with workspace.database.write() as connection:
            connection.execute(schema.checkpoints.update().values(data=odd))
    with Workspace.open(url) as workspace:
        assert states(workspace) == before
        workspace.checkpoint()
        with workspace.database.write() as connection:
            connection.execute(schema.checkpoints.update().values(data=b"damaged"))
            connection.execute(schema.documents.update().where(schema.documents.c.number == 1).values(body=None))
    with Workspace.open(url) as workspace, pytest.raises(BadInput, match="checkpoint: damaged"):
        workspace.inbox("oil")


@pytest.mark.parametrize("settings", [{}, BUSY])
def test_without_checkpoints_a_replay_needs_all_texts(url, settings):
    with Workspace.create(url, groups=1, documents_days=30, deliveries_days=10, **settings) as workspace:
        workspace.add_topic("oil", about="crude oil")
        list(workspace.process(documents(40)))
        before = states(workspace)
        with workspace.database.write() as connection:
            connection.execute(schema.checkpoints.delete())
    with Workspace.open(url) as workspace:
        assert states(workspace) == before
        assert workspace.expire(LATER)[1] == 40
        with workspace.database.write() as connection:
            connection.execute(schema.checkpoints.delete())
    reason = "checkpoint: missing, and texts that a replay needs have expired; import an export"
    for write in (True, False):
        with Workspace.open(url, write=write) as workspace, pytest.raises(BadInput, match=reason):
            workspace.inbox("oil")


def test_only_two_checkpoints_stay(url):
    with Workspace.create(url, groups=1) as workspace:
        workspace.add_topic("oil", about="crude oil")
        for i in range(5):
            list(workspace.process(documents(3, first=3 * i)))
            workspace.checkpoint()
        with workspace.database.read() as connection:
            assert [at.received for at in checkpoints.positions(connection, 0)] == [15, 12]


def test_export_and_import(url, new_url, tmp_path):
    with Workspace.create(url, groups=2, deliveries_days=9, **BUSY) as workspace:
        fill(workspace)
        workspace.checkpoint()
        list(workspace.process(documents(30, first=120)))
        before, waiting = states(workspace), inboxes(workspace)
        workspace.export(tmp_path / "news.jsonl.zst")
    other = new_url()
    with Workspace.import_(tmp_path / "news.jsonl.zst", other) as copy:
        assert inboxes(copy) == waiting
        assert states(copy) == before
        assert copy.settings.deliveries_days == 9
        assert copy.search("report 7")
        assert replayed(copy) == before
        copy.export(tmp_path / "again.jsonl")
        assert list(copy.process(documents(30, first=150)))
    with pytest.raises(BadInput, match="already"):
        Workspace.import_(tmp_path / "news.jsonl.zst", other)
    lines = (tmp_path / "again.jsonl").read_bytes().splitlines(keepends=True)
    for damaged, message in (
        (lines[:-1], "is incomplete"), (lines[:50], "missing|incomplete"), ([b"{}\n", *lines], "not an export"),
        ([*lines[:9], b"[1]\n", *lines[9:]], "too few"), ([lines[0].replace(b":1", b":9"), *lines[1:]], "version 9"),
        ([], "not an export"), ([*lines[:20], b"[\n"], "not JSON"),
    ):  # fmt: skip
        (tmp_path / "damaged.jsonl").write_bytes(b"".join(damaged))
        empty = new_url()
        with pytest.raises(BadInput, match=message):
            Workspace.import_(tmp_path / "damaged.jsonl", empty)
        with pytest.raises(BayesiftError, match="workspace"):
            Workspace.open(empty)  # nothing stays
        assert not Path(empty).exists()


def test_exports_with_columns_of_older_versions_are_read(url, new_url, tmp_path):
    with Workspace.create(url, **BUSY) as workspace:
        fill(workspace)
        waiting = inboxes(workspace)
        workspace.export(tmp_path / "news.jsonl")
    lines = [msgspec.json.decode(line) for line in (tmp_path / "news.jsonl").read_bytes().splitlines()]
    begin = next(i for i, line in enumerate(lines) if isinstance(line, dict) and line.get("table") == "deliveries")
    end = next(i for i in range(begin + 1, len(lines)) if isinstance(lines[i], dict))
    lines[begin]["columns"] += ["low", "high", "why"]
    lines[begin + 1 : end] = [[*row, 0.1, 0.9, "[]"] for row in lines[begin + 1 : end]]
    assert end > begin + 1
    (tmp_path / "old.jsonl").write_bytes(b"".join(msgspec.json.encode(line) + b"\n" for line in lines))
    with Workspace.import_(tmp_path / "old.jsonl", new_url()) as copy:
        assert inboxes(copy) == waiting


def test_a_filter_is_changed_through_its_workspace_only(url):
    with Workspace.create(url, groups=1) as workspace:
        workspace.add_topic("oil", about="crude oil")
        with pytest.raises(BadInput, match="through its workspace"):
            workspace.filter.add_topic("corn", about="corn")
        assert workspace.filter.topics == ["oil"]
    with Workspace.open(url) as workspace:
        assert workspace.filter.topics == ["oil"]


def test_a_document_without_a_date_gets_the_day_on_which_it_came(url):
    with Workspace.create(url, groups=1, per_day=5) as workspace:
        list(workspace.process([{"id": "a", "text": "wheat"}, {"id": "b", "text": "corn", "date": "2020-01-02"}]))
        assert workspace.document("a").date == workspace.document("a").added[:10]
        assert workspace.document("b").date == "2020-01-02"
        list(workspace.process([{"id": "a", "text": "wheat"}]))  # the same document, on any day
        assert workspace.status().documents == 2


def test_of_too_many_that_wait_the_oldest_expire(url):
    with Workspace.create(url, groups=1, per_day=5000, balance=1.0) as workspace:
        workspace.add_topic("wheat", about="wheat corn harvest")
        given = [{"id": f"d{i}", "text": f"wheat corn harvest {i}x", "date": "2026-01-01"} for i in range(1040)]
        list(workspace.process(given))
        waiting = {item.document for item in workspace.inbox("wheat")}
        assert workspace.status().topics[0].waiting == len(waiting) == 1000
        assert waiting == {f"d{i}" for i in range(40, 1040)}
        workspace.judge("wheat", "d3", True)  # its text is stored
        assert workspace.status().topics[0].relevant == 1


def test_an_answer_that_is_withdrawn_waits_from_then_on(url):
    with Workspace.create(url, groups=1, deliveries_days=10) as workspace:
        workspace.add_topic("oil", about="oil news")
        shown = next(iter(workspace.process(documents(20))))
        workspace.judge(*shown.about, relevant=True)
        workspace.expire("2036-02-01T00:00:00.000Z")
        workspace.withdraw(*shown.about, time="2036-02-01T00:00:00Z")
        workspace.expire("2036-02-05T00:00:00.000Z")
        assert [item.document for item in workspace.inbox("oil")] == [shown.document]
        workspace.expire("2036-02-15T00:00:00.000Z")
        assert workspace.inbox("oil") == []


def test_a_judgement_of_an_impossible_id_leaves_nothing_behind(url):
    with Workspace.create(url, groups=1) as workspace:
        workspace.add_topic("oil", about="oil news")
        with pytest.raises(BadInput, match="is not the id of a document"):
            workspace.judge("oil", None, True, text="oil and gas")
        assert workspace.status().documents == 0


@pytest.mark.parametrize("id", [5, 5.0, "a\0b"])
def test_a_document_is_judged_by_the_id_that_it_was_given(url, id):
    with Workspace.create(url) as workspace:
        workspace.add_topic("oil", about="oil news")
        list(workspace.process([{"id": id, "text": "oil"}]))
        workspace.judge("oil", id, True)
        workspace.change("oil", id, False)
        workspace.withdraw("oil", id)
        workspace.judge("oil", id, True, text="oil")
        assert workspace.status().topics[0].relevant == 1
        assert workspace.status().documents == 1



def test_numbers_of_numpy(url):
    with Workspace.create(url, groups=1, per_day=np.int64(7), balance=np.float32(0.25)) as workspace:
        workspace.add_topic("oil", about="oil news")
        workspace.set_topic("oil", per_day=np.int64(3))
    with Workspace.open(url) as workspace:
        info = workspace.filter.topic_info("oil")
        assert (info.per_day, info.balance) == (3, 0.25)


@pytest.mark.parametrize("name", [["oil"], 7, "", "a\0b", "a\ud800"])
def test_a_new_name_that_no_database_holds(url, name):
    with Workspace.create(url, groups=1) as workspace:
        workspace.add_topic("oil", about="oil news")
        for call in (lambda: workspace.add_topic(name, about="x"), lambda: workspace.rename_topic("oil", name)):
            with pytest.raises(BadInput, match="name"):
                call()
        assert workspace.topics == ["oil"]
