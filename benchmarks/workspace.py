"""How large is a workspace, how fast is it opened, and how fast are an inbox, a judgement and a search?

Documents have words drawn from a Zipf distribution, like those of a language. Three in ten are about one of 100
themes: a fifth of their words are those of the theme. Topics start from words of one theme each. Then documents come
that are all about the topics, until in each inbox as many wait as a topic keeps, and documents of the stream are judged
by their themes. The file is closed, and opened again in a fresh process. The peer is the same stream kept as JSON
lines, without a database: its size, and the time to read it.

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
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from _run import show
from bayesift.corpora import Document
from bayesift.filtering.store import Workspace
from bayesift.filtering.topic import MOST_WAITING

WORDS, LENGTH, PER_DAY = 60_000, 120, 1_000
BLOCK = 1_000
THEMES, THEME_WORDS, THEMED, OF_THEME = 100, 50, 0.3, 24  # themes, words of each, share of documents, words in them


def documents(first: int, last: int, about: int = 0) -> Iterator[Document]:
    """Yield documents with numbers from `first` to `last`, the same for each number.

    With `about`, all are about the first so many themes, in turn.
    """
    chances = 1.0 / (np.arange(WORDS) + 10.0)
    chances = np.cumsum(chances / chances.sum())
    for block in range(first // BLOCK, -(-last // BLOCK)):
        rng = np.random.default_rng(block)
        themes = _themes(rng)
        drawn = np.searchsorted(chances, rng.random((BLOCK, LENGTH)))
        for i in range(max(first - block * BLOCK, 0), min(BLOCK, last - block * BLOCK)):
            number = block * BLOCK + i
            its = number % about if about else int(themes[i])
            if its >= 0:
                chosen = np.random.default_rng(number)
                drawn[i, chosen.permutation(LENGTH)[:OF_THEME]] = chosen.choice(theme(its), OF_THEME)
            words = [_word(w) for w in drawn[i].tolist()]
            day = np.datetime64("2020-01-01") + number // PER_DAY
            yield Document(f"d{number}", " ".join(words[:8]), " ".join(words[8:]), date=str(day))


def _themes(rng: np.random.Generator) -> Any:
    """Return the theme of each document of a block, -1 for none; the first that is drawn."""
    return np.where(rng.random(BLOCK) < THEMED, rng.integers(0, THEMES, BLOCK), -1)


@cache
def theme_of(number: int) -> int:
    """Return the theme of a document, -1 for none."""
    return int(_themes(np.random.default_rng(number // BLOCK))[number % BLOCK])


@cache
def theme(number: int) -> Any:
    """Return the words of a theme, by their numbers."""
    return np.random.default_rng(1_000_000_000 + number).integers(1_000, WORDS, THEME_WORDS)


def add_topics(workspace: Workspace, topics: int) -> None:
    """Add the topics that are missing, one per theme, each from twelve of its words."""
    for k in range(len(workspace.topics), topics):
        workspace.add_topic(f"topic{k}", about=" ".join(_word(w) for w in theme(k)[:12].tolist()))


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
        add_topics(workspace, topics)
        begin = time.perf_counter()
        for _ in workspace.process(documents(known, n), batch=1_000):
            pass
        process = time.perf_counter() - begin
        fill_inboxes(workspace, topics)
        begin = time.perf_counter()
        judged = _judge(workspace, judgements)
        judging = time.perf_counter() - begin
        return {"documents": max(n - known, 0), "seconds": process, "judged": judged, "judging": judging}


def fill_inboxes(workspace: Workspace, topics: int) -> None:
    """Let documents come that are about the topics, until as many wait as a topic keeps, or twice as many came."""
    last = workspace.status().documents + 2 * MOST_WAITING * topics
    for topic in workspace.topics[:topics]:
        workspace.set_topic(topic, per_day=2 * MOST_WAITING, balance=0.95)
    while (known := workspace.status().documents) < last:
        if min(topic.waiting for topic in workspace.status().topics[:topics]) >= MOST_WAITING:
            return
        for _ in workspace.process(documents(known, known + 100 * topics, topics), batch=1_000):
            pass


def _judge(workspace: Workspace, wanted: int) -> int:
    """Judge documents of the stream, as a reader who searches, until there are enough answers."""
    topics = workspace.status().topics
    done = 0
    for k, topic in enumerate(topics):
        known = topic.relevant + topic.irrelevant
        share = wanted * (k + 1) // len(topics) - wanted * k // len(topics)
        for number in range(known, share):
            relevant = theme_of(number) == k
            workspace.judge(topic.name, f"d{number}", relevant, replace=True, source="searched")
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
    topic = max(workspace.status().topics, key=lambda topic: topic.waiting).name
    n = workspace.filter.n_documents
    opened = time.perf_counter() - begin
    inbox = _best(lambda: workspace.inbox(topic, limit=50))
    everything = _best(lambda: workspace.inbox(topic))
    waiting = workspace.inbox(topic)
    answers, fresh = [], []
    for item in waiting[:20]:
        begin = time.perf_counter()
        workspace.judge(topic, item.document, True)
        answers.append(time.perf_counter() - begin)
        begin = time.perf_counter()
        workspace.inbox(topic, limit=50)  # every document has another probability now
        fresh.append(time.perf_counter() - begin)
    for _ in answers:
        workspace.undo()
    search = _best(lambda: workspace.search(f"{_word(300)} {_word(2000)}"))
    status = _best(workspace.status)
    pipe.send({
        "opening": opened, "inbox": inbox, "whole inbox": everything, "waiting": len(waiting), "search": search,
        "judgement": float(np.median(answers)) if answers else None,
        "fresh inbox": float(np.median(fresh)) if fresh else None, "status": status, "n": n,
    })  # fmt: skip


def _milliseconds(seconds: float | None) -> float | None:
    return None if seconds is None else 1e3 * seconds


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
    parser.add_argument("--topics", type=int, default=10)
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
        {"what": "inbox, 50 best after an answer, ms", "workspace": _milliseconds(found["fresh inbox"])},
        {"what": f"inbox, all {found['waiting']}, ms", "workspace": 1e3 * found["whole inbox"]},
        {"what": "judgement, ms", "workspace": _milliseconds(found["judgement"])},
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
