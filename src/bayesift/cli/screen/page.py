"""One record of a review on the screen: progress, what is believed of it, its text with the words that matter, keys."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.text import Text

from bayesift.cli.filter.page import AGAINST, FOR
from bayesift.terminal import one_line, printable

if TYPE_CHECKING:
    from bayesift.filtering.screening.store.settings import ReviewSettings
    from bayesift.filtering.screening.store.views import Progress, ToRead
    from bayesift.text.spelling import Speller

KEYS = (
    ("a", "include"), ("x", "exclude"), ("m", "maybe"), ("n", "note"), ("t", "tags"), ("u", "undo"), ("c", "criteria"),
    ("space", "more text"), ("q", "quit"),
)  # fmt: skip
ON_KEYS = 9  # reasons with a key
CLOSE = (("any key", "back to the record"),)
WHY = {"random": "drawn at random, for the stopping rule", "ranked": "next by rank", "other": "not ranked"}


def head_of(progress: Progress, item: ToRead, note: str, tags: tuple[str, ...]) -> list[Text]:
    """Return the lines above the text."""
    counts = f"   {progress.read:,} of {progress.records:,} read, {progress.included:,} included"
    if progress.waiting or progress.conflicts:
        counts += f", {progress.waiting:,} wait, {progress.conflicts:,} in conflict"
    lines = [Text.assemble((progress.list, "bold"), counts, f"   by you {progress.mine:,}")]
    belief = "" if item.probability is None else f"probability {item.probability:.2f}, "
    lines.append(Text(f"{belief}{WHY.get(item.source, item.source)}"))
    said = [f"note: {note}"] if note else []
    said += [f"tags: {', '.join(tags)}"] if tags else []
    if item.mine is not None:
        said.append(f"you said {item.mine.decision}")
    lines += [Text(one_line("   ".join(said)), "yellow")] if said else []
    left = progress.remaining
    if left is not None and progress.unread:
        lines.append(Text(f"estimated unread and relevant: {left.mean:.1f} ({left.low:,} to {left.high:,})", "dim"))
    if progress.stopping is not None:  # last, since a small terminal cuts it
        lines.append(Text(one_line(progress.stopping.sentence), "green" if progress.stopping.stop else "dim"))
    return lines


def text_of(item: ToRead, speller: Speller) -> list[Text]:
    """Return the record, each word that matters in its colour."""
    record = item.record
    terms = dict.fromkeys(item.words_for, 1.0) | dict.fromkeys(item.words_against, -1.0)
    about = [", ".join(record.authors[:6]), record.journal, str(record.year or ""), record.doi, record.id]
    lines = [
        _marked(record.title or "(no title)", terms, speller, "bold"),
        Text("  ".join(one_line(part) for part in about if part), "dim"),
        Text(),
        *(_marked(record.abstract, terms, speller).split("\n") if record.abstract else [Text("no abstract", "dim")]),
    ]
    if record.keywords:
        lines += [Text(), Text(one_line("keywords: " + "; ".join(record.keywords)), "dim")]
    return lines


def keys_of(settings: ReviewSettings) -> list[tuple[str, str]]:
    """Return what keys mean; each of the first reasons for exclusion has one."""
    reasons = [(str(i), one_line(reason)) for i, reason in enumerate(settings.reasons[:ON_KEYS], 1)]
    return [*KEYS[:2], *reasons, *KEYS[2:]]


def criteria_of(settings: ReviewSettings) -> list[Text]:
    """Return the question and the criteria."""
    text = settings.criteria or "no criteria are set: bayesift screen set --criteria FILE"
    return [Text(one_line(settings.question), "bold"), Text(), *Text(printable(text)).split("\n")]


def _marked(text: str, terms: dict[str, float], speller: Speller, style: str = "") -> Text:
    found = Text(style=style)
    pieces = speller.pieces(text)
    for piece, amount in zip(pieces, speller.amounts(pieces, terms)):
        found.append(printable(piece.text).expandtabs(4), FOR if amount > 0 else AGAINST if amount < 0 else "")
    return found
