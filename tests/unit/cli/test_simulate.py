"""The command `simulate`: its figures, its page, its log, and what it says about bad input."""

import json
import re

import pytest
from tests.news import texts

from bayesift.filtering import read_log
from bayesift.filtering.events import Judged


@pytest.fixture
def stream(tmp_path):
    path = tmp_path / "news.jsonl"
    path.write_text("\n".join(texts()) + "\n")
    return path


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
        (("--topics", "air"), "no document has the label 'air'; some that documents have: farm, sea"),
        (("--strategy", "igg"), "no strategy 'igg'"),
        (("--strategy", "t9p"), "'t9p' is for the learner gp, which simulate does not have"),
        (("--strategy", "daily"), "'daily' is for the learner gp, which simulate does not have"),
        (("--learner", "svm"), "no learner 'svm'"),
        (("--learner", "bomc"), "learners of topics are: flip-perceptron, perceptron, diagonal-perceptron"),
        (("--noise", 2), "noise out of range"),
        (("--pool",), "a pool is screened for one topic; name one with --topics: farm, sea"),
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


def test_the_language_is_that_of_the_text(run, tmp_path):
    path = tmp_path / "ernte.jsonl"
    farm = ["Die Ernten sind gut", "Der Ernte und dem Feld", "Das Feld und die Ernte"]
    other = ["Das Schiff und der Hafen", "Die Schiffe sind im Hafen", "Ein Hafen und das Schiff"]
    lines = [{"text": text, "labels": ["farm"] if text in farm else []} for text in (farm + other) * 10]
    path.write_text("\n".join(json.dumps({"id": str(i)} | line) for i, line in enumerate(lines)))
    terms = {}
    for language in ("english", "de"):
        log = tmp_path / f"{language}.jsonl"
        code, _, err = run("simulate", path, "--train", 0.5, "--language", language, "--log", log)
        assert code == 0, err
        judged = [event for event in read_log(log) if isinstance(event, Judged)]
        terms[language] = max(column for event in judged for column in event.columns)
    assert terms["de"] < terms["english"]  # German stop words are left out, and forms of a word are one term
    for more, reason in (((), "klingon"), (("--pool", "--topics", "farm"), "--language has no effect with --pool")):
        code, out, err = run("simulate", path, "--language", "klingon", *more)
        assert (code, out) == (2, "")
        assert reason in err


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


def test_a_pool_is_screened_and_what_remains_is_estimated(run, stream, tmp_path):
    code, out, err = run("simulate", stream, "--pool", "--topics", "farm", "--report", tmp_path / "pool.html")
    assert code == 0, err
    figures = dict(line.split("\t")[1:] for line in out.splitlines())
    assert float(figures["WSS@95"]) > 0.5
    assert float(figures["remaining, low"]) <= float(figures["remaining"]) <= float(figures["remaining, high"])
    assert (tmp_path / "pool.html").read_text().count('<svg class="chart"') == 2
