"""How fast is the service, on the loopback address: documents in, judgements and inbox pages with many readers?

The service is a process of its own. Documents are sent as JSON lines, some hundred per request, to a workspace with
100 topics; the peer is the same stream through `Workspace.process` in this process, without a service. Then readers
in threads of this process open the inbox, judge its first document, read for a second and open the inbox again, all at
the same time, which is more than people do: once alone, and once while documents are sent without a pause. At last they
do so without reading: there are always as many requests as readers then, and the service is never idle. The peer of a
judgement is `Workspace.judge` without a service.

The default size takes a minute. With `--database FILE` a workspace is kept and filled up to `--documents`, if it does
not have them; topics that are missing are added, so that the million of `benchmarks/workspace.py` can be used. With
`--soak SECONDS` it sends requests of all kinds for so long instead, with `--pause` seconds between rounds of them, and
tells by how much the memory of the service grows per request and per hour.
"""

from __future__ import annotations

import argparse
import http.client
import json
import multiprocessing
import os
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

import numpy as np

from _run import show
from bayesift.filtering.store import Workspace
from workspace import add_topics, documents

BATCH = 500  # documents per request
TOO_MANY = 429  # the status of an answer
READING = 1.0  # seconds that a reader, who is a fast one, takes for a document


def serve(url: str, pipe: Any) -> None:
    """Run the service, and tell its port."""
    from bayesift.service import create_app
    from bayesift.service.server import Server

    server = Server(create_app(url))
    pipe.send(server.sockets[0].getsockname()[1])
    server.serve_forever()


class Client:
    """One connection to the service."""

    def __init__(self, port: int) -> None:
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)

    def call(self, method: str, path: str, body: bytes | None = None, kind: str = "application/json") -> bytes:
        """Send a request and return the answer; wait where the service limits the requests of a client."""
        while True:
            self.connection.request(method, path, body, {"Content-Type": kind})
            answer = self.connection.getresponse()
            data = answer.read()
            if answer.status != TOO_MANY:
                break
            time.sleep(0.05)
        if answer.status >= 300:
            raise RuntimeError(f"{method} {path}: {answer.status} {data[:200]!r}")
        return data


def prepare(url: Path, topics: int) -> None:
    """Create a workspace, or add the topics that are missing."""
    with Workspace.open(url) if url.exists() else Workspace.create(url, per_day=5) as workspace:
        add_topics(workspace, topics)


def ingest(port: int, first: int, last: int) -> float:
    """Send documents, and return how many the service took per second."""
    client, found = Client(port), list(documents(first, last))
    lines = [json.dumps({"id": d.id, "title": d.title, "body": d.body, "date": d.date}).encode() for d in found]
    begin = time.perf_counter()
    for i in range(0, len(lines), BATCH):
        client.call("POST", "/api/documents/lines", b"\n".join(lines[i : i + BATCH]), "application/x-ndjson")
    return len(lines) / (time.perf_counter() - begin)


def read(
    port: int, reader: int, number: int, rounds: int, seconds: float, judging: list[float], opening: list[float]
) -> None:
    """Open the inbox of a topic and judge, again and again, with so many seconds to read in between."""
    client = Client(port)
    time.sleep(seconds * reader / 20)  # readers do not begin at the same moment
    for k in range(rounds):
        begin = time.perf_counter()
        client.call("GET", f"/topics/{number}/inbox")
        opening.append(time.perf_counter() - begin)
        items = json.loads(client.call("GET", f"/api/topics/{number}/inbox?limit=1"))["items"]
        document = items[0]["document"] if items else f"d{10_000 + reader * 100 + k}"  # not those of `judge_alone`
        body = json.dumps({"document": document, "relevant": k % 3 == 0}).encode()
        begin = time.perf_counter()
        client.call("POST", f"/api/topics/{number}/judgements", body)
        judging.append(time.perf_counter() - begin)
        time.sleep(seconds)


def readers(port: int, number: int, rounds: int, seconds: float = READING) -> tuple[list[float], list[float]]:
    """Let readers work at the same time, in the fullest inboxes; return the seconds of judgements and of pages."""
    topics = json.loads(Client(port).call("GET", "/api/topics"))["topics"]
    fullest = sorted(topics, key=lambda topic: -topic["waiting"])
    judging: list[float] = []
    opening: list[float] = []
    found = [
        threading.Thread(target=read, args=(port, r, fullest[r]["number"], rounds, seconds, judging, opening))
        for r in range(number)
    ]
    for reader in found:
        reader.start()
    for reader in found:
        reader.join()
    return judging, opening


def send(port: int, first: int, ends: Any, pipe: Any) -> None:
    """Send documents without a pause until told to end; tell how many there were, and how many per second."""
    client, begin, sent = Client(port), time.perf_counter(), 0
    while not ends.is_set():
        found = documents(first + sent, first + sent + BATCH)
        lines = [json.dumps({"id": d.id, "title": d.title, "body": d.body, "date": d.date}).encode() for d in found]
        client.call("POST", "/api/documents/lines", b"\n".join(lines), "application/x-ndjson")
        sent += BATCH
    pipe.send((sent, sent / (time.perf_counter() - begin)))


def judge_alone(workspace: Workspace, topics: int, number: int) -> list[float]:
    """Return the seconds of judgements without a service; they are undone afterwards."""
    seconds = []
    for k in range(number):
        begin = time.perf_counter()
        workspace.judge(f"topic{k % topics}", f"d{1000 + k}", k % 3 == 0)
        seconds.append(time.perf_counter() - begin)
    for _ in range(number):
        workspace.undo()
    return seconds


def start(url: Path) -> tuple[Any, int]:
    """Start the service, and return its process and its port."""
    ours, theirs = multiprocessing.Pipe(duplex=False)
    process = multiprocessing.get_context("spawn").Process(target=serve, args=(str(url), theirs), daemon=True)
    process.start()
    return process, ours.recv()


def resident(pid: int) -> int:
    """Return the bytes of memory that a process uses."""
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGESIZE")


def soak(url: Path, seconds: float, topics: int, pause: float) -> dict[str, Any]:
    """Send requests of all kinds, and return how the memory of the service grows: the slope of its last two thirds.

    What is judged is undone and documents are sent again and again, so that there is no more to remember at the end.
    """
    process, port = start(url)
    client, sent = Client(port), list(documents(0, 40))
    body = json.dumps([{"id": d.id, "title": d.title, "body": d.body, "date": d.date} for d in sent]).encode()
    begin, requests = time.perf_counter(), 0
    seen: list[tuple[float, float, float]] = []
    while (now := time.perf_counter() - begin) < seconds:
        number = 1 + len(seen) % topics
        client.call("POST", "/api/documents", body)
        answer = client.call("GET", f"/api/topics/{number}/inbox?limit=1")
        items = json.loads(answer)["items"]
        document = items[0]["document"] if items else sent[0].id
        given = json.dumps({"document": document, "relevant": True}).encode()
        client.call("POST", f"/api/topics/{number}/judgements", given)
        client.call("POST", f"/api/topics/{number}/undo")
        for path in ("/", f"/topics/{number}", f"/topics/{number}/inbox", "/documents?topic=topic0", "/documents?q=oil",
                     "/health/page", "/metrics"):  # fmt: skip
            client.call("GET", path)
        requests += 11
        seen.append((now, requests, resident(process.pid)))
        time.sleep(pause)
    process.terminate()
    process.join()
    rest = np.array(seen[len(seen) // 3 :])
    per_second, per_request = (float(np.polyfit(rest[:, k], rest[:, 2], 1)[0]) for k in (0, 1))
    return {
        "seconds": seconds, "requests": requests, "MB after a third": rest[0, 2] / 1e6,
        "MB at the end": rest[-1, 2] / 1e6,
        "bytes per request": per_request, "MB per hour": 3600 * per_second / 1e6,
    }  # fmt: skip


def main() -> None:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--documents", type=int, default=20_000)
    parser.add_argument("--measured", type=int, default=10_000, help="documents that are timed (default: 10,000)")
    parser.add_argument("--topics", type=int, default=100)
    parser.add_argument("--readers", type=int, default=20)
    parser.add_argument("--rounds", type=int, default=20, help="judgements of each reader (default: 20)")
    parser.add_argument("--database", type=Path, help="a workspace to keep")
    parser.add_argument("--soak", type=float, metavar="SECONDS", help="measure the memory instead, for so long")
    parser.add_argument("--pause", type=float, default=0.0, help="seconds between rounds of --soak (default: 0)")
    parser.add_argument("--json", type=Path, help="write the rows here as well")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        url = given.database or Path(folder) / "service.db"
        prepare(url, given.topics)
        if given.soak is not None:
            with Workspace.open(url) as workspace:
                for _ in workspace.process(documents(0, 500)):
                    pass
            show([soak(url, given.soak, given.topics, given.pause)], [], given.json)
            return
        rows = measure(url, given)
    show(rows, [], given.json)


def measure(url: Path, given: argparse.Namespace) -> list[dict[str, Any]]:
    """Return the rows of the benchmark."""
    with Workspace.open(url) as workspace:
        for _ in workspace.process(documents(workspace.status().documents, given.documents), batch=1_000):
            pass
        known = workspace.status().documents
        for _ in workspace.process(documents(known, known + BATCH), batch=BATCH):  # loads all that is needed
            pass
        known += BATCH
        begin = time.perf_counter()
        for _ in workspace.process(documents(known, known + given.measured), batch=BATCH):
            pass
        alone = given.measured / (time.perf_counter() - begin)
        judged = judge_alone(workspace, given.readers, 100)
        known += given.measured
    process, port = start(url)
    readers(port, given.readers, 1)  # the process has loaded all that it needs
    ingest(port, known, known + 2 * BATCH)
    known += 2 * BATCH
    rate = ingest(port, known, known + given.measured)
    known += given.measured
    quiet = readers(port, given.readers, given.rounds)
    spawn = multiprocessing.get_context("spawn")
    ends, (ours, theirs) = spawn.Event(), spawn.Pipe(duplex=False)
    sender = spawn.Process(target=send, args=(port, known, ends, theirs))
    sender.start()
    busy = readers(port, given.readers, given.rounds)
    ends.set()
    sent, meanwhile = ours.recv()
    sender.join()
    begin = time.perf_counter()
    hurried = readers(port, given.readers, given.rounds, 0.0)
    rounds = given.readers * given.rounds / (time.perf_counter() - begin)
    process.terminate()
    process.join()
    stored = known + sent
    rows: list[dict[str, Any]] = [
        {"what": "documents/s", "service": rate, "no service": alone, "ratio": rate / alone},
        {"what": "documents/s while readers work", "service": meanwhile},
        {"what": "pages opened and judged/s, no time to read", "service": rounds},
    ]
    peers = {"judgement": judged, "inbox page": None}
    for when, (judging, opening) in (("", quiet), (" while documents come", busy), (", no time to read", hurried)):
        for name, seconds in (("judgement", judging), ("inbox page", opening)):
            for p in (50, 99):
                row = {"what": f"{name}{when}, p{p}, ms", "service": 1e3 * np.percentile(seconds, p)}
                if peers[name] is not None:
                    row["no service"] = 1e3 * np.percentile(peers[name], p)
                    row["ratio"] = row["service"] / row["no service"]
                rows.append(row)
    return [row | {"documents stored": stored, "topics": given.topics, "readers": given.readers} for row in rows]


if __name__ == "__main__":
    main()
