"""What the service does by itself: it loads its topics, reads sources when they are due, sends webhooks, and makes
checkpoints.

Each runs in a thread of its own and does not hold up a page. An error is written beside the source or the webhook,
where people see it. A source is read again when it is due, and a document is posted again after a pause. An unexpected
error goes to the log as well, and ends no thread; should one have ended all the same, `/health` says so.
"""

from __future__ import annotations

import itertools
import json
import logging
import math
import queue
import threading
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import sqlalchemy as sa

from bayesift.errors import BayesiftError
from bayesift.filtering.feeds.fetch import post
from bayesift.filtering.feeds.limits import Limits
from bayesift.filtering.feeds.sources import Source, source_of
from bayesift.filtering.items import Item
from bayesift.filtering.store import StoreFailed
from bayesift.filtering.store.documents import storable
from bayesift.filtering.store.locking import CATALOGUE
from bayesift.filtering.store.recording import REMOVED
from bayesift.filtering.store.schema import sources, topics, webhooks
from bayesift.service.desk import Desk
from bayesift.service.people import now

LOOK = 20.0  # seconds between two looks at what is due
TIDY = 2.0  # seconds between two looks at whether a checkpoint is due
PENDING = 1000  # lists of delivered documents that wait to be posted
PATIENCE = 20.0  # seconds for an answer
GRACE = 5.0  # seconds in which all threads should end
LONGEST = 300  # characters of an error
PAUSES = 2.0, 4.0  # seconds before a document is posted again to a webhook that did not take it
LOG = logging.getLogger("bayesift.service")


class Background:
    """The threads of a service."""

    def __init__(self, desk: Desk) -> None:
        self.desk, self.limits = desk, Limits(private=desk.allow_private, seconds=PATIENCE)
        self._wake, self._ends = threading.Event(), threading.Event()
        self._closes = math.inf  # the moment at which the service ends
        self._delivered: queue.SimpleQueue[list[Item] | None] = queue.SimpleQueue()  # to put never waits
        tasks = {"reads sources": self._read_sources, "sends webhooks": self._send_hooks, "tidies up": self._tidy}
        self._tasks = {name: threading.Thread(target=run, daemon=True) for name, run in tasks.items()}
        self._threads = [threading.Thread(target=desk.load, daemon=True), *self._tasks.values()]
        self._readers: dict[str, Source] = {}
        self._failing: set[str] = set()  # webhooks that did not take the last document, even when it came again

    def start(self) -> None:
        """Start the threads."""
        self.desk.notify = self.notify
        for thread in self._threads:
            thread.start()

    def stop(self) -> None:
        """Let the threads end, what was delivered be posted if there is time, and nothing more be stored.

        A thread that waits for an answer of the network longer than that is not waited for.
        """
        self.desk.notify = None
        self._closes = time.monotonic() + GRACE
        self._ends.set()
        self._wake.set()
        self._delivered.put(None)
        for thread in self._threads:
            thread.join(max(0.0, self._closes - time.monotonic()))

    def ended(self) -> list[str]:
        """Return what the service should do and no longer does."""
        return [name for name, thread in self._tasks.items() if not thread.is_alive()]

    def wake(self) -> None:
        """Look at the sources now."""
        self._wake.set()

    def notify(self, items: list[Item]) -> None:
        """Let what was delivered be posted to the webhooks of its topics; when too much waits, the last is dropped."""
        delivered = [item for item in items if item.kind == "delivered"]
        if delivered and self._delivered.qsize() < PENDING:
            self._delivered.put(delivered)
        elif delivered:
            LOG.warning("%d delivered documents are not posted: too many wait", len(delivered))

    def _read_sources(self) -> None:
        while not self._ends.is_set():
            self._try(self._read_due)
            self._wake.wait(LOOK)
            self._wake.clear()

    def forget(self, address: str) -> None:
        """Drop what is known of a source that was removed: if it is added again, all of it is read."""
        self._readers.pop(address, None)

    def _read_due(self) -> None:
        for row in self._due():
            if self._ends.is_set():
                return
            self._try(lambda: self._read(row.address))  # noqa: B023 (called at once)

    def _tidy(self) -> None:
        while not self._ends.wait(TIDY):
            self._try(self.desk.workspace.tidy)

    def _try(self, task: Callable[[], None]) -> None:
        """Do something that comes again, whatever is wrong now."""
        try:
            task()
        except BayesiftError:
            pass  # the database is away: later
        except Exception:
            LOG.exception("a task of the service failed; it is tried again")

    def _due(self) -> list[Any]:
        with self.desk.reading() as connection:
            rows = connection.execute(sa.select(sources)).all()
        for address in self._readers.keys() - {row.address for row in rows}:
            self.forget(address)
        moment = datetime.now(UTC)
        return [
            row for row in rows
            if row.last_run is None or datetime.fromisoformat(row.last_run) + timedelta(minutes=row.every) <= moment
        ]  # fmt: skip

    def _read(self, address: str) -> None:
        said: list[str] = []
        added, error = 0, None
        try:
            reader = self._readers.get(address) or source_of(address, self.limits)
            self._readers[address] = reader
            found = [entry.as_dict() for entry in reader.read(said.append, self.desk.workspace.document)]
            given = itertools.takewhile(lambda _: not self._ends.is_set(), found)
            added, _ = self.desk.add_documents(given, source=reader.name)
            if not self._ends.is_set():
                reader.confirm()  # they are stored
        except Exception as failure:
            if not self._ends.is_set():
                error = explained(failure)
        if self._ends.is_set():  # the workspace is being closed; what is left is read after the next start
            return
        error = storable(error or "; ".join(said[:3])) or None
        change = sources.update().where(sources.c.address == address)
        with self.desk.workspace.database.write(CATALOGUE) as connection:
            connection.execute(change.values(last_run=now(), documents=sources.c.documents + added, error=error))

    def _send_hooks(self) -> None:
        while (items := self._delivered.get()) is not None:
            self._try(lambda: self._post(items))

    def _post(self, items: list[Item]) -> None:
        """Post delivered documents to the webhooks of their topics; while the database is away, wait for it."""
        while True:
            try:
                addresses = self._addresses()
                break
            except StoreFailed:
                if self._ends.wait(TIDY):
                    return
        posted = [item for item in items if item.topic in addresses]
        for k, item in enumerate(posted):
            if time.monotonic() >= self._closes:
                LOG.warning("%d delivered documents were not posted before the end", len(posted) - k)
                return
            number, address = addresses[item.topic]
            error = self._send(address, json.dumps(item.to_dict()).encode())
            if error is None:
                continue
            LOG.warning("document %r is not posted to the webhook of %r: %s", item.document, item.topic, error)
            if not self._ends.is_set():
                when = now()[:16].replace("T", " ")
                lost = storable(f"{when} UTC: document {item.document!r} was not posted: {error}")[:LONGEST]
                self._try(lambda: self._note(number, lost))  # noqa: B023 (called at once)

    def _send(self, address: str, body: bytes) -> str | None:
        """Post JSON, again after a pause if that fails, and return what went wrong, or None.

        While a webhook takes nothing, each document has one try, so that those of other topics do not wait long.
        """
        error = send(address, body, self.limits)
        for pause in () if address in self._failing else PAUSES:
            if error is None or self._ends.wait(pause):
                break
            error = send(address, body, self.limits)
        (self._failing.discard if error is None else self._failing.add)(address)
        return error

    def _addresses(self) -> dict[str, tuple[int, str]]:
        """Return numbers and webhooks of topics, by name."""
        query = sa.select(topics.c.name, topics.c.number, webhooks.c.address).join_from(topics, webhooks)
        with self.desk.reading() as connection:
            found = connection.execute(query.where(topics.c.state != REMOVED))
            return {name: (number, address) for name, number, address in found}

    def _note(self, topic: int, error: str) -> None:
        """Write what went wrong with the webhook of a topic; it stays until the webhook is set again."""
        with self.desk.workspace.database.write(CATALOGUE) as connection:
            connection.execute(webhooks.update().where(webhooks.c.topic == topic).values(error=error))


def send(address: str, body: bytes, limits: Limits) -> str | None:
    """Post JSON to an address, and return what went wrong, or None."""
    try:
        post(address, body, limits)
    except Exception as error:
        return storable(explained(error))[:LONGEST]
    return None


def explained(error: Exception) -> str:
    """Return what an error says; an unexpected one goes to the log, too."""
    if isinstance(error, BayesiftError | OSError):
        return str(error)
    LOG.error("an unexpected error", exc_info=error)
    return f"{type(error).__name__}: {error}; the log of the service says more"

