"""The vectoriser keeps scikit-learn's conventions and refuses what is not text."""

import pickle
import threading

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.feature_extraction.text import CountVectorizer, TfidfVectorizer
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import Normalizer
from sklearn.utils.estimator_checks import check_estimator

from bayesift.errors import BadInput
from bayesift.text import TextVectorizer

TEXTS = ["Corn and wheat exports rose in May", "wheat, wheat and corn", "the dollar fell", "Dollar fell, wheat rose"]
PLAIN = {"stem": None, "stop_words": None}



def test_check_estimator():
    check_estimator(TextVectorizer())


def test_counts_equal_scikit_learn():
    peer = CountVectorizer()
    theirs = peer.fit_transform(TEXTS).toarray()
    ours = TextVectorizer(weight="raw", **PLAIN)
    matrix = ours.fit_transform(TEXTS).toarray()
    columns = [peer.vocabulary_[term] for term in ours.get_feature_names_out()]
    assert sorted(columns) == list(range(theirs.shape[1]))
    assert np.array_equal(matrix, theirs[:, columns])


def test_tfidf_equals_scikit_learn():
    peer = TfidfVectorizer(max_df=0.5)
    theirs = peer.fit_transform(TEXTS).toarray()
    ours = TextVectorizer(weight="tfidf", max_df=0.5, **PLAIN)
    matrix = ours.fit_transform(TEXTS).toarray()
    columns = [peer.vocabulary_[term] for term in ours.get_feature_names_out()]
    assert sorted(columns) == list(range(theirs.shape[1]))
    np.testing.assert_allclose(matrix, theirs[:, columns], rtol=1e-12)


def test_ltc_by_hand():
    ours = TextVectorizer(weight="ltc").fit(["corn corn wheat", "corn", "wheat rice", "rice oil"])
    # tf = 2, 1; df = 2, 2 of 4 documents: (1 + 1) * 1 and 1 * 1, over the square root of 5
    np.testing.assert_allclose(ours.transform(["corn corn wheat"]).toarray()[0, :2], [2 / 5**0.5, 1 / 5**0.5])


@pytest.mark.parametrize("weight", ["raw", "log", "ltc", "tfidf", "log-tfidf", "binary"])
def test_fit_transform_is_fit_then_transform(weight):
    ours = TextVectorizer(weight=weight, ngrams=2, min_df=2)
    at_once = ours.fit_transform(TEXTS)
    assert (at_once != clone(ours).fit(TEXTS).transform(TEXTS)).nnz == 0
    assert at_once.has_canonical_format
    assert np.isfinite(at_once.data).all()


def test_columns_never_change_along_a_stream():
    stream = [f"word{i % 13} word{i % 7} common text{i}" for i in range(200)]
    ours, seen = TextVectorizer(min_df=2, ngrams=2), []
    for text in stream:
        names = list(ours.partial_fit([text]).get_feature_names_out())
        assert names[: len(seen)] == seen
        seen = names
    assert seen == list(TextVectorizer(min_df=2, ngrams=2).fit(stream).get_feature_names_out())


def test_transform_changes_nothing():
    ours = TextVectorizer(ngrams=2).fit(TEXTS)
    before = pickle.dumps(ours)
    ours.transform(["barley futures", *TEXTS])
    assert pickle.dumps(ours) == before


def test_many_threads_may_transform():
    texts = TEXTS * 300
    ours = TextVectorizer(ngrams=2).fit(texts)
    expected = ours.transform(texts)
    results = []
    threads = [threading.Thread(target=lambda: results.append(ours.transform([*texts, "new1 new2"]))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(results) == 4
    assert all((result[:-1] != expected).nnz == 0 for result in results)


def test_data_frame_column_pipeline_and_zones():
    frame = pd.DataFrame({"text": TEXTS})
    assert make_pipeline(TextVectorizer(), Normalizer()).fit_transform(frame["text"]).shape[0] == 4
    fielded = [{"title": "Wheat", "body": "Exports of wheat rose"}, {"title": "", "body": "Oil"}]
    ours = TextVectorizer(zones=["title"], ngrams=2, weight="raw").fit(fielded)
    assert list(ours.get_feature_names_out()) == [
        "wheat", "title:wheat", "export", "export wheat", "rose", "wheat rose", "oil",
    ]  # fmt: skip
    assert ours.transform(fielded).toarray()[0].tolist() == [2, 1, 1, 1, 1, 1, 0]


def test_no_numbers():
    assert list(TextVectorizer(numbers=False).fit(["May 1987 x25"]).get_feature_names_out()) == ["x25"]


def test_stop_words_of_any_script_are_left_out():
    ours = TextVectorizer(stem=None, stop_words=["The", "的", "naïve"]).fit(["the 我的书 NAÏVE book"])
    assert list(ours.get_feature_names_out()) == ["我", "书", "book"]


def test_no_documents_and_empty_documents():
    assert TextVectorizer().fit_transform([]).shape == (0, 0)
    assert TextVectorizer().fit(["", "the"]).transform(["", "x y z", "the"]).shape == (3, 0)


@pytest.mark.parametrize(
    ("parameters", "word"),
    [
        ({"stem": "klingon"}, "klingon"),
        ({"stop_words": "klingon"}, "klingon"),
        ({"weight": "bm25"}, "bm25"),
        ({"ngrams": 0}, "ngrams"),
        ({"min_df": 0.5}, "min_df"),
        ({"max_df": 2.0}, "max_df"),
        ({"zones": "title"}, "zones"),
    ],
)
def test_bad_parameters_are_named(parameters, word):
    with pytest.raises(BadInput, match=word):
        TextVectorizer(**parameters).fit(TEXTS)


@pytest.mark.parametrize("bad", [b"bytes", None, float("nan"), 3, {"title": None}, ["nested"]])
def test_what_is_not_text_is_refused_by_row(bad):
    with pytest.raises(BadInput, match="document 1 is"):
        TextVectorizer().fit(["fine", bad])


@pytest.mark.parametrize("single", ["one text", b"x", {"title": "x"}])
def test_one_document_is_not_a_list(single):
    with pytest.raises(BadInput, match="put it in a list"):
        TextVectorizer().fit(single)


def test_transform_before_fit():
    with pytest.raises(NotFittedError):
        TextVectorizer().transform(TEXTS)


@pytest.mark.parametrize("words", [0, 1, 700, 1024, 1500, 3000])
def test_a_state_is_restored_exactly_and_learns_on(words):
    settings = {"zones": ["title"], "ngrams": 2, "min_df": 2}
    documents = [{"title": f"t{i}", "body": f"w{i} w{i // 2}"} for i in range(words)]
    first = TextVectorizer(**settings).fit(documents)
    second = TextVectorizer(**settings).restore(first.state())
    more = [{"title": f"t{i}", "body": f"w{i} new{i % 7}"} for i in range(500)]
    for _ in range(2):
        assert (first.transform(more) != second.transform(more)).nnz == 0
        assert list(first.get_feature_names_out()) == list(second.get_feature_names_out())
        first.partial_fit(more)
        second.partial_fit(more)


@pytest.mark.parametrize("settings", [{}, {"ngrams": 2, "zones": ["title"], "min_df": 2}])
def test_documents_learned_together_give_the_rows_of_one_by_one(settings):
    texts = ["Corn exports", "", "the corn, the corn's exports fell", "naïve…idea Exports", "<b>wheat</b> corn"]
    documents = [{"title": text, "body": f"{text} {i}"} for i, text in enumerate(texts)]
    one, all_ = (TextVectorizer(**settings).partial_fit(["corn prices", "wheat prices"]) for _ in range(2))
    expected = [one.count_row(document, learn=True) for document in documents]
    found = list(all_.learn_count_rows(documents))
    assert [[part.tolist() for part in row] for row in found] == [[part.tolist() for part in row] for row in expected]
    assert str(all_.state()) == str(one.state())
    assert all_.written(["corn", "export"]) == one.written(["corn", "export"])


def test_a_data_frame_is_its_columns_not_their_names():
    frame = pd.DataFrame({"headline": ["Wheat rose", None], "story": ["In May", "Oil fell"]})
    ours = TextVectorizer(zones=["headline"])
    assert ours.fit_transform(frame).shape == (2, 6)
    expected = ["wheat", "headline:wheat", "rose", "headline:rose", "oil", "fell"]
    assert list(ours.get_feature_names_out()) == expected
    for missing in (float("nan"), pd.NA):
        assert ours.transform(frame.assign(headline=["Wheat rose", missing])).nnz == 6
    with pytest.raises(BadInput, match="document 0 is int in 'year'"):
        ours.transform(frame.assign(year=[1987, 1988]))


def test_names_are_found_without_going_through_the_vocabulary():
    ours = TextVectorizer(ngrams=2, zones=["title"]).fit([{"title": f"word{i}", "body": "b c"} for i in range(50)])
    for v in (ours, TextVectorizer(ngrams=2, zones=["title"]).restore(ours.state()), pickle.loads(pickle.dumps(ours))):
        vocabulary = v.vocabulary_
        full, vocabulary.words = list(v.get_feature_names_out()), {}  # would fail if it were gone through
        assert vocabulary.names(vocabulary.columns) == full
        assert {"word7", "title:word7"} <= set(full)


def test_stems_are_written_in_their_most_frequent_form():
    texts = ["Companies trade", "a company", "Company's energies", "energy title", "ENERGY traded in Trade"]
    stems = ["compani", "energi", "energi compani", "title:energi", "trade", "unknown"]
    expected = ["company", "energy", "energy company", "title:energy", "trade", "unknown"]
    whole = TextVectorizer(zones=["title"]).fit(texts)
    assert whole.written(stems) == expected
    parts = TextVectorizer(zones=["title"])
    for text in texts:
        parts.partial_fit([text])
        parts.transform(["companies energies energies energies"])  # changes nothing
        parts = TextVectorizer(zones=["title"]).restore(parts.state())
    assert parts.written(stems) == expected
    assert all(np.array_equal(a, b) for a, b in zip(whole.state().values(), parts.state().values(), strict=True))
    assert pickle.loads(pickle.dumps(whole)).written(stems) == expected


def test_a_vectorizer_from_before_writes_stems_as_they_are():
    old = {k: v for k, v in TextVectorizer().fit(["companies"]).state().items() if not k.startswith("form")}
    assert TextVectorizer().restore(old).written(["compani"]) == ["compani"]
