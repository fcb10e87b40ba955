"""What the pages show, as plain values for the templates: text in the reader's words, addresses, HTML of a text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple
from urllib.parse import quote

from markupsafe import Markup, escape

from bayesift.filtering import TextFilter
from bayesift.filtering.items import Item, beginning
from bayesift.filtering.store.documents import StoredDocument
from bayesift.filtering.store.silence import Silence
from bayesift.service import queries
from bayesift.service.desk import Desk
from bayesift.service.marks import marked
from bayesift.service.queries import Day, Precision, TopicRow

BECAUSE = 6  # words that explain a row
WORDS = 40  # of a topic's page
FORBIDDEN_SD = 0.001  # deviation of a weight that cannot move


@dataclass(frozen=True)
class TopicView:
    """A topic with its addresses and what happened today."""

    number: int
    name: str
    about: str | None
    paused: bool
    per_day: int
    balance: float
    waiting: int
    delivered: int
    asked: int
    judged: int
    found: tuple[float, float] | None
    days: tuple[Day, ...]
    silent: Silence | None = None

    def __getattr__(self, name: str) -> str:
        """Return the address of a page or a form: `inbox`, `page`, `judge` and the others of `ADDRESSES`."""
        if name not in ADDRESSES:
            raise AttributeError(name)
        return f"/topics/{self.number}{ADDRESSES[name]}"

    @cached_property
    def precision(self) -> Precision | None:
        """The share of relevant documents among those that were shown in the last weeks and judged."""
        relevant = sum(day.relevant for day in self.days)
        return queries.precision_of(relevant, relevant + sum(day.irrelevant for day in self.days))

    @cached_property
    def sparkline(self) -> Markup:
        """The documents shown per day, as a small chart."""
        return sparkline(queries.all_days(self.days))

    @property
    def shown_today(self) -> int:
        """Documents delivered and asked today."""
        return self.delivered + self.asked


ADDRESSES = {
    "page": "", "inbox": "/inbox", "feed": "/feed.atom", "judge": "/judge", "undo": "/undo", "words": "/words",
    "revise": "/revise", "webhook": "/webhook", "settings": "/settings", "pause": "/pause",
    "export": "/export.json", "delete": "/delete",
}  # fmt: skip


class TopicFacts(NamedTuple):
    """A topic at one moment: statement and settings, an interval of the share found, and how many wait."""

    about: str | None
    per_day: int
    balance: float
    found: tuple[float, float] | None
    waiting: int
    judged: int


def topic_facts(own: TextFilter, name: str, waiting: int) -> TopicFacts:
    """Return the facts of a topic by its filter; the interval is None if it is too wide to say something."""
    info, estimate = own.topic_info(name), own.estimates(name)
    found = estimate.recall_interval if estimate.is_known else None
    return TopicFacts(info.about, int(info.per_day), info.balance, found, waiting, info.relevant + info.irrelevant)


def topic_view(
    topic: TopicRow, facts: TopicFacts, days: Sequence[Day], silent: Silence | None = None
) -> TopicView:
    """Return a topic as the pages show it; an inbox needs nothing but the last day."""
    today = queries.today_of(days)
    return TopicView(
        topic.number, topic.name, facts.about, topic.paused, facts.per_day, facts.balance, facts.waiting,
        today.delivered, today.asked, facts.judged, facts.found, tuple(days), silent,
    )  # fmt: skip


def words_view(desk: Desk, name: str, chosen: dict[str, tuple[float, float]] | None = None) -> list[dict[str, Any]]:
    """Return the words of a topic with their weights; `chosen` are words as they would be set."""
    with desk.workspace.using(name) as own:
        given = own.words(name) if chosen is None else chosen
        strongest = own.topic_words(name, WORDS)
    found = [
        {"word": word, "mean": mean, "sd": sd, "set": by_hand, "given": None, "forbidden": False}
        for word, mean, sd, by_hand in strongest
    ]  # fmt: skip
    known = {row["word"] for row in found}
    found += [
        {"word": word, "mean": mean, "sd": sd, "set": True, "given": None, "forbidden": False}
        for word, (mean, sd) in given.items() if word not in known
    ]  # fmt: skip
    for row in found:
        if row["word"] in given:
            mean, sd = given[row["word"]]
            row["forbidden"] = sd <= FORBIDDEN_SD
            row["given"] = None if row["forbidden"] else mean
    return found


def sparkline(days: Sequence[Day]) -> Markup:
    """Return the documents shown per day as small bars, the relevant ones filled."""
    largest = max(1, *(day.delivered + day.asked for day in days))
    width, parts = 100 / len(days), []
    for i, day in enumerate(days):
        for count, colour in ((day.delivered + day.asked, "--line"), (day.relevant, "--c1")):
            height = 38 * count / largest
            if count:
                parts.append(
                    f'<rect x="{i * width + 0.4:.2f}" y="{40 - height:.2f}" width="{width - 0.8:.2f}" '
                    f'height="{height:.2f}" fill="var({colour})"/>'
                )
    shown, relevant = sum(day.delivered + day.asked for day in days), sum(day.relevant for day in days)
    label = f"{shown} documents shown in {len(days)} days, {relevant} of them relevant"
    base = '<rect x="0" y="39.2" width="100" height=".8" fill="var(--line)"/>'
    return Markup(
        f'<svg class="spark" viewBox="0 0 100 40" preserveAspectRatio="none" role="img" aria-label="{label}">'
        f"<title>{label}</title>{base}{''.join(parts)}</svg>"
    )


@dataclass(frozen=True)
class DocumentView:
    """A document that waits for an answer, with its text."""

    document: str
    kind: str
    probability: float
    range: str
    facts: tuple[str, ...]
    url: str | None
    title_html: Markup
    body_html: Markup
    judge: str
    next: str | None
    why: tuple[tuple[str, float], ...]


def document_view(item: Item, stored: StoredDocument | None, topic: TopicView, following: str | None) -> DocumentView:
    """Return a waiting document as the inbox shows it."""
    amounts = dict(item.why)
    title = stored.title if stored and stored.title else item.title or item.document
    origin = stored.source if stored else None
    facts = tuple(fact for fact in (asked_because(item, topic), item.date, origin) if fact)
    return DocumentView(
        item.document, item.source or item.kind, item.probability, interval(item), facts,
        web_address(stored.url if stored else None), marked(title, amounts),
        marked(text_of(stored), amounts), topic.judge, following, item.why,
    )  # fmt: skip


def text_of(stored: StoredDocument | None) -> str:
    """Return the text of a document, or a sentence that says why there is none."""
    if stored is None or stored.expired:
        return "The text of this document has expired."
    return stored.body or ("This document has only a title." if stored.title else "This document came without text.")


def asked_because(item: Item, topic: TopicView) -> str:
    """Return why a document is asked about and how much of the day is used, or nothing for one that was delivered."""
    today = f"; {topic.shown_today} of today's {topic.per_day}" if topic.shown_today <= topic.per_day else ""
    if item.source == "random":
        return f"drawn at random, to estimate what is missed{today}"
    return f"would teach {item.gain:.2f} bits{today}" if item.source == "asked" else ""


def row_view(item: Item, stored: StoredDocument, **more: Any) -> dict[str, Any]:
    """Return a document of a list, as one topic sees it."""
    return {
        "document": stored.id, "title": title_of(stored), "date": stored.date, "source": stored.source,
        "probability": item.probability, "range": interval(item), "because": because(item), "why": item.why,
        "address": document_address(stored.id), "anchor": f"d{stored.number}", **more,
    }  # fmt: skip


def document_address(id: str) -> str:
    """Return the address of a document's page; a browser leaves `.` and `..` out of a path, so they are in the query.

    >>> document_address("a/b"), document_address("..")
    ('/documents/a%2Fb', '/documents/?id=..')
    """
    return f"/documents/?id={id}" if id in (".", "..") else f"/documents/{quote(id, safe='')}"


def title_of(stored: StoredDocument) -> str:
    """Return a title, or the beginning of the text, or the id."""
    return beginning(stored.document()) or stored.id


def because(item: Item) -> Markup:
    """Return the words that count most, for and against; each is kept apart from its number in any script."""
    if not item.why:
        return Markup("no word of the topic")
    return Markup(", ").join(
        Markup("<bdi>{}</bdi> <bdi>{:+.2f}</bdi>").format(word, amount) for word, amount in item.why[:BECAUSE]
    )


def interval(item: Item) -> str:
    """Return the interval of a probability in words."""
    low, high = item.interval
    return f"{100 * low:.0f} to {100 * high:.0f} %"


def percent(share: float) -> str:
    """Return a share in per cent.

    >>> percent(0.123), percent(0.004), percent(0.9996)
    ('12 %', '<1 %', '>99 %')
    """
    if 0 < share < 0.005:
        return "<1 %"
    return ">99 %" if 0.995 < share < 1 else f"{100 * share:.0f} %"


def when(time: str | None) -> str:
    """Return a time in UTC to the minute; nothing for no time.

    >>> when("2026-11-17T04:01:38+00:00"), when(None)
    ('2026-11-17 04:01', '')
    """
    return (time or "")[:16].replace("T", " ")


def with_code(text: str) -> Markup:
    """Return a text as HTML, with code for what stands between backticks.

    >>> with_code("<give> `name`")
    Markup('&lt;give&gt; <code>name</code>')
    """
    parts = [escape(part) for part in text.split("`")]
    return Markup("").join(Markup("<code>{}</code>").format(p) if i % 2 else p for i, p in enumerate(parts))


def number(count: int) -> str:
    """Return a number with separators of thousands."""
    return f"{count:,}"


def web_address(url: str | None) -> str | None:
    """Return an address that a page may link to: http and https only."""
    return url if url and url.lower().startswith(("http://", "https://")) else None
