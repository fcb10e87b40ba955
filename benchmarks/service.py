"""How fast is the service, on the loopback address: documents in, judgements and inbox pages with many readers?

The service is a process of its own. Documents are sent as JSON lines, some hundred per request, to a workspace with
100 topics; the peer is the same stream through `Workspace.process` in this process, without a service. Then readers
in threads of this process open the inbox, judge its first document and open the inbox again, all at the same time.
The default size takes a minute; `--documents 1000000` is the million. With `--database FILE` a workspace is kept, and
is not filled again if it has as many documents. With `--soak SECONDS` it sends requests of all kinds
for so long instead, and tells by how much the memory of the service grows per request and per hour.
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
from workspace import documents

BATCH = 500  # documents per request
READING = 1.0  # seconds between two judgements of a reader, who is a fast one


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
        """Send a request and return the answer."""
        self.connection.request(method, path, body, {"Content-Type": kind})
        answer = self.connection.getresponse()
        data = answer.read()
        if answer.status >= 300:
            raise RuntimeError(f"{method} {path}: {answer.status} {data[:200]!r}")
        return data


def create(url: Path, topics: int) -> None:
    """Create a workspace with topics."""
    with Workspace.create(url, per_day=5) as workspace:
        for k, document in enumerate(documents(0, topics)):
            workspace.add_topic(f"topic{k}", about=f"{document.title} {document.body}"[:300])


def ingest(port: int, first: int, last: int) -> float:
    """Send documents, and return how many the service took per second."""
    client, found = Client(port), list(documents(first, last))
    lines = [json.dumps({"id": d.id, "title": d.title, "body": d.body, "date": d.date}).encode() for d in found]
    begin = time.perf_counter()
    for i in range(0, len(lines), BATCH):
        client.call("POST", "/api/documents/lines", b"\n".join(lines[i : i + BATCH]), "application/x-ndjson")
    return len(lines) / (time.perf_counter() - begin)


def read(port: int, reader: int, rounds: int, judging: list[float], opening: list[float]) -> None:
    """Open the inbox and judge, again and again."""
    client = Client(port)
    number = reader + 1
    time.sleep(READING * reader / 20)  # readers do not begin at the same moment
    for _ in range(rounds):
        begin = time.perf_counter()
        client.call("GET", f"/topics/{number}/inbox")
        opening.append(time.perf_counter() - begin)
        items = json.loads(client.call("GET", f"/api/topics/{number}/inbox?limit=1"))["items"]
        document = items[0]["document"] if items else f"d{reader * rounds + len(judging)}"
        body = json.dumps({"document": document, "relevant": len(judging) % 3 == 0}).encode()
        begin = time.perf_counter()
        client.call("POST", f"/api/topics/{number}/judgements", body)
        judging.append(time.perf_counter() - begin)
        time.sleep(READING)


def start(url: Path) -> tuple[Any, int]:
    """Start the service, and return its process and its port."""
    ours, theirs = multiprocessing.Pipe(duplex=False)
    process = multiprocessing.get_context("spawn").Process(target=serve, args=(str(url), theirs))
    process.start()
    return process, ours.recv()


def resident(pid: int) -> int:
    """Return the bytes of memory that a process uses."""
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGESIZE")


def soak(url: Path, seconds: float, topics: int) -> dict[str, Any]:
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
    parser.add_argument("--json", type=Path, help="write the rows here as well")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        url = given.database or Path(folder) / "service.db"
        if not url.exists():
            create(url, given.topics)
        if given.soak is not None:
            with Workspace.open(url) as workspace:
                for _ in workspace.process(documents(0, 500)):
                    pass
            show([soak(url, given.soak, given.topics)], [], given.json)
            return
        with Workspace.open(url) as workspace:
            known = workspace.status().documents
            for _ in workspace.process(documents(known, given.documents), batch=1_000):
                pass
            known = workspace.status().documents
            begin = time.perf_counter()
            for _ in workspace.process(documents(known, known + given.measured), batch=BATCH):
                pass
            alone = given.measured / (time.perf_counter() - begin)
            known += given.measured
        process, port = start(url)
        Client(port).call("GET", "/topics/1/inbox")
        ingest(port, known, known + 2 * BATCH)  # the process has loaded all that it needs
        known += 2 * BATCH
        rate = ingest(port, known, known + given.measured)
        judging: list[float] = []
        opening: list[float] = []
        readers = [
            threading.Thread(target=read, args=(port, r, given.rounds, judging, opening)) for r in range(given.readers)
        ]
        for reader in readers:
            reader.start()
        for reader in readers:
            reader.join()
        process.terminate()
        process.join()
    stored = known + given.measured
    rows = [{
        "documents stored": stored, "topics": given.topics, "documents/s, service": rate,
        "documents/s, no service": alone, "ratio": rate / alone,
    }]  # fmt: skip
    for name, seconds in (("judgement", judging), ("inbox page", opening)):
        p50, p99 = 1e3 * np.percentile(seconds, [50, 99])
        rows.append({"call": name, "readers": given.readers, "documents stored": stored, "p50 ms": p50, "p99 ms": p99})
    show(rows, [], given.json)


if __name__ == "__main__":
    main()
