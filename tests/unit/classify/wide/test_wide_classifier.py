"""Very many labels: candidates, what is skipped, calibration in groups, and what is refused."""

from itertools import pairwise

import numpy as np
import pytest
from scipy import sparse

from bayesift import TextClassifier, load
from bayesift.classify.label_classifier import LabelClassifier
from bayesift.classify.wide import choice
from bayesift.classify.wide.calibration import GroupedCalibration
from bayesift.classify.wide.classifier import WideClassifier
from bayesift.decide import Precision
from bayesift.decide.single_label import SHARES
from bayesift.errors import BadInput, Notice
from bayesift.learn import BOMC, WideLabels

LABELS = 150


def many(n=1500, labels=LABELS, seed=0):
    """Documents with two of many labels; a label has a word of its own, and one that it shares with its neighbour."""
    rng = np.random.default_rng(seed)
    which = (labels * rng.random((n, 2)) ** 1.3).astype(int)
    X, Y = rng.random((n, 2 * labels)) * (rng.random((n, 2 * labels)) < 0.02), np.zeros((n, labels), int)
    for k in range(2):
        said = rng.random(n) < 0.9
        X[np.arange(n)[said], which[said, k]] += 1.0
        X[np.arange(n), labels + which[:, k] // 2] += 0.5
        Y[np.arange(n), which[:, k]] = 1
    X /= np.linalg.norm(X, axis=1, keepdims=True)
    return sparse.csr_matrix(X), sparse.csr_matrix(Y)


@pytest.fixture(scope="module")
def fitted():
    X, Y = many()
    learner = WideLabels(candidates=20, sample=400, similar=50)
    return WideClassifier(learner).fit(X[:1000], Y[:1000]), X[1000:], Y[1000:]


def test_candidates_hold_most_labels_and_the_estimate_of_what_is_missed_is_right(fitted):
    model, X, Y = fitted
    found = model.candidates(X)
    assert np.array_equal(found.skipped, LABELS - np.diff(found.probabilities.indptr))
    assert (found.skipped >= LABELS - 20).all()
    stored = found.probabilities.copy()
    stored.data[:] = 1
    missed = Y.sum() - Y.multiply(stored).sum()
    assert missed / Y.shape[0] < 0.3
    assert found.missed.mean() == pytest.approx(missed / Y.shape[0], abs=0.06)
    best = found.top(2)
    hits = [len({c for c, _ in labels} & set(Y[i].indices.tolist())) for i, labels in enumerate(best)]
    assert np.mean(hits) > 1.2


def test_probabilities_are_calibrated_although_negatives_are_chosen(fitted):
    model, X, Y = fitted
    train = many()
    usual = LabelClassifier(BOMC()).fit(train[0][:1000], train[1][:1000])
    ours, theirs = (_calibration_error(m.predict_proba(X), Y.toarray()) for m in (model, usual))
    assert ours < theirs + 0.05


def _calibration_error(p, y):
    """Return by how many labels the sums of probabilities in tenths are wrong, as a share of all labels."""
    steps = np.linspace(0.0, 1.0, 11)
    cells = [(p > low) & (p <= high) for low, high in pairwise(steps)]
    return sum(abs((p[some] - y[some]).sum()) for some in cells) / y.sum()


def test_dense_and_sparse_answers_are_the_same(fitted):
    model, X, _ = fitted
    found, p = model.candidates(X), model.predict_proba(X)
    rows = np.repeat(np.arange(X.shape[0]), np.diff(found.probabilities.indptr))
    assert np.array_equal(p[rows, found.probabilities.indices], found.probabilities.data)
    one = [model.candidates(X[i]) for i in range(5)]
    assert np.array_equal(np.concatenate([c.probabilities.data for c in one]), found.probabilities[:5].data)
    assert [c.missed[0] for c in one] == found.missed[:5].tolist()
    assert np.array_equal(np.vstack([model.predict(X[some]) for some in model.blocks(X.shape[0])]), model.predict(X))


def test_threads_and_seeds(fitted):
    X, Y = many(300)
    states = [WideLabels(threads=threads, seed=seed, sample=50).fit(X, Y).state() for threads, seed in
              ((1, 0), (2, 0), (1, 1))]  # fmt: skip
    same = [np.array_equal(states[0][name], states[1][name]) for name in states[0]]
    assert all(same)
    assert not np.array_equal(states[0]["mean"], states[2]["mean"])


def test_memory_is_for_what_occurs():
    X, Y = many(300)
    belief = WideLabels().fit(X, Y).belief_
    occurs = (Y.T.astype(float) @ (X > 0).astype(float)).nnz
    assert belief.mean.size == belief.own.size == occurs < Y.shape[1] * X.shape[1]


def test_labels_of_a_group_share_a_curve_and_every_pair_is_counted(monkeypatch):
    monkeypatch.setattr("bayesift.classify.wide.calibration.GROUPS", 10)
    _, Y = many(200)
    Y.sort_indices()
    counted = GroupedCalibration.of(Y, 2)
    assert np.bincount(counted.group).tolist() == [LABELS // 10] * 10
    have = np.asarray(Y.sum(axis=0)).ravel()
    assert have[counted.group == 0].min() >= have[counted.group == 9].max()
    scored = sparse.random(200, LABELS, 0.1, random_state=0, format="csr", dtype=np.float32)
    scored.sort_indices()
    counted.add(scored, Y, 1)
    assert counted.counts.documents.sum() == scored.nnz
    assert counted.counts.documents.sum() + counted.skipped.sum() == 200 * LABELS
    assert counted.counts.positives.sum() + counted.missed.sum() == Y.sum()
    assert counted.counts.documents[0].sum() == 0


def test_the_same_probabilities_as_the_usual_classifier_where_nothing_is_left_out():
    X, Y = many(900, labels=12)
    usual = LabelClassifier(BOMC()).fit(X[:600], Y[:600]).predict_proba(X[600:])
    wide = WideClassifier(WideLabels(sample=None)).fit(X[:600], Y[:600]).predict_proba(X[600:])
    assert np.corrcoef(usual.ravel(), wide.ravel())[0, 1] > 0.97
    assert np.abs(usual - wide).mean() < 0.03


def test_a_target_per_label_is_refused_where_labels_share_thresholds(monkeypatch):
    X, Y = many(100, labels=20)
    monkeypatch.setattr("bayesift.classify.wide.classifier.GROUPS", 10)
    with pytest.raises(BadInput, match="a target per label"):
        WideClassifier(rule=Precision((0.9,) * 20)).fit(X, Y)


def single(n, seed, labels=10):
    """Short texts with one label each; seven words in ten are the label's own."""
    rng = np.random.default_rng(seed)
    of = rng.integers(labels, size=n)
    about = np.where(rng.random((n, 4)) < 0.7, of[:, None], rng.integers(labels, size=(n, 4)))
    texts = [" ".join(f"w{c}x{rng.integers(8)}" for c in row) for row in about.tolist()]
    return texts, [f"c{c}" for c in of.tolist()]


def test_single_labels_are_as_sure_as_they_are_right(tmp_path):
    model, (texts, labels) = TextClassifier("wide").fit(*single(1500, 0)), single(2000, 1)
    confidence = model.confidence([*texts, ""])
    assert confidence[:-1].mean() == pytest.approx(model.score(texts, labels), abs=0.015)
    assert confidence[-1] == pytest.approx(0.1, abs=0.03)  # without words: the base rate
    model.save(tmp_path / "m")
    assert np.array_equal(load(tmp_path / "m").confidence([*texts, ""]), confidence)


def test_earlier_versions_saved_no_powers_of_single_labels():
    X, Y = sparse.csr_matrix(np.repeat(np.eye(3), 20, axis=0)), sparse.csr_matrix(np.repeat(np.eye(3), 20, axis=0))
    model = WideClassifier().fit(X, Y)
    state = model.state()
    assert model.powers_ != SHARES
    assert state.pop("powers") == list(model.powers_)
    assert WideClassifier().restore(state).powers_ == SHARES


TEXTS = ["corn and wheat exports", "wheat harvest", "oil prices fell", "crude oil output"] * 10
TARGETS = [("corn", "wheat"), ("wheat",), ("oil",), ("oil",)] * 10


def test_the_default_becomes_wide_where_weights_are_too_many(monkeypatch, tmp_path):
    monkeypatch.setattr(choice, "MOST", 10)
    with pytest.warns(Notice, match="the learner wide is used instead"):
        model = TextClassifier().fit(TEXTS, TARGETS)
    assert isinstance(model.classifier_, WideClassifier)
    model.save(tmp_path / "m")
    again = load(tmp_path / "m")
    assert again.predict(TEXTS[:4]) == model.predict(TEXTS[:4]) == TARGETS[:4]
    assert np.array_equal(again.predict_proba(TEXTS), model.predict_proba(TEXTS))
    again.save(tmp_path / "n")
    assert (tmp_path / "m").read_bytes() == (tmp_path / "n").read_bytes()
    names = model.vectorizer_.vocabulary_.n_columns
    with pytest.raises(BadInput, match="learns all documents at once"):
        model.partial_fit(["a new word"], [("new",)])
    assert (len(model.classes_), model.vectorizer_.vocabulary_.n_columns) == (3, names)
    with pytest.raises(BadInput, match=r"take 0 GB with the learner 'bomc'.*use the learner wide"):
        TextClassifier("bomc").fit(TEXTS, TARGETS)
    with pytest.raises(BadInput, match="without prior_terms"):
        TextClassifier(prior_terms={}).fit(TEXTS, TARGETS)


def test_a_classifier_of_texts_states_its_candidates():
    model = TextClassifier("wide").fit(TEXTS, TARGETS)
    found = model.candidates(["wheat harvest", ""])
    assert found.probabilities.shape == (2, 3)
    assert found.skipped.tolist() == [0, 0]
    assert model.classes_[found.top(1)[0][0][0]] == "wheat"
    assert "wheat" in {part.term for part in model.explain(["wheat harvest"])[0].words}
    with pytest.raises(BadInput, match="scores every label"):
        TextClassifier("bomc").fit(TEXTS, TARGETS).candidates(["wheat"])
    with pytest.raises(BadInput, match="takes no label rates"):
        TextClassifier("wide", label_rates={"oil": 0.1}).fit(TEXTS, TARGETS)


@pytest.mark.parametrize("wrong", [{"noise": 0.0}, {"sample": 0}, {"candidates": "all"}, {"passes": 1.5}])
def test_bad_settings_are_refused(wrong):
    with pytest.raises(BadInput, match=next(iter(wrong))):
        WideLabels(**wrong).fit(*many(20, labels=3))


def test_probabilities_that_memory_cannot_hold_are_refused_before_anything_is_computed(run, tmp_path, monkeypatch):
    texts = [f"report {n} on subject{n % 150} and more of subject{n % 150}" for n in range(450)]
    sets = [(f"s{n % 150}",) for n in range(450)]
    model = TextClassifier("wide").fit(texts, sets)
    rows = model.vectorize(texts[:40])
    model.save(tmp_path / "wide.bayesift")
    (tmp_path / "test.jsonl").write_text("".join(f'{{"text": "subject{n}", "labels": ["s{n}"]}}\n' for n in range(40)))
    monkeypatch.setattr("bayesift.arrays._memory", lambda: 32 * 39 * 150)
    assert model.predict_proba(texts[:39]).shape == (39, 150)
    monkeypatch.setattr(TextClassifier, "vectorize", None)  # refused before documents are vectorised
    ways = [model.predict_proba, model.decisions, model.predictions, lambda X: model.predict(X, together=True)]
    ways += [lambda X: model.evaluate(X, sets[:40]), lambda X: model.classifier_.predict_proba(rows)]
    ways += [lambda X: model.classifier_.learner_.predict_proba(rows)]
    for way in ways:
        with pytest.raises(BadInput, match=r"40 documents x 150 labels take .* GB of memory, .*candidates"):
            way(texts[:40])
    monkeypatch.undo()
    monkeypatch.setattr("bayesift.arrays._memory", lambda: 32 * 39 * 150)
    monkeypatch.setattr("bayesift.classify.wide.classifier.CELLS", 10 * 150)  # predict takes ten documents at a time
    assert len(model.predict(texts[:40])) == 40
    assert model.candidates(texts[:40]).probabilities.shape == (40, 150)
    result = run("evaluate", tmp_path / "wide.bayesift", tmp_path / "test.jsonl")
    assert result.code == 2
    assert "40 documents x 150 labels" in result.err
