"""`bayesift filter feed`: read feeds, folders and mailboxes again and again."""

from __future__ import annotations

import re
import time
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from itertools import islice
from typing import TYPE_CHECKING, Annotated, Any

import typer

from bayesift.cli.filter import options as f
from bayesift.cli.filter.interrupts import completed
from bayesift.cli.filter.opening import opened
from bayesift.cli.sources import say
from bayesift.errors import BadInput, BayesiftError

if TYPE_CHECKING:
    from bayesift.filtering.feeds import Feed, Source
    from bayesift.filtering.feeds.limits import Entry
    from bayesift.filtering.store import Workspace

UNITS = {"": 1.0, "s": 1.0, "m": 60.0, "h": 3600.0, "d": 86400.0}
TOGETHER = 8  # feeds downloaded at a time
BATCH = 256


def seconds(text: str) -> float:
    """Return a time as seconds: 30s, 15m, 1h or 1d.

    >>> seconds("15m")
    900.0
    """
    found = re.fullmatch(r"(\d+(?:\.\d+)?)([smhd]?)", text.strip())
    if found is None or float(found[1]) * UNITS[found[2]] < 1.0:
        raise BadInput(f"invalid time {text!r}", remedy="write it as 30s, 15m, 1h or 1d")
    return float(found[1]) * UNITS[found[2]]


def feed(
    workspace: f.Workspace,
    sources: Annotated[
        list[str],
        typer.Argument(metavar="SOURCE...", help="URL of an RSS or Atom feed, a folder, or an mbox file."),
    ],
    every: Annotated[
        str, typer.Option("--every", metavar="TIME", help="Time between two readings, e.g. 30s, 15m, 1h.")
    ] = "15m",
    once: Annotated[bool, typer.Option("--once", help="Read each source once and stop.")] = False,
    timeout: Annotated[float, typer.Option("--timeout", min=0.1, help="Seconds for one download.")] = 30.0,
    max_size: Annotated[
        float, typer.Option("--max-size", min=0.001, metavar="MB", help="Largest download, file or message.")
    ] = 10.0,
    allow_private: Annotated[
        bool, typer.Option("--allow-private", help="Allow addresses of this machine and of private networks.")
    ] = False,
) -> None:
    """Read feeds, folders of text files and mailboxes, and write what is shown as JSON lines.

    A feed is downloaded only if it has changed. Of a folder, files ending in .txt, .md, .html and .eml are read, each
    when it is new. A source that fails is reported and read again the next time; the others go on.
    """
    interval = seconds(every)
    from bayesift.filtering.feeds import source_of
    from bayesift.filtering.feeds.limits import MB, Limits

    limits = Limits(seconds=timeout, size=int(max_size * MB), private=allow_private)
    found = [source_of(name, limits) for name in dict.fromkeys(sources)]
    with opened(workspace) as store:
        while True:
            begin = time.monotonic()
            failed = _round(store, found, once)
            if once:
                break
            time.sleep(max(begin + interval - time.monotonic(), 0.0))
    if failed:
        raise typer.Exit(1)


def _round(store: Workspace, sources: list[Source], once: bool) -> int:
    """Read all sources once, and return how many failed."""
    failed = 0
    for source, entries in _read(sources):
        try:
            documents, shown = _store(store, source, entries)
        except BayesiftError as error:
            from bayesift.filtering.feeds import SourceFailed

            if once and not isinstance(error, SourceFailed):
                raise
            failed += 1
            say(f"bayesift: {error}")
        else:
            if documents:
                say(f"{source.name}: {documents:,} documents, {shown:,} shown")
    return failed


def _read(sources: list[Source]) -> Iterator[tuple[Source, Iterable[Entry]]]:
    """Yield sources with what is new in them; feeds are downloaded together, and those that answer come first."""
    from bayesift.filtering.feeds import Feed

    remote = [source for source in sources if isinstance(source, Feed)]
    pool = ThreadPoolExecutor(TOGETHER)
    downloads = {pool.submit(_download, source): source for source in remote}
    try:
        yield from ((source, source.read(_tell)) for source in sources if not isinstance(source, Feed))
        for done in as_completed(downloads):
            yield downloads[done], _result(done)
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


def _download(source: Feed) -> list[Entry]:
    return list(source.read(_tell))


def _result(done: Future[list[Entry]]) -> Iterator[Entry]:
    """Yield what was downloaded, or raise its error."""
    yield from done.result()


def _store(store: Workspace, source: Source, entries: Iterable[Entry]) -> tuple[int, int]:
    """Store and filter what a source has, and return the numbers of documents and of those shown."""
    from bayesift.cli.filter.showing import show_items

    documents = shown = 0
    entries = iter(entries)
    while part := list(islice(entries, BATCH)):
        with completed():
            shown += show_items(store.process([_fields(entry) for entry in part], source=source.name))
            documents += len(part)
    source.confirm()
    return documents, shown


def _fields(entry: Entry) -> dict[str, Any]:
    d = entry.document
    return {"id": d.id, "title": d.title, "body": d.body, "date": d.date, "url": entry.url}


def _tell(text: str) -> None:
    say(f"bayesift: note: {text}")
