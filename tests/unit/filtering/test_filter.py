"""The filter: what is shown, answers at any time and bad ones, budgets and strategies."""

import numpy as np
import pytest
from tests.unit.filtering.streams import made, run
from tests.unit.filtering.texts import FullLog

from bayesift.errors import BadInput
from bayesift.filtering import Answer, Budget, Filter, Profile, ProfileSettings, Row, Strategy, save_filter, strategy_of


@pytest.mark.parametrize("sample", [True, False])
@pytest.mark.parametrize("learner", ["flip-perceptron", "perceptron", "diagonal-perceptron"])
@pytest.mark.parametrize(
    "strategy", ["none", "rnd", "ig", "rel+ig", "pace", "region", "utility", "f1", "rel-recent+target"]
)
def test_every_strategy_delivers_what_is_probable_and_says_why(strategy, learner, sample):
    stream, rows, Y = made(strategy, learner=learner, sample=sample)
    shown = run(stream, rows, Y)
    assert any(o.kind == "delivered" for o in shown)
    assert all((o.kind == "delivered") == (o.probability > 0.5) for o in shown)
    assert any(o.kind == "asked" for o in shown) == (strategy != "none")
    assert all(o.sd > 0 and len(o.words) <= 8 for o in shown)
    if strategy in ("ig", "rel+ig"):
        assert all(o.gain > 0.001 for o in shown if o.kind == "asked")
    assert not stream.waiting
    assert sum(t.profile.counters.shown for t in stream.topics) == len(shown)


def test_the_words_make_up_the_mean_of_the_field():
    stream, rows, _ = made()
    all_ = [o for i, row in enumerate(rows[:50]) for o in stream.process(str(i), row, include_passed=True)]
    outcomes = [o for o in all_ if len(o.words) < 8]
    assert {o.kind for o in outcomes} >= {"passed", "asked"}
    outcome = next(o for o in outcomes if o.kind == "passed")
    profile = stream.topics[stream.number[outcome.topic]].profile
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
    stream, rows, Y = made()
    first, second = run(stream, rows, Y, answer=False)[:2]
    wrong = stream.judge_all([
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
    assert stream.topics[stream.number[first.topic]].answer(first.document) is True
    assert stream.topics[stream.number[second.topic]].answer(second.document) is False


def test_a_changed_or_withdrawn_answer_reaches_the_index():
    stream, rows, Y = made("rel+ig")
    shown = [o for o in run(stream, rows, Y) if o.topic == "t0"]
    stream.withdraw("t0", shown[0].document)
    stream.change("t0", shown[1].document, not Y[int(shown[1].document), 0])
    topics, m, v = stream.decisions.index.near(rows[7])
    for t, a, b in zip(topics, m, v):
        assert (a, b) == pytest.approx(stream.topics[t].profile.field(rows[7]), abs=1e-12)
    with pytest.raises(BadInput, match="no judgement to change or withdraw"):
        stream.withdraw("t0", shown[0].document)


@pytest.mark.parametrize("answer", ["no", 2, 1, None, np.array([True, False])])
def test_an_answer_that_is_not_a_boolean_changes_nothing(answer, tmp_path):
    stream, rows, Y = made()
    stream.log = []
    first, second = run(stream, rows, Y, answer=False)[:2]
    stream.judge(second.topic, second.document, np.bool_(True))
    events, before = len(stream.log), tmp_path / "before"
    save_filter(stream, before)
    for call in (stream.judge, stream.change):
        with pytest.raises(BadInput, match="is not a boolean; give True"):
            call(*(first if call == stream.judge else second).about, answer)
    assert stream.judge_all([Answer(first.topic, first.document, answer)]) != []
    save_filter(stream, tmp_path / "after")
    assert before.read_bytes() == (tmp_path / "after").read_bytes()
    assert len(stream.log) == events
    stream.judge(first.topic, first.document, False)  # the right answer is not a contradiction
    assert stream.topics[stream.number[second.topic]].answer(second.document) is True


def test_a_vector_that_is_not_finite_changes_nothing():
    stream, _, _ = made()
    with pytest.raises(BadInput, match="not finite"):
        stream.judge("t0", "d", True, Row(np.array([1], np.int32), np.array([np.nan])))
    assert stream.topics[0].answer("d") is None


@pytest.mark.parametrize("strategy", ["ig", "rnd"])
def test_a_document_is_shown_once_to_a_topic(strategy):
    stream, rows, Y = made(strategy, target=200)
    first = run(stream, rows, Y, answer=False)
    shown = {(o.topic, o.document) for o in first}
    assert not shown & {(o.topic, o.document) for o in run(stream, rows, Y, answer=False)}
    stream.judge(*first[0].about, True)
    again = stream.process(first[0].document, rows[int(first[0].document)], include_passed=True)
    assert [o.kind for o in again if o.topic == first[0].topic] in ([], ["passed"])


def test_a_withdrawn_answer_can_be_given_again():
    stream, rows, Y = made()
    o = run(stream, rows, Y)[0]
    stream.withdraw(o.topic, o.document)
    assert list(stream.waiting) == [o.about]
    stream.judge(o.topic, o.document, True)
    assert stream.topics[stream.number[o.topic]].answer(o.document) is True
    assert not stream.waiting


def test_a_long_stream_keeps_a_bounded_number_of_questions_and_problems():
    stream = Filter([Profile.start("t", statement=Row.of({0: 1.0}))], Strategy("none"), most_waiting=50)
    for i in range(500):
        assert stream.process(f"d{i}", Row.of({0: 1.0}), f"{9999 - i}")
    assert list(stream.waiting) == [("t", f"d{i}") for i in range(450, 500)]
    assert (len(stream.problems), stream.n_problems) == (100, 499)
    assert stream.topics[0].surviving == []
    with pytest.raises(BadInput, match="too long ago"):
        stream.judge("t", "d0", True)
    stream.judge("t", "d450", True)


def test_events_go_to_the_log_that_is_given():
    stream, rows, Y = made()
    stream.log = []
    shown = run(stream, rows, Y)
    stream.withdraw(*shown[0].about)
    assert [type(event).__name__ for event in stream.log[:2]] == ["Shown", "Judged"]
    assert len(stream.log) == 2 * len(shown) + 1


def test_what_cannot_be_logged_is_not_learned(tmp_path):
    stream, rows, Y = made()
    topic, document = run(stream, rows, Y, answer=False)[0].about
    stream.log = log = FullLog()
    save_filter(stream, tmp_path / "before")
    with pytest.raises(BadInput, match="no judgement to change or withdraw"):
        stream.withdraw(topic, document)
    log.room = 0
    with pytest.raises(OSError, match="No space"):
        stream.judge(topic, document, True)
    save_filter(stream, tmp_path / "after")
    assert (tmp_path / "before").read_bytes() == (tmp_path / "after").read_bytes()
    assert log == []
    log.room = 1
    stream.judge(topic, document, True)
    assert len(log) == 1


def test_target_asks_without_a_sample():
    stream, rows, Y = made("target", target=20, step=0.1, sample=False)
    run(stream, rows, Y)
    assert all(5 <= t.profile.counters.asked <= 20 for t in stream.topics)
    assert all(t.profile.counters.shown >= 15 for t in stream.topics)


def test_changed_answers_leave_nothing_behind_in_the_index():
    statements = {"t": Row.of({0: 0.8, 1: 0.6}), "u": Row.of({1: 1.0})}
    stream = Filter([Profile.start(name, statement=row) for name, row in statements.items()])
    stream.process("d", Row.of({0: 1.0}))
    stream.judge("t", "d", True)
    for i in range(200):
        stream.change("t", "d", i % 2 == 1)
    assert stream.decisions.index.n_postings == 3
    assert stream.decisions.index.length[:2].tolist() == [1, 2]


@pytest.mark.parametrize("seed", range(3))
def test_the_index_follows_terms_that_come_and_go(seed):
    stream, rows, Y = made("rel+ig", target=200)
    rng, most = np.random.default_rng(seed), 0
    run(stream, rows[:100], Y)
    for _ in range(40):
        answered = [(t.name, d) for t in stream.topics for d in t.answers]
        most = max(most, sum(t.profile.terms.size for t in stream.topics))
        topic, document = answered[rng.integers(len(answered))]
        stream.withdraw(topic, document)
        if rng.random() < 0.5:
            stream.judge(topic, document, bool(rng.random() < 0.5))
    topics, m, v = stream.decisions.index.near(rows[7])
    assert topics.tolist() == sorted(topics)
    for t, a, b in zip(topics, m, v):
        assert (a, b) == pytest.approx(stream.topics[t].profile.field(rows[7]), abs=1e-12)
    assert stream.decisions.index.length.sum() == sum(t.profile.terms.size for t in stream.topics)
    assert stream.decisions.index.n_postings <= most + 1


def test_checkpoints_take_about_as_much_memory_as_the_belief():
    statement = Row(np.arange(300, dtype=np.int32), np.full(300, 0.05))
    settings = ProfileSettings(min_statistic=1e9, initial_terms=300)
    stream = Filter([Profile.start("t", settings, statement=statement)])
    topic = stream.topics[0]
    for i in range(300):
        stream.judge("t", f"d{i}", i % 2 == 0, Row.of({i: 1.0, 300 + i: 1.0}))
    held = sum(array.nbytes for _, arrays in topic.checkpoints for array in arrays.values())
    assert len(topic.checkpoints) == 3
    assert held < 2.0 * topic.profile.belief.table.nbytes


def test_documents_out_of_order_are_processed_and_named():
    stream, rows, _ = made()
    stream.process("new", rows[0], "2025-02-01")
    stream.process("old", rows[1], "2025-01-01")
    stream.process("undated", rows[2])
    assert stream.problems == ["document 'old' of 2025-01-01 comes after one of 2025-02-01"]
    assert stream.n_documents == 3


def test_a_budget_is_kept_every_day():
    stream, rows, Y = made("ig", budget=Budget(2))
    shown = run(stream, rows, Y)
    per_day = np.bincount([int(o.document) // 20 for o in shown if o.kind == "asked"], minlength=15)
    assert per_day.max() == 2
    assert per_day.sum() > 15


def test_a_target_is_met_about():
    stream, rows, Y = made("target", target=20, step=0.1)
    run(stream, rows, Y)
    assert all(12 <= t.profile.counters.shown <= 60 for t in stream.topics)
    assert all(t.profile.counters.asked <= 20 for t in stream.topics)


def test_the_same_seed_gives_the_same_questions():
    a, b = (run(*made("rnd")) for _ in range(2))
    assert [(o.topic, o.document, o.kind) for o in a] == [(o.topic, o.document, o.kind) for o in b]


def test_topics_need_names_of_their_own_and_strategies_must_exist():
    profile = Profile.start("t", statement=Row.of({0: 1.0}))
    with pytest.raises(BadInput, match="two topics are named 't'"):
        Filter([profile, profile])
    wrong = ["igg", "ig+rnd", "rel+rel+x", "", "rel+", "+ig", "rel+rel+ig", "rel+rel-recent+ig", "none+ig", "ig+rel", 7]
    for name in wrong:
        with pytest.raises(BadInput, match="no strategy"):
            strategy_of(name)
    assert strategy_of("rel")[0].name == strategy_of("rel-recent+none")[0].name == "none"
    for settings, reason in (({"horizon": "5"}, "horizon is '5'"), ({"balance": None}, "balance is None")):
        with pytest.raises(BadInput, match=reason):
            Strategy("target", **settings)
    with pytest.raises(BadInput, match="out of range"):
        Strategy(target=0)
    with pytest.raises(BadInput, match="questions per day"):
        Budget(-1)
    with pytest.raises(BadInput, match="random seed is -1"):
        Filter([profile], seed=-1)
    assert Strategy(target=10_000).theta(0) == pytest.approx(0.001)
