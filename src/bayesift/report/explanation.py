"""Explanations as coloured text for a terminal, and as a page."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from bayesift.classify import Explanation
from bayesift.classify.explanation import SHOWN, Explanations
from bayesift.classify.explanation_html import document_html
from bayesift.display import section
from bayesift.report.page import Page
from bayesift.terminal import printable, width

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
        lines.append(Text(f"{entry.would_add}\n"))
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


def _table(explanation: Explanation, shown: int) -> Text:
    from rich.text import Text

    text, lines = Text(no_wrap=True, overflow="ignore"), explanation.lines(shown)
    text.append(f"{'':<{width(lines[0].name)}}  adds to the {explanation.unit}\n", "bold")
    for line in lines:
        left, axis, right = (part.replace("#", "█").replace("|", "│") for part in line[2:])
        text.append(f"{line.name}  {line.amount}  ", "bold" if line is lines[-1] else "")
        text.append(left, "red").append(axis).append(f"{right}\n", "green")
    return text


def explanation_page(explanations: Explanations, shown: int = SHOWN) -> Page:
    """Return a page of explanations, one section per document."""
    how = "Blue words raise the label's score, orange dotted words lower it. ± is one standard deviation."
    page = Page("Why these labels", how)
    for entries in explanations.by_document():
        page.sections.append(section(f"Document {entries[0].name}", "", document_html(entries, shown)))
    return page
