"""Decisions that a reference file already holds.

- ASReview: a column `asreview_label`, or a note `ASReview_relevant`, `ASReview_irrelevant` or `ASReview_not_seen`,
  with the time, note and tags beside it.
- Rayyan: a note `RAYYAN-INCLUSION: {"Ann"=>"Included"} | RAYYAN-LABELS: a,b | RAYYAN-EXCLUSION-REASONS: c`.
- Covidence: a note `Exclusion reason: c`.
- A tag or keyword `included`, `excluded`, `maybe`, `excluded: c`, or one of ASReview's words.
- Any table: a column `included`, `label_included` and the like, with 1 or 0, yes or no, include or exclude.
- This library: a note or column `bayesift_decisions`, JSON. Where it is present, only ASReview's label counts beside
  it, and that only if it differs: the record was judged again in ASReview.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from html import unescape

import msgspec

from bayesift.filtering.screening.records.record import DECISIONS, LISTS, Given

TOKENS = {"include": "ASReview_relevant", "exclude": "ASReview_irrelevant", None: "ASReview_not_seen"}
OWN = "bayesift_decisions"
_BY_TOKEN = {token: decision for decision, token in TOKENS.items()}
_WORDS = {
    "include": ("1", "yes", "y", "true", "include", "included", "relevant", "accept", "accepted", "in"),
    "exclude": (
        "0",
        "no",
        "n",
        "false",
        "exclude",
        "excluded",
        "irrelevant",
        "not relevant",
        "reject",
        "rejected",
        "out",
    ),
    "maybe": ("maybe", "unsure", "undecided", "unclear", "?"),
}
_NO_DECISION = ("", "-1", "-", "nan", "na", "n/a", "none", "null", "not seen", "unlabelled", "unlabeled")
_BY_WORD = {word: decision for decision, words in _WORDS.items() for word in words}
_BY_TAG = {word: _BY_WORD[word] for word in ("include", "included", "exclude", "excluded", "maybe")}
_BY_TAG |= {token.lower(): decision for token, decision in _BY_TOKEN.items() if decision}
_PARAGRAPH = re.compile(r"^\s*<p>|</p>\s*$")  # Zotero's notes are HTML
_RAYYAN = re.compile(r"(?:^|[|\s])(RAYYAN-INCLUSION|RAYYAN-LABELS|RAYYAN-EXCLUSION-REASONS|USER-NOTES):")
_PAIR = re.compile(r'"([^"]{0,200})"\s*=>\s*(?:"([^"]{0,2000})"|\[([^\]]{0,2000})\])')
_REASON = re.compile(r"exclusion reason:\s*([^;|]+)", re.IGNORECASE)


def decision_of(cell: str) -> str | None:
    """Return the decision that a label stands for; None if the cell is empty or stands for none.

    >>> decision_of("1"), decision_of("Excluded"), decision_of("1.0"), decision_of("")
    ('include', 'exclude', 'include', None)
    """
    return _BY_WORD.get(_plain(cell))


def is_understood(cell: str) -> bool:
    """Return whether a label stands for a decision, or for none.

    >>> is_understood("yes"), is_understood(""), is_understood("-1"), is_understood("perhaps later")
    (True, True, True, False)
    """
    return _plain(cell) in _BY_WORD or _plain(cell) in _NO_DECISION


def _plain(cell: str) -> str:
    return cell.strip().lower().removesuffix(".0")


def label_of(decisions: Iterable[Given]) -> str | None:
    """Return the record's decision for a single label: that of the last list in which it has one.

    Reviewers who differ, "maybe" and no decision at all are None.

    >>> label_of([Given("abstract", "include", "ann"), Given("full-text", "exclude", "ann")])
    'exclude'
    >>> label_of([Given("abstract", "include", "ann"), Given("abstract", "exclude", "bob")])
    """
    decisions = tuple(decisions)
    for name in reversed(LISTS):
        there = [one for one in decisions if one.list == name]
        if there:
            chosen = {one.decision for one in [one for one in there if one.settled][-1:] or there}
            return chosen.pop() if len(chosen) == 1 and chosen <= {"include", "exclude"} else None
    return None


def from_notes(notes: Sequence[str]) -> tuple[tuple[Given, ...], tuple[str, ...]]:
    """Return the decisions that are written in notes, and the notes without ASReview's tokens and our own.

    >>> from_notes(["ASReview_relevant", "asreview_note: \\"large trial\\"", "from the thesis"])
    ((Given(list='abstract', decision='include', reviewer='ASReview', note='large trial'),),
     ('asreview_note: "large trial"', 'from the thesis'))
    """
    own: tuple[Given, ...] | None = None
    label, seen = None, False
    others: list[str] = []
    for note in notes:
        bare = bare_note(note)
        if bare in _BY_TOKEN:
            label, seen = (label, seen) if seen else (_BY_TOKEN[bare], True)
        elif bare.startswith(f"{OWN}:"):
            own = read_decisions(bare.partition(":")[2])
        else:
            others.append(note)
    details = dict(_details(note) for note in others if note.startswith("asreview_"))
    if own is not None:
        return with_label(own, label, details), tuple(others)
    rest = tuple(found for note in others for found in from_free_text(note))
    return _of_asreview(label, details) + rest, tuple(others)


def bare_note(note: str) -> str:
    """Return a note without the HTML into which Zotero puts it.

    >>> bare_note("<p>bayesift_decisions: [{&quot;list&quot;:1}]</p>")
    'bayesift_decisions: [{"list":1}]'
    """
    inner = _PARAGRAPH.sub("", note)
    return (inner if len(inner) == len(note) else unescape(inner)).strip()


def with_label(own: tuple[Given, ...], label: str | None, details: dict[str, str]) -> tuple[Given, ...]:
    """Return our own decisions, and ASReview's label after them if it says something else."""
    return own if label is None or label == label_of(own) else own + _of_asreview(label, details)


def read_decisions(text: str) -> tuple[Given, ...] | None:
    """Return the decisions of our own field; None if it is not one."""
    try:
        found = msgspec.json.decode(text, type=tuple[Given, ...])
    except (msgspec.DecodeError, RecursionError):
        return None
    return tuple(one for one in found if one.list in LISTS and one.decision in DECISIONS)


def written_decisions(decisions: Iterable[Given]) -> str:
    """Return decisions as JSON on one line."""
    return msgspec.json.encode(tuple(decisions)).decode()


def from_label(cell: str, details: dict[str, str], reviewer: str = "") -> tuple[Given, ...]:
    """Return the decision of a label column; `details` are ASReview's `time`, `note`, `user_name` and tags."""
    decision = decision_of(cell)
    return () if decision is None else (_given(decision, details, reviewer),)


def from_free_text(note: str, tags: tuple[str, ...] = ()) -> tuple[Given, ...]:
    """Return the decisions within a note of Rayyan or Covidence; `tags` are those of the record.

    >>> from_free_text('RAYYAN-INCLUSION: {"Ann"=>"Excluded"} | RAYYAN-EXCLUSION-REASONS: wrong population')
    (Given(list='abstract', decision='exclude', reviewer='Ann', reason='wrong population'),)
    """
    if "RAYYAN-" in note:
        return tuple(_rayyan(note))
    if found := _REASON.search(note):
        excluded = Given("full-text", "exclude", "Covidence", found.group(1).strip(), "", tags)
        return Given("abstract", "include", "Covidence"), excluded  # reasons are asked for full texts, of included ones
    return ()


def from_tags(tags: Iterable[str]) -> tuple[Given, ...]:
    """Return the decision that one of the tags or keywords of a record stands for.

    >>> from_tags(["pilot", "Excluded: wrong population"])
    (Given(list='abstract', decision='exclude', reason='wrong population'),)
    """
    for tag in tags:
        word, _, reason = tag.partition(":")
        decision = _BY_TAG.get(word.strip().lower())
        if decision is not None and (not reason or decision == "exclude"):
            return (Given("abstract", decision, "", reason.strip()),)
    return ()


def _rayyan(note: str) -> Iterator[Given]:
    parts = _RAYYAN.split(note)
    values = {name: value.strip().rstrip("|").strip() for name, value in zip(parts[1::2], parts[2::2])}
    tags, reasons = _listed(values.get("RAYYAN-LABELS", "")), _listed(values.get("RAYYAN-EXCLUSION-REASONS", ""))
    notes = {who: several.strip('" ') for who, _, several in _PAIR.findall(values.get("USER-NOTES", ""))}
    for who, word, _ in _PAIR.findall(values.get("RAYYAN-INCLUSION", "")):
        decision, said = decision_of(word), notes.get(who, "")
        if decision == "exclude":  # with one reason, so that a flow diagram can count it
            more = f"further reasons: {', '.join(reasons[1:])}" if len(reasons) > 1 else ""
            yield Given("abstract", decision, who, "".join(reasons[:1]), "; ".join(filter(None, (said, more))), tags)
        elif decision is not None:
            yield Given("abstract", decision, who, "", said, tags)


def _listed(text: str) -> tuple[str, ...]:
    return tuple(found for part in text.split(",") if (found := part.strip()))


def _details(note: str) -> tuple[str, str]:
    """Return name and value of one of ASReview's notes, `asreview_time: 1700000000.0`."""
    name, _, value = note.removeprefix("asreview_").partition(":")
    return name, value.strip().strip('"')


def _of_asreview(label: str | None, details: dict[str, str]) -> tuple[Given, ...]:
    return () if label is None else (_given(label, details, "ASReview"),)


def _given(decision: str, details: dict[str, str], reviewer: str) -> Given:
    tags = tuple(name[4:] for name, on in details.items() if name.startswith("tag_") and decision_of(on) == "include")
    who = details.get("user_name", "") or reviewer
    return Given("abstract", decision, who, "", details.get("note", ""), tags, _time(details.get("time", "")))


def _time(text: str) -> str:
    """Return a time in ISO 8601; ASReview writes seconds since 1970, or date and time of day without a zone, in UTC."""
    try:
        seconds = float(text)
        return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="seconds")
    except (ValueError, OverflowError, OSError):
        pass
    try:
        found = datetime.fromisoformat(text)
        return (found if found.tzinfo else found.replace(tzinfo=UTC)).isoformat()
    except ValueError:
        return ""
