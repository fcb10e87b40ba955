"""A self-contained HTML page: sections below a title, the style sheet of `bayesift.display`, no network."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from html import escape
from pathlib import Path

from bayesift.display import Cell, Markup, Table, section
from bayesift.display.html import paragraph
from bayesift.display.style import SHEET
from bayesift.files import write_whole

SORT = """
document.querySelectorAll('table.sort th').forEach(th=>th.addEventListener('click',()=>{
const body=th.closest('table').tBodies[0],k=[...th.parentNode.children].indexOf(th),down=th.dataset.down!=='1';
th.dataset.down=down?'1':'';
const value=r=>{const t=r.children[k].textContent,n=parseFloat(t.replaceAll(',',''));return isNaN(n)?t:n};
[...body.rows].sort((x,y)=>{const a=value(x),b=value(y);
return (typeof a==='number'&&typeof b==='number'?b-a:String(a).localeCompare(String(b)))*(down?1:-1)})
.forEach(r=>body.append(r))}))
"""


@dataclass
class Page:
    """A title, a line below it, and sections of HTML."""

    title: str
    subtitle: str = ""
    sections: list[str] = field(default_factory=list)

    def add(self, heading: str, text: str, *parts: str) -> None:
        """Add a section with a sentence that says how to read it."""
        self.sections.append(section(heading, text, *parts))

    def html(self) -> str:
        """Return the whole page."""
        return (
            '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
            '<meta name="generator" content="bayesift">'
            '<meta name="viewport" content="width=device-width,initial-scale=1">'
            '<meta name="color-scheme" content="light dark">'
            f'<title>{escape(self.title)}</title><style>{SHEET}</style></head><body class="bayesift"><main>'
            f"<h1>{escape(self.title)}</h1>{paragraph(self.subtitle)}"
            f"{''.join(self.sections)}</main><script>{SORT}</script></body></html>\n"
        )

    def write(self, path: str | Path) -> None:
        """Write the page, whole or not at all."""
        with write_whole(path) as out:
            out.write(self.html().encode("utf-8", "replace"))


def table(header: Sequence[str], rows: Sequence[Sequence[Cell]], *, tall: bool = True) -> Markup:
    """Return a table that a click on a heading sorts."""
    return Table("", header, rows, decimals=3).html(sort=True, tall=tall)


def figure(title: str, chart: str, caption: str) -> Markup:
    """Return a chart with its title above and its caption below."""
    return Markup(f"<figure><h3>{escape(title)}</h3>{chart}<figcaption>{escape(caption)}</figcaption></figure>")


def figures(parts: Iterable[str]) -> Markup:
    """Return figures beside one another as far as the page is wide."""
    return Markup(f'<div class="charts">{"".join(parts)}</div>')
