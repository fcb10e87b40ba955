"""The events of a review: what happened, in its order. They are the truth; all else follows from them and the records.

Records have the numbers 0, 1, 2, ... in the order in which they were added, events 1, 2, 3, ... An event is never
changed or removed: to undo it is another event, after which it does not count.
"""

from __future__ import annotations

from typing import Any

import msgspec

LISTS = ("abstract", "full-text")
INCLUDE, EXCLUDE, MAYBE = "include", "exclude", "maybe"
DECISIONS = (INCLUDE, EXCLUDE, MAYBE)
RANKED, RANDOM, KNOWN, OTHER = SOURCES = ("ranked", "random", "known", "other")


class _Event(msgspec.Struct, frozen=True, tag_field="type", omit_defaults=True, kw_only=True):
    """What every event says: when, and who did it; None is nobody in particular, such as an imported file."""

    time: str = ""
    who: str | None = None


class SettingsChanged(_Event, frozen=True, tag="settings"):
    """Settings were made or changed; the first event of a review has them all."""

    settings: dict[str, Any]


class RecordsAdded(_Event, frozen=True, tag="added"):
    """Records came from files: `count` of them, numbered from `first`; others were known already, or bad."""

    first: int
    count: int
    files: tuple[str, ...] = ()
    known: int = 0
    bad: tuple[str, ...] = ()


class Pair(msgspec.Struct, frozen=True, array_like=True):
    """Two records that seem to be the same: why, how similar they are, and why they may be two works, if they may."""

    first: int
    second: int
    why: str
    similarity: float
    caution: str = ""


class DuplicatesFound(_Event, frozen=True, tag="duplicates"):
    """Pairs of records that seem to be the same."""

    pairs: tuple[Pair, ...]


class Decided(_Event, frozen=True, tag="decided"):
    """A person decided about a record.

    Attributes
    ----------
    source : str
        How the person came to it: "ranked", "random" (a random draw from the unread records), "known" (decided before
        the review began), "other" (searched for, or in the order of dates).
    probability, words_for, words_against
        What was shown beside the record. The next person to read it is shown the same, since what the ranker thinks of
        it later depends on this decision.
    """

    list: str
    record: int
    decision: str
    reason: str | None = None
    note: str | None = None
    tags: tuple[str, ...] = ()
    source: str = OTHER
    probability: float | None = None
    words_for: tuple[str, ...] = ()
    words_against: tuple[str, ...] = ()


class Settled(_Event, frozen=True, tag="settled"):
    """A decision that stands above those of the reviewers."""

    list: str
    record: int
    decision: str
    reason: str | None = None
    note: str | None = None
    tags: tuple[str, ...] = ()
    source: str = OTHER


class Withdrawn(_Event, frozen=True, tag="withdrawn"):
    """A person's decision, or the settlement, was taken back."""

    list: str
    record: int
    settled: bool = False


class Merged(_Event, frozen=True, tag="merged"):
    """Two records are the same: `record` is kept, and `other` is no longer shown.

    With `automatic`, of all records that are the same the first that came is kept.
    """

    record: int
    other: int
    automatic: bool = False


class KeptApart(_Event, frozen=True, tag="apart"):
    """Two records are not the same; a merge of them is reversed."""

    record: int
    other: int


class Drawn(_Event, frozen=True, tag="drawn"):
    """A record of the abstract list was drawn at random from those that were unread; its first decision is the result.

    A draw has to be decided, by whoever: later draws count only from then on.
    """

    record: int


class Undone(_Event, frozen=True, tag="undone"):
    """An earlier event of the same person no longer counts."""

    event: int


class Redone(_Event, frozen=True, tag="redone"):
    """An event that was undone counts again."""

    event: int


Step = Decided | Settled | Withdrawn | Merged | KeptApart  # what a person can undo
Event = SettingsChanged | RecordsAdded | DuplicatesFound | Step | Drawn | Undone | Redone

encode = msgspec.json.Encoder().encode
decode = msgspec.json.Decoder(Event).decode


def tag_of(event: Event) -> str:
    """Return the type of an event as it is written.

    >>> tag_of(Undone(event=3))
    'undone'
    """
    return str(type(event).__struct_config__.tag)
