"""The layout of a published table: its rows and columns, the figures in its cells, and the slack that is allowed.

A cell reads "paper / ours". Rows and columns are `Line`s, each of which names a part of the figure's key (system,
setting, metric); a part that several of them name is joined by ", ". A figure that differs from the paper by more than
the stated slack is marked: below the paper, above it, or, for a sign, unequal.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from bayesift.display.tables import Table
from bayesift.experiments.result import Result, Row

BELOW, ABOVE, UNEQUAL = "▼", "▲", "≠"
BEYOND = "†"  # a row that the paper does not have


@dataclass(frozen=True)
class Slack:
    """How far a figure may be from the paper's: points below and above, or a factor either way."""

    below: float = 0.0
    above: float = 0.5
    factor: float | None = None

    def mark(self, paper: float, ours: float) -> str:
        """Return the mark of a figure: empty within the slack.

        >>> Slack(0.5).mark(86.69, 86.44), Slack(0.5).mark(86.0, 85.4), Slack(factor=1.5).mark(10, 16)
        ('', '▼', '▲')
        """
        low, high = paper - self.below, paper + self.above
        if self.factor is not None:
            low, high = paper / self.factor, paper * self.factor
        return BELOW if ours < low else ABOVE if ours > high else ""

    def __str__(self) -> str:
        if self.factor is not None:
            return f"a factor of {self.factor:g}"
        return f"{self.below:g} below, {self.above:g} above"


@dataclass(frozen=True)
class Line:
    """A row or a column: its label, and the parts of the key that it names."""

    label: str
    system: str = ""
    setting: str = ""
    metric: str = ""
    digits: int | None = None
    slack: Slack | None = None


@dataclass(frozen=True)
class Layout:
    """One table; `where` names the parts of the key that all its cells share."""

    caption: str
    rows: tuple[Line, ...]
    columns: tuple[Line, ...]
    where: Line = Line("")
    corner: str = ""
    digits: int = 2
    beyond: tuple[Line, ...] = ()  # rows below the paper's own

    def table(self, result: Result) -> Table:
        """Return the table of a result: without the rows and columns of which it has no figure."""
        found = {row.key: row for row in result.rows}
        rows = [row for row in (*self.rows, *self.beyond) if any(self._key(row, c) in found for c in self.columns)]
        columns = [column for column in self.columns if any(self._key(row, column) in found for row in rows)]
        both = any(found[key].paper is not None for key in self.keys() if key in found)
        cells = []
        for row in rows:
            label = f"{row.label} {BEYOND}" if row in self.beyond else row.label
            cells.append([label, *(self._cell(found, row, column, both) for column in columns)])
        return Table(self.caption, [self.corner, *(column.label for column in columns)], cells)

    def keys(self) -> list[tuple[str, str, str]]:
        """Return the key of every cell."""
        return [self._key(row, column) for row in (*self.rows, *self.beyond) for column in self.columns]

    def reading(self, result: Result) -> str:
        """Return the slack and how many figures are marked, or nothing where no figure can be."""
        lines = [line for line in (*self.rows, *self.columns, self.where) if line.slack is not None]
        slacks = dict.fromkeys(f"{line.label.split(': ')[-1]} {line.slack}" for line in lines)
        found = {row.key: row for row in result.rows}
        cells = [(row, column) for row in self.rows for column in self.columns if self._key(row, column) in found]
        marks = [_mark(found[self._key(*cell)], self._slack(*cell)) for cell in cells]
        given = [mark for mark in marks if mark is not None]
        stated = f"Slack: {'; '.join(slacks)}. " if slacks else ""
        return f"{stated}{sum(map(bool, given))} of {len(given)} figures are marked." if given else ""

    def _key(self, row: Line, column: Line) -> tuple[str, str, str]:
        named = (self.where, row, column)
        parts = ([getattr(line, name) for line in named] for name in ("system", "setting", "metric"))
        system, setting, metric = (", ".join(filter(None, part)) for part in parts)
        return system, setting, metric

    def _cell(self, found: dict[tuple[str, str, str], Row], row: Line, column: Line, both: bool) -> str:
        key = self._key(row, column)
        if key not in found:
            return ""
        figure, spread = found[key], found.get((*key[:2], f"{key[2]} sd"))
        digits = next((line.digits for line in (row, column) if line.digits is not None), self.digits)
        ours = _text(figure.ours, digits)
        if spread is not None:
            ours += f" ± {_text(spread.ours, digits)}"
        if not both or (row in self.beyond and figure.paper is None):
            return ours
        return f"{_text(figure.paper, digits)} / {ours} {_mark(figure, self._slack(row, column)) or ''}".rstrip()

    def _slack(self, row: Line, column: Line) -> Slack | None:
        return next((line.slack for line in (column, row, self.where) if line.slack is not None), None)


def lines(field: str, names: Iterable[str]) -> tuple[Line, ...]:
    """Return one line per name, which is its label and the part FIELD of its key."""
    return tuple(Line(name, **{field: name}) for name in names)  # type: ignore[arg-type]


def _mark(figure: Row, slack: Slack | None) -> str | None:
    """Return the mark of a figure, or None where nothing says how far it may be from the paper's."""
    if isinstance(figure.paper, str):
        return UNEQUAL if figure.paper != figure.ours else ""
    if slack is None or figure.paper is None or not isinstance(figure.ours, (int, float)):
        return None
    return slack.mark(figure.paper, figure.ours)


def _text(value: float | str | None, digits: int) -> str:
    if value is None:
        return "–"
    return value.replace(" / ", " ") if isinstance(value, str) else f"{value:,.{digits}f}"
