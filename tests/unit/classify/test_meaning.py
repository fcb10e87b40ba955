"""Vectors of meaning in the text classifier: chosen by the data, saved, learned online, explained."""

import json
import threading

import numpy as np
import pytest

from bayesift import TextClassifier, load
from bayesift.errors import BadInput, Notice
from bayesift.learn import BOMC
from bayesift.text.meaning.background import InBackground

SUBJECTS = ("farm", "sea", "oil")


def stream(n, seed):
    """Texts of three subjects, each with 80 words of its own, of which a text has four."""
    rng = np.random.default_rng(seed)
    texts, labels = [], []
    for _ in range(n):
        subject = rng.choice(SUBJECTS)
        own = [f"{subject}word{k}" for k in rng.integers(80, size=4)]
        texts.append(" ".join([*own, *(f"common{k}" for k in rng.integers(40, size=6))]))
        labels.append((str(subject),))
    return texts, labels


class Subjects:
    """An encoder that knows the subjects' words, not well."""

    def encode(self, texts):
        return [
            [1.0 + text.count(f"{s}word") + 0.5 * (len(text) % 3) for s in SUBJECTS] + [float(len(text) % 5)]
            for text in texts
        ]


class Noise:
    """An encoder that says nothing about the text: its numbers come from a hash."""

    def encode(self, texts):
        return [np.random.default_rng(list(text.encode())).normal(size=6) for text in texts]


TRAIN, TEST, MORE = stream(40, 0), stream(300, 1), stream(900, 2)[0]
MANY = stream(400, 3)


@pytest.fixture(scope="module")
def with_text():
    return TextClassifier(unlabelled=MORE).fit(*TRAIN)


def test_unlabelled_text_helps_where_labels_are_few(with_text):
    words = TextClassifier().fit(*TRAIN)
    assert with_text.classifier_.vectors_ == (0,)
    assert with_text.meaning_weights_["corpus"] in (0.25, 0.5, 1.0)
    assert f"Weight of meaning beside words: corpus {with_text.meaning_weights_['corpus']:g}." in str(with_text)
    assert words.meaning_weights_ == {}
    assert with_text.score(*TEST) > words.score(*TEST) + 0.03


def test_the_default_is_words_alone_without_unlabelled_text():
    a, b = TextClassifier().fit(*TRAIN), TextClassifier(meaning=None).fit(*TRAIN)
    assert np.array_equal(a.predict_proba(TEST[0]), b.predict_proba(TEST[0]))
    assert a.rows_.meaning is None


def test_an_encoder_that_says_nothing_gets_no_weight():
    words = TextClassifier().fit(*MANY)
    model = TextClassifier(meaning=Noise()).fit(*MANY)
    assert model.meaning_weights_ == {"Noise": 0.0}
    assert np.array_equal(model.predict_proba(TEST[0]), words.predict_proba(TEST[0]))


def test_an_encoder_that_knows_is_used_beside_one_that_does_not():
    model = TextClassifier(meaning=Subjects()).fit(*TRAIN)
    assert model.classifier_.vectors_ == (0,)
    assert model.score(*TEST) > TextClassifier().fit(*TRAIN).score(*TEST) + 0.1
    both = TextClassifier(meaning=["corpus", Subjects()], unlabelled=MORE).fit(*TRAIN)
    assert both.classifier_.vectors_
    assert both.score(*TEST) > 0.9


def test_one_document_gets_what_it_gets_among_many(with_text):
    some = TEST[0][:30]
    one = np.vstack([with_text.predict_proba([text]) for text in some])
    assert np.array_equal(one, with_text.predict_proba(some))


def test_saving_and_learning_on(with_text, tmp_path):
    with_text.save(tmp_path / "m")
    before = (tmp_path / "m").read_bytes()
    again = load(tmp_path / "m")
    assert again.meaning == "corpus"
    assert again.unlabelled is None
    assert np.array_equal(again.predict_proba(TEST[0]), with_text.predict_proba(TEST[0]))
    again.save(tmp_path / "n")
    assert (tmp_path / "n").read_bytes() == before
    more = stream(60, 5)
    other = load(tmp_path / "m")
    for model in (again, other):
        model.partial_fit(*more)
    assert np.array_equal(again.predict_proba(TEST[0]), other.predict_proba(TEST[0]))
    projection = again.rows_.meaning.state()[0]["components"]
    assert np.array_equal(projection, with_text.rows_.meaning.state()[0]["components"])  # it stays


def test_a_model_with_an_encoder_needs_it_again(tmp_path):
    model = TextClassifier(meaning=Subjects()).fit(*TRAIN)
    model.save(tmp_path / "m")
    with pytest.raises(BadInput, match=r"an encoder that returns 4 numbers per text; load\(path, encoder=...\)"):
        load(tmp_path / "m")
    again = load(tmp_path / "m", encoder=Subjects())
    assert np.array_equal(again.predict_proba(TEST[0]), model.predict_proba(TEST[0]))
    for some in (model, again):
        some.partial_fit(*stream(50, 6))
    assert np.array_equal(again.predict_proba(TEST[0]), model.predict_proba(TEST[0]))
    with pytest.raises(BadInput, match="before they had 4"):
        load(tmp_path / "m", encoder=Noise()).predict(TEST[0])


def test_a_model_that_does_not_use_its_encoder_loads_without_it(tmp_path):
    model = TextClassifier(meaning=Noise()).fit(*MANY)
    model.save(tmp_path / "m")
    assert np.array_equal(load(tmp_path / "m").predict_proba(TEST[0]), model.predict_proba(TEST[0]))
    TextClassifier().fit(*TRAIN).save(tmp_path / "w")
    with pytest.raises(BadInput, match="trained with 0 encoders"):
        load(tmp_path / "w", encoder=Noise())


def test_a_stream_from_nothing_with_an_encoder():
    model = TextClassifier(meaning=Subjects())
    texts, labels = stream(150, 7)
    for begin in range(0, 150, 10):
        model.partial_fit(texts[begin : begin + 10], labels[begin : begin + 10])
    assert model.classifier_.vectors_ == (0,)
    assert model.score(*TEST) > 0.9


def test_a_stream_fits_the_projection_when_there_are_enough(tmp_path):
    model = TextClassifier(meaning="corpus")
    texts, labels = stream(1200, 8)
    for begin in range(0, 1200, 200):
        model.partial_fit(texts[begin : begin + 200], labels[begin : begin + 200])
    assert model.score(*TEST) > 0.9
    model.save(tmp_path / "m")
    assert np.array_equal(load(tmp_path / "m").predict_proba(TEST[0]), model.predict_proba(TEST[0]))


def test_too_few_documents_for_the_corpus_are_noted():
    with pytest.warns(Notice, match="no meaning from the corpus"):
        model = TextClassifier(meaning="corpus").fit(*TRAIN)
    assert model.classifier_.vectors_ == ()


def test_an_explanation_has_one_line_for_meaning(with_text):
    (entry,) = with_text.explain(TEST[0][:1], [TEST[1][0][0]])
    assert entry.meaning.term.startswith("similar in meaning to ")
    assert f"({TEST[1][0][0]})" in entry.meaning.term
    parts = entry.amounts()
    assert entry.total.mean == pytest.approx(sum(part.mean for part in parts[:-1]))
    m, v = with_text.classifier_.learner_.predict_field(with_text.vectorize(TEST[0][:1]))
    c = with_text.label_number(entry.label)
    assert entry.total.mean == pytest.approx(float(m[0, c]), abs=1e-4)
    assert entry.total.sd == pytest.approx(float(v[0, c]) ** 0.5, rel=1e-3)
    assert "similar in meaning to" in str(entry)
    assert "similar in meaning to" in entry._repr_html_()
    assert entry.to_dict()["meaning"]["mean"] == entry.meaning.mean


def test_terms_of_labels_are_words(with_text):
    terms = with_text.label_terms("farm", 5)
    assert {term.term[:4] for term in terms.positive} == {"farm"}


def test_prior_terms_and_meaning(with_text):
    from bayesift.learn.priors import PriorTerms

    known = {"sea": PriorTerms({"quokka": (6.0, 0.5)})}
    model = TextClassifier(unlabelled=MORE, prior_terms=known).fit(*TRAIN)
    c = model.label_number("sea")
    assert model.predict_proba(["quokka"])[0, c] > 2 * model.predict_proba([""])[0, c]


def test_a_document_that_only_the_encoder_knows():
    model = TextClassifier(meaning=Subjects()).fit(*TRAIN)
    p = model.predictions(["farmword999 farmword998 farmword997 farmword996"])
    assert p.known_words[0] == 0
    assert p.probabilities[0].argmax() == model.label_number("farm")
    assert np.allclose(model.predict_proba([""])[0], (model.label_documents_ + 0.5) / (model.n_documents_ + 1))


@pytest.mark.parametrize("learner", ["perceptron", "gp", "logistic", "probit", "categoriser"])
def test_learners_that_take_words_alone_refuse_it(learner):
    with pytest.raises(BadInput, match="takes words alone"):
        TextClassifier(learner, meaning="corpus").check()
    with pytest.raises(BadInput, match=r"takes words alone.*; leave the unlabelled text out, or use"):
        TextClassifier(learner, unlabelled=["text"]).check()
    rates = {"unlabelled": ["text"], "label_rates": "unlabelled"}
    with pytest.raises(BadInput, match=r"takes words alone.*; add meaning=None \(--meaning none\), or use"):
        TextClassifier(learner, **rates).check()
    TextClassifier(learner, **rates, meaning=None).check()


@pytest.mark.parametrize("variant", ["pairwise", "multiclass"])
def test_variants_without_prequential_predictions_refuse_it(variant):
    with pytest.raises(BadInput, match="prequential"):
        TextClassifier(BOMC(variant), meaning="corpus").check()


@pytest.mark.parametrize("learner", ["bomc", BOMC("coupled"), BOMC(drift=0.01)])
def test_variants_of_bomc_take_it(learner, tmp_path):
    model = TextClassifier(learner, unlabelled=MORE).fit(*TRAIN)
    assert model.classifier_.vectors_ == (0,)
    model.save(tmp_path / "m")
    again = load(tmp_path / "m")
    for some in (model, again):
        some.partial_fit(*stream(30, 9))
    assert np.array_equal(again.predict_proba(TEST[0]), model.predict_proba(TEST[0]))


def test_bad_input():
    with pytest.raises(BadInput, match="unlabelled text is for the meaning"):
        TextClassifier(meaning=None, unlabelled=MORE).fit(*TRAIN)
    with pytest.raises(BadInput, match="no method encode"):
        TextClassifier(meaning=7).fit(*TRAIN)
    german = ["Der Preis ist im Mai gestiegen, weil die Ernte nicht gut war und es an Regen fehlte."] * 50
    english = ["The price rose in May because the harvest was not good and there was no rain."] * 50
    with pytest.raises(BadInput, match="the unlabelled text seems to be german"):
        TextClassifier(unlabelled=german).fit(english, [("a",), ("b",)] * 25)
    with pytest.raises(BadInput, match="not text"):
        TextClassifier(unlabelled=[3]).fit(*TRAIN)


class Broken:
    def encode(self, texts):
        return np.full((len(texts), 2), np.nan)


def test_an_encoder_that_returns_nan_is_refused():
    with pytest.raises(BadInput, match="Broken returned nan or inf"):
        TextClassifier(meaning=Broken()).fit(*TRAIN)


def test_the_command_line(run, tmp_path):
    lines = [json.dumps({"text": text, "labels": label}) for text, label in zip(*TRAIN)]
    (tmp_path / "train.jsonl").write_text("\n".join(lines))
    (tmp_path / "test.jsonl").write_text("\n".join(json.dumps({"text": t, "labels": y}) for t, y in zip(*TEST)))
    (tmp_path / "more.jsonl").write_text("\n".join(json.dumps({"text": text}) for text in MORE))
    (tmp_path / "empty.jsonl").write_text("")
    options = ("--unlabelled", tmp_path / "more.jsonl")
    assert run("train", tmp_path / "train.jsonl", tmp_path / "m", *options).code == 0
    model = load(tmp_path / "m")
    assert model.classifier_.vectors_ == (0,)
    weight = model.meaning_weights_["corpus"]
    assert f"meaning: corpus, weight {weight:g}" in run("inspect", tmp_path / "m").out
    assert json.loads(run("inspect", tmp_path / "m", "--json").out)["meaning"] == {"corpus": weight}
    shown = run("explain", tmp_path / "m", tmp_path / "test.jsonl", "--json")
    assert "similar in meaning to" in json.loads(shown.out.splitlines()[0])["meaning"]["term"]
    assert run("cross-validate", tmp_path / "train.jsonl", "--folds", 2, *options).code == 0
    for wrong, message in (
        (("--meaning", "none", *options), "unlabelled text is for the meaning"),
        (("--meaning", "corpos"), "no meaning 'corpos'"),
        (("--unlabelled", tmp_path / "train.jsonl"), "is both labelled and unlabelled text"),
        (("--unlabelled", tmp_path / "nothing.jsonl"), "no such file or corpus"),
        (("--unlabelled", tmp_path / "empty.jsonl"), "has no documents"),
        (("--learner", "perceptron", *options), "takes words alone"),
        (("--meaning", f"minilm={tmp_path}"), "has no model.safetensors"),
    ):
        found = run("train", tmp_path / "train.jsonl", tmp_path / "n", *wrong)
        assert (found.code, message in found.err) == (2, True), found.err
        assert not (tmp_path / "n").exists()


class FakeMiniLM:
    """Stands for MiniLM, whose weights take 90 MB; `there` says whether they are installed."""

    there, made = True, Subjects

    def __init__(self, folder=None):
        if not self.there:
            raise BadInput("no weights of all-MiniLM-L6-v2 on this machine", remedy="install them")
        self.encode = self.made().encode


@pytest.mark.parametrize(("encoder", "learned", "used"), [(Subjects, TRAIN, (0,)), (Noise, MANY, ())])
def test_minilm_is_found_again_by_a_loaded_model(encoder, learned, used, tmp_path, monkeypatch):
    monkeypatch.setattr("bayesift.text.meaning.minilm.MiniLM", FakeMiniLM)
    monkeypatch.setattr(FakeMiniLM, "made", encoder)
    model = TextClassifier(meaning="minilm").fit(*learned)
    assert model.classifier_.vectors_ == used
    model.save(tmp_path / "m")
    assert np.array_equal(load(tmp_path / "m").predict_proba(TEST[0]), model.predict_proba(TEST[0]))
    monkeypatch.setattr(FakeMiniLM, "there", False)
    if used:
        with pytest.raises(BadInput, match=r"m: no weights of all-MiniLM-L6-v2 on this machine; install them"):
            load(tmp_path / "m")
    else:
        assert np.array_equal(load(tmp_path / "m").predict_proba(TEST[0]), model.predict_proba(TEST[0]))


def test_a_copy_and_a_clone_have_the_same_predictions(with_text):
    import pickle

    from sklearn.base import clone

    p = with_text.predict_proba(TEST[0])
    assert np.array_equal(pickle.loads(pickle.dumps(with_text)).predict_proba(TEST[0]), p)
    assert np.array_equal(clone(with_text).fit(*TRAIN).predict_proba(TEST[0]), p)


class Slow(Subjects):
    """An encoder that waits for a signal."""

    def __init__(self):
        self.go, self.calls = threading.Event(), 0

    def encode(self, texts):
        assert self.go.wait(60)
        self.calls += len(texts)
        return super().encode(texts)


def test_words_alone_decide_until_a_vector_is_there():
    slow = Slow()
    slow.go.set()
    encoder = InBackground(slow)
    model = TextClassifier(meaning=encoder).fit(*TRAIN)  # waits
    usual = TextClassifier(meaning=Subjects()).fit(*TRAIN)
    slow.go.clear()
    some = TEST[0][:20]
    rows = model.vectorize(some)
    assert not rows.dense.any()
    p = model.predict_proba(some)
    assert not np.array_equal(p, usual.predict_proba(some))
    slow.go.set()
    encoder.wait()
    assert np.array_equal(model.predict_proba(some), usual.predict_proba(some))
    assert slow.calls == len(TRAIN[0]) + len(some)


def test_an_error_in_the_background_is_raised_at_the_next_call():
    encoder = InBackground(Broken())
    model = TextClassifier(meaning=InBackground(Subjects())).fit(*TRAIN)
    model.rows_.meaning.parts[0].encoder = encoder
    model.predict(["corn"])
    encoder.wait()
    with pytest.raises(BadInput, match="InBackground returned vectors of 2 numbers, before they had 4"):
        model.predict(["corn"])
