"""The report of a simulated run or a screened pool: one HTML page that needs nothing from elsewhere."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from pathlib import Path

from bayesift.filtering.plots import pool_plots, stream_plots
from bayesift.filtering.screening.pool import Screening
from bayesift.filtering.simulate.simulation import Trace
from bayesift.filtering.strategies import Strategy

CSS = """
:root { color-scheme: light; }
body { font: 15px/1.5 system-ui, sans-serif; color: #1a202c; background: #f7fafc; margin: 0; }
main { max-width: 1080px; margin: 0 auto; padding: 2rem 1.5rem 4rem; }
h1 { font-size: 1.6rem; margin: 0 0 .2rem; } h2 { font-size: 1.1rem; margin: 2.2rem 0 .6rem; }
p.what { color: #4a5568; margin: 0 0 1.2rem; }
.cards { display: flex; flex-wrap: wrap; gap: .8rem; }
.card { background: #fff; border: 1px solid #e2e8f0; border-radius: 8px; padding: .7rem 1rem; min-width: 8rem; }
.card b { display: block; font-size: 1.35rem; } .card span { color: #4a5568; font-size: .85rem; }
.plots { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 420px), 1fr)); gap: 1rem; }
figure { background: #fff; border: 1px solid #e2e8f0; border-radius: 8px; margin: 0; padding: .8rem; }
figure svg { width: 100%; height: auto; } figcaption { font-size: .9rem; color: #2d3748; margin-bottom: .3rem; }
.scroll { overflow-x: auto; background: #fff; border: 1px solid #e2e8f0; border-radius: 8px; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; font-size: .9rem; }
th, td { padding: .35rem .6rem; text-align: right; border-bottom: 1px solid #edf2f7; white-space: nowrap; }
th:first-child, td:first-child { text-align: left; }
th { background: #edf2f7; white-space: normal; vertical-align: bottom; }
li { margin: .15rem 0; }
"""
Table = tuple[Sequence[str], Sequence[Sequence[object]]]
KEPT = 20  # problems shown


def stream_page(title: str, what: str, traces: Sequence[Trace], strategy: Strategy, words: Sequence[str]) -> str:
    """The page of one or more runs over a stream; `words` are lines about the last questions."""
    measures = {trace.strategy: trace.measures() for trace in traces}
    last = traces[-1]
    cards = [(f"{measures[last.strategy][key]:.1f}", f"{key}, {last.strategy}") for key in ("T9P", "macro recall")]
    cards += [(f"{sum(t.delivered for t in last.tallies):,}", "delivered")]
    cards += [(f"{sum(t.asked for t in last.tallies):,}", "asked about")]
    compared: Table = (
        ["strategy", *next(iter(measures.values()))],
        [[name, *(_number(value) for value in row.values())] for name, row in measures.items()],
    )
    topics: Table = (
        ["topic", "relevant", "delivered", "of them relevant", "asked", "of them relevant"],
        [
            [t.topic, t.relevant, t.delivered, t.delivered_relevant, t.asked, t.asked_relevant]
            for t in sorted(last.tallies, key=lambda t: -t.r_plus)
        ],
    )
    parts = [_cards(cards), "<h2>Measures</h2>", _table(compared), "<h2>Along the stream</h2>"]
    parts += [_figures(stream_plots(traces, strategy)), f"<h2>Topics, {escape(last.strategy)}</h2>", _table(topics)]
    if words:
        parts += ["<h2>The last documents shown, and why</h2>", _list(words)]
    problems = [problem for trace in traces for problem in trace.problems]
    if problems:
        parts += [f"<h2>Problems ({sum(trace.n_problems for trace in traces)})</h2>", _list(problems[:KEPT])]
    return _page(title, what, parts)


def pool_page(title: str, what: str, screening: Screening, stop: int) -> str:
    """The page of a screened pool; the estimate is that after `stop` documents."""
    n, found = screening.relevant.size, int(screening.relevant[:stop].sum())
    estimate = screening.remaining(stop)
    cards = [
        (f"{100 * screening.atd:.1f} %", "average time to discovery"),
        (f"{screening.wss:.2f}", "WSS@95"),
        (f"{found} of {int(screening.relevant.sum())}", f"found after {stop} of {n}"),
        (f"{estimate.mean:.1f} ({estimate.low} to {estimate.high})", f"thought unread after {stop}, 95 %"),
    ]
    return _page(title, what, [_cards(cards), "<h2>Along the reading</h2>", _figures(pool_plots(screening))])


def _page(title: str, what: str, parts: Sequence[str]) -> str:
    head = '<meta charset="utf-8"><meta name="generator" content="bayesift">'
    head += f'<meta name="viewport" content="width=device-width"><title>{escape(title)}</title>'
    body = f'<h1>{escape(title)}</h1><p class="what">{escape(what)}</p>' + "\n".join(parts)
    head += f"<style>{CSS}</style>"
    return f'<!doctype html>\n<html lang="en"><head>{head}</head><body><main>{body}</main></body></html>\n'


def _cards(cards: Sequence[tuple[str, str]]) -> str:
    texts = [f"<b>{escape(value)}</b><span>{escape(name)}</span>" for value, name in cards]
    inner = "".join(f'<div class="card">{text}</div>' for text in texts)
    return f'<div class="cards">{inner}</div>'


def _figures(plots: Sequence[tuple[str, str]]) -> str:
    inner = "".join(f"<figure><figcaption>{escape(caption)}</figcaption>{svg}</figure>" for caption, svg in plots)
    return f'<div class="plots">{inner}</div>'


def _table(table: Table) -> str:
    head, rows = table
    lines = ["".join(f"<th>{escape(str(cell))}</th>" for cell in head)]
    lines += ["".join(f"<td>{escape(str(cell))}</td>" for cell in row) for row in rows]
    return '<div class="scroll"><table>' + "".join(f"<tr>{line}</tr>" for line in lines) + "</table></div>"


def _list(items: Sequence[str]) -> str:
    return "<ul>" + "".join(f"<li>{escape(item)}</li>" for item in items) + "</ul>"


def _number(value: float) -> str:
    return "" if value != value else f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"


def write_page(path: Path, page: str) -> None:
    """Write the page whole or not at all."""
    from bayesift.files import write_whole

    with write_whole(path) as out:
        out.write(page.encode())
