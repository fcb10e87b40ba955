"""The certified bound: exact worst cases by enumeration, adversarial rankers by simulation."""

from collections.abc import Callable
from functools import cache

import numpy as np
import pytest
from scipy.stats import hypergeom

from bayesift.errors import BadInput
from bayesift.filtering.screening import certified
from bayesift.filtering.screening.certified import allowed, certify
from bayesift.filtering.screening.reading import Reading


def bound(relevant, source, pool, certainty=0.95):
    return certify(Reading(relevant, source, pool), certainty=certainty).high


History = tuple[tuple[bool, str], ...]


def worst_case(pool: int, total: int, recall: float, holds: Callable[[History], bool]) -> float:
    """Return the largest probability that a certificate is ever false.

    The opponent knows all labels. Before each record he chooses a relevant one, one that is not, or a random draw,
    after seeing all that was read: no ranker and no rule for when to draw does worse.
    """

    @cache
    def value(history: History) -> float:
        found, read = sum(hit for hit, _ in history), len(history)
        if found < recall * total - 1e-9 and holds(history):
            return 1.0
        left, unread = total - found, pool - read
        if left == 0 or unread == 0:
            return 0.0
        after = {(hit, s): (*history, (hit, s)) for hit in (False, True) for s in ("ranked", "random")}
        p = left / unread
        chances = [p * value(after[True, "random"]) + ((1 - p) * value(after[False, "random"]) if p < 1 else 0.0)]
        chances.append(value(after[True, "ranked"]))
        if left < unread:
            chances.append(value(after[False, "ranked"]))
        return max(chances)

    return value(())


@pytest.mark.parametrize(("recall", "certainty"), [(0.95, 0.5), (0.7, 0.6), (0.5, 0.7)])
def test_no_order_of_reading_makes_it_err_more_often_than_it_says(recall, certainty):
    def holds(history: History) -> bool:
        return certify(Reading([h for h, _ in history], [s for _, s in history], 6), recall, certainty).holds

    chances = [worst_case(6, total, recall, holds) for total in range(1, 7)]
    assert max(chances) <= 1.0 - certainty + 1e-12
    assert max(chances) > 0.1  # the bound is not empty: it takes the risk that it may take


def test_counting_again_from_the_last_hit_errs_too_often():
    """The enumeration notices a bound that is wrong: all draws since the last hit, as if it had begun there."""

    def holds(history: History) -> bool:
        chance, found = 1.0, 0
        more = allowed(sum(hit for hit, _ in history), 0.7) + 1 + sum(hit for hit, _ in history)
        for place, (hit, source) in enumerate(history):
            if source == "random":
                chance = 1.0 if hit else chance * (1.0 - (more - found) / (6 - place))
            found += hit
        return chance <= 0.4

    assert max(worst_case(6, total, 0.7, holds) for total in range(1, 7)) > 0.41


def test_draws_without_a_hit_give_the_hypergeometric_bound(monkeypatch):
    monkeypatch.setattr(certified, "FRACTIONS", np.array([[1.0]]))
    monkeypatch.setattr(certified, "SHARES", np.array([1.0]))
    for pool, draws in ((50, 10), (200, 60), (200, 199)):
        exact = max(u for u in range(pool - draws + 1) if hypergeom.sf(0, pool, u, draws) < 0.95)
        assert bound([False] * draws, "random", pool) == exact


def test_it_costs_little_to_look_after_every_record_and_to_survive_a_hit():
    exact = max(u for u in range(701) if hypergeom.sf(0, 1000, u, 300) < 0.95)
    assert exact <= bound([False] * 300, "random", 1000) <= exact + 1
    assert bound([False] * 299 + [True], "random", 1000) < 30
    assert bound(([False] * 99 + [True]) * 3, "random", 1000) < 60


ORDERS = {
    "relevant ones last": np.arange(150) >= 150 - 24,
    "a hidden kind": (np.arange(150) < 20) | (np.arange(150) >= 146),
    "every second record": np.isin(np.arange(150), np.arange(0, 48, 2)),
}


@pytest.mark.parametrize("name", ORDERS)
@pytest.mark.parametrize("share", [0.2, 1.0])
def test_it_errs_in_at_most_five_per_cent_of_reviews_with_adversarial_rankers(name, share):
    rng, total, reviews = np.random.default_rng(3), int(ORDERS[name].sum()), 1600
    errors = 0
    for _ in range(reviews):
        order, relevant, source = ORDERS[name].tolist(), [], []
        random = (np.arange(150) >= 25) & (rng.random(150) < share)
        while sum(relevant) < total - 1:  # what was ever excluded stays so: the end tells whether the truth was
            drawn = random[len(relevant)]
            relevant.append(order.pop(int(rng.integers(len(order))) if drawn else 0))
            source.append("random" if drawn else "ranked")
        errors += certified._Capital(Reading(relevant, source, 150)).highest(total) >= -np.log(0.05)
    assert errors <= 0.05 * reviews + 2.5 * np.sqrt(reviews * 0.05 * 0.95)
    if (name, share) == ("a hidden kind", 1.0):  # the risk that may be taken is taken
        assert errors > 0.04 * reviews


def test_the_bound_on_all_relevant_records_never_rises():
    rng = np.random.default_rng(5)
    for _ in range(20):
        relevant = rng.random(80) < rng.uniform(0.0, 0.3)
        source = np.where(rng.random(80) < 0.5, "random", "ranked")
        proofs = [certify(Reading(relevant[:n], source[:n], 100)) for n in range(81)]
        totals = [p.found + p.high for p in proofs]
        assert totals == sorted(totals, reverse=True)
        assert all(0 <= p.high <= p.unread for p in proofs)


def test_more_certainty_costs_more():
    bounds = [bound([False] * 40, "random", 200, certainty) for certainty in (0.5, 0.8, 0.95, 0.99)]
    assert bounds == sorted(bounds)
    assert bounds[0] < bounds[-1]


@pytest.mark.parametrize(("found", "hits"), [(40, 0), (100, 0), (100, 2)])
def test_it_says_how_many_draws_are_needed(found, hits):
    start = [True] * found + [False] * 10 + [True] * hits
    source = ["ranked"] * (found + 10) + ["random"] * hits
    needed = certify(Reading(start, source, 400)).needed
    assert 0 < needed < 400
    for more, holds in ((needed - 1, False), (needed, True)):
        proof = certify(Reading(start + [False] * more, source + ["random"] * more, 400))
        assert proof.holds == holds
        assert proof.needed == (0 if holds else 1)


def test_ranked_reading_proves_nothing_and_a_pool_read_to_the_end_all():
    assert bound([True] * 30 + [False] * 60, "ranked", 100) == 10
    done = certify(Reading([True, False, True], "ranked", 3))
    assert (done.high, done.recall, done.holds, done.needed) == (0, 1.0, True, 0)
    assert certify(Reading([False] * 3, "ranked", 3)).recall == 1.0


def test_draws_before_the_pool_changed_do_not_count():
    whole = Reading([True] * 50 + [False] * 300, ["ranked"] * 50 + ["random"] * 300, 500)
    later = Reading(whole.relevant, whole.source, 500, since=350)
    assert certify(whole).high < 10
    assert (certify(later).high, certify(later).draws) == (150, 0)


def test_the_number_that_may_be_unread():
    assert [allowed(found, 0.95) for found in (0, 18, 19, 38, 95)] == [0, 0, 1, 2, 5]
    assert allowed(30, 1.0) == 0


def test_bad_arguments_raise():
    reading = Reading([True], "ranked", 3)
    for recall, certainty in ((0.0, 0.9), (1.1, 0.9), (0.9, 0.0), (0.9, 1.0), (float("nan"), 0.9)):
        with pytest.raises(BadInput, match="recall"):
            certify(reading, recall, certainty)
