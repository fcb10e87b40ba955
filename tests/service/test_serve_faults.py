"""The service under faults: slow clients, many listeners, a database that goes away, a full disk."""

import asyncio
import json
import os
import resource
import socket
import threading
import time
import urllib.error
import urllib.request
from concurrent.futures import ThreadPoolExecutor

import pytest
from tests.service.streams import documents
from tests.service.test_failures import fill_up, own_server, small_disk  # noqa: F401

pytest.importorskip("fastapi", reason="needs the service: pip install 'bayesift[service]'")

from bayesift.filtering.store import Workspace
from bayesift.service import create_app
from bayesift.service.desk import BATCH
from bayesift.service.limits import LARGEST, LARGEST_HEADERS, Limits
from bayesift.service.server import Connection, Server

LISTENERS = 1000
AWAY = float(os.environ.get("BAYESIFT_AWAY", "2"))  # seconds without a database; BAYESIFT_AWAY=30 takes half a minute


@pytest.fixture
def started():
    """Return a function that runs the service in a thread and returns its address."""
    servers = []

    def begin(url):
        server = Server(create_app(url))
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        servers.append((server, thread))
        while not server.started:
            time.sleep(0.01)
        return server

    yield begin
    for server, thread in servers:
        server.should_exit = True
        thread.join()


def in_a_thread(task):
    """Return what a coroutine returns; this thread may have an event loop of its own, for a browser."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, task).result()


def fill(url):
    with Workspace.create(url, groups=1, balance=0.9) as workspace:
        workspace.add_topic("oil", about="crude oil prices")
        list(workspace.process(documents(60)))
    return url


def test_answers_while_documents_come(started, tmp_path):
    """Documents that come without a pause keep neither answers nor pages waiting for more than a few batches."""
    server = started(fill(tmp_path / "news.db"))
    body = [{"id": f"n{i}", "body": f"crude oil {i} prices"} for i in range(20 * BATCH)]
    with ThreadPoolExecutor(1) as pool:
        sending = pool.submit(call, server, "api/documents", body)
        while call(server, "api/documents?limit=1")[1]["documents"][0]["number"] < 60 + BATCH:
            time.sleep(0.001)
        answered = call(server, "api/topics/1/judgements", {"document": "d3", "relevant": True})[0]
        stored = call(server, "api/documents?limit=1")[1]["documents"][0]["number"]
        assert answered == 201
        assert stored < 60 + len(body), "the answer came after all documents"
        assert sending.result()[0] == 201


def call(server, path, body=None, plain=False):
    """Return the status and the body of an answer, which is JSON unless it is `plain`."""
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(server.address + path, data, {"Content-Type": "application/json"})
    try:
        with urllib.request.urlopen(request, timeout=60) as answer:
            return answer.status, answer.read() if plain else json.load(answer)
    except urllib.error.HTTPError as error:
        return error.code, json.load(error)


def port_of(server):
    return server.sockets[0].getsockname()[1]


def test_slow_body_is_refused_and_others_are_served(started, tmp_path, monkeypatch):
    url = fill(tmp_path / "news.db")
    monkeypatch.setattr(Limits.__init__, "__defaults__", (LARGEST, 1.0))
    server = started(url)
    slow = [socket.create_connection(("127.0.0.1", port_of(server))) for _ in range(50)]
    for client in slow:
        client.sendall(b"POST /api/documents HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{")
    assert call(server, "api/topics")[0] == 200
    slow[0].settimeout(40)
    assert b" 408 " in slow[0].recv(1000)
    for client in slow:
        client.close()
    assert call(server, "api/topics")[0] == 200


def test_headers_that_do_not_end_close_the_connection(started, tmp_path, monkeypatch):
    monkeypatch.setattr(Connection, "slowest", 0.5)
    server = started(fill(tmp_path / "news.db"))
    silent, slow, second, endless = (socket.create_connection(("127.0.0.1", port_of(server))) for _ in range(4))
    slow.sendall(b"GET /health HTTP/1.1\r\nHost: local")
    second.sendall(b"GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n")
    answer = b""
    while not answer.endswith(b"}"):  # headers and body may come in two pieces
        answer += second.recv(10_000)
    assert b"200 OK" in answer
    second.sendall(b"GET /health HTTP/1.1\r\nHost: local")
    endless.sendall(b"GET /health HTTP/1.1\r\nX: " + b"x" * (2 * LARGEST_HEADERS))  # all of it is read
    endless.settimeout(20)
    assert b" 400 " in endless.recv(10_000)
    for client in (silent, slow, second):
        client.settimeout(20)
        assert client.recv(10_000) == b""  # closed, long before a connection between two requests would be
        client.close()
    assert call(server, "health")[0] == 200


def test_answers_do_not_wait_for_the_confirmation_of_their_headers(started, tmp_path):
    server = started(fill(tmp_path / "news.db"))
    with socket.create_connection(("127.0.0.1", port_of(server))) as client:
        client.sendall(b"GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert client.recv(1000)
        ours = [one.transport.get_extra_info("socket") for one in list(server.server_state.connections)]
        assert ours
        assert all(one.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY) for one in ours)


def test_slow_answer_is_not_cut_by_the_limit_of_headers(started, tmp_path, monkeypatch):
    monkeypatch.setattr(Connection, "slowest", 0.3)
    server = started(fill(tmp_path / "news.db"))
    listener = socket.create_connection(("127.0.0.1", port_of(server)))
    listener.sendall(b"GET /changes HTTP/1.1\r\nHost: localhost\r\n\r\n")
    assert b"200 OK" in listener.recv(1000)
    time.sleep(1)
    server.app.state.desk.changes.publish("shown", topic="oil", document="late")
    listener.settimeout(20)
    received = b""
    while b"late" not in received:
        part = listener.recv(1000)
        assert part
        received += part
    listener.close()


def test_many_listeners(started, tmp_path):
    server = started(fill(tmp_path / "news.db"))
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

    async def listen():
        streams = []
        for _ in range(LISTENERS):
            reader, writer = await asyncio.open_connection("127.0.0.1", port_of(server))
            writer.write(b"GET /changes HTTP/1.1\r\nHost: localhost\r\n\r\n")
            streams.append((reader, writer))
        for reader, _ in streams:
            await asyncio.wait_for(reader.readuntil(b"retry: 3000"), 30)
        assert len(server.app.state.desk.changes) == LISTENERS
        server.app.state.desk.changes.publish("shown", topic="oil", document="d")
        for reader, _ in streams:
            await asyncio.wait_for(reader.readuntil(b"event: shown"), 30)
        for _, writer in streams:
            writer.close()

    in_a_thread(listen())
    grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024
    assert grown < 200  # MB, with both ends in this process
    for _ in range(600):
        if not len(server.app.state.desk.changes):
            break
        time.sleep(0.05)
    assert len(server.app.state.desk.changes) == 0
    assert call(server, "api/topics")[0] == 200


def test_listener_that_does_not_read_is_dropped(tmp_path):
    from bayesift.service.changes import BEHIND, Changes

    async def run():
        changes = Changes()
        changes.start()
        stream = changes.listen()
        await anext(stream)
        for i in range(3 * BEHIND):
            changes.publish("shown", topic=str(i))
        await asyncio.sleep(0)
        assert len(changes) == 0
        return [part async for part in stream]

    assert len(in_a_thread(run())) < BEHIND


def test_database_that_goes_away_and_comes_back(started, own_server):  # noqa: F811
    server = started(fill(own_server.new()))
    assert call(server, "api/topics")[0] == 200
    own_server.stop()
    status, problem = call(server, "api/documents", {"id": "x", "body": "oil"})
    assert status == 503
    assert set(problem) == {"type", "title", "status", "detail"}
    ends = time.monotonic() + AWAY
    with ThreadPoolExecutor(8) as readers:  # more than the connections of the pool would be if one were lost each time
        while time.monotonic() < ends:
            codes = set(readers.map(lambda _: call(server, "api/topics/1/inbox")[0], range(16)))
            assert codes == {503}
            assert call(server, "health")[0] == 503
            assert call(server, "static/icon.svg", plain=True)[0] == 200
            time.sleep(0.2)
    own_server.start()
    assert call(server, "api/documents", {"id": "x", "body": "oil"})[0] == 201
    assert call(server, "api/topics/1/inbox")[0] == 200


def test_full_disk_is_said_and_it_goes_on_afterwards(started, small_disk):  # noqa: F811
    server = started(fill(small_disk / "news.db"))
    filler = fill_up(small_disk)
    answers = [call(server, "api/documents", {"id": f"n{i}", "body": "oil " * 20_000}) for i in range(8)]
    assert any(status == 503 and "full" in problem["detail"] for status, problem in answers)
    assert call(server, "api/topics")[0] == 200
    filler.unlink()
    assert call(server, "api/documents", {"id": "after", "body": "oil"})[0] == 201
    acknowledged = {f"n{i}" for i, (status, _) in enumerate(answers) if status == 201} | {"after"}
    for document in acknowledged:
        assert call(server, f"api/documents/{document}")[0] == 200
