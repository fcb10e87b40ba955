"""Kill processes at random moments of reading and adding: nothing acknowledged is lost, and nothing happens twice."""

import random
from collections import Counter

import sqlalchemy as sa
from tests.service.children import killed
from tests.service.literature import literature
from tests.service.review_children import adding, reading
from tests.service.test_review import picture, replayed

from bayesift.filtering.screening.review import Review
from bayesift.filtering.screening.store.events import Decided
from bayesift.filtering.store import schema

ROUNDS = 35  # with three kills each, for each of the two databases: 210 kills
LONGEST = 0.3  # seconds until a kill


class Books:
    """What was acknowledged, and what may have been committed without an acknowledgement."""

    def __init__(self):
        self.records, self.answers, self.doubtful = set(), {}, {}
        self.tried = Counter()

    def enter(self, reports):
        for kind, *about in reports:
            if kind == "record":
                self.records.update(about)
            elif kind == "deciding":
                self.doubtful[tuple(about[:2])] = about[2]
                self.tried[tuple(about[:2])] += about[2] != "None"
            elif kind == "decided":
                self.answers[tuple(about[:2])] = about[2]
                del self.doubtful[tuple(about[:2])]

    def compare(self, review):
        """Compare with the database; what was in doubt is then known."""
        seen = review.records(limit=10_000) + review.records(status="merged", limit=10_000)
        ids = [one.record.id for one in seen]
        assert len(ids) == len(set(ids))
        assert self.records <= set(ids), "an acknowledged record is missing"
        held = {(o.who, one.record.id): o.decision for one in seen for o in one.opinions["abstract"]}
        for key, answer in self.answers.items():
            possible = {answer} | ({self.doubtful[key]} if key in self.doubtful else set())
            assert str(held.get(key)) in possible, f"{key} was decided {answer} and is {held.get(key)}"
        self.answers = {key: str(held.get(key)) for key in self.answers.keys() | held.keys()}
        self.doubtful.clear()
        self.records = set(ids)
        self._check_events(review, dict(enumerate(sorted(ids, key=lambda id: int(id[1:])))))

    def _check_events(self, review, id_of):
        with review.database.read() as connection:
            numbers = connection.execute(sa.select(schema.screening_events.c.number).order_by("number")).scalars().all()
        assert numbers == list(range(1, len(numbers) + 1)), "events have a gap"
        written = Counter((e.who, id_of[e.record]) for e in review.events() if isinstance(e, Decided))
        for key, n in written.items():
            assert n <= self.tried[key], f"{key} was decided {n} times"  # the same again is no event
        self.tried = Counter(written)


def test_nothing_is_lost_and_nothing_happens_twice(url):
    with Review.create(url, literature(40), question="statins for hiv", reviewers=2) as review:
        review.next(who="warm")  # compiles what the children need
    books, drawn = Books(), random.Random(7)
    kills = 0
    for number in range(ROUNDS):
        work = [reading(url, "ada"), reading(url, "bob"), adding(url)]
        for reports in killed(work, 3 * number, drawn, LONGEST):
            books.enter(reports)
            kills += 1
        with Review.open(url) as review:
            books.compare(review)
            if number % 5 == 4:
                first = review.next(who="ada")  # may write a draw
                before = picture(replayed(review))
                with Review.open(url, write=False) as again:
                    assert again.next(who="ada") == first
                    assert picture(again._live.state) == before
    assert kills == 3 * ROUNDS
    assert len(books.records) > 40 + ROUNDS  # else the children never came to work
    assert sum(books.tried.values()) > ROUNDS
