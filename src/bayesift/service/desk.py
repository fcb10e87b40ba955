"""What the pages and the API do with a workspace: one place for both.

The workspace is opened once, for writing. Its threads take turns, and every change is in the database before the call
returns. Documents come in small batches, between which others have their turn. Listeners (`changes`) receive what was
shown and judged.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

import sqlalchemy as sa

from bayesift.corpora import Document
from bayesift.errors import BayesiftError, NotFound
from bayesift.filtering.events import Changed, Judged, Withdrawn, judged
from bayesift.filtering.feeds.addresses import check_written, split_url, without_login
from bayesift.filtering.items import Item
from bayesift.filtering.rows import Row
from bayesift.filtering.store import Workspace, journal
from bayesift.filtering.store.documents import StoredDocument, find_all, incoming, numbers, titles
from bayesift.filtering.store.listings import newest_documents
from bayesift.filtering.store.locking import CATALOGUE
from bayesift.filtering.store.schema import webhooks
from bayesift.service import opinions, queries
from bayesift.service.changes import Changes
from bayesift.service.people import LOCAL, Person
from bayesift.service.queries import Day, Judgement, TopicRow
from bayesift.service.site import Activity

BATCH = 64  # documents stored at a time: about 20 ms
CANDIDATES = 2000  # newest documents that a preview looks at
PREVIEWED = 10
REORDERED = 200  # waiting documents that other words are tried on


class Webhook(NamedTuple):
    """Where delivered documents of a topic are posted, and what went wrong last."""

    address: str | None
    error: str | None


class Desk:
    """A workspace as pages and API use it."""

    def __init__(self, workspace: Workspace, changes: Changes | None = None) -> None:
        self.workspace, self.changes = workspace, Changes() if changes is None else changes
        self.notify: Callable[[list[Item]], None] | None = None  # receives what is shown, for webhooks
        self.allow_private = False  # whether webhooks may have addresses of a private network
        self.ended: Callable[[], None] = lambda: None  # called when the workspace is closed
        self.ready = threading.Event()
        self._adding = threading.Lock()  # of several who send documents one at a time stands in the queue

    @classmethod
    def open(cls, url: str | Path, changes: Changes | None = None) -> Desk:
        """Open a workspace; who opens it calls its `tidy` from time to time."""
        workspace = Workspace.open(url)
        workspace.tidies = False
        return cls(workspace, changes)

    def load(self) -> None:
        """Load the topics; else the first reader waits for them."""
        try:
            self.workspace.load()
        except BayesiftError:  # the page that needs them says what is wrong
            pass
        finally:
            self.ready.set()

    def close(self) -> None:
        """Close the workspace."""
        self.workspace.close()
        self.ended()

    def activity(self) -> Activity:
        """Return what people have judged, and how far they agree."""
        with self.reading() as connection:
            return Activity(queries.judgements_by(connection), queries.agreement(connection))

    def reading(self) -> AbstractContextManager[sa.Connection]:
        """Open a transaction for reading, beside those that change something."""
        return self.workspace.reading()

    def together(self) -> AbstractContextManager[None]:
        """Let all that this thread reads be of one state; it waits for its turn only once."""
        return self.workspace.together()

    def topics(self) -> list[TopicRow]:
        """Return the topics."""
        with self.reading() as connection:
            return queries.all_topics(connection)

    def topic(self, number: int) -> TopicRow:
        """Return a topic by its number, or raise NotFound."""
        with self.reading() as connection:
            found = queries.topic_of(connection, number)
        if found is None:
            raise NotFound(f"no topic has the number {number}", remedy="look at the list of topics")
        return found

    def number_of(self, name: str) -> int:
        """Return the number of a topic by its name."""
        return next(topic.number for topic in self.topics() if topic.name == name)

    def document(self, id: str) -> StoredDocument:
        """Return a stored document, or raise NotFound."""
        found = self.workspace.document(id)
        if found is None:
            raise NotFound(f"no document {id[:80]!r}", remedy="look at all documents")
        return found

    def add_documents(
        self, documents: Iterable[Any], source: str | None = None, person: Person | None = None, way: str = "API"
    ) -> tuple[int, list[Item]]:
        """Store documents, which a person may send in some way, and decide about them.

        Returns how many are new, and what is shown.
        """
        added, items = 0, list[Item]()
        found = iter(documents)
        while part := list(islice(found, BATCH)):
            with self._adding:
                added += self._unknown(part)
                shown = list(self.workspace.process(part, source=source, batch=BATCH))
            self._announce(shown)
            items += shown
        if person is not None and added:
            with self.workspace.database.write(CATALOGUE) as connection:
                journal.note(connection, "documents-sent", person.name, documents=added, way=way)
        return added, items

    def _announce(self, items: list[Item]) -> None:
        """Send what is shown to pages and webhooks."""
        for item in items:
            self.changes.publish("shown", topic=item.topic, document=item.document, kind=item.kind, title=item.title)
        if (notify := self.notify) is not None:  # the end of the service sets it to None
            notify(items)

    def inbox(self, topic: TopicRow, limit: int | None = None) -> list[Item]:
        """Return what waits for an answer, best first."""
        return self.workspace.inbox(topic.name, limit)

    def titles(self, ids: Iterable[str]) -> dict[str, str]:
        """Return the titles of stored documents, by id."""
        with self.reading() as connection:
            return titles(connection, list(ids))

    def documents(self, ids: Iterable[str]) -> list[StoredDocument]:
        """Return stored documents."""
        with self.reading() as connection:
            return list(find_all(connection, list(ids)))

    def judge(self, topic: TopicRow, document: str, relevant: bool, person: Person, note: str | None = None) -> None:
        """Learn from an answer; one that differs from an earlier answer replaces it."""
        said = {"who": person.name, "time": _moment()}
        self.workspace.judge(topic.name, document, relevant, replace=True, note=note, **said)
        if person is not LOCAL:  # opinions are compared between people with accounts
            with self.workspace.database.write(CATALOGUE) as connection:
                opinions.note(connection, topic.number, judged(topic.name, document, relevant, Row.of({}), **said))
        self.changes.publish("judged", topic=topic.name, document=document, relevant=relevant)

    def answer(self, topic: TopicRow, document: str) -> bool | None:
        """Return the answer about a document that counts, or None."""
        with self.workspace.using(topic.name) as own:
            return own.topic(topic.name).answer(document)

    def withdraw(self, topic: TopicRow, document: str, person: Person) -> None:
        """Remove an answer; the document waits again."""
        with self.reading() as connection:
            author = opinions.author_of(connection, topic.number, document)
        self.workspace.withdraw(topic.name, document, who=person.name, time=_moment())
        if person is not LOCAL:
            with self.workspace.database.write(CATALOGUE) as connection:
                opinions.remove(connection, topic.number, document, {author, person.name})
        self.changes.publish("judged", topic=topic.name, document=document, relevant=None)

    def undo(self, topic: TopicRow, person: Person) -> Any:
        """Undo the person's last change of a topic, and return it; an answer that repeated another counts as one."""
        if person is LOCAL:  # without accounts all changes are of one person
            event = self.workspace.undo(topic.name, who=person.name, time=_moment())
        elif (repeated := self._take_back(topic, person)) is not None:
            return repeated
        else:
            event = self.workspace.undo(topic.name, by=person.name, who=person.name, time=_moment())
            if isinstance(event, Judged | Changed | Withdrawn):
                with self.workspace.database.write(CATALOGUE) as connection:
                    opinions.restore(connection, topic.number, event)
        self.changes.publish("judged", topic=topic.name, document=getattr(event, "document", None), relevant=None)
        return event

    def _take_back(self, topic: TopicRow, person: Person) -> Judged | None:
        """Remove the person's opinion if it came last and only repeated an answer; return it, or None."""
        with self.workspace.database.write(CATALOGUE) as connection:
            document = opinions.last_repeat(connection, topic.number, person.name)
            if document is None:
                return None
            opinions.take_back(connection, topic.number, document, person.name)
        return judged(topic.name, document, True, Row.of({}), who=person.name)

    def try_text(self, text: str) -> list[Item]:
        """Return how each topic sees a text, the most probable first; nothing is stored."""
        document = Document("text", body=text)
        with self.together():
            items = self.workspace.explain_all(document)
        return sorted(items, key=lambda item: -item.probability)

    def explain(self, topic: TopicRow, document: StoredDocument) -> Item:
        """Return how a topic sees a stored document now."""
        return self.workspace.explain(topic.name, document.document())

    def preview(self, **start: Any) -> tuple[list[tuple[Item, StoredDocument]], int]:
        """Return the best of the stored documents for a topic that is not saved, and how many were looked at."""
        with self.reading() as connection:
            rows = newest_documents(connection, None, CANDIDATES)
        found = {d.id: d for d in rows if d.title or d.body}
        items = self.workspace.preview([d.document() for d in found.values()], **start)
        return [(item, found[item.document]) for item in items[:PREVIEWED] if item.why], len(found)

    def preview_words(
        self, topic: TopicRow, words: dict[str, tuple[float, float]]
    ) -> list[tuple[Item, Item, int, int]]:
        """Return the waiting documents that would change place: (now, then, place now, place then)."""
        with self.workspace.using(topic.name) as own:
            before = self.inbox(topic, REORDERED)
            texts = [d.document() for d in self.documents(item.document for item in before)]
            after = own.preview_words(topic.name, words, texts)
        then = {item.document: (place, item) for place, item in enumerate(after, 1)}
        moved = [
            (item, then[item.document][1], place, then[item.document][0])
            for place, item in enumerate(before, 1) if item.document in then
        ]  # fmt: skip
        return [entry for entry in moved if entry[2] != entry[3]]

    def history(self, topic: TopicRow, before: int | None = None, limit: int = 25) -> list[Judgement]:
        """Return the answers that count, the last first."""
        with self.reading() as connection:
            return queries.history(connection, topic.number, before, limit)

    def answers(self, topic: TopicRow) -> list[Judged]:
        """Return the answers that count, in the order in which they were given."""
        with self.workspace.using(topic.name) as own:
            return list(own.topic(topic.name).surviving)

    def webhook(self, topic: TopicRow) -> Webhook:
        """Return where delivered documents of a topic are posted, without the login, and the last error."""
        with self.reading() as connection:
            row = connection.execute(sa.select(webhooks).where(webhooks.c.topic == topic.number)).first()
        return Webhook(None, None) if row is None else Webhook(without_login(row.address), row.error)

    def set_webhook(self, topic: TopicRow, address: str | None, person: Person) -> None:
        """Set where delivered documents of a topic are posted; None means nowhere.

        The address as it is shown, without its login, leaves it as it is, but for the error.
        """
        if address is not None:
            parts = split_url(address)
            if not self.allow_private:
                check_written(parts, without_login(address))
        with self.workspace.database.write(CATALOGUE) as connection:
            old = connection.execute(sa.select(webhooks.c.address).where(webhooks.c.topic == topic.number)).scalar()
            if old is not None and address == without_login(old):
                connection.execute(webhooks.update().where(webhooks.c.topic == topic.number).values(error=None))
                return
            had = connection.execute(webhooks.delete().where(webhooks.c.topic == topic.number)).rowcount
            if address is not None:
                connection.execute(webhooks.insert(), {"topic": topic.number, "address": address, "error": None})
                journal.note(connection, "webhook-set", person.name, topic=topic.name, address=address)
            elif had:
                journal.note(connection, "webhook-removed", person.name, topic=topic.name)

    def days(self, topic: TopicRow, last: int = queries.DAYS) -> list[Day]:
        """Return what a topic was shown on each of the last days."""
        with self.reading() as connection:
            return queries.days_of(connection, [topic.number], last).get(topic.number, [])

    def _unknown(self, part: list[Any]) -> int:
        """Return how many of these documents are not stored yet; the caller is the only one who stores some."""
        ids = {new.document.id for new in incoming(part, None)}
        with self.reading() as connection:
            return len(ids) - len(numbers(connection, list(ids)))


def _moment() -> str:
    """Return the time, exact enough for the order in which a person answers."""
    return datetime.now(UTC).isoformat(timespec="microseconds")
