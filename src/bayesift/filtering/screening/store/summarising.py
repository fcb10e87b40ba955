"""The summary of a review, from which its report is made."""

from __future__ import annotations

import platform
from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np
import sqlalchemy as sa

from bayesift import __version__
from bayesift.filtering.screening.pool_ranker import PoolRanker
from bayesift.filtering.screening.reading import Reading
from bayesift.filtering.screening.remaining import estimate_remaining, is_estimable
from bayesift.filtering.screening.stopping import StoppingRule
from bayesift.filtering.screening.store import log, record_table
from bayesift.filtering.screening.store.agreement import Agreement
from bayesift.filtering.screening.store.events import EXCLUDE, LISTS, Decided, Settled
from bayesift.filtering.screening.store.list_state import CONFLICT, EXCLUDED, IN_DOUBT, INCLUDED, MERGED
from bayesift.filtering.screening.store.reader import has_content
from bayesift.filtering.screening.store.settings import NOT_RETRIEVED
from bayesift.filtering.screening.store.so_far import reading_of
from bayesift.filtering.screening.store.state import State
from bayesift.filtering.screening.summary import AgreementSummary, EstimatePoint, Flow, ListCounts, ReviewSummary

POINTS = 40  # places along the reading at which the rest is estimated
TERMS = 30


def summary_of(
    connection: sa.Connection, state: State, ranker: PoolRanker | None, name: str,
    agreement: Mapping[str, Sequence[Agreement]],
) -> ReviewSummary:  # fmt: skip
    """Return the summary of a review; `agreement` is that of each list."""
    settings = state.settings
    reading = reading_of(state, None if ranker is None else ranker.probabilities())
    rule = StoppingRule(**settings.rule)
    now = rule.state(reading)
    certified = "" if rule.method == "certified" else StoppingRule(rule.recall, rule.certainty).state(reading).sentence
    times = [e.time for _, e in log.after(connection, 0) if isinstance(e, Decided | Settled) and e.time]
    return ReviewSummary(
        name=name, question=settings.question, criteria=settings.criteria, reviewers=tuple(state.people()),
        blind=settings.blind and settings.reviewers > 1, began=min(times, default=""), ended=max(times, default=""),
        flow=_flow(connection, state), relevant=tuple(reading.relevant.tolist()),
        sources=tuple(reading.source.tolist()), estimates=tuple(_estimates(reading)), rule=rule_in_words(rule),
        stopping=now.sentence, stopped=now.stop, certified=certified,
        agreement=tuple(_agreement(found, pair) for found, pairs in agreement.items() for pair in pairs),
        terms=() if ranker is None else tuple(t for t in ranker.terms(3 * TERMS) if has_content(t[0]))[:TERMS],
        ranker="Gaussian-process regression over words and word pairs of title and abstract", seed=settings.seed,
        versions={"bayesift": __version__, "Python": platform.python_version(), "numpy": np.__version__},
        settings={
            "reviewers per record": str(settings.reviewers), "blind": "yes" if settings.blind else "no",
            "reasons for exclusion": "; ".join(settings.reasons), "created": settings.created,
            "created with bayesift": settings.bayesift,
        },
    )  # fmt: skip


def rule_in_words(rule: StoppingRule) -> str:
    """Return a stopping rule in the reviewer's terms.

    >>> rule_in_words(StoppingRule())
    'stop when, with 95 % certainty, at least 95 % of the relevant records are found (certified by random draws)'
    """
    if rule.method == "in-a-row":
        return f"stop when {rule.in_a_row:,} records in a row are not relevant"
    if rule.method == "share":
        return f"stop when {100 * rule.share:g} % of the records are read"
    basis = "certified by random draws" if rule.method == "certified" else "estimated by the model"
    found = f"at least {100 * rule.recall:g} % of the relevant records are found"
    return f"stop when, with {100 * rule.certainty:g} % certainty, {found} ({basis})"


def _flow(connection: sa.Connection, state: State) -> Flow:
    files = Counter(record.file or "records" for record in record_table.all_records(connection))
    unreadable = [place for _, event in state.added for place in event.bad]
    files.update(place.split(": ")[0].rpartition(":")[0] for place in unreadable)
    full_text, missing = _counts(state, LISTS[1])
    return Flow(
        identified=dict(files), duplicates=int((state.lists[LISTS[0]].status == MERGED).sum()),
        unreadable=len(unreadable), abstract=_counts(state, LISTS[0])[0],
        full_text=full_text if full_text.read or missing else None, not_retrieved=missing,
    )  # fmt: skip


def _counts(state: State, name: str) -> tuple[ListCounts, int]:
    """Return the numbers of a list, and how many full texts were not available, which are not among them."""
    status = np.where(state.in_list(name), state.lists[name].status, MERGED)
    reasons = Counter(_reason(state, name, record) for record in np.flatnonzero(status == EXCLUDED).tolist())
    missing = reasons.pop(NOT_RETRIEVED, 0) if name == LISTS[1] else 0
    included, maybe, conflicts = (int((status == code).sum()) for code in (INCLUDED, IN_DOUBT, CONFLICT))
    return ListCounts(included=included, excluded=dict(reasons), maybe=maybe, conflicts=conflicts), missing


def _reason(state: State, name: str, record: int) -> str:
    """Return the reason of an exclusion: that of the settlement, else the first that a person gave."""
    held = state.held(name, record)
    said = [held[None]] if None in held else sorted(held.values(), key=lambda h: h.since)
    return next((h.event.reason for h in said if h.event.decision == EXCLUDE and h.event.reason), "")


def _estimates(reading: Reading) -> list[EstimatePoint]:
    """Return estimates along the reading, from what was known then; the last one knows the ranker's probabilities."""
    places = np.unique(np.linspace(max(1, reading.pool // 50), reading.read, POINTS).astype(int)).tolist()
    points = []
    for n in [n for n in places if 0 < n <= reading.read]:
        before = Reading(reading.relevant[:n], reading.source[:n], reading.pool, None, min(reading.since, n))
        known = reading if n == reading.read else before
        if is_estimable(known):
            found = estimate_remaining(known)
            points.append(EstimatePoint(n, found.mean, found.low, found.high))
    return points


def _agreement(name: str, pair: Agreement) -> AgreementSummary:
    counts = {
        "include": {"include": pair.both_include, "exclude": pair.first_only},
        "exclude": {"include": pair.second_only, "exclude": pair.both_exclude},
    }
    return AgreementSummary(name, pair.first, pair.second, pair.kappa, *pair.interval, counts)
