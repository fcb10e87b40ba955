"""`label_rates=` of the classifiers: shifted odds, saved with the model, kept online, refused before training."""

import numpy as np
import pytest
from scipy.special import logit

from bayesift import LabelClassifier, TextClassifier, load
from bayesift.classify.label_rates import read_rates
from bayesift.errors import BadInput

TEXTS = ["corn and wheat exports", "wheat harvest", "oil prices fell", "crude oil output"] * 10
LABELS = [("corn", "wheat"), ("wheat",), ("oil",), ("oil",)] * 10
NEW = ["wheat harvest in May", "oil prices rose", "corn and oil", "nothing known"]


def fitted(**settings):
    return TextClassifier(meaning=None, **settings).fit(TEXTS, LABELS)


def test_log_odds_are_shifted_by_those_of_the_rates():
    plain, model = fitted(), fitted(label_rates={"oil": 0.05})
    oil = model.label_number("oil")
    base = plain.classifier_.calibration_.base_rates()[oil]
    difference = logit(model.predict_proba(NEW)) - logit(plain.predict_proba(NEW))
    np.testing.assert_allclose(difference[:, oil], logit(0.05) - logit(base), atol=1e-9)
    assert (np.delete(difference, oil, axis=1) == 0.0).all()
    assert model.predict_proba(NEW)[3, oil] == pytest.approx(0.05)  # without a known word
    assert model.classifier_.thresholds_[oil] < plain.classifier_.thresholds_[oil]


def test_the_rates_of_training_change_nothing():
    plain = fitted()
    base = dict(zip(plain.classes_.tolist(), plain.classifier_.calibration_.base_rates().tolist()))
    model = fitted(label_rates=base)
    np.testing.assert_allclose(model.predict_proba(NEW), plain.predict_proba(NEW), rtol=1e-12)
    assert model.predict(NEW) == plain.predict(NEW)


def test_a_model_without_rates_has_the_bytes_that_it_had(tmp_path):
    fitted().save(tmp_path / "a.model")
    fitted(label_rates=None).save(tmp_path / "b.model")
    assert (tmp_path / "a.model").read_bytes() == (tmp_path / "b.model").read_bytes()
    assert "rates" not in fitted().classifier_.state()


RULES = ["joint", "0.5", "max-f1", "min-error", "scut", "scut-fbr", "expected-f1", "precision"]


@pytest.mark.parametrize("rule", RULES)
def test_every_rule_takes_rates_and_is_restored(tmp_path, rule):
    model = fitted(rule=rule, label_rates={"oil": 0.02, "wheat": 0.9})
    model.save(tmp_path / "m.model")
    again = load(tmp_path / "m.model")
    assert again.label_rates == {"oil": 0.02, "wheat": 0.9}
    np.testing.assert_array_equal(again.predict_proba(NEW), model.predict_proba(NEW))
    assert again.predict(NEW) == model.predict(NEW)
    assert [again.predict([x])[0] for x in NEW] == model.predict(NEW)


@pytest.mark.parametrize("learner", ["perceptron", "categoriser", "logistic"])
def test_every_learner_takes_rates(learner):
    plain, model = fitted(learner=learner), fitted(learner=learner, label_rates={"oil": 0.01})
    oil = model.label_number("oil")
    assert (model.predict_proba(NEW)[:, oil] < plain.predict_proba(NEW)[:, oil]).all()


def test_rates_stay_while_documents_are_learned():
    model = fitted(label_rates={"oil": 0.05})
    model.partial_fit(["cane sugar", "oil output"] * 20, [("sugar",), ("oil",)] * 20).calibrate()
    p = model.predict_proba(["nothing known"])[0]
    assert p[model.label_number("oil")] == pytest.approx(0.05)
    assert 0.1 < p[model.label_number("sugar")] < 0.4
    begun = TextClassifier(meaning=None, label_rates={"oil": 0.05, "sugar": 0.3})
    begun.partial_fit(TEXTS, LABELS).partial_fit(["cane sugar"], [("sugar",)])
    assert begun.predict_proba(["nothing known"])[0, begun.label_number("sugar")] == pytest.approx(0.3)


def test_rates_of_unlabelled_documents(tmp_path):
    texts = ["wheat harvest"] * 90 + ["oil prices"] * 10
    many, labels = TEXTS * 5, LABELS * 5
    model = TextClassifier(meaning=None, label_rates="unlabelled", unlabelled=texts).fit(many, labels)
    rates = dict(zip(model.classes_.tolist(), model.classifier_.rates_.tolist()))
    assert rates["wheat"] > 0.75
    assert rates["oil"] < 0.25
    model.save(tmp_path / "m.model")
    again = load(tmp_path / "m.model")
    assert again.label_rates == pytest.approx(rates)
    np.testing.assert_array_equal(again.predict_proba(NEW), model.predict_proba(NEW))
    again.partial_fit(["oil output"], [("oil",)])  # needs no unlabelled documents any more
    same = TextClassifier(meaning=None, label_rates="unlabelled", unlabelled=texts).fit(many, labels)
    assert np.array_equal(same.classifier_.rates_, model.classifier_.rates_)


def test_one_label_per_document():
    texts, labels = ["oil fell", "wheat rose"] * 9, ["x", "y"] * 9
    model = TextClassifier(meaning=None, label_rates={"x": 0.01}).fit(texts, labels)
    plain = TextClassifier(meaning=None).fit(texts, labels)
    p = model.predict_proba(["oil wheat"])
    assert p.sum() == pytest.approx(1.0)
    assert p[0, 0] < plain.predict_proba(["oil wheat"])[0, 0]
    with pytest.raises(BadInput, match=r"add up to 1\.1"):
        TextClassifier(label_rates={"x": 0.6, "y": 0.5}).fit(texts, labels)
    with pytest.raises(BadInput, match=r"rates of all labels add up to 0\.2, not to 1"):
        TextClassifier(label_rates={"x": 0.1, "y": 0.1}).fit(texts, labels)
    rounded = TextClassifier(meaning=None, label_rates={"x": 0.333, "y": 0.666}).fit(texts, labels)
    assert rounded.predict_proba(["nothing known"])[0, 0] == pytest.approx(1 / 3, abs=0.01)
    TextClassifier(label_rates={"x": 0.1, "y": 0.1}).partial_fit(texts, labels)  # others may come


@pytest.mark.parametrize("sets", [False, True])
def test_where_documents_have_one_label_those_without_a_rate_share_the_rest(tmp_path, sets):
    texts, labels = ["oil fell", "wheat rose", "ships sail", "ships sink"] * 9, ["x", "y", "z", "z"] * 9
    model = TextClassifier(meaning=None, label_rates={"x": 0.1})
    model.fit(texts, [(label,) for label in labels] if sets else labels).save(tmp_path / "m.model")
    for each in (model, load(tmp_path / "m.model")):
        np.testing.assert_allclose(each.predict_proba(["nothing known"]), [[0.1, 0.3, 0.6]], atol=0.01)


@pytest.mark.parametrize(("settings", "message"), [
    ({"label_rates": {"oil": 1.2}}, "the rate of label 'oil' is 1.2"),
    ({"label_rates": {"gold": 0.2}}, "a rate for 'gold', which is not a label"),
    ({"label_rates": "unlabelled"}, "no unlabelled documents"),
    ({"label_rates": "unlabelled", "unlabelled": []}, "no unlabelled documents"),
    ({"label_rates": "often"}, "label_rates is 'often'"),
    ({"label_rates": [0.1, 0.2, 0.3]}, "label_rates is a list"),
])  # fmt: skip
def test_rates_that_do_not_fit_are_refused_before_training(settings, message):
    model = TextClassifier(**settings)
    with pytest.raises(BadInput, match=message):
        model.fit(TEXTS, LABELS)
    assert not hasattr(model, "classifier_")


def test_a_stream_cannot_begin_with_estimated_rates():
    with pytest.raises(BadInput, match="beginning of a stream"):
        TextClassifier(meaning=None, label_rates="unlabelled", unlabelled=TEXTS).partial_fit(TEXTS, LABELS)


def test_vectors_take_rates_too():
    rng = np.random.default_rng(0)
    Y = (rng.random((600, 2)) < 0.3).astype(int)
    X = Y + rng.normal(size=Y.shape) * 0.3
    new = (rng.random((800, 2)) < [0.05, 0.3]).astype(int)
    model = LabelClassifier(label_rates="unlabelled", unlabelled=new + rng.normal(size=new.shape) * 0.3).fit(X, Y)
    np.testing.assert_allclose(model.rates_, [0.05, 0.3], atol=0.05)
    given = LabelClassifier(label_rates=[0.05, np.nan]).fit(X, Y)
    plain = LabelClassifier().fit(X, Y)
    shift = given.decision_function(X) - plain.decision_function(X)
    np.testing.assert_allclose(shift[:, 0], logit(0.05) - logit(plain.calibration_.base_rates()[0]))
    assert (shift[:, 1] == 0.0).all()
    with pytest.raises(BadInput, match="for 2 labels"):
        LabelClassifier(label_rates=[0.1]).fit(X, Y)


def test_a_file_of_rates(tmp_path):
    path = tmp_path / "rates.csv"
    path.write_text("label,rate\noil,0.2\n\nwheat, 0.01\n")
    assert read_rates(path) == {"oil": 0.2, "wheat": 0.01}
    path.write_bytes(b"\xef\xbb\xbflabel;rate\r\noil, crude;0,2\r\nwheat;0.01\r\n")
    assert read_rates(path) == {"oil, crude": 0.2, "wheat": 0.01}
    wrong = {"oil,2\n": r"'oil' is 2\.0", "oil\n": "no rate", "oil,.1\noil,.2\n": "duplicate", "": "no rates"}
    for text, message in wrong.items():
        path.write_text(text)
        with pytest.raises(BadInput, match=message):
            read_rates(path)


@pytest.mark.parametrize(("encoding", "likely"), [("cp1252", "windows-1252"), ("utf-16", "utf-16")])
def test_a_file_of_rates_in_another_encoding_is_named_with_the_remedy(tmp_path, encoding, likely):
    (tmp_path / "rates.csv").write_text("caf\u00e9,0.1\n", encoding)
    with pytest.raises(BadInput, match=f"rates.csv:1: not utf-8.*iconv -f {likely} -t utf-8 OLD > NEW"):
        read_rates(tmp_path / "rates.csv")
