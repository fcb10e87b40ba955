"""Ordinary tables and JSON files, as people have them, through every verb that reads documents."""

import csv
import io
import json
import subprocess
import sys

import numpy as np
import pytest

from bayesift import load, read_documents
from bayesift.corpora.detect import list_in
from bayesift.errors import Notice

WORDS = {"grain": "wheat corn barley crop", "crude": "oil barrel opec refinery", "ship": "port vessel cargo tanker"}
COLUMNS = ("--column", "title=headline", "--column", "body=story", "--column", "labels=tags")


def rows(n=60, seed=0):
    """Headline, story, labels; every third document has two labels."""
    rng = np.random.default_rng(seed)
    names = list(WORDS)
    for i in range(n):
        labels = [names[i % 3], *([names[(i + 1) % 3]] if i % 9 < 3 else [])]
        words = [w for label in labels for w in rng.choice(WORDS[label].split(), 4)]
        yield str(words[0]), ", ".join([*map(str, words), "said"]), labels


def table(path, join, delimiter=",", columns=("headline", "story", "tags"), n=60):
    with path.open("w", newline="") as file:
        writer = csv.writer(file, delimiter=delimiter)
        writer.writerow(columns)
        for i, (title, body, labels) in enumerate(rows(n)):
            writer.writerow([title, body, join(labels), *[f"{i % 12 + 1:02}/13/1987"] * (len(columns) - 3)])
    return path


@pytest.fixture
def trained(run, tmp_path):
    """A model of a table with other names, a semicolon for delimiter and | for separator."""
    path = tmp_path / "m.model"
    assert run("train", table(tmp_path / "train.csv", " | ".join, ";"), path, *COLUMNS).code == 0
    return path


def lines_of(text):
    return [json.loads(line) for line in text.splitlines()]


@pytest.mark.parametrize(
    ("delimiter", "join", "detected"),
    [
        (",", ";".join, ""),
        (",", lambda labels: "; ".join(labels) + ";", ""),  # a trailing separator
        (";", " | ".join, "detected delimiter ';' and label separator '|'"),
        ("\t", ", ".join, "detected delimiter '\\t' and label separator ','"),
        ("|", json.dumps, "detected delimiter '|' and lists of labels"),
        (",", repr, "detected lists of labels"),  # as pandas writes a column of lists
    ],
)
def test_delimiter_and_separator_are_detected_and_said(run, tmp_path, delimiter, join, detected):
    path, model = table(tmp_path / "t.csv", join, delimiter), tmp_path / "m.model"
    result = run("train", path, model, *COLUMNS)
    assert (result.code, "60 documents, 3 labels" in result.err) == (0, True)
    assert detected in result.err
    assert result.err.count("note: ") == bool(detected)
    exported = lines_of(run("corpus", "export", path, *COLUMNS).out)
    assert [(d["title"], d["body"], d["labels"]) for d in exported] == list(rows())


def test_options_given_win(run, tmp_path):
    path = table(tmp_path / "t.csv", ", ".join, ";")
    result = run("train", path, tmp_path / "m.model", *COLUMNS, "--separator", "+", "--delimiter", ";")
    assert (result.code, "note: " in result.err) == (0, False)
    assert "6 labels" in result.err  # "grain, crude" is one
    wrong = run("train", path, tmp_path / "m.model", *COLUMNS, "--delimiter", ";;")
    assert (wrong.code, "is not one character" in wrong.err) == (2, True)


def test_labels_with_commas_are_kept_whole_and_that_is_said(run, tmp_path):
    path = tmp_path / "t.csv"
    towns = ["Paris, France", "Lyon, France", "Bonn"]
    path.write_text("text,labels\n" + "".join(f'"{t} mayor","{t}"\n' for t in towns * 4))
    result = run("train", path, tmp_path / "m.model")
    assert "3 labels" in result.err
    assert "labels contain commas and are not split at them (--separator , splits them)" in result.err


def test_the_model_remembers_how_its_file_was_read(run, tmp_path, trained):
    held = table(tmp_path / "held.csv", " | ".join, ";", n=30)
    found = lines_of(run("predict", trained, held).out)
    assert [line["id"] for line in found] == [str(i) for i in range(1, 31)]  # row numbers
    assert sum(sorted(line["labels"]) == sorted(labels) for line, (_, _, labels) in zip(found, rows(30))) > 25
    assert "30 documents, 3 labels" in run("evaluate", trained, held).out
    assert "wheat" in run("explain", trained, held).out
    inspected = json.loads(run("inspect", trained, "--json").out)["reading"]
    assert inspected == {"columns": {"title": "headline", "body": "story", "labels": "tags"}, "separator": "|"}
    assert "labels=tags" in run("inspect", trained).out
    updated = run("update", trained, held)
    assert "30 documents learned\n" in updated.err  # no new labels
    assert load(trained).reading_ == inspected
    # A file with the usual names is read as ever.
    usual = tmp_path / "usual.jsonl"
    usual.write_text('{"id": "x", "text": "wheat crop barley"}\n')
    assert lines_of(run("predict", trained, usual).out)[0]["labels"] == ["grain"]


def test_another_separator_than_the_models_is_noticed(run, tmp_path, trained):
    result = run("evaluate", trained, table(tmp_path / "held.csv", ";".join, n=30))
    assert "30 documents, 3 labels" in result.out
    assert "detected label separator ';'" in result.err


def test_a_table_out_has_the_rows_given_and_the_answers(run, tmp_path, trained):
    new = tmp_path / "new.csv"
    new.write_bytes(b'story;confidence;\n"wheat; ""corn""\r!";high;\nzzz;low;\n')
    for name in ("out.csv", "out.tsv"):
        assert run("predict", trained, new, "--output", tmp_path / name).code == 0
        mark = ";" if name == "out.csv" else "\t"
        found = list(csv.reader(io.StringIO((tmp_path / name).read_bytes().decode(), newline=""), delimiter=mark))
        assert found[0] == ["story", "confidence", "", "labels", "probabilities", "predicted_confidence", "known_words"]
        assert found[1][:4] == ['wheat; "corn"\r!', "high", "", "grain"]
        assert found[2][:3] == ["zzz", "low", ""]
        assert found[2][6] == "0"
    lines = lines_of(run("predict", trained, new).out)
    assert [float(row[5]) for row in found[1:]] == [line["confidence"] for line in lines]
    assert float(found[1][4]) == lines[0]["probabilities"]["grain"]
    assert lines[1]["known_words"] == 0
    refused = run("predict", trained, new, "--all", "--output", tmp_path / "x.csv")
    assert (refused.code, "--all has no effect on a table" in refused.err) == (2, True)


def test_a_table_out_of_json_objects_has_a_column_for_each_field(run, tmp_path, trained):
    new = tmp_path / "new.jsonl"
    new.write_text('{"id": 7, "text": "wheat"}\n{"text": "oil", "more": [1, 2], "labels": ["a", "b"]}\n')
    assert run("predict", trained, new, "--output", tmp_path / "out.csv").code == 0
    found = list(csv.DictReader((tmp_path / "out.csv").open()))
    assert [row["predicted_labels"] for row in found] == ["grain", "crude"]
    assert [(row["id"], row["more"], row["labels"]) for row in found] == [("7", "", ""), ("", "[1,2]", "a|b")]


def test_a_file_a_pipe_and_one_document_agree(run, tmp_path, trained):
    held = table(tmp_path / "held.csv", "|".join, ";", n=20)
    from_file = run("predict", trained, held).out
    command = [sys.executable, "-c", "from bayesift.cli.main import main; main()", "predict", str(trained)]
    piped = subprocess.run([*command, "-", "--format", "csv"], input=held.read_bytes(), capture_output=True, check=True)
    assert piped.stdout.decode() == from_file
    text = held.read_text().splitlines()
    one = tmp_path / "one.csv"
    one.write_text("\n".join([text[0], text[7]]))
    assert lines_of(run("predict", trained, one).out)[0] | {"id": "7"} == lines_of(from_file)[6]


def test_a_table_on_a_pipe_is_answered_row_by_row(trained):
    command = [sys.executable, "-c", "from bayesift.cli.main import main; main()", "predict", str(trained)]
    with subprocess.Popen(
        [*command, "--format", "csv"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        process.stdin.write("headline;story\n")
        for word, label in [("wheat", "grain"), ("oil", "crude"), ("vessel", "ship")]:
            process.stdin.write(f"{word};{word}\n")
            process.stdin.flush()
            assert json.loads(process.stdout.readline())["labels"] == [label]  # before the next row is sent
        process.stdin.close()
        assert process.wait() == 0


def test_dates_and_labels_do_not_stop_those_who_do_not_need_them(run, tmp_path, trained):
    odd = tmp_path / "odd.csv"
    odd.write_text("headline;story;tags;date\nwheat;wheat;;03/05/1987\noil;oil;a|b;next week\n")
    assert len(lines_of(run("predict", trained, odd).out)) == 2
    bad = tmp_path / "bad.jsonl"
    bad.write_text('{"text": "oil", "labels": 7, "date": [1]}\n')
    assert run("predict", trained, bad).code == 0
    assert run("train", table(tmp_path / "t.csv", ";".join, columns=("headline", "story", "tags", "date")),
               tmp_path / "t.model", *COLUMNS).code == 0  # fmt: skip


def test_simulate_reads_as_the_others_and_puts_dates_in_order(run, tmp_path):
    path = table(tmp_path / "t.csv", "|".join, ";", ("headline", "story", "tags", "date"), n=90)
    options = (*COLUMNS, "--train", "0.5", "--topics", "grain")
    assert run("simulate", path, *options).code == 0
    assert "comes after" not in run("simulate", path, *options, "--by-date").err
    path.write_text(path.read_text().replace("/13/", "/05/"))
    wrong = run("simulate", path, *options, "--by-date")
    assert (wrong.code, "t.csv:2: ambiguous day and month: '01/05/1987'" in wrong.err) == (2, True)
    missing = run("simulate", path, "--pool", "--column", "text=story")
    assert missing.code == 2
    assert "no column 'labels'; columns are: headline, story, tags, date; name one with" in missing.err


def test_empty_cells_are_counted_and_may_be_left_out(run, tmp_path):
    path = table(tmp_path / "t.csv", lambda labels: "" if len(labels) > 1 else labels[0])
    result = run("train", path, tmp_path / "m.model", *COLUMNS)
    assert "21 empty labels cells: no label applies" in result.err
    assert "60 documents" in result.err
    result = run("train", path, tmp_path / "m.model", *COLUMNS, "--empty", "unlabelled")
    assert "21 documents without labels are left out" in result.err
    assert "39 documents, 3 labels" in result.err
    assert "39 documents" in run("evaluate", tmp_path / "m.model", path).out  # remembered
    old = load(tmp_path / "m.model")
    assert old.reading_["empty"] == "unlabelled"
    old.reading_["empty"] = "unjudged"  # its name in earlier model files
    old.save(tmp_path / "old.model")
    assert "39 documents" in run("evaluate", tmp_path / "old.model", path).out
    assert run("train", path, tmp_path / "m.model", *COLUMNS, "--empty", "maybe").code == 2


def test_sides_of_a_split_in_any_case_and_others_counted(run, tmp_path):
    path = tmp_path / "t.csv"
    sides = ["Train", "TEST", "train ", "valid", "", "training"]
    lines = [f'"{body}",{labels[0]},{sides[i % 6]}\n' for i, (_, body, labels) in enumerate(rows())]
    path.write_text("text,labels,split\n" + "".join(lines))
    result = run("train", path, tmp_path / "m.model")
    assert "30 documents" in result.err
    assert "documents in neither split 'train' nor 'test' are left out: 10 of 'valid', 10 without a split" in result.err
    assert "10 documents" in run("evaluate", tmp_path / "m.model", path).out


def test_a_json_array_and_json_fields_of_other_names(run, tmp_path):
    objects = [{"headline": t, "story": b, "tags": c} for t, b, c in rows()]
    array, lines = tmp_path / "a.json", tmp_path / "a.jsonl"
    array.write_text(json.dumps(objects, indent=1))
    lines.write_text("".join(json.dumps(o) + "\n" for o in objects))
    for path in (array, lines):
        assert run("train", path, tmp_path / f"{path.suffix}.model", *COLUMNS).code == 0
    assert (tmp_path / ".json.model").read_bytes() == (tmp_path / ".jsonl.model").read_bytes()
    array.write_text(json.dumps([*objects, {"headline": 7}]))
    wrong = run("train", array, tmp_path / "m.model", *COLUMNS)
    assert "a.json: element 61: expected `str | null`, got `int` in `headline`" in wrong.err
    array.write_text("[{")
    assert "a.json: not a JSON array" in run("train", array, tmp_path / "m.model").err


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ((), "no column 'text', 'title' or 'body'; columns are: headline, story, tags; name one with --column text="),
        (("--column", "text=stroy"), "no column 'stroy', did you mean 'story'?; columns are: headline, story, tags"),
        (("--column", "text=story"), "there is no column 'labels'; columns are: headline, story, tags; name one with"
                                     " --column labels=tags"),
    ],
)  # fmt: skip
def test_missing_columns_are_named_with_those_that_are_there(run, tmp_path, options, message):
    result = run("train", table(tmp_path / "t.csv", ";".join), tmp_path / "m.model", *options)
    assert (result.code, message in result.err) == (2, True), result.err


@pytest.mark.parametrize(("mark", "named"), [("~", "'~'"), ("^", "'^'"), (" ", "' '")])
def test_a_delimiter_that_is_not_detected_is_to_be_named(run, tmp_path, mark, named):
    path = table(tmp_path / "t.csv", ";".join, mark, ("title", "text", "labels"))
    failed = run("train", path, tmp_path / "m.model")
    assert failed.code == 2
    assert f"name the delimiter with --delimiter {named}" in failed.err
    assert "--column" not in failed.err
    assert "60 documents, 3 labels" in run("train", path, tmp_path / "m.model", "--delimiter", mark).err


def test_options_that_do_nothing_are_refused(run, tmp_path, trained):
    held = table(tmp_path / "held.csv", "|".join, ";", n=9)
    lines = tmp_path / "x.jsonl"
    lines.write_text('{"text": "wheat", "labels": ["grain"]}\n')
    for arguments, reason in {
        ("train", "docstrings", "m", "--column", "text=body"): "--column has no effect on a corpus",
        ("train", "docstrings", "m", "--separator", "|"): "--separator has no effect on a corpus",
        ("evaluate", trained, held, "--split", "modapte"): "--split has no effect on a file",
        ("evaluate", trained, held, "--data", tmp_path): "--data has no effect on a file",
        ("evaluate", trained, lines, "--separator", "|"): "--separator has no effect: labels are lists",
        ("evaluate", trained, lines, "--empty", "none"): "--empty has no effect: labels are lists",
        ("evaluate", trained, lines, "--delimiter", "|"): "--delimiter has no effect on JSON",
        ("predict", trained, held, "--column", "labels=tags"): "this command reads no labels",
        ("predict", trained, held, "--empty", "none"): "No such option",
        ("explain", trained, "--text", "oil", "--format", "csv"): "--format has no effect with --text",
        ("train", "reuters21578", "m"): "reuters21578: has several splits; choose one with --split: modapte",
    }.items():
        result = run(*arguments)
        assert (result.code, result.out) == (2, "")
        assert reason in result.err


def test_another_separator_than_the_remembered_one_is_seen(run, tmp_path):
    model = tmp_path / "s.model"
    assert run("train", table(tmp_path / "a.csv", ";".join), model, *COLUMNS).code == 0
    found = run("update", model, table(tmp_path / "b.csv", ", ".join))
    assert found.code == 0
    assert "label separator ','" in found.err
    assert "new labels" not in found.err


ICONV = "convert the file, e.g. iconv -f windows-1252 -t utf-8 OLD > NEW"
ICONV_16 = "convert the file, e.g. iconv -f utf-16 -t utf-8 OLD > NEW"


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("x.csv", b"text,labels\na,x\nb\n", "x.csv:3: 1 fields, the header has 2; correct it; --skip-bad leaves"),
        ("x.csv", b"text,labels\na,x\nb\xff,y\n", f":3: not UTF-8; {ICONV}; in Excel: save as CSV UTF-8; --skip-bad"),
        ("x.csv", "text,labels\r\na,x\r\n".encode("utf-16"), f"is UTF-16, not UTF-8; {ICONV_16}\n"),
        ("x.csv", b"\xfe\xff" + "text,labels\r\na,x\r\n".encode("utf-16-be"), "is UTF-16, not UTF-8"),
        ("x.jsonl", '{"text": "a"}\n'.encode("utf-16"), "is UTF-16, not UTF-8"),
        ("x.json", '[{"text": "a"}]\n'.encode("utf-16"), "is UTF-16, not UTF-8"),
        ("x.jsonl", '{"text": "caf\xe9"}\n'.encode("latin-1"), ":1: not UTF-8; convert the file, e.g. iconv"),
        ("x.csv", b"text,labels\ra,x\rb,y\r", ":1: lines end in CR alone; convert the file, e.g. tr '\\r' '\\n'\n"),
        ("x.csv", b'"text,labels\na,x\n', "x.csv:1: a quote is never closed; correct the header line\n"),
        ("x.csv", b"t\0e\0x\0t\0", "x.csv:1: contains a NUL byte; save the file as UTF-8 text\n"),
        ("x.jsonl", b'{"text": "a", "labels": ["x"]}\n{"text": 5}\n', "x.jsonl:2: expected `str | null`, got `int` in"),
        ("x.jsonl", b'{"text": 5}\n', "in `text`; correct it; --skip-bad leaves bad lines out\n"),
        ("x.jsonl", b'[{"text": "a"}]\n', ":1: expected `object`, got `array`; a file that is one JSON array"),
        ("x.json", b'[{"text": "a"}', "not a JSON array: Input data was truncated; check that the file is complete\n"),
    ],
)
def test_what_is_wrong_with_a_file_comes_with_a_remedy(run, tmp_path, name, content, message):
    (tmp_path / name).write_bytes(content)
    done = run("train", tmp_path / name, tmp_path / "m.model")
    assert done.code == 2
    assert message in done.err


def test_a_separator_that_comes_late_is_noted(run, tmp_path):
    def trained_on(name, *late):
        rows = [f"wheat {i},grain\noil {i},crude" for i in range(500)]
        (tmp_path / name).write_text("\n".join(["text,labels", *rows, *late]) + "\n")
        return run("train", tmp_path / name, tmp_path / "late.model", "--learner", "perceptron")

    done = trained_on("late.csv", "wheat and oil,grain|crude", "oil and wheat,crude|grain")
    assert done.code == 0
    assert (
        "note: " + str(tmp_path / "late.csv") + ": labels contain '|', e.g. 'grain|crude', "
        "and are not split (--separator '|' splits them)\n"
    ) in done.err
    assert "(--separator json splits them)" in trained_on("lists.csv", "wheat and oil,\"['grain', 'crude']\"").err
    assert "are not split" not in trained_on("none.csv", "wheat and oil,grain;crude").err


@pytest.mark.parametrize(
    "written", [tuple, set, frozenset, np.array, lambda labels: [np.str_(label) for label in labels]]
)
def test_collections_that_a_data_frame_writes_are_label_sets(written, tmp_path):
    sets = [("grain", "x y"), ("grain",), ("it's", "x y"), ("crude",)]
    rows = [{"text": f"a{i}", "labels": str(written(labels))} for i, labels in enumerate(sets)]
    with (tmp_path / "frame.csv").open("w", newline="") as out:
        table = csv.DictWriter(out, ["text", "labels"])
        table.writeheader()
        table.writerows([*rows, {"text": "none", "labels": str(written(()))}])
    with pytest.warns(Notice, match="detected lists of labels"):
        found = [d.labels for d in read_documents(tmp_path / "frame.csv")]
    assert list(map(set, found)) == [*map(set, sets), set()]


@pytest.mark.parametrize(
    ("cell", "labels"),
    [
        ("[5, 1]", ["5", "1"]), ("[5 1]", ["5", "1"]), ("['grain'\n 'x']", ["grain", "x"]), ("set([7])", ["7"]),
        ("(2019)", None), ("('a')", None), ("(grain)", None), ("{'grain': 1}", None), ("['a''b']", None),
        ("[1.5]", None), ("[True]", None), ("[grain]", None), ("[", None), ("", None),
    ],
)  # fmt: skip
def test_cells_that_are_collections_and_cells_that_are_not(cell, labels):
    assert list_in(cell) == labels


def test_rows_of_0_and_1_are_no_labels(run, tmp_path):
    (tmp_path / "rows.csv").write_text('text,labels\na,"[1, 0, 0]"\nb,"[0, 1, 0]"\n')
    done = run("train", tmp_path / "rows.csv", tmp_path / "m.model")
    assert (done.code, "rows.csv:2: a row of 0 and 1, not a list of labels" in done.err) == (2, True)
