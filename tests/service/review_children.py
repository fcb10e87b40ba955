"""Child processes that work on a review and report what was acknowledged, until they are killed."""

from __future__ import annotations

import random
from functools import partial

from tests.service.children import Report, Work, say
from tests.service.literature import is_relevant, literature

from bayesift.filtering.screening.review import Review

BATCH = 4  # records added at a time


def reading(url: str, who: str) -> Work:
    """Return a function that decides without end; some decisions are changed, withdrawn or undone."""

    def run(report: Report, drawn: random.Random) -> None:
        with Review.open(url) as review:
            report("ready")
            while True:
                for item in review.next(who=who, count=drawn.choice((1, 1, 3))):
                    id = item.record.id
                    decision = "include" if is_relevant(id) else drawn.choice(("exclude", "maybe"))
                    told = partial(say, report, "deciding", "decided", who, id)
                    told(decision)(partial(review.decide, id, decision, who=who))
                    if drawn.random() < 0.15:
                        told("exclude")(partial(review.decide, id, "exclude", who=who, note="again"))
                    elif drawn.random() < 0.15:
                        told(None)(partial(review.withdraw, id, who=who))
                    elif drawn.random() < 0.2 and item.mine is None:
                        told(None)(partial(review.undo, who))

    return run


def adding(url: str) -> Work:
    """Return a function that adds records without end, some of them known."""

    def run(report: Report, drawn: random.Random) -> None:
        with Review.open(url) as review:
            report("ready")
            while True:
                known = len(review)
                part = literature(drawn.randint(1, BATCH), first=max(known - 2, 0))
                review.add(part, who="librarian")
                for record in part:
                    report("record", record.id)

    return run
