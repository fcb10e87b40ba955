"""Languages: the stemmer and the stop words of each, and a check that the text is in the chosen language.

A language is named as Snowball names it ("german") or by its ISO 639-1 code ("de"). Stemmers are Snowball's. Stop
words are those of the package stopwordsiso; for English they are the 318 of scikit-learn, which published figures use.
"""

from __future__ import annotations

import re
import warnings
from collections import Counter
from collections.abc import Iterable
from functools import cache
from typing import Any

from bayesift.errors import BadInput, Notice

CODES = {
    "arabic": "ar", "armenian": "hy", "basque": "eu", "catalan": "ca", "czech": "cs", "danish": "da", "dutch": "nl",
    "dutch_porter": "nl", "english": "en", "esperanto": "eo", "estonian": "et", "finnish": "fi", "french": "fr",
    "german": "de", "greek": "el", "hindi": "hi", "hungarian": "hu", "indonesian": "id", "irish": "ga",
    "italian": "it", "lithuanian": "lt", "nepali": "ne", "norwegian": "no", "persian": "fa", "polish": "pl",
    "porter": "en", "portuguese": "pt", "romanian": "ro", "russian": "ru", "serbian": "sr", "sesotho": "st",
    "spanish": "es", "swedish": "sv", "tamil": "ta", "turkish": "tr", "yiddish": "yi",
}  # fmt: skip
NAMES = {code: name for name, code in CODES.items() if name not in ("porter", "dutch_porter")}
WRITTEN = {"nb": "no", "nn": "no"}  # Bokmål and Nynorsk are Norwegian to Snowball and to the stop lists

WORD = re.compile(r"[^\W\d_]{2,}")
SAMPLED, CHARACTERS = 200, 1000  # texts, and characters of each, that are checked
FEW, FEW_KINDS = 100, 5  # minimum number of words, and of distinct stop words among them
USUAL = 0.2  # share of stop words in running text, at least: 0.3 to 0.6 in prose, 0.15 to 0.3 in headlines


def code_of(language: str) -> str:
    """Return the ISO code of a language; a name that Snowball does not know is returned as a code.

    >>> code_of("German"), code_of("de"), code_of("nb")
    ('de', 'de', 'no')
    """
    name = language.lower()
    return WRITTEN.get(name, CODES.get(name, name))


def stemmer_of(language: str) -> Any | None:
    """Return the Snowball stemmer of a language, or None if it has none."""
    import Stemmer

    try:
        return Stemmer.Stemmer(WRITTEN.get(language.lower(), language.lower()), 0)  # no cache: a word comes once
    except KeyError:
        return None


@cache
def stop_words_of(language: str) -> frozenset[str]:
    """Return the stop words of a language; empty if there is no list.

    >>> len(stop_words_of("english")), "und" in stop_words_of("de"), len(stop_words_of("tamil"))
    (318, True, 0)
    """
    code = code_of(language)
    if code == "en":
        from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS

        return frozenset(ENGLISH_STOP_WORDS)
    from stopwordsiso import stopwords

    return frozenset(stopwords(code))


def unknown_language(what: str, language: str) -> BadInput:
    """Return the error for a language without a stemmer or a stop list."""
    names = ", ".join(f"{code} ({name})" for code, name in sorted(NAMES.items()))
    return BadInput(f"no {what} {language!r}", remedy=f"use one of {names}")


def check_language(language: str) -> None:
    """Raise `BadInput` if a language has neither a stemmer nor stop words."""
    if stemmer_of(language) is None and not stop_words_of(language):
        raise unknown_language("language", language)


def notice_missing(language: str, *, stem: bool, stop_words: bool) -> None:
    """Warn if a language lacks a stemmer or stop words that are requested."""
    if stem and stemmer_of(language) is None:
        warnings.warn(f"no stemmer for the language {language!r}: words are not stemmed", Notice, stacklevel=3)
    if stop_words and not stop_words_of(language):
        warnings.warn(f"no stop words for the language {language!r}: all words are kept", Notice, stacklevel=3)


def notice_other_language(texts: Iterable[str], language: str) -> None:
    """Warn if texts seem to be in a language other than the given one."""
    code = likely_language(texts, language)
    if code is not None:
        given = NAMES.get(code_of(language), language)
        message = f"the text seems to be {NAMES[code]}, not {given}; if so, set --language {code} or language={code!r}"
        warnings.warn(message, Notice, stacklevel=3)


def likely_language(texts: Iterable[str], language: str) -> str | None:
    """Return the code of the language that texts seem to be in, or None if the given one may be right.

    The language is recognised by its share of stop words. Another language must have at least twice the share of the
    given one, and at least the share of running text.

    >>> likely_language(["Der Preis ist im Mai gestiegen, weil die Ernte nicht gut war."] * 10, "english")
    'de'
    >>> likely_language(["The price rose in May because the harvest was not good."] * 10, "english")
    """
    counts = Counter(word for text in texts for word in WORD.findall(text[:CHARACTERS].casefold()))
    total = counts.total()

    def share(code: str) -> float:
        return sum(counts[word] for word in stop_words_of(code)) / total

    if total < FEW or not stop_words_of(language) or (own := share(language)) >= USUAL:
        return None
    best, code = max((share(code), code) for code in NAMES if code != code_of(language))
    kinds = sum(word in counts for word in stop_words_of(code))
    return code if best >= max(USUAL, 2.0 * own) and kinds >= FEW_KINDS else None
