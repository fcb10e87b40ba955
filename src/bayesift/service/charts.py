"""A topic over the last weeks: charts of volume, precision and share found, and what its questions brought."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from datetime import UTC, date, datetime, timedelta
from typing import Any, NamedTuple

from markupsafe import Markup

from bayesift.filtering.events import Judged
from bayesift.filtering.recall_estimate import RecallEstimate, recall_estimate
from bayesift.report.charts import Series, lines
from bayesift.service import queries
from bayesift.service.queries import Day, Question

WEEK = 7  # days of a moving precision
WEEKS = queries.DAYS // WEEK
KINDS = {"asked": "to learn", "random": "at random"}


class Asked(NamedTuple):
    """The questions of a week, and what they brought."""

    week: str
    kind: str
    asked: int
    answered: int
    relevant: int
    bits: float


def charts_of(days: Sequence[Day], answers: Iterable[Judged] = ()) -> list[dict[str, Any]]:
    """Return volume, precision and estimated share found over time, as far as there is something to show."""
    if not any(day.delivered + day.asked + day.relevant + day.irrelevant for day in days):
        return []
    charts = (_volume(days), _precision(days), _found([day.day for day in days], answers))
    return [chart for chart in charts if chart is not None]


def _volume(days: Sequence[Day]) -> dict[str, Any]:
    counts = {
        "delivered": [day.delivered for day in days],
        "asked": [day.asked for day in days],
        "relevant": [day.relevant for day in days],
    }
    x = _ago(days)
    largest = max(1, *(count for of in counts.values() for count in of))
    step = next(n * 10**k for k in range(12) for n in (1, 2, 5) if 5 * n * 10**k >= largest)  # at most five, round
    largest = -(-largest // step) * step
    chart = lines(
        [Series(name, x, [float(count) for count in of]) for name, of in counts.items()],
        y_range=(0.0, float(largest)), y_ticks=[float(tick) for tick in range(0, largest + 1, step)],
        y_label="documents", **_axis(days),
    )  # fmt: skip
    said = "Documents delivered and asked about on each day, and how many of them were judged relevant."
    return _chart("Volume", chart, said)


def _precision(days: Sequence[Day]) -> dict[str, Any] | None:
    x, at = _ago(days), []
    found = []
    for i in range(len(days)):
        week = days[max(0, i - WEEK + 1) : i + 1]
        good, judged = sum(d.relevant for d in week), sum(d.relevant + d.irrelevant for d in week)
        if precision := queries.precision_of(good, judged):
            at.append(x[i])
            found.append(precision)
    if not at:
        return None
    if len(at) == 1:  # a band has some width
        at, found = [at[0] - 0.4, at[0] + 0.4], 2 * found
    series = Series(
        "precision", at, [p.share for p in found], low=[p.low for p in found], high=[p.high for p in found],
        markers=True,
    )  # fmt: skip
    chart = lines([series], y_label="precision", y_range=(0.0, 1.0), **_axis(days))
    said = "Share of relevant documents among those delivered or asked about in the week before and judged"
    return _chart("Precision", chart, f"{said}; documents found by search do not count. The band is a 90 % interval.")


def _found(days: Sequence[str], answers: Iterable[Judged]) -> dict[str, Any] | None:
    known = [(x, one) for x, one in zip(_ago(days), estimates_found(days, answers)) if one.is_known]
    if not known:
        return None
    low, high = zip(*(one.recall_interval for _, one in known))
    series = Series(
        "found", [x for x, _ in known], [one.recall for _, one in known], low=list(low), high=list(high), markers=True
    )
    chart = lines([series], y_label="share found", y_range=(0.0, 1.0), **_axis(days))
    said = (
        "Relevant documents found, as a share of those found and the estimated number missed, from the questions drawn"
        " at random and answered until that day. The band is a 90 % interval."
    )
    return _chart("Estimated recall", chart, said)


def estimates_found(days: Sequence[str], answers: Iterable[Judged]) -> list[RecallEstimate]:
    """Return the estimate at the end of each day, by the answers given until then."""
    by_day = sorted(answers, key=lambda answer: (answer.time or "")[:10])
    ends = [bisect_right(by_day, day, key=lambda answer: (answer.time or "")[:10]) for day in days]
    return [recall_estimate(by_day[:end]) for end in ends]


def asked_by_week(questions: Iterable[Question], today: date | None = None) -> list[Asked]:
    """Return the questions of the last weeks by week and kind, the last week first; weeks without any are left out.

    >>> answered = Question("2026-03-02", "asked", "relevant", 2, 0.5)
    >>> waiting = Question("2026-03-04", "asked", "waiting", 1, 0.25)
    >>> asked_by_week([answered, waiting], date(2026, 3, 4))
    [Asked(week='this week', kind='to learn', asked=3, answered=2, relevant=2, bits=0.5)]
    """
    today = datetime.now(UTC).date() if today is None else today
    first = today - timedelta(days=today.weekday())
    found: dict[tuple[int, str], Asked] = {}
    for question in questions:
        begin = date.fromisoformat(question.day)
        ago = (first - begin + timedelta(days=begin.weekday())).days // WEEK
        name = "this week" if ago == 0 else "last week" if ago == 1 else f"{ago} weeks ago"
        kind = KINDS[question.kind]
        one = found.get((ago, kind), Asked(name, kind, 0, 0, 0, 0.0))
        answered = question.documents if question.state in queries.ANSWERED else 0
        relevant = question.documents if question.state == "relevant" else 0
        found[ago, kind] = Asked(
            name, kind, one.asked + question.documents, one.answered + answered, one.relevant + relevant,
            one.bits + (question.bits if answered else 0.0),
        )  # fmt: skip
    return [found[key] for key in sorted(found, key=lambda key: (key[0], -ord(key[1][0])))]


def _ago(days: Sequence[Any]) -> list[float]:
    return [float(k) for k in range(1 - len(days), 1)]


def _axis(days: Sequence[Any]) -> dict[str, Any]:
    ticks = [float(-WEEK * k) for k in range(WEEKS, -1, -1) if WEEK * k < len(days)]
    return {"x_label": "days (0 is today)", "x_range": (0.5 - len(days), 0.5), "x_ticks": ticks}


def _chart(title: str, svg: str, caption: str) -> dict[str, Any]:
    return {"title": title, "svg": Markup(svg), "caption": caption}
