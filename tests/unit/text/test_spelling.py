"""Words of a document as they stand in its text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bayesift.text import TextVectorizer
from bayesift.text.spelling import PIECE, SOME, Speller, _words, first_words, has_terms

VECTORIZER = TextVectorizer().fit(["corn"])


@given(st.one_of(st.text(), st.text(st.characters(max_codepoint=127))))
def test_words_of_ascii_are_those_of_any_text(text):
    assert _words(text) == PIECE.findall(text)


@given(st.lists(st.sampled_from(["the", "of", "<b>", "wheat", "é", "-"]), max_size=3), st.integers(0, 3 * SOME))
def test_a_text_has_terms_if_one_of_its_words_has(words, before):
    text = " ".join(["the"] * before + words)
    for document in (text, {"title": "the", "body": text}):
        assert has_terms(document, VECTORIZER) == bool(first_words(document, VECTORIZER))


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("hindi", "वर्षा और किसान"), ("nepali", "किसानहरूको बाली"), ("tamil", "நெல் அறுவடை"),
        ("english", "cafe\u0301s e\u0301te\u0301"),
    ],
)
def test_a_word_with_marks_is_one_piece(language, text):
    vectorizer = TextVectorizer(language=language).fit([text])
    pieces = [piece for piece in Speller(vectorizer).pieces(text) if piece.terms]
    assert [piece.text for piece in pieces] == [w for w in text.split() if any(vectorizer.terms_of([w]))]
    assert sorted(term for piece in pieces for term in piece.terms) == sorted(vectorizer.get_feature_names_out())


def test_a_soft_hyphen_does_not_cut_a_word():
    vectorizer = TextVectorizer().fit(["harvest"])
    pieces = Speller(vectorizer).pieces("wheat har\u00advests \u00ad good")
    assert [p.text for p in pieces if p.terms] == ["wheat", "har\u00advests", "good"]
    assert vectorizer.count(["the har\u00advests", "har&shy;vest", "har\u200bvest"]).toarray().ravel().tolist() == [
        1,
        1,
        0,
    ]
