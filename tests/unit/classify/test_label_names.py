"""The learner best reads the names of labels."""

import numpy as np

from bayesift import TextClassifier, load
from bayesift.learn import Ensemble

GRAINS = ["wheat", "barley", "sorghum", "maize", "oats", "rice"]
FILL = ["prices rose", "exports fell", "a good harvest", "stocks in May", "prices fell", "exports rose again"]
RARE = [("a shipment of rye for the mill", ("rye",)), ("a shipment of rye to the docks", ("rye",))]
DOCUMENTS = [(f"{grain} {FILL[(i + k) % 6]} {i}", (grain,)) for i in range(14) for k, grain in enumerate(GRAINS)] + RARE


def fitted(named=str, **settings):
    texts, labels = zip(*DOCUMENTS)
    return TextClassifier("best", **settings).fit(list(texts), [tuple(map(named, each)) for each in labels])


def weights_of(model, label, term):
    column = model.vectorizer_.column_of(term)
    return model.classifier_.learner_.linear_[0].mean_[column, model.label_number(label)]


def test_a_rare_label_gives_weight_to_its_name_before_other_words():
    named = fitted()
    codes = fitted(lambda label: f"Q{[*GRAINS, 'rye'].index(label)}")
    assert weights_of(named, "rye", "rye") > 1.5 * weights_of(codes, "Q6", "rye")
    assert weights_of(named, "rye", "rye") > 1.5 * weights_of(named, "rye", "shipment")
    pairs = (named, "rye"), (codes, "Q6")
    p, q = (model.predict_proba(["rye prices fell"])[0, model.label_number(label)] for model, label in pairs)
    assert p > q


def test_a_file_keeps_what_names_said_and_one_document_has_the_same_answer_as_among_many(tmp_path):
    model = fitted()
    model.save(tmp_path / "m")
    texts = [text for text, _ in DOCUMENTS[-9:]] + ["rye", ""]
    p = model.predict_proba(texts)
    assert np.array_equal(load(tmp_path / "m").predict_proba(texts), p)
    assert all(np.array_equal(model.predict_proba([text])[0], row) for text, row in zip(texts, p))


def test_numbers_are_no_names():
    model = TextClassifier("best").fit([text for text, _ in DOCUMENTS], [len(label) for _, (label,) in DOCUMENTS])
    assert model.classifier_.learner_.names.nnz == 0


def test_names_are_read_without_a_view_of_characters():
    texts, labels = zip(*DOCUMENTS)
    model = TextClassifier(Ensemble(("learned",))).fit(list(texts), list(labels))
    learner = model.classifier_.learner_
    assert learner.names.shape == (7, model.vectorizer_.vocabulary_.n_columns)
    assert learner.names.nnz >= 7
