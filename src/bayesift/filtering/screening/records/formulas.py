"""Cells that a spreadsheet takes for formulas: an apostrophe before them makes them text.

Records come from anywhere, and a formula can open addresses and run programs. A cell that begins with apostrophes and
one of the marks gets another apostrophe, so that reading takes off exactly what writing has put there.
"""

from __future__ import annotations

import re

_MARK = r"[=+\-@\t\r\n]"
_FORMULA, _AS_TEXT = re.compile(f"'*{_MARK}"), re.compile(f"'+{_MARK}")


def as_text(cell: str) -> str:
    """Return a cell as it is written.

    >>> as_text("=1+2"), as_text("'=1+2"), as_text("1+2")
    ("'=1+2", "''=1+2", '1+2')
    """
    return f"'{cell}" if _FORMULA.match(cell) else cell


def from_text(cell: str) -> str:
    """Return what a cell was before it was written.

    >>> from_text("'=1+2"), from_text("''=1+2"), from_text("'90s")
    ('=1+2', "'=1+2", "'90s")
    """
    return cell[1:] if _AS_TEXT.match(cell) else cell
