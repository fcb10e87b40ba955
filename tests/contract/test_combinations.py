"""Every combination that the interface offers gives a right answer or is refused up front, on a small real set.

Learners, rules, kinds of targets and ways in are discovered: what is added to the registry is tested here.
"""

import io
import json
import sys

import numpy as np
import pandas as pd
import pytest
from scipy import sparse

from bayesift import Document, TextClassifier, load, load_corpus
from bayesift.classify.input_labels import KINDS
from bayesift.classify.registry import RULES, TARGETS
from bayesift.decide.consistent import contradicted
from bayesift.errors import BadInput, BayesiftError, Notice
from bayesift.integrations import RiverAdapter
from bayesift.learn.priors import PriorTerms
from bayesift.learn.registry import LEARNERS

PACKAGES = ("numpy", "scipy", "sklearn")
LATE = "cluster"
ONLINE = ["multilabel", "bomc", "perceptron", "gp", "categoriser"]
AGAIN = ["best", "logistic", "probit", "wide"]  # learn all documents at once


def small_set(n=160):
    """Docstrings with their package; those on clustering have one more label, which can be left out."""
    found = []
    for d in load_corpus("docstrings").documents():
        own = [c for c in PACKAGES if c in (d.labels or ())]
        if own and len(d.body) > 80:
            late = [LATE] if "cluster" in d.body.lower() else []
            found.append(Document(d.id, d.title, d.body, (own[0], *late)))
    late = [d for d in found if LATE in d.labels][:24]
    order = np.random.default_rng(0).permutation(len(found)).tolist()
    return [d for d in (found[i] for i in order) if LATE not in d.labels][: n - len(late)] + late


DOCUMENTS = small_set()
EARLY = [d for d in DOCUMENTS if LATE not in d.labels]
LATER = [d for d in DOCUMENTS if LATE in d.labels]
TRAIN, TEST = EARLY[:100], EARLY[100:] + LATER[12:]
NEW = LATER[:8]


def test_the_lists_of_this_file_name_every_learner():
    assert set(LEARNERS) == {*ONLINE, *AGAIN}


@pytest.mark.parametrize("rule", [None, *RULES, *TARGETS])
@pytest.mark.parametrize("learner", LEARNERS)
def test_a_learner_with_a_rule(learner, rule, tmp_path):
    model = TextClassifier(learner, rule=rule).fit(TRAIN)
    model.save(tmp_path / "m")
    again = load(tmp_path / "m")
    check(model, again)
    if not (learner in AGAIN and rule == "precision"):  # so few documents may reach no such precision
        assert model.score(TEST) > (0.2 if learner in AGAIN else 0.4)
    if learner in AGAIN:
        with pytest.raises(BadInput, match="learns all documents at once"):
            model.partial_fit(NEW)
        return
    unrelated = [d for d in TEST if LATE not in d.labels]
    before = np.median(model.confidence(unrelated))
    for some in (model, again):
        some.partial_fit(NEW)
    assert list(model.classes_) == [*sorted(PACKAGES), LATE]
    check(model, again)
    p = model.predict_proba(unrelated)[:, -1]
    assert p.mean() < 3 * len(NEW) / len(TRAIN)  # near its base rate
    assert p.mean() < 0.5 * model.predict_proba(LATER[12:])[:, -1].mean()
    if rule != "recall":  # which gives the new label to many
        assert np.median(model.confidence(unrelated)) > 0.5 * before
    model.calibrate().partial_fit([DOCUMENTS[0]])
    check(model)


ABOVE = {"numpy": "arrays", "scipy": "arrays", LATE: ["methods", "sklearn"]}


@pytest.mark.parametrize("rule", [None, *RULES, *TARGETS])
@pytest.mark.parametrize("learner", LEARNERS)
def test_a_learner_with_a_hierarchy(learner, rule, tmp_path):
    with pytest.warns(Notice, match="labels that the hierarchy implies"):
        model = TextClassifier(learner, rule=rule, hierarchy=ABOVE).fit(TRAIN)
    model.save(tmp_path / "m")
    again = load(tmp_path / "m")
    check(model, again)
    for some in (model, again) if learner in ONLINE else ():
        some.partial_fit(NEW)
        assert list(some.classes_) == ["arrays", *PACKAGES, LATE, "methods"]
    check(model, again)
    for together in (False, *([True] if model.classifier_.rule_.together() else [])):
        given = model.decisions(TEST, together=together)[1]
        assert not contradicted(given, model.hierarchy_.pairs(model.classes_.tolist())).any()
    assert model.score(TEST) == pytest.approx(model.evaluate(TEST).summary["micro F1"])
    assert model.explain(TEST[:2])


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("learner", LEARNERS)
def test_a_hierarchy_with_a_kind_of_target(learner, kind):
    above = {0: 1} if kind in ("matrix", "sparse") else {"numpy": "scipy"}
    model = TextClassifier(learner, hierarchy=above)
    if kind == "one":
        with pytest.raises(BadInput, match="single label"):
            model.fit(texts(TRAIN), targets(TRAIN, kind))
        return
    with pytest.warns(Notice, match="labels that the hierarchy implies"):
        model.fit(texts(TRAIN), targets(TRAIN, kind))
    numpy, scipy = model.decisions(texts(TEST))[1][:, :2].T
    assert numpy.any()
    assert (scipy >= numpy).all()


class Letters:
    """An encoder that is always there: how often some letters and digits occur."""

    def encode(self, texts):
        counts = np.array([[text.lower().count(c) for c in "abcdefghijklmnopqrstuvwxyz0123456789"] for text in texts])
        return counts / np.maximum(counts.sum(axis=1, keepdims=True), 1)


def meanings():
    """Ways to ask for vectors of meaning: parameters of the classifier."""
    text = [d.zones() for d in DOCUMENTS]
    return {"corpus": {"unlabelled": text}, "encoder": {"meaning": Letters()},
            "both": {"meaning": ["corpus", Letters()], "unlabelled": text}}  # fmt: skip


@pytest.mark.parametrize("rule", [None, *RULES, *TARGETS])
@pytest.mark.parametrize("meaning", ["corpus", "encoder", "both"])
@pytest.mark.parametrize("learner", LEARNERS)
def test_a_learner_with_meaning(learner, meaning, rule, tmp_path):
    model = TextClassifier(learner, rule=rule, **meanings()[meaning])
    if learner not in ("multilabel", "bomc"):
        with pytest.raises(BadInput, match="takes words alone"):
            model.fit(TRAIN)
        return
    model.fit(TRAIN).save(tmp_path / "m")
    again = load(tmp_path / "m", encoder=Letters() if meaning != "corpus" else None)
    check(model, again)
    assert model.score(TEST) > 0.4
    for some in (model, again):
        some.partial_fit(NEW)
    check(model, again)
    assert model.explain(TEST[:2])


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("meaning", ["corpus", "encoder", "both"])
def test_meaning_with_a_kind_of_target(meaning, kind):
    model = TextClassifier(**meanings()[meaning]).fit(texts(TRAIN), targets(TRAIN, kind))
    assert model.kind_ == kind
    assert model.score(texts(TEST), targets(TEST, kind)) > 0.5
    model.partial_fit(texts(TEST[:10]), targets(TEST[:10], kind))
    assert model.n_documents_ == 110


def check(model, other=None):
    """One document gets what it gets among many, and what a copy of the model gives; numbers fit together."""
    answers = model.predictions(TEST)
    p, given = answers.probabilities, answers.decisions
    assert p.shape == given.shape == (len(TEST), len(model.classes_))
    assert ((p > 0) & (p < 1)).all()
    assert ((answers.confidence > 0) & (answers.confidence <= 1)).all()
    one = [model.predictions([d]) for d in TEST[:5]]
    assert np.array_equal(np.vstack([a.decisions for a in one]), given[:5])
    assert np.array_equal(np.vstack([a.probabilities for a in one]), p[:5])
    if other is not None:
        assert np.array_equal(other.predict_proba(TEST), p)
        assert np.array_equal(other.decisions(TEST)[1], given)
    assert len(model.classifier_.thresholds_) == len(model.classes_)
    nothing = model.predictions(["", "\N{PARTY POPPER}"])
    assert nothing.known_words.tolist() == [0, 0]
    rates = (model.label_documents_ + 0.5) / (model.n_documents_ + 1)
    assert np.allclose(nothing.probabilities, rates)
    if model.classifier_.rule_.together() is None:
        with pytest.raises(BadInput, match="decides each document on its own"):
            model.decisions(TEST, together=True)
    else:
        assert model.decisions(TEST, together=True)[1].shape == given.shape


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("learner", LEARNERS)
def test_a_learner_with_a_kind_of_target(learner, kind, tmp_path):
    y = targets(TRAIN, kind)
    model = TextClassifier(learner).fit(texts(TRAIN), y)
    found = model.predict(texts(TEST))
    assert type(found) is type(model.predict(texts(TEST[:1])))
    assert model.kind_ == kind
    right = {
        "sets": lambda: np.mean([set(a) == set(d.labels) - {LATE} for a, d in zip(found, TEST)]),
        "one": lambda: np.mean([a == d.labels[0] for a, d in zip(found, TEST)]),
        "matrix": lambda: np.mean(np.asarray(found) == targets(TEST, "matrix")),
        "sparse": lambda: np.mean(found.toarray() == targets(TEST, "matrix")),
        "frame": lambda: np.mean(found.to_numpy() == targets(TEST, "matrix")),
    }[kind]()
    assert right > 0.5
    model.save(tmp_path / "m")
    assert str(load(tmp_path / "m").predict(texts(TEST))) == str(found)
    if learner in ONLINE:
        model.partial_fit(texts(TEST[:10]), targets(TEST[:10], kind))
        assert model.n_documents_ == 110
    if kind == "one":
        for refused in (
            lambda: TextClassifier(learner, rule="0.5").fit(texts(TRAIN), y),
            lambda: model.predict(texts(TEST), together=True),
        ):
            with pytest.raises(BadInput, match="single label"):
                refused()


def texts(documents):
    return [d.zones() for d in documents]


def targets(documents, kind):
    own = [tuple(c for c in d.labels if c != LATE) for d in documents]
    if kind == "sets":
        return own
    if kind == "one":
        return [labels[0] for labels in own]
    matrix = np.array([[c in labels for c in PACKAGES] for labels in own], int)
    frame = pd.DataFrame(matrix, columns=PACKAGES)
    return {"matrix": matrix, "sparse": sparse.csr_matrix(matrix), "frame": frame}[kind]


@pytest.mark.parametrize("target", ["sets", "one", "river"])
@pytest.mark.parametrize("learner", LEARNERS)
def test_a_learner_from_nothing_one_by_one(learner, target):
    stream = RiverAdapter(TextClassifier(learner))
    if learner in AGAIN:
        with pytest.raises(BadInput, match="learns all documents at once"):
            stream.learn_one(TRAIN[0], TRAIN[0].labels[0])
        return
    right = []
    for d in TRAIN[:80]:
        y = {"sets": d.labels, "one": d.labels[0], "river": {c: c in d.labels for c in PACKAGES}}[target]
        found = stream.predict_one(d)
        asked = y if target != "sets" else {c: c in y for c in (found or ())}
        right.append(found == asked)
        stream.learn_one(d, y)
        if stream.predict_proba_one(d):
            p = stream.model.predict_proba([d])
            assert ((p >= 0) & (p <= 1)).all()
    assert np.mean(right[40:]) > 0.55


@pytest.mark.parametrize("way", ["fit", "partial_fit", "new label"])
@pytest.mark.parametrize("learner", LEARNERS)
def test_a_learner_with_prior_terms(learner, way, tmp_path):
    knowledge = {"numpy": PriorTerms({"quokka": (6.0, 0.5)}), LATE: PriorTerms({"wombat": (6.0, 0.5)})}
    model = TextClassifier(learner, prior_terms=knowledge)
    if learner in ("gp", "categoriser", "wide"):
        with pytest.raises(BadInput, match="takes no prior terms"):
            model.fit(TRAIN)
        return
    if way != "fit" and learner in AGAIN:
        pytest.skip("learns from all documents at once by design")
    with pytest.warns(UserWarning, match=f"no document has the label '{LATE}' yet"):
        model = model.partial_fit(TRAIN) if way == "partial_fit" else model.fit(TRAIN)
    label, word = ("numpy", "quokka")
    if way == "new label":
        model.partial_fit(NEW)
        label, word = LATE, "wombat"
    model.save(tmp_path / "m")
    for some in (model, load(tmp_path / "m")):
        c = some.label_number(label)
        assert some.predict_proba([word])[0, c] > 2 * some.predict_proba([""])[0, c]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    place = tmp_path_factory.mktemp("files")
    for name, documents in (("train", TRAIN), ("test", TEST), ("new", NEW)):
        lines = [{"id": d.id, "title": d.title, "body": d.body, "labels": d.labels} for d in documents]
        (place / f"{name}.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    (place / "known.csv").write_text("term,mean,scale\nquokka,6,0.5\n")
    return place


@pytest.mark.parametrize(
    ("learner", "rule"),
    [(learner, None) for learner in LEARNERS]
    + [("multilabel", rule) for rule in [*RULES, *TARGETS, "precision=0.8"]]
    + [("perceptron", "scut-fbr")],
)
def test_the_command_line(learner, rule, folder, run, tmp_path, monkeypatch):
    options = ["--learner", learner, *(["--rule", rule] if rule else [])]
    model, test = tmp_path / "m", folder / "test.jsonl"
    assert run("train", folder / "train.jsonl", model, *options).code == 0
    asked = test.read_text().splitlines(keepends=True)
    whole = run("predict", model, test)
    assert whole.code == 0
    for lines in (asked, asked[:1]):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO("".join(lines).encode())))
        assert run("predict", model, "-").out.splitlines() == whole.out.splitlines()[: len(lines)]
    for verb in ("evaluate", "explain"):
        assert run(verb, model, test).code == 0
    assert run("inspect", model).code == 0
    score = load(model).score(TEST)
    assert f"{score:.4f}" in run("evaluate", model, test, "--json", tmp_path / "e.json").out
    assert json.loads((tmp_path / "e.json").read_text())["summary"]["micro F1"] == pytest.approx(score)
    together = run("predict", model, test, "--together")
    assert together.code == 0 or "decides each document on its own" in together.err
    update = run("update", model, folder / "new.jsonl")
    refused = learner in AGAIN
    assert (update.code, "learns all documents at once" in update.err) == (2 * refused, refused)
    found = run("predict", model, test)
    assert found.code == 0
    assert len(found.out.splitlines()) == len(TEST)
    options += ["--prior-terms", f"numpy={folder / 'known.csv'}"]
    known = run("train", folder / "train.jsonl", tmp_path / "k", *options)
    refused = learner in ("gp", "categoriser", "wide")
    assert (known.code, "takes no prior terms" in known.err) == (2 * refused, refused)


@pytest.mark.parametrize("learner", LEARNERS)
def test_a_name_is_the_same_model_on_the_command_line(learner, folder, run, tmp_path):
    assert run("train", folder / "train.jsonl", tmp_path / "m", "--learner", learner).code == 0
    theirs, ours = load(tmp_path / "m"), TextClassifier(learner).fit(TRAIN)
    assert theirs.vectorizer_.get_params() == ours.vectorizer_.get_params()
    assert np.array_equal(theirs.predict_proba(TEST), ours.predict_proba(TEST))


@pytest.mark.parametrize("wrong", ["learner", "rule"])
def test_an_unknown_name_is_refused_before_documents_are_read(wrong):
    def documents():
        raise AssertionError("read")
        yield

    with pytest.raises(BayesiftError, match="no"):
        TextClassifier(**{wrong: "nonsense"}).fit(documents(), [])
