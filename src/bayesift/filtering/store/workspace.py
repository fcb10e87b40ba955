"""A filter in a database: documents, topics and judgements that survive a crash, for one reader or many processes."""

from __future__ import annotations

import contextlib
import time
import warnings
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec

from bayesift.errors import BadInput, BayesiftError, Notice
from bayesift.filtering.answers import checked_id
from bayesift.filtering.events import Event
from bayesift.filtering.incoming import document_of
from bayesift.filtering.items import Item
from bayesift.filtering.store import documents as table
from bayesift.filtering.store import journal, migrate, stream, topic_table
from bayesift.filtering.store.claims import Claims
from bayesift.filtering.store.database import Database
from bayesift.filtering.store.documents import incoming
from bayesift.filtering.store.expiry import expire
from bayesift.filtering.store.failures import StoreFailed
from bayesift.filtering.store.groups import Groups
from bayesift.filtering.store.opened import Opened
from bayesift.filtering.store.schema import webhooks
from bayesift.filtering.store.settings import Settings, read_settings, utc_now, write_settings
from bayesift.filtering.store.views import Views
from bayesift.filtering.text_settings import TextSettings
from bayesift.filtering.topic_start import check_name
from bayesift.text.meaning.sources import CORPUS, MINILM, opened_encoder

BATCH = 256  # documents per transaction
WAIT = 10.0  # seconds
POLL = 1.0  # seconds
EXPIRE = 3600.0  # seconds
POSTGRESQL_GROUPS = 4


class Workspace(Opened, Views):
    """A filter in a database, made by `Workspace.create` and opened by `Workspace.open`.

    What a method returns from is in the database: a judgement is acknowledged after its commit, documents are processed
    and stored together. Any number of processes may use a workspace at the same time. Each change takes the write lock
    of its topic group for one transaction, and first catches up with what others have changed.

    Examples
    --------
    >>> import tempfile
    >>> folder = tempfile.mkdtemp()
    >>> with Workspace.create(f"{folder}/news.db", per_day=20) as news:
    ...     news.add_topic("harvest", about="wheat and corn harvests")
    ...     for item in news.process([{"id": "d1", "text": "The corn harvest was good."}]):
    ...         print(item.kind, item.topic, item.document)
    ...     news.judge("harvest", "d1", relevant=True)
    delivered harvest d1
    >>> with Workspace.open(f"{folder}/news.db", write=False) as news:
    ...     print(news.status().topics[0].relevant)
    1
    """

    KIND, WAIT = "workspace", WAIT

    def __init__(self, database: Database, write: bool) -> None:
        super().__init__(database, write)
        with database.read() as connection:
            self.settings = read_settings(connection)
        self._groups = Groups(database, self.settings)
        self._expired = time.monotonic()
        self.tidies = True  # whether changes are followed by `tidy`; a service does so in a thread of its own

    @classmethod
    def create(
        cls, url: str | Path, *, groups: int | None = None, documents_days: int | None = None,
        deliveries_days: int | None = None, wait: float = WAIT, **settings: Any,
    ) -> Workspace:  # fmt: skip
        """Create a workspace and open it for writing.

        Parameters
        ----------
        url : str or Path
            A file name (SQLite), or postgresql://user@host/database.
        groups : int, optional
            Groups of topics, which is the number of workers that can share them (default: 1, on PostgreSQL 4).
        documents_days, deliveries_days : int, optional
            When documents and deliveries expire, see `set_expiry` (default: never).
        wait : float
            Seconds to wait for another writer.
        **settings
            Settings of `TextFilter`.

        Raises
        ------
        BadInput
            If the file or the tables exist, or a setting is invalid.
        StoreFailed
            If the database cannot be written.
        """
        database = Database(url, wait)
        number = groups if groups is not None else 1 if database.is_sqlite else POSTGRESQL_GROUPS
        new = Settings(checked_settings(settings), number, documents_days, deliveries_days, utc_now())
        migrate.create_tables(database, lambda connection: write_settings(connection, new))
        return cls(database, True)

    def close(self) -> None:
        """Make a checkpoint if something changed, expire what is due then, and close the database."""
        if self.write:
            with contextlib.suppress(BayesiftError):  # nothing is lost without it
                if self._groups.checkpoint(due_only=False):
                    self.expire()
        self._groups.forget()
        super().close()

    # Documents

    def add_documents(self, documents: Any, *, source: str | None = None) -> int:
        """Store documents for `work`, and return how many are new; one whose id is there already is not stored again.

        Parameters
        ----------
        documents : documents
            As in `TextFilter.process`; dictionaries may have `url` and `source`, too.
        source : str, optional
            Where they come from.
        """
        self._check_write()
        return sum(stream.add(self._groups, part) for part in stream.batches(incoming(documents, source), BATCH))

    def process(self, documents: Any, *, source: str | None = None, batch: int = BATCH) -> Iterator[Item]:
        """Store documents, decide about them, and yield what is shown.

        Parameters
        ----------
        documents : documents
            As in `TextFilter.process`; dictionaries may have `url` and `source`, too.
        source : str, optional
            Where they come from.
        batch : int
            Documents per transaction: so many are read before the first item of them is yielded.

        Yields
        ------
        Item
            A document that a topic delivers or asks about; it is in the inbox of the topic from then on.
        """
        self._check_write()
        for part in stream.batches(incoming(documents, source), batch):
            stream.read_ahead(self._groups, [new.document for new in part])
            items, complete = stream.process(self._groups, part)
            yield from items
            self._tidy_up()
            if not complete:  # documents were added before, which come first
                yield from self.work(once=True)

    def work(self, *, once: bool = False, poll: float = POLL, batch: int = BATCH) -> Iterator[Item]:
        """Process stored documents that no process has processed yet, and yield what is shown.

        Several workers share the topic groups of a PostgreSQL workspace, and take over those of a worker that ends.

        Parameters
        ----------
        once : bool
            Whether to stop when there is nothing to do, instead of waiting for more documents.
        poll : float
            Seconds between two looks for more documents.
        batch : int
            Documents per transaction.

        Yields
        ------
        Item
            A document that a topic delivers or asks about.

        Raises
        ------
        StoreFailed
            With `once`, if the database fails. Else a `Notice` is given, and work goes on when it is back.
        """
        self._check_write()
        with Claims(self.database, self.settings.groups) as claims:
            while True:
                found = False
                try:
                    for number in claims.renew():
                        items = stream.work(self._groups, number, batch)
                        found |= items is not None
                        yield from items or ()
                    self._tidy_up()
                except StoreFailed as error:
                    if once:
                        raise
                    warnings.warn(f"{error}; trying again", Notice, stacklevel=2)
                if not found:
                    if once:
                        return
                    time.sleep(poll)

    # Topics

    def add_topic(
        self, name: str, about: str | None = None, examples: Any = (), words: Any = None, **more: Any
    ) -> None:
        """Add a topic, as `TextFilter.add_topic`; it goes to the group with the fewest topics."""
        self._check_write()
        check_name(name)
        with self._groups.reading() as connection:
            number = topic_table.smallest_group(connection)
        with self._groups.changing([number], catalogue=True) as (connection, (group,)):
            topic_table.check_new(connection, name)
            group.filter.add_topic(name, about, examples, words, **more)

    def rename_topic(self, name: str, new: str, **recorded: Any) -> None:
        """Rename a topic."""
        self._check_write()
        check_name(new)
        number = self._group_of(name)
        with self._groups.changing([number], catalogue=True) as (connection, (group,)):
            topic_table.check_new(connection, new)
            group.filter.rename_topic(name, new, **recorded)

    def pause_topic(self, name: str, **recorded: Any) -> None:
        """Show nothing to a topic until it is resumed; it can still be judged."""
        self._change(name, "pause_topic", name, **recorded)

    def resume_topic(self, name: str, **recorded: Any) -> None:
        """Let a paused topic go on."""
        self._change(name, "resume_topic", name, **recorded)

    def remove_topic(self, name: str, **recorded: Any) -> None:
        """Remove a topic and its webhook; its events stay in the database."""
        self._check_write()
        with self._groups.changing([self._group_of(name)], catalogue=True) as (connection, (group,)), group.working():
            connection.execute(webhooks.delete().where(webhooks.c.topic == topic_table.number_of(connection, name)))
            group.filter.remove_topic(name, **recorded)
        self._tidy_up()

    def set_topic(self, name: str, **settings: Any) -> None:
        """Set a topic's own `per_day` or `balance`, as `TextFilter.set_topic`."""
        self._change(name, "set_topic", name, **settings)

    def change_topic(
        self, name: str, *, new: str | None = None, per_day: int | None = None, balance: float | None = None,
        paused: bool | None = None, **recorded: Any,
    ) -> None:  # fmt: skip
        """Change several things of a topic in one transaction; if one of them is invalid, nothing changes.

        Parameters
        ----------
        name : str
            The topic.
        new : str, optional
            Its new name.
        per_day, balance : int and float, optional
            What its reader wants.
        paused : bool, optional
            Whether it is shown nothing.
        **recorded
            `who` and `time`. What is left out, or is so already, is not recorded.
        """
        self._check_write()
        new = None if new == name else new
        if new is not None:
            check_name(new)
        with self._groups.changing([self._group_of(name)], catalogue=new is not None) as (connection, (group,)):
            own, info = group.filter.topic(name), group.filter.topic_info(name)
            if new is not None:
                topic_table.check_new(connection, new)
            days = own.per_day if per_day in (None, info.per_day) else per_day
            weight = own.balance if balance in (None, info.balance) else balance
            if (days, weight) != (own.per_day, own.balance):  # raises before it records
                group.filter.set_topic(name, days, weight, **recorded)
            if paused is not None and paused != own.paused:
                set_paused = group.filter.pause_topic if paused else group.filter.resume_topic
                set_paused(name, **recorded)
            if new is not None:
                group.filter.rename_topic(name, new, **recorded)
        self._tidy_up()

    def edit_words(self, name: str, words: Any, **recorded: Any) -> None:
        """Replace the words of a topic, as `TextFilter.edit_words`."""
        self._change(name, "edit_words", name, words, **recorded)

    # Judgements

    def judge(
        self, topic: str, document: str, relevant: bool, *, text: Any = None, replace: bool = False, **recorded: Any
    ) -> None:
        """Learn from an answer; when this returns, it is in the database.

        Parameters
        ----------
        topic, document : str
            The topic's name and the document's id.
        relevant : bool
            The answer.
        text : a document, optional
            The document itself, if it is not stored or has expired; it is stored then. A stored text stays as it is,
            and is learned; a notice says so if it differs.
        replace : bool
            Whether an answer that differs from an earlier one replaces it, and one that repeats it changes nothing.
        **recorded
            `who`, `source`, `note` and `time`, as in `TextFilter.judge`.

        Raises
        ------
        BadInput
            If the topic or the document is unknown, or the answer contradicts an earlier one. Nothing changes then.
        StoreFailed
            If the database cannot be written. The answer does not count then.
        """
        self._check_write()
        document = checked_id(document)
        number = self._group_of(topic)
        given = stored = None if text is None else document_of(text, document)
        with self._groups.changing([number], catalogue=given is not None) as (connection, (group,)):
            if given is not None:
                stored = table.insert_text(connection, given, utc_now())
            earlier = group.filter.topic(topic).answer(document) if replace else None
            with group.working():
                if earlier is None:
                    group.filter.judge(topic, document, relevant, text=stored, **recorded)
                elif earlier != relevant:
                    group.filter.change(topic, document, relevant, **recorded)
        if given is not None and stored is not None and table.words_of(given) != table.words_of(stored):
            message = f"{document!r} is stored with another text, which counts; the text given with the answer does not"
            warnings.warn(message, Notice, stacklevel=2)
        self._tidy_up()

    def change(self, topic: str, document: str, relevant: bool, **recorded: Any) -> None:
        """Replace an answer; the topic is then as if this one had been the first."""
        self._change(topic, "change", topic, document, relevant, **recorded)

    def withdraw(self, topic: str, document: str, **recorded: Any) -> None:
        """Remove an answer; the document waits for another one."""
        self._change(topic, "withdraw", topic, document, **recorded)

    def undo(self, topic: str | None = None, *, by: str | None = None, **recorded: Any) -> Event:
        """Undo the last change of a topic, and return it; repeatable.

        Parameters
        ----------
        topic : str, optional
            A topic; needed if the workspace has several topic groups. By default the last change of all topics.
        by : str, optional
            Undo the last change of this person; by default of anybody.
        **recorded
            `who`, `note` and `time`, as in `TextFilter.undo`.
        """
        if topic is None and self.settings.groups > 1:
            raise BadInput("a workspace with several topic groups has several last changes", remedy="name a topic")
        self._check_write()
        number = 0 if topic is None else self._group_of(topic)
        with self._groups.changing([number]) as (_, (group,)), group.working():
            return group.filter.undo(topic, by=by, **recorded)

    # The workspace

    def checkpoint(self) -> None:
        """Write the state of the groups that have changed, so that opening is fast; old checkpoints are removed."""
        self._check_write()
        self._groups.load_changed()
        self._groups.checkpoint(due_only=False)

    def tidy(self) -> None:
        """Make the checkpoints that are due, and expire what is due; if this fails now, it is done later."""
        with contextlib.suppress(StoreFailed):
            if self._groups.checkpoint(due_only=True) or time.monotonic() > self._expired + EXPIRE:
                self.expire()
            if not self.tidies:
                self.database.move_log()

    def set_expiry(self, documents_days: int | None, deliveries_days: int | None, *, who: str | None = None) -> None:
        """Set when documents and deliveries expire; None is never. The change is recorded with its author.

        Parameters
        ----------
        documents_days : int or None
            Days after which documents that were not judged and do not wait lose their text.
        deliveries_days : int or None
            Days after which documents that were shown no longer wait for an answer.
        who : str, optional
            Who sets it.
        """
        self._check_write()
        with self._groups.catalogue() as connection:
            old = read_settings(connection)
            new = msgspec.structs.replace(old, documents_days=documents_days, deliveries_days=deliveries_days)
            write_settings(connection, new)
            times = {"documents": documents_days, "deliveries": deliveries_days}
            about = {name: "never" if days is None else f"after {days} days" for name, days in times.items()}
            journal.note(connection, "expiry-set", who, **about)
        self.settings = new

    def expire(self, now: str | None = None) -> tuple[int, int]:
        """Expire what is due, and return the numbers of deliveries and documents that expired.

        This also happens with the checkpoints that are made while documents are processed, when a workspace that has
        changed is closed, and every hour while it is open and changes, or is served.
        """
        self._check_write()
        self._expired = time.monotonic()
        with self._groups.reading() as connection:
            settings = read_settings(connection)  # another process may have set them
        if settings.documents_days is None and settings.deliveries_days is None:
            return 0, 0
        if settings.documents_days is not None:
            self.checkpoint()  # what a replay needs does not expire
        with self._groups.changing(range(self.settings.groups), catalogue=True) as (connection, _):
            return expire(connection, settings, now or utc_now())

    @classmethod
    def import_(cls, path: str | Path, url: str | Path, *, wait: float = WAIT) -> Workspace:
        """Create a workspace from an export, and open it for writing; it has the same inbox and goes on the same way.

        Raises BadInput if the file is not a complete export, or the workspace exists.
        """
        from bayesift.filtering.store.export import read_export

        database = Database(url, wait)
        read_export(database, path)
        return cls(database, True)

    def _change(self, topic: str, method: str, *arguments: Any, **recorded: Any) -> None:
        self._check_write()
        with self._groups.changing([self._group_of(topic)]) as (_, (group,)), group.working():
            getattr(group.filter, method)(*arguments, **recorded)
        self._tidy_up()

    def _tidy_up(self) -> None:
        if self.tidies:
            self.tidy()


def checked_settings(settings: Mapping[str, Any]) -> dict[str, Any]:
    """Return settings as JSON can hold them; raise BadInput if they are not those of a `TextFilter`."""
    unknown = sorted(set(settings) - set(TextSettings.__dataclass_fields__))
    if unknown:
        known = ", ".join(TextSettings.__dataclass_fields__)
        raise BadInput(f"unknown setting {unknown[0]!r}", remedy=f"settings are: {known}")
    if not isinstance(settings.get("meaning", CORPUS), str):
        raise BadInput("a workspace cannot hold an encoder", remedy=f"name one, such as {MINILM}")
    found = TextSettings(**settings)
    opened_encoder(found.meaning)  # raises if it cannot be used
    return {name: getattr(found, name) for name in settings} | _whole_path(found.meaning)


def _whole_path(meaning: str) -> dict[str, str]:
    """Return the setting `meaning` with the whole path of its folder, if it has one: other processes are elsewhere."""
    name, _, folder = meaning.partition("=")
    return {"meaning": f"{name}={Path(folder).resolve()}"} if folder else {}
