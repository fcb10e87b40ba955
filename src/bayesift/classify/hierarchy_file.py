"""Files of a hierarchy: pairs of a label and its parent.

    CSV     child,parent       a header, then one pair per line; other columns are not read
            corn,grain
    JSON    {"corn": "grain", "wheat": ["grain", "food"]}

A label may have several parents. Which of the two a file is, its first character says. The delimiter of CSV is
detected, as for documents.
"""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Iterable, Iterator
from itertools import chain, islice
from pathlib import Path
from typing import Any

from bayesift.corpora.detect import delimiter_of
from bayesift.corpora.table import HEAD_LINES
from bayesift.errors import BadInput
from bayesift.files import read_lines

Pair = tuple[int, Any, Any]  # line, child, parent
_GAP = re.compile(r"[\s,:]*")  # between the names and values of a JSON object
REMEDY = 'begin with the line child,parent, or write a JSON object: {"corn": "grain"}'


def read_pairs(path: str | Path) -> Iterator[Pair]:
    """Yield the line, the label and the parent of each pair; raise if it is a file of another kind."""
    lines = read_lines(path)
    first = next(((number, line) for number, line in lines if line.strip()), None)
    if first is None:
        raise BadInput("is empty", path=path, remedy=REMEDY)
    text = chain([first[1]], (line for _, line in lines))
    pairs = _json_pairs if first[1].lstrip()[0] in "{[" else _csv_pairs
    return pairs(text, first[0], path)


def _csv_pairs(lines: Iterable[str], first: int, path: str | Path) -> Iterator[Pair]:
    text = (line + "\n" for line in lines)
    head = list(islice(text, HEAD_LINES))
    mark = delimiter_of(head, ("child", "parent"))
    rows = csv.reader(chain(head, text), delimiter=mark, strict=True)
    line = first
    try:
        header = [name.strip() for name in next(rows)]
        if not {"child", "parent"} <= set(header):
            raise BadInput("no columns child and parent", path=path, line=line, remedy=REMEDY)
        child, parent = header.index("child"), header.index("parent")
        line = first + rows.line_num
        for row in rows:
            if any(cell.strip() for cell in row):
                if len(row) <= max(child, parent):
                    what = f"{mark.join(row)!r} has no {'parent' if len(row) <= parent else 'child'}"
                    raise BadInput(what, path=path, line=line, remedy="write a label and its parent, e.g. corn,grain")
                yield line, row[child].strip(), row[parent].strip()
            line = first + rows.line_num
    except csv.Error as error:
        remedy = "put labels with commas or quotes in quotes"
        raise BadInput(f"not CSV: {error}", path=path, line=line, remedy=remedy) from error


def _json_pairs(lines: Iterable[str], first: int, path: str | Path) -> Iterator[Pair]:
    text = "\n".join(lines)
    try:
        found = json.loads(text)
    except json.JSONDecodeError as error:
        line = first - 1 + error.lineno
        raise BadInput(f"not JSON: {error.msg}", path=path, line=line, remedy=REMEDY) from error
    except RecursionError as error:
        raise BadInput("nested too deep", path=path, remedy=REMEDY) from error
    if not isinstance(found, dict):
        raise BadInput("is a JSON list, not an object", path=path, remedy=REMEDY)
    for number, child, above in _members(text):
        line = first + number
        for parent in above if type(above) is list else [above]:
            if not isinstance(parent, str):
                remedy = "give a label or a list of labels, as texts"
                raise BadInput(f"the parents of {child!r} are not labels", path=path, line=line, remedy=remedy)
            yield line, child, parent


def _members(text: str) -> Iterator[tuple[int, str, Any]]:
    """Yield the members of a JSON object, duplicates too: the line of the name, from 0, the name and the value.

    >>> list(_members('{"corn": "grain",\\n "rye": []}'))
    [(0, 'corn', 'grain'), (1, 'rye', [])]
    """
    decode, line, at = json.JSONDecoder().raw_decode, 0, 0
    begin = _GAP.match(text, text.index("{") + 1)
    while begin is not None and text[begin.end()] != "}":
        line, at = line + text.count("\n", at, begin.end()), begin.end()
        name, end = decode(text, at)
        colon = _GAP.match(text, end)
        assert colon is not None
        value, end = decode(text, colon.end())
        yield line, name, value
        begin = _GAP.match(text, end)
