"""Open a review for a verb, and read the files that verbs are given."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bayesift.cli.filter.opening import user
from bayesift.cli.messages import counted, say
from bayesift.errors import BadInput

if TYPE_CHECKING:
    from bayesift.filtering.screening.records import Record
    from bayesift.filtering.screening.review import Review

SHOWN = 10  # bad records that are named, per file


def review_class() -> type[Review]:
    """Return the class `Review`, which takes a while to import."""
    from bayesift.cli.lazy_imports import postponed

    with postponed():
        from bayesift.filtering.screening.review import Review

    return Review


@contextlib.contextmanager
def opened(name: str, *, write: bool = True) -> Iterator[Review]:
    """Open a review; it is closed at the end."""
    with review_class().open(name, write=write) as review:
        yield review


def person(given: str | None) -> str:
    """Return who is named, else the name of the user; raise BadInput if there is none."""
    found = user(given)
    if not found or not found.strip():
        raise BadInput("no reviewer name", remedy="give --who NAME")
    return found


def read_files(files: Sequence[Path]) -> tuple[list[Record], list[str]]:
    """Return the records of files, and what could not be read, which is also said."""
    from bayesift.filtering.screening.records import read_records

    records: list[Record] = []
    bad: list[str] = []
    for file in files:
        found = read_records(file)
        records += found.records
        bad += map(str, found.bad)
        for problem in found.bad[:SHOWN]:
            say(f"bayesift: {problem}; skipped")
        more = f", {counted(len(found.bad), 'bad record')} skipped" if found.bad else ""
        say(f"{file}: {counted(len(found.records), 'record')} ({found.format}, {found.encoding}){more}")
    return records, bad


def say_duplicates(pairs: int, review: str) -> None:
    """Print how many pairs look like duplicates, and how to see them."""
    if pairs:
        say(f"{counted(pairs, 'pair')} of possible duplicates: bayesift screen duplicates {review}")


def drained(records: list[Record]) -> Iterator[Record]:
    """Yield records and remove them from the list, so that they are not in memory longer than the review needs them."""
    records.reverse()
    while records:
        yield records.pop()


def text_in(file: Path) -> str:
    """Return the text of a file; raise BadInput if it is not UTF-8."""
    from bayesift.files import read_lines

    return "\n".join(line for _, line in read_lines(file)).strip()


def reasons_in(file: Path) -> list[str]:
    """Return the reasons of a file, one per line; raise BadInput with the line of one that is invalid."""
    from bayesift.files import read_lines
    from bayesift.filtering.screening.store.settings import check_reason

    found: list[str] = []
    for number, line in read_lines(file):
        if line.strip():
            try:
                check_reason(line.strip(), found)
            except BadInput as error:
                raise BadInput(error.reason, path=file, line=number, remedy=error.remedy) from None
            found.append(line.strip())
    if not found:
        raise BadInput("no reasons", path=file, remedy="write one reason per line")
    return found


def rule_of(before: dict[str, Any], **given: Any) -> dict[str, Any]:
    """Return the settings of a stopping rule with those that are given."""
    return before | {name: value for name, value in given.items() if value is not None}
