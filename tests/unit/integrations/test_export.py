"""Models for programs without bayesift: the same probabilities and labels by onnxruntime and by node."""

import itertools
import json
import random
import shutil
import subprocess
import sys

import numpy as np
import pytest

from bayesift import TextClassifier, TextVectorizer, load_corpus
from bayesift.decide import Threshold
from bayesift.errors import BadInput
from bayesift.integrations.javascript import javascript, write_javascript
from bayesift.integrations.linear_model import most_useful_weights, with_weights
from bayesift.integrations.onnx import write_onnx
from bayesift.learn import BOMC
from bayesift.text.languages import CODES

RUN = """
const {classify} = require(process.argv[1]), lines = require("readline").createInterface({input: process.stdin});
lines.on("line", line => console.log(JSON.stringify(classify(JSON.parse(line)))));
"""
ODD = [
    "", "...", "the of and", "Straße und GROẞE ﬁne ﬂow", "E\u0301te\u0301 naïve…idea", "東京2020 tokyo東京",
    "Σίσυφος ΣΊΣΥΦΟΣ",
    "<p>Fish &amp; chips</p><script>if (a<b) c()</script>, x<y", "caf&eacute; &#233;t&#xe9; &notit; &alpha;beta &#150;",
    "List<String> <b>bold</b> <!-- gone --> <br/> kept <!-- not closed", "ÅNGSTRÖM İstanbul ŉ ǰ ΐ Ꮳherokee",
    "a\u200db\u0300c", "har\u00advest wheat\u2060 \ufeffcorn zero\u200bwidth",
    "𝔘𝔫𝔦𝔠𝔬𝔡𝔢 １２３ ② ½ ४२", "word" * 30, "don't can't it's", "e-mail C++ x_y 3.14", "\u0301 mark first",
]  # fmt: skip


@pytest.fixture(scope="module")
def documents():
    found = [d for d in load_corpus("docstrings").documents() if d.labels]
    random.Random(0).shuffle(found)
    return found


@pytest.fixture(scope="module")
def model(documents):
    found = TextClassifier().fit(documents[:1500])
    assert found.classifier_.rule_.implied_  # some labels imply others
    return found


def many(documents, n):
    """Yield so many texts: docstrings, pieces of them put together at random, and odd ones."""
    rng, sentences = random.Random(1), [d.body.split(". ") for d in documents]
    yield from ODD
    for d in itertools.islice(documents, n // 4):
        yield {"title": d.title, "body": d.body}
    for _ in range(n - n // 4 - len(ODD)):
        parts = [rng.choice(rng.choice(sentences)) for _ in range(rng.randrange(1, 5))]
        yield ". ".join(parts)[: rng.randrange(10, 600)]


def smaller(model, weights):
    terms, labels = most_useful_weights(model)
    return with_weights(model, terms[:weights], labels[:weights])


def in_node(file, texts):
    node = shutil.which("node")
    if node is None:
        pytest.skip("needs node: install Node.js")
    lines = "\n".join(json.dumps(text) for text in texts) + "\n"
    done = subprocess.run([node, "-e", RUN, str(file)], input=lines, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


def assert_same(model, texts, found):
    """Labels may differ only where a probability is at its threshold."""
    p, decisions = model.decisions(texts)
    names = [str(label) for label in model.classes_]
    theirs = np.array([[answer["probabilities"][name] for name in names] for answer in found])
    np.testing.assert_allclose(theirs, p, atol=1e-6)
    given = np.array([[name in map(str, answer["labels"]) for name in names] for answer in found])
    assert ((given != decisions).any(axis=1)).mean() < 1e-3


def test_node_equals_python_on_10000_documents(model, documents, tmp_path):
    small = write_javascript(model, tmp_path / "small.js", 400_000)
    assert 300_000 < (tmp_path / "small.js").stat().st_size <= 400_000
    assert 50 < small.vectorizer_.vocabulary_.n_columns < model.vectorizer_.vocabulary_.n_columns
    texts = list(many(documents, 10_000))
    assert len(texts) == 10_000
    assert_same(small, texts, in_node(tmp_path / "small.js", texts))
    held_out = documents[1500:2000]
    assert small.score(held_out) > model.score(held_out) - 0.1


SETTINGS = {
    "whole": {},
    "one label": {"single": True},
    "n-grams, zones": {"vectorizer": TextVectorizer(ngrams=3, zones=["title"], weight="tfidf", min_df=2)},
    "no stemmer, HTML kept": {"vectorizer": TextVectorizer(stem=None, stop_words=None, html="keep", weight="log")},
    "short words, no numbers": {"vectorizer": TextVectorizer(min_length=1, numbers=False, weight="binary")},
    "threshold": {"rule": Threshold(0.5)},
    "shared bias": {"learner": BOMC("coupled")},
    "rates": {"label_rates": {"numpy": 0.5}},
    "precision": {"rule": "precision"},
}


@pytest.mark.parametrize("name", SETTINGS)
def test_settings(name, documents, tmp_path):
    settings = dict(SETTINGS[name])
    single = settings.pop("single", False)
    some = documents[:400]
    model = TextClassifier(**settings).fit(some, [d.labels[0] for d in some] if single else [d.labels for d in some])
    (tmp_path / "model.js").write_bytes(javascript(model))
    texts = list(many(documents[400:], 300))
    assert_same(model, texts, in_node(tmp_path / "model.js", texts))
    assert_same_onnx(model, texts, tmp_path / "model.onnx")


def assert_same_onnx(model, texts, path):
    runtime = pytest.importorskip("onnxruntime", reason="needs onnxruntime: pip install '.[onnx]'")
    write_onnx(model, path)
    session = runtime.InferenceSession(str(path), providers=["CPUExecutionProvider"])
    assert json.loads(session.get_modelmeta().custom_metadata_map["labels"]) == model.classes_.tolist()
    p, labels = session.run(["probabilities", "labels"], {"vectors": model.vectorize(texts).toarray()})
    found = [
        {"probabilities": dict(zip(map(str, model.classes_), row)),
         "labels": [str(c) for c, given in zip(model.classes_, gets) if given]}
        for row, gets in zip(p.tolist(), labels.tolist())
    ]  # fmt: skip
    assert_same(model, texts, found)


def test_onnx_equals_python(model, documents, tmp_path):
    assert_same_onnx(model, list(many(documents, 1000)), tmp_path / "model.onnx")


def test_the_file_works_in_a_browser_without_modules(model, tmp_path):
    node = shutil.which("node")
    if node is None:
        pytest.skip("needs node: install Node.js")
    (tmp_path / "model.js").write_bytes(javascript(smaller(model, 200)))
    code = "const vm = require('vm'), box = {atob, Uint8Array}; vm.createContext(box);" \
        "vm.runInContext(require('fs').readFileSync(process.argv[1], 'utf8'), box);" \
        "console.log(vm.runInContext('bayesift.classify(\"sparse matrix\").labels.length >= 0', box))"  # fmt: skip
    done = subprocess.run([node, "-e", code, str(tmp_path / "model.js")], capture_output=True, text=True)
    assert (done.stdout, done.stderr) == ("true\n", "")


def test_a_model_with_fewer_terms_leaves_the_model_as_it_is(model, documents):
    before = model.predict_proba(documents[1500:1510])
    small = smaller(model, 100)
    assert 10 < small.vectorizer_.vocabulary_.n_columns <= 100
    assert (model.predict_proba(documents[1500:1510]) == before).all()


def test_other_models_are_errors(documents, tmp_path):
    some = documents[:60]
    with pytest.raises(BadInput, match=r"the learner perceptron cannot be exported; train with .* multilabel or bomc"):
        write_onnx(TextClassifier("perceptron").fit(some), tmp_path / "x.onnx")
    assert list(tmp_path.iterdir()) == []


def test_stemmers_of_other_languages_are_refused_by_name(documents, run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    some = documents[:60]
    model = TextClassifier(vectorizer=TextVectorizer(language="german")).fit(some)
    model.save("german.bayesift")
    failed = run("export", "german.bayesift", "german.js", "--js")
    assert failed.code == 2
    assert "stems English only, and the model stems german; train with stem=None" in failed.err
    for language in set(CODES) - {"english"}:
        model.vectorizer_.stem = language
        with pytest.raises(BadInput, match=f"the model stems {language}"):
            write_javascript(model, "x.js")
    assert [path.name for path in tmp_path.iterdir()] == ["german.bayesift"]


def test_words_of_other_languages_are_found_without_a_stemmer(tmp_path):
    texts = ["Die Ernte von Weizen und Mais war gut", "Der Preis für Öl fällt, größere Tanker warten"] * 10
    labels = [("Getreide",), ("Öl",)] * 10
    model = TextClassifier(vectorizer=TextVectorizer(language="german", stem=None)).fit(texts, labels)
    write_javascript(model, tmp_path / "german.js")
    new = ["WEIZEN fällt", "größere Ernte und der Preis", "Straße", "die und der"]
    assert_same(model, new, in_node(tmp_path / "german.js", new))


def test_the_verb(model, run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    model.save("m.bayesift")
    assert run("export", "m.bayesift", "m.onnx").code == 0
    result = run("export", "m.bayesift", "m.js", "--js", "--size", "250k")
    assert (result.code, result.out) == (0, "")
    assert "terms" in result.err
    assert (tmp_path / "m.js").stat().st_size <= 250_000
    assert run("export", "m.bayesift", "m.onnx").code == 0  # replaces its own kind
    for arguments, message in (
        (("m.bayesift", "m.txt"), "name it NAME.onnx, or add --js"),
        (("m.bayesift", "m.js"), "--js writes JavaScript"),
        (("m.bayesift", "m.onnx", "--js"), "name it NAME.js, or leave --js out"),
        (("m.bayesift", "m.onnx", "--size", "1k"), "--size is for JavaScript"),
        (("m.bayesift", "m.js", "--js", "--size", "few"), "give bytes: 300000, 300k or 1.5M"),
        (("m.bayesift", "m.js", "--js", "--size", "9k"), "allow more, or train fewer labels"),
        (("m.bayesift", "m.bayesift", "--js"), "is both input and output"),
    ):
        failed = run("export", *arguments)
        assert failed.code == 2
        assert message in failed.err


def test_onnx_is_written_without_onnxruntime(model, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    write_onnx(model, tmp_path / "m.onnx")
    assert (tmp_path / "m.onnx").stat().st_size > 10_000
