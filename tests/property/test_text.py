"""Any Unicode text gives what a plain tokeniser gives, at once or one document at a time."""

import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.reference import words as reference

from bayesift.text import TextVectorizer

# Plain words so that terms repeat, and everything that is awkward: marks, CJK, emoji, surrogates, NULs, ligatures.
ODD = st.sampled_from(
    ["the", "Trade", "trading", "trades", "a", "x1", "1987", "É", "e\u0301", "\u0301", "東京", "カタカナ", "ﬁne", "½",
     "㎏", "Straße", "İ", "ǆ", "\ud800", "\udfff", "\x00", "👩‍👩‍👧", "🇫🇷", "don't", "don’t", "हिन्दी", "ไทย", "<\u0338",
     "…", "a" * 81, "日" * 40, "_", "snake_case", "\u200b", "\u00ad", "har\u00advest", "می\u200cخواهم", "\u2060", "Ω",
     "Ω", "ΣΑΣ", "\n", "\t", "e" + "\u0301\u0323" * 20, "カ" + "\uff9e\u0323" * 20, "ᄒ\u1161\u11ab", "𝔄𝔅"]
)  # fmt: skip
TEXT = st.one_of(
    st.text(alphabet=st.characters(codec=None), max_size=60),
    st.lists(st.one_of(ODD, st.text(max_size=4)), max_size=25).map(" ".join),
    st.lists(ODD, max_size=12).map("".join),
)
DOCUMENT = st.one_of(TEXT, st.dictionaries(st.sampled_from(["title", "body", "note"]), TEXT, max_size=3))


def table(vectorizer, documents):
    names = vectorizer.get_feature_names_out()
    counts = vectorizer.count(documents).toarray()
    return [{names[j]: int(row[j]) for j in np.flatnonzero(row)} for row in counts]


def expected(documents, known, **rules):
    rows = []
    for document in documents:
        row = {}
        for term in reference.terms(document, **rules):
            if term in known:
                row[term] = row.get(term, 0) + 1
        rows.append(row)
    return rows


@settings(max_examples=300, deadline=None)
@given(st.lists(DOCUMENT, max_size=6), st.lists(DOCUMENT, max_size=3), st.integers(1, 3), st.integers(1, 2))
def test_equals_the_plain_counter(learned, others, ngrams, min_df):
    rules = {"ngrams": ngrams, "zones": ("title",)}
    vectorizer = TextVectorizer(min_df=min_df, weight="raw", **rules).fit(learned)
    known = reference.vocabulary(learned, min_df=min_df, **rules)
    assert list(vectorizer.get_feature_names_out()) == list(known)
    assert vectorizer.document_frequency_.tolist() == [frequency for _, frequency in known.values()]
    assert table(vectorizer, learned + others) == expected(learned + others, known, **rules)
    one_by_one = TextVectorizer(min_df=min_df, weight="raw", **rules)
    for document in learned:
        one_by_one.partial_fit([document])
        one_by_one.transform(others)  # looking at documents must not teach anything
    if learned:
        assert list(one_by_one.get_feature_names_out()) == list(known)
        assert table(one_by_one, learned + others) == expected(learned + others, known, **rules)
        copy = pickle.loads(pickle.dumps(one_by_one))
        assert table(copy.partial_fit(others), others) == table(one_by_one.partial_fit(others), others)


@settings(max_examples=200, deadline=None)
@given(
    st.lists(DOCUMENT, min_size=1, max_size=5), st.lists(DOCUMENT, min_size=2, max_size=4), st.integers(1, 3),
    st.integers(1, 2), st.sampled_from(["raw", "log", "ltc", "tfidf", "log-tfidf", "binary"]),
)  # fmt: skip
def test_one_document_at_a_time_equals_a_batch_to_the_bit(learned, others, ngrams, min_df, weight):
    options = {"ngrams": ngrams, "zones": ("title",), "min_df": min_df, "weight": weight}
    vectorizer = TextVectorizer(**options).fit(learned)
    batch = vectorizer.transform(others)
    for i, document in enumerate(others):
        columns, weights = vectorizer.row(document)
        single = vectorizer.transform([document])
        row = slice(batch.indptr[i], batch.indptr[i + 1])
        assert single.shape == (1, batch.shape[1])
        assert (single.data.dtype, single.indices.dtype) == (batch.data.dtype, batch.indices.dtype)
        for found, wanted in ((columns, batch.indices), (single.indices, batch.indices)):
            assert found.tobytes() == wanted[row].tobytes()
        for found in (weights, single.data):
            assert found.tobytes() == batch.data[row].tobytes()


@settings(max_examples=100, deadline=None)
@given(st.lists(DOCUMENT, min_size=1, max_size=6), st.integers(1, 3), st.integers(1, 2))
def test_learning_a_row_equals_learning_and_transforming(documents, ngrams, min_df):
    options = {"ngrams": ngrams, "zones": ("title",), "min_df": min_df}
    rows, plain = TextVectorizer(**options), TextVectorizer(**options)
    for document in documents:
        columns, weights = rows.learn_row(document)
        matrix = plain.partial_fit([document]).transform([document])
        assert columns.tobytes() == matrix.indices.tobytes()
        assert weights.tobytes() == matrix.data.tobytes()
    state, wanted = rows.state(), plain.state()
    assert all(np.array_equal(state[key], wanted[key]) for key in wanted)


@settings(max_examples=50, deadline=None)
@given(st.lists(TEXT, min_size=1, max_size=4), st.sampled_from(["russian", "german", "turkish", None]))
def test_other_languages_and_no_stop_words(texts, stem):
    vectorizer = TextVectorizer(stem=stem, stop_words=None, min_length=1, weight="raw").fit(texts)
    known = reference.vocabulary(texts, stem=stem, stops=(), min_length=1)
    assert list(vectorizer.get_feature_names_out()) == list(known)


@pytest.mark.parametrize("token", ["x" * 10_000_000, "日" * 3_000_000, "é" * 5_000_000])
def test_one_huge_token(token):
    texts = ["small words", token, "after it small"]
    vectorizer = TextVectorizer(weight="raw").fit(texts)
    assert table(vectorizer, texts[:1]) == [{"small": 1, "word": 1}]
    assert vectorizer.count(texts)[1].sum() == (3_000_000 if token[0] == "日" else 0)


def test_an_emptied_cache_changes_nothing(monkeypatch):
    texts = [f"word{i} common rare{i % 7}" for i in range(500)]
    plain = TextVectorizer(ngrams=2, zones=["title"]).fit(texts)
    monkeypatch.setattr("bayesift.text.tokens.FULL_PIECES", 50)
    emptied = TextVectorizer(ngrams=2, zones=["title"])
    for text in texts:
        emptied.partial_fit([text])
    assert (plain.transform(texts) != emptied.transform(texts)).nnz == 0
    assert list(plain.get_feature_names_out()) == list(emptied.get_feature_names_out())
