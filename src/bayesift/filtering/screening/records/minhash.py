"""MinHash signatures and locality-sensitive hashing: pairs of similar texts without comparing all pairs.

The similarity of two texts is that of Jaccard: the share of shingles (runs of words, or of characters) that both have
among those that either has. The smallest of a text's shingles under a random hash is that of another with this
probability; a pair is a candidate if all hashes of a band agree (Broder 1997; Leskovec et al., Mining of Massive
Datasets, chapter 3).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from bayesift.numba_kernel import kernel

Hashes = NDArray[np.uint64]
CHUNK = 5000  # texts whose shingles are in memory at once
_FNV = np.uint64(14695981039346656037)
_NO_SHINGLE = np.uint64(0xFFFFFFFFFFFFFFFF)


def shingles(text: str, size: int, words: bool) -> Hashes:
    """Return the distinct shingles of a text, hashed and sorted.

    >>> shingles("Rain, again and again", 1, words=True).size
    3
    """
    return _distinct(_shingles([text], size, words)[0])


def overlap(a: Hashes, b: Hashes) -> tuple[float, float]:
    """Return the Jaccard similarity of two sets of hashes, and the share of the smaller one that the larger one has.

    Both are 0 where a set is empty.

    >>> overlap(np.array([1, 2, 3], np.uint64), np.array([2, 3, 4, 5], np.uint64))
    (0.4, 0.6666666666666666)
    """
    if not a.size or not b.size:
        return 0.0, 0.0
    both = _common(a, b)
    return both / (a.size + b.size - both), both / min(a.size, b.size)


def similar_pairs(
    texts: Sequence[str], *, size: int, words: bool, bands: int, rows: int, new: int = 0
) -> list[tuple[int, int]]:
    """Return candidate pairs (i, j), i < j, of similar texts, without duplicates and in order.

    Parameters
    ----------
    size, words : shingles of so many words, or else of so many characters.
    bands, rows : a pair of similarity s is found with probability 1 - (1 - s ** rows) ** bands.
    new : j is at least this; earlier texts have been compared before.

    >>> similar_pairs(["the rain in Spain", "no", "The rain, in Spain"], size=2, words=True, bands=4, rows=2)
    [(0, 2)]
    """
    signatures = _signatures(texts, size, words, bands * rows)
    filled = np.flatnonzero(signatures[:, 0] != _NO_SHINGLE)
    codes: list[NDArray[np.int64]] = []
    multipliers = _random(rows, seed=1)
    for band in range(bands):
        part = signatures[filled, band * rows : (band + 1) * rows]
        keys = (part * multipliers).sum(axis=1, dtype=np.uint64)
        order = np.argsort(keys, kind="stable")
        numbers, same = filled[order], keys[order][1:] == keys[order][:-1]
        codes += _within_runs(numbers, same, len(texts), new)
    found = np.unique(np.concatenate(codes)) if codes else np.empty(0, np.int64)
    return [(int(code) // len(texts), int(code) % len(texts)) for code in found]


def _within_runs(numbers: NDArray[np.int64], same: NDArray[np.bool_], count: int, new: int) -> list[NDArray[np.int64]]:
    """Return codes of pairs within runs of equal keys: neighbours, and the first with each, as texts are in order."""
    starts = np.maximum.accumulate(np.where(np.concatenate([[True], ~same]), np.arange(numbers.size), 0))
    later = np.flatnonzero(same) + 1
    codes = []
    for earlier in (starts[later], later - 1):
        first, second = numbers[earlier], numbers[later]
        keep = second >= new
        codes.append(first[keep] * count + second[keep])
    return codes


def _signatures(texts: Sequence[str], size: int, words: bool, hashes: int) -> Hashes:
    a, b = _random(hashes, seed=2) | np.uint64(1), _random(hashes, seed=3)
    found = np.full((len(texts), hashes), _NO_SHINGLE)
    for start in range(0, len(texts), CHUNK):
        hashed, stops = _shingles(texts[start : start + CHUNK], size, words)
        _smallest(hashed, stops, a, b, found[start : start + CHUNK])
    return found


def _random(count: int, seed: int) -> Hashes:
    return np.random.default_rng(seed).integers(0, 1 << 64, count, dtype=np.uint64, endpoint=False)


def _shingles(texts: Sequence[str], size: int, words: bool) -> tuple[Hashes, NDArray[np.int64]]:
    """Return the hashes of all shingles, and where those of each text end."""
    encoded = [text.encode("utf-8", "replace") for text in texts]
    ends = np.cumsum([len(text) for text in encoded], dtype=np.int64)
    units, stops = _units(np.frombuffer(b"".join(encoded), np.uint8), ends, words)
    return _runs(units, stops, size)


@kernel
def _distinct(hashes: Hashes) -> Hashes:
    """Return the distinct ones, sorted."""
    found, n = np.sort(hashes), 0
    for k in range(found.size):
        if k == 0 or found[k] != found[n - 1]:
            found[n] = found[k]
            n += 1
    return found[:n]


@kernel
def _common(a: Hashes, b: Hashes) -> int:
    """Return how many of two sorted sets are in both."""
    i, j, n = 0, 0, 0
    while i < a.size and j < b.size:
        n += a[i] == b[j]
        first, second = a[i], b[j]
        i += first <= second
        j += second <= first
    return n


@kernel
def _units(data: NDArray[np.uint8], ends: NDArray[np.int64], words: bool) -> tuple[Hashes, NDArray[np.int64]]:
    """Return the words (hashed, FNV-1a) or characters of all texts, and where those of each text end.

    Letters and digits count, without case; what is between words counts as one space.
    """
    found = np.empty(data.size + ends.size, np.uint64)
    stops = np.empty(ends.size, np.int64)
    count, start = 0, 0
    for text in range(ends.size):
        word, within = _FNV, False
        for at in range(start, ends[text] + 1):
            c = np.uint64(data[at]) if at < ends[text] else np.uint64(32)
            if 65 <= c <= 90:
                c += np.uint64(32)
            letter = bool((97 <= c <= 122) or (48 <= c <= 57) or c >= 128)
            if letter:
                word = (word ^ c) * np.uint64(1099511628211)
            if words and within and not letter:
                found[count] = word
                count += 1
                word = _FNV
            elif not words and (letter or within):
                found[count] = c if letter else np.uint64(32)
                count += 1
            within = letter
        start = ends[text]
        stops[text] = count
    return found[:count], stops


@kernel
def _runs(units: Hashes, stops: NDArray[np.int64], size: int) -> tuple[Hashes, NDArray[np.int64]]:
    """Return the hashes of all runs of `size` units, and where those of each text end; a shorter text is one run."""
    found = np.empty(units.size, np.uint64)
    ends = np.empty(stops.size, np.int64)
    count, start = 0, 0
    for text in range(stops.size):
        length = min(size, stops[text] - start)
        for at in range(start, stops[text] - length + 1 if length else start):
            whole = np.uint64(length)
            for k in range(length):
                whole = (whole ^ units[at + k]) * np.uint64(0x9E3779B97F4A7C15)
                whole ^= whole >> np.uint64(29)
            found[count] = whole
            count += 1
        start = stops[text]
        ends[text] = count
    return found[:count], ends


@kernel
def _smallest(found: Hashes, stops: NDArray[np.int64], a: Hashes, b: Hashes, signatures: Hashes) -> None:
    """Write the smallest value of each hash function over the shingles of each text."""
    start = 0
    for text in range(stops.size):
        for at in range(start, stops[text]):
            x = found[at]
            for k in range(a.size):
                value = a[k] * x + b[k]
                value ^= value >> np.uint64(32)
                if value < signatures[text, k]:
                    signatures[text, k] = value
        start = stops[text]
