"""One table for every output: plain text, a terminal (rich), Markdown, HTML, and tab-separated values."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bayesift.display.html import Markup, table_html
from bayesift.terminal import one_line, width

if TYPE_CHECKING:
    from rich.table import Table as RichTable
    from rich.text import Text as RichText

Cell = str | int | float | None


@dataclass(frozen=True)
class Table:
    """Rows of cells below a header.

    Parameters
    ----------
    title : what the table is about; Markdown and HTML leave it to the heading above.
    header : the names of the columns.
    rows : the cells. Numbers that do not exist (None, nan) are shown as a dash.
    words : how many columns, from the left, are words and aligned to the left; -1 for all.
    decimals : of floating-point numbers.

    >>> table = Table("Two", ("label", "F1"), (("a|b", 0.5), ("corn", None)))
    >>> print(table)
    Two
    label      F1
    a|b    0.5000
    corn        –
    >>> print(table.markdown())
    | label |     F1 |
    | :---- | -----: |
    | a\\|b  | 0.5000 |
    | corn  |      – |
    """

    title: str
    header: Sequence[str]
    rows: Sequence[Sequence[Cell]]
    words: int = 1
    decimals: int = 4

    def __str__(self) -> str:
        return "\n".join([*([one_line(self.title)] if self.title else []), *self._lines()])

    def rich(self) -> RichText | RichTable:
        """Return the table for a terminal.

        With one column of words no line is broken, however narrow the terminal is. With several, long texts are
        wrapped inside their columns.
        """
        from rich.text import Text

        if self.words != 1:
            return self._wrapped()
        head, *lines = self._lines()
        found = Text(no_wrap=True, overflow="ignore")
        if self.title:
            found.append(f"{one_line(self.title)}\n", "italic")
        found.append(f"{head}\n", "bold")
        return found.append("".join(f"{line}\n" for line in lines))

    def _wrapped(self) -> RichTable:
        from rich.table import Table as RichTable
        from rich.text import Text

        head, *lines = ([Text(one_line(" ".join(cell.split()))) for cell in line] for line in self._texts())
        found = RichTable(box=None, pad_edge=False, title=Text(one_line(self.title)), title_justify="left")
        for i, name in enumerate(head):
            found.add_column(name, justify="left" if self._is_words(i) else "right", no_wrap=not i)
        for line in lines:
            found.add_row(*line)
        return found

    def markdown(self) -> str:
        """Return the table as Markdown, its columns aligned."""
        lines = [[_escape(cell) for cell in line] for line in self._texts()]
        widths = [max(3, *(len(line[i]) for line in lines)) for i in range(len(self.header))]
        rule = [":" + "-" * (w - 1) if self._is_words(i) else "-" * (w - 1) + ":" for i, w in enumerate(widths)]
        padded = [
            [cell.ljust(w) if self._is_words(i) else cell.rjust(w) for i, (cell, w) in enumerate(zip(line, widths))]
            for line in lines
        ]
        return "\n".join("| " + " | ".join(line) + " |" for line in (padded[0], rule, *padded[1:]))

    def html(self, *, sort: bool = False, tall: bool = True) -> Markup:
        """Return the table as HTML; `sort` needs the script of a page, `tall` lets many rows scroll."""
        head, *lines = self._texts()
        classes = ["words" if self._is_words(i) and i else "" for i in range(len(head))]
        return table_html(head, lines, sort=sort, tall=tall, classes=classes)

    def tabs(self) -> str:
        """Return the table with a tab between cells, for other programs."""
        return "\n".join("\t".join(map(one_line, line)) for line in self._texts())

    def _is_words(self, column: int) -> bool:
        return self.words < 0 or column < self.words

    def _texts(self) -> list[list[str]]:
        return [list(self.header), *([self._text(cell) for cell in row] for row in self.rows)]

    def _text(self, cell: Cell) -> str:
        if cell is None or (isinstance(cell, float) and math.isnan(cell)):
            return "–"
        return f"{cell:.{self.decimals}f}" if isinstance(cell, float) else str(cell)

    def _lines(self) -> list[str]:
        lines = [[one_line(" ".join(cell.split())) for cell in line] for line in self._texts()]
        widths = [max(width(line[i]) for line in lines) for i in range(len(self.header))]
        return ["  ".join(self._padded(line, widths)).rstrip() for line in lines]

    def _padded(self, line: Sequence[str], widths: Sequence[int]) -> list[str]:
        rooms = [" " * (w - width(cell)) for cell, w in zip(line, widths)]
        return [c + room if self._is_words(i) else room + c for i, (c, room) in enumerate(zip(line, rooms))]


def _escape(cell: str) -> str:
    return " ".join(cell.split()).replace("\\", "\\\\").replace("|", "\\|")
