"""An explanation as coloured text for a terminal, and as HTML."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from itertools import groupby
from typing import TYPE_CHECKING, Any

from bayesift.classify import Contribution, Explanation, TextClassifier
from bayesift.classify.explanation import SHOWN, bar
from bayesift.classify.spelling import zones_of
from bayesift.report.highlight import pieces, strength
from bayesift.report.page import Page
from bayesift.terminal import printable

if TYPE_CHECKING:
    from rich.console import Group
    from rich.text import Text

LONGEST = 1500  # characters of a document that are shown
COLOURED = 200  # words that a page needs to know, to colour them in the text
FAINT = 0.06  # weaker contributions are not coloured
HALF = 50  # per cent of the column: the longest bar, on either side of its axis


def terminal(model: TextClassifier, document: Any, explanations: Sequence[Explanation], shown: int = SHOWN) -> Group:
    """Return the explanations of one document as coloured text; its text comes once, coloured for the first label."""
    from rich.console import Group
    from rich.text import Text

    lines: list[Any] = [_coloured(model, document, explanations[0])]
    for entry in explanations:
        lines += [Text(printable(entry.headline), style="bold"), _table(entry, shown)]
        if entry.missing:
            missing = ", ".join(f"{part.name} ({part.amount})" for part in entry.missing)
            lines.append(Text(printable(f"missing, would add: {missing}")))
        lines.append("")
    return Group(*lines)


def _coloured(model: TextClassifier, document: Any, explanation: Explanation) -> Text:
    from rich.text import Text

    text = Text()
    for zone, content in zones_of(document).items():
        for piece, value in pieces(model, explanation, zone, content[:LONGEST]):
            share = strength(value, explanation)
            colour = "bold green" if value > 0 else "bold red"
            text.append(printable(piece), style=(colour if share > 0.4 else colour.split()[1]) if share > FAINT else "")
        text.append("\n")
    return text


def _table(explanation: Explanation, shown: int) -> Any:
    from rich.table import Table
    from rich.text import Text

    table = Table("", f"adds to the {explanation.unit}", "", box=None, pad_edge=False)
    parts = explanation.amounts(shown)
    for part in parts:
        left, axis, right = (side.replace("#", "█").replace("|", "│") for side in bar(part, explanation.largest))
        drawn = Text.assemble((left, "red"), axis, (right, "green"))
        table.add_row(Text(printable(part.name), style="bold" if part is parts[-1] else ""), part.amount, drawn)
    return table


def explanation_html(model: TextClassifier, document: Any, explanation: Explanation, shown: int = SHOWN) -> str:
    """Return the explanation as a part of a page."""
    body = []
    for zone, content in zones_of(document).items():
        words = []
        for piece, value in pieces(model, explanation, zone, content[:LONGEST]):
            share = strength(value, explanation)
            side = "for" if value > 0 else "against"
            style = f'<mark style="background:rgba(var(--{side}),{0.1 + 0.5 * share:.2f})" title="{value:+.3f}">'
            words.append(f"{style}{escape(piece)}</mark>" if share > FAINT else escape(piece))
        cut = " …" if len(content) > LONGEST else ""
        tag = "b" if zone == "title" else "div"
        body.append(f"<{tag}>{''.join(words)}{cut}</{tag}>")
    parts = explanation.amounts(shown)
    lines = [_row(part, explanation.largest, bold=part is parts[-1]) for part in parts]
    head = f"<tr><th></th><th>adds to the {explanation.unit}</th><th>against · for</th></tr>"
    missing = ", ".join(f"{escape(part.name)} ({part.amount})" for part in explanation.missing)
    return (
        f'<h3>{escape(explanation.headline)}</h3><div class="text" tabindex=0>{"".join(body)}</div>'
        f"<div class='scroll parts'><table>{head}{''.join(lines)}</table></div>"
        + (f"<p class=soft>Missing, would add: {missing}.</p>" if missing else "")
    )


def _row(part: Contribution, largest: float, *, bold: bool) -> str:
    width = max(0.5, HALF * abs(part.mean) / largest) if part.mean and not part.is_sum else 0.0
    side, left = ("for", HALF) if part.mean > 0 else ("against", HALF - width)
    drawn = f'<span class=bar style="margin-left:{left:.1f}%;width:{width:.1f}%;background:rgb(var(--{side}))"></span>'
    name = f"<b>{escape(part.name)}</b>" if bold else escape(part.name)
    return f"<tr><td>{name}</td><td>{part.amount}</td><td class=axis>{drawn}</td></tr>"


def explanation_page(
    model: TextClassifier, documents: Sequence[Any], explanations: Sequence[Explanation], shown: int = SHOWN
) -> Page:
    """Return a page of explanations, one section per document."""
    how = "Blue words raise the label's score, orange words lower it; ± is one standard deviation."
    page = Page("Why these labels", how)
    for i, entries in groupby(explanations, lambda entry: entry.document):
        name = getattr(documents[i], "id", str(i))
        parts = [f'<div class="doc">{explanation_html(model, documents[i], entry, shown)}</div>' for entry in entries]
        page.sections.append(f"<section><h2>Document {escape(str(name))}</h2>{''.join(parts)}</section>")
    return page
