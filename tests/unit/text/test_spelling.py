"""Words of a document as they stand in its text."""

from hypothesis import given
from hypothesis import strategies as st

from bayesift.text.spelling import PIECE, _words


@given(st.one_of(st.text(), st.text(st.characters(max_codepoint=127))))
def test_words_of_ascii_are_those_of_any_text(text):
    assert _words(text) == PIECE.findall(text)
