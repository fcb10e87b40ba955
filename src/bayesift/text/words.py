"""The rules that split a piece of text into words, in plain Python.

A text is cut at every ASCII character that is neither a letter nor a digit. Each piece is folded (case and Unicode
compatibility forms) and its words are taken: runs of letters and digits of any script, with the combining marks that
follow them. What is not seen, such as a soft hyphen, does not cut a word. A Chinese or Japanese character, being
written without spaces, is a word of its own. Stop words, words that are too short and words of more than `LONGEST`
characters (they are data, not words) are left out; the rest are stemmed. Of marks in a row, 30 count (`marks`).

No rule looks beyond a piece, so equal pieces always give equal words. `bayesift.text.tokens` uses this to apply
the rules once per distinct piece instead of once per occurrence.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from itertools import dropwhile
from unicodedata import normalize

from bayesift.text.languages import stemmer_of, stop_words_of, unknown_language
from bayesift.text.marks import is_mark, limit_marks

LONGEST = 80
IDEOGRAPH = re.compile("[\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]")
UNSEEN = "\u00ad\u061c\u200c-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff"  # soft hyphen, joiners, directions
_UNSEEN = re.compile(f"[{UNSEEN}]")


def fold(piece: str) -> str:
    """Fold case and Unicode compatibility forms, and leave out what is not seen.

    >>> fold("Straße"), fold("ﬁne"), fold("E\u0301") == "é", fold("har\u00advest")
    ('strasse', 'fine', True, 'harvest')
    """
    if piece.isascii():
        return piece.lower()
    return normalize("NFKC", normalize("NFKC", limit_marks(_UNSEEN.sub("", piece).casefold())).casefold())


def split(piece: str) -> list[str]:
    """Return the words of a folded piece.

    >>> split("naïve…idea"), split("tokyo東京2020")
    (['naïve', 'idea'], ['tokyo', '東', '京', '2020'])
    """
    if not piece.isalnum():
        piece = "".join(c if c.isalnum() or is_mark(c) else " " for c in piece)
    words = IDEOGRAPH.sub(r" \g<0> ", piece).split()
    if any(is_mark(word[0]) for word in words):  # a mark continues a word and never begins one
        words = [rest for word in words if (rest := "".join(dropwhile(is_mark, word)))]
    return words


class WordRules:
    """Rules for words: stop words, minimum length and stemmer.

    >>> rules = WordRules(stem="english", stop_words="english", min_length=2, numbers=True)
    >>> rules(["the", "classifiers", "a", "naïve…idea"])
    (['classifi', 'naïv', 'idea'], [0, 1, 0, 2])
    """

    def __init__(
        self, stem: str | None, stop_words: str | Collection[str] | None, min_length: int, numbers: bool
    ) -> None:
        self.stops = stop_list(stop_words)
        self.min_length = min_length
        self.numbers = numbers
        self._stemmer = None if stem is None else stemmer_of(stem)
        if stem is not None and self._stemmer is None:
            raise unknown_language("stemmer for the language", stem)

    def __call__(self, pieces: Iterable[str]) -> tuple[list[str], list[int]]:
        """Return the terms of all pieces, and the number of terms of each piece."""
        words: list[str] = []
        counts = []
        keeps = self._keeps
        for piece in pieces:
            if piece.isascii() and piece.isalnum():  # nearly all pieces; each is one word
                word = piece.lower()
                kept = keeps(word)
                counts.append(int(kept))
                if kept:
                    words.append(word)
            else:
                found = [word for word in split(fold(piece)) if keeps(word)]
                counts.append(len(found))
                words += found
        return (words if self._stemmer is None else self._stemmer.stemWords(words)), counts

    def _keeps(self, word: str) -> bool:
        if word in self.stops or len(word) > LONGEST:
            return False
        if len(word) < self.min_length and not IDEOGRAPH.match(word):  # a single ideograph is a word
            return False
        return self.numbers or not word.isdigit()


def stop_list(stop_words: str | Collection[str] | None) -> frozenset[str]:
    """Return the folded stop words of a language (a name or code) or of a collection; None has none.

    >>> len(stop_list("english")), sorted(stop_list(["Und", "oder"])), len(stop_list(None))
    (318, ['oder', 'und'], 0)
    """
    if stop_words is None:
        return frozenset()
    if isinstance(stop_words, str):
        named = stop_words_of(stop_words)
        if not named:
            raise unknown_language("stop list for the language", stop_words)
        stop_words = named
    return frozenset(word for entry in stop_words for word in split(fold(entry)))
