"""The stream loop: what is shown, answers at any time, what is odd about them, budgets and strategies."""

import numpy as np
import pytest
from scipy import sparse

from bayesift.errors import BadInput
from bayesift.filtering import (
    Answer,
    Budget,
    Filter,
    Profile,
    ProfileSettings,
    Row,
    Strategy,
    filter_of,
    rows_of,
    state_of,
    strategy_of,
)
from bayesift.model_file import read_model, write_model


def made(strategy="ig", n_topics=3, budget=None, learner="perceptron", **settings):
    rng = np.random.default_rng(0)
    X = sparse.csr_matrix(sparse.random(400, 60, 0.12, "csr", rng=rng))
    X.sort_indices()
    Y = np.column_stack([np.asarray(X[:, 4 * t : 4 * t + 4].sum(axis=1)).ravel() > 0.9 for t in range(n_topics)])
    chosen, again = strategy_of(strategy, **({"horizon": 300} | settings))
    profiles = [
        Profile.start(f"t{t}", ProfileSettings(learner, cut=3.0, again=again), training=X[:100],
                      relevant=np.flatnonzero(Y[:100, t]))
        for t in range(n_topics)
    ]  # fmt: skip
    loop = Filter(profiles, chosen, budget=budget)
    loop.settle(list(rows_of(X[:100])), {f"t{t}": np.flatnonzero(Y[:100, t]).tolist() for t in range(n_topics)})
    return loop, list(rows_of(X[100:])), Y[100:]


def run(loop, rows, Y, answer=True, begin=0, end=None):
    shown = []
    for i, row in enumerate(rows[:end]):
        if i < begin:
            continue
        for outcome in loop.process(str(i), row, f"2025-01-{1 + i // 20:02}"):
            shown.append(outcome)
            if answer:
                loop.judge(outcome.topic, outcome.document, bool(Y[i, loop.number[outcome.topic]]))
    return shown


@pytest.mark.parametrize("learner", ["perceptron", "probit", "bomc"])
@pytest.mark.parametrize(
    "strategy", ["none", "rnd", "ig", "rel+ig", "pace", "region", "utility", "f1", "rel-recent+target"]
)
def test_every_strategy_delivers_what_is_probable_and_says_why(strategy, learner):
    loop, rows, Y = made(strategy, learner=learner)
    shown = run(loop, rows, Y)
    assert any(o.kind == "delivered" for o in shown)
    assert all((o.kind == "delivered") == (o.probability > 0.5) for o in shown)
    assert any(o.kind == "asked" for o in shown) == (strategy != "none")
    assert all(o.sd > 0 and len(o.words) <= 8 for o in shown)
    if strategy in ("ig", "rel+ig"):
        assert all(o.gain > 0.001 for o in shown if o.kind == "asked")
    assert not loop.waiting
    assert sum(t.profile.counters.shown for t in loop.topics) == len(shown)


def test_the_words_make_up_the_mean_of_the_field():
    loop, rows, _ = made()
    all_ = [o for i, row in enumerate(rows[:50]) for o in loop.process(str(i), row, passed=True)]
    outcomes = [o for o in all_ if len(o.words) < 8]
    assert {o.kind for o in outcomes} >= {"passed", "asked"}
    outcome = next(o for o in outcomes if o.kind == "passed")
    profile = loop.topics[loop.number[outcome.topic]].profile
    m, v = profile.field(rows[int(outcome.document)])
    assert profile.belief.mean[0] + sum(share for _, share in outcome.words) == pytest.approx(m)
    assert outcome.sd == pytest.approx(np.sqrt(v))


def test_nothing_is_learned_without_answers_and_late_ones_count_as_they_come():
    silent, rows, Y = made()
    before = [t.profile.belief.mean.copy() for t in silent.topics]
    shown = run(silent, rows, Y, answer=False)
    assert all((a == t.profile.belief.mean).all() for a, t in zip(before, silent.topics))
    assert len(silent.waiting) == len(shown)
    answers = [Answer(o.topic, o.document, bool(Y[int(o.document), silent.number[o.topic]])) for o in shown]
    assert silent.judge_all(answers) == []
    assert not silent.waiting
    assert all((a != t.profile.belief.mean[: a.size]).any() for a, t in zip(before, silent.topics))


def test_bad_answers_are_named_and_the_others_count():
    loop, rows, Y = made()
    first, second = run(loop, rows, Y, answer=False)[:2]
    wrong = loop.judge_all([
        Answer("no such", first.document, True),
        Answer(first.topic, "never seen", True),
        Answer(first.topic, first.document, True),
        Answer(first.topic, first.document, True),
        Answer(first.topic, first.document, False),
        Answer(second.topic, second.document, False),
    ])  # fmt: skip
    assert [reason.split(";")[0] for reason in wrong] == [
        "no topic 'no such'",
        f"document 'never seen' was not shown to topic '{first.topic}'",
        f"judged twice the same: document '{first.document}', topic '{first.topic}'",
        f"contradicts the earlier judgement: document '{first.document}', topic '{first.topic}'",
    ]
    assert loop.topics[loop.number[first.topic]].answer(first.document) is True
    assert loop.topics[loop.number[second.topic]].answer(second.document) is False


def test_a_changed_or_withdrawn_answer_reaches_the_index():
    loop, rows, Y = made("rel+ig")
    shown = [o for o in run(loop, rows, Y) if o.topic == "t0"]
    loop.withdraw("t0", shown[0].document)
    loop.change("t0", shown[1].document, not Y[int(shown[1].document), 0])
    topics, m, v = loop.index.near(rows[7], everything=True)
    for t, a, b in zip(topics, m, v):
        assert (a, b) == pytest.approx(loop.topics[t].profile.field(rows[7]), abs=1e-12)
    with pytest.raises(BadInput, match="no judgement to change or withdraw"):
        loop.withdraw("t0", shown[0].document)


def test_documents_out_of_order_are_processed_and_named():
    loop, rows, _ = made()
    loop.process("new", rows[0], "2025-02-01")
    loop.process("old", rows[1], "2025-01-01")
    loop.process("undated", rows[2])
    assert loop.problems == ["document 'old' of 2025-01-01 comes after one of 2025-02-01"]
    assert loop.index.n_documents == 3


def test_a_budget_is_kept_every_day():
    loop, rows, Y = made("ig", budget=Budget(2))
    shown = run(loop, rows, Y)
    per_day = np.bincount([int(o.document) // 20 for o in shown if o.kind == "asked"], minlength=15)
    assert per_day.max() == 2
    assert per_day.sum() > 15


def test_a_target_is_met_about():
    loop, rows, Y = made("target", target=20, step=0.1)
    run(loop, rows, Y)
    assert all(12 <= t.profile.counters.shown <= 60 for t in loop.topics)
    assert all(t.profile.counters.asked <= 20 for t in loop.topics)


def test_the_same_seed_gives_the_same_questions():
    a, b = (run(*made("rnd")) for _ in range(2))
    assert [(o.topic, o.document, o.kind) for o in a] == [(o.topic, o.document, o.kind) for o in b]


def test_topics_need_names_of_their_own_and_strategies_must_exist():
    profile = Profile.start("t", statement=Row.of({0: 1.0}))
    with pytest.raises(BadInput, match="two topics are named 't'"):
        Filter([profile, profile])
    for name in ("igg", "ig+rnd", "rel+rel+x"):
        with pytest.raises(BadInput, match="no strategy"):
            strategy_of(name)
    with pytest.raises(BadInput, match="not positive"):
        Strategy(target=0)
    with pytest.raises(BadInput, match="questions a day"):
        Budget(-1)


@pytest.mark.parametrize("strategy", ["rel+ig", "target", "rnd"])
def test_a_saved_filter_goes_on_as_the_first_would(strategy, tmp_path):
    loop, rows, Y = made(strategy, budget=Budget(3) if strategy == "rel+ig" else None)
    shown = run(loop, rows, Y, end=150)
    loop.process("not answered", rows[0])
    write_model(tmp_path / "filter", state_of(loop), {}, kind="filter", labels=[], training={})
    write_model(tmp_path / "again", state_of(filter_of(state_of(loop))), {}, kind="filter", labels=[], training={})
    assert (tmp_path / "filter").read_bytes() == (tmp_path / "again").read_bytes()
    other = filter_of(read_model(tmp_path / "filter", {}, kind="filter").model)
    for it in (loop, other):
        it.withdraw(shown[0].topic, shown[0].document)
    first, second = (run(it, rows, Y, begin=150) for it in (loop, other))
    assert first == second
    assert first
    write_model(tmp_path / "a", state_of(loop), {}, kind="filter", labels=[], training={})
    write_model(tmp_path / "b", state_of(other), {}, kind="filter", labels=[], training={})
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()
