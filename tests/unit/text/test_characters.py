"""Words and their character n-grams as a second view of documents."""

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.feature_extraction.text import CountVectorizer

from bayesift.text.characters import CharacterRules, CharacterVectorizer

TEXTS = ["Corn and acorns: the CORN of 1987.", "naïve…idea of <b>corn</b>", "Straße, a 東京 street", ""]


def test_n_grams_equal_those_of_scikit_learn():
    ours = CharacterVectorizer(min_df=1)
    matrix = ours.fit_count(["corn and acorns", "the corn of 1987"]).toarray()
    peer = CountVectorizer(analyzer="char_wb", ngram_range=(4, 4))
    theirs = peer.fit_transform(["corn and acorns", "the corn of 1987"]).toarray()
    names = ours.get_feature_names_out().tolist()
    columns = [names.index(name.replace(" ", "_")) for name in peer.get_feature_names_out()]
    assert np.array_equal(matrix[:, columns], theirs)
    whole = {name for name in names if len(name) > 4}
    assert whole == {"_corn_", "_and_", "_acorns_", "_the_", "_1987_"}
    assert len(names) == len(columns) + len(whole)


def test_a_short_word_is_counted_once():
    assert CharacterRules(4)(["a", "of", "cat", "...", "x-y"]) == (
        ["_a_", "_of_", "_cat_", "_cat", "cat_", "_x_", "_y_"], [1, 1, 3, 0, 2],
    )  # fmt: skip


def test_words_are_folded_and_markup_is_removed():
    names = set(CharacterVectorizer(min_df=1).fit(TEXTS).get_feature_names_out())
    assert {"_strasse_", "_naïve_", "_idea_", "_東_", "_京_", "_1987_"} <= names
    assert "_b_" not in names
    assert "_b_" in CharacterVectorizer(min_df=1, html="keep").fit(TEXTS).get_feature_names_out()


@pytest.mark.parametrize("zones", [(), ("title",)])
def test_one_document_has_the_row_that_it_has_among_many_and_after_a_restart(zones):
    texts = [{"title": text[:9], "body": text} for text in TEXTS] * 2
    vectorizer = CharacterVectorizer(zones=zones)
    rows = vectorizer.fit_transform(texts)
    again = clone(vectorizer).restore(vectorizer.state())
    for i, text in enumerate(texts):
        for some in (vectorizer, again):
            assert (some.transform([text]) != rows[i]).nnz == 0
    named = [name for name in vectorizer.get_feature_names_out() if name.startswith("title:")]
    assert bool(named) == bool(zones)


def test_a_word_that_was_never_learned_is_met_by_its_parts():
    vectorizer = CharacterVectorizer().fit(["hyperthyroidism today", "hyperthyroidism, rain"])
    names = vectorizer.get_feature_names_out()[vectorizer.count(["hypothyroid"]).indices]
    assert set(names) == {"_hyp", "thyr", "hyro", "yroi", "roid"}
