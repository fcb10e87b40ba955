"""A record, the decisions that its file already holds, and a file of records."""

from __future__ import annotations

import msgspec

LISTS = ("abstract", "full-text")  # title and abstract first, then full text
DECISIONS = ("include", "exclude", "maybe")


class Given(msgspec.Struct, frozen=True, omit_defaults=True, repr_omit_defaults=True, gc=False):
    """One reviewer's decision about a record in one list.

    Parameters
    ----------
    list : "abstract" or "full-text".
    decision : "include", "exclude" or "maybe".
    reviewer : name of the person or of the tool; "" if the file does not say.
    reason, note : of an exclusion, and of anything.
    time : ISO 8601; "" if the file does not say.
    settled : whether it settles a conflict between reviewers.
    """

    list: str
    decision: str
    reviewer: str = ""
    reason: str = ""
    note: str = ""
    tags: tuple[str, ...] = ()
    time: str = ""
    settled: bool = False


class Record(msgspec.Struct, frozen=True, repr_omit_defaults=True, gc=False):
    """One entry of a reference file.

    Parameters
    ----------
    id : the same for the same bibliographic data; see `identify.record_id`.
    source : name of the file, and line or record number.
    format : of the file.
    fields : all that the file has about the record, by the file's own names; decisions of this library excepted.
    given : decisions that the file already holds; the writers write them as the decisions in force.
    duplicate_of : id of the record into which this one was merged, or "".

    >>> Record("1", "Statins in HIV", source="a.ris:7").file
    'a.ris'
    """

    id: str
    title: str = ""
    abstract: str = ""
    authors: tuple[str, ...] = ()
    year: int | None = None
    journal: str = ""
    doi: str = ""
    pmid: str = ""
    keywords: tuple[str, ...] = ()
    url: str = ""
    kind: str = ""
    source: str = ""
    format: str = ""
    fields: dict[str, tuple[str, ...]] = {}
    given: tuple[Given, ...] = ()
    duplicate_of: str = ""

    @property
    def file(self) -> str:
        """Return the name of the file from which the record comes."""
        return self.source.rpartition(":")[0]


class BadRecord(msgspec.Struct, frozen=True):
    """A record that cannot be read: the file with the line or record number, and why.

    >>> print(BadRecord("a.csv:7", "3 fields, the header has 5"))
    a.csv:7: 3 fields, the header has 5
    """

    place: str
    reason: str

    def __str__(self) -> str:
        return f"{self.place}: {self.reason}"


class RecordFile(msgspec.Struct, frozen=True):
    """The records of a file, what could not be read, and notes on what was ignored."""

    records: tuple[Record, ...]
    bad: tuple[BadRecord, ...]
    format: str
    encoding: str
    notes: tuple[str, ...] = ()
