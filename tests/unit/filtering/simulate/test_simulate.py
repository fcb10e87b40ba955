"""Simulated judgements, the report, the command, and what is odd about a stream."""

import json
import re

import numpy as np
import pytest

from bayesift.errors import BadInput
from bayesift.filtering import ProfileSettings, read_log, strategy_of
from bayesift.filtering.simulate.simulation import Judge, Tally, Trace, growth_curve, simulate
from bayesift.filtering.simulate.stream_task import in_order_of_date, prepare

SUBJECTS = {"farm": "wheat corn barley harvest tractor field", "sea": "ship port cargo tanker harbour sail"}


def texts(n=240, seed=0):
    rng = np.random.default_rng(seed)
    common = ["market", "price", "report", "week", "company", "said", "year", "new", "trade", "rise"]
    lines = []
    for i in range(n):
        labels = [name for name in SUBJECTS if rng.random() < 0.2]
        words = [*rng.choice(common, 12), *(w for name in labels for w in rng.choice(SUBJECTS[name].split(), 3))]
        date = f"2025-{1 + i // 28:02}-{1 + i % 28:02}"
        lines.append(json.dumps({"id": str(i), "text": " ".join(words), "labels": labels, "date": date}))
    return lines


@pytest.fixture
def stream(tmp_path):
    path = tmp_path / "news.jsonl"
    path.write_text("\n".join(texts()) + "\n")
    return path


def task_of(path, **options):
    from bayesift.corpora import read_documents

    return prepare("news", read_documents(path), 0.3, **options)


def run_once(task, name="rel+ig", **judge):
    strategy, again = strategy_of(name, horizon=len(task.rows))
    return simulate(task, list(SUBJECTS), strategy, ProfileSettings(again=again), judge=Judge(**judge))


def test_a_stream_is_filtered_and_measured(stream):
    task = task_of(stream)
    trace, loop = run_once(task)
    measured = trace.measures()
    assert measured["macro recall"] > 60
    assert measured["macro precision"] > 60
    assert measured["total retrieved"] == sum(t.shown for t in trace.tallies) == len(trace.shown)
    assert trace.moments[-1].documents == len(task.rows)
    assert trace.moments[-1].relevant_shown == measured["relevant retrieved"]
    assert [t.profile.counters.shown for t in loop.topics] == [t.shown for t in trace.tallies]
    assert not loop.waiting


def test_a_vocabulary_that_grows_knows_words_of_the_stream(stream):
    fixed, growing = task_of(stream), task_of(stream, grow=True)
    assert max(r.columns.max() for r in growing.rows) >= max(r.columns.max() for r in fixed.rows)
    assert len(growing.rows) == len(fixed.rows)


def test_answers_that_are_late_missing_or_wrong(stream):
    task = task_of(stream)
    _, late = run_once(task, delay=30)
    _, silent = run_once(task, missing=1.0)
    assert all(t.profile.counters.relevant + t.profile.counters.irrelevant == 0 for t in silent.topics)
    answered = sum(t.profile.counters.relevant + t.profile.counters.irrelevant for t in late.topics)
    assert 0 < answered < sum(t.profile.counters.shown for t in late.topics)
    assert len(late.waiting) == sum(t.profile.counters.shown for t in late.topics) - answered
    honest, liar = run_once(task)[0].measures(), run_once(task, noise=0.5)[0].measures()
    assert liar["T9U"] < honest["T9U"]


def test_measures_of_given_tallies():
    trace = Trace("x", [Tally("a", 20, 10, 10, 8, 2), Tally("b", 10, 0, 0, 0, 0)])
    measured = trace.measures()
    assert measured["T9P"] == pytest.approx(100 * (10 / 50) / 2)
    assert measured["macro recall"] == pytest.approx(25.0)
    assert measured["asked relevant, %"] == pytest.approx(20.0)
    assert measured["zero returns"] == 1
    assert measured["T9U"] == pytest.approx((2 * 10 - 10) / 2)


def test_growth_is_the_mean_over_topics():
    at, terms = growth_curve([(0, 10), (1, 12), (1, 14)])
    assert at.tolist() == [0, 1]
    assert terms.tolist() == [10, 13]
    assert growth_curve([])[0].size == 0


def test_a_stream_needs_two_parts(stream):
    from bayesift.corpora import read_documents

    with pytest.raises(BadInput, match="cannot be parted"):
        prepare("news", read_documents(stream), 0.0)
    with pytest.raises(BadInput, match="share of 2"):
        prepare("news", read_documents(stream), 2.0)


def test_dates_order_and_ties_stay(stream):
    from bayesift.corpora import read_documents

    documents = list(read_documents(stream))
    assert in_order_of_date(documents[::-1])[-1].id == documents[-1].id


def test_the_command_writes_a_page_that_needs_nothing_else(run, stream, tmp_path):
    page, log = tmp_path / "report.html", tmp_path / "log.jsonl"
    code, out, err = run("simulate", stream, "--strategy", "none", "--strategy", "rel+ig", "--train", 0.3,
                         "--report", page, "--log", log)  # fmt: skip
    assert code == 0, err
    assert re.search(r"rel\+ig\tT9P\t[\d.]+", out)
    text = page.read_text()
    assert text.count('<svg class="chart"') == 7
    assert not re.search(r'(src|href)="https?:', text)
    assert "farm" in text
    assert "bits" in text
    assert sum(1 for _ in read_log(log)) > 50


def test_a_name_is_one_learner_in_training_and_in_the_simulation(stream):
    from bayesift.classify.registry import LEARNERS, TOPICS_ONLY, learner_of
    from bayesift.errors import NotFound
    from bayesift.filtering.learners import TOPIC_LEARNERS

    assert set(TOPICS_ONLY) == set(TOPIC_LEARNERS) - set(LEARNERS)
    for name in TOPICS_ONLY:
        with pytest.raises(NotFound, match="is for the topics of `simulate` only"):
            learner_of(name)
    task = task_of(stream)
    targets = np.array([["farm" in labels] for labels in task.training_labels], int)
    for name in set(TOPIC_LEARNERS) & set(LEARNERS):
        model = learner_of(name).fit(task.training, targets)
        settings = ProfileSettings(name, min_terms=0)
        profile = task.profile("farm", settings)
        assert np.sort(profile.terms).tolist() == model.terms_[0].tolist()
        X = task.vectorizer.transform(task.documents[:40])
        ours = [profile.probability(row) for row in task.rows[:40]]
        assert ours == pytest.approx(model.predict_proba(X)[:, 0].tolist(), abs=1e-12)


def test_a_broad_topic_starts_with_enough_terms(stream):
    """A topic whose words are each too rare for the cut used to start with none, and never learned any."""
    task = task_of(stream)
    rng = np.random.default_rng(0)
    task.training_labels[:] = [("any",) if rng.random() < 0.3 else () for _ in task.training_labels]
    assert task.profile("any", ProfileSettings(min_terms=0)).terms.size < 5
    assert task.profile("any", ProfileSettings(min_terms=12)).terms.size == 12


def test_the_same_seed_gives_the_same_figures(run, stream):
    a, b = (run("simulate", stream, "--strategy", "rnd", "--train", 0.3, "--noise", 0.1, "--seed", 3)[1] for _ in "ab")
    assert a == b


def test_a_stream_that_ends_within_a_line_is_named_and_the_rest_is_used(run, tmp_path):
    path = tmp_path / "cut.jsonl"
    path.write_text(("\n".join(texts()))[:-20])
    assert run("simulate", path, "--train", 0.3).code == 2  # as every other verb
    code, out, err = run("simulate", path, "--train", 0.3, "--skip-bad")
    assert code == 0
    assert "cut.jsonl:240: not JSON" in err
    assert "T9P" in out


def test_documents_out_of_order_are_named(run, tmp_path):
    path = tmp_path / "mixed.jsonl"
    lines = texts()
    path.write_text("\n".join([*lines[:150], *lines[200:], *lines[150:200]]))
    code, _, err = run("simulate", path, "--train", 0.3)
    assert code == 0
    assert "comes after one of" in err
    code, _, err = run("simulate", path, "--train", 0.3, "--by-date")
    assert code == 0
    assert "comes after" not in err


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (("--topics", "air"), "topic 'air' has no example and no statement"),
        (("--strategy", "igg"), "no strategy 'igg'"),
        (("--learner", "svm"), "no learner 'svm'"),
        (("--learner", "bomc"), "learners of topics are: flip-perceptron, perceptron, diagonal-perceptron"),
        (("--noise", 2), "noise out of range"),
        (("--pool",), "a pool is ranked for one topic; name one with --topics: farm, sea"),
        (("--pool", "--topics", "farm", "--stop", 0), "--stop is 0"),
        (("--train", 0.01), "no label has 8 documents"),
        (("--train", "nan"), "--train is nan"),
        (("--target", 10**9), "target, horizon, width or step is out of range"),
        (("--seed", -5), "--seed"),
        (("--seed", 10**40), "--seed"),
        (("--stop", 0.5), "--stop has no effect without --pool"),
        (("--strategy", "none", "--target", 20), "--target has no effect with --strategy none"),
        (("--strategy", "rel+ig", "--budget", 3, "--target", 20), "--target has no effect"),
        (("--strategy", "rel+rnd", "--budget", 3), "--budget has no effect with --strategy rel+rnd"),
    ],
)
def test_what_is_wrong_is_said_in_one_line(run, stream, arguments, reason):
    code, out, err = run("simulate", stream, *arguments)
    assert code == 2
    assert out == ""
    assert reason in err
    assert "Traceback" not in err


@pytest.mark.parametrize(
    "option",
    [
        "--statements=x", "--strategy=ig", "--learner=perceptron", "--all-terms", "--train=0.3", "--grow", "--target=9",
        "--budget=2", "--delay=3", "--missing=0.1", "--noise=0.1", "--by-date", "--log=x",
    ],
)  # fmt: skip
def test_options_of_a_stream_are_refused_with_a_pool(run, option):
    code, out, err = run("simulate", "no-such-file.jsonl", "--pool", option)  # refused before anything is read
    assert (code, out) == (2, "")
    assert f"{option.partition('=')[0]} has no effect with --pool" in err


def test_a_large_target_shows_as_many_as_there_are(run, stream):
    code, out, err = run("simulate", stream, "--train", 0.3, "--target", 10_000)
    assert code == 0, err
    assert "rel+ig\ttotal retrieved" in out


def test_statements_of_other_topics_are_named(run, stream, tmp_path):
    about = tmp_path / "about.jsonl"
    lines = [json.dumps({"id": topic, "text": "wheat corn barley"}) for topic in ("farm", "no-topic")]
    about.write_text("\n".join(lines))
    code, _, err = run("simulate", stream, "--train", 0.3, "--statements", about)
    assert code == 0
    assert "not simulated: no-topic" in err
    about.write_text(lines[1])
    code, out, err = run("simulate", stream, "--train", 0.3, "--statements", about)
    assert (code, out) == (2, "")
    assert "--statements has none of the topics farm, sea" in err


def test_a_pool_without_labels_says_so(run, tmp_path):
    path = tmp_path / "plain.jsonl"
    path.write_text('{"id": "1", "text": "wheat"}\n{"id": "2", "text": "ship"}\n')
    code, _, err = run("simulate", path, "--pool")
    assert code == 2
    assert "there is no field 'labels'; fields are: id, text" in err


def test_a_topic_without_examples_may_have_a_statement(run, stream, tmp_path):
    about = tmp_path / "about.jsonl"
    about.write_text(json.dumps({"id": "harvest", "text": "wheat corn barley harvest"}) + "\n")
    code, out, err = run("simulate", stream, "--train", 0.3, "--topics", "harvest", "--statements", about)
    assert code == 0, err
    shown = next(line for line in out.splitlines() if "total retrieved" in line)
    assert float(shown.split("\t")[2]) > 0


def test_an_unknown_stream(run):
    code, _, err = run("simulate", "no-such-file.jsonl")
    assert code == 2
    assert "no such file or corpus" in err


def test_an_interrupt_leaves_no_half_report(run, stream, tmp_path, monkeypatch):
    def interrupted(*_args, **_options):
        raise KeyboardInterrupt

    monkeypatch.setattr("bayesift.filtering.filter.Filter.process", interrupted)
    code, _, err = run("simulate", stream, "--train", 0.3, "--report", tmp_path / "r.html")
    assert code == 130
    assert "interrupted" in err
    assert sorted(p.name for p in tmp_path.iterdir()) == ["news.jsonl"]


def test_a_pool_is_ranked_and_what_is_unseen_is_stated(run, stream, tmp_path):
    code, out, err = run("simulate", stream, "--pool", "--topics", "farm", "--report", tmp_path / "pool.html")
    assert code == 0, err
    figures = dict(line.split("\t")[1:] for line in out.splitlines())
    assert float(figures["WSS@95"]) > 0.5
    assert float(figures["low"]) <= float(figures["unseen"]) <= float(figures["high"])
    assert (tmp_path / "pool.html").read_text().count('<svg class="chart"') == 2
