"""An explanation as coloured text for a terminal, and as HTML."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import TYPE_CHECKING, Any

from bayesift.classify import Contribution, Explanation, TextClassifier
from bayesift.report.highlight import pieces, strength, zones_of
from bayesift.report.page import Page
from bayesift.terminal import printable

if TYPE_CHECKING:
    from rich.console import Group

LONGEST = 1500  # characters of a document that are shown
SHOWN = 12  # words in the table
COLOURED = 200  # words that a page needs to know, to colour them in the text
FAINT = 0.06  # weaker contributions are not coloured


def headline(explanation: Explanation) -> str:
    """One line: label, decision, probability and what it was compared with.

    >>> part = Contribution("total", 1.0, 0.5)
    >>> headline(Explanation(0, "grain", True, 0.9, 0.4, "field", part, part, (), part, (), 0.05))
    'grain: given, p = 0.900 (given above 0.400; 5.0 % of the documents learned have it)'
    """
    above = "" if explanation.threshold is None else f"given above {explanation.threshold:.3f}; "
    share = f"{100 * explanation.base_rate:.1f} % of the documents learned have it"
    given = "given" if explanation.given else "not given"
    return f"{explanation.label}: {given}, p = {explanation.probability:.3f} ({above}{share})"


def amounts(explanation: Explanation, shown: int = SHOWN) -> list[tuple[str, Contribution]]:
    """The rows of an explanation: what each part adds, up to the whole."""
    rows = [("word", part) for part in explanation.words[:shown]]
    rest = explanation.words[shown:]
    sd = None if explanation.others.sd is None else sum((p.sd or 0.0) ** 2 for p in (*rest, explanation.others)) ** 0.5
    others = Contribution("other words", explanation.others.mean + sum(p.mean for p in rest), sd)
    if others.mean or others.sd:
        rows.append(("others", others))
    return [*rows, ("prior", explanation.prior), ("total", explanation.total)]


def _number(part: Contribution) -> str:
    return f"{part.mean:+.3f}" + ("" if part.sd is None else f" ± {part.sd:.3f}")


def terminal(model: TextClassifier, document: Any, explanation: Explanation, shown: int = SHOWN) -> Group:
    """The explanation as coloured text."""
    from rich.console import Group
    from rich.table import Table
    from rich.text import Text

    text = Text()
    for zone, content in zones_of(document).items():
        for piece, value in pieces(model, explanation, zone, content[:LONGEST]):
            share = strength(value, explanation)
            colour = "bold green" if value > 0 else "bold red"
            text.append(printable(piece), style=(colour if share > 0.4 else colour.split()[1]) if share > FAINT else "")
        text.append("\n")
    table = Table("", f"adds to the {explanation.unit}", "", box=None, pad_edge=False)
    rows = amounts(explanation, shown)
    largest = max((abs(part.mean) for _, part in rows), default=1.0) or 1.0
    for kind, part in rows:
        bar = Text("█" * round(24 * abs(part.mean) / largest), style="green" if part.mean > 0 else "red")
        table.add_row(Text(printable(part.term), style="bold" if kind == "total" else ""), _number(part), bar)
    lines: list[Any] = [Text(printable(headline(explanation)), style="bold"), text, table]
    if explanation.missing:
        missing = ", ".join(f"{part.term} ({_number(part)})" for part in explanation.missing)
        lines.append(Text(printable(f"missing, would add: {missing}")))
    return Group(*lines, "")


def explanation_html(model: TextClassifier, document: Any, explanation: Explanation, shown: int = SHOWN) -> str:
    """The explanation as a part of a page."""
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
    rows = amounts(explanation, shown)
    largest = max((abs(part.mean) for _, part in rows), default=1.0) or 1.0
    lines = []
    for kind, part in rows:
        side = "for" if part.mean > 0 else "against"
        style = f"width:{100 * abs(part.mean) / largest:.0f}px;background:rgb(var(--{side}))"
        bar = f'<span class=bar style="{style}"></span>'
        name = f"<b>{escape(part.term)}</b>" if kind == "total" else escape(part.term)
        lines.append(f'<tr><td>{name}</td><td>{_number(part)}</td><td style="text-align:left">{bar}</td></tr>')
    head = f"<tr><th></th><th>adds to the {explanation.unit}</th><th></th></tr>"
    missing = ", ".join(f"{escape(part.term)} ({_number(part)})" for part in explanation.missing)
    return (
        f'<h3>{escape(headline(explanation))}</h3><div class="text">{"".join(body)}</div>'
        f"<div class='scroll parts'><table>{head}{''.join(lines)}</table></div>"
        + (f"<p class=soft>Missing, would add: {missing}.</p>" if missing else "")
    )


def explanation_page(
    model: TextClassifier, documents: Sequence[Any], explanations: Sequence[Explanation], shown: int = SHOWN
) -> Page:
    """A page of explanations."""
    how = "Blue words speak for the label, orange ones against it; ± is one standard deviation."
    page = Page("Why these labels", how)
    for entry in explanations:
        document = documents[entry.document]
        name = getattr(document, "id", str(entry.document))
        page.sections.append(
            f"<section><h2>Document {escape(str(name))}</h2>"
            f'<div class="doc">{explanation_html(model, document, entry, shown)}</div></section>'
        )
    return page
