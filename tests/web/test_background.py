"""What the service does by itself: one bad source or webhook ends nothing."""

import json
import queue
import socket
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest
import sqlalchemy as sa
from fastapi.testclient import TestClient
from tests.unit.filtering.feeds.conftest import RSS, Web
from tests.web.conftest import PAGE
from tests.web.test_webhooks import WHEAT, wait_for

from bayesift.filtering.feeds.limits import SourceFailed
from bayesift.filtering.store import StoreFailed, Workspace
from bayesift.filtering.store.locking import CATALOGUE
from bayesift.filtering.store.schema import sources
from bayesift.service import ServiceSettings, background, create_app


@pytest.fixture
def web():
    found = Web()
    yield found
    found.server.shutdown()
    found.server.server_close()


def rows(client):
    """Return the sources by address."""
    with client.app.state.desk.reading() as connection:
        return {row.address: row for row in connection.execute(sa.select(sources))}


def add(client, *addresses):
    for address in addresses:
        assert client.post("/sources", data={"address": address, "every": "1"}).status_code == 303


def test_a_bad_feed_does_not_end_the_reading_of_the_others(start, web):
    client = start(allow_private=True)
    bad = web.serve("/bad", RSS.replace("Oil", "&#x110000;"))
    good = web.serve("/good", RSS)
    add(client, bad, good)
    assert wait_for(lambda: all(row.last_run for row in rows(client).values()))
    assert (rows(client)[good].documents, rows(client)[good].error) == (2, None)
    assert "cannot be read: ValueError" in rows(client)[bad].error
    assert client.get("/health").status_code == 200


@pytest.mark.parametrize("address", ["  ", "x" * 300, "y" * 2001])
def test_an_address_that_is_none_is_an_error(client, address):
    answer = client.post("/sources", data={"address": address, "every": "15"}, headers=PAGE)
    assert answer.status_code == (422 if len(address) > 2000 else 400)
    assert rows(client) == {}


def again(client, *addresses):
    """Read sources once more, and return their rows."""
    with client.app.state.desk.workspace.database.write(CATALOGUE) as connection:
        connection.execute(sources.update().where(sources.c.address.in_(addresses)).values(last_run=None))
    client.app.state.background.wake()
    assert wait_for(lambda: all(rows(client)[address].last_run for address in addresses))
    return rows(client)


def test_what_was_stored_is_not_read_again(start, web, tmp_path):
    client = start(allow_private=True)
    folder, box, feed = tmp_path / "texts", tmp_path / "mail", web.serve("/feed", RSS, ETag='"1"')
    folder.mkdir()
    (folder / "a.txt").write_text("Corn rose.")
    box.write_text("From a@b.example Mon Nov  2 10:00:00 2026\nMessage-ID: <1@b.example>\n\nPrices rose.\n\n")
    names = str(folder), str(box), feed
    add(client, *names)
    assert wait_for(lambda: all(row.last_run for row in rows(client).values()))
    web.serve("/feed", status=304)
    stored = []
    real = client.app.state.desk.add_documents
    client.app.state.desk.add_documents = lambda given, **more: stored.extend(given) or real(given, **more)
    found = again(client, *names)
    assert stored == []
    assert [found[name].documents for name in names] == [1, 1, 2]
    assert [headers.get("If-None-Match") for _, headers in web.asked] == [None, '"1"']
    client.post("/sources/remove", data={"number": 3, "address": feed})
    web.serve("/feed", RSS, ETag='"1"')
    add(client, feed)
    assert wait_for(lambda: rows(client)[feed].last_run)
    assert [headers.get("If-None-Match") for _, headers in web.asked] == [None, '"1"', None]


def test_what_could_not_be_stored_is_read_again(start, web, monkeypatch):
    client, feed = start(allow_private=True), web.serve("/feed", RSS, ETag='"1"')

    def fails(*_, **__):
        raise StoreFailed("is away")

    with monkeypatch.context() as away:
        away.setattr(client.app.state.desk, "add_documents", fails)
        add(client, feed)
        assert wait_for(lambda: rows(client)[feed].last_run)
        assert rows(client)[feed].error == "is away"
    found = again(client, feed)[feed]
    assert (found.documents, found.error) == (2, None)
    assert [headers.get("If-None-Match") for _, headers in web.asked] == [None, None]


def test_an_error_that_nobody_foresaw_is_shown_and_the_others_go_on(start, web, monkeypatch, caplog):
    client = start(allow_private=True)
    odd, good = web.serve("/a", RSS), web.serve("/b", RSS.replace("news.example", "other.example"))
    real = background.source_of

    def source_of(address, limits):
        if address == odd:
            raise RuntimeError("odd \0")
        return real(address, limits)

    monkeypatch.setattr(background, "source_of", source_of)
    add(client, odd, good)
    assert wait_for(lambda: all(row.last_run for row in rows(client).values()))
    assert rows(client)[odd].error == "RuntimeError: odd \ufffd; the log of the service says more"
    assert rows(client)[good].error is None
    assert "an unexpected error" in caplog.text
    monkeypatch.setattr(client.app.state.background, "_due", lambda: 1 / 0)
    client.app.state.background.wake()
    assert wait_for(lambda: "ZeroDivisionError" in caplog.text)
    assert client.get("/health").status_code == 200


def test_a_thread_that_has_ended_is_a_problem_of_the_health(client, monkeypatch):
    monkeypatch.setitem(client.app.state.background._tasks, "reads sources", threading.Thread())
    answer = client.get("/health")
    assert answer.status_code == 503
    assert answer.json()["detail"].startswith("The thread that reads sources has ended; start the service again")
    assert "The thread that reads sources has ended" in client.get("/health/page", headers=PAGE).text


@pytest.mark.parametrize("failure", [None, SourceFailed("no complete answer", path="slow"), ValueError("odd")])
def test_a_source_that_is_still_read_stores_nothing_after_the_end(workspace, monkeypatch, failure):
    monkeypatch.setattr(background, "GRACE", 0.1)
    begun, goes_on, confirmed = threading.Event(), threading.Event(), []

    class Slow:
        name = "slow"

        def read(self, say, find=None):
            begun.set()
            goes_on.wait(30)
            if failure:
                raise failure
            yield from ()

        def confirm(self):
            confirmed.append(True)

    monkeypatch.setattr(background, "source_of", lambda address, limits: Slow())
    app = create_app(workspace, ServiceSettings())
    with TestClient(app, base_url="http://localhost", client=("127.0.0.1", 50000), follow_redirects=False) as client:
        add(client, "https://news.example/slow")
        assert begun.wait(30)
    goes_on.set()
    app.state.background._tasks["reads sources"].join(30)
    with Workspace.open(workspace, write=False) as news, news.reading() as connection:
        row = connection.execute(sa.select(sources)).one()
    assert (row.last_run, row.error, confirmed) == (None, None, [])


@pytest.fixture
def slow():
    """Return the address of a server that does not answer."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield f"http://127.0.0.1:{server.getsockname()[1]}/hook"


def deliver(client, n):
    return {client.post("/api/documents", json={"id": f"w{i}", "body": WHEAT}).status_code for i in range(n)}


def test_a_slow_webhook_does_not_keep_the_service_from_stopping(workspace, slow, monkeypatch):
    monkeypatch.setattr(background, "GRACE", 0.5)
    monkeypatch.setattr(background, "PENDING", 3)
    app = create_app(workspace, ServiceSettings(allow_private=True))
    with TestClient(app, base_url="http://localhost", client=("127.0.0.1", 50000)) as client:
        client.put("/api/topics/1/webhook", json={"address": slow})
        assert deliver(client, 20) == {201}
        assert app.state.background._delivered.qsize() in (2, 3)  # one may be on its way
        app.state.background.stop()
        assert app.state.background._tasks["sends webhooks"].is_alive()  # it was not waited for
        assert app.state.background.ended() == ["reads sources", "tidies up"]


def test_what_was_delivered_is_posted_before_the_service_ends(workspace, monkeypatch, caplog):
    posted = []

    def send(address, body, limits):
        time.sleep(0.05)
        posted.append(json.loads(body)["document"])

    monkeypatch.setattr(background, "send", send)
    app = create_app(workspace, ServiceSettings(allow_private=True))
    with TestClient(app, base_url="http://localhost", client=("127.0.0.1", 50000)) as client:
        client.put("/api/topics/1/webhook", json={"address": "https://news.example/hook"})
        lines = "\n".join(json.dumps({"id": f"w{i}", "body": WHEAT}) for i in range(10))
        shown = client.post("/api/documents/lines", content=lines).json()["shown"]
    assert posted == [item["document"] for item in shown if item["kind"] == "delivered"]
    assert len(posted) > 1
    monkeypatch.setattr(background, "GRACE", 0.1)
    posted.clear()
    app = create_app(workspace, ServiceSettings(allow_private=True))
    with TestClient(app, base_url="http://localhost", client=("127.0.0.1", 50000)) as client:
        client.post("/api/documents/lines", content=lines.replace('"w', '"v'))
    app.state.background._tasks["sends webhooks"].join(30)
    assert "delivered documents were not posted before the end" in caplog.text


def test_webhooks_that_are_too_many_do_not_lose_an_answer(start, slow, monkeypatch):
    """Of several threads that see the last free place, one takes it."""
    monkeypatch.setattr(background, "PENDING", 1)
    monkeypatch.setattr(queue.Queue, "full", lambda _: False)
    client = start(allow_private=True)
    client.put("/api/topics/1/webhook", json={"address": slow})
    with ThreadPoolExecutor(4) as pool:
        sent = [pool.submit(client.post, "/api/documents", json={"id": f"w{i}", "body": WHEAT}) for i in range(8)]
    assert {one.result().status_code for one in sent} == {201}
