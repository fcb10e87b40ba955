"""The records that a person reads next, with probability and words, and nothing that follows from others' decisions."""

from __future__ import annotations

import sqlalchemy as sa
from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS

from bayesift.filtering.screening.pool_ranker import PoolRanker
from bayesift.filtering.screening.records import Record
from bayesift.filtering.screening.store import holds, record_table
from bayesift.filtering.screening.store.choosing import DRAWS, Choice, Chosen, missing_draws
from bayesift.filtering.screening.store.estimates import Estimates
from bayesift.filtering.screening.store.events import LISTS, OTHER, Decided, Drawn
from bayesift.filtering.screening.store.list_state import NOTHING
from bayesift.filtering.screening.store.live import Live
from bayesift.filtering.screening.store.shown import Shown
from bayesift.filtering.screening.store.views import Opinion, ToRead
from bayesift.filtering.store.locking import CATALOGUE
from bayesift.filtering.store.settings import utc_now

WORDS = 10


def has_content(term: str) -> bool:
    """Return whether a term has a word that means something by itself.

    >>> has_content("of the"), has_content("of statins"), has_content("x")
    (False, True, False)
    """
    return any(len(word) > 1 and word not in ENGLISH_STOP_WORDS for word in term.split())


class Reader:
    """Chooses what persons read, and remembers what they were shown.

    Parameters
    ----------
    live : Live
        The review.
    estimates : Estimates
        Say when draws are wanted.
    """

    def __init__(self, live: Live, estimates: Estimates) -> None:
        self._live, self._estimates = live, estimates
        self.shown = Shown()

    def next(self, name: str, who: str, order: str, count: int, write: bool) -> list[ToRead]:
        """Return the records that a person reads next in a list.

        With `write`, random draws that are missing are made, and others are not given the same records; without, what
        is there is shown.
        """
        with self._live.reading() as connection:
            is_short = write and self._lacks_draws(connection, name, who, order, count)
        if is_short:
            self._live.change(lambda connection: self._draws(connection, who, count))
        with self._live.reading() as connection:
            chosen = Choice(self._live.state, name, who, order, self._taken(connection, name, who)).first(
                count, lambda: self._live.ranker(connection), lambda: record_table.years(connection)
            )
            numbers = [c.record for c in chosen]
            rows = record_table.records_with(connection, numbers)
            found = [self._to_read(connection, name, who, c, record) for c, record in zip(chosen, rows)]
            fresh = [number for number in numbers if self._live.state.lists[name].first[number] == 0]
            is_noted = not (write and self._is_shared_out()) or holds.are_noted(connection, name, who, fresh)
        self.shown.note(name, who, numbers, found)
        if not is_noted:
            with self._live.database.write(CATALOGUE) as connection:
                holds.note(connection, name, who, fresh)
        return found

    def _is_shared_out(self) -> bool:
        """Return whether it is noted what persons have before them: where one decision per record is enough."""
        return self._live.state.settings.reviewers == 1

    def _taken(self, connection: sa.Connection, name: str, who: str) -> set[int]:
        return holds.of_others(connection, name, who) if self._is_shared_out() else set()

    def _lacks_draws(self, connection: sa.Connection, name: str, who: str, order: str, count: int) -> bool:
        """Return whether a person comes to unread records of which some should be random draws that are not made."""
        state = self._live.state
        if name != LISTS[0] or order == "date" or Choice(state, name, who, order).begun().size >= count:
            return False
        if order != "random" and not self._estimates.want_draws(connection):
            return False
        return bool(missing_draws(state, min(count, DRAWS), self._taken(connection, name, who)))

    def _draws(self, connection: sa.Connection, who: str, count: int) -> list[Drawn]:
        taken = self._taken(connection, LISTS[0], who)
        made, now = missing_draws(self._live.state, min(count, DRAWS), taken), utc_now()
        return [Drawn(record=record, time=now) for record in made]

    def one(self, connection: sa.Connection, name: str, who: str, number: int) -> ToRead:
        """Return a record that a person asks for."""
        before = self.shown.what(name, who, number)
        chosen = Chosen(number, OTHER if before is None else before.source)
        return self._to_read(connection, name, who, chosen, record_table.records_with(connection, [number])[0])

    def _to_read(self, connection: sa.Connection, name: str, who: str, chosen: Chosen, record: Record) -> ToRead:
        number, state = chosen.record, self._live.state
        held = state.held(name, number)
        mine = Opinion.of(held[who].event) if who in held else None
        if name == LISTS[0] and state.lists[name].learned[number] != NOTHING:  # the ranker knows what others said
            event = min(held.values(), key=lambda h: h.since).event
            shown = event if isinstance(event, Decided) else Decided(list=name, record=number, decision="")
            return ToRead(record, name, shown.probability, chosen.source, shown.words_for, shown.words_against, mine)
        ranker = self._live.ranker(connection)
        parts = ranker.explain(number, 3 * WORDS, [record.title, record.abstract])
        words_for, words_against = (tuple(w for w, _ in part if has_content(w))[:WORDS] for part in parts)
        p = self._probability(ranker, name, number)
        return ToRead(record, name, p, chosen.source, words_for, words_against, mine)

    def _probability(self, ranker: PoolRanker, name: str, number: int) -> float | None:
        """Return what is believed of an unread record; nothing if nothing is known, or it was decided by abstract."""
        learned = self._live.state.lists[LISTS[0]].learned
        if name != LISTS[0] or not (self._live.state.settings.question or (learned >= 0).any()):
            return None
        return float(ranker.probabilities()[number])
