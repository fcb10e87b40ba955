"""Delivered documents are posted to the address of their topic, wherever the documents come from."""

import contextlib
import json
import threading
import time
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest
import sqlalchemy as sa
from tests.web.conftest import PAGE

from bayesift.filtering.store import StoreFailed
from bayesift.filtering.store.locking import CATALOGUE
from bayesift.filtering.store.schema import webhooks
from bayesift.service import background
from bayesift.service.background import Background

WHEAT = "wheat and corn harvests, wheat, corn, harvest"


@contextlib.contextmanager
def serving(handler):
    """Run a server, and return the address of its webhook."""
    server = HTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/hook"
    server.shutdown()
    server.server_close()


@pytest.fixture
def receiver():
    """Return the address of a server, and what it has received."""
    received = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self):
            received.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
            self.send_response(204)
            self.end_headers()

        def log_message(self, *about):
            pass

    with serving(Handler) as address:
        yield address, received


def wait_for(found, seconds=60.0):
    ends = time.monotonic() + seconds
    while not found() and time.monotonic() < ends:
        time.sleep(0.02)
    return found()


def test_delivered_documents_are_posted_from_everywhere(start, receiver):
    client, (address, received) = start(allow_private=True), receiver
    assert client.post("/topics/1/webhook", data={"address": address}).status_code == 303
    client.post("/api/documents", json={"id": "w1", "body": WHEAT})
    client.post("/api/documents/lines", content=json.dumps({"id": "w2", "body": WHEAT}))
    client.post("/sources/upload", files=[("files", ("a.jsonl", json.dumps({"id": "w3", "text": WHEAT}).encode()))])
    assert wait_for(lambda: {"w1", "w2", "w3"} <= {item["document"] for item in received}), received
    assert all(item["topic"] == "grain" and item["kind"] == "delivered" for item in received)
    client.post("/topics/1/webhook", data={"address": ""})
    count = len(received)
    client.post("/api/documents", json={"id": "w4", "body": WHEAT})
    time.sleep(0.2)
    assert len(received) == count


def test_webhook_ends_with_its_topic(start, receiver):
    client, (address, received) = start(allow_private=True), receiver
    client.put("/api/topics/1/webhook", json={"address": f"{address}/old"})
    client.delete("/api/topics/1")
    with client.app.state.desk.reading() as connection:
        assert connection.execute(sa.select(webhooks)).all() == []
    with client.app.state.desk.workspace.database.write(CATALOGUE) as connection:  # as earlier versions left it
        connection.execute(webhooks.insert(), {"topic": 1, "address": f"{address}/old"})
    new = client.post("/api/topics", json={"name": "grain", "about": "wheat and corn harvests"}).json()["number"]
    client.post("/api/documents", json={"id": "w1", "body": WHEAT})
    assert not wait_for(lambda: received, seconds=1.0)
    client.put(f"/api/topics/{new}/webhook", json={"address": address})
    client.post("/api/documents", json={"id": "w2", "body": WHEAT})
    assert wait_for(lambda: received)
    assert [item["document"] for item in received] == ["w2"]


def test_documents_are_acknowledged_and_posted_when_webhooks_cannot_be_looked_up(start, receiver, monkeypatch):
    client, (address, received) = start(allow_private=True), receiver
    client.put("/api/topics/1/webhook", json={"address": address})
    real, failed = Background._addresses, []

    def away(self):
        if not failed:
            failed.append(True)
            raise StoreFailed("is away")
        return real(self)

    monkeypatch.setattr(background, "TIDY", 0.01)
    monkeypatch.setattr(Background, "_addresses", away)
    assert client.post("/api/documents", json={"id": "w1", "body": WHEAT}).status_code == 201
    assert wait_for(lambda: received)
    assert failed
    assert received[0]["document"] == "w1"


@pytest.mark.parametrize(
    "host", ["127.0.0.1", "localhost:8080", "[::1]", "10.0.0.1", "169.254.169.254", "2130706433", "[::ffff:10.0.0.1]"]
)
def test_private_address_is_refused_when_it_is_set(client, host):
    address = f"http://me:secret@{host}/hook"
    answer = client.put("/api/topics/1/webhook", json={"address": address})
    assert answer.status_code == 400
    assert "allow it with --allow-private" in answer.json()["detail"]
    assert "secret" not in answer.text
    answer = client.post("/topics/1/webhook", data={"address": address}, headers=PAGE)
    assert answer.status_code == 400
    assert 'role="alert"' in answer.text
    assert client.get("/api/topics/1/webhook").json() == {"address": None, "error": None}


@pytest.mark.parametrize("address", ["https://example.org/hook", "http://93.184.215.14/", "http://[2606:2800:21f::1]/"])
def test_other_addresses_are_taken_without_looking_them_up(client, address):
    assert client.put("/api/topics/1/webhook", json={"address": address}).status_code == 200


def test_private_address_is_not_posted_to_and_the_page_says_so(client, receiver):
    address, received = receiver
    with client.app.state.desk.workspace.database.write(CATALOGUE) as connection:  # set with --allow-private
        connection.execute(webhooks.insert(), {"topic": 1, "address": address})
    client.post("/api/documents", json={"id": "w1", "body": WHEAT})
    assert wait_for(lambda: client.get("/api/topics/1/webhook").json()["error"])
    page = client.get("/topics/1", headers=PAGE).text
    assert address in page
    assert "was not posted" in page
    assert "private" in page
    assert not received


@pytest.mark.parametrize("address", ["ftp://example.org", "javascript:alert(1)", "nothing"])
def test_address_that_is_none_is_refused(client, address):
    assert client.put("/api/topics/1/webhook", json={"address": address}).status_code == 400
    answer = client.post("/topics/1/webhook", data={"address": address}, headers=PAGE)
    assert answer.status_code == 400
    assert 'role="alert"' in answer.text
    assert client.get("/api/topics/1/webhook").json() == {"address": None, "error": None}


@pytest.fixture
def failing():
    """Return an address that refuses as many posts as a list has numbers, and the documents that it takes."""
    refused, received = [], []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self):
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            if refused:
                self.send_response(refused.pop())
            else:
                received.append(body["document"])
                self.send_response(200)
            self.end_headers()

        def log_message(self, *about):
            pass

    with serving(Handler) as address:
        yield address, refused, received


def test_a_document_that_a_webhook_refused_is_posted_again(start, failing, monkeypatch):
    monkeypatch.setattr("bayesift.service.background.PAUSES", (0.01, 0.01))
    client, (address, refused, received) = start(allow_private=True), failing
    client.put("/api/topics/1/webhook", json={"address": address})
    refused += [500, 503]
    client.post("/api/documents", json={"id": "w1", "body": WHEAT})
    assert wait_for(lambda: "w1" in received)
    assert client.get("/api/topics/1/webhook").json()["error"] is None


def test_a_document_that_was_not_posted_stays_known(start, failing, monkeypatch):
    monkeypatch.setattr("bayesift.service.background.PAUSES", (0.01, 0.01))
    client, (address, refused, received) = start(allow_private=True), failing
    client.put("/api/topics/1/webhook", json={"address": address})
    refused += [500] * 3
    client.post("/api/documents", json={"id": "w1", "body": WHEAT})

    def error():
        return client.get("/api/topics/1/webhook").json()["error"]

    assert wait_for(error)
    assert " UTC: document 'w1' was not posted" in error()
    refused += [500]
    client.post("/api/documents", json={"id": "w2", "body": WHEAT})  # one try, while the webhook takes nothing
    assert wait_for(lambda: "'w2'" in error())
    client.post("/api/documents", json={"id": "w3", "body": WHEAT})
    assert wait_for(lambda: "w3" in received)
    assert received == ["w3"]
    assert "'w2' was not posted" in error()
    client.put("/api/topics/1/webhook", json={"address": address})
    assert error() is None
