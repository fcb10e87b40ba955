"""The parameters of a vectorizer: their checks, and the stemmer and stop words that follow from the language."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import numpy as np

from bayesift.errors import BadInput
from bayesift.text.languages import check_language, stemmer_of, stop_words_of
from bayesift.text.weighting import check_weight
from bayesift.text.words import stop_list

AUTO = "auto"  # stemmer or stop words of the language

StopWords = str | Collection[str] | None


def check_parameters(vectorizer: Any) -> None:
    """Raise `BadInput` if a parameter of a vectorizer is invalid."""
    check_language(vectorizer.language)
    check_weight(vectorizer.weight)
    for name, least in (("ngrams", 1), ("min_df", 1), ("min_length", 1)):
        value = getattr(vectorizer, name)
        if not isinstance(value, int | np.integer) or value < least:
            raise BadInput(f"{name} is {value!r}", remedy=f"use an integer of at least {least}")
    max_df, zones = vectorizer.max_df, vectorizer.zones
    if isinstance(max_df, float) and not 0.0 < max_df <= 1.0:
        raise BadInput(f"max_df is {max_df!r}", remedy="use a fraction in (0, 1], or an integer number of documents")
    if vectorizer.html not in ("strip", "keep"):
        raise BadInput(f"html is {vectorizer.html!r}", remedy="use 'strip' or 'keep'")
    if isinstance(zones, str):
        raise BadInput(f"zones is the string {zones!r}", remedy=f"pass a list: [{zones!r}]")


def stemmer_language(stem: str | None, language: str) -> str | None:
    """Return the language of the stemmer; None for no stemming, or if `language` has no stemmer.

    >>> stemmer_language(AUTO, "german"), stemmer_language("porter", "english"), stemmer_language(AUTO, "ja")
    ('german', 'porter', None)
    """
    if stem != AUTO:
        return stem
    return language if stemmer_of(language) is not None else None


def is_auto(stop_words: StopWords) -> bool:
    """Return whether stop words are those of the language."""
    return isinstance(stop_words, str) and stop_words == AUTO


def chosen_stop_words(stop_words: StopWords, language: str) -> tuple[str, ...]:
    """Return the sorted stop words.

    >>> chosen_stop_words(["Und", "oder"], "english"), len(chosen_stop_words(AUTO, "english"))
    (('oder', 'und'), 318)
    """
    return tuple(sorted(stop_list(stop_words_of(language) if is_auto(stop_words) else stop_words)))


def expected_language(stop_words: StopWords, stem: str | None, language: str) -> str | None:
    """Return the language that texts should be in; None if neither stop words nor stemmer belong to a language.

    >>> expected_language(AUTO, AUTO, "de"), expected_language("fr", AUTO, "de"), expected_language([], None, "de")
    ('de', 'fr', None)
    """
    named = [given for given in (stop_words, stem) if isinstance(given, str)]
    return None if not named else language if named[0] == AUTO else named[0]
