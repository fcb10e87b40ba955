"""Any steps of any persons: what holds is a function of the events, and undo takes back exactly one step."""

import shutil

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.service.literature import literature
from tests.service.test_review import picture

from bayesift.errors import BadInput
from bayesift.filtering.screening.review import Review
from bayesift.filtering.screening.store.state import State

RECORDS = 6
people, numbers = st.sampled_from(("ada", "bob", "eve")), st.integers(0, RECORDS - 1)
decisions, lists = st.sampled_from(("include", "exclude", "maybe")), st.sampled_from(("abstract", "full-text"))
steps = st.one_of(
    st.tuples(st.just("decide"), people, numbers, decisions, lists),
    st.tuples(st.just("withdraw"), people, numbers, lists, st.booleans()),
    st.tuples(st.just("settle"), people, numbers, decisions, lists),
    st.tuples(st.just("merge"), people, numbers, numbers),
    st.tuples(st.just("keep_apart"), people, numbers, numbers),
    st.tuples(st.just("undo"), people),
    st.tuples(st.just("redo"), people),
    st.tuples(st.just("reviewers"), people, st.integers(1, 3)),
)


@pytest.fixture(scope="module")
def empty(tmp_path_factory):
    path = tmp_path_factory.mktemp("made") / "made.db"
    Review.create(path, literature(RECORDS)).close()
    return path


@pytest.fixture(scope="module")
def copy(empty, tmp_path_factory):
    folder, made = tmp_path_factory.mktemp("copies"), iter(range(10**6))
    return lambda: shutil.copy(empty, folder / f"{next(made)}.db")


def take(review, step):
    """Take a step; return whether it was possible."""
    kind, who, *rest = step
    try:
        if kind in ("decide", "settle"):
            getattr(review, kind)(f"r{rest[0]}", rest[1], list=rest[2], who=who)
        elif kind == "withdraw":
            review.withdraw(f"r{rest[0]}", list=rest[1], who=who, settled=rest[2])
        elif kind in ("merge", "keep_apart"):
            getattr(review, kind)(f"r{rest[0]}", f"r{rest[1]}", who=who)
        elif kind == "reviewers":
            review.set(reviewers=rest[0], who=who)
        else:
            getattr(review, kind)(who)
    except BadInput:
        return False
    return True


def held(review):
    """Return what holds, without what only counts events."""
    with review._live.reading():
        lists, root, *_ = picture(review._live.state)
    return lists, root


quick = settings(deadline=None, max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])


@quick
@given(st.lists(steps, max_size=25))
def test_the_state_is_a_function_of_the_events(copy, taken):
    path = copy()
    with Review.open(path) as review, Review.open(path) as watcher:
        for i, step in enumerate(taken):
            before = len(review.events())
            possible = take(review, step)
            assert possible or len(review.events()) == before  # nothing of what failed stays
            if i % 7 == 3:
                watcher.people  # noqa: B018  catches up in the middle
        events = list(enumerate(review.events(), 1))
        whole, single = State(), State()
        whole.fold(events)
        for event in events:
            single.fold([event])
        with watcher._live.reading():
            assert picture(watcher._live.state) == picture(review._live.state) == picture(whole) == picture(single)


@quick
@given(st.lists(steps, max_size=15), people)
def test_undo_takes_back_one_step_and_redo_brings_it_back(copy, taken, who):
    with Review.open(copy()) as review:
        for step in taken:
            take(review, step)
        pictures = [held(review)]
        while take(review, ("undo", who)):
            pictures.append(held(review))
        for expected in reversed(pictures[:-1]):
            assert take(review, ("redo", who))
            assert held(review) == expected


@quick
@given(st.lists(steps, max_size=20))
def test_undoing_everything_leaves_nothing(copy, taken):
    with Review.open(copy()) as review:
        before = held(review)
        for step in taken:
            if step[0] != "reviewers":
                take(review, step)
        for who in ("ada", "bob", "eve"):
            while take(review, ("undo", who)):
                pass
        assert held(review) == before
