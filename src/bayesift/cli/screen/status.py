"""`bayesift screen status`: how far a review has come, what is left, and whether to stop."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from bayesift.cli.messages import counted
from bayesift.cli.screen import options as s
from bayesift.cli.screen.opening import opened

if TYPE_CHECKING:
    from bayesift.filtering.screening.store.agreement import Agreement
    from bayesift.filtering.screening.store.views import Progress


def status(review: s.Review, json: s.Json = False) -> None:
    """Show how far a review has come: decisions, conflicts, agreement, the estimate of what is left, when to stop."""
    from bayesift.cli.filter.showing import json_line
    from bayesift.terminal import one_line

    with opened(review, write=False) as found:
        settings, people = found.settings, found.people
        lists = [found.progress("abstract"), found.progress("full-text")]
        pairs = {progress.list: found.agreement(progress.list) for progress in lists}
        duplicates, merged = found.count_duplicates(), len(found) - lists[0].records
        name = found.database.name
    if json:
        agreement = [_plain(title, pair) for title, those in pairs.items() for pair in those]
        json_line(
            {"name": name, "question": settings.question, "reviewers": settings.reviewers, "people": people,
             "merged": merged, "duplicates": duplicates, "lists": lists, "agreement": agreement}
        )  # fmt: skip
        return
    print(one_line(f"{name}: {lists[0].records:,} records" + (f", {merged:,} merged" if merged else "")))
    if settings.question:
        print(one_line(f"question: {settings.question}"))
    for progress in lists:
        if progress.records or progress.list == "abstract":
            _show(progress, name)
            for pair in pairs[progress.list]:
                print(one_line(f"  {_sentence(pair)}"))
    if duplicates:
        print(f"{counted(duplicates, 'pair')} of possible duplicates: bayesift screen duplicates {name}")


def _show(progress: Progress, name: str) -> None:
    """Print one list."""
    print(f"{progress.list}: {progress.read:,} of {progress.records:,} read, {progress.included:,} included, "
          f"{progress.excluded:,} excluded, {progress.maybe:,} maybe")  # fmt: skip
    if progress.waiting:
        print(f"  {progress.waiting:,} wait for another reviewer")
    if progress.conflicts:
        print(f"  {progress.conflicts:,} in conflict: bayesift screen conflicts {name}")
    if progress.remaining is not None and progress.unread:
        left = progress.remaining
        print(f"  estimated unread and relevant: {left.mean:.1f} ({left.low:,} to {left.high:,} "
              f"with {100 * left.level:g} % probability)")  # fmt: skip
    if progress.stopping is not None:
        print(f"  {progress.stopping.sentence}")


def _sentence(pair: Agreement) -> str:
    low, high = pair.interval
    kappa = "kappa is undefined" if math.isnan(pair.kappa) else f"kappa {pair.kappa:.2f} ({low:.2f} to {high:.2f})"
    same = f"the same decision about {100 * pair.agree:.0f} % of {pair.records:,} records"
    return f"{pair.first} and {pair.second}: {kappa}, {same}"


def _plain(title: str, pair: Agreement) -> dict[str, object]:
    low, high = pair.interval
    numbers = {"kappa": pair.kappa, "low": low, "high": high}
    return {
        "list": title, "first": pair.first, "second": pair.second, "records": pair.records,
        "agree": pair.agree, **{name: None if math.isnan(value) else value for name, value in numbers.items()},
    }  # fmt: skip
