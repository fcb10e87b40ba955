"""What can be read from a workspace. Lists and searches come from the database alone, at any time and in any thread."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import sqlalchemy as sa

from bayesift.errors import BadInput
from bayesift.filtering.events import Changed, Judged
from bayesift.filtering.incoming import id_of
from bayesift.filtering.items import Item
from bayesift.filtering.recall_estimate import RecallEstimate
from bayesift.filtering.store import documents as table
from bayesift.filtering.store import listings, topic_table
from bayesift.filtering.store.database import Database
from bayesift.filtering.store.documents import StoredDocument, storable
from bayesift.filtering.store.expiry import days_before
from bayesift.filtering.store.groups import Groups
from bayesift.filtering.store.listings import DayCount, Happened
from bayesift.filtering.store.recording import waiting
from bayesift.filtering.store.search import search
from bayesift.filtering.store.settings import Settings, utc_now
from bayesift.filtering.store.silence import Silence, silent_names
from bayesift.filtering.store.status import Status, status
from bayesift.filtering.text_filter import TextFilter
from bayesift.filtering.waiting_scores import Ranked

SOME = 50


class Views:
    """The methods of a workspace that change nothing."""

    database: Database
    settings: Settings
    _groups: Groups

    @property
    def filter(self) -> TextFilter:
        """The filter of a workspace with one topic group, up to date; change it through the workspace only."""
        if self.settings.groups > 1:
            raise BadInput("a workspace with several topic groups has several filters", remedy="use filter_of(topic)")
        with self._groups.using(0) as group:
            return group.filter

    @property
    def problem_kinds(self) -> dict[str, tuple[int, str]]:
        """The number of problems of the stream of each kind, and the last one, as `TextFilter.problem_kinds`."""
        with self._groups.using(0) as group:  # all groups read the same stream
            return group.filter.problem_kinds

    def filter_of(self, topic: str) -> TextFilter:
        """Return the filter that a topic belongs to, up to date; change it through the workspace only."""
        with self.using(topic) as found:
            return found

    @contextlib.contextmanager
    def using(self, topic: str) -> Iterator[TextFilter]:
        """Return the filter that a topic belongs to, as `filter_of`, which no other thread changes meanwhile."""
        with self._groups.using(self._group_of(topic)) as group:
            yield group.filter

    def load(self) -> None:
        """Load all topic groups into memory; else the first one who needs a group waits for it."""
        for number in range(self.settings.groups):
            with self._groups.using(number):
                pass

    def together(self) -> contextlib.AbstractContextManager[None]:
        """Let all that this thread reads be of one state: no other thread changes anything in between."""
        return self._groups.together()

    def reading(self) -> contextlib.AbstractContextManager[sa.Connection]:
        """Return the transaction that this thread has open, or open one for reading."""
        return self._groups.reading()

    @property
    def topics(self) -> list[str]:
        """The names of the topics."""
        with self._groups.reading() as connection:
            return topic_table.names(connection)

    def export_topic(self, name: str) -> dict[str, Any]:
        """Return a topic as JSON can hold it, as `TextFilter.export_topic`."""
        with self._groups.using(self._group_of(name)) as group:
            return group.filter.export_topic(name)

    def estimates(self, name: str) -> RecallEstimate:
        """Return how many relevant documents a topic found, and an estimate of those it missed."""
        with self._groups.using(self._group_of(name)) as group:
            return group.filter.estimates(name)

    def inbox(self, topic: str, limit: int | None = None) -> list[Item]:
        """Return the documents that wait for an answer, the most probable first, as the topic sees them now."""
        with self._groups.using(self._group_of(topic)) as group, self._groups.reading() as connection:
            return group.inbox(topic, waiting(connection, topic), limit)

    def ranking(self, topic: str) -> list[Ranked]:
        """Return what waits for an answer in the order of `inbox`, without texts: many more at the same cost."""
        with self._groups.using(self._group_of(topic)) as group, self._groups.reading() as connection:
            return group.filter.ranking(topic, waiting(connection, topic))

    def preview(self, documents: Any, **start: Any) -> list[Item]:
        """Return how a topic with this start would see documents, best first, as `TextFilter.preview`."""
        with self._groups.using(0) as group:
            return group.filter.preview(documents, **start)

    def explain(self, topic: str, document: Any) -> Item:
        """Return how a topic sees a document now, as `TextFilter.explain`."""
        with self._groups.using(self._group_of(topic)) as group:
            return group.filter.explain(topic, document)

    def explain_all(self, document: Any) -> list[Item]:
        """Return how every topic sees a document now; an encoder reads it once for each group of topics."""
        items: list[Item] = []
        for number in range(self.settings.groups):
            with self._groups.using(number) as group:
                items += group.filter.score(None, [document])
        return items

    def document(self, id: str) -> StoredDocument | None:
        """Return a stored document, or None; its text is empty if it has expired."""
        with self._groups.reading() as connection:
            return table.find(connection, id_of(id))

    def last_number(self) -> int:
        """Return the number of the last document that was stored: documents are numbered as they come."""
        with self._groups.reading() as connection:
            return table.last_number(connection)

    def documents(self, before: int | None = None, limit: int = SOME) -> list[StoredDocument]:
        """Return stored documents, the newest first.

        Parameters
        ----------
        before : int, optional
            The `number` of the last document of the list before, to continue it.
        limit : int
            How many.
        """
        with self._groups.reading() as connection:
            return listings.newest_documents(connection, before, limit)

    def search(self, text: str, limit: int = SOME) -> list[StoredDocument]:
        """Return stored documents that contain all words of a text, best first; words in double quotes are a phrase."""
        with self._groups.reading() as connection:
            return search(connection, text, limit)

    def history(self, topic: str, before: int | None = None, limit: int = SOME) -> list[Happened]:
        """Return the events of a topic, the newest first; `before` continues a list, as in `documents`."""
        self._check_name(topic)
        with self._groups.reading() as connection:
            return listings.newest_events(connection, topic_table.number_of(connection, topic), before, limit)

    def answers(self, topic: str, document: str | None = None) -> list[Judged | Changed]:
        """Return the answers of a topic that count, with who gave them and why, the newest first.

        Parameters
        ----------
        topic : str
            The topic's name.
        document : str, optional
            The id of the only document wanted.
        """
        self._check_name(topic)
        with self._groups.reading() as connection:
            number = topic_table.number_of(connection, topic)
            own = None if document is None else id_of(document)
            return [one.event for one in listings.newest_answers(connection, number, document=own)]

    def statistics(self, days: int = 30) -> list[DayCount]:
        """Return how many documents were shown and judged, per day and topic, the newest day first."""
        with self._groups.reading() as connection:
            return listings.per_day(connection, days_before(utc_now(), days))

    def silent_topics(self) -> dict[str, Silence]:
        """Return the topics that have shown nothing for a long time, and since when."""
        with self._groups.reading() as connection:
            return silent_names(connection)

    def status(self) -> Status:
        """Return what the workspace holds, in numbers."""
        with self._groups.reading() as connection:
            return status(connection, self.database)

    def export(self, path: str | Path) -> None:
        """Write all of the workspace to a file of JSON lines, compressed if its name ends in .gz or .zst."""
        from bayesift.filtering.store.export import write_export

        with self.database.read() as connection:
            write_export(connection, path)

    def _check_name(self, topic: str) -> None:
        """Raise BadInput if a database cannot look a name up; SQLite may have topics whose name has a NUL character."""
        if (not isinstance(topic, str) or storable(topic) != topic) and topic not in (known := self.topics):
            some = ", ".join(known[:20]) + (" .." if len(known) > 20 else "")
            raise BadInput(f"no topic {topic!r}", remedy=f"topics are: {some}" if some else "add one first")

    def _group_of(self, topic: str) -> int:
        self._check_name(topic)
        with self._groups.reading() as connection:
            return topic_table.group_of(connection, topic)
