"""What verbs print: JSON lines at once, and tables."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import Any

from bayesift.display import Table
from bayesift.terminal import console


def json_line(content: Any) -> None:
    """Print one line of JSON, at once."""
    import msgspec

    sys.stdout.buffer.write(msgspec.json.encode(content) + b"\n")
    sys.stdout.buffer.flush()


def show_items(items: Iterable[Any]) -> int:
    """Print what is shown as JSON lines, each at once, and return their number."""
    n = 0
    for item in items:
        json_line(item.to_dict())
        n += 1
    return n


def show_table(table: Table) -> None:
    """Print a table on a terminal, and its cells divided by tabs elsewhere."""
    console().print(table.rich()) if sys.stdout.isatty() else print(table.tabs())


def topics_table(topics: Iterable[Any], title: str = "") -> None:
    """Print the topics of a workspace."""
    header = ("topic", "state", "waiting", "relevant", "not relevant")
    rows = [(t.name, "silent" if t.silent else t.state, t.waiting, t.relevant, t.irrelevant) for t in topics]
    show_table(Table(title, header, rows, words=2))
