"""Topics from a cold start: one table per stream and start, systems in rows."""

from __future__ import annotations

from collections.abc import Iterable

from bayesift.experiments.layout import Layout, Line, lines

STREAMS = {"arxiv": "arXiv 2025", "ohsumed91": "OHSUMED-91", "reuters21578": "Reuters-21578"}
STARTS = ("2 examples", "statement", "2 examples and statement")
SYSTEMS = (
    "Pptron+rel", "Pptron+rel+ig", "Diagonal+rel+target", "Rocchio", "GP target", "GP t9p",
    "GP daily",
)  # fmt: skip
MEASURES = (
    Line("T9P", metric="T9P", digits=1),
    Line("scaled utility", metric="scaled utility", digits=3),
    Line("precision, %", metric="precision", digits=1),
    Line("recall, %", metric="recall", digits=1),
    Line("shown", metric="shown", digits=0),
    Line("silent topics", metric="silent topics", digits=0),
)
WHOLE = tuple(Line(how, setting=f"arxiv whole, {how}") for how in ("2 examples and statement", "all examples"))



def _tables(streams: Iterable[str]) -> list[Layout]:
    """Return one table per stream and start, and the one of all that follows the first fifth of arXiv."""
    each = [
        Layout(f"{STREAMS[name]}, from {how}", lines("system", SYSTEMS), MEASURES, Line("", setting=f"{name}, {how}"))
        for name in streams
        for how in STARTS
    ]
    title = "arXiv 2025, all that follows the first fifth: T9P"
    return [*each, Layout(title, lines("system", SYSTEMS), WHOLE, Line("", metric="T9P"), digits=1)]


LAYOUTS: dict[str, list[Layout]] = {"cold-start": _tables(STREAMS), "cold-start-minilm": _tables(["arxiv"])}
