"""Words as they are written and their character n-grams, as a second view of documents beside stems.

The word `uremia` is itself, _uremia_, and _ure, urem, remi, emia and mia_ if n-grams have four characters. Words that
share a part share columns, and a word that no training document has is met by its parts. None is left out: the weights
of stop words are low, and what is short may be a name.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

from bayesift.text.vectorizer import TextVectorizer
from bayesift.text.words import WordRules

LENGTH = 4
EDGE = "_"  # no word has this character


class CharacterRules(WordRules):
    """Rules for words and their character n-grams; a word that is no longer than these is one of them.

    >>> CharacterRules(4)(["Corn", "of"])
    (['_corn_', '_cor', 'corn', 'orn_', '_of_'], [4, 1])
    """

    def __init__(self, length: int) -> None:
        super().__init__(None, None, 1, True)
        self.length = length

    def __call__(self, pieces: Iterable[str]) -> tuple[list[str], list[int]]:
        """Return the words and n-grams of all pieces, and the number of them of each piece."""
        words, counts = super().__call__(pieces)
        grams: list[str] = []
        found, first = [], 0
        for count in counts:
            before = len(grams)
            for word in words[first : first + count]:
                whole = f"{EDGE}{word}{EDGE}"
                grams.append(whole)
                if len(whole) > self.length:
                    grams += [whole[i : i + self.length] for i in range(len(whole) - self.length + 1)]
            found.append(len(grams) - before)
            first += count
        return grams, found


class CharacterVectorizer(TextVectorizer):
    """Vectorizer of words as they are written and of their character n-grams.

    Parameters
    ----------
    length : length of an n-gram in characters.
    html : "strip" removes tags and comments and decodes entities, "keep" keeps them as text.
    zones : zones whose words and n-grams are also counted as `zone:...`.
    min_df : minimum document frequency of a column.

    >>> vectorizer = CharacterVectorizer(min_df=1)
    >>> vectorizer.fit_count(["corn, corn", "acorns"]).toarray()
    array([[2, 2, 2, 2, 0, 0, 0, 0, 0],
           [0, 0, 1, 0, 1, 1, 1, 1, 1]], dtype=uint8)
    >>> " ".join(vectorizer.get_feature_names_out())
    '_corn_ _cor corn orn_ _acorns_ _aco acor orns rns_'
    """

    def __init__(
        self, *, length: int = LENGTH, html: str = "strip", zones: Collection[str] = (), min_df: int = 2
    ) -> None:
        super().__init__(stem=None, stop_words=None, html=html, zones=zones, min_df=min_df, min_length=1)
        self.length = length

    def _word_rules(self) -> CharacterRules:
        return CharacterRules(self.length)
