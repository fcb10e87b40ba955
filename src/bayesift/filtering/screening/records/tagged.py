"""Files of lines that begin with a tag: RIS, PubMed's NBIB, and the plain text of Web of Science.

Exporters wrap long values; a line without a tag continues the one before it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

Fields = dict[str, tuple[str, ...]]
PART = 1 << 20  # characters


class Layout(NamedTuple):
    """How records stand in a file of tagged lines.

    Parameters
    ----------
    split : returns the tag and the value of a line, or None if it has no tag.
    first, last : tags with which a record begins and ends, where the format has them.
    blank_ends : whether an empty line ends a record.
    several : tags whose further lines are further values.
    ignored : tags of the file, not of a record.
    """

    split: Callable[[str], tuple[str, str] | None]
    first: str = ""
    last: str = ""
    blank_ends: bool = False
    several: frozenset[str] = frozenset()
    ignored: frozenset[str] = frozenset()


def lines_of(text: str) -> Iterator[str]:
    """Yield lines without their ends, splitting a part of the text at a time: a list of all takes much memory.

    >>> list(lines_of("a\\nb\\n"))
    ['a', 'b', '']
    """
    start = 0
    while (end := text.find("\n", start + PART)) >= 0:
        yield from text[start:end].split("\n")
        start = end + 1
    yield from text[start:].split("\n")


def entries(lines: Iterable[str], layout: Layout) -> Iterator[tuple[int, Fields]]:
    """Yield the line at which each record begins, and its fields.

    A record without its last tag ends where the next one begins, and one without its first tag begins with any other.
    """
    split, first, last = layout.split, layout.first, layout.last
    fields: dict[str, list[str]] = {}
    begin, tag, values = 0, "", None
    for number, line in enumerate(lines, start=1):
        found = split(line)
        if found is None:
            more = line.strip()
            if more and values is not None:
                if tag in layout.several:
                    values.append(more)
                else:
                    values[-1] = f"{values[-1]} {more}" if values[-1] else more
            elif not more and layout.blank_ends and fields:
                yield begin, _closed(fields)
                fields, values = {}, None
            continue
        tag, value = found
        if tag in layout.ignored:
            values = None
            continue
        if fields and tag in (last, first):
            yield begin, _closed(fields)
            fields = {}
        if tag == last:
            values = None
            continue
        begin = begin if fields else number
        values = fields.setdefault(tag, [])
        values.append(value)
    if fields:
        yield begin, _closed(fields)


def _closed(fields: dict[str, list[str]]) -> Fields:
    return {tag: tuple(kept) for tag, values in fields.items() if (kept := [value for value in values if value])}
