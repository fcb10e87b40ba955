"""What is estimated and proved about the unread records of the abstract list, computed once for each state."""

from __future__ import annotations

from typing import NamedTuple

import sqlalchemy as sa

from bayesift.filtering.screening.certified import Certificate, certify
from bayesift.filtering.screening.reading import Reading
from bayesift.filtering.screening.remaining import Remaining, estimate_remaining, is_estimable
from bayesift.filtering.screening.stopping import StoppingRule, StoppingState, random_share
from bayesift.filtering.screening.store.live import Live
from bayesift.filtering.screening.store.so_far import is_blind, reading_of


class Estimate(NamedTuple):
    """The reading, the relevant records that remain (None: too few are read), when to stop, and what draws prove."""

    reading: Reading
    remaining: Remaining | None
    stopping: StoppingState
    certificate: Certificate


class Estimates:
    """Estimates of a review that are kept until something changes."""

    def __init__(self, live: Live) -> None:
        self._live, self._last = live, -1
        self._found: dict[str | None, Estimate] = {}
        self._draws: bool | None = None

    def of(self, connection: sa.Connection, who: str | None = None) -> Estimate:
        """Return the estimates as a person may know them; None is somebody who may know everything."""
        self._refresh()
        who = who if is_blind(self._live.state) else None
        if who not in self._found:
            reading, rule = self._reading(connection, who), StoppingRule(**self._live.state.settings.rule)
            proof = certify(reading, rule.recall, rule.certainty)
            remaining = estimate_remaining(reading) if is_estimable(reading) else None
            self._found[who] = Estimate(reading, remaining, rule.state(reading), proof)
        return self._found[who]

    def want_draws(self, connection: sa.Connection) -> bool:
        """Return whether the stopping rule asks for random draws now."""
        self._refresh()
        if self._draws is None:
            rule = StoppingRule(**self._live.state.settings.rule)
            certified = rule.method == "certified"
            self._draws = certified and random_share(self._reading(connection, None), rule) > 0.0
        return self._draws

    def _reading(self, connection: sa.Connection, who: str | None) -> Reading:
        if who in self._found:
            return self._found[who].reading
        return reading_of(self._live.state, self._live.ranker(connection).probabilities(), who)

    def _refresh(self) -> None:
        if self._last != self._live.state.last:
            self._last, self._found, self._draws = self._live.state.last, {}, None
