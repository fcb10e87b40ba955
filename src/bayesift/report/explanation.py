"""Explanations as coloured text for a terminal, and as a page."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from bayesift.classify import Explanation
from bayesift.classify.explanation import SHOWN, Explanations, bar
from bayesift.classify.explanation_html import document_html
from bayesift.display import section
from bayesift.report.page import Page
from bayesift.terminal import one_line, printable

if TYPE_CHECKING:
    from rich.console import Group
    from rich.text import Text

STRONG = 0.4  # share of the largest contribution from which a word is bold


def terminal(explanations: Sequence[Explanation], shown: int = SHOWN) -> Group:
    """Return the explanations of one document as coloured text; the document comes once, coloured for the first label.

    Words that raise the score are green, words that lower it red and underlined.
    """
    from rich.console import Group
    from rich.text import Text

    lines: list[Any] = [_coloured(explanations[0])]
    for entry in explanations:
        lines += [Text(printable(entry.headline), style="bold"), _table(entry, shown)]
        if entry.missing:
            missing = ", ".join(f"{part.name} ({part.amount})" for part in entry.missing)
            lines.append(Text(printable(f"missing, would add: {missing}")))
        lines.append("")
    return Group(*lines)


def _coloured(explanation: Explanation) -> Text:
    from rich.text import Text

    text = Text()
    for _, parts in explanation.shown():
        for part in parts:
            share = explanation.strength(part.amount)
            colour = "green" if part.amount > 0 else "red underline"
            style = "" if not share else f"bold {colour}" if share > STRONG else colour
            text.append(printable(part.text), style=style)
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
        table.add_row(Text(one_line(part.name), style="bold" if part is parts[-1] else ""), part.amount, drawn)
    return table


def explanation_page(explanations: Explanations, shown: int = SHOWN) -> Page:
    """Return a page of explanations, one section per document."""
    how = "Blue words raise the label's score, orange dotted words lower it. ± is one standard deviation."
    page = Page("Why these labels", how)
    for entries in explanations.by_document():
        page.sections.append(section(f"Document {entries[0].name}", "", document_html(entries, shown)))
    return page
