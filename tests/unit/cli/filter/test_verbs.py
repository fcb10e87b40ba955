"""The verbs of `bayesift filter` in the order in which a new user meets them."""

import errno
import json
import os
import pathlib
import subprocess
import sys
import warnings

import pytest
from tests.unit.cli.filter.conftest import lines

from bayesift.filtering.incoming import id_of


def items(out):
    return [json.loads(line) for line in out.splitlines()]


def test_the_whole_way(run, given, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "doc.txt").write_text("Corn harvest\nThe corn harvest was good.")
    (tmp_path / "words.csv").write_text("term,mean,scale\ndrought,1.0,0.5\n")
    created = run("filter", "new", "news.db", "--per-day", "10", "--balance", "1")
    assert (created.code, created.out) == (0, "")
    assert "bayesift filter topic add news.db NAME --about" in created.err
    about = ("--about", "wheat and corn harvests", "--example", "doc.txt", "--words", "words.csv")
    assert run("filter", "topic", "add", "news.db", "harvest", *about).code == 0
    given(lines())
    ran = run("filter", "run", "news.db")
    assert ran.code == 0
    assert [item["document"] for item in items(ran.out)] == [f"d{i}" for i in range(12)]  # all: rather see too many
    assert {item["kind"] for item in items(ran.out)} <= {"delivered", "asked"}
    assert "12 documents" in ran.err
    given(lines())
    assert run("filter", "run", "news.db").out == ""  # the same ids again
    shown = run("filter", "inbox", "news.db", "harvest", "--json")
    best = items(shown.out)
    assert [i["probability"] for i in best] == sorted((i["probability"] for i in best), reverse=True)
    plain = run("filter", "inbox", "news.db", "harvest", "--limit", "2")
    assert len(plain.out.splitlines()) == 3
    assert "bayesift filter review news.db harvest" in plain.err
    first = best[0]["document"]
    assert run("filter", "judge", "news.db", "harvest", first, "--relevant").err == f"harvest: {first} relevant\n"
    status = json.loads(run("filter", "status", "news.db", "--json").out)
    assert (status["documents"], status["topics"][0]["relevant"]) == (12, 1)
    assert "12 documents" in run("filter", "status", "news.db").out
    assert run("filter", "export", "news.db", "copy.jsonl.gz").err == "copy.jsonl.gz: 12 documents, 1 topic\n"
    assert run("filter", "import", "other.db", "copy.jsonl.gz").code == 0
    again = run("filter", "inbox", "other.db", "harvest", "--json")
    assert again.out == run("filter", "inbox", "news.db", "harvest", "--json").out


def test_topics_come_and_go(run, news, given, tmp_path):
    (tmp_path / "words.csv").write_text("term,mean,scale\noil,2.0,0.5\n")
    assert run("filter", "topic", "add", news, "oil", "--words", tmp_path / "words.csv").code == 0
    assert run("filter", "topic", "rename", news, "oil", "energy").code == 0
    (tmp_path / "words.csv").write_text("term,mean,scale\nphone,2.0,0.5\n")
    assert run("filter", "topic", "edit", news, "energy", "--words", tmp_path / "words.csv").code == 0
    assert run("filter", "topic", "pause", news, "energy").code == 0
    listed = items(run("filter", "topic", "list", news, "--json").out)
    assert [(topic["name"], topic["state"]) for topic in listed] == [("harvest", "active"), ("energy", "paused")]
    given(lines(6, 12))
    assert {item["topic"] for item in items(run("filter", "run", news).out)} == {"harvest"}
    assert run("filter", "topic", "resume", news, "energy").code == 0
    given(lines(6, 18))
    shown = items(run("filter", "run", news).out)
    assert [item["document"] for item in shown if item["topic"] == "energy"] == ["d23"]
    exported = tmp_path / "energy.json"
    assert run("filter", "topic", "export", news, "energy", exported).code == 0
    assert json.loads(exported.read_text())["words"] == {"phone": [2.0, 0.5]}
    assert json.loads(run("filter", "topic", "export", news, "energy").out)["topic"] == "energy"
    assert run("filter", "topic", "remove", news, "energy").code == 0
    assert "energy" not in run("filter", "topic", "list", news).out
    assert run("filter", "topic", "add", news, "again", "--from", exported).code == 0
    exported.write_text("{}")
    worse = run("filter", "topic", "add", news, "worse", "--from", exported)
    assert worse.err.startswith(f"bayesift: {exported}: not an exported topic")
    exported.write_text('{"documents": 3}')
    other = run("filter", "topic", "add", news, "worse", "--from", exported)
    remedy = "give a file of `bayesift filter topic export`"
    assert (other.code, other.err) == (2, f"bayesift: {exported}: not an exported topic; {remedy}\n")


def test_a_topic_with_its_own_reader(run, news, tmp_path):
    own = ("--per-day", "5", "--balance", "0.9")
    assert "have no effect with 'rel+ig'" in run("filter", "topic", "edit", news, "harvest", *own).err
    run("filter", "new", tmp_path / "own.db")
    run("filter", "topic", "add", tmp_path / "own.db", "harvest", "--about", "wheat")
    assert run("filter", "topic", "edit", tmp_path / "own.db", "harvest", *own).code == 0


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        ("oil,x,1", "not numbers: mean 'x'"),
        ("oil,9999999,1", "'oil' has mean 9999999.0, scale 1.0; usual weights are between -10 and 10"),
        ("oil,1,0", "'oil' has mean 1.0, scale 0.0"),
        ("the,1,1", "invalid word 'the': stop words, single letters and words without letters do not count"),
        ("x,1,1", "invalid word 'x': stop words, single letters and words without letters do not count"),
        ("1990,1,1", "invalid word '1990': stop words, single letters and words without letters do not count"),
        ("crude oil,1,1", "invalid word 'crude oil': it is more than one word"),
        ("phones,1,1", "'phone' and 'phones' are the same term"),
        ("phone,1,1", "duplicate term 'phone'"),
    ],
)
@pytest.mark.parametrize("verb", ["topic add", "topic edit"])
def test_a_bad_word_is_named_with_its_line(run, news, tmp_path, bad, message, verb):
    words = tmp_path / "words.csv"
    words.write_text(f"term,mean,scale\nphone,2.0,0.5\n{bad}\nwheat,1,1\n")
    topic = "harvest" if verb == "topic edit" else "new"
    result = run("filter", *verb.split(), news, topic, "--words", words)
    assert (result.code, result.err.startswith(f"bayesift: {words}:3: {message}")) == (2, True), result.err


def test_words_are_checked_in_the_language_of_the_workspace(run, tmp_path):
    german, words = tmp_path / "g.db", tmp_path / "words.toml"
    run("filter", "new", german, "--language", "german")
    words.write_text("[terms]\nweizen = [2.0, 0.5]\ndie = [1.0, 1.0]\n")
    result = run("filter", "topic", "add", german, "ernte", "--words", words)
    assert (result.code, result.err.startswith(f"bayesift: {words}: invalid word 'die'")) == (2, True)
    words.write_text("[terms]\nweizen = [2.0, 0.5]\nthe = [1.0, 1.0]\n")
    assert run("filter", "topic", "add", german, "ernte", "--words", words).code == 0


def days_of(workspace):
    from bayesift.filtering.store import Workspace

    with Workspace.open(workspace, write=False) as found:
        return found.filter.topic_info("harvest").per_day


def test_nothing_changes_when_an_edit_fails(run, news, tmp_path):
    own, words = tmp_path / "own.db", tmp_path / "words.csv"
    run("filter", "new", own)
    run("filter", "topic", "add", own, "harvest", "--about", "wheat")
    before = {name: run("filter", "topic", "export", name, "harvest").out for name in (own, news)}
    words.write_text("term,mean,scale\nphone,2.0,0.5\n")
    for workspace, per_day, reason in ((news, "5", "no effect with 'rel+ig'"), (own, "1000000000", "per_day is")):
        edit = ("filter", "topic", "edit", workspace, "harvest", "--words", words, "--per-day", per_day)
        result = run(*edit)
        assert (result.code, reason in result.err) == (2, True)
        assert run("filter", "topic", "export", workspace, "harvest").out == before[workspace]
    words.write_text("term,mean,scale\nthe,2.0,0.5\n")
    result = run("filter", "topic", "edit", own, "harvest", "--words", words, "--per-day", "5")
    assert (result.code, "invalid word 'the'" in result.err) == (2, True)
    assert days_of(own) == 20
    words.write_text("term,mean,scale\nphone,2.0,0.5\n")
    assert run("filter", "topic", "edit", own, "harvest", "--words", words, "--per-day", "5").code == 0
    assert json.loads(run("filter", "topic", "export", own, "harvest").out)["words"] == {"phone": [2.0, 0.5]}
    assert days_of(own) == 5


def test_a_topic_from_a_label(run, news, tmp_path):
    from bayesift import TextClassifier

    texts = [f"wheat harvest {i}" for i in range(20)] + [f"oil price {i}" for i in range(20)]
    TextClassifier().fit(texts, [("grain",)] * 20 + [("oil",)] * 20).save(tmp_path / "x.model")
    label = ("--model", tmp_path / "x.model", "--label")
    assert run("filter", "topic", "add", news, "grain", *label, "grain").code == 0
    assert "no label 'corn'; labels are: grain, oil" in run("filter", "topic", "add", news, "corn", *label, "corn").err
    assert "belong together" in run("filter", "topic", "add", news, "x", "--label", "grain").err


def test_judging_one_by_one(run, news, waiting):
    first, second = waiting()[:2]
    assert run("filter", "judge", news, "harvest", first, "--relevant", "--note", "yes", "--who", "me").code == 0
    assert first not in waiting()
    against = run("filter", "judge", news, "harvest", first, "--not-relevant")
    assert (against.code, against.out) == (2, "")
    assert "contradicts" in against.err
    assert run("filter", "judge", news, "harvest", first, "--not-relevant", "--change").code == 0
    assert run("filter", "judge", news, "harvest", first, "--withdraw").code == 0
    assert first in waiting()
    assert run("filter", "judge", news, "harvest", second, "--not-relevant").code == 0
    assert run("filter", "judge", news, "--undo").err == f"undone: harvest: {second} judged not relevant\n"
    assert second in waiting()
    assert run("filter", "judge", news, "harvest", "--undo").err == f"undone: harvest: {first} withdrawn\n"


def test_judging_a_document_that_never_came(run, news, tmp_path):
    (tmp_path / "found.txt").write_text("Wheat crops were good")
    unknown = run("filter", "judge", news, "harvest", "found", "--relevant")
    assert (unknown.code, "'found' is unknown" in unknown.err, "give its text" in unknown.err) == (2, True, True)
    assert run("filter", "judge", news, "harvest", "found", "--relevant", "--text", tmp_path / "found.txt").code == 0
    (tmp_path / "found.txt").write_text("Other words")
    told = run("filter", "judge", news, "harvest", "d1", "--not-relevant", "--text", tmp_path / "found.txt")
    assert (told.code, "note: 'd1' is stored with another text, which counts" in told.err) == (0, True)
    (tmp_path / "found.txt").write_text("The wheat harvest begins early in Kansas\nReport 0.\n")
    same = run("filter", "judge", news, "harvest", "d0", "--relevant", "--text", tmp_path / "found.txt")
    assert (same.code, same.err) == (0, "harvest: d0 relevant\n")


def test_judging_lines(run, news, given, waiting):
    first, second = waiting()[:2]
    given(
        json.dumps({"topic": "harvest", "document": first, "relevant": True}) + "\n\n"
        + json.dumps({"document": second, "relevant": False, "note": "no"})
    )  # fmt: skip
    result = run("filter", "judge", news, "harvest")
    assert items(result.out) == [
        {"topic": "harvest", "document": first, "relevant": True},
        {"topic": "harvest", "document": second, "relevant": False},
    ]
    assert result.err == "2 judgements stored\n"
    given(json.dumps({"document": first, "withdraw": True}) + "\n")
    assert items(run("filter", "judge", news, "harvest").out)[0]["withdraw"] is True
    assert first in waiting()


@pytest.mark.parametrize("id", [5, 5.0, 2.5, "a\0b"])
def test_a_line_is_judged_by_the_id_that_it_was_run_with(run, news, given, id):
    given(json.dumps({"id": id, "text": "wheat harvest"}))
    assert run("filter", "run", news).code == 0
    given(json.dumps({"topic": "harvest", "document": id, "relevant": True}))
    result = run("filter", "judge", news)
    assert (result.code, result.err) == (0, "1 judgement stored\n")
    assert items(result.out)[0]["document"] == id_of(id)


@pytest.mark.parametrize(
    ("line", "options", "message"),
    [
        ({"withdraw": "false"}, (), "'withdraw' is 'false', not true or false"),
        ({"withdraw": 1}, (), "'withdraw' is 1, not true or false"),
        ({"relevant": False, "text": 5}, ("--change",), "'text' is for a first answer"),
        ({"withdraw": True, "source": "bogus"}, (), "'source' is for a first answer"),
    ],
)
def test_a_line_that_is_not_what_it_seems_changes_nothing(run, news, given, waiting, line, options, message):
    first = waiting()[0]
    assert run("filter", "judge", news, "harvest", first, "--relevant").code == 0
    given(json.dumps({"topic": "harvest", "document": first} | line))
    result = run("filter", "judge", news, *options)
    assert (result.code, message in result.err) == (2, True)
    assert first not in waiting()


def test_a_judgement_of_a_text_that_is_undone_waits_as_searched(run, news, tmp_path):
    (tmp_path / "found.txt").write_text("Wheat crops were good")
    assert run("filter", "judge", news, "harvest", "found", "--relevant", "--text", tmp_path / "found.txt").code == 0
    assert run("filter", "judge", news, "harvest", "--undo").code == 0
    (line,) = [line for line in run("filter", "inbox", news, "harvest").out.splitlines() if line.startswith("found")]
    assert "searched" in line
    assert "delivered" not in line


def test_a_bad_line_stops_judging_or_is_skipped(run, news, given, waiting):
    first, second, third = waiting()[:3]
    good = [json.dumps({"topic": "harvest", "document": name, "relevant": True}) for name in (first, second, third)]
    given("\n".join([good[0], '{"topic": "harvest", "document": "nope", "relevant": true}', good[1]]))
    result = run("filter", "judge", news)
    assert (result.code, len(result.out.splitlines())) == (2, 1)
    assert result.err.startswith("bayesift: standard input:2: document 'nope' is unknown")
    assert first not in waiting()
    assert second in waiting()
    bad = ["no JSON", "[]", '{"topic": "harvest"}', '{"document": "d1", "relevant": true}',
           '{"topic": "harvest", "document": "d1", "relevant": 1}', '{"topic": "harvest", "document": "d1", "x": 1}',
           '{"topic": "none", "document": "d1", "relevant": true}', good[0]]  # fmt: skip
    given("\n".join([*bad, good[2]]))
    result = run("filter", "judge", news, "--skip-bad")
    assert (result.code, len(result.out.splitlines())) == (0, 1)
    assert result.err.splitlines()[-1] == "1 judgement stored, 1 judgement stored before, 7 bad lines skipped"
    assert [line.split(":")[2] for line in result.err.splitlines()[:-1]] == [str(n) for n in range(1, 8)]


def test_answers_may_be_given_again(run, news, given, waiting):
    first, second, _ = waiting()[:3]
    lines = [json.dumps({"topic": "harvest", "document": name, "relevant": True}) for name in (first, second)]
    given("\n".join(lines[:1]))
    assert run("filter", "judge", news).code == 0
    given("\n".join(lines))
    result = run("filter", "judge", news)
    assert (result.code, [json.loads(line)["document"] for line in result.out.splitlines()]) == (0, [second])
    assert result.err.splitlines()[-1] == "1 judgement stored, 1 judgement stored before"
    again = run("filter", "judge", news, "harvest", first, "--relevant")
    assert (again.code, again.err) == (0, f"harvest: {first} was judged so before; nothing changed\n")
    other = run("filter", "judge", news, "harvest", first, "--not-relevant")
    assert other.code == 2
    assert "contradicts the earlier judgement" in other.err


def test_an_edit_keeps_the_rest_of_a_topic(run, tmp_path):
    from bayesift.filtering.store import Workspace

    news = tmp_path / "own.db"
    assert run("filter", "new", news).code == 0
    assert run("filter", "topic", "add", news, "harvest", "--about", "wheat and corn harvests").code == 0
    assert run("filter", "topic", "edit", news, "harvest", "--per-day", "3").code == 0
    assert run("filter", "topic", "edit", news, "harvest", "--balance", "0.9").code == 0
    with Workspace.open(news, write=False) as found, found.using("harvest") as own:
        topic = own.topic_info("harvest")
    assert (topic.per_day, topic.balance) == (3, 0.9)


@pytest.mark.parametrize("bad", ["[1]", "7", "no JSON", '{"relevant": true}'])
def test_a_bad_line_of_judge_is_told_the_form_of_a_judgement(run, news, given, bad):
    given(bad)
    result = run("filter", "judge", news)
    assert (result.code, result.err.count("\n")) == (2, 1)
    assert result.err.startswith("bayesift: standard input:1: ")
    assert '{"topic": ..., "document": ..., "relevant": true}' in result.err
    given(bad)
    assert '{"topic": ..., "document": ..., "relevant": true}' in run("filter", "judge", news, "--skip-bad").err


def test_a_bad_line_of_run_is_told_the_form_of_a_document(run, news, given):
    given(lines(1, 12) + "[1]")
    assert 'write a line as {"id": ..., "text": ...}; 1 document before it' in run("filter", "run", news).err


def test_a_table_becomes_json_lines(run, news, given, tmp_path):
    table = tmp_path / "d.csv"
    table.write_text('id,text,date\na,"wheat, corn",2026-11-20\nb,oil,2026-11-21\n')
    given(table.read_bytes())
    result = run("filter", "run", news)
    way = "other formats become such lines with: bayesift convert --to doccano FILE -"
    assert (result.code, way in result.err) == (2, True)
    made = run("convert", "--to", "doccano", table, "-")
    given(made.out)
    assert run("filter", "run", news).err.startswith("2 documents, ")
    from bayesift.filtering.store import Workspace

    with Workspace.open(news, write=False) as workspace:
        assert [(d.title, d.body, d.date) for d in workspace.documents()][:2] == [
            ("", "oil", "2026-11-21"), ("", "wheat, corn", "2026-11-20"),
        ]  # fmt: skip


def test_json_lines_are_no_source_of_feed(run, news, tmp_path):
    file = tmp_path / "d.jsonl"
    file.write_text(lines(1))
    result = run("filter", "feed", news, file, "--once")
    assert (result.code, result.err.count("\n")) == (2, 1)
    assert f"JSON lines are for bayesift filter run: bayesift filter run WORKSPACE < {file}" in result.err


@pytest.mark.parametrize("length", [1_500, 9_000, 50_000])  # in one part, or in several
def test_a_line_that_is_too_long_is_skipped_like_others(run, news, given, monkeypatch, length):
    monkeypatch.setattr("bayesift.cli.filter.lines.LONGEST", 1_000)
    monkeypatch.setattr("bayesift.cli.filter.lines.CHUNK", 4_000)
    long = json.dumps({"id": "long", "text": "corn " * (length // 5)}) + "\n"
    given(lines(2, 12) + long + lines(2, 14) + long.strip())
    result = run("filter", "run", news)
    message = "standard input:3: has more than 1,000 bytes; split it into several; 2 documents before it are stored"
    assert (result.code, message in result.err) == (2, True)
    given(lines(2, 12) + long + lines(2, 14) + long.strip())
    result = run("filter", "run", news, "--skip-bad")
    assert (result.code, "2 bad lines skipped" in result.err) == (0, True)
    assert [line.split(":")[2] for line in result.err.splitlines() if "has more than" in line] == ["3", "6"]
    assert json.loads(run("filter", "status", news, "--json").out)["documents"] == 16


def test_a_line_without_end_is_an_error_at_once(run, news):
    """Nothing is waited for that may never come."""
    code = (
        "import bayesift.cli.filter.lines as lines\nlines.LONGEST = 1000\n"
        "from bayesift.cli.main import run\nraise SystemExit(run())"
    )
    command = [sys.executable, "-c", code, "filter", "run", str(news)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        process.stdin.write("x" * 2000)
        process.stdin.flush()
        assert process.wait(60) == 2
        assert "standard input:1: has more than 1,000 bytes" in process.stderr.read()


@pytest.mark.parametrize(
    "bad", ["no JSON", "7", '{"number": 1}', '{"text": 7}', '{"text": "x", "date": "soon"}', '{"text": "\\ud800']
)
def test_a_bad_document_stops_the_run_and_those_before_are_stored(run, news, given, bad):
    given(lines(2, 12) + bad + "\n" + lines(2, 14))
    result = run("filter", "run", news)
    assert result.code == 2
    assert result.err.startswith("bayesift: standard input:3: ")
    assert result.err.count("\n") == 1
    assert "2 documents before it are stored; --skip-bad leaves bad lines out" in result.err
    assert json.loads(run("filter", "status", news, "--json").out)["documents"] == 14
    given(lines(2, 12) + bad + "\n" + lines(2, 14))
    result = run("filter", "run", news, "--skip-bad")
    assert (result.code, "1 bad line skipped" in result.err) == (0, True)
    assert json.loads(run("filter", "status", news, "--json").out)["documents"] == 16


def test_documents_with_problems_are_noted_and_stored(run, news, given):
    given('{"id": "e1", "text": ""}\n{"id": "e2", "text": "wheat", "date": "2020-01-01"}\n')
    result = run("filter", "run", news)
    assert result.code == 0
    assert "note: document 'e1' has no text" in result.err
    assert "e2" in result.err
    assert json.loads(run("filter", "status", news, "--json").out)["documents"] == 14


OLD = "document 'd{}' of 2026-10-20 comes after one of 2026-11-02"


def late(n, first=12):
    """Return documents whose dates are before those of the workspace."""
    found = ({"id": f"d{i}", "text": "wheat", "date": "2026-10-20"} for i in range(first, first + n))
    return "".join(json.dumps(document) + "\n" for document in found)


def test_documents_with_problems_are_counted_by_kind(run, news, given, monkeypatch):
    monkeypatch.setattr("bayesift.cli.filter.lines.CHUNK", 600)  # so that there are many batches
    empty = '{{"id": "{}", "text": "", "date": "2026-11-02"}}\n'
    given(empty.format("e1") + late(40) + empty.format("e2"))
    notes = [line for line in run("filter", "run", news).err.splitlines() if "note: " in line]
    assert "note: document 'e1' has no text" in notes[0]
    assert [note.partition("note: ")[2].partition(" documents ")[0] for note in notes[1:-2]] == ["10"]
    assert notes[-1] == f"bayesift: note: 40 documents out of date order; the last one: {OLD.format(51)}"
    assert notes[-2].startswith("bayesift: note: 2 documents without words that count; the last one: document 'e2'")
    given(late(1, 52))
    assert f"note: {OLD.format(52)}\n" in run("filter", "run", news).err


def test_problems_of_a_feed_are_counted_by_kind(run, news, tmp_path):
    folder = tmp_path / "inbox"
    folder.mkdir()
    for i in range(3):
        mail = f"Date: Wed, 01 Jan 2020 10:00:00 +0000\nMessage-ID: <d{i}@farm>\n\nThe wheat harvest"
        (folder / f"{i}.eml").write_text(mail)
    result = run("filter", "feed", news, folder, "--once")
    assert (result.code, "note: document 'd0@farm' of 2020-01-01" in result.err) == (0, True)


def test_problems_are_counted_in_a_workspace_of_several_groups(run, given, tmp_path):
    run("filter", "new", tmp_path / "g.db", "--groups", "2")
    given('{"id": "a", "text": ""}\n{"id": "b", "text": ""}\n')
    assert "note: 2 documents without words that count" in run("filter", "run", tmp_path / "g.db").err


def test_documents_that_were_there_are_not_new(run, news, given):
    given(lines(6, 10))
    assert "6 documents, 4 new, " in run("filter", "run", news).err
    given(lines(6, 10))
    assert run("filter", "run", news).err == "6 documents, 0 new, 0 shown\n"


def test_stored_documents_are_processed_by_work(run, news):
    from bayesift.filtering.store import Workspace

    with Workspace.open(news) as workspace:
        assert workspace.add_documents([json.loads(line) for line in lines(6, 12).splitlines()]) == 6
    assert "6 documents wait to be processed" in run("filter", "status", news).out
    assert {item["document"] for item in items(run("filter", "work", news, "--once").out)} >= {"d12", "d14", "d16"}
    assert run("filter", "work", news, "--once").out == ""


VERBS = {
    "status": (), "topic list": (), "topic add": ("t", "--about", "wheat"), "topic pause": ("harvest",), "run": (),
    "feed": (".", "--once"), "work": ("--once",), "inbox": ("harvest",), "judge": ("harvest", "d0", "--relevant"),
    "export": ("x.jsonl",),
}  # fmt: skip


@pytest.mark.parametrize("verb", VERBS)
def test_what_is_not_a_workspace(run, given, tmp_path, monkeypatch, verb):
    monkeypatch.chdir(tmp_path)
    given("")
    result = run("filter", *verb.split(), "missing.db", *VERBS[verb])
    assert (result.code, result.out) == (2, "")
    assert result.err == "bayesift: missing.db: no such workspace; create it: bayesift filter new missing.db\n"
    (tmp_path / "other.db").write_bytes(b"SQLite format 3\0" + b"of another program" * 100)
    (tmp_path / "text.db").write_text("not a database at all")
    (tmp_path / "empty.db").write_text("")
    for name in ("other.db", "text.db", "empty.db", "."):
        before = (tmp_path / name).read_bytes() if name != "." else b""
        result = run("filter", *verb.split(), name, *VERBS[verb])
        assert (result.code, result.out) == (2, ""), result.err
        assert result.err.count("\n") == 1
        assert "Traceback" not in result.err
        assert name == "." or (tmp_path / name).read_bytes() == before


@pytest.mark.parametrize(
    "verb",
    ["inbox W T", "judge W T d0 --relevant", "judge W T d0 --withdraw", "judge W T --undo", "topic pause W T",
     "topic rename W T x", "topic remove W T", "topic export W T", "topic edit W T --words F"],
)  # fmt: skip
def test_an_unknown_topic(run, news, tmp_path, verb):
    (tmp_path / "w.csv").write_text("term,mean,scale\noil,2.0,0.5\n")
    names = {"W": news, "T": "none", "F": tmp_path / "w.csv"}
    result = run("filter", *(names.get(word, word) for word in verb.split()))
    assert (result.code, result.out) == (2, "")
    assert "none" in result.err
    assert result.err.count("\n") == 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("new W", "exists"),
        ("new sub/x.db", "x.db"),
        ("new E", "the name of the workspace is empty; name a file, such as news.db"),
        ("status E", "the name of the workspace is empty"),
        ("import x.db -", "standard input: is not a file; name a file of `bayesift filter export`"),
        ("feed W http://a.example:99999/x --once", "has no port from 1 to 65535; check the address"),
        ("new mysql://x/y", "not supported"),
        ("topic add W harvest --about wheat", "harvest"),
        ("topic add W new", "nothing to start from"),
        ("topic add W new --about the", "stop words"),
        ("topic add W new --example missing.txt", "missing.txt: no such file"),
        ("topic add W new --example B", "is not a text file"),
        ("topic add W new --words missing.csv", "missing.csv: no such file"),
        ("topic add W new --words B", "B"),
        ("topic add W new --from missing.json", "missing.json: no such file"),
        ("topic edit W harvest", "nothing to change"),
        ("topic rename W harvest harvest", "harvest"),
        ("judge W harvest d0", "no answer, or more than one"),
        ("judge W harvest d0 --relevant --withdraw", "no answer, or more than one"),
        ("judge W harvest d0 --withdraw --text words.csv", "--text is for a first answer"),
        ("judge W harvest d0 --relevant --undo", "--undo undoes the last change"),
        ("judge W harvest nope --relevant", "'nope' is unknown"),
        ("judge W harvest d1 --withdraw", "d1"),
        ("judge W harvest d1 --change --relevant", "d1"),
        ("judge W --undo", "nothing to undo"),
        ("judge W harvest --relevant", "no document"),
        ("export W W", "is both input and output"),
        ("export W B", "already exists and is not an exported workspace"),
        ("import W missing.jsonl", "missing.jsonl: no such file"),
        ("import x.db B", "B"),
        ("feed W ftp://x.example/ --once", "is not an http or https URL"),
        ("feed W missing --once", "missing: no such file or folder"),
        ("feed W . --every soon", "invalid time 'soon'; write it as 30s, 15m, 1h or 1d"),
        ("feed W http://127.0.0.1:9/x --once", "private address 127.0.0.1, which is not contacted"),
        ("review W harvest", "review needs a terminal"),
    ],
)
def test_bad_input_is_one_line(run, news, tmp_path, monkeypatch, arguments, message):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "B").write_bytes(b"\0binary")
    result = run("filter", *({"W": news, "E": ""}.get(word, word) for word in arguments.split()))
    assert (result.code, result.out) in ((2, ""), (1, ""))
    assert message in result.err
    assert result.err.count("\n") == 1
    assert not (tmp_path / "x.db").exists()
    kept = json.loads(run("filter", "status", news, "--json").out)
    assert (kept["documents"], [topic["name"] for topic in kept["topics"]]) == (12, ["harvest"])


def denied(path, monkeypatch):
    """Let nobody open a file; the tests may run as a user who may do everything."""
    real = pathlib.Path.open

    def checked(self, *arguments, **options):
        if self == path:
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))
        return real(self, *arguments, **options)

    monkeypatch.setattr(pathlib.Path, "open", checked)


def test_a_workspace_that_may_not_be_read(run, news, monkeypatch):
    denied(news, monkeypatch)
    result = run("filter", "status", news)
    message = f"bayesift: {news}: cannot be read: Permission denied; make it readable, or choose another file\n"
    assert (result.code, result.err) == (2, message)


def test_a_mailbox_that_may_not_be_read(run, news, tmp_path, monkeypatch):
    (tmp_path / "box").write_text("From a\n\nCorn")
    denied(tmp_path / "box", monkeypatch)
    result = run("filter", "feed", news, tmp_path / "box", "--once")
    message = f"bayesift: {tmp_path}/box: cannot be read: Permission denied; make it readable\n"
    assert (result.code, result.err) == (2, message)


def test_a_folder_in_place_of_the_lock_file(run, news):
    (news.parent / "news.db.lock").mkdir()
    result = run("filter", "judge", news, "harvest", "d0", "--relevant")
    assert (result.code, "Is a directory; remove it\n" in result.err) == (2, True)


def test_what_an_error_quotes_is_shortened(run, news, given):
    result = run("filter", "topic", "add", news, "new", "--about", "the " * 25_000)
    assert (result.code, len(result.err) < 2_500) == (2, True)
    assert "the statement of topic 'new' has no words, or only stop words: 'the the" in result.err
    assert "the the '; say what the topic is about, or give examples\n" in result.err
    given(json.dumps({"topic": "harvest", "document": "x" * 100_000, "relevant": True}))
    skipped = run("filter", "judge", news, "--skip-bad").err
    assert len(skipped) < 2_500
    assert "; skipped\n" in skipped


def test_two_writers(run, news):
    """Another process holds the write lock longer than a verb waits."""
    code = (
        "import sys, time\nfrom bayesift.filtering.store import Workspace\n"
        f"w = Workspace.open({str(news)!r})\n"
        "with w._groups.changing([0]):\n    print('held', flush=True)\n    sys.stdin.read()\n"
    )
    holder = subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    try:
        assert holder.stdout.readline() == "held\n"
        from bayesift.filtering.store import workspace

        original, workspace.Workspace.open.__func__.__kwdefaults__["wait"] = 10.0, 0.3
        result = run("filter", "judge", news, "harvest", "d0", "--relevant")
    finally:
        workspace.Workspace.open.__func__.__kwdefaults__["wait"] = original
        holder.communicate("")
    assert result.code == 2
    assert str(holder.pid) in result.err
    assert run("filter", "judge", news, "harvest", "d0", "--relevant").code == 0


@pytest.mark.parametrize(
    "verb", ["", "new", "topic", "topic add", "run", "feed", "work", "inbox", "judge", "review", "import"]
)
def test_help_imports_nothing_heavy(verb):
    code = (
        f"import sys\nfrom bayesift.cli.main import run\nrun(['filter', *{verb.split()!r}, '--help'])\n"
        "heavy = ('numba', 'scipy', 'sklearn', 'numpy', 'sqlalchemy', 'feedparser', 'ssl')\n"
        "print([m for m in heavy if m in sys.modules], file=sys.stderr)"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "Usage: bayesift filter" in result.stdout
    assert result.stderr.strip() == "[]"


def test_status_of_a_workspace_made_in_python(run, given, tmp_path):
    from bayesift.filtering.store import Workspace

    Workspace.create(tmp_path / "news.db").close()
    given('{"id": "d1", "text": "wheat"}')
    run("filter", "run", tmp_path / "news.db")
    shown = run("filter", "status", tmp_path / "news.db").out
    assert "news.db: 1 document, the last one added" in shown
    assert "\nsettings: per_day 20, balance 0.5, language english, seed 0, meaning corpus\n" in shown


def test_status_names_silent_topics(run, news, given, monkeypatch):
    monkeypatch.setattr("bayesift.filtering.store.silence.QUIET", 5)
    run("filter", "topic", "add", news, "gardens", "--about", "gardening")
    assert "\tsilent" not in run("filter", "status", news).out
    lines = "\n".join(json.dumps({"id": f"x{i}", "text": f"unknown{i}", "date": "2026-11-20"}) for i in range(6))
    given(lines)
    note = "gardens is silent: nothing shown since 20"
    assert note in run("filter", "run", news).err
    given(json.dumps({"id": "x6", "text": "unknown6", "date": "2026-11-20"}))
    assert note not in run("filter", "run", news).err  # it was so before


def test_a_topic_that_falls_silent_again_is_noted_again():
    from bayesift.cli.filter.problems import Problems

    class Silence:
        def sentence(self):
            return "nothing shown"

    class Stream:
        problem_kinds, silent, database = {}, {}, type("Database", (), {"name": "news.db"})

        def silent_topics(self):
            return self.silent

    stream = Stream()
    problems, noted = Problems(stream), []
    for silent in ({"wheat": Silence()}, {}, {"wheat": Silence()}, {"wheat": Silence()}):
        stream.silent = silent
        with warnings.catch_warnings(record=True) as found:
            warnings.simplefilter("always")
            problems.tell_all()
        noted.append(len(found))
    assert noted == [1, 0, 1, 0]


def test_status_and_silent_topics(run, news, given, monkeypatch):
    monkeypatch.setattr("bayesift.filtering.store.silence.QUIET", 5)
    run("filter", "topic", "add", news, "gardens", "--about", "gardening")
    given("\n".join(json.dumps({"id": f"x{i}", "text": f"unknown{i}", "date": "2026-11-20"}) for i in range(6)))
    run("filter", "run", news)
    shown = run("filter", "status", news).out
    assert "gardens\tsilent" in shown
    assert "gardens is silent: nothing shown since 20" in shown
    assert "judge relevant documents that you know" in shown
    assert "harvest is silent" not in shown


def test_half_a_character_is_named(run, news, given):
    given('{"id": "a", "text": "\\ud800"}')
    result = run("filter", "run", news)
    assert result.code == 2
    assert "standard input:1: not JSON: an escape such as \\ud800 is half a character" in result.err
    for whole in ('{"text": "\\ud83d\\ude00" x}', '{"text": "\\ud83d\\ude00'):
        given(whole)
        assert "half a character" not in run("filter", "run", news).err


def test_a_full_disk_says_what_is_stored(run, news, given, monkeypatch):
    from bayesift.filtering.store import StoreFailed, Workspace

    def stops(self, documents, **more):
        self.add_documents(list(documents)[:1])
        raise StoreFailed("the disk is full", remedy="free some space and try again")

    monkeypatch.setattr(Workspace, "process", stops)
    given('{"id": "s1", "text": "corn rose"}\n{"id": "s2", "text": "wheat fell"}')
    result = run("filter", "run", news)
    assert result.code == 2
    assert "1 document stored before that; all lines can be given again" in result.err
    assert "the disk is full; free some space and try again" in result.err


def test_words_that_add_next_to_nothing_are_not_shown():
    from types import SimpleNamespace

    from bayesift.cli.filter.page import head_of

    item = SimpleNamespace(
        interval=(0.1, 0.9), origin="asked", probability=0.5, why=(("tls", 0.95), ("cloud", -0.2), ("help", -0.001))
    )
    *_, words = head_of("certs", 0, 1, item)
    assert words.plain == "words: tls +0.95, cloud -0.20"
