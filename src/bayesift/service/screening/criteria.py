"""The criteria of a review as HTML: headings, lists and paragraphs of Markdown; all else is plain text."""

from __future__ import annotations

import re

from markupsafe import Markup, escape

HEADING = re.compile(r"#{1,6}\s+(.*?)\s*#*\s*$")
ITEM = re.compile(r"\s*(?:[-*+]|(\d{1,3})[.)])\s+(.*)$")
STRONG = re.compile(r"\*\*(.+?)\*\*")


def criteria_html(text: str) -> Markup:
    """Return criteria as HTML.

    >>> criteria_html("# Include\\n- adults\\n- **trials**")
    Markup('<h3>Include</h3><ul><li>adults</li><li><strong>trials</strong></li></ul>')
    >>> criteria_html("2. children\\n3. animals")
    Markup('<ol start="2"><li>children</li><li>animals</li></ol>')
    """
    parts: list[Markup] = []
    items: list[Markup] = []
    lines: list[str] = []
    first: str | None = None  # number of the first item, if they are numbered

    def close() -> None:
        if items:
            inside = Markup("").join(Markup("<li>{}</li>").format(i) for i in items)
            numbered = Markup('<ol start="{}">{}</ol>').format(int(first or 0), inside)
            parts.append(numbered if first else Markup("<ul>{}</ul>").format(inside))
            items.clear()
        if lines:
            parts.append(Markup("<p>{}</p>").format(_inline(" ".join(lines))))
            lines.clear()

    for line in text.splitlines():
        if heading := HEADING.match(line):
            close()
            parts.append(Markup("<h3>{}</h3>").format(_inline(heading[1])))
        elif item := ITEM.match(line):
            if lines or (items and bool(item[1]) != bool(first)):
                close()
            first = first if items else item[1]
            items.append(_inline(item[2]))
        elif not line.strip():
            close()
        elif items:
            items[-1] += Markup(" ") + _inline(line.strip())
        else:
            lines.append(line.strip())
    close()
    return Markup("").join(parts)


def _inline(text: str) -> Markup:
    return Markup(STRONG.sub(r"<strong>\1</strong>", str(escape(text))))
