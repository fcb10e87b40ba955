"""Every way in and out of a TextClassifier, scikit-learn's and river's conventions among them."""

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer

from bayesift import Document, TextClassifier, load
from bayesift.classify.label_terms import weak_labels
from bayesift.classify.registry import RULES
from bayesift.decide import Threshold
from bayesift.errors import BadInput, BayesiftError, Notice
from bayesift.learn import BOMC, BayesianPerceptron, Categoriser
from bayesift.learn.priors import PriorTerms
from bayesift.learn.registry import LEARNERS

WORDS = {
    "grain": "wheat corn barley harvest crop",
    "crude": "oil barrel crude opec refinery",
    "ship": "port vessel cargo",
}
COMMON = "report said year prices market rose fell company"


def corpus(n=90, seed=0):
    rng = np.random.default_rng(seed)
    texts, labels = [], []
    for i in range(n):
        own = [list(WORDS)[i % 3]] + (["ship"] if i % 7 == 0 and i % 3 != 2 else [])
        words = [w for label in own for w in rng.choice(WORDS[label].split(), 4)] + list(rng.choice(COMMON.split(), 6))
        texts.append(" ".join(words))
        labels.append(tuple(sorted(own)))
    return texts, labels


TEXTS, LABELS = corpus()
TEST, TRUTH = corpus(40, seed=1)


@pytest.fixture(scope="module")
def model():
    return TextClassifier().fit(TEXTS, LABELS)


def test_label_sets_in_and_out(model):
    assert model.score(TEST, TRUTH) > 0.9
    assert list(model.classes_) == ["crude", "grain", "ship"]
    p = model.predict_proba(TEST)
    assert p.shape == (40, 3)
    assert ((p >= 0) & (p <= 1)).all()
    given = model.predict(TEST)
    assert all(isinstance(labels, tuple) for labels in given)
    answers = model.predictions(TEST)
    assert np.array_equal(answers.confidence, model.confidence(TEST))
    assert answers.confidence.shape == answers.known_words.shape == (40,)
    assert model.evaluate(TEST, TRUTH).summary["micro F1"] == pytest.approx(model.score(TEST, TRUTH))


def test_one_document_gets_what_it_gets_among_many(model):
    assert [model.predict([text])[0] for text in TEST] == model.predict(TEST)
    assert np.array_equal(np.vstack([model.predict_proba([t]) for t in TEST]), model.predict_proba(TEST))


def test_decisions_are_those_of_the_classifier_of_vectors(model):
    for rule in (None, "max-f1"):
        found = model if rule is None else TextClassifier(rule=rule).fit(TEXTS, LABELS)
        rows = found.vectorize(TEST)
        assert np.array_equal(found.decisions(TEST)[1], found.classifier_.predict(rows))
        if found.rule == "max-f1":
            with pytest.raises(BadInput, match="MaxF1 decides each document on its own"):
                found.decisions(TEST, together=True)
        else:
            assert np.array_equal(found.decisions(TEST, together=True)[1], found.classifier_.decide(rows))
        assert np.array_equal(found.predict_proba(TEST), found.classifier_.predict_proba(rows))


def test_every_form_of_document_gives_the_same(model):
    p = model.predict_proba(TEST)
    forms = [
        tuple(TEST), np.array(TEST), np.array(TEST)[:, None], pd.Series(TEST), (t for t in TEST),
        [{"body": t, "id": 3, "labels": ["x"]} for t in TEST], [Document(str(i), body=t) for i, t in enumerate(TEST)],
        pd.DataFrame({"body": TEST, "id": range(40), "note": [None] * 40}),
    ]  # fmt: skip
    for form in forms:
        assert np.array_equal(model.predict_proba(form), p)


def test_documents_bring_their_own_labels(model):
    documents = [Document(str(i), body=t, labels=y) for i, (t, y) in enumerate(zip(TEXTS, LABELS))]
    unjudged = [Document("x", body="nobody judged this")]
    assert np.array_equal(TextClassifier().fit(documents + unjudged).predict_proba(TEST), model.predict_proba(TEST))
    frame = pd.DataFrame({"body": TEXTS, "labels": LABELS})
    assert np.array_equal(TextClassifier().fit(frame).predict_proba(TEST), model.predict_proba(TEST))
    with pytest.raises(BadInput, match="brings no labels"):
        TextClassifier().fit(TEXTS)


def test_single_labels():
    y = [labels[0] for labels in LABELS]
    model = TextClassifier().fit(TEXTS, y)
    p = model.predict_proba(TEST)
    assert np.allclose(p.sum(axis=1), 1.0)
    assert (model.predict(TEST) == model.classes_[p.argmax(axis=1)]).all()
    assert model.score(TEST, [labels[0] for labels in TRUTH]) > 0.7
    numbers = TextClassifier().fit(TEXTS, np.array([len(x) for x in y]))
    assert set(numbers.predict(TEST)) <= {4, 5}


def test_a_matrix_of_labels(model):
    names = model.classes_.tolist()
    Y = np.array([[c in labels for c in names] for labels in LABELS]).astype(int)
    found = TextClassifier().fit(TEXTS, Y)
    numbered = TextClassifier().fit(TEXTS, [tuple(names.index(c) for c in labels) for labels in LABELS])
    assert np.array_equal(found.predict_proba(TEST), numbered.predict_proba(TEST))  # columns have no names
    assert found.predict(TEST).shape == (40, 3)
    assert found.predict(TEST).dtype == np.int64


def test_in_a_pipeline(model):
    pipeline = make_pipeline(FunctionTransformer(lambda texts: [t.upper() for t in texts]), TextClassifier())
    assert pipeline.fit(TEXTS, LABELS).predict(TEST) == model.predict(TEST)
    assert pipeline.score(TEST, TRUTH) == model.score(TEST, TRUTH)


@pytest.mark.parametrize("given", [{"grain": {"wheat": (2.0, 1.0)}}, PriorTerms({"wheat": (2.0, 1.0)})])
def test_prior_terms_of_another_kind_are_an_error(given):
    with pytest.raises(BadInput, match="prior_terms is not a mapping from labels to PriorTerms"):
        TextClassifier(prior_terms=given).fit(TEXTS, LABELS)


def test_a_model_that_was_not_fitted_is_not_saved(tmp_path):
    with pytest.raises(NotFittedError):
        TextClassifier().save(tmp_path / "m")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("learner", [*LEARNERS, BayesianPerceptron(), Categoriser(steps=9)], ids=str)
def test_any_learner_learns_explains_and_is_saved_bit_for_bit(learner, tmp_path):
    model = TextClassifier(learner).fit(TEXTS, LABELS)
    assert model.score(TEST, TRUTH) > 0.7
    model.save(tmp_path / "x.model")
    again = load(tmp_path / "x.model")
    assert np.array_equal(model.predict_proba(TEST), again.predict_proba(TEST))
    assert model.predict(TEST) == again.predict(TEST)
    assert model.predict(TEST, together=True) == again.predict(TEST, together=True)
    assert again.explain(TEST[:3]) == model.explain(TEST[:3])
    again.save(tmp_path / "y.model")
    assert (tmp_path / "x.model").read_bytes() == (tmp_path / "y.model").read_bytes()


@pytest.mark.parametrize("rule", [*RULES, Threshold(0.3)], ids=str)
def test_any_rule(rule, tmp_path):
    model = TextClassifier(rule=rule).fit(TEXTS, LABELS)
    assert model.score(TEST, TRUTH) > 0.8
    model.save(tmp_path / "x.model")
    assert load(tmp_path / "x.model").predict(TEST) == model.predict(TEST)


def test_learning_on_after_loading_is_learning_on(tmp_path):
    first = TextClassifier().fit(TEXTS[:60], LABELS[:60])
    first.save(tmp_path / "x.model")
    second = load(tmp_path / "x.model")
    more, labels = [*TEXTS[60:], "zebra stripes zebra"], [*LABELS[60:], ("animal",)]
    for model in (first, second):
        model.partial_fit(more, labels).calibrate()
    assert list(first.classes_) == ["crude", "grain", "ship", "animal"]
    assert np.array_equal(first.predict_proba(TEST), second.predict_proba(TEST))
    for model, name in ((first, "a"), (second, "b")):
        model.save(tmp_path / name)
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()
    assert first.n_documents_ == 91
    assert first.label_documents_[3] == 1


@pytest.mark.parametrize("learner", ["multilabel", "bomc", "perceptron", "logistic", "probit"])
def test_prior_terms_act_before_any_document_has_them(learner, tmp_path):
    knowledge = {"crude": PriorTerms({"Petroleum": (8.0, 0.5)}), "gas": PriorTerms({"methane": (8.0, 0.5)})}
    with pytest.warns(Notice, match="no document has the label 'gas' yet"):
        model = TextClassifier(learner, prior_terms=knowledge).fit(TEXTS, LABELS)
    plain = TextClassifier(learner).fit(TEXTS, LABELS)
    assert plain.predictions(["petroleum"]).known_words == [0]
    p = model.predict_proba(["petroleum"])[0, 0]
    assert p > plain.predict_proba(["petroleum"])[0, 0] + 0.2
    model.save(tmp_path / "m")
    model = load(tmp_path / "m")
    assert model.predict_proba(["petroleum"])[0, 0] == p
    if model.classifier_.learner_.online:
        model.partial_fit(["the pipeline"], [("gas",)])
        assert model.predict_proba(["methane"])[0, model.label_number("gas")] > 5 / 91


@pytest.mark.parametrize("learner", ["gp", "categoriser"])
def test_prior_terms_are_refused_before_any_document_is_read(learner):
    def texts():
        raise AssertionError("read")
        yield

    with pytest.raises(BadInput, match="takes no prior terms"):
        TextClassifier(learner, prior_terms={"a": PriorTerms({})}).fit(texts(), [])


def test_prior_terms_leave_the_choice_of_noise_on(monkeypatch):
    absurd = {"noise": 50.0, "prior_variance": 0.1}
    monkeypatch.setattr("bayesift.classify.out_of_sample.CANDIDATES", [absurd, {"noise": 0.25, "prior_variance": 0.1}])
    for knowledge in (None, {"crude": PriorTerms({"petroleum": (1.0, 0.5)})}):
        model = TextClassifier(prior_terms=knowledge).fit(TEXTS, LABELS)
        assert model.classifier_.learner_.noise == 0.25


def test_settings_are_kept_as_given():
    model = TextClassifier("perceptron", rule="0.5", seed=3)
    assert clone(model).get_params() == model.get_params()
    same = [TextClassifier(seed=3).fit(TEXTS, LABELS).predict_proba(TEST) for _ in range(2)]
    assert np.array_equal(*same)


@pytest.mark.parametrize(
    ("X", "y", "message"),
    [
        ("one text", [("a",)], "put it in a list"),
        (["a", "b"], [("a",)], "2 documents and 1 targets"),
        ([], [], "no labelled documents"),
        (["a", "b"], [(), ()], "no document has a label"),
        (["a", "b"], [("x",), ("x",)], "one label only"),
        (["a", "b"], ["x", "x"], "one label only"),
        (["a", "b"], [("x",), None], "has no labels"),
        (["a", "b"], [("x",), "y"], "give sets for all"),
        (["a", "b"], [("x",), (1,)], "mixed"),
        (["a", "b"], [("x",), (1.5,)], "texts or whole numbers"),
        (["a", "b"], np.array([[0, 2], [1, 0]]), "only 0 and 1"),
        (["a", 3.5], [("x",), ("y",)], "not text"),
        (np.zeros((3, 2)), [("x",)] * 3, "list of texts"),
        (["a", "b"], "xy", "one string"),
        (["a", "b"], ["x", " "], "document 1 has an empty label"),
        (["a", "b"], [("x", ""), ("y",)], "document 0 has an empty label"),
        (iter(["a", "b"]), iter([("x",), ("",)]), "document 1 has an empty label"),
        (iter([{"body": "a", "labels": ["x"]}, {"body": "b", "labels": [" "]}]), None, "document 1 has an empty label"),
        (["a", "b"], ["x", "y\nz"], r"document 1 has the label 'y.nz' with a line break, a tab or a control character"),
        (["a", "b"], [("x", "\ud83d"), ("y",)], "document 0 has the label .* with characters that no file can hold"),
        (iter(["a", "b"]), iter([("x",), ("y\t",)]), "document 1 has the label .* with a line break, a tab"),
        (["a", "b"], pd.DataFrame({"y\r": [0, 1], "x": [1, 0]}), "the columns of the targets have the label .* with a"),
        (["a", "b"], pd.DataFrame({"": [0, 1], "x": [1, 0]}), "the columns of the targets have an empty label"),
    ],
)
def test_what_is_wrong_is_said(X, y, message):
    with pytest.raises(BayesiftError, match=message):
        TextClassifier().fit(X, y)


@pytest.mark.parametrize(
    ("labels", "classes", "message"),
    [
        ([(1,)], None, "labels are numbers, such as 1; those learned are texts; keep to one kind"),
        ([("grain",)], [1], "labels are numbers, such as 1"),
        ([("grain",)], "gold", "classes are 'gold'; give a list of labels"),
        ([("grain",)], ["gold", ""], "classes have an empty label"),
        ([("grain",)], ["gold\n"], "classes have the label .* with a line break"),
        ([("grain\n",)], None, "document 0 has the label .* with a line break"),
        ([("grain",)], [None], "a label of classes is None"),
    ],
)
def test_labels_of_a_stream_are_checked_as_those_of_fit(labels, classes, message):
    model = TextClassifier().fit(TEXTS, LABELS)
    with pytest.raises(BadInput, match=message):
        model.partial_fit(TEXTS[:1], labels, classes=classes)
    assert model.classes_.tolist() == ["crude", "grain", "ship"]


def test_wrong_names_say_which_there_are(model):
    with pytest.raises(BayesiftError, match="learners are: multilabel"):
        TextClassifier("svm").fit(TEXTS, LABELS)
    with pytest.raises(BayesiftError, match="rules are: joint"):
        TextClassifier(rule="best").fit(TEXTS, LABELS)
    with pytest.raises(BadInput, match="labels are: crude, grain, ship"):
        model.explain(TEST[:1], ["gold"])
    with pytest.raises(BadInput, match="single labels, before they were label sets; keep to one kind"):
        clone(model).fit(TEXTS, LABELS).partial_fit(TEXTS[:1], ["grain"])
    with pytest.raises(BadInput, match="call fit with all documents"):
        TextClassifier("logistic").fit(TEXTS, LABELS).partial_fit(TEXTS[:1], LABELS[:1])


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"rule": 0.3}, r"rule is 0.3; .*Threshold\(0.3\)"),
        ({"learner": 5}, r"learner is 5; .*BOMC\(\)"),
        ({"learner": BOMC}, r"learner is <class .*BOMC\(\)"),
        ({"seed": -1}, "random seed is -1"),
        ({"seed": 1.5}, "random seed is 1.5"),
        ({"seed": 1 << 64}, "random seed is"),
    ],
)
def test_settings_of_a_wrong_type_are_errors(settings, message):
    with pytest.raises(BadInput, match=message):
        TextClassifier(**settings).fit(TEXTS, LABELS)


@pytest.mark.parametrize("number", [-1, 1.5, None])
def test_a_number_of_terms_is_checked(model, number):
    with pytest.raises(BadInput, match=r"max_terms is .*; give a whole number from 0 on"):
        model.explain(TEST[:1], max_terms=number)
    with pytest.raises(BadInput, match="max_terms is"):
        model.label_terms("grain", number)


@pytest.mark.parametrize("measure", ["score", "evaluate"])
def test_there_is_nothing_to_measure_without_documents(model, measure):
    with pytest.raises(BadInput, match="no labelled documents to measure"):
        getattr(model, measure)([], [])


def test_labels_that_differ_in_case_are_named():
    with pytest.warns(Notice, match="'Grain', 'grain'"):
        TextClassifier().fit([*TEXTS, "wheat"], [*LABELS, ("Grain",)])


def test_labels_that_look_the_same_are_named():
    with pytest.warns(Notice, match=r"form of characters .*'cafe\\u0301', 'caf\\xe9'"):
        TextClassifier().fit([*TEXTS, "coffee", "espresso"], [*LABELS, ("caf\u00e9",), ("cafe\u0301",)])


def test_a_document_of_unknown_words_or_none_at_all(model):
    p = model.predict_proba(["", "xyzzy", "   "])
    assert np.isfinite(p).all()
    assert (p[0] == p[1]).all()
    assert model.predict_proba([]).shape == (0, 3)
    assert model.predict([]) == []


def test_contributions_add_up_to_the_field(model):
    field = model.classifier_.learner_.predict_field(model.vectorize(TEST))[0]
    for i, text in enumerate(TEST[:10]):
        for c, label in enumerate(model.classes_):
            found = model.explain([text], [label], max_terms=3)[0]
            whole = found.prior.mean + found.others.mean + sum(w.mean for w in found.words)
            assert whole == pytest.approx(found.total.mean)
            assert whole == pytest.approx(float(field[i, c]), abs=1e-4)
            assert not {w.term for w in found.missing} & set(text.split())


def test_occlusion_explains_any_other_learner():
    model = TextClassifier("categoriser").fit(TEXTS, LABELS)
    found = model.explain(["wheat report"], ["grain"])[0]
    assert found.unit == "log-odds"
    worth = {w.term: w.mean for w in found.words}
    assert worth["wheat"] > 0.5
    assert worth["wheat"] > worth["report"]


def test_informative_terms_and_labels_with_weak_evidence():
    model = TextClassifier().fit([*TEXTS, "zebra"], [*LABELS, ("animal",)])
    told = model.label_terms("crude", 5)
    stems = {"oil", "barrel", "crude", "opec", "refineri"}
    assert {t.term for t in told.positive} <= stems
    assert all(t.certainty > 0.97 for t in told.positive + told.negative)
    assert told.weak_evidence == ""
    assert weak_labels(model) == {"animal": "1 document only"}


def test_targets_are_for_labels_that_exist():
    with pytest.raises(BadInput, match="a target for 'nope', which is not a label"):
        TextClassifier(rule="precision", target={"nope": 0.9}).fit(TEXTS, LABELS)
    with pytest.raises(BadInput, match=r"the rule '0\.5' has no target"):
        TextClassifier(rule="0.5", target=0.9).fit(TEXTS, LABELS)
    model = TextClassifier(rule="precision", target={"grain": 0.99, "ship": 0.5}).fit(TEXTS, LABELS)
    t = dict(zip(model.classes_, model.classifier_.thresholds_))
    assert t["ship"] < t["grain"]
    model.partial_fit(["a drought in spring"], [("weather",)])
    assert model.classifier_.rule_.target == (0.9, 0.99, 0.5, 0.9)


@pytest.mark.parametrize("rule", ["max-f1", "scut", "scut-fbr", "joint"])
def test_a_label_that_scores_do_not_tell_apart_is_not_given_to_everybody(rule):
    rare = [*LABELS[:-1], ("odd", *LABELS[-1])]
    model = TextClassifier(rule=rule).fit(TEXTS, rare)
    assert model.decisions(TEST)[1][:, model.label_number("odd")].mean() < 0.2


class Failing:
    """An encoder that fails when it is told to."""

    fails = False

    def encode(self, texts):
        if self.fails:
            raise OSError("the encoder is away")
        return [[float(len(text)), 1.0] for text in texts]


@pytest.mark.parametrize("what", ["document", "encoder"])
def test_a_rejected_partial_fit_changes_nothing(tmp_path, what):
    encoder = Failing()
    model = TextClassifier(meaning=encoder if what == "encoder" else None).fit(TEXTS, LABELS)
    model.save(tmp_path / "before")
    encoder.fails = True
    texts = ["a new word", None if what == "document" else "and another one"]
    with pytest.raises(BadInput if what == "document" else OSError):
        model.partial_fit(texts, [LABELS[0], ("another label",)])
    model.save(tmp_path / "after")
    assert (tmp_path / "after").read_bytes() == (tmp_path / "before").read_bytes()
    encoder.fails = False
    assert model.evaluate(TEXTS, LABELS).summary["micro F1"] > 0.5


def test_best_uses_the_most_frequent_terms_where_there_are_too_many(monkeypatch, tmp_path):
    from bayesift.classify import text_fitting
    from bayesift.learn import ensemble

    about = ("oil crude", "corn wheat")
    texts = [f"{about[i % 2]} report {i % 7} of day{i}x day{i}x and day{i + 1}x" for i in range(60)]
    labels = [("grain",) if i % 2 else ("crude",) for i in range(60)]
    for module in (text_fitting, ensemble):
        monkeypatch.setattr(module, "LARGEST", 60)
    with pytest.warns(Notice, match=r"of [\d,]+ (terms|character n-grams) the 30 most frequent are used"):
        model = TextClassifier("best").fit(texts, labels)
    assert model.vectorizer_.vocabulary_.n_columns == 30
    assert "corn" in model.vectorizer_.get_feature_names_out()
    assert model.predict(["corn and wheat", "crude oil"]) == [("grain",), ("crude",)]
    model.save(tmp_path / "m")
    assert np.array_equal(load(tmp_path / "m").predict_proba(texts), model.predict_proba(texts))
