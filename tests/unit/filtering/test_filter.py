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
    load_filter,
    rows_of,
    save_filter,
    strategy_of,
)


def made(strategy="ig", n_topics=3, budget=None, learner="flip-perceptron", **settings):
    rng = np.random.default_rng(0)
    X = sparse.csr_matrix(sparse.random(400, 60, 0.12, "csr", rng=rng))
    X.sort_indices()
    Y = np.column_stack([np.asarray(X[:, 4 * t : 4 * t + 4].sum(axis=1)).ravel() > 0.9 for t in range(n_topics)])
    chosen, again = strategy_of(strategy, **({"horizon": 300} | settings))
    profiles = [
        Profile.start(f"t{t}", ProfileSettings(learner, min_statistic=3.0, again=again), training=X[:100],
                      relevant=np.flatnonzero(Y[:100, t]))
        for t in range(n_topics)
    ]  # fmt: skip
    loop = Filter(profiles, chosen, budget=budget)
    relevant = {f"t{t}": np.flatnonzero(Y[:100, t]).tolist() for t in range(n_topics)}
    loop.set_initial_thresholds(list(rows_of(X[:100])), relevant)
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


@pytest.mark.parametrize("learner", ["flip-perceptron", "perceptron", "diagonal-perceptron"])
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
    all_ = [o for i, row in enumerate(rows[:50]) for o in loop.process(str(i), row, include_passed=True)]
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
        f"document 'never seen' was not shown to topic '{first.topic}', or too long ago",
        f"duplicate judgement: document '{first.document}', topic '{first.topic}'",
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


@pytest.mark.parametrize("answer", ["no", 2, 1, None, np.array([True, False])])
def test_an_answer_that_is_not_a_boolean_changes_nothing(answer, tmp_path):
    loop, rows, Y = made()
    loop.log = []
    first, second = run(loop, rows, Y, answer=False)[:2]
    loop.judge(second.topic, second.document, np.bool_(True))
    events, before = len(loop.log), tmp_path / "before"
    save_filter(loop, before)
    for call in (loop.judge, loop.change):
        with pytest.raises(BadInput, match="is not a boolean; give True"):
            call(*(first if call == loop.judge else second).about, answer)
    assert loop.judge_all([Answer(first.topic, first.document, answer)]) != []
    save_filter(loop, tmp_path / "after")
    assert before.read_bytes() == (tmp_path / "after").read_bytes()
    assert len(loop.log) == events
    loop.judge(first.topic, first.document, False)  # the right answer is not a contradiction
    assert loop.topics[loop.number[second.topic]].answer(second.document) is True


def test_a_vector_that_is_not_finite_changes_nothing():
    loop, _, _ = made()
    with pytest.raises(BadInput, match="not finite"):
        loop.judge("t0", "d", True, Row(np.array([1], np.int32), np.array([np.nan])))
    assert loop.topics[0].answer("d") is None


@pytest.mark.parametrize("strategy", ["ig", "rnd"])
def test_a_document_is_shown_once_to_a_topic(strategy):
    loop, rows, Y = made(strategy, target=200)
    first = run(loop, rows, Y, answer=False)
    shown = {(o.topic, o.document) for o in first}
    assert not shown & {(o.topic, o.document) for o in run(loop, rows, Y, answer=False)}
    loop.judge(*first[0].about, True)
    again = loop.process(first[0].document, rows[int(first[0].document)], include_passed=True)
    assert [o.kind for o in again if o.topic == first[0].topic] in ([], ["passed"])


def test_a_withdrawn_answer_can_be_given_again():
    loop, rows, Y = made()
    o = run(loop, rows, Y)[0]
    loop.withdraw(o.topic, o.document)
    assert list(loop.waiting) == [o.about]
    loop.judge(o.topic, o.document, True)
    assert loop.topics[loop.number[o.topic]].answer(o.document) is True
    assert not loop.waiting


def test_a_long_stream_keeps_a_bounded_number_of_questions_and_problems():
    loop = Filter([Profile.start("t", statement=Row.of({0: 1.0}))], Strategy("none"), most_waiting=50)
    for i in range(500):
        assert loop.process(f"d{i}", Row.of({0: 1.0}), f"{9999 - i}")
    assert list(loop.waiting) == [("t", f"d{i}") for i in range(450, 500)]
    assert (len(loop.problems), loop.n_problems) == (100, 499)
    assert loop.topics[0].surviving == []
    with pytest.raises(BadInput, match="too long ago"):
        loop.judge("t", "d0", True)
    loop.judge("t", "d450", True)


def test_events_go_to_the_log_that_is_given():
    loop, rows, Y = made()
    loop.log = []
    shown = run(loop, rows, Y)
    loop.withdraw(*shown[0].about)
    assert [type(event).__name__ for event in loop.log[:2]] == ["Shown", "Judged"]
    assert len(loop.log) == 2 * len(shown) + 1


def test_target_asks_without_a_sample():
    loop, rows, Y = made("target", target=20, step=0.1)
    alone = Filter([topic.profile for topic in loop.topics], loop.strategy)
    run(alone, rows, Y)
    assert all(5 <= t.profile.counters.asked <= 20 for t in alone.topics)
    assert all(t.profile.counters.shown >= 15 for t in alone.topics)


def test_changed_answers_leave_nothing_behind_in_the_index():
    statements = {"t": Row.of({0: 0.8, 1: 0.6}), "u": Row.of({1: 1.0})}
    loop = Filter([Profile.start(name, statement=row) for name, row in statements.items()])
    loop.process("d", Row.of({0: 1.0}))
    loop.judge("t", "d", True)
    for i in range(200):
        loop.change("t", "d", i % 2 == 1)
    assert loop.index.n_postings == 3
    assert loop.index.length[:2].tolist() == [1, 2]


@pytest.mark.parametrize("seed", range(3))
def test_the_index_follows_terms_that_come_and_go(seed):
    loop, rows, Y = made("rel+ig", target=200)
    rng, most = np.random.default_rng(seed), 0
    run(loop, rows[:100], Y)
    for _ in range(40):
        answered = [(t.name, d) for t in loop.topics for d in t.answers]
        most = max(most, sum(t.profile.terms.size for t in loop.topics))
        topic, document = answered[rng.integers(len(answered))]
        loop.withdraw(topic, document)
        if rng.random() < 0.5:
            loop.judge(topic, document, bool(rng.random() < 0.5))
    topics, m, v = loop.index.near(rows[7], everything=True)
    assert topics.tolist() == sorted(topics)
    for t, a, b in zip(topics, m, v):
        assert (a, b) == pytest.approx(loop.topics[t].profile.field(rows[7]), abs=1e-12)
    assert loop.index.length.sum() == sum(t.profile.terms.size for t in loop.topics)
    assert loop.index.n_postings <= most + 1


def test_checkpoints_take_about_as_much_memory_as_the_belief():
    statement = Row(np.arange(300, dtype=np.int32), np.full(300, 0.05))
    settings = ProfileSettings(min_statistic=1e9, initial_terms=300)
    loop = Filter([Profile.start("t", settings, statement=statement)])
    topic = loop.topics[0]
    for i in range(300):
        loop.judge("t", f"d{i}", i % 2 == 0, Row.of({i: 1.0, 300 + i: 1.0}))
    held = sum(array.nbytes for _, arrays in topic.checkpoints for array in arrays.values())
    assert len(topic.checkpoints) == 3
    assert held < 2.0 * topic.profile.belief.table.nbytes


def test_files_of_another_kind_are_refused(tmp_path):
    from bayesift import TextClassifier
    from bayesift.classify import load

    loop, _, _ = made()
    save_filter(loop, tmp_path / "filter")
    with pytest.raises(BadInput, match="holds a Filter, not a TextClassifier"):
        load(tmp_path / "filter")
    TextClassifier("categoriser").fit(["wheat rose", "oil fell"] * 9, ["grain", "crude"] * 9).save(tmp_path / "model")
    with pytest.raises(BadInput, match="holds a TextClassifier, not a Filter"):
        load_filter(tmp_path / "model")


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
    with pytest.raises(BadInput, match="out of range"):
        Strategy(target=0)
    with pytest.raises(BadInput, match="questions per day"):
        Budget(-1)
    with pytest.raises(BadInput, match="random seed is -1"):
        Filter([profile], seed=-1)
    assert Strategy(target=10_000).theta(0) == pytest.approx(0.001)


@pytest.mark.parametrize("strategy", ["rel+ig", "target", "rnd"])
def test_a_saved_filter_goes_on_as_the_first_would(strategy, tmp_path):
    loop, rows, Y = made(strategy, budget=Budget(3) if strategy == "rel+ig" else None)
    shown = run(loop, rows, Y, end=150)
    loop.process("not answered", rows[0])
    save_filter(loop, tmp_path / "filter")
    save_filter(load_filter(tmp_path / "filter"), tmp_path / "again")
    assert (tmp_path / "filter").read_bytes() == (tmp_path / "again").read_bytes()
    other = load_filter(tmp_path / "filter")
    for it in (loop, other):
        it.withdraw(shown[0].topic, shown[0].document)
    first, second = (run(it, rows, Y, begin=150) for it in (loop, other))
    assert first == second
    assert first
    save_filter(loop, tmp_path / "a")
    save_filter(other, tmp_path / "b")
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()
