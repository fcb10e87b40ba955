"""Find records of the same work: by DOI, PubMed number, title and year, and near-identical text.

Nothing is removed. A pair says why it was found and how similar the texts are, and has a caution if something speaks
for two works; only pairs without a caution are merged without asking (`--deduplicate`).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterator, Sequence
from functools import lru_cache
from itertools import combinations, pairwise

import msgspec

from bayesift.filtering.screening.records.cautions import caution_of
from bayesift.filtering.screening.records.identify import plain_title
from bayesift.filtering.screening.records.minhash import Hashes, overlap, shingles, similar_pairs
from bayesift.filtering.screening.records.record import Record

SIMILAR_TEXT, SIMILAR_TITLE = 0.7, 0.8  # from which on texts and titles count as near-identical
SURE_TEXT = 0.9  # from which on near-identical text alone is enough to merge
FEW = 6  # records with the same key of which all pairs are compared
KEPT = 20_000  # records whose shingles are kept: a record is in several pairs
_LONG = 20  # characters of a title that hardly two works have


class DuplicatePair(msgspec.Struct, frozen=True):
    """Two records that seem to be the same work.

    Parameters
    ----------
    first, second : numbers of the records, `first` the smaller.
    why : "DOI", "PMID", "title and year" or "text"; several are joined by commas.
    similarity : Jaccard similarity of the texts, from 0 to 1.
    caution : why they may be two works; "" if nothing says so.
    """

    first: int
    second: int
    why: str
    similarity: float
    caution: str = ""


def find_duplicates(records: Sequence[Record], others: Sequence[Record] = ()) -> list[DuplicatePair]:
    """Return pairs of records that seem to be the same work, in the order of their numbers.

    Parameters
    ----------
    records : new records, numbered on from `others`.
    others : records that were compared with each other before; they are numbered from 0.

    >>> a, b = Record("1", "Statins in HIV", doi="10.1000/1"), Record("2", "Statins in HIV.", doi="10.1000/1")
    >>> find_duplicates([a, Record("3", "Rain"), b])
    [DuplicatePair(first=0, second=2, why='DOI', similarity=1.0, caution='')]
    """
    both, new = [*others, *records], len(others)
    reasons: dict[tuple[int, int], list[str]] = defaultdict(list)
    for why, key in _KEYS.items():
        for pair in _same(both, key, new):
            reasons[pair].append(why)
    texts = _Texts(both)
    for pair in sorted({*texts.alike(new)} - set(reasons)):
        if texts.near(*pair):
            reasons[pair].append("text")
    found = []
    for (i, j), several in sorted(reasons.items()):
        title, text, part = texts.similarity(i, j)
        similarity = text if both[i].abstract and both[j].abstract else title
        caution = caution_of(both[i], both[j], title, part)
        if not caution and several == ["text"] and similarity < SURE_TEXT:
            caution = "texts differ in part"
        found.append(DuplicatePair(i, j, ", ".join(several), round(similarity, 3), caution))
    return found


class _Texts:
    """Titles and texts of records, and how similar they are."""

    def __init__(self, records: Sequence[Record]) -> None:
        self._records = records
        self._titles = [plain_title(record.title) for record in records]
        self._texts = [f"{record.title} {record.abstract}" if record.abstract else "" for record in records]
        self._of_title, self._of_text = lru_cache(KEPT)(self._title), lru_cache(KEPT)(self._text)

    def alike(self, new: int) -> Iterator[tuple[int, int]]:
        """Yield pairs that may be near-identical; words of the whole text, and characters of the title."""
        yield from similar_pairs(self._texts, size=3, words=True, bands=16, rows=4, new=new)
        yield from similar_pairs(self._titles, size=5, words=False, bands=8, rows=8, new=new)

    def _title(self, i: int) -> Hashes:
        return shingles(self._titles[i], 5, words=False)

    def _text(self, i: int) -> Hashes:
        return shingles(self._texts[i], 3, words=True)

    def similarity(self, i: int, j: int) -> tuple[float, float, float]:
        """Return the similarity of the titles, of the texts, and the share of the shorter text that both have."""
        title, _ = overlap(self._of_title(i), self._of_title(j))
        return title, *overlap(self._of_text(i), self._of_text(j))

    def near(self, i: int, j: int) -> bool:
        """Return whether the texts are near-identical; where an abstract is missing, the titles decide."""
        title, text, part = self.similarity(i, j)
        if self._texts[i] and self._texts[j]:
            return text >= SIMILAR_TEXT or min(title, part) >= SIMILAR_TITLE  # an abstract may have been cut
        one, other = self._records[i], self._records[j]
        years = {one.year, other.year} - {None}
        close = len(years) < 2 or abs((one.year or 0) - (other.year or 0)) <= 1
        return title >= SIMILAR_TITLE and close and min(len(self._titles[i]), len(self._titles[j])) >= _LONG


def _title_and_year(record: Record) -> Hashable:
    """Return the key by which title and year are compared; a short title counts together with the authors."""
    title = plain_title(record.title)
    if not title or record.year is None:
        return None
    if len(title) >= _LONG:
        return title, record.year
    who = "".join(record.authors[:1]) or record.journal
    return (title, record.year, who) if who else None


_KEYS: dict[str, Callable[[Record], Hashable]] = {
    "DOI": lambda record: record.doi or None,
    "PMID": lambda record: record.pmid or None,
    "title and year": _title_and_year,
}


def _same(records: Sequence[Record], key: Callable[[Record], Hashable], new: int) -> Iterator[tuple[int, int]]:
    """Yield pairs of records with the same key; of many, the first with each and neighbours."""
    groups: dict[Hashable, list[int]] = defaultdict(list)
    for number, record in enumerate(records):
        if (value := key(record)) is not None:
            groups[value].append(number)
    for numbers in groups.values():
        if len(numbers) < 2 or numbers[-1] < new:
            continue
        some = combinations(numbers, 2) if len(numbers) <= FEW else _some(numbers)
        yield from {pair for pair in some if pair[1] >= new}


def _some(numbers: list[int]) -> Iterator[tuple[int, int]]:
    yield from ((numbers[0], number) for number in numbers[1:])
    yield from pairwise(numbers)
