"""`--hierarchy` of train and cross-validate, and what the other verbs make of such a model."""

import json

import pytest

from bayesift import load
from bayesift.decide.consistent import contradicted

WORDS = {"corn": "corn maize", "wheat": "wheat flour", "crude": "oil opec"}
PAIRS = "child,parent\ncorn,grain\nwheat,grain\nspelt,grain\n"


@pytest.fixture
def files(tmp_path):
    """Documents without the parents of their labels, a hierarchy, and a place for the model."""
    lines = [
        {"id": f"d{i}", "text": f"{WORDS[own]} {'rose' if i % 2 else 'fell'} {list(WORDS)[i % 7 % 3]}", "labels": [own]}
        for i in range(60)
        for own in [list(WORDS)[i % 3]]
    ]
    data, pairs = tmp_path / "d.jsonl", tmp_path / "pairs.csv"
    data.write_text("".join(json.dumps(line) + "\n" for line in lines))
    pairs.write_text(PAIRS)
    return data, pairs, tmp_path / "x.model"


def test_every_verb_of_a_model_with_a_hierarchy(run, files, tmp_path):
    data, pairs, model = files
    trained = run("train", data, model, "--hierarchy", pairs)
    assert trained.code == 0
    assert "note: 40 documents get labels that the hierarchy implies and that they lacked, as 'grain'" in trained.err
    assert "60 documents, 4 labels" in trained.err
    pairs.unlink()  # the model has it
    found = [json.loads(line) for line in run("predict", model, data).out.splitlines()]
    assert any(set(line["labels"]) == {"corn", "grain"} for line in found)
    assert all("grain" in line["labels"] for line in found if {"corn", "wheat"} & set(line["labels"]))
    score = load(model).score(*_texts(data))
    evaluated = run("evaluate", model, data, "--json", tmp_path / "e.json", "--report", tmp_path / "e.html")
    assert evaluated.code == 0
    assert json.loads((tmp_path / "e.json").read_text())["summary"]["micro F1"] == pytest.approx(score)
    for verb in ("inspect", "explain"):
        assert run(verb, model, *([data] if verb == "explain" else [])).code == 0
    assert "hierarchy: 3 labels with parents" in run("inspect", model).out
    assert run("compare", model, "--on", data, "--rule", "own", "--rule", "0.5").code == 0
    assert run("compare", model, model, "--on", data).code == 0
    more = tmp_path / "more.jsonl"
    more.write_text('{"text": "spelt", "labels": ["spelt"]}\n' * 5)
    assert "new labels: spelt" in run("update", model, more).err
    classifier = load(model)
    assert classifier.label_documents_.tolist() == [20, 20, 45, 20, 5]
    given = classifier.decisions(["spelt", "corn", "oil"])[1]
    assert not contradicted(given, classifier.hierarchy_.pairs(classifier.classes_.tolist())).any()
    exported = run("export", model, tmp_path / "x.onnx")
    assert (exported.code, "hierarchy of labels cannot be exported" in exported.err) == (2, True)


def test_cross_validate_takes_the_same_options(run, files):
    data, pairs, _ = files
    found = run("cross-validate", data, "--folds", "2", "--hierarchy", pairs)
    assert found.code == 0
    assert "grain" in found.out
    assert found.err.count("that the hierarchy implies") == 1


def test_label_sets_may_contradict_it_if_asked(run, files):
    data, pairs, model = files
    assert run("train", data, model, "--hierarchy", pairs, "--inconsistent").code == 0
    assert load(model).consistent is False
    assert "decided label by label" in run("inspect", model).out


def test_a_json_file_is_the_same(run, files, tmp_path):
    data, pairs, model = files
    assert run("train", data, model, "--hierarchy", pairs).code == 0
    first = model.read_bytes()
    other = tmp_path / "pairs.json"
    other.write_text('{"corn": "grain", "wheat": ["grain"], "spelt": "grain"}')
    assert run("train", data, model, "--hierarchy", other).code == 0
    assert model.read_bytes() == first


@pytest.mark.parametrize(("options", "message"), [
    (["--inconsistent"], "--inconsistent needs --hierarchy"),
    (["--hierarchy", "PAIRS", "--one-label"], "--hierarchy gives documents several labels, --one-label a single one"),
    (["--hierarchy", "no.csv"], "no.csv"),
])  # fmt: skip
def test_options_that_do_not_go_together(run, files, options, message):
    data, pairs, model = files
    found = run("train", data, model, *(pairs if option == "PAIRS" else option for option in options))
    assert found.code == 2
    assert message in found.err
    assert len(found.err.splitlines()) == 1
    assert not model.exists()


def test_a_bad_file_is_named_with_its_line(run, files):
    data, pairs, model = files
    pairs.write_text("child,parent\ncorn,grain\ngrain,corn\n")
    found = run("train", data, model, "--hierarchy", pairs)
    assert found.code == 2
    assert f"{pairs}:3: the hierarchy has a cycle: grain > corn > grain; remove one of these pairs" in found.err


def test_the_model_does_not_overwrite_the_hierarchy(run, files):
    data, pairs, _ = files
    found = run("train", data, pairs, "--hierarchy", pairs)
    assert (found.code, "is both input and output" in found.err) == (2, True)
    assert pairs.read_text() == PAIRS


def _texts(data):
    lines = [json.loads(line) for line in data.read_text().splitlines()]
    return [line["text"] for line in lines], [tuple(line["labels"]) for line in lines]
