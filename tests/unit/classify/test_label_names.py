"""The default and the learner best read the names of labels: rare labels, labels that come later, and saved models."""

import numpy as np
import pytest
from scipy import sparse

from bayesift import TextClassifier, load
from bayesift.classify import LabelClassifier
from bayesift.errors import BadInput
from bayesift.learn import Ensemble
from bayesift.learn.priors import PriorTerms

GRAINS = ["wheat", "barley", "sorghum", "maize", "oats", "rice"]
FILL = ["prices rose", "exports fell", "a good harvest", "stocks in May", "prices fell", "exports rose again"]
RARE = [("a shipment of rye for the mill", ("rye",)), ("a shipment of rye to the docks", ("rye",))]
DOCUMENTS = [(f"{grain} {FILL[(i + k) % 6]} {i}", (grain,)) for i in range(14) for k, grain in enumerate(GRAINS)] + RARE


def fitted(named=str, learner="best", **settings):
    texts, labels = zip(*DOCUMENTS)
    return TextClassifier(learner, **settings).fit(list(texts), [tuple(map(named, each)) for each in labels])


def code(label):
    """Return a name that is not a word; codes are in the order of names."""
    return f"Q{sorted([*GRAINS, 'rye']).index(label)}"


def weights_of(model, label, term):
    learner, column = model.classifier_.learner_, model.vectorizer_.column_of(term)
    return getattr(learner, "linear_", [learner])[0].mean_[column, model.label_number(label)]


def probability(model, text, label):
    return model.predict_proba([text])[0, model.label_number(label)]


@pytest.mark.parametrize("learner", ["multilabel", "best"])
def test_a_rare_label_gives_weight_to_its_name_before_other_words(learner):
    named, codes = fitted(learner=learner), fitted(code, learner)
    assert weights_of(named, "rye", "rye") > 1.5 * weights_of(codes, "Q4", "rye")
    assert weights_of(named, "rye", "rye") > 1.5 * weights_of(named, "rye", "shipment")
    assert probability(named, "rye prices fell", "rye") > probability(codes, "rye prices fell", "Q4")


@pytest.mark.parametrize("learner", ["multilabel", "best"])
def test_a_file_keeps_what_names_said_and_one_document_has_the_same_answer_as_among_many(learner, tmp_path):
    model = fitted(learner=learner)
    model.save(tmp_path / "m")
    texts = [text for text, _ in DOCUMENTS[-9:]] + ["rye", ""]
    p = model.predict_proba(texts)
    assert np.array_equal(load(tmp_path / "m").predict_proba(texts), p)
    assert all(np.array_equal(model.predict_proba([text])[0], row) for text, row in zip(texts, p))


@pytest.mark.parametrize("learner", ["multilabel", "best"])
def test_numbers_are_no_names(learner):
    model = TextClassifier(learner).fit([text for text, _ in DOCUMENTS], [len(label) for _, (label,) in DOCUMENTS])
    assert model.classifier_.learner_.names.nnz == 0


def test_names_are_read_without_a_view_of_characters():
    texts, labels = zip(*DOCUMENTS)
    model = TextClassifier(Ensemble(("learned",))).fit(list(texts), list(labels))
    learner = model.classifier_.learner_
    assert learner.names.shape == (7, model.vectorizer_.vocabulary_.n_columns)
    assert learner.names.nnz >= 7


def test_codes_change_nothing():
    codes, numbers = fitted(code, "multilabel"), fitted(lambda label: int(code(label)[1:]), "multilabel")
    texts = [text for text, _ in DOCUMENTS]
    assert np.array_equal(codes.predict_proba(texts), numbers.predict_proba(texts))


def test_a_learner_with_one_prior_variance_does_not_read_names():
    texts = [text for text, _ in DOCUMENTS]
    named, codes = fitted(learner="bomc"), fitted(code, "bomc")
    assert np.array_equal(named.predict_proba(texts), codes.predict_proba(texts))


def test_a_label_that_comes_later_begins_with_its_name():
    found = []
    for name in ("docks", "Q7"):
        model = fitted(learner="multilabel")
        model.partial_fit(["something else"], [(name,)])
        found.append(probability(model, "docks", name))
    assert found[0] > 2 * found[1]


def test_a_label_to_come_has_its_name_before_any_document():
    texts, labels = zip(*DOCUMENTS)
    found = []
    for name in ("docks", "Q7"):
        model = TextClassifier().partial_fit(list(texts), list(labels), classes=[*GRAINS, "rye", name])
        found.append(probability(model, "docks", name))
    assert found[0] > found[1]


def test_a_model_that_was_saved_reads_names_as_one_that_was_not(tmp_path):
    model, texts = fitted(learner="multilabel"), [text for text, _ in DOCUMENTS] + ["spelt", "teff"]
    model.save(tmp_path / "m")
    loaded = load(tmp_path / "m")
    for each in (model, loaded):
        each.partial_fit(["a mill for spelt", "teff"], [("spelt",), ("teff",)])
        each.partial_fit(["more of it"], [("spelt",)])
    assert np.array_equal(model.predict_proba(texts), loaded.predict_proba(texts))
    for each in (model, loaded):
        each.calibrate()  # learns all documents again
    assert np.array_equal(model.predict_proba(texts), loaded.predict_proba(texts))


def test_what_a_person_knows_comes_before_the_name():
    known = {"rye": PriorTerms({"rye": (-3.0, 1e-3)}), "docks": PriorTerms({"docks": (-3.0, 1e-3)})}
    model = fitted(learner="multilabel", prior_terms=known)
    model.partial_fit(["something else"], [("docks",)])
    assert weights_of(model, "rye", "rye") == pytest.approx(-3.0, abs=0.01)
    assert weights_of(model, "docks", "docks") == pytest.approx(-3.0, abs=0.01)


def test_names_beside_vectors_of_meaning():
    texts = [text for text, _ in DOCUMENTS] * 3
    labels = [label for _, label in DOCUMENTS] * 3

    class Lengths:
        def encode(self, texts):
            return np.array([[len(text), text.count("e"), 1.0] for text in texts])

    model = TextClassifier(meaning=Lengths()).fit(texts, labels)
    assert probability(model, "rye", "rye") > 0.5
    model.partial_fit(["a mill for spelt"], [("spelt",)])
    assert probability(model, "spelt", "spelt") > probability(model, "wheat", "spelt")


def test_names_of_another_shape_raise():
    with pytest.raises(BadInput, match="names of the shape"):
        LabelClassifier(names=sparse.eye(5, 12, format="csr")).fit(np.eye(12), np.eye(12, 3))
