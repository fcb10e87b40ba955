"""How large is a workspace, how fast is it opened, and how fast are an inbox, a judgement and a search?

Documents have words drawn from a Zipf distribution, like those of a language; topics start from the words of one
document each. The first documents shown are judged, in turn for each topic. The file is closed, and opened again in a
fresh process. The peer is the same stream kept as JSON lines, without a database: its size, and the time to read it.
The default size takes a minute; `--documents 1000000 --judgements 10000` is the million. With `--database FILE` the
workspace is kept, and a run that was stopped goes on where it was.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from _run import show
from bayesift.corpora import Document
from bayesift.filtering.store import Workspace

WORDS, LENGTH, PER_DAY = 60_000, 120, 1_000
BLOCK = 1_000


def documents(first: int, last: int) -> Iterator[Document]:
    """Yield documents with numbers from `first` to `last`, the same for each number."""
    chances = 1.0 / (np.arange(WORDS) + 10.0)
    chances = np.cumsum(chances / chances.sum())
    for block in range(first // BLOCK, -(-last // BLOCK)):
        rng = np.random.default_rng(block)
        drawn = np.searchsorted(chances, rng.random((BLOCK, LENGTH)))
        for i in range(max(first - block * BLOCK, 0), min(BLOCK, last - block * BLOCK)):
            number = block * BLOCK + i
            words = [_word(w) for w in drawn[i].tolist()]
            day = np.datetime64("2020-01-01") + number // PER_DAY
            yield Document(f"d{number}", " ".join(words[:8]), " ".join(words[8:]), date=str(day))


def _word(number: int) -> str:
    """Return a word of two or more syllables for a number."""
    syllables = ["ba", "ce", "di", "fo", "gu", "ka", "le", "mi", "no", "pu", "ra", "se", "ti", "vo", "zu", "xa"]
    found = ""
    while number or not found:
        number, digit = divmod(number, 16)
        found += syllables[digit]
    return found + "k"


def fill(url: Path, n: int, judgements: int, topics: int) -> dict[str, float]:
    """Create or continue a workspace; return the seconds that documents and judgements took."""
    with Workspace.open(url) if url.exists() else Workspace.create(url, per_day=5) as workspace:
        known = workspace.status().documents
        if not workspace.topics:
            for k, document in enumerate(documents(0, topics)):
                workspace.add_topic(f"topic{k}", about=f"{document.title} {document.body}"[:300])
        begin = time.perf_counter()
        for _ in workspace.process(documents(known, n), batch=1_000):
            pass
        process = time.perf_counter() - begin
        begin = time.perf_counter()
        judged = _judge(workspace, judgements)
        return {"documents": n - known, "seconds": process, "judged": judged, "judging": time.perf_counter() - begin}


def _judge(workspace: Workspace, wanted: int) -> int:
    """Judge what waits until there are enough judgements, one in three as relevant; return how many were new."""
    status = workspace.status()
    missing = wanted - sum(topic.relevant + topic.irrelevant for topic in status.topics)
    done = 0
    while done < missing:
        before = done
        for topic in workspace.topics:
            for item in workspace.inbox(topic, limit=max(1, missing // len(workspace.topics) + 1)):
                if done < missing:
                    workspace.judge(topic, item.document, done % 3 == 0)
                    done += 1
        if done == before:  # nothing waits: judge documents of the stream, as a reader who searches
            for k in range(missing - done):
                topic = workspace.topics[k % len(workspace.topics)]
                workspace.judge(topic, f"d{k}", k % 3 == 0, source="searched")
                done += 1
    return done


def measure(url: Path, pipe: Any) -> None:
    """Measure an opened workspace, in a process of its own."""
    with tempfile.TemporaryDirectory() as folder:  # imports and compilation are not the workspace's
        with Workspace.create(f"{folder}/warm.db") as warm:
            warm.add_topic("a", about="corn")
            list(warm.process(["corn and wheat"]))
            warm.judge("a", "d", True, text="corn")
        with Workspace.open(f"{folder}/warm.db") as warm:
            warm.inbox("a")
    begin = time.perf_counter()
    workspace = Workspace.open(url)
    topic = workspace.topics[0]
    n = workspace.filter.n_documents
    opened = time.perf_counter() - begin
    inbox = _best(lambda: workspace.inbox(topic, limit=50))
    everything = _best(lambda: workspace.inbox(topic))
    waiting = workspace.inbox(topic)
    answers = []
    for item in waiting[:20]:
        begin = time.perf_counter()
        workspace.judge(topic, item.document, True)
        answers.append(time.perf_counter() - begin)
    for _ in answers:
        workspace.undo()
    search = _best(lambda: workspace.search(f"{_word(300)} {_word(2000)}"))
    status = _best(workspace.status)
    pipe.send({
        "opening": opened, "inbox": inbox, "whole inbox": everything, "waiting": len(waiting), "search": search,
        "judgement": float(np.median(answers)) if answers else None, "status": status, "n": n,
    })  # fmt: skip


def _best(task: Any, repeat: int = 5) -> float:
    seconds = []
    for _ in range(repeat):
        begin = time.perf_counter()
        task()
        seconds.append(time.perf_counter() - begin)
    return min(seconds)


def json_lines(folder: Path, n: int) -> tuple[int, float]:
    """Return the bytes of the same documents as JSON lines, and the seconds to read them."""
    path = folder / "stream.jsonl"
    with path.open("wb") as out:
        for document in documents(0, n):
            out.write(msgspec.json.encode(document) + b"\n")
    begin = time.perf_counter()
    with path.open("rb") as lines:
        for line in lines:
            json.loads(line)
    return path.stat().st_size, time.perf_counter() - begin


def main() -> None:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--documents", type=int, default=20_000)
    parser.add_argument("--judgements", type=int, default=500)
    parser.add_argument("--topics", type=int, default=20)
    parser.add_argument("--database", type=Path, help="keep the workspace in this file, or continue with it")
    parser.add_argument("--json", type=Path, help="write the rows here as well")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        url = given.database or Path(folder, "news.db")
        took = fill(url, given.documents, given.judgements, given.topics)
        with Workspace.open(url) as workspace:
            workspace.checkpoint()
        ours, theirs = multiprocessing.Pipe(duplex=False)
        process = multiprocessing.get_context("spawn").Process(target=measure, args=(url, theirs))
        process.start()
        found = ours.recv()
        process.join()
        size = sum(p.stat().st_size for p in url.parent.glob(f"{url.name}*"))
        plain, reading = json_lines(Path(folder), given.documents)
    opening = found["opening"]
    rows = [
        {"what": "size, MB", "workspace": size / 1e6, "JSON lines": plain / 1e6, "ratio": size / plain},
        {"what": "opening, s", "workspace": opening, "JSON lines": reading, "ratio": opening / reading},
        {"what": "inbox, 50 best, ms", "workspace": 1e3 * found["inbox"]},
        {"what": f"inbox, all {found['waiting']}, ms", "workspace": 1e3 * found["whole inbox"]},
        {"what": "judgement, ms", "workspace": None if found["judgement"] is None else 1e3 * found["judgement"]},
        {"what": "search, ms", "workspace": 1e3 * found["search"]},
        {"what": "status, ms", "workspace": 1e3 * found["status"]},
    ]
    if took["documents"]:
        rows.append({"what": "documents per second", "workspace": took["documents"] / took["seconds"]})
    if took["judged"]:
        rows.append({"what": "judgements per second", "workspace": took["judged"] / took["judging"]})
    notes = [f"{given.documents:,} documents of {LENGTH} words, {given.judgements:,} judgements, {given.topics} topics"]
    show(rows, notes, given.json)


if __name__ == "__main__":
    main()
