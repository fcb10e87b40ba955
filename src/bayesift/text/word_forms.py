"""From words to terms and back: the stem of a word as a text has it, and the most frequent word of a stem."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Mapping, Sequence
from itertools import accumulate

from bayesift.text.counting import TermCounter
from bayesift.text.vocabulary import Vocabulary
from bayesift.text.words import WordRules

REMEMBERED = 200_000  # words whose terms are remembered


class WordForms:
    """The words of terms and the terms of words, by the rules of a vectorizer; what was asked for is remembered.

    Parameters
    ----------
    rules : WordRules
        From words to stems.
    vocabulary : Vocabulary
        It knows how often each form of a word was learned.
    counter : TermCounter
        It notes those forms.
    lock : threading.Lock
        Held by whoever learns documents.
    """

    def __init__(self, rules: WordRules, vocabulary: Vocabulary, counter: TermCounter, lock: threading.Lock) -> None:
        self._rules, self._vocabulary, self._counter, self._lock = rules, vocabulary, counter, lock
        self._terms: dict[str, tuple[str, ...]] = {}
        self._forms: dict[str, str] | None = None

    def forget(self) -> None:
        """Find the most frequent forms again when they are asked for: more documents were learned."""
        self._forms = None

    def terms_of(self, words: Sequence[str]) -> list[tuple[str, ...]]:
        """Return the terms of each of some words: its stem, none for a stop word, several for some compounds."""
        known = self._terms
        found = list(map(known.get, words))
        if None in found:
            new = [word for word, terms in zip(words, found) if terms is None]
            if len(known) + len(new) > REMEMBERED:
                self._terms, known, new = {}, {}, list(words)
            stems, numbers = self._rules(new)
            ends = accumulate(numbers)
            known |= {word: tuple(stems[end - n : end]) for word, n, end in zip(new, numbers, ends)}
            self._terms = known
        return [known[word] for word in words] if None in found else found  # type: ignore[return-value]

    def written(self, names: Iterable[str]) -> list[str]:
        """Return terms with each stem in the form that is most frequent in the documents learned."""
        forms, found = self._most_frequent(), []
        for name in names:
            zone, colon, words = name.partition(":")
            zone, words = (zone + colon, words) if colon and zone in self._vocabulary.zones else ("", name)
            found.append(zone + " ".join(forms.get(word, word) for word in words.split(" ")))
        return found

    def _most_frequent(self) -> Mapping[str, str]:
        """Return for each stem its most frequent form, of equally frequent ones the shortest."""
        with self._lock:
            if self._forms is None:
                self._counter.note_forms()
                counts = self._vocabulary.forms
                forms = sorted(counts, key=lambda form: (counts[form], -len(form), form))
                stems, numbers = self._rules(forms)
                self._forms = dict(zip(stems, (form for form, n in zip(forms, numbers) if n)))  # the last one counts
            return self._forms
