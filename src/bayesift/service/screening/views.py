"""What the pages of a review show, as plain values for the templates."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from urllib.parse import quote, urlencode

from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS

from bayesift.filtering.screening.records import LISTS, Record
from bayesift.filtering.screening.store.views import Progress, Seen, ToRead
from bayesift.service.marks import marked_terms
from bayesift.service.screening.desk import NAMES
from bayesift.service.screening.readable import abstract_of, kind_of, readable
from bayesift.service.views import web_address

AUTHORS = 6  # named before "and others"
WORDS = 6  # that explain a record of a list
SOURCES = {
    "ranked": "most promising of the unread records", "random": "drawn at random, to prove how much is found",
    "date": "newest of the unread records", "chance": "random order", "mine": "you decided it before",
    "other": "waits for your decision",
}  # fmt: skip
STATUS = {
    "unread": "unread", "waiting": "waits for another reviewer", "maybe": "maybe", "conflict": "conflict",
    "include": "included", "exclude": "excluded", "merged": "merged into another record",
}  # fmt: skip
LINKS = (("doi", "https://doi.org/"), ("pmid", "https://pubmed.ncbi.nlm.nih.gov/"))


def address_of(id: str) -> str:
    """Return the page of a record."""
    return f"/records/{quote(id, safe='')}"


def screen_address(list: str, order: str = "ranked", at: str | None = None) -> str:
    """Return the screening page of a list, in an order, at a record.

    >>> screen_address("abstract"), screen_address("full-text", "date", "a b")
    ('/screen/abstract', '/screen/full-text?order=date&at=a+b')
    """
    asked = ({"order": order} if order != "ranked" else {}) | ({"at": at} if at else {})
    return f"/screen/{list}" + (f"?{urlencode(asked)}" if asked else "")


def title_of(record: Record) -> str:
    """Return a title, or the beginning of the abstract, or the id."""
    return " ".join(readable(record.title).split()) or readable(record.abstract)[:100] or record.id


def is_content(term: str) -> bool:
    """Return whether a term has a word that means something by itself.

    >>> is_content("of the"), is_content("of statins"), is_content("x")
    (False, True, False)
    """
    return any(len(word) > 1 and word not in ENGLISH_STOP_WORDS for word in term.split())


def text_view(record: Record, words_for: Sequence[str] = (), words_against: Sequence[str] = ()) -> dict[str, Any]:
    """Return a record with its text marked, its reference, and addresses to look it up."""
    shown_for = [word for word in words_for if is_content(word)]
    shown_against = [word for word in words_against if is_content(word)]
    authors = "; ".join(record.authors[:AUTHORS]) + (" and others" if len(record.authors) > AUTHORS else "")
    links = [(name.upper(), base + quote(value)) for name, base in LINKS if (value := getattr(record, name))]
    if (url := web_address(record.url)) and url not in [link for _, link in links]:
        links.append(("Source", url))
    return {
        "id": record.id, "title": title_of(record), "address": address_of(record.id),
        "title_html": marked_terms(title_of(record), shown_for, shown_against),
        "abstract_html": marked_terms(abstract_of(record.abstract), shown_for, shown_against),
        "keywords_html": marked_terms(", ".join(record.keywords), shown_for, shown_against),
        "reference": [part for part in (authors, record.journal, str(record.year or ""), kind_of(record.kind)) if part],
        "links": links, "file": record.source, "words_for": shown_for, "words_against": shown_against,
    }  # fmt: skip


def reading_view(item: ToRead, order: str, following: ToRead | None) -> dict[str, Any]:
    """Return a record to decide about, what the person said before, and the id of the one that is shown after it."""
    orders = {"date": "date", "random": "chance"}
    why = "mine" if item.mine else orders.get(order, item.source)
    return text_view(item.record, item.words_for, item.words_against) | {
        "probability": item.probability, "why": SOURCES.get(why, ""), "source": item.source, "list": item.list,
        "mine": item.mine, "order": order, "next": following.record.id if following else "",
    }  # fmt: skip


def row_view(seen: Seen, list: str) -> dict[str, Any]:
    """Return a record of a list of records."""
    record, opinions = seen.record, seen.opinions.get(list, ())
    first = record.authors[0] if record.authors else ""
    said = [f"{o.who or 'file'}: {o.decision}" + (f" ({o.reason})" if o.reason else "") for o in opinions]
    tags = sorted({tag for o in opinions for tag in o.tags})
    return {
        "id": record.id, "title": title_of(record), "address": address_of(record.id), "year": record.year,
        "first": first, "journal": record.journal, "status": STATUS[seen.status[list]], "kind": seen.status[list],
        "said": said, "hidden": seen.hidden.get(list, 0), "tags": tags,
        "notes": [o.note for o in opinions if o.note],
    }  # fmt: skip


COUNTS = (
    "list", "records", "read", "included", "excluded", "maybe", "waiting", "conflicts", "unread", "mine", "left",
)  # fmt: skip


def progress_view(progress: Progress) -> dict[str, Any]:
    """Return how far a list has come: counts, the estimate in words, and the stopping rule's state."""
    share = progress.read / progress.records if progress.records else 0.0
    return {name: getattr(progress, name) for name in COUNTS} | {
        "name": NAMES[progress.list], "address": screen_address(progress.list), "share": share,
        "estimate": _estimate(progress), "remaining": progress.remaining, "stopping": _stopping(progress),
    }  # fmt: skip


def _estimate(progress: Progress) -> str:
    left = progress.remaining
    if left is None or not progress.read:
        return ""
    verb = "record is" if round(left.mean) == 1 else "records are"
    return f"about {left.mean:.0f} relevant {verb} unread ({left.low:,} to {left.high:,})"


def _stopping(progress: Progress) -> dict[str, Any] | None:
    state = progress.stopping
    if state is None:
        return None
    return {"stop": state.stop, "sentence": state.sentence.removeprefix("Stop: ")}


LIST_NAMES = [(list, NAMES[list]) for list in LISTS]
