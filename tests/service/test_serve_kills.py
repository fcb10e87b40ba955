"""Kill the service and a worker at random moments under load: nothing acknowledged is lost, nothing happens twice."""

import contextlib
import http.client
import json
import random
import socket
import threading
import time

import pytest
from tests.service.children import Child
from tests.service.states import replayed, states
from tests.service.streams import NAMES, documents, is_relevant
from tests.service.test_kills import Books

pytest.importorskip("fastapi", reason="needs the service: pip install 'bayesift[service]'")

from bayesift.filtering.store import Workspace
from bayesift.service import create_app
from bayesift.service.server import Server

ROUNDS = 50  # with two kills each, on each of the two databases: 200 kills
LONGEST = 0.3  # seconds of load until a kill


def serve(url, port):
    def run(report, drawn):
        Server(create_app(url), port=port).serve_forever()

    return run


def work(url):
    def run(report, drawn):
        with Workspace.open(url) as workspace:
            for item in workspace.work(poll=0.01):
                report("shown", item.topic, item.document)

    return run


class Client:
    """Sends documents and judgements until the service is gone, and keeps what was acknowledged."""

    def __init__(self, port, drawn):
        self.port, self.drawn, self.reports = port, drawn, []

    def call(self, method, path, body=None):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=10)
        connection.request(
            method, path, None if body is None else json.dumps(body), {"Content-Type": "application/json"}
        )
        answer = connection.getresponse()
        data = answer.read()
        assert answer.status < 300, data
        return json.loads(data)

    def wait(self):
        for _ in range(2000):
            try:
                return self.call("GET", "/api/topics/1/inbox?limit=1")
            except OSError:
                time.sleep(0.01)
        raise AssertionError("the service does not start")

    def run(self, known):
        """Work until the service does not answer any more."""
        with contextlib.suppress(OSError, http.client.HTTPException):
            self.work(known)

    def work(self, known):
        while True:
            part = documents(self.drawn.randint(1, 8), first=max(0, known - 3))
            sent = [{"id": d.id, "title": d.title, "body": d.body} for d in part]
            answer = self.call("POST", "/api/documents", sent)
            known += answer["added"]
            self.reports += [["document", d.id] for d in part]
            self.reports += [["shown", item["topic"], item["document"]] for item in answer["shown"]]
            number = self.drawn.randint(1, len(NAMES))
            topic = NAMES[number - 1]
            for item in self.call("GET", f"/api/topics/{number}/inbox?limit=3")["items"]:
                relevant = is_relevant(topic, item["document"])
                self.reports.append(["judging", topic, item["document"], str(relevant)])
                self.call(
                    "POST", f"/api/topics/{number}/judgements", {"document": item["document"], "relevant": relevant}
                )
                self.reports.append(["judged", topic, item["document"], str(relevant)])


def test_killed_service_loses_nothing(url):
    with Workspace.create(url, strategy="rel+ig", learner="flip-perceptron") as workspace:
        for name in NAMES:
            workspace.add_topic(name, about=f"{name} news")
        for item in list(workspace.process(documents(40)))[:2]:  # compiles what the children need
            workspace.judge(item.topic, item.document, is_relevant(item.topic, item.document))
    books, drawn, kills = Books(), random.Random(0), 0
    for number in range(ROUNDS):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        service, worker = Child(serve(url, port), number), Child(work(url), number)
        client = Client(port, random.Random(number))
        client.wait()
        load = threading.Thread(target=client.run, args=(max(40, len(books.documents)),))
        load.start()
        for child in drawn.sample([service, worker], 2):
            time.sleep(drawn.random() * LONGEST)
            child.kill()
            kills += 1
        load.join()
        books.enter(worker.reports())
        books.enter(client.reports)
        with Workspace.open(url) as workspace:
            books.compare(workspace)
            if number % 10 == 9:
                assert states(workspace) == replayed(workspace)
    assert kills == 2 * ROUNDS
    assert len(books.documents) > ROUNDS
    assert sum(answer != "None" for answer in books.answers.values()) > ROUNDS / 2
