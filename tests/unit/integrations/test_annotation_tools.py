"""Files of Prodigy, doccano and Argilla: what is written reads the same, and what they write is understood."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bayesift import Document
from bayesift.errors import BadInput
from bayesift.integrations.annotation_tools import TOOLS, Suggestion, read_annotations, write_annotations

LABELS = st.lists(st.sampled_from(["grain", "crude", "ship", "naïve"]), unique=True).map(tuple)
DOCUMENTS = st.lists(
    st.builds(
        Document, st.uuids().map(str), st.text(st.characters(codec="utf-8"), max_size=9),
        st.text(st.characters(codec="utf-8"), max_size=40), st.none() | LABELS,
        st.none() | st.just("2026-11-17"), st.none() | st.just("test"),
    ),
    max_size=5,
)  # fmt: skip


def lines(path, *objects):
    path.write_text("\n".join(json.dumps(o) for o in objects) + "\n", "utf-8")
    return path


@pytest.mark.parametrize("tool", TOOLS)
@given(documents=DOCUMENTS)
def test_what_is_written_reads_the_same(tool, documents, tmp_path_factory):
    path = tmp_path_factory.mktemp("round") / "some.jsonl"
    assert write_annotations(path, documents, tool, labels=("grain", "crude")) == len(documents)
    assert list(read_annotations(path, tool)) == documents


@pytest.mark.parametrize("tool", ["prodigy", "argilla"])
def test_suggestions_are_no_labels(tool, tmp_path):
    task = [Document("1", body="Wheat rose")]
    write_annotations(tmp_path / "x.jsonl", task, tool, labels=("grain",), suggestions=[Suggestion(("grain",), 0.91)])
    line = json.loads((tmp_path / "x.jsonl").read_text())
    if tool == "prodigy":
        assert (line["accept"], line["meta"]["score"]) == (["grain"], 0.91)
        assert line["options"] == [{"id": "grain", "text": "grain"}]
        assert "answer" not in line
    else:
        assert line["suggestions"] == {"label": {"value": ["grain"], "score": 0.91, "agent": "bayesift"}}
        assert (line["status"], line["responses"]) == ("pending", {})
    assert list(read_annotations(tmp_path / "x.jsonl", tool)) == task


def test_prodigy_writes_choices_and_single_labels(tmp_path):
    choice = {"options": [{"id": "grain", "text": "Grain"}], "_input_hash": 7, "_task_hash": 8, "_view_id": "choice"}
    path = lines(
        tmp_path / "prodigy.jsonl",
        {"text": "Wheat", "accept": ["grain"], "answer": "accept"} | choice,
        {"text": "Noise", "accept": [], "answer": "ignore"} | choice,
        {"text": "Nothing", "accept": [], "answer": "accept"} | choice,
        {"text": "Oil and ports", "label": "crude", "answer": "accept", "_input_hash": 1},
        {"text": "Oil and ports", "label": "ship", "answer": "accept", "_input_hash": 1},
        {"text": "Oil and ports", "label": "grain", "answer": "reject", "_input_hash": 1},
        {"text": "Rain", "label": "grain", "answer": "reject", "_input_hash": 2},
        {"text": "Who knows", "label": "grain", "answer": "ignore", "_input_hash": 3},
    )
    found = {d.body: d.labels for d in read_annotations(path, "prodigy")}
    assert found == {
        "Wheat": ("grain",), "Noise": None, "Nothing": (), "Oil and ports": ("crude", "ship"), "Rain": (),
        "Who knows": None,
    }  # fmt: skip


def test_doccano_writes_labels_with_other_fields(tmp_path):
    path = lines(
        tmp_path / "doccano.jsonl",
        {"id": 1, "text": "Wheat", "label": ["grain"], "Comments": []},
        {"id": 2, "data": "Oil", "label": "crude"},
        {"id": 3, "text": "Rain", "label": []},
        {"id": 4, "text": "Fly to Rome", "cats": ["flight"], "entities": [[7, 11, "city"]]},
        {"id": 5, "text": "Corn", "label": [7]},
    )
    assert [(d.id, d.labels) for d in read_annotations(path, "doccano")] == [
        ("1", ("grain",)), ("2", ("crude",)), ("3", ()), ("4", ("flight",)), ("5", ("7",)),
    ]  # fmt: skip


def test_argilla_agrees_by_majority_in_lines_and_arrays(tmp_path):
    def answer(value, status="submitted"):
        return {"value": value, "user_id": "u", "status": status}

    records = [
        {"id": "a", "fields": {"text": "Wheat"},
         "responses": {"label": [answer(["grain"]), answer(["grain", "ship"])]}},
        {"id": "b", "fields": {"text": "Oil"}, "responses": {"label": [answer("crude")]}, "_server_id": None},
        {"id": "c", "fields": {"title": "Rain", "body": "in May"}, "responses": {"label": [answer(["x"], "draft")]}},
        {"id": None, "fields": {"text": "New"}, "suggestions": {}, "responses": {}},
    ]  # fmt: skip
    array = tmp_path / "array.json"
    array.write_text(json.dumps(records))
    for path in (array, lines(tmp_path / "lines.jsonl", *records)):
        found = [(d.id, d.body, d.labels) for d in read_annotations(path, "argilla")]
        assert found == [
            ("a", "Wheat", ("grain",)), ("b", "Oil", ("crude",)), ("c", "Rain\nin May", None), ("4", "New", None),
        ]  # fmt: skip


def argilla_record(id, **responses):
    given = {
        question: [{"value": value, "user_id": f"u{n}", "status": "submitted"} for n, value in enumerate(values)]
        for question, values in responses.items()
    }
    return {"id": id, "fields": {"text": "wheat rose"}, "responses": given}


def test_argilla_with_several_questions_needs_a_choice(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    both = lines(tmp_path / "both.jsonl", argilla_record("1", topic=["grain"], comment=["easy"]))
    apart = lines(tmp_path / "apart.jsonl", argilla_record("1", topic=["grain"]), argilla_record("2", comment=["easy"]))
    for path, labels in ((both, [("grain",)]), (apart, [("grain",), None])):
        with pytest.raises(BadInput, match=r"several questions: 'topic', 'comment'; .* --question topic"):
            list(read_annotations(path, "argilla"))
        assert [d.labels for d in read_annotations(path, "argilla", question="topic")] == labels
    with pytest.raises(BadInput, match="no response to the question 'label'; questions are: 'topic', 'comment'"):
        list(read_annotations(both, "argilla", question="label"))
    done = run("convert", "apart.jsonl", "out.jsonl", "--from", "argilla", "--question", "topic")
    assert (done.code, done.err) == (0, "2 documents, 1 labelled\n")
    failed = run("convert", "apart.jsonl", "x.jsonl", "--from", "doccano", "--question", "topic")
    assert (failed.code, "--question is for --from argilla" in failed.err) == (2, True)
    assert "several questions" in run("convert", "apart.jsonl", "x.jsonl", "--from", "argilla", "--skip-bad").err


@pytest.mark.parametrize(
    ("answers", "labels"),
    [
        (["grain", "crude"], None), ([["grain"], []], None), (["a", "b", "c"], None), ([["a"], ["b"], []], None),
        ([["grain"], [], []], ()), ([[]], ()), (["a", "a", "b"], ("a",)),
    ],
)  # fmt: skip
def test_annotators_without_a_majority_leave_a_document_unlabelled(answers, labels, tmp_path):
    path = lines(tmp_path / "x.jsonl", argilla_record("1", topic=answers))
    assert [d.labels for d in read_annotations(path, "argilla")] == [labels]


def test_argillas_own_records(tmp_path):
    argilla = pytest.importorskip("argilla", reason="needs Argilla's SDK: pip install argilla")
    documents = [Document("1", "Title", "Wheat", ("grain",)), Document("2", body="Oil")]
    write_annotations(tmp_path / "x.jsonl", documents, "argilla", suggestions=[Suggestion(("crude",), 0.5)] * 2)
    records = [argilla.Record.from_dict(json.loads(line)) for line in (tmp_path / "x.jsonl").read_text().splitlines()]
    assert [record.fields["text"] for record in records] == ["Wheat", "Oil"]
    back = lines(tmp_path / "back.jsonl", *(record.to_dict() for record in records))
    assert list(read_annotations(back, "argilla")) == documents


@pytest.mark.parametrize(
    ("tool", "line", "message"),
    [
        ("prodigy", {"label": "x", "answer": "accept"}, "x.jsonl:1: not a line of prodigy: no field 'text'"),
        ("prodigy", {"text": "a", "answer": "yes"}, "the answer is 'yes'"),
        ("prodigy", {"text": "a", "answer": "accept", "options": []}, "no field 'accept'"),
        ("prodigy", {"text": "a", "label": ["x"]}, "as files of doccano and of bayesift do"),
        ("prodigy", {"text": "a", "labels": ["x"]}, "as files of doccano and of bayesift do"),
        ("doccano", {"text": "a", "accept": ["x"], "answer": "accept"}, "as files of prodigy do"),
        ("doccano", {"text": 7, "label": ["x"]}, "the text is 7"),
        ("doccano", {"text": "a", "label": [""]}, "empty label"),
        ("argilla", {"text": "a"}, "no field 'fields'"),
        ("argilla", argilla_record("1", rating=[4]), "a response is 4, not a text or a list of texts"),
        ("argilla", argilla_record("1", span=[[{"label": "x", "start": 0, "end": 2}]]), "marks parts of the text"),
        ("doccano", {"text": "oil", "label": [[0, 3, "LOC"]]}, r"marks parts of the text \(label \[0, 3, 'LOC'\]\)"),
        ("doccano", {"text": "oil", "entities": []}, "marks parts of the text .*; export labels of whole documents"),
        ("doccano", {"text": "oil", "label": [True]}, "a label is True; labels are texts or whole numbers"),
        ("doccano", {"text": "oil", "label": [0.5]}, "a label is 0.5"),
        ("doccano", {"text": "oil", "cats": {"crude": 1}}, "it has 'cats', as training data of spaCy do"),
        ("prodigy", {"text": "oil", "cats": {"crude": 1}}, "it has 'cats'"),
        ("prodigy", {"text": "oil", "spans": [], "answer": "accept"}, "marks parts of the text"),
        ("prodigy", {"text": "oil", "options": [], "accept": "crude", "answer": "accept"}, "'crude', not a list"),
    ],
)
def test_other_lines_are_errors(tool, line, message, tmp_path):
    with pytest.raises(BadInput, match=message):
        list(read_annotations(lines(tmp_path / "x.jsonl", line), tool))


def test_the_verb_converts_both_ways(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    texts = ["wheat corn harvest", "oil barrel opec"] * 10
    lines(
        tmp_path / "done.jsonl",
        *({"text": t, "options": [], "accept": [c], "answer": "accept"}
          for t, c in zip(texts, ["grain", "crude"] * 10)),
    )  # fmt: skip
    done = run("convert", "done.jsonl", "mine.jsonl", "--from", "prodigy")
    assert (done.code, done.err) == (0, "20 documents, 20 labelled\n")
    assert run("train", "mine.jsonl", "m.model").code == 0
    (tmp_path / "new.jsonl").write_text('{"id": "9", "text": "wheat corn"}\n')
    result = run("convert", "new.jsonl", "tasks.jsonl", "--to", "argilla", "--model", "m.model")
    assert result.code == 0, result.err
    line = json.loads((tmp_path / "tasks.jsonl").read_text())
    assert line["suggestions"]["label"]["value"] == ["grain"]
    assert 0.0 < line["suggestions"]["label"]["score"] <= 1.0
    for arguments, message in (
        (("new.jsonl", "x.jsonl"), "give --from or --to"),
        (("new.jsonl", "x.jsonl", "--to", "excel"), "tools are: prodigy, doccano, argilla"),
        (("done.jsonl", "x.jsonl", "--from", "prodigy", "--model", "m.model"), "--model is for --to"),
        (("new.jsonl", "new.jsonl", "--to", "doccano"), "is both input and output"),
        (("none.jsonl", "x.jsonl", "--from", "doccano"), "none.jsonl"),
    ):
        failed = run("convert", *arguments)
        assert failed.code == 2
        assert message in failed.err


@pytest.mark.parametrize(
    "arguments", [("--from", "doccano"), ("--to", "prodigy"), ("--from", "doccano", "--to", "argilla")]
)
def test_the_verb_leaves_bad_lines_out_if_it_is_asked_to(arguments, run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    good = '{"id": "1", "text": "wheat rose"}\n'
    (tmp_path / "some.jsonl").write_text(good + '{"text": "oil"\n{"text": 7}\n' + good.replace("1", "4"))
    failed = run("convert", "some.jsonl", "out.jsonl", *arguments)
    assert (failed.code, "some.jsonl:2: " in failed.err) == (2, True)
    assert "--skip-bad leaves bad lines out" in failed.err
    assert not (tmp_path / "out.jsonl").exists()
    done = run("convert", "some.jsonl", "out.jsonl", *arguments, "--skip-bad")
    assert done.code == 0
    assert done.err.startswith("bayesift: note: 2 bad lines skipped, first: some.jsonl:2: ")
    assert len((tmp_path / "out.jsonl").read_text().splitlines()) == 2
    (tmp_path / "some.jsonl").write_text('{"text": 7}\n')
    none = run("convert", "some.jsonl", "none.jsonl", *arguments, "--skip-bad")
    assert (none.code, "some.jsonl: no document can be read: 1 bad line skipped" in none.err) == (2, True)
    assert not (tmp_path / "none.jsonl").exists()
