"""A language brings its stemmer and stop words, and text of another language gives a note."""

import pickle
import subprocess
import sys
import warnings

import numpy as np
import pytest
import Stemmer
from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS

from bayesift import TextClassifier, load
from bayesift.corpora import load_corpus
from bayesift.errors import BadInput, Notice
from bayesift.text import TextVectorizer
from bayesift.text.languages import CODES, likely_language, stop_words_of

GERMAN = [
    "Der Weizenpreis ist im Mai gestiegen, weil die Ernte in diesem Jahr schlechter war als erwartet.",
    "Die Händler sagten, dass sie mit weiteren Käufen rechnen und auf neue Zahlen der Regierung warten.",
    "Das Öl wurde billiger, denn die Lager sind voll, und niemand will mehr davon haben.",
]
FRENCH = [
    "Le prix du blé a augmenté en mai parce que la récolte de cette année était plus faible que prévu.",
    "Les négociants disent qu'ils attendent les nouveaux chiffres du gouvernement et qu'ils vont acheter encore.",
]
SPANISH = [
    "El precio del trigo subió en mayo porque la cosecha de este año fue peor de lo que se esperaba.",
    "Los comerciantes dicen que esperan los nuevos datos del gobierno y que van a comprar más.",
]
RUSSIAN = [
    "Цена на пшеницу выросла в мае, потому что урожай в этом году был хуже, чем ожидалось.",
    "Торговцы говорят, что они ждут новых данных правительства и будут покупать еще.",
]


def terms(texts, **settings):
    return set(TextVectorizer(**settings).fit(texts).get_feature_names_out())


@pytest.mark.parametrize("language", ["de", "german", "German"])
def test_a_language_gives_stemmer_and_stop_words(language):
    found = terms(GERMAN, language=language)
    assert not found & {"der", "die", "ist", "und", "dass"}
    assert {"weizenpreis", "handl", "regier"} <= found


def test_stemmer_and_stop_words_can_be_given_apart():
    assert {"handl", "der"} <= terms(GERMAN, language="de", stop_words=None)
    assert "händler" in terms(GERMAN, language="de", stem=None)
    assert "der" not in terms(GERMAN, stem=None, stop_words="german")


def test_english_is_the_default_and_has_scikit_learns_list():
    found = TextVectorizer().fit(["the classifiers"])
    assert set(found.stop_words_) == set(ENGLISH_STOP_WORDS)
    assert list(found.get_feature_names_out()) == ["classifi"]


def test_every_stemmer_has_a_language_code_and_nearly_all_have_stop_words():
    assert set(Stemmer.algorithms()) <= set(CODES)
    assert {name for name in CODES if not stop_words_of(name)} == {"nepali", "serbian", "tamil", "yiddish"}


def test_what_a_language_lacks_is_noted():
    with pytest.warns(Notice, match="no stop words for the language 'tamil'"):
        TextVectorizer(language="tamil").fit(["x"])
    with pytest.warns(Notice, match="no stemmer for the language 'uk'"):
        TextVectorizer(language="uk").fit(["x"])


@pytest.mark.parametrize("given", [{"language": "klingon"}, {"stem": "uk"}, {"stop_words": "tamil"}])
def test_unknown_languages_are_refused_with_those_there_are(given):
    with pytest.raises(BadInput, match=r"'(klingon|uk|tamil)'.*de \(german\)"):
        TextVectorizer(**given).fit(["x"])


@pytest.mark.parametrize(("texts", "code"), [(GERMAN, "de"), (FRENCH, "fr"), (SPANISH, "es"), (RUSSIAN, "ru")])
def test_text_of_another_language_is_noted(texts, code):
    with pytest.warns(Notice, match=f"--language {code}"):
        TextVectorizer().fit(texts * 4)
    with warnings.catch_warnings():
        warnings.simplefilter("error", Notice)
        TextVectorizer(language=code).fit(texts * 4)
        TextVectorizer(stem=None, stop_words=None).fit(texts * 4)
        TextVectorizer().fit(texts[:1])  # too short to say


def test_english_text_under_another_language_is_noted():
    assert likely_language(["The price of wheat rose because it was not as good as last year."] * 20, "de") == "en"


@pytest.mark.parametrize("name", ["docstrings", "reuters21578", "ohsumed91", "arxiv", "synergy"])
def test_no_false_alarm_on_english_corpora(name, corpus_folder):
    if name != "docstrings":
        corpus_folder(name)
    documents = [d for d, _ in zip(load_corpus(name).documents(), range(200))]
    for texts in ([d.body for d in documents], [d.title for d in documents], [d.body[:60] for d in documents[:20]]):
        assert likely_language(texts, "english") is None


@pytest.mark.parametrize("texts", [["word1 word2 word3"] * 100, ["na ja de la en"] * 50, ["SELECT a FROM b;"] * 99])
def test_no_false_alarm_on_odd_text(texts):
    assert likely_language(texts, "english") is None


def test_the_model_keeps_language_and_stop_words(tmp_path, monkeypatch):
    model = TextClassifier(vectorizer=TextVectorizer(language="de"))
    model.fit(GERMAN * 6, ["grain", "trade", "oil"] * 6).save(tmp_path / "m")
    monkeypatch.setattr("bayesift.text.languages.stop_words_of", lambda language: frozenset({"ernte"}))
    found = load(tmp_path / "m").vectorizer_
    assert found.language == "de"
    assert found.stop_words_ == model.vectorizer_.stop_words_  # a later version of the list changes nothing
    assert (found.transform(GERMAN) != model.vectorizer_.transform(GERMAN)).nnz == 0
    copy = pickle.loads(pickle.dumps(model.vectorizer_))
    assert np.array_equal(copy.transform(GERMAN).toarray(), found.transform(GERMAN).toarray())


def test_a_saved_model_needs_no_stop_word_package(tmp_path):
    TextClassifier().fit(["wheat rose", "oil fell"] * 9, ["grain", "crude"] * 9).save(tmp_path / "m")
    code = (
        "import sys; from bayesift import load; load(sys.argv[1]).predict(['wheat']);"
        " assert not {'stopwordsiso', 'sklearn.feature_extraction'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code, str(tmp_path / "m")], check=True)
