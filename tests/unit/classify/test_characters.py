"""The learner best reads words and their characters as a second view of texts."""

import numpy as np
import pytest
from scipy import sparse

from bayesift import TextClassifier, load
from bayesift.learn import Ensemble
from bayesift.learn.priors import PriorTerms

WORDS = {"heart": ["cardiology", "cardiac", "cardiogram"], "skin": ["dermatology", "dermal", "dermatitis"]}
USUAL = ["study", "report", "case"]
TEXTS = [f"{word} {USUAL[i % 3]} {i % 7}" for i in range(20) for words in WORDS.values() for word in words]
LABELS = [(label,) for _ in range(20) for label, words in WORDS.items() for _ in words]


@pytest.fixture(scope="module")
def model():
    return TextClassifier("best").fit(TEXTS, LABELS)


def test_a_word_that_was_never_learned_is_known_by_its_parts(model):
    assert model.predict(["cardiovascular", "dermatosis"]) == [("heart",), ("skin",)]
    answers = model.predictions(["cardiovascular", "cardiology study", "?"])
    assert answers.known_words.tolist() == [0, 3, 0]  # two words and the pair; parts are not counted
    old = TextClassifier(Ensemble(("learned", "nearest", "shared"))).fit(TEXTS, LABELS)
    p = old.predict_proba(["cardiovascular", "dermatosis"])
    assert np.array_equal(p[0], p[1])


def test_a_file_keeps_the_view_and_one_document_has_the_same_answer_as_among_many(model, tmp_path):
    model.save(tmp_path / "m")
    again = load(tmp_path / "m")
    texts = [*TEXTS[:9], "cardiovascular", "", "dermatoses, <b>report</b>"]
    p = model.predict_proba(texts)
    assert np.array_equal(again.predict_proba(texts), p)
    assert all(np.array_equal(model.predict_proba([text])[0], row) for text, row in zip(texts, p))
    assert model.rows_.views == again.rows_.views


def test_a_file_without_characters_is_read_as_before(tmp_path):
    old = TextClassifier(Ensemble(("learned", "nearest", "shared"))).fit(TEXTS, LABELS)
    assert old.rows_.views is None
    old.save(tmp_path / "m")
    again = load(tmp_path / "m")
    assert again.rows_.views is None
    assert np.array_equal(again.predict_proba(TEXTS), old.predict_proba(TEXTS))


def test_a_learner_that_was_given_stays_as_it_is():
    learner = Ensemble()
    fitted = TextClassifier(learner).fit(TEXTS, LABELS)
    assert learner.views is None
    assert fitted.classifier_.learner_.views == fitted.rows_.views


def test_a_word_is_taken_out_with_its_characters(model, monkeypatch):
    (found,) = model.explain(["cardiology report"], labels=["heart"])
    assert found.words[0].word == "cardiology"
    monkeypatch.setattr(
        "bayesift.classify.explain._characters_without",
        lambda _, whole, terms, __: sparse.vstack([whole] * (len(terms) + 2), format="csr"),
    )
    (kept,) = model.explain(["cardiology report"], labels=["heart"])
    assert found.words[0].mean > 2 * kept.words[0].mean > 0
    assert found.prior.mean < kept.prior.mean
    assert model.explain(["cardiovascular"])[0].words == ()


def test_terms_that_only_a_person_knows_come_before_the_characters():
    knowledge = {"heart": PriorTerms({"quokka": (8.0, 0.5)})}
    known = TextClassifier("best", prior_terms=knowledge).fit(TEXTS, LABELS)
    assert known.rows_.views[0] == known.vectorizer_.vocabulary_.n_columns
    heart = known.label_number("heart")
    p = known.predict_proba(["quokka", "wombat"])
    assert p[0, heart] > p[1, heart]
    assert known.predict(["dermatosis"]) == [("skin",)]


def test_best_learns_documents_so_few_that_no_term_is_in_two():
    model = TextClassifier("best").fit(["corn rose", "oil fell"], ["grain", "energy"])
    assert model.predict(["corn", "oil"]).tolist() == ["grain", "energy"]
    assert TextClassifier("best").fit(["wheat", "oil"], ["seven", "eight"]).predict(["oil"]).tolist() == ["eight"]
