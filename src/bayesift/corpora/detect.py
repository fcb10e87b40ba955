"""Detect the delimiter of a table and the separator of labels within a cell, from the first rows.

The delimiter is the one that finds most known names in the header; ties are broken by the share of rows with as many
fields as the header. A label separator is a character whose parts recur: they also occur alone, or in several
combinations. `;`, `|` and tab hardly occur within a label, so one cell that contains one is enough. Commas do
("Paris, France"), so at least half of the parts must recur. A cell may also hold a collection as JSON, Python or NumPy
print it, which is what a data frame writes: ["a", "b"], ['a' 'b'], ('a',), {'a'}, set(), frozenset({'a'}), [5, 1].
"""

from __future__ import annotations

import ast
import contextlib
import csv
import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence

import msgspec

from bayesift.errors import BadInput

DELIMITERS = (",", ";", "\t", "|")
SEPARATORS = (";", "|", "\t", ",")
LISTS = "json"  # the "separator" of cells that hold lists
_LONGEST_LIST = 10_000  # characters; longer cells hold no list of labels
_MEMBER = r"""(?:np\.\w+\()?(u?'(?:[^'\\]|\\.)*'|u?"(?:[^"\\]|\\.)*"|-?\d+)\)?"""  # a text or a whole number
_MEMBERS = re.compile(_MEMBER)
_COLLECTION = re.compile(rf"\s*+(?:{_MEMBER}(?:(?:\s*+,\s*+|\s++){_MEMBER})*(?:\s*+,)?\s*+)?", re.DOTALL)
_SET = re.compile(r"(?:frozen)?set\((.*)\)", re.DOTALL)
_BRACKETS = ("[]", "()", "{}")
_WORDS = {"tab": "\t", "\\t": "\t"}


def character(given: str) -> str:
    """Return the character of a delimiter or separator option; `tab` is a tab.

    >>> character("tab"), character("|")
    ('\\t', '|')
    """
    return _WORDS.get(given, given)


def delimiter_of(lines: Sequence[str], names: Collection[str], also: Iterable[str] = ()) -> str:
    """Return the delimiter of a table that begins with these lines; the last line may be incomplete.

    >>> delimiter_of(["title;body\\n", "Rain, again;More, of it\\n", "Sun;\\n"], ("title", "body"))
    ';'
    """

    def fits(delimiter: str) -> tuple[int, float, int]:
        rows = _rows(lines, delimiter)
        header, rest = (rows[0], rows[1:]) if rows else ([], [])
        if len(header) < 2:  # a table of one column has no delimiter
            return -1, 0.0, 0
        same = sum(len(row) == len(header) for row in rest) / len(rest) if rest else 1.0
        return sum(cell in names for cell in header), same, len(header)

    return max((*also, *DELIMITERS), key=fits)


def with_point(number: str, delimiter: str) -> str:
    """Return the number of a cell with a decimal point; it may have a comma where the delimiter is none.

    >>> with_point("0,5", ";"), with_point("0.5", ",")
    ('0.5', '0.5')
    """
    return number if delimiter == "," else number.replace(",", ".")


def separator_of(cells: Iterable[str]) -> str | None:
    """Return the label separator of these cells, or None if they have none.

    >>> separator_of(["acq, crude", "crude", "acq"]), separator_of(["Paris, France", "Lyon, France", "Bonn"])
    (',', None)
    """
    filled = [cell for cell in cells if cell.strip()]
    if filled and all(list_in(cell) is not None for cell in filled):
        return LISTS
    found = [c for c in SEPARATORS if any(c in cell for cell in filled)]
    shares = {c: _recurring(filled, c) for c in found}
    likely = [c for c in found if c != "," or shares[c] >= 0.5]
    return max(likely, key=lambda c: shares[c], default=None)


def list_in(cell: str) -> list[str] | None:
    """Return the labels of a cell that holds a list, tuple or set; None if it holds none.

    >>> list_in('["acq", "crude"]'), list_in("('acq',)"), list_in("['acq' 'crude']"), list_in("set()"), list_in("acq")
    (['acq', 'crude'], ['acq'], ['acq', 'crude'], [], None)
    """
    cell = cell.strip()
    if len(cell) > _LONGEST_LIST:
        return None
    if wrapped := _SET.fullmatch(cell):
        cell = wrapped[1].strip() or "()"
    if cell[:1] + cell[-1:] not in _BRACKETS:
        return None
    with contextlib.suppress(ValueError):
        return [str(label) for label in msgspec.json.decode(cell, type=list[str | int])]
    within = cell[1:-1]
    if _COLLECTION.fullmatch(within) is None or _is_in_parentheses(cell):
        return None
    try:
        return [str(ast.literal_eval(member)) for member in _MEMBERS.findall(within)]
    except (ValueError, SyntaxError):
        return None


def _is_in_parentheses(cell: str) -> bool:
    """Return whether a cell is one value in parentheses, as (2019), and not a tuple, as (2019,)."""
    within = cell[1:-1].strip()
    return cell[0] == "(" and not within.endswith(",") and _MEMBERS.fullmatch(within) is not None


def parts_of(cell: str, separator: str) -> tuple[str, ...]:
    """Return the labels of a cell without duplicates; empty parts are dropped.

    >>> parts_of("sport; news;", ";"), parts_of('["sport"]', LISTS)
    (('sport', 'news'), ('sport',))
    """
    if separator == LISTS:
        found = list_in(cell) if cell.strip() else []
        if found is None:
            raise ValueError(f"not a list of labels: {cell[:40]!r}")
        check_not_a_row(found, cell)
    else:
        found = cell.split(separator)
    return tuple(dict.fromkeys(label for part in found if (label := part.strip())))


def check_not_a_row(labels: Collection[str], shown: str) -> None:
    """Raise if these labels of a document are a row of a matrix, as [0, 1, 0]."""
    if {"0", "1"} >= set(labels) and len(set(labels)) < len(labels):
        raise BadInput(f"a row of 0 and 1, not a list of labels: {shown[:40]!r}", remedy="write the labels' names")


def _recurring(cells: Sequence[str], separator: str) -> float:
    """Return the share of split labels that also occur alone or in several combinations."""
    together = defaultdict(set)
    for cell in cells:
        parts = parts_of(cell, separator)
        for part in parts:
            together[part].add(frozenset(parts))
    split = {p for p, sets in together.items() if any(len(s) > 1 for s in sets)}
    recurring = [p for p in split if len(together[p]) > 1]
    return len(recurring) / len(split) if split else 0.0


def _rows(lines: Sequence[str], delimiter: str) -> list[list[str]]:
    rows: list[list[str]] = []
    with contextlib.suppress(csv.Error):  # reported by the reader, with its line
        rows.extend(row for row in csv.reader(lines, delimiter=delimiter) if row)
    return rows[:-1] if len(rows) > 2 else rows
