"""What happens while a person reads, without a terminal: the next record, decisions, notes, and taking them back."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from bayesift.errors import BadInput

if TYPE_CHECKING:
    from bayesift.filtering.screening.review import Review
    from bayesift.filtering.screening.store.views import Happened, ToRead


@dataclass
class Session:
    """Reading of one list by one person; `current` is the record that is shown, None at the end.

    A note and tags are kept for the record that is shown and stored with its decision.
    """

    review: Review
    list: str
    who: str
    order: str = "ranked"
    current: ToRead | None = None
    decided: int = 0
    included: int = 0
    note: str = ""
    tags: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        self.next()

    def next(self) -> None:
        """Go to the record that comes next."""
        found = self.review.next(self.list, who=self.who, order=self.order)
        self._show(found[0] if found else None)

    def decide(self, decision: str, reason: str | None = None) -> None:
        """Store a decision about the record that is shown, and go to the next one."""
        assert self.current is not None
        self.review.decide(
            self.current.record.id, decision, list=self.list, who=self.who, reason=reason, note=self.note or None,
            tags=self.tags,
        )  # fmt: skip
        self.decided += 1
        self.included += decision == "include"
        self.next()

    def exclude_for(self, key: int) -> None:
        """Exclude the record that is shown for the reason of a key, 1 to 9."""
        reasons = self.review.settings.reasons
        if key > len(reasons):
            raise BadInput(f"there is no reason {key}", remedy=f"reasons have the keys 1 to {min(len(reasons), 9)}")
        self.decide("exclude", reasons[key - 1])

    def undo(self) -> str:
        """Undo the person's last step, show its record again, and return what was undone; there is no limit."""
        happened = self.review.undo(self.who)
        event = happened.event
        decision = getattr(event, "decision", None)
        record = self._id(happened)
        if decision is not None and getattr(event, "list", None) == self.list and record is not None:
            self.decided -= 1
            self.included -= decision == "include"
            self._show(self.review.to_read(record, self.list, who=self.who))
            self.note, self.tags = getattr(event, "note", None) or "", getattr(event, "tags", ())
            return f"undone: {decision}"
        self.next()
        return f"undone: {type(event).__name__.lower()} {record or ''}"

    def _id(self, happened: Happened) -> str | None:
        """Return the id of the record that an event is about."""
        number = getattr(happened.event, "record", None)
        return None if number is None else self.review.id_of(number)

    def _show(self, item: ToRead | None) -> None:
        mine = None if item is None else item.mine
        self.current = item
        self.note, self.tags = (mine.note or "", mine.tags) if mine is not None else ("", ())
