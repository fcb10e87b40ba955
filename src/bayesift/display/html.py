"""Parts of HTML: tables, cards, tags, sections, and the wrapper that shows them in a notebook.

Every text is escaped, except `Markup`, which is HTML already.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from bayesift.display.style import SHEET

FULL = 14  # rows that a table shows without scrolling


class Markup(str):
    """A text that is HTML already."""

    __slots__ = ()


def escaped(text: str) -> str:
    """Return the text as HTML.

    >>> escaped("a < b"), escaped(Markup("<b>a</b>"))
    ('a &lt; b', '<b>a</b>')
    """
    return text if isinstance(text, Markup) else escape(text)


def table_html(
    header: Sequence[str], rows: Sequence[Sequence[str]], *, sort: bool = False, tall: bool = True,
    classes: Sequence[str] = (), kind: str = "",
) -> Markup:  # fmt: skip
    """Return a table that scrolls by itself.

    Parameters
    ----------
    sort : whether a click on a heading sorts the rows; this needs the script of a page.
    tall : whether many rows scroll.
    classes : the class of each column's cells.
    kind : a further class of the whole table.
    """
    names = [*classes, *[""] * (len(header) - len(classes))]
    kinds = [f' class="{name}"' if name else "" for name in names]
    head = "".join(f"<th{_title(name)}{kind}>{escaped(name)}</th>" for name, kind in zip(header, kinds))
    lines = ("".join(f"<td{_title(c)}{k}>{escaped(c)}</td>" for c, k in zip(row, kinds)) for row in rows)
    body = "".join(f"<tr>{line}</tr>" for line in lines)
    count = f'<p class="count soft">{len(rows):,} rows; the list scrolls.</p>' if tall and len(rows) > FULL else ""
    inner = f"<table{' class=sort' if sort else ''}><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
    outer = " ".join(["scroll", *(["tall"] if tall else []), *([kind] if kind else [])])
    return Markup(f'<div class="{outer}" tabindex=0>{inner}</div>{count}')


def _title(cell: str) -> str:
    """Return the whole text as a title where the column may cut it."""
    return f' title="{escape(cell)}"' if len(cell) > 20 and not isinstance(cell, Markup) else ""


def cards(figures: Iterable[tuple[str, str]]) -> Markup:
    """Return large figures, each (name, value)."""
    inner = "".join(
        f'<div class="card"><b>{escape(value)}</b><span>{escape(name)}</span></div>' for name, value in figures
    )
    return Markup(f'<div class="cards">{inner}</div>')


def tags(texts: Iterable[str], kind: str = "") -> Markup:
    """Return short texts in frames."""
    return Markup(" ".join(f'<span class="tag {kind}">{escaped(text)}</span>' for text in texts))


def section(heading: str, text: str, *parts: str) -> Markup:
    """Return parts below a heading and a sentence that says how to read them."""
    return Markup(f"<section><h2>{escape(heading)}</h2>{paragraph(text)}{''.join(map(escaped, parts))}</section>")


def paragraph(text: str) -> Markup:
    """Return a paragraph in a soft colour; nothing for an empty text."""
    return Markup(f"<p class=soft>{escaped(text)}</p>" if text else "")


def notebook(title: str, subtitle: str, *parts: str) -> str:
    """Return what a notebook shows: the parts in a box with the style sheet, which changes nothing outside it."""
    head = f"<h1>{escape(title)}</h1>{paragraph(subtitle)}"
    return f'<div class="bayesift cell"><style>{SHEET}</style>{head}{"".join(map(escaped, parts))}</div>'
