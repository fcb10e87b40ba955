"""train, update, predict, evaluate, explain, inspect, compare and cross-validate, as a shell user meets them."""

import gzip
import json
import re
import signal
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pytest
import zstandard

from bayesift import TextClassifier, load

WORDS = {"grain": "wheat corn barley crop", "crude": "oil barrel opec refinery", "ship": "port vessel cargo tanker"}
COMMON = ["report", "said", "year", "prices", "market", "rose", "fell", "company"]


def documents(n=90, seed=0):
    rng = np.random.default_rng(seed)
    for i in range(n):
        own = list(WORDS)[i % 3]
        words = [*rng.choice(WORDS[own].split(), 4), *rng.choice(COMMON, 5)]
        yield {"id": f"d{i}", "title": str(words[0]), "body": " ".join(words), "labels": [own]}


def write(path, lines):
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


@pytest.fixture
def data(tmp_path):
    return write(tmp_path / "train.jsonl", documents())


@pytest.fixture
def model(tmp_path, data, run):
    path = tmp_path / "x.model"
    assert run("train", data, path).code == 0
    return path


def lines_of(text):
    return [json.loads(line) for line in text.splitlines()]


def test_train_says_what_it_did(run, tmp_path, data):
    result = run("train", data, tmp_path / "x.model")
    assert (result.code, result.out) == (0, "")
    assert "90 documents, 3 labels" in result.err
    first = (tmp_path / "x.model").read_bytes()
    run("train", data, tmp_path / "x.model")
    assert (tmp_path / "x.model").read_bytes() == first  # the same again, the same bytes


def test_predict_gives_a_json_line_a_document(run, model, tmp_path):
    test = write(tmp_path / "test.jsonl", documents(30, seed=1))
    found = lines_of(run("predict", model, test).out)
    assert [line["id"] for line in found] == [f"d{i}" for i in range(30)]
    right = sum(line["labels"] == list(WORDS)[i % 3 : i % 3 + 1] for i, line in enumerate(found))
    assert right > 25
    classifier = load(model)
    p = classifier.predict_proba([{"title": d["title"], "body": d["body"]} for d in documents(30, seed=1)])
    everything = lines_of(run("predict", model, test, "--all").out)
    shown = [[line["probabilities"][c] for c in classifier.classes_] for line in everything]
    assert np.allclose(shown, p, atol=1e-6)
    assert run("predict", model, test, "--together").code == 0
    out = tmp_path / "p.jsonl.gz"
    assert run("predict", model, test, "--output", out).out == ""
    assert lines_of(gzip.decompress(out.read_bytes()).decode()) == found


def test_tables_and_compressed_files(run, model, tmp_path):
    rows = "".join(f"{d['body']},{d['labels'][0]}\n" for d in documents())
    table = tmp_path / "t.csv.gz"
    table.write_bytes(gzip.compress(("Abstract,Tags\n" + rows).encode()))
    columns = ("--column", "text=Abstract", "--column", "labels=Tags")
    assert run("train", table, tmp_path / "t.model", *columns).code == 0
    zst = tmp_path / "t.jsonl.zst"
    zst.write_bytes(zstandard.compress(b'{"text": "wheat"}\n{"text": "oil"}\n'))
    found = lines_of(run("predict", tmp_path / "t.model", zst).out)
    assert [line["labels"] for line in found] == [["grain"], ["crude"]]


@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
def test_predictions_keep_the_byte_order_mark_of_a_table(run, model, tmp_path, mark):
    (tmp_path / "t.csv").write_bytes(mark + "text,n\nwheat caf\u00e9,1\n".encode())
    assert run("predict", model, tmp_path / "t.csv", "--output", tmp_path / "p.csv").code == 0
    assert (tmp_path / "p.csv").read_bytes().startswith(mark + b"text,n,labels,")
    assert run("predict", model, tmp_path / "p.csv", "--output", tmp_path / "q.csv").code == 0


def test_predictions_are_not_written_as_a_spreadsheet(run, model, tmp_path):
    test = write(tmp_path / "test.jsonl", documents(3, seed=1))
    failed = run("predict", model, test, "--output", tmp_path / "p.xlsx")
    assert failed.code == 2
    assert "predictions are not written as .xlsx; name a .csv or .tsv file" in failed.err
    assert not (tmp_path / "p.xlsx").exists()


def test_a_stream_is_answered_line_by_line(model):
    command = [sys.executable, "-c", "from bayesift.cli.main import main; main()", "predict", str(model), "-"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        for word, label in [("wheat", "grain"), ("oil", "crude"), ("vessel", "ship")] * 2:
            process.stdin.write(json.dumps({"text": word}) + "\n")
            process.stdin.flush()
            assert json.loads(process.stdout.readline())["labels"] == [label]  # before the next line is sent
        process.stdin.close()
        assert process.wait() == 0


def test_update_learns_more_and_replaces_the_file(run, model, tmp_path):
    before = model.read_bytes()
    more = write(tmp_path / "more.jsonl", [{"text": "zebra stripes zebra", "labels": ["animal"]}] * 9)
    other = tmp_path / "y.model"
    result = run("update", model, more, "--output", other)
    assert "9 documents learned; new labels: animal" in result.err
    assert model.read_bytes() == before
    assert run("update", model, more).code == 0
    assert model.read_bytes() == other.read_bytes()
    assert "animal" in lines_of(run("explain", model, "--text", "zebra", "--label", "animal", "--json").out)[0]["label"]


def test_evaluate_measures_and_writes_a_page(run, model, tmp_path, data):
    test = write(tmp_path / "test.jsonl", [*documents(30, seed=1), {"text": "new", "labels": ["unseen"]}])
    page, figures = tmp_path / "r.html", tmp_path / "r.json"
    result = run("evaluate", model, test, "--report", page, "--json", figures, "--training", data)
    assert result.code == 0
    assert "micro F1" in result.out
    assert json.loads(figures.read_text())["summary"]["micro F1"] > 0.9
    html = page.read_text()
    confused = "Labels confused with one another"
    for part in ("Reliability", "Thresholds", "Learning curve", confused, "Hardest documents"):
        assert part in html
    assert "unseen: never learned" in html
    for outside in ("http://", "https://", "src=", "@import", "url("):
        assert outside not in html  # no network
    assert html.count('<svg class="chart"') == 3
    run("evaluate", model, test, "--report", page, "--training", data)
    assert page.read_text() == html


def test_a_text_cannot_put_code_into_a_page(run, model, tmp_path):
    line = {"id": "<b>", "title": "<script>alert(1)</script>", "text": "oil", "labels": ["ship"]}
    evil = write(tmp_path / "evil.jsonl", [line])
    run("evaluate", model, evil, "--report", tmp_path / "r.html")
    run("explain", model, evil, "--html", tmp_path / "e.html")
    for name in ("r.html", "e.html"):
        assert "<script>alert" not in (tmp_path / name).read_text()


def test_explain_on_the_terminal_as_json_and_as_a_page(run, model, data, tmp_path):
    shown = run("explain", model, data, "--id", "d0", "--words", "3")
    assert "grain: predicted" in shown.out
    assert "prior" in shown.out
    assert re.search(r"\+\d\.\d+ ± [\d.]+ +│█", shown.out)  # the sign, as a number and as a side of the axis
    found = lines_of(run("explain", model, data, "--first", "2", "--json").out)
    assert {line["id"] for line in found} == {"d0", "d1"}
    assert found[0]["words"][0]["sd"] > 0
    assert run("explain", model, data, "--html", tmp_path / "e.html").code == 0
    assert "<mark" in (tmp_path / "e.html").read_text()
    missing = run("explain", model, data, "--id", "nobody")
    assert (missing.code, "no document 'nobody'; pass the id of a document in the file" in missing.err) == (2, True)
    wrong = run("explain", model, "--text", "oil", "--label", "gold")
    assert (wrong.code, "labels are: crude, grain, ship" in wrong.err) == (2, True)


def test_inspect_shows_an_old_file_with_the_names_of_today(run):
    old = Path(__file__).parents[1] / "classify" / "data" / "version-1-multilabel.model"
    result = run("inspect", old)
    assert "BOMC with JointThresholds" in result.out
    found = json.loads(run("inspect", old, "--json").out)["training"]
    assert (found["learner"], found["rule"], found["documents"]) == ("BOMC", "JointThresholds", 18)


def test_explain_without_documents_says_so(run, model, tmp_path):
    result = run("explain", model, write(tmp_path / "empty.jsonl", []))
    assert (result.code, "empty.jsonl: has no documents; pass a file with documents" in result.err) == (2, True)


def test_a_folder_without_files_of_documents_says_so(run, tmp_path):
    result = run("train", tmp_path, tmp_path / "new.model")
    assert (result.code, "the folder has no files of documents" in result.err) == (2, True)


def test_train_prints_the_size_of_a_small_model(run, tmp_path):
    data = write(tmp_path / "few.jsonl", [{"text": "wheat", "labels": ["a"]}, {"text": "oil", "labels": []}] * 5)
    result = run("train", data, tmp_path / "few.model")
    assert re.search(r"few\.model: [1-9]\d* kB$", result.err, re.MULTILINE)


def test_inspect_says_that_terms_have_no_weights(run, model, tmp_path):
    TextClassifier("categoriser").fit(["wheat harvest", "oil price"] * 9, ["grain", "oil"] * 9).save(tmp_path / "m")
    assert "terms have no weights in this learner" in run("inspect", tmp_path / "m").out
    assert "no weights" not in run("inspect", model).out


def test_inspect_shows_what_was_learned(run, model):
    result = run("inspect", model)
    assert "90 documents, 3 labels" in result.out
    found = json.loads(run("inspect", model, "--json", "--label", "crude").out)
    assert found["version"] == 2
    assert {t["term"] for t in found["labels"][0]["positive"]} <= {"oil", "barrel", "opec", "refineri"} | {
        f"title:{w}" for w in ("oil", "barrel", "opec", "refineri")
    }
    assert {"refinery", "barrels"} & {t["word"] for t in found["labels"][0]["positive"]}  # as documents write them
    assert "refineri " not in result.out


def test_compare_two_models_and_two_rules(run, model, data, tmp_path):
    other = tmp_path / "y.model"
    run("train", data, other, "--learner", "perceptron")
    test = write(tmp_path / "test.jsonl", documents(30, seed=1))
    figures = tmp_path / "c.json"
    assert "x.model against y.model" in run("compare", model, other, "--on", test, "--json", figures).out
    assert json.loads(figures.read_text())["names"] == ["x.model", "y.model"]
    assert "own against 0.5" in run("compare", model, "--on", test, "--rule", "own", "--rule", "0.5").out
    for arguments in ((model,), (model, other, "--rule", "own"), (model, "--rule", "max-f1", "--rule", "own")):
        assert run("compare", *arguments, "--on", test).code == 2


def test_compare_says_which_labels_one_model_alone_has(run, model, data, tmp_path):
    test = write(tmp_path / "test.jsonl", documents(30, seed=1))
    more = write(tmp_path / "more.jsonl", [{"id": "r", "text": "rare", "labels": ["rare"]}])
    assert run("update", model, more, "--output", tmp_path / "y.model").code == 0
    done = run("compare", model, tmp_path / "y.model", "--on", test)
    assert "macro F1 counts the labels of both models, evaluate those of one" in done.err
    assert "in no document: rare\n" in done.err
    run("train", data, tmp_path / "z.model", "--learner", "bomc")
    assert "macro F1" not in run("compare", model, tmp_path / "z.model", "--on", test).err


def test_an_option_of_a_label_is_given_once(run, data, tmp_path):
    terms = tmp_path / "terms.csv"
    terms.write_text("term,mean,scale\nwheat,1,1\n")
    for twice in (["--prior-terms", f"grain={terms}"] * 2, ["--rule", "precision", *["--target", "grain=0.5"] * 2]):
        done = run("train", data, tmp_path / "t.model", *twice)
        assert done.code == 2
        assert "is given twice for 'grain'; keep one of the two" in done.err


def test_cross_validate(run, data, tmp_path):
    result = run("cross-validate", data, "--folds", "3", "--json", tmp_path / "c.json")
    assert "3-fold cross-validation: 90 documents, 3 labels" in result.out
    assert "over folds" in result.err
    assert json.loads((tmp_path / "c.json").read_text())["summary"]["macro F1"] > 0.9


def test_cross_validate_with_a_label_of_one_document(run, data, tmp_path):
    """Its probability is small where it was not learned, never 0, and macro F1 is that of the table alone."""
    with data.open("a") as out:
        out.write(json.dumps({"id": "x", "text": "wheat port", "labels": ["grain", "rare"]}) + "\n")
    figures = tmp_path / "c.json"
    result = run("cross-validate", data, "--folds", "3", "--json", figures)
    found = json.loads(figures.read_text())
    assert found["summary"]["log-evidence per decision"] > -1.0
    rare = next(row for row in found["labels"] if row["label"] == "rare")
    assert rare["roc_area"] == 0.5
    assert "mean over folds ± standard deviation: micro F1 " in result.err
    assert ", macro F1 0." not in result.err


@pytest.mark.parametrize(
    ("lines", "folds", "message"),
    [
        ([["a"]], 2, "cross-validation needs 2 labelled documents or more, not 1"),
        ([["a"], ["b"], []], 600, "600 folds of 3 documents; give a number of folds from 2 to 3"),
        ([["a"], [], [], []], 2, "there is too little to learn from (no document has a label"),
    ],
)
def test_cross_validation_of_too_little(run, tmp_path, lines, folds, message):
    path = write(tmp_path / "few.jsonl", [{"text": f"word{i} wheat", "labels": own} for i, own in enumerate(lines)])
    result = run("cross-validate", path, "--folds", folds)
    assert (result.code, result.out) == (2, "")
    assert message in result.err
    assert "Traceback" not in result.err


def test_explain_prints_a_document_once_and_states_why(run, model):
    text = "A tanker in port with barrels of opec oil"
    shown = run("explain", model, "--text", text, "--label", "ship", "--label", "crude").out
    assert shown.count("A tanker in port") == 1
    assert "barrels" in shown.split("crude: ")[1]  # the word as it stands, not its stem
    nothing = " ".join(run("explain", model, "--text", "weather").out.split())
    why = "every training document had a label, so the closest one is predicted"
    found = re.search(rf"predicted, p = ([\d.]+) \({why}; threshold ([\d.]+)", nothing)
    assert float(found[1]) <= float(found[2])


def test_evaluate_shows_exact_match_and_never_breaks_a_name(run, model, tmp_path):
    name = "a label with a name of forty characters!"
    test = write(tmp_path / "test.jsonl", [*documents(30, seed=1), {"text": "new", "labels": [name]}])
    out = run("evaluate", model, test).out
    for measure in ("exact match", "label accuracy", "macro F1 over labels with a document", "mean confidence"):
        assert f"\n{measure} " in out
    assert f"\n{name} " in out


def test_options_of_training_reach_the_model(run, data, tmp_path):
    (tmp_path / "known.csv").write_text("term,mean,scale\nwheat,4,1\n")
    (tmp_path / "stop.txt").write_text("report\nsaid\n")
    options = ["--learner", "bomc", "--stem", "none", "--ngrams", "2", "--min-df", "2", "--one-label"]
    options += ["--weight", "binary", "--prior-terms", f"grain={tmp_path / 'known.csv'}"]
    options += ["--stop-words", str(tmp_path / "stop.txt")]
    path = tmp_path / "x.model"
    assert run("train", data, path, *options).code == 0
    found = load(path)
    v = found.vectorizer_
    assert (found.kind_, v.stem, v.ngrams, v.min_df, v.weight) == ("one", None, 2, 2, "binary")
    assert sorted(v.stop_words) == ["report", "said"]
    assert run("update", path, data).code == 0


def test_a_language_and_html_are_chosen_on_the_command_line(run, data, tmp_path):
    path = tmp_path / "x.model"
    done = run("train", data, path, "--language", "de", "--stop-words", "french", "--keep-html")
    assert done.code == 0, done.err
    v = load(path).vectorizer_
    assert (v.language, v.stem, v.stop_words, v.html) == ("de", "auto", "french", "keep")
    assert "avec" in v.stop_words_
    assert run("train", data, path, "--language", "klingon").err.startswith("bayesift: no language 'klingon'; use one")
    assert "no stop words for 'klingon'; name a language" in run("train", data, path, "--stop-words", "klingon").err


def test_the_split_of_a_file_is_kept(run, tmp_path):
    lines = [d | {"split": "train" if i < 60 else "test"} for i, d in enumerate(documents())]
    both = write(tmp_path / "both.jsonl", lines)
    assert "60 documents" in run("train", both, tmp_path / "x.model").err
    assert "30 documents" in run("evaluate", tmp_path / "x.model", both).out


# Everything a shell user does wrong.


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (None, "no such file or corpus"),
        (b"", "has no documents"),
        (b'{"text": "unjudged"}\n', "no field 'labels'; fields are: text; name one with --column labels=NAME"),
        (b'{"text": "a", "labels": ["x"]}\n{"text": "b", "labels": ["x"]}\n', "one label only"),
        (b'{"text": "a", "labels": []}\n', "no document has a label"),
        (b'{"text": "caf\xe9", "labels": ["x"]}\n', "train.jsonl:1:"),
        ("text,labels\ncaf\u00e9,x\n".encode("utf-16"), "train.jsonl: is UTF-16, not UTF-8"),
        (b'{"text": "a", "labels": 7.5}\n', "train.jsonl:1:"),
        (b"\x1f\x8b\x08 not gzip", "damaged"),
    ],
)
def test_bad_training_data_leaves_the_old_model(run, tmp_path, model, content, message):
    path = tmp_path / "train.jsonl"
    path.unlink()
    if content is not None:
        path.write_bytes(content)
    before = model.read_bytes()
    result = run("train", path, tmp_path / "x.model")
    assert (result.code, result.out) == (2, "")
    last = result.err.splitlines()[-1]
    assert last.startswith("bayesift: ")
    assert message in last
    assert model.read_bytes() == before
    assert sorted(p.suffix for p in tmp_path.iterdir()) in ([".jsonl", ".model"], [".model"])


def test_a_model_never_replaces_something_else(run, data, tmp_path):
    other = write(tmp_path / "precious.jsonl", documents(3))
    before = other.read_bytes()
    result = run("train", data, other)
    assert (result.code, "already exists and is not a model file" in result.err) == (2, True)
    assert other.read_bytes() == before


def test_directories_are_told_from_files(run, tmp_path, data, model):
    empty = tmp_path / "empty"
    empty.mkdir()
    for arguments in (("train", empty, tmp_path / "y.model"), ("train", data, tmp_path), ("predict", tmp_path, data),
                      ("train", data, tmp_path / "no" / "y.model"), ("predict", model, empty)):  # fmt: skip
        result = run(*arguments)
        assert (result.code, result.out) == (2, "")
        assert "Traceback" not in result.err


@pytest.mark.parametrize("content", [b"", b"not a model", b"\x80\x04pickle", b"PK\x03\x04zip" * 20])
def test_a_file_that_is_no_model(run, tmp_path, data, content):
    path = tmp_path / "x.model"
    path.write_bytes(content)
    for arguments in (("predict", path, data), ("evaluate", path, data), ("inspect", path), ("update", path, data)):
        result = run(*arguments)
        assert (result.code, result.out) == (2, "")
        assert "x.model: is" in result.err
    assert path.read_bytes() == content


def test_odd_things_are_noted_and_nothing_stops(run, tmp_path):
    lines = [*documents(), {"id": "d1", "text": "wheat", "labels": ["Grain"]}, {"text": "x"}]
    result = run("train", write(tmp_path / "t.jsonl", lines), tmp_path / "x.model")
    assert result.code == 0
    assert "'Grain', 'grain'" in result.err
    assert "1 duplicate ids, e.g. 'd1' (2 documents)" in result.err
    assert "1 documents without labels are left out" in result.err
    assert "fewer than 3 documents: Grain" in result.err
    assert result.err.count("bayesift: note: ") == 4


def test_bad_lines_of_a_stream(run, model, tmp_path):
    bad = tmp_path / "bad.jsonl"
    bad.write_text('{"text": "oil"}\nnonsense\n{"text": "wheat"}\n')
    stopped = run("predict", model, bad)
    assert (stopped.code, "bad.jsonl:2:" in stopped.err) == (2, True)
    skipped = run("predict", model, bad, "--skip-bad")
    assert (skipped.code, len(skipped.out.splitlines())) == (0, 2)
    assert "1 bad line skipped" in skipped.err


def test_wrong_choices_say_which_there_are(run, data, tmp_path):
    wrong = {"--learner": ("svm", "multilabel"), "--rule": ("best", "joint"), "--stem": ("klingon", "english")}
    wrong |= {"--weight": ("heavy", "ltc"), "--prior-terms": ("grain", "LABEL=FILE")}
    for option, (value, named) in wrong.items():
        result = run("train", data, tmp_path / "x.model", option, value)
        assert (result.code, result.out) == (2, "")
        assert named in result.err
    assert not (tmp_path / "x.model").exists()


def test_a_full_disk_leaves_the_old_model(data, model):
    import resource

    before = model.read_bytes()
    limit = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (2000, 2000))  # noqa: E731
    code = "import signal; signal.signal(signal.SIGXFSZ, signal.SIG_IGN); from bayesift.cli.main import main; main()"
    command = [sys.executable, "-c", code, "train", str(data), str(model)]
    result = subprocess.run(command, capture_output=True, text=True, preexec_fn=limit)
    assert result.returncode == 2
    assert "cannot write" in result.stderr
    assert "Traceback" not in result.stderr
    assert model.read_bytes() == before
    assert sorted(p.name for p in model.parent.iterdir()) == ["train.jsonl", "x.model"]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_full_disk_below_the_output(data, model):
    with Path("/dev/full").open("w") as full:
        command = [sys.executable, "-c", "from bayesift.cli.main import main; main()", "predict", str(model), str(data)]
        result = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True)
    assert result.returncode == 2
    assert result.stderr == "bayesift: cannot write the output: No space left on device\n"


def test_a_reader_that_goes_away(data, model, tmp_path):
    many = write(tmp_path / "many.jsonl", documents(3000))
    command = [sys.executable, "-c", "from bayesift.cli.main import main; main()", "predict", str(model), str(many)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == ""
        assert process.wait() == 1


MOMENTS = ["bayesift.corpora.jsonl._lines", "bayesift.text.vectorizer.blocks", "bayesift.model_file.file.tensor_parts"]
MOMENTS += ["os.replace"]


@pytest.mark.parametrize("moment", MOMENTS)
def test_an_interrupt_at_any_moment_leaves_the_old_model(run, data, model, monkeypatch, moment):
    """While lines are read, while words are counted, while the file is made, and just before it gets its name."""
    before = model.read_bytes()
    with monkeypatch.context() as patch:
        patch.setattr(moment, interrupt)
        result = run("train", data, model)
    assert result.code == 130
    assert "interrupted; no file was left incomplete" in result.err
    assert "Traceback" not in result.err
    assert model.read_bytes() == before
    assert sorted(p.name for p in model.parent.iterdir()) == ["train.jsonl", "x.model"]


def interrupt(*_arguments, **_options):
    raise KeyboardInterrupt


def test_a_real_interrupt_of_a_stream(model):
    command = [sys.executable, "-c", "from bayesift.cli.main import main; main()", "predict", str(model)]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen(command, text=True, **pipes) as process:
        process.stdin.write('{"text": "oil"}\n')
        process.stdin.flush()
        process.stdout.readline()
        process.send_signal(signal.SIGINT)  # while it waits for the next line
        assert process.wait(60) == 130
        assert process.stderr.read() == "bayesift: interrupted; no file was left incomplete\n"


def test_memory_stays_bounded_on_an_endless_stream(model):
    """A model that reads a long stream has, at its end, no more memory than soon after its start."""
    code = (
        "import resource, sys, io\nfrom bayesift.cli.main import run\n"
        "class Lines(io.RawIOBase):\n"
        "    n, rest, marks = 0, b'', {}\n"
        "    def readable(self): return True\n"
        "    def readinto(self, b):\n"
        "        if not self.rest:\n"
        "            self.n += 1\n"
        "            self.marks[self.n] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss\n"
        "            self.rest = b'' if self.n > 1200 else b'{\"text\": \"wheat w%d \"}\\n' % self.n\n"
        "        k = min(len(b), len(self.rest)); b[:k] = self.rest[:k]; self.rest = self.rest[k:]; return k\n"
        "source = Lines()\nsys.stdin = io.TextIOWrapper(io.BufferedReader(source))\n"
        "code = run(['predict', sys.argv[1], '-'])\n"
        "print(code, source.marks[1200] - source.marks[300], file=sys.stderr)\n"
    )
    result = subprocess.run([sys.executable, "-c", code, str(model)], capture_output=True, text=True)
    code, grown = map(int, result.stderr.splitlines()[-1].split())  # a note on compilation may come first
    assert (code, len(result.stdout.splitlines())) == (0, 1200)
    assert grown < 8_000  # kilobytes


def test_threads_of_python_can_share_a_model(model):
    classifier = load(model)
    texts = [d["body"] for d in documents(40)]
    expected, found = classifier.predict_proba(texts), []
    threads = [threading.Thread(target=lambda: found.append(classifier.predict_proba(texts))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(np.array_equal(expected, p) for p in found)
    assert len(found) == 4


def test_completion_is_there(run):
    assert run("--help").code == 0
    assert "--install-completion" in run("--help").out


@pytest.mark.parametrize(
    ("given", "message"),
    [("", "standard input: has no documents"), ('{"text": 5}\n', "standard input:1: expected `str"),
     ('{"text"\n', "standard input:1: not JSON")],
)  # fmt: skip
def test_errors_name_standard_input(tmp_path, given, message):
    command = [sys.executable, "-m", "bayesift", "train", "-", str(tmp_path / "m.model")]
    done = subprocess.run(command, input=given, capture_output=True, text=True)
    assert (done.returncode, done.stderr[: len(message) + 10]) == (2, f"bayesift: {message}")
    assert not (tmp_path / "m.model").exists()
