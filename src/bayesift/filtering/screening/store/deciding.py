"""What persons do with a review: decide, settle, merge, change settings, and take it back."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import sqlalchemy as sa

from bayesift.errors import BadInput
from bayesift.filtering.screening.store import record_table
from bayesift.filtering.screening.store.checks import check_list, check_who, plain, said_of
from bayesift.filtering.screening.store.events import LISTS, MAYBE, Event, SettingsChanged
from bayesift.filtering.screening.store.live import Live
from bayesift.filtering.screening.store.reader import Reader
from bayesift.filtering.screening.store.steps import Steps
from bayesift.filtering.screening.store.views import Happened
from bayesift.filtering.store.settings import utc_now


class Deciding:
    """The methods of a review by which persons change it; each is in the database when it returns."""

    _live: Live
    _reader: Reader
    _check_write: Callable[[], None]

    def decide(
        self, record: str, decision: str, *, list: str = LISTS[0], who: str, reason: str | None = None,
        note: str | None = None, tags: Iterable[str] = (),
    ) -> None:  # fmt: skip
        """Store a person's decision about a record; when this returns, it is in the database.

        Parameters
        ----------
        record : str
            The record's id.
        decision : str
            "include", "exclude" or "maybe". It replaces what the person decided before.
        list : str
            "abstract" or "full-text".
        who : str
            The person.
        reason : str, optional
            The reason of an exclusion, one of the review's reasons.
        note : str, optional
            A remark.
        tags : iterable of str
            Tags of the person's choice.

        Raises
        ------
        NotFound
            If there is no such record.
        BadInput
            If the record is not in the list, or the decision or the reason is invalid. Nothing changes then.
        StoreFailed
            If the database cannot be written. The decision does not count then.
        """
        said = said_of(decision, reason, note, tags)

        def decide(steps: Steps) -> Sequence[Event]:
            number = record_table.existing(steps.connection, record)
            return steps.decide(record, list, said, self._reader.shown.what(list, who, number))

        self._take(who, decide, list)

    def withdraw(self, record: str, *, list: str = LISTS[0], who: str, settled: bool = False) -> None:
        """Take back a person's own decision about a record, or with `settled` the settlement."""
        self._take(who, lambda steps: steps.withdraw(record, list, settled), list)

    def settle(
        self, record: str, decision: str, *, list: str = LISTS[0], who: str, reason: str | None = None,
        note: str | None = None, tags: Iterable[str] = (),
    ) -> None:  # fmt: skip
        """Settle a record about which the reviewers differ; the settlement stands above their decisions.

        The parameters are those of `decide`; the decision is "include" or "exclude".
        """
        said = said_of(decision, reason, note, tags)
        if decision == MAYBE:
            raise BadInput("a record cannot be settled as maybe", remedy="choose include or exclude")
        self._take(who, lambda steps: steps.settle(record, list, said), list)

    def merge(self, first: str, second: str, *, who: str) -> None:
        """Merge two records that are the same: the first one is kept, and decisions about either count for it."""
        self._take(who, lambda steps: steps.merge(first, second))

    def merge_duplicates(self, *, who: str) -> int:
        """Merge all pairs that `duplicates` returns without a caution, and return how many; each can be undone."""
        return len(self._take(who, lambda steps: steps.merge_open()))

    def keep_apart(self, first: str, second: str, *, who: str) -> None:
        """Note that two records are not the same; if they were merged, they are two records again."""
        self._take(who, lambda steps: steps.keep_apart(first, second))

    def undo(self, who: str) -> Happened:
        """Undo the last step of a person that was not undone yet, and return it; repeatable without limit."""
        return self._step_back(who, False)

    def redo(self, who: str) -> Happened:
        """Redo the step that a person undid last, and return it; a new step ends this."""
        return self._step_back(who, True)

    def set(self, *, who: str | None = None, **settings: Any) -> None:
        """Change settings: question, criteria, reasons, reviewers, blind or rule; see `ReviewSettings`.

        Raises
        ------
        BadInput
            If a setting is unknown or invalid.
        """
        allowed = ("question", "criteria", "reasons", "reviewers", "blind", "rule")
        unknown = next((name for name in settings if name not in allowed), None)
        if unknown is not None:
            raise BadInput(f"unknown setting {unknown!r}", remedy=f"settings are: {', '.join(allowed)}")

        def make(_: sa.Connection) -> list[Event]:
            now = self._live.state.settings
            new = now.changed({name: plain(value) for name, value in settings.items()})
            differ = [name for name in settings if getattr(new, name) != getattr(now, name)]
            changed = {name: plain(getattr(new, name)) for name in differ}
            return [SettingsChanged(settings=changed, who=who, time=utc_now())] if changed else []

        self._check_write()
        self._live.change(make)

    def _step_back(self, who: str, again: bool) -> Happened:
        found: list[Happened] = []

        def step(steps: Steps) -> Sequence[Event]:
            happened, event = steps.step_back(again)
            found.append(happened)
            return [event]

        self._take(who, step)
        return found[-1]

    def _take(
        self, who: str, step: Callable[[Steps], Sequence[Event]], list: str = LISTS[0]
    ) -> Sequence[tuple[int, Event]]:
        """Write what a person does, and return the events."""
        self._check_write()
        check_list(list)
        check_who(who)
        return self._live.change(lambda connection: step(Steps(connection, self._live.state, who, utc_now())))
