"""One round over the sources of `bayesift filter feed`: what is new is stored and filtered, and then confirmed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from itertools import islice
from typing import TYPE_CHECKING

from bayesift.cli.filter.interrupts import completed
from bayesift.cli.filter.showing import show_items
from bayesift.cli.messages import counted, say
from bayesift.errors import BayesiftError
from bayesift.filtering.feeds import Feed, Source, SourceFailed
from bayesift.filtering.feeds.limits import Entry

if TYPE_CHECKING:
    from bayesift.filtering.store import Workspace

TOGETHER = 8  # feeds downloaded at a time
BATCH = 256


def read_all(store: Workspace, sources: list[Source], once: bool) -> int:
    """Read all sources once, and return how many failed."""
    failed = 0
    for source, entries in _read(store, sources):
        try:
            documents, shown = _store(store, source, entries)
        except BayesiftError as error:
            if once and not isinstance(error, SourceFailed):
                raise
            failed += 1
            say(f"bayesift: {error}")
        else:
            if documents:
                say(f"{source.name}: {counted(documents, 'new document')}, {shown:,} shown")
    return failed


def _read(store: Workspace, sources: list[Source]) -> Iterator[tuple[Source, Iterable[Entry]]]:
    """Yield sources with what is new in them; feeds are downloaded together, and those that answer come first."""
    remote = [source for source in sources if isinstance(source, Feed)]
    pool = ThreadPoolExecutor(TOGETHER)
    downloads = {pool.submit(_download, source): source for source in remote}
    try:
        files = [source for source in sources if not isinstance(source, Feed)]
        yield from ((source, source.read(_tell, store.document)) for source in files)
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
    """Store and filter what a source has, and return the numbers of new documents and of those shown."""
    shown, before, entries = 0, store.last_number(), iter(entries)
    while part := list(islice(entries, BATCH)):
        with completed():
            shown += show_items(store.process([entry.as_dict() for entry in part], source=source.name))
    source.confirm()
    return store.last_number() - before, shown


def _tell(text: str) -> None:
    say(f"bayesift: note: {text}")
