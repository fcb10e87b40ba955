"""The criteria of a review as HTML: headings, lists and paragraphs of Markdown; all else is plain text."""

from __future__ import annotations

import re

from markupsafe import Markup, escape

HEADING = re.compile(r"#{1,6}\s+(.*?)\s*#*\s*$")
ITEM = re.compile(r"\s*(?:[-*+]|\d{1,3}[.)])\s+(.*)$")
STRONG = re.compile(r"\*\*(.+?)\*\*")


def criteria_html(text: str) -> Markup:
    """Return criteria as HTML.

    >>> criteria_html("# Include\\n- adults\\n- **trials**")
    Markup('<h3>Include</h3><ul><li>adults</li><li><strong>trials</strong></li></ul>')
    """
    parts: list[Markup] = []
    items: list[Markup] = []
    lines: list[str] = []

    def close() -> None:
        if items:
            parts.append(Markup("<ul>{}</ul>").format(Markup("").join(Markup("<li>{}</li>").format(i) for i in items)))
            items.clear()
        if lines:
            parts.append(Markup("<p>{}</p>").format(_inline(" ".join(lines))))
            lines.clear()

    for line in text.splitlines():
        if heading := HEADING.match(line):
            close()
            parts.append(Markup("<h3>{}</h3>").format(_inline(heading[1])))
        elif item := ITEM.match(line):
            if lines:
                close()
            items.append(_inline(item[1]))
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
