"""The explanations of one document as HTML: its text once, with coloured words, and a table per label.

A word carries one shade per label, as CSS variables; the reader picks the label that colours the text. Words that
raise the label's score are blue; words that lower it are orange with a dotted line below.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from html import escape

from bayesift.classify.explanation import SHOWN, Contribution, Explanation
from bayesift.display import Markup, table_html
from bayesift.display.html import paragraph
from bayesift.display.style import PICKS

HALF = 50  # per cent of the column: the longest bar, on either side of its axis
FAINTEST, STRONGEST = 0.1, 0.6  # opacity of a coloured word


def document_html(explanations: Sequence[Explanation], shown: int = SHOWN) -> Markup:
    """Return the explanations of one document, with at most `shown` words per label."""
    labels = "".join(f"<div>{_label(entry, shown)}</div>" for entry in explanations)
    head = f"{_picker(explanations)}{_text(explanations)}"
    return Markup(f'<div class="doc">{head}<div class="labels">{labels}</div></div>')


def _picker(explanations: Sequence[Explanation]) -> str:
    """Return a choice of the label that colours the text, if there are several."""
    if len(explanations) < 2:
        return ""
    said = "\n".join([explanations[0].name, *(entry.headline for entry in explanations)])
    group = f"label-{sha256(said.encode('utf-8', 'replace')).hexdigest()[:12]}"  # the same page gives the same bytes
    buttons = "".join(
        f'<label><input type="radio" name="{group}" value="{k}"{" checked" if k == 0 else ""}> '
        f"{escape(str(entry.label))}</label>"
        for k, entry in enumerate(explanations[:PICKS])
    )
    return f'<div class="pick"><span class=soft>Words coloured for:</span>{buttons}</div>'


def _text(explanations: Sequence[Explanation]) -> str:
    body = []
    zones = [dict(entry.shown()) for entry in explanations[:PICKS]]
    for zone, parts in zones[0].items():
        others = zip(*(found[zone] for found in zones))
        inner = "".join(
            _word(part.text, [e.amount for e in same], explanations) for part, same in zip(parts, others)
        )
        tag = "b" if zone == "title" else "div"
        body.append(f"<{tag}>{inner}</{tag}>")
    return f'<div class="text" tabindex=0>{"".join(body)}</div>' if body else ""


def _word(text: str, amounts: Sequence[float], explanations: Sequence[Explanation]) -> str:
    shades, notes = [], []
    for k, (amount, entry) in enumerate(zip(amounts, explanations)):
        if share := entry.strength(amount):
            shade = FAINTEST + (STRONGEST - FAINTEST) * share
            shades.append(f"--{'f' if amount > 0 else 'g'}{k}:{shade:.2f}")
            notes.append(f"{amount:+.3f}" if len(amounts) == 1 else f"{entry.label} {amount:+.3f}")
    if not shades:
        return escape(text)
    return f'<mark style="{";".join(shades)}" title="{escape("; ".join(notes))}">{escape(text)}</mark>'


def _label(explanation: Explanation, shown: int) -> str:
    parts = explanation.amounts(shown)
    rows = [_row(part, explanation.largest, bold=part is parts[-1]) for part in parts]
    header = ("word", f"adds to the {explanation.unit}", "− / +")
    missing = ", ".join(f"{part.name} ({part.amount})" for part in explanation.missing)
    table = table_html(header, rows, tall=False, classes=("", "", "axis"), kind="parts")
    more = paragraph(f"Missing, would add: {missing}.") if missing else ""
    return f"<h3>{escape(explanation.headline)}</h3>{table}{more}"


def _row(part: Contribution, largest: float, *, bold: bool) -> list[str]:
    width = max(0.5, HALF * abs(part.mean) / largest) if part.mean and not part.is_sum else 0.0
    side, left = ("for", HALF) if part.mean > 0 else ("against", HALF - width)
    style = f"margin-left:{left:.1f}%;width:{width:.1f}%;background:rgb(var(--{side}))"
    name = Markup(f"<b>{escape(part.name)}</b>") if bold else part.name
    return [name, part.amount, Markup(f'<span class=bar style="{style}"></span>')]
