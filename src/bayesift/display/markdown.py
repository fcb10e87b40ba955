"""A little Markdown as HTML: headings, lists, paragraphs and emphasis; all else, HTML too, is plain text."""

from __future__ import annotations

import re
from html import escape

from bayesift.display.html import Markup

HEADING = re.compile(r"#{1,6}\s+(.*?)\s*#*\s*$")
ITEM = re.compile(r"\s*(?:[-*+]|(\d{1,3})[.)])\s+(.*)$")
STRONG = re.compile(r"\*\*(?=\S)(.+?)(?<=\S)\*\*")
EMPHASIS = re.compile(r"(?<!\*)\*(?=[^\s*])([^*<]*[^\s*<])\*(?!\*)")  # not across tags; underscores are part of names


def markdown_html(text: str) -> Markup:
    """Return Markdown as HTML; headings of every level are of one level.

    >>> markdown_html("# Include\\n- adults\\n- **trials** in *one* place")
    '<h3>Include</h3><ul><li>adults</li><li><strong>trials</strong> in <em>one</em> place</li></ul>'
    >>> markdown_html("2. children\\n3. <b>")
    '<ol start="2"><li>children</li><li>&lt;b&gt;</li></ol>'
    """
    parts: list[str] = []
    items: list[str] = []
    lines: list[str] = []
    first: str | None = None  # number of the first item, if they are numbered

    def close() -> None:
        if items:
            inside = "".join(f"<li>{item}</li>" for item in items)
            parts.append(f'<ol start="{int(first)}">{inside}</ol>' if first else f"<ul>{inside}</ul>")
            items.clear()
        if lines:
            parts.append(f"<p>{_inline(' '.join(lines))}</p>")
            lines.clear()

    for line in text.splitlines():
        if heading := HEADING.match(line):
            close()
            parts.append(f"<h3>{_inline(heading[1])}</h3>")
        elif item := ITEM.match(line):
            if lines or (items and bool(item[1]) != bool(first)):
                close()
            first = first if items else item[1]
            items.append(_inline(item[2]))
        elif not line.strip():
            close()
        elif items:
            items[-1] += " " + _inline(line.strip())
        else:
            lines.append(line.strip())
    close()
    return Markup("".join(parts))


def _inline(text: str) -> str:
    strong = STRONG.sub(r"<strong>\1</strong>", escape(text))
    return EMPHASIS.sub(r"<em>\1</em>", strong)
