"""Marked text as HTML: nothing of the text is lost, and nothing of it is markup."""

from __future__ import annotations

import re
from html import unescape

import pytest
from hypothesis import given
from hypothesis import strategies as st

pytest.importorskip("fastapi", reason="needs the service: pip install 'bayesift[service]'")

from bayesift.service.marks import OVERRIDES, marked, marked_terms
from bayesift.service.screening.files import safe_name
from bayesift.service.screening.readable import abstract_of
from bayesift.text import TextVectorizer
from bayesift.text.spelling import Speller

TEXT = st.text(st.sampled_from("ab c<>&\"'-.\n#*é1"), max_size=60)
TERMS = st.lists(st.sampled_from(["a", "b", "a b", "b c", "é", "ab", "", "a<b", "("]), max_size=4)


def plain(html: str) -> str:
    """Return the text of HTML without its marks."""
    return unescape(re.sub(r'<mark class="(?:for|against) s[1-5]">|</mark>', "", html))


def test_marks_that_turn_the_direction_of_text_are_left_out():
    assert str(marked("a \u202eb\u202c c", {"b": 1.0})) == 'a <mark class="for s5">b</mark> c'
    assert str(marked_terms("a \u202db", ["b"], [])) == 'a <mark class="for s5">b</mark>'
    assert str(marked("a \u2067b\u2069", {})) == "a \u2067b\u2069"  # isolates, which end with the text


@pytest.mark.parametrize("word", ["har\u00advests", "har\u202avests", "harvests"])
def test_words_with_characters_that_are_not_seen_are_marked(word):
    text = f"The {word}. Harvests"
    speller = Speller(TextVectorizer().fit([text]))
    why = dict.fromkeys(speller.words(text).values(), 1.0)
    shown = [html.translate(OVERRIDES) for html in (f'The <mark class="for s5">{word}</mark>', "Harvests")]
    assert str(marked(text, why)) == f'{shown[0]}. <mark class="for s5">{shown[1]}</mark>'
    assert str(marked_terms(text, [word.casefold()], [])) == f"{shown[0]}. {marked_terms('Harvests', [word], [])}"


def test_a_word_before_an_apostrophe_is_marked():
    assert str(marked("The farmer's", {"farmer": 1.0})) == 'The <mark class="for s5">farmer</mark>&#39;s'


@given(TEXT, TERMS, TERMS)
def test_text_with_marked_terms_is_the_text(text, terms_for, terms_against):
    html = str(marked_terms(text, terms_for, terms_against))
    assert plain(html) == text
    assert not re.search(r"<(?!mark class=\"(?:for|against) s[1-5]\">|/mark>)", html)


@given(TEXT, st.dictionaries(st.sampled_from(["a", "b", "é", "<"]), st.floats(-2, 2)))
def test_text_with_marked_words_is_the_text(text, amounts):
    assert plain(str(marked(text, amounts))) == text


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("Statins, in adults!", 'Statins, <mark class="for s5">in adults</mark>!'),
        ("IN  ADULTS", '<mark class="for s5">IN  ADULTS</mark>'),
        ("within adults", "within adults"),  # not inside a word
        ("children", '<mark class="against s5">children</mark>'),
        ("given in. Adults", "given in. Adults"),  # two sentences
        ("given (in.) Adults? In, adults", 'given (in.) Adults? <mark class="for s5">In, adults</mark>'),
        ("in\nadults", '<mark class="for s5">in\nadults</mark>'),
        ("in\n\nadults", "in\n\nadults"),  # two paragraphs
    ],
)
def test_terms_are_whole_words_in_any_case(text, html):
    assert str(marked_terms(text, ["in adults"], ["children"])) == html


def test_more_important_terms_have_a_stronger_shade():
    html = str(marked_terms("one two three", ["one", "two", "three"], []))
    assert re.findall(r"s([1-5])", html) == ["5", "3", "2"]


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("<jats:p>One.</jats:p><jats:p>Two <jats:italic>x</jats:italic>.</jats:p>", "One.\n\nTwo x."),
        ("CO<sub>2</sub> &amp; H<SUB>2</SUB>O", "CO2 & H2O"),
        ("a < b and c > d", "a < b and c > d"),
        ("<script>alert(1)</script>", "<script>alert(1)</script>"),  # not ours to remove: it is escaped
        ("Aim: x. Results: y. Conclusion: z.", "Aim: x.\nResults: y.\nConclusion: z."),
        ("The results: y.", "The results: y."),
    ],
)
def test_abstracts_are_readable(text, shown):
    assert abstract_of(text) == shown


@given(st.text(max_size=150))
def test_name_of_an_upload_stays_in_its_folder(name):
    safe = safe_name(name)
    assert safe
    assert "/" not in safe
    assert "\0" not in safe
    assert safe not in (".", "..")
    assert len(safe.encode()) <= 150
