"""What the pages and the API do with a review: one place for both."""

from __future__ import annotations

import threading
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Any

import sqlalchemy as sa
from fastapi import Depends, HTTPException, Request

from bayesift.errors import BadInput, BayesiftError
from bayesift.filtering.screening.records import LISTS, Record
from bayesift.filtering.screening.review import Review
from bayesift.filtering.screening.store import events, record_table
from bayesift.filtering.screening.store.views import Added, Happened
from bayesift.filtering.store.schema import screening_events
from bayesift.service.changes import Changes
from bayesift.service.people import Person
from bayesift.service.queries import Agreement
from bayesift.service.site import Activity

PATIENCE = 2.0  # seconds that a page waits for the records
NAMES = {"abstract": "Titles and abstracts", "full-text": "Full texts"}


class ScreeningDesk:
    """A review as pages and API use it. Listeners receive that something was decided, but not what or by whom."""

    def __init__(self, review: Review) -> None:
        self.review, self.changes = review, Changes()
        self.ready = threading.Event()

    def load(self) -> None:
        """Rank the records, which takes seconds for a large review; pages wait for it."""
        try:
            self.review.progress()
        except BayesiftError:  # the page that needs it says what is wrong
            pass
        finally:
            self.ready.set()

    @classmethod
    def open(cls, url: str | Path) -> ScreeningDesk:
        """Open a review."""
        return cls(Review.open(url))

    def close(self) -> None:
        """Close the review."""
        self.review.close()

    def activity(self) -> Activity:
        """Return how many records each person decided, when last, and how far two persons agree."""
        done = {}
        for name in self.review.people:
            last = self.review.history(by=name, limit=1)
            count = sum(self.review.progress(list, name).mine for list in LISTS)
            done[name] = count, last[0].event.time if last else ""
        pairs = [
            Agreement(f"{a.first} and {a.second}: {NAMES[list].lower()}", a.records, a.agree, a.kappa)
            for list in LISTS for a in self.review.agreement(list)
        ]  # fmt: skip
        return Activity(done, pairs)

    def records_of(self, numbers: Iterable[int]) -> dict[int, Record]:
        """Return records by their numbers, as events name them."""
        chosen = sorted(set(numbers))
        with self.review.database.read() as connection:
            return dict(zip(chosen, record_table.records_with(connection, chosen)))

    def settings_before(self) -> dict[int, dict[str, Any]]:
        """Return the settings that were in force before each event that changed some, by its number."""
        query = sa.select(screening_events.c.number, screening_events.c.body).where(
            screening_events.c.type == events.tag_of(events.SettingsChanged(settings={}))
        )
        found: dict[int, dict[str, Any]] = {}
        now: dict[str, Any] = {}
        with self.review.database.read() as connection:
            for number, body in connection.execute(query.order_by(screening_events.c.number)):
                found[number] = now
                now = now | getattr(events.decode(body), "settings", {})
        return found

    def decide(self, record: str, decision: str, person: Person, list: str = LISTS[0], **more: Any) -> None:
        """Store a person's decision; a reason without a decision is that of an exclusion."""
        self.review.decide(record, decision, list=list, who=person.name, **said(**more))
        self.changes.publish("decided", list=list)

    def settle(self, record: str, decision: str, person: Person, list: str = LISTS[0], **more: Any) -> None:
        """Settle a conflict."""
        self.review.settle(record, decision, list=list, who=person.name, **said(**more))
        self.changes.publish("decided", list=list)

    def undo(self, person: Person) -> Happened:
        """Undo the last step of a person."""
        step = self.review.undo(person.name)
        self.changes.publish("decided", list=getattr(step.event, "list", None))
        return step

    def add(self, records: Iterable[Record], person: Person, deduplicate: bool, bad: list[str]) -> Added:
        """Add records of files."""
        added = self.review.add(records, deduplicate=deduplicate, who=person.name, bad=bad)
        self.changes.publish("decided", list=None)
        return added


def said(reason: str | None = None, note: str | None = None, tags: str | Iterable[str] = ()) -> dict[str, Any]:
    """Return what a person says beside a decision, without what is empty; tags may be a text with commas.

    >>> said("", " later ", "trial, , HIV")
    {'reason': None, 'note': 'later', 'tags': ('trial', 'HIV')}
    """
    parts = tags.split(",") if isinstance(tags, str) else tags
    return {
        "reason": (reason or "").strip() or None,
        "note": (note or "").strip() or None,
        "tags": tuple(dict.fromkeys(tag.strip() for tag in parts if tag.strip())),
    }


def decision_of(decision: str, reason: str) -> str:
    """Return a decision; a reason alone excludes.

    >>> decision_of("", "wrong population")
    'exclude'
    """
    if decision or not reason:
        return decision
    return "exclude"


def desk_of(request: Request) -> ScreeningDesk:
    """Return the desk of the application; while a large review is loaded, a page says so and comes again by itself."""
    found: ScreeningDesk = request.app.state.desk
    if not found.ready.wait(PATIENCE):
        again = str(round(PATIENCE) or 1)
        detail = "The records are being ranked. This page comes by itself as soon as they are."
        raise HTTPException(503, detail, {"Retry-After": again, "Refresh": again})
    return found


TheDesk = Annotated[ScreeningDesk, Depends(desk_of)]


def list_of(list: str) -> str:
    """Return the name of a list in an address, or raise BadInput."""
    if list not in LISTS:
        raise BadInput(f"no list {list[:40]!r}", remedy=f"choose one of: {', '.join(LISTS)}")
    return list
