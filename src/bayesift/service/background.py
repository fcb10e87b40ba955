"""What the service does by itself: it loads its topics, reads sources when they are due, sends webhooks, and makes
checkpoints.

Each runs in a thread of its own and does not hold up a page. An error is written beside the source or the webhook,
where people see it, and the next try comes at the next due time.
"""

from __future__ import annotations

import json
import queue
import threading
from datetime import UTC, datetime, timedelta
from typing import Any

import sqlalchemy as sa

from bayesift.errors import BayesiftError
from bayesift.filtering.feeds.fetch import post
from bayesift.filtering.feeds.limits import Limits
from bayesift.filtering.feeds.sources import source_of
from bayesift.filtering.items import Item
from bayesift.filtering.store.locking import CATALOGUE
from bayesift.filtering.store.schema import sources, topics, webhooks
from bayesift.service.desk import Desk
from bayesift.service.people import now

LOOK = 20.0  # seconds between two looks at what is due
TIDY = 2.0  # seconds between two looks at whether a checkpoint is due
PENDING = 1000  # webhooks that wait to be sent
PATIENCE = 20.0  # seconds for an answer


class Background:
    """The threads of a service."""

    def __init__(self, desk: Desk, allow_private: bool) -> None:
        self.desk, self.limits = desk, Limits(private=allow_private, seconds=PATIENCE)
        self._wake, self._ends = threading.Event(), threading.Event()
        self._hooks: queue.Queue[tuple[int, str, bytes] | None] = queue.Queue(PENDING)
        tasks = (desk.load, self._read_sources, self._send_hooks, self._tidy)
        self._threads = [threading.Thread(target=run, daemon=True) for run in tasks]
        self._readers: dict[str, Any] = {}

    def start(self) -> None:
        """Start the threads."""
        self.desk.notify = self.notify
        for thread in self._threads:
            thread.start()

    def stop(self) -> None:
        """Let the threads end with what they are doing."""
        self.desk.notify = None
        self._ends.set()
        self._wake.set()
        self._hooks.put(None)
        for thread in self._threads:
            thread.join(PATIENCE)

    def wake(self) -> None:
        """Look at the sources now."""
        self._wake.set()

    def notify(self, items: list[Item]) -> None:
        """Send what was delivered to the webhooks of its topics; when too many wait, the last ones are dropped."""
        if not any(item.kind == "delivered" for item in items):
            return
        with self.desk.reading() as connection:
            query = sa.select(topics.c.name, webhooks.c.topic, webhooks.c.address).join(
                topics, topics.c.number == webhooks.c.topic
            )
            wanted = {name: (number, address) for name, number, address in connection.execute(query)}
        for item in items:
            if item.kind == "delivered" and item.topic in wanted and not self._hooks.full():
                number, address = wanted[item.topic]
                self._hooks.put_nowait((number, address, json.dumps(item.to_dict()).encode()))

    def _read_sources(self) -> None:
        while not self._ends.is_set():
            try:
                for row in self._due():
                    if self._ends.is_set():
                        return
                    self._read(row.address)
            except BayesiftError:
                pass  # the database is away: look again later
            self._wake.wait(LOOK)
            self._wake.clear()

    def _tidy(self) -> None:
        while not self._ends.wait(TIDY):
            try:
                self.desk.workspace.tidy()
            except BayesiftError:
                continue  # the database is away: later

    def _due(self) -> list[Any]:
        with self.desk.reading() as connection:
            rows = connection.execute(sa.select(sources)).all()
        time = datetime.now(UTC)
        return [
            row for row in rows
            if row.last_run is None or datetime.fromisoformat(row.last_run) + timedelta(minutes=row.every) <= time
        ]  # fmt: skip

    def _read(self, address: str) -> None:
        said: list[str] = []
        added, error = 0, None
        try:
            reader = self._readers.get(address) or source_of(address, self.limits)
            self._readers[address] = reader
            entries = list(reader.read(said.append, self.desk.workspace.document))
            added, _ = self.desk.add_documents([_document(entry) for entry in entries], source=reader.name)
        except (BayesiftError, OSError) as failure:
            error = str(failure)
        error = error or "; ".join(said[:3]) or None
        change = sources.update().where(sources.c.address == address)
        with self.desk.workspace.database.write(CATALOGUE) as connection:
            connection.execute(change.values(last_run=now(), documents=sources.c.documents + added, error=error))

    def _send_hooks(self) -> None:
        while (task := self._hooks.get()) is not None:
            number, address, body = task
            error = send(address, body, self.limits)
            try:
                with self.desk.workspace.database.write(CATALOGUE) as connection:
                    connection.execute(webhooks.update().where(webhooks.c.topic == number).values(error=error))
            except BayesiftError:
                continue


def send(address: str, body: bytes, limits: Limits) -> str | None:
    """Post JSON to an address, and return what went wrong, or None."""
    try:
        post(address, body, limits)
    except (BayesiftError, OSError) as error:
        return str(error)[:300]
    return None


def _document(entry: Any) -> Any:
    document = entry.document
    return {"id": document.id, "title": document.title, "body": document.body, "date": document.date, "url": entry.url}
