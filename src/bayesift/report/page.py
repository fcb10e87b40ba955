"""A self-contained HTML page: sections below a title, one style sheet, light and dark, wide and narrow."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from html import escape
from pathlib import Path

from bayesift.evaluate.tables import Cell
from bayesift.files import write_whole
from bayesift.report.style import colours

CSS = colours(":root") + """
*{box-sizing:border-box}
body{margin:0;background:var(--ground);color:var(--ink);font:16px/1.5 system-ui,-apple-system,"Segoe UI",sans-serif}
main{max-width:1080px;margin:0 auto;padding:1.5rem 1rem 4rem}
h1{font-size:1.6rem;line-height:1.2;margin:.5rem 0 .25rem;overflow-wrap:anywhere}
h2{font-size:1.15rem;margin:2.2rem 0 .4rem}
h3{font-size:1rem;margin:0;overflow-wrap:anywhere}
p{margin:.3rem 0 .8rem;max-width:70ch}.soft,small,figcaption{color:var(--soft)}
.cards{display:grid;grid-template-columns:repeat(auto-fit,minmax(130px,1fr));gap:.7rem;margin:1rem 0}
.card{background:var(--card);border:1px solid var(--line);border-radius:8px;padding:.7rem .9rem}
.card b{display:block;font-size:1.5rem;line-height:1.25;font-variant-numeric:tabular-nums}
.card span{font-size:.85rem;color:var(--soft)}
.charts{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,330px),1fr));gap:1rem}
figure{margin:0;background:var(--card);border:1px solid var(--line);border-radius:8px;padding:.8rem}
figure h3{margin-bottom:.2rem}figcaption{font-size:.85rem}
.chart{width:100%;height:auto;display:block}.chart text{font:12px system-ui,sans-serif;fill:var(--soft)}
.scroll,.text{background:
linear-gradient(var(--card) 40%,transparent) top/100% 3rem no-repeat local,
linear-gradient(0deg,var(--card) 40%,transparent) bottom/100% 3rem no-repeat local,
linear-gradient(90deg,var(--card) 40%,transparent) left/3rem 100% no-repeat local,
linear-gradient(270deg,var(--card) 40%,transparent) right/3rem 100% no-repeat local,
linear-gradient(var(--shade),transparent) top/100% .8rem no-repeat scroll,
linear-gradient(0deg,var(--shade),transparent) bottom/100% .8rem no-repeat scroll,
linear-gradient(90deg,var(--shade),transparent) left/.8rem 100% no-repeat scroll,
linear-gradient(270deg,var(--shade),transparent) right/.8rem 100% no-repeat scroll,var(--card)}
.scroll{overflow-x:auto;border:1px solid var(--line);border-radius:8px}.tall{max-height:32rem;overflow-y:auto}
.count{font-size:.85rem;margin:.3rem 0 0}
table{border-collapse:collapse;width:100%;font-size:.9rem;font-variant-numeric:tabular-nums}
th,td{padding:.35rem .7rem;text-align:right;white-space:nowrap;border-bottom:1px solid var(--line)}
th:first-child,td:first-child{text-align:left}tr:last-child td{border-bottom:0}
th{position:sticky;top:0;background:var(--card);color:var(--soft);font-weight:600;cursor:pointer}
.parts{max-width:640px}.axis{text-align:left;width:12rem;min-width:4rem}a{color:var(--c1)}td.heat{text-align:center;padding:.3rem}
details,.doc{background:var(--card);border:1px solid var(--line);border-radius:8px;margin:.7rem 0;padding:.7rem .9rem}
summary{cursor:pointer}.text{overflow-wrap:anywhere;max-height:16rem;overflow-y:auto;margin:.6rem 0;line-height:1.7}
mark{background:none;color:inherit;border-radius:3px;padding:0 2px}
.bar{display:inline-block;height:.7em;border-radius:2px;vertical-align:baseline}
.tag{display:inline-block;border:1px solid var(--line);border-radius:99px;padding:0 .55rem;font-size:.85rem;
margin:0 .2rem .2rem 0}
@media(max-width:480px){.parts th,.parts td{padding:.3rem .35rem;white-space:normal}.axis{width:4rem}}
.miss{border-color:var(--c2);color:var(--c2)}.wrong{border-color:var(--c2);color:var(--c2);text-decoration:line-through}
"""
SORT = """
document.querySelectorAll('table.sort th').forEach((th,i)=>th.addEventListener('click',()=>{
const body=th.closest('table').tBodies[0],k=[...th.parentNode.children].indexOf(th),down=th.dataset.down!=='1';
th.dataset.down=down?'1':'';const value=r=>{const t=r.children[k].textContent,n=parseFloat(t);return isNaN(n)?t:n};
[...body.rows].sort((x,y)=>{const a=value(x),b=value(y);
return (typeof a==='number'&&typeof b==='number'?b-a:String(a).localeCompare(String(b)))*(down?1:-1)})
.forEach(r=>body.append(r))}))
"""
FULL = 14  # rows that a table shows without scrolling


@dataclass
class Page:
    """A title, a line below it, and sections of HTML."""

    title: str
    subtitle: str = ""
    sections: list[str] = field(default_factory=list)

    def add(self, heading: str, text: str, *parts: str) -> None:
        """Add a section with a sentence that says how to read it."""
        head = f"<h2>{escape(heading)}</h2><p class=soft>{escape(text)}</p>"
        self.sections.append(f"<section>{head}{''.join(parts)}</section>")

    def html(self) -> str:
        """The whole page."""
        return (
            '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
            '<meta name="generator" content="bayesift">'
            '<meta name="viewport" content="width=device-width,initial-scale=1">'
            f"<title>{escape(self.title)}</title><style>{CSS}</style></head><body><main>"
            f"<h1>{escape(self.title)}</h1><p class=soft>{escape(self.subtitle)}</p>"
            f"{''.join(self.sections)}</main><script>{SORT}</script></body></html>\n"
        )

    def write(self, path: str | Path) -> None:
        """Write the page, whole or not at all."""
        with write_whole(path) as out:
            out.write(self.html().encode("utf-8", "replace"))


def table(header: Sequence[str], rows: Sequence[Sequence[Cell]], *, sort: bool = True, tall: bool = True) -> str:
    """A table that scrolls by itself; a click on a heading sorts it."""
    head = "".join(f"<th>{escape(name)}</th>" for name in header)
    body = "".join("<tr>" + "".join(f"<td>{escape(_text(cell))}</td>" for cell in row) + "</tr>" for row in rows)
    kind = ' class="sort"' if sort else ""
    outer = "scroll tall" if tall else "scroll"
    count = f'<p class="count soft">{len(rows):,} rows; the list scrolls.</p>' if tall and len(rows) > FULL else ""
    inner = f"<table{kind}><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
    return f'<div class="{outer}" tabindex=0>{inner}</div>{count}'


def figure(title: str, chart: str, caption: str) -> str:
    """Return a chart with its title above and its caption below."""
    return f"<figure><h3>{escape(title)}</h3>{chart}<figcaption>{escape(caption)}</figcaption></figure>"


def cards(figures: Sequence[tuple[str, str]]) -> str:
    """Large figures with their names."""
    return '<div class="cards">' + "".join(
        f'<div class="card"><b>{escape(value)}</b><span>{escape(name)}</span></div>' for name, value in figures
    ) + "</div>"


def _text(cell: Cell) -> str:
    if cell is None or cell != cell:
        return "–"
    return f"{cell:.3f}" if isinstance(cell, float) else str(cell)
