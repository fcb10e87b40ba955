"""The part of `bayesift demo` that filters a stream: what a reader would have seen, day by day.

A topic starts from a statement. The docstrings come in random order, some per day, and the reader answers about each
document shown by its true label. The stream is also written to a file, so that a person can be the reader.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from bayesift.corpora import Document
    from bayesift.filtering import Item

TOPIC = "scipy.stats"
STATEMENT = "statistics: probability distributions, random variables, samples and hypothesis tests"
DAYS, PER_DAY, READ = 12, 100, 10  # days of the stream, documents per day, documents per day that the reader looks at
BALANCE = 0.7  # the reader would rather look at one too many than miss one
NAMED = 4  # documents per day that the table names


@dataclass
class Day:
    """What happened on one day."""

    date: str
    documents: int = 0
    relevant: int = 0
    shown: list[tuple[Item, bool]] = field(default_factory=list)  # each with its answer

    def row(self) -> tuple[str | int, ...]:
        """Return the day's row of the table."""
        delivered = [right for item, right in self.shown if item.kind == "delivered"]
        asked = [right for item, right in self.shown if item.kind != "delivered"]
        names = [f"{item.title}{' +' if right else ' –'}" for item, right in self.shown[:NAMED]]
        more = len(self.shown) - len(names)
        named = ", ".join(names) + (f" and {more} more" if more > 0 else "")
        good = f"{sum(delivered) + sum(asked)} of {self.relevant}"
        return self.date, self.documents, len(delivered), len(asked), good, named


def dated(documents: Sequence[Document]) -> list[Document]:
    """Return some of the documents in random order, with dates."""
    import msgspec
    import numpy as np

    order = np.random.default_rng(0).permutation(len(documents))[: DAYS * PER_DAY].tolist()
    dates = [f"2025-03-{1 + n // PER_DAY:02}" for n in range(len(order))]
    return [msgspec.structs.replace(documents[i], date=date) for i, date in zip(order, dates)]


def days_of(stream: Sequence[Document]) -> list[Day]:
    """Filter the stream for one topic, and answer about every document shown by its labels."""
    from bayesift.filtering import TextFilter

    f = TextFilter(per_day=READ, balance=BALANCE)
    f.add_topic(TOPIC, about=STATEMENT)
    days: list[Day] = []
    for document in stream:
        if not days or days[-1].date != document.date:
            days.append(Day(document.date or ""))
        relevant = TOPIC in (document.labels or ())
        days[-1].documents += 1
        days[-1].relevant += relevant
        for item in f.process(document):
            days[-1].shown.append((item, relevant))
            f.judge(*item.about, relevant)
    return days


def filter_stream(documents: Sequence[Document], output: Path, console: Any) -> None:
    """Filter a stream day by day, print what was shown, and say how to be the reader."""
    from bayesift.corpora import write_jsonl
    from bayesift.display import Table
    from bayesift.files import write_whole

    stream = dated(documents)
    days = days_of(stream)
    console.print(f"The topic {TOPIC!r} starts from a statement: {STATEMENT}.")
    console.print("The reader answers about every document shown; + is relevant.")
    header = ("day", "documents", "delivered", "asked", "relevant shown", "shown")
    title = f"What a reader sees who looks at most at {READ} documents per day"
    console.print(Table(title, header, [day.row() for day in days], words=6).rich())
    for item, _ in days[-1].shown[-1:]:
        console.print(f"Why the last one was shown: {item}")
    with write_whole(output / "stream.jsonl") as out:
        write_jsonl(stream, out)
    workspace = output / "docstrings.db"
    console.print("To be the reader yourself:")
    for line in (
        f"bayesift filter new {workspace} --per-day {READ} --balance {BALANCE}",
        f'bayesift filter topic add {workspace} stats --about "{STATEMENT}"',
        f"bayesift filter run {workspace} < {output / 'stream.jsonl'} > {output / 'shown.jsonl'}",
        f"bayesift filter review {workspace} stats",
    ):
        console.print(f"  {line}", soft_wrap=True)
