"""One table, shown on a terminal (rich) or as Markdown that also reads well as plain text."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bayesift.terminal import printable

if TYPE_CHECKING:
    from rich.text import Text as RichText

Cell = str | int | float | None


@dataclass(frozen=True)
class Table:
    """Rows of cells below a header; the first column is words, the others numbers.

    >>> print(Table("Two", ("label", "F1"), (("a|b", 0.5), ("corn", None))).markdown())
    | label |     F1 |
    | :---- | -----: |
    | a\\|b  | 0.5000 |
    | corn  |      – |
    """

    title: str
    header: Sequence[str]
    rows: Sequence[Sequence[Cell]]

    def markdown(self) -> str:
        """Give the table as Markdown, its columns aligned."""
        lines = [[_escape(cell) for cell in line] for line in (self.header, *map(_texts, self.rows))]
        widths = [max(3, *(len(line[i]) for line in lines)) for i in range(len(self.header))]
        rule = [":" + "-" * (w - 1) if i == 0 else "-" * (w - 1) + ":" for i, w in enumerate(widths)]
        padded = [[_pad(i, cell, w) for i, (cell, w) in enumerate(zip(line, widths))] for line in lines]
        return "\n".join("| " + " | ".join(line) + " |" for line in (padded[0], rule, *padded[1:]))

    def rich(self) -> RichText:
        """Return the table for a terminal: aligned lines, in which no name is broken, however narrow it is."""
        from rich.cells import cell_len
        from rich.text import Text

        given = (self.header, *map(_texts, self.rows))
        lines = [[printable(" ".join(cell.split())) for cell in line] for line in given]
        widths = [max(cell_len(line[i]) for line in lines) for i in range(len(self.header))]
        spaced = [[" " * (w - cell_len(cell)) for cell, w in zip(line, widths)] for line in lines]
        texts = [
            "  ".join(cell + room if i == 0 else room + cell for i, (cell, room) in enumerate(zip(line, rooms)))
            for line, rooms in zip(lines, spaced)
        ]
        found = Text(no_wrap=True, overflow="ignore")
        found.append(f"{printable(self.title)}\n", "italic").append(f"{texts[0]}\n", "bold")
        found.append("".join(f"{line}\n" for line in texts[1:]))
        return found


def _texts(row: Sequence[Cell]) -> list[str]:
    return [_text(cell) for cell in row]


def _text(cell: Cell) -> str:
    if cell is None or (isinstance(cell, float) and math.isnan(cell)):
        return "–"
    return f"{cell:.4f}" if isinstance(cell, float) else str(cell)


def _escape(cell: str) -> str:
    return " ".join(cell.split()).replace("\\", "\\\\").replace("|", "\\|")


def _pad(column: int, cell: str, width: int) -> str:
    return cell.ljust(width) if column == 0 else cell.rjust(width)
