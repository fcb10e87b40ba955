"""Learning along a stream: documents that are learned again, margins that fade, and drift."""

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.base import clone

from bayesift import TextClassifier, load
from bayesift.classify import LabelClassifier, label_classifier
from bayesift.classify import document_sample as sample
from bayesift.classify.drift import chosen_drift
from bayesift.decide.calibration import MarginCalibration
from bayesift.errors import BadInput
from bayesift.learn import BOMC, Categoriser, LinearLabels, PerLabel


def stream(n=1500, d=60, c=4, seed=0, turns=False):
    """Documents of which a label has one of two words each; with `turns` another word in the later half."""
    rng = np.random.default_rng(seed)
    X = sparse.random(n, d, density=0.1, random_state=seed, format="csr", data_rvs=lambda k: rng.uniform(0.3, 1.0, k))
    dense = X.toarray()
    Y = dense[:, :c] + dense[:, c : 2 * c] > 0.4
    if turns:
        late = slice(n // 2, None)
        Y[late] = dense[late, 2 * c : 3 * c] > 0.4
    return X, Y


@pytest.fixture
def small_sample(monkeypatch):
    """Keep 256 documents at most."""
    for name in ("MOST", "FEWER"):
        monkeypatch.setattr(sample, name, 256)
        monkeypatch.setattr(f"bayesift.classify.label_classifier.{name}", 256)


def learned(X, Y, batch, **settings):
    model = LabelClassifier(**settings)
    for begin in range(0, X.shape[0], batch):
        model.partial_fit(X[begin : begin + batch], Y[begin : begin + batch])
    return model


def test_a_stream_that_is_kept_ends_as_a_fit_after_calibrate():
    X, Y = stream(720)
    fitted, online = LabelClassifier().fit(X, Y), learned(X, Y, 40)
    assert not np.array_equal(fitted.predict_proba(X), online.predict_proba(X))
    assert np.array_equal(fitted.predict_proba(X), online.calibrate().predict_proba(X))


def test_calibrate_chooses_settings_also_right_after_documents_were_learned_again():
    X, Y = stream(126)
    fitted, online = LabelClassifier().fit(X, Y), LabelClassifier().fit(X[:66], Y[:66])
    assert online.learner_.noise != fitted.learner_.noise
    online.partial_fit(X[66:], Y[66:])  # all are learned again, with the settings of the first 66
    online = LabelClassifier().restore(online.state())
    assert not np.array_equal(fitted.predict_proba(X), online.predict_proba(X))
    assert np.array_equal(fitted.predict_proba(X), online.calibrate().predict_proba(X))


def test_calibrate_without_learning_again_keeps_the_weights():
    X, Y = stream(720)
    model = learned(X, Y, 40)
    before = model.learner_.mean_.copy()
    assert np.array_equal(model.calibrate(again=False).learner_.mean_, before)
    assert not np.array_equal(model.calibrate().learner_.mean_, before)


@pytest.mark.parametrize("settings", [{}, {"learner": BOMC(drift=0.01)}])
def test_batches_change_nothing_once_documents_are_dropped(small_sample, settings):
    X, Y = stream(1300)
    models = [LabelClassifier(**settings).fit(X[:300], Y[:300]) for _ in range(2)]
    for model, batch in zip(models, (1, 170)):
        for begin in range(300, 1300, batch):
            part = slice(begin, min(begin + batch, 1300))
            model.partial_fit(X[part], Y[part])
        assert model.calibration_.weight == (4 if not settings else 8)  # at 600 and 1,200; with drift also by `fit`
    one, many = (model.calibrate() for model in models)
    assert np.array_equal(one.predict_proba(X), many.predict_proba(X))


def test_documents_are_learned_again_at_each_step(monkeypatch):
    X, Y = stream(400)
    sizes = []
    fit = label_classifier.fit_rows

    def noted(model, rows, *rest):
        sizes.append(rows.shape[0])
        return fit(model, rows, *rest)

    monkeypatch.setattr(label_classifier, "fit_rows", noted)
    learned(X, Y, 1)
    assert sizes[-8:] == [n for n in sample.STEPS if n <= 400][-8:]


def test_a_learner_that_is_slow_to_fit_keeps_fewer():
    X, Y = stream(60)
    assert LabelClassifier().fit(X, Y).kept_.most == sample.MOST
    assert LabelClassifier(BOMC(drift=0.01)).fit(X, Y).kept_.most == sample.FEWER


def test_faded_counts():
    z, truth = np.array([[-3.0], [-1.0], [0.0], [2.0]]), np.array([[0], [0], [1], [1]])
    counts = MarginCalibration().add(z, truth)
    counts.fade()
    counts.add(z, truth).add(z, truth)
    documents, positives = counts.whole_counts()
    assert documents.sum() == 10  # 4 / 2 + 2 * 4
    assert positives.sum() == 5
    assert (positives <= documents).all()
    assert counts.base_rates() == pytest.approx([5.5 / 11])
    halved = MarginCalibration().add([[0.0]], [[1]])
    halved.fade()
    halved.fade()
    assert halved.whole_counts()[1].sum() == 1  # it is not lost


def test_margins_of_an_untrained_model_fade():
    rng = np.random.default_rng(0)
    early, late = rng.normal(0.0, 0.3, (1000, 1)), rng.normal(0.0, 3.0, (1000, 1))
    plain, faded = MarginCalibration(), MarginCalibration()
    for counts in (plain, faded):
        counts.add(early, early > 2)  # no positives yet
        if counts is faded:
            counts.fade()
            counts.fade()
        counts.add(late, late > 0).fit()
    assert faded.probabilities([[0.3]]) > plain.probabilities([[0.3]])


def test_a_saved_stream_goes_on_the_same(tmp_path, small_sample):
    texts = [" ".join(f"w{j}" for j in np.flatnonzero(row)) for row in stream(900)[0].toarray() > 0]
    labels = [tuple(f"c{c}" for c in np.flatnonzero(row)) for row in stream(900)[1]]
    model = TextClassifier().fit(texts[:300], labels[:300])
    model.partial_fit(texts[300:500], labels[300:500]).save(tmp_path / "m")
    again = load(tmp_path / "m")
    for one, name in ((model, "a"), (again, "b")):
        one.partial_fit(texts[500:], labels[500:]).save(tmp_path / name)
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()
    assert model.classifier_.calibration_.weight == 2


def test_threads_change_nothing_with_drift():
    X, Y = stream(600, c=20)
    one = BOMC(drift=0.02, threads=1).fit(X, Y).partial_fit(X[:150], Y[:150])
    for threads in (2, 3, 7):
        other = BOMC(drift=0.02, threads=threads).fit(X, Y).partial_fit(X[:150], Y[:150])
        for name in ("mean", "variance", "touched", "bias"):
            assert np.array_equal(getattr(one.belief_, name), getattr(other.belief_, name))
    singly = BOMC(drift=0.02)
    for t in np.random.default_rng(0).permutation(600):
        singly.partial_fit(X[t], Y[t : t + 1])
    assert np.array_equal(singly.mean_, BOMC(drift=0.02).fit(X, Y).mean_)


def test_drift_is_chosen_by_the_stream():
    assert chosen_drift(BOMC(), *map(sparse.csr_matrix, stream())) == 0.0
    assert chosen_drift(BOMC(), *map(sparse.csr_matrix, stream(turns=True))) > 0.0


def test_a_chosen_drift_is_saved_and_helps(tmp_path):
    X, Y = stream(turns=True)
    later = stream(seed=1, turns=True)
    X_test, Y_test = later[0][750:], later[1][750:]
    auto, still = (LabelClassifier(BOMC(drift=drift)).fit(X, Y) for drift in ("auto", 0.0))
    assert auto.learner_.drift > 0.0
    assert auto.learner.drift == "auto"
    assert (auto.predict(X_test) == Y_test).mean() > (still.predict(X_test) == Y_test).mean()
    again = LabelClassifier(BOMC(drift="auto")).restore(auto.state())
    assert again.learner_.drift == auto.learner_.drift
    for model in (auto, again):
        model.partial_fit(X_test, Y_test)
    assert np.array_equal(auto.predict_proba(X), again.predict_proba(X))


@pytest.mark.parametrize(
    ("learner", "word"),
    [
        (BOMC("pairwise", drift="auto"), "pairwise"),
        (BOMC(drift="auto", compact=True), "compact"),
        (BOMC(drift="much"), "neither"),
    ],
)
def test_a_drift_that_cannot_be_chosen(learner, word):
    X, Y = stream(50)
    with pytest.raises(BadInput, match=word):
        LabelClassifier(learner).fit(X, Y)
    with pytest.raises(BadInput, match=word):
        TextClassifier(learner).fit(["a wheat field"] * 9, [("grain",)] * 9)


def test_a_learner_alone_cannot_choose_its_drift():
    X, Y = stream(50)
    with pytest.raises(BadInput, match="calibrated"):
        BOMC(drift="auto").fit(X, Y)
    with pytest.raises(BadInput, match="calibrated"):
        BOMC(drift="auto").partial_fit(X, Y)


@pytest.mark.parametrize("text", ["", "the"])
def test_a_stream_that_begins_without_a_word_is_an_error_that_leaves_nothing(text):
    model = TextClassifier()
    with pytest.raises(BadInput, match="the first documents of the stream have no words"):
        model.partial_fit([text], [("ghost",)])
    model.partial_fit(["wheat harvest", "oil prices"], [("grain",), ("crude",)])
    assert model.classes_.tolist() == ["crude", "grain"]
    model.partial_fit([text], [("grain",)])  # later ones may be empty
    assert model.n_documents_ == 3


def test_a_stream_may_begin_with_nothing():
    model = TextClassifier().partial_fit([], [])
    assert not hasattr(model, "classifier_")
    assert model.partial_fit(["wheat harvest"], [("grain",)]).classes_.tolist() == ["grain"]


def same(one, other):
    """Whether two states are equal: nested dictionaries and lists of arrays and numbers."""
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
    if isinstance(one, list | tuple):
        return len(one) == len(other) and all(map(same, one, other))
    return np.array_equal(one, other)


FRAME = pd.DataFrame(stream(63)[0].toarray()).rename(columns=str)  # the next document is reason to learn all again
REJECTED = {
    "nan": FRAME[:1].replace(0.0, np.nan),
    "inf": FRAME[:1].replace(0.0, np.inf),
    "huge": FRAME[:1].replace(0.0, 1e300),
    "fewer columns": FRAME[:1].drop(columns="59"),
    "other order": FRAME[:1].sort_index(axis=1),
    "other names": FRAME[:1].rename(columns={"3": "three"}),
    "other names and more": FRAME[:1].rename(columns={"3": "three"}).assign(new=1.0),
    "huge and more": FRAME[:1].assign(new=1e300),
    "nan, sparse": sparse.csr_matrix(FRAME[:1].replace(0.0, np.nan)),
}


@pytest.mark.parametrize(
    ("learner", "what"),
    [(None, what) for what in REJECTED]
    + [(learner, what) for learner in (Categoriser(), PerLabel()) for what in REJECTED if "huge" not in what],
)
def test_vectors_that_are_rejected_change_nothing(learner, what):
    Y = stream(63)[1].astype(int)
    model = LabelClassifier(learner).fit(FRAME[:62], Y[:62])
    before, names = model.state(), model.feature_names_in_
    with pytest.raises(ValueError, match=r".") as raised:
        model.partial_fit(REJECTED[what], [[1, 0, 0, 0, 1]])
    assert "BOMC" not in str(raised.value)
    assert same(model.state(), before)
    assert np.array_equal(model.feature_names_in_, names)
    for _ in range(4):
        model.partial_fit(FRAME, Y)
    assert model.predict_proba(FRAME).shape == (63, 4)


@pytest.mark.parametrize(("learner", "weight"), [(Categoriser(), -1.0), (Categoriser(), 1e13), (BOMC(), 1e13)])
def test_rejected_vectors_leave_the_columns_of_a_learner(learner, weight):
    Y = stream(63)[1].astype(int)
    model = clone(learner).fit(FRAME, Y)
    before, n = model.predict_proba(FRAME), model.n_features_in_
    with pytest.raises(ValueError, match=r"Negative|weight|too large|1e"):
        model.partial_fit(FRAME.assign(new=weight), Y)
    assert model.n_features_in_ == n == model.feature_names_in_.size
    assert np.array_equal(model.predict_proba(FRAME), before)


def test_new_columns_of_a_data_frame_are_learned_with_their_names():
    Y = stream(63)[1].astype(int)
    for model in (LabelClassifier(), BOMC()):
        model.fit(FRAME, Y).partial_fit(FRAME.assign(new=1.0), Y).partial_fit(FRAME.assign(new=1.0), Y)
        assert model.feature_names_in_[-1] == "new"
        assert model.predict_proba(FRAME.assign(new=0.0)).shape == (63, 4)


def test_new_columns_without_names_end_all_names():
    Y = stream(63)[1].astype(int)
    for model in (LabelClassifier(), BOMC()):
        model.fit(FRAME, Y).partial_fit(FRAME.assign(new=1.0).to_numpy(), Y)
        assert not hasattr(model, "feature_names_in_")
        model.partial_fit(FRAME.assign(new=1.0).to_numpy(), Y)
        assert model.predict_proba(FRAME.assign(new=0.0).to_numpy()).shape == (63, 4)


def test_names_of_new_columns_are_texts():
    Y = stream(63)[1].astype(int)
    model = LabelClassifier().fit(FRAME, Y)
    with pytest.raises(BadInput, match="a name of a column is not a text; name all columns by texts"):
        model.partial_fit(FRAME.assign(**{"new": 1.0}).rename(columns={"new": 5}), Y)
    assert model.predict_proba(FRAME).shape == (63, 4)


def test_targets_that_are_rejected_change_nothing():
    X, Y = stream(63)
    one = np.eye(4, dtype=int)[Y.argmax(axis=1)]
    model = LabelClassifier(BOMC("multiclass")).fit(X, one)
    before = model.state()
    with pytest.raises(BadInput, match="no label or several"):
        model.partial_fit(X[:1], [[1, 1, 0, 0]])
    assert same(model.state(), before)
    model.partial_fit(X, one)
    counts = LabelClassifier(Categoriser()).fit(X, Y)
    before = counts.state()
    with pytest.raises(BadInput, match="Negative values"):
        counts.partial_fit(-X[:1], Y[:1])
    assert same(counts.state(), before)


def test_a_learner_of_all_documents_at_once_learns_no_more():
    X, Y = stream(63)
    model = LabelClassifier(LinearLabels()).fit(X, Y)
    before = model.state()
    with pytest.raises(BadInput, match="LinearLabels learns all documents at once; call fit with all documents"):
        model.partial_fit(X[:1], Y[:1])
    assert same(model.state(), before)
