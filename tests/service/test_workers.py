"""Workers share the topics of a workspace and take over from one that was killed."""

import time

from tests.service.children import Child
from tests.service.states import replayed, states
from tests.service.streams import SUBJECTS, documents

from bayesift.filtering.store import Workspace
from bayesift.filtering.store.claims import Claims
from bayesift.filtering.store.database import Database

TOPICS = {f"{name}{i}": f"{name} {SUBJECTS[name][i]}" for name in SUBJECTS for i in (1, 2)}


def worker(url):
    def work(report, drawn):
        with Workspace.open(url) as workspace:
            report("ready")
            for item in workspace.work(poll=0.01, batch=16):
                report(item.topic, item.document)

    return work


def wait_until(condition):
    end = time.monotonic() + 20
    while not condition():
        assert time.monotonic() < end, "timed out"
        time.sleep(0.02)


def test_workers_share_the_groups(server):
    url = server.new()
    Workspace.create(url, groups=5).close()
    one, two, three = (Claims(Database(url, 1.0), 5) for _ in range(3))
    with one:
        assert one.renew() == [0, 1, 2, 3, 4]
        with two:
            assert two.renew() == []  # the first has all until it looks again
            assert one.renew() == [0, 1, 2]
            assert two.renew() == [3, 4]
            with three:
                three.renew()
                shares = [one.renew(), two.renew(), three.renew()]
                assert sorted(len(share) for share in shares) == [1, 2, 2]
                assert sorted(group for share in shares for group in share) == [0, 1, 2, 3, 4]
        wait_until(lambda: sorted(one.renew()) == [0, 1, 2, 3, 4])  # when the server knows that the others are gone


def test_topics_of_a_killed_worker_go_on(server):
    url = server.new()
    with Workspace.create(url, groups=4, per_day=20) as workspace:
        for name, about in TOPICS.items():
            workspace.add_topic(name, about=about)
        workers = [Child(worker(url), 0), Child(worker(url), 1)]
        reports = [child.lines() for child in workers]
        assert [next(lines) for lines in reports] == [["ready"], ["ready"]]
        wait_until(lambda: _holders(workspace) == 2)
        workspace.add_documents(documents(120))
        wait_until(lambda: not _behind(workspace))
        workers[0].kill()
        workspace.add_documents(documents(120, first=120))
        wait_until(lambda: not _behind(workspace))
        workers[1].kill()
        first, second = ([tuple(line) for line in lines] for lines in reports)
        assert first
        assert {topic for topic, _ in second} == set(TOPICS)
        early = {topic for topic, id in second if int(id[1:]) < 120}
        assert early < set(TOPICS)  # the topics were shared as long as both lived
        assert not {*first} & {*second}
        assert states(workspace) == replayed(workspace)


def _behind(workspace):
    return any(group.behind for group in workspace.status().groups)


def _holders(workspace):
    """Return how many workers hold claims of groups."""
    query = "SELECT count(DISTINCT pid) FROM pg_locks WHERE locktype = 'advisory' AND objid > 1000000 AND granted"
    with workspace.database.read() as connection:
        return connection.exec_driver_sql(query).scalar()


def test_a_worker_on_sqlite(tmp_path):
    url = tmp_path / "news.db"
    with Workspace.create(url) as workspace:
        workspace.add_topic("oil", about="crude oil")
        child = Child(worker(url), 0)
        lines = child.lines()
        assert next(lines) == ["ready"]
        workspace.add_documents(documents(60))
        topic, document = next(lines)
        workspace.judge(topic, document, True)  # while the worker works
        wait_until(lambda: not _behind(workspace))
        child.kill()
        assert states(workspace) == replayed(workspace)
