"""One document of a review on the screen: what is believed of it, its text with the words that matter, and the keys."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from rich.console import Console, Group
from rich.rule import Rule
from rich.text import Text

from bayesift.terminal import one_line, printable
from bayesift.text.markup import strip_markup

if TYPE_CHECKING:
    from bayesift.filtering.items import Item
    from bayesift.filtering.store import StoredDocument
    from bayesift.text.spelling import Speller

FOR, AGAINST = "bold green", "italic red"
KEYS = (("y", "relevant"), ("n", "not relevant"), ("s", "skip"), ("u", "undo"), ("space", "more text"), ("q", "quit"))
WORDS, LEAST = 8, 0.05  # words shown at most, and what the least of them adds, in shares of the first


def head_of(topic: str, judged: int, waiting: int, item: Item) -> list[Text]:
    """Return the lines above the text: progress, belief, and the words that matter."""
    progress = Text.assemble((one_line(topic), "bold"), f"   {judged} of {judged + waiting} answered")
    low, high = item.interval
    why = "asked, because the answer helps" if item.origin == "asked" else item.origin
    belief = Text(f"probability {item.probability:.2f} ({low:.2f} to {high:.2f}), {why}")
    words = Text("words: ") if item.why else Text("none of its words is known")
    for i, (word, amount) in enumerate(_telling(item)[:WORDS]):
        words.append(", " if i else "")
        words.append(one_line(word), FOR if amount > 0 else AGAINST)
        words.append(f" {amount:+.2f}")
    return [progress, belief, words]


def _telling(item: Item) -> list[tuple[str, float]]:
    """Return the words that matter: many add next to nothing."""
    least = LEAST * max((abs(amount) for _, amount in item.why), default=0.0)
    return [(word, amount) for word, amount in item.why if abs(amount) >= least]


def text_of(item: Item, document: StoredDocument | None, speller: Speller) -> list[Text]:
    """Return the document, each word that matters in its colour."""
    terms = {term: amount for word, amount in _telling(item) for piece in speller.pieces(word) for term in piece.terms}
    if document is None or document.expired:
        return [Text(one_line(item.title), "bold"), Text("its text has expired", "dim")]
    about = [part for part in (document.id, document.date, document.source, document.url) if part]
    lines = [_marked(document.title, terms, speller, "bold")] if document.title else []
    lines.append(Text("  ".join(one_line(part) for part in dict.fromkeys(about)), "dim"))
    return [*lines, Text(), *_marked(document.body, terms, speller).split("\n")]


def _marked(text: str, terms: dict[str, float], speller: Speller, style: str = "") -> Text:
    found = Text(style=style)
    for piece in speller.pieces(strip_markup(text)):
        amount = sum(terms.get(term, 0.0) for term in piece.terms)
        found.append(printable(piece.text).expandtabs(4), FOR if amount > 0 else AGAINST if amount < 0 else "")
    return found


def page_of(
    console: Console, head: list[Text], text: list[Text], top: int, message: str,
    meanings: Sequence[tuple[str, str]] = KEYS, share: float = 1.0,
) -> tuple[Group, int]:  # fmt: skip
    """Return what fills the screen, beginning at a line of the text, and the line at which the next screen begins.

    The next screen begins at 0 if the text ends on this one. `share` is the part of the height that the head may have.
    """
    width, height = console.size
    wrapped = [line for part in text for line in part.wrap(console, max(width - 1, 10))]
    foot = [*([Text(one_line(message), "yellow")] if message else []), *_key_lines(meanings, max(width - 1, 10))]
    above = [line for part in head for line in part.wrap(console, max(width - 1, 10))]
    above = above[: max(round(share * height), 1)]
    room = max(height - len(above) - len(foot) - 2, 1)
    body: list[Any] = wrapped[top : top + room]
    end = top + room if top + room < len(wrapped) else 0
    more = f"{min(top + room, len(wrapped))} of {len(wrapped)} lines" if end or top else ""
    fill = [Text()] * (room - len(body))
    return Group(*above, Rule(style="dim"), *body, *fill, Rule(more, style="dim"), *foot), end


def _key_lines(meanings: Sequence[tuple[str, str]], width: int) -> list[Text]:
    """Return the keys and their meanings, in as many lines as they need; a line never ends within one."""
    lines = [Text()]
    for key, meaning in meanings:
        part = Text.assemble((f" {key} ", "reverse"), " ", meaning)
        part.truncate(width, overflow="ellipsis")
        if lines[-1] and lines[-1].cell_len + 2 + part.cell_len > width:
            lines.append(Text())
        lines[-1].append("  " if lines[-1] else "").append_text(part)
    return lines
