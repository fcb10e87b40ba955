"""The shift of a topic's log-odds by its last answers, and what it does to the bar of `t9p`."""

import numpy as np
import pytest
from scipy.special import expit, log_expit
from scipy.stats import norm
from tests.unit.filtering import texts
from tests.unit.filtering.gp_streams import made, run
from tests.unit.filtering.streams import same

from bayesift.filtering import Strategy, load_filter, save_filter
from bayesift.filtering.events import Shown
from bayesift.filtering.local_odds import LAST, MEMORY, NO_ANSWERS, SD, LastAnswers, local_shift

T9P = Strategy("t9p", target=12, horizon=300)


def exact(logits, relevant):
    """Return the mean of the next shift by quadrature: the density of the process on a grid, answer by answer."""
    grid = np.linspace(-8.0 * SD, 8.0 * SD, 1601)
    r = np.exp(-1.0 / MEMORY)
    moves = norm.pdf(grid[:, None], r * grid[None], np.sqrt(1.0 - r * r) * SD)  # from the second to the first
    density = norm.pdf(grid, 0.0, SD)
    for z, y in zip(logits, relevant):
        density = density * expit((2.0 * y - 1.0) * (z + grid))
        density = moves @ density
        density /= density.sum()
    return density @ grid


def judge(stream, rows, Y, hits_first):
    """Judge documents about the first topic: five relevant and five irrelevant, one kind after the other."""
    about = np.flatnonzero(Y[:, 0])[:10].tolist()
    for i in about if hits_first else about[::-1]:
        stream.judge("t0", f"j{i}", i in about[:5], rows[i])


def bars(stream):
    return stream.decisions.bars.arrays()


def equal(a, b):
    return all(np.array_equal(a[name], b[name]) for name in a)


@pytest.mark.parametrize("rate", [0.1, 0.5, 0.9])
def test_the_shift_is_the_mean_of_the_process_by_quadrature(rate):
    rng = np.random.default_rng(0)
    apart = []
    for n in (1, 2, 5, 20, 50):
        for _ in range(6):
            logits = rng.normal(np.log(rate / (1.0 - rate)), 1.0, n)
            relevant = (rng.random(n) < expit(logits + rng.normal(0.0, SD))).astype(float)
            apart.append(local_shift(logits, relevant) - exact(logits, relevant))
    assert np.max(np.abs(apart)) < 0.25
    assert np.sqrt(np.mean(np.square(apart))) < 0.1


def test_one_answer_moves_the_shift_by_a_step_of_newtons_method():
    for z in (-3.0, 0.0, 2.0):
        for y in (0.0, 1.0):
            steps = np.array([-1e-4, 0.0, 1e-4])
            low, at, high = log_expit((2.0 * y - 1.0) * (z + steps)) - 0.5 * (steps / SD) ** 2
            gradient, curvature = (high - low) / 2e-4, (2.0 * at - high - low) / 1e-8
            moved = np.exp(-1.0 / MEMORY) * gradient / curvature
            assert local_shift(np.array([z]), np.array([y])) == pytest.approx(moved, rel=1e-5)


def test_extreme_log_odds_are_finite():
    assert local_shift(np.array([1e9, -1e9]), np.array([1.0, 0.0])) == pytest.approx(0.0, abs=1e-9)
    assert 0.5 < local_shift(np.array([-1e9]), np.ones(1)) < 1.0


def test_relevant_documents_raise_the_shift_and_others_lower_it():
    rng = np.random.default_rng(0)
    assert local_shift(*NO_ANSWERS) == 0.0
    assert local_shift(np.zeros(9), np.ones(9)) > local_shift(np.zeros(2), np.ones(2)) > 0.0
    mixed = np.array([0.0, 0.0, 1.0, 1.0])
    assert local_shift(np.zeros(4), mixed) > 0.0 > local_shift(np.zeros(4), mixed[::-1].copy())  # the last count most
    for _ in range(50):
        logits, relevant = rng.normal(-1.0, 2.0, 6), (rng.random(6) < 0.5).astype(float)
        other = np.append(relevant[:5], 1.0 - relevant[5])
        assert (local_shift(logits, relevant) > local_shift(logits, other)) == (relevant[5] == 1.0)
        assert local_shift(logits + 0.5, relevant) < local_shift(logits, relevant)


def test_the_last_answers_count_in_the_order_in_which_they_came():
    few, many = LastAnswers.of(np.arange(2.0), [True, False]), LastAnswers.of(np.arange(90.0), [False] * 89 + [True])
    assert (few.scores.tolist(), few.relevant.tolist()) == ([0.0, 1.0], [1.0, 0.0])
    assert many.scores.tolist() == np.arange(90.0)[-LAST:].tolist()
    assert many.relevant.tolist() == [0.0] * (LAST - 1) + [1.0]


@pytest.mark.parametrize("target", [1, 50])
def test_a_burst_lowers_the_bar_and_misses_raise_it(target):
    scores = []
    for hits_first in (True, False):
        stream, rows, Y = made(Strategy("t9p", target=target, horizon=100_000))
        stream.show([Shown("t0", "first")], rows[0])  # the place, if there is one only
        judge(stream, rows, Y, hits_first)
        scores.append(stream.decisions.bars.score[0])
    assert scores[1] < scores[0] - 0.01


def test_target_does_not_depend_on_the_last_answers():
    scores = []
    for hits_first in (True, False):
        stream, rows, Y = made(Strategy("target", target=50, horizon=100_000))
        judge(stream, rows, Y, hits_first)
        scores.append(stream.decisions.bars.score[0])
    assert scores[0] == pytest.approx(scores[1])


@pytest.mark.parametrize("relevant", [True, False])
def test_a_withdrawn_answer_leaves_no_trace_in_the_bars(relevant):
    stream, rows, Y = made(T9P)
    run(stream, rows, Y, end=120)
    before, last = bars(stream), stream.topics[0].profile.last
    stream.judge("t0", "new", relevant, rows[150])
    assert bars(stream)["score"][0] != before["score"][0]
    stream.withdraw("t0", "new")
    assert equal(bars(stream), before)
    assert all(map(np.array_equal, stream.topics[0].profile.last, last))


def test_an_answer_that_is_changed_and_changed_back_leaves_no_trace():
    stream, rows, Y = made(T9P)
    run(stream, rows, Y, end=120)
    before = bars(stream)
    document, relevant = list(stream.topics[1].answers)[-2], list(stream.topics[1].answers.values())[-2].relevant
    stream.change("t1", document, not relevant)
    assert bars(stream)["score"][1] != before["score"][1]
    stream.change("t1", document, relevant)
    assert equal(bars(stream), before)


def late(stream, rows, Y, begin=0, end=None):
    """Process the rows, and judge what is shown in batches, the latest documents first, and some never."""
    shown, open_ = [], []
    for i, row in enumerate(rows[:end]):
        if i < begin:
            continue
        found = stream.process(str(i), row)
        shown += found
        open_ += [(o.topic, o.document) for o in found if i % 7]
        if i % 20 == 19:
            for topic, document in reversed(open_):
                stream.judge(topic, document, bool(Y[int(document), stream.number[topic]]))
            open_ = []
    return shown


def test_late_answers_are_saved_and_replayed(tmp_path):
    whole, rows, Y = made(T9P)
    whole.log = []
    expected = late(whole, rows, Y)
    stream, *_ = made(T9P)
    first = late(stream, rows, Y, end=140)
    save_filter(stream, tmp_path / "a.filter")
    stream = load_filter(tmp_path / "a.filter")
    assert first + late(stream, rows, Y, begin=140) == expected
    assert equal(bars(stream), bars(whole))
    again, *_ = made(T9P)
    shown = {(o.topic, o.document) for o in expected}
    for i, row in enumerate(rows):
        again.receive(str(i), row)
        mine = [e for e in whole.log if e.document == str(i) and type(e).__name__ == "Shown"]
        again.show(mine, row)
        if i % 20 == 19:
            batch = {str(k) for k in range(i - 19, i + 1)}
            for event in whole.log:
                if type(event).__name__ == "Judged" and event.document in batch:
                    again.apply(event)
    assert shown
    assert equal(bars(again), bars(whole))
    assert all(same(a.profile, b.profile) for a, b in zip(again.topics, whole.topics, strict=True))


def test_an_answer_that_is_undone_leaves_no_trace_in_the_bars():
    f = texts.made(strategy="t9p", horizon=300)
    texts.run(f, texts.stream())
    before = bars(f._state.stream)
    answers = f._state.stream.topics[0].answers
    document, answer = list(answers.items())[-1]
    f.change("grain", document, not answer.relevant)
    assert not equal(bars(f._state.stream), before)
    f.undo()
    assert equal(bars(f._state.stream), before)
