"""From text to word numbers: the rules run once per distinct piece, not once per occurrence.

The scanner reads each byte of the UTF-8 text once, lower-cases ASCII letters as it goes, cuts at ASCII separators
(`bayesift.text.words` says why that is enough) and looks the piece up in a hash table. New pieces
are passed to the rules; from then on a piece is a number with a list of words, and a word is a number.
A piece of at most eight bytes is its own key, packed into one 64-bit number, and needs no comparison of bytes; a
longer one is known by a hash and compared.

The table is a cache of the rules: it is emptied when it grows too large and left out when a vectoriser is copied or
saved.
"""

from __future__ import annotations

from itertools import accumulate
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bayesift.numba_kernel import kernel
from bayesift.text.words import WordRules

Ints = NDArray[np.int32]
Longs = NDArray[np.int64]
Bytes = NDArray[np.uint8]

LINE = ord("\n")  # ends each piece in the arena; a separator, so no piece contains it
SPARE = 4  # minimum number of slots per piece, so that a look-up stays short
CHUNK = 1 << 14  # bytes cut at a time
FULL_PIECES, FULL_BYTES = 1 << 21, 1 << 26  # the table is emptied beyond either


def _lower_ascii() -> Bytes:
    """Return the lower case of each byte, or 0 if it ends a piece. Bytes from 128 on are part of a piece."""
    table = np.arange(256, dtype=np.uint8)
    for c in range(128):
        table[c] = ord(chr(c).lower()) if chr(c).isalnum() else 0
    return table


LOWER = _lower_ascii()


class PieceTable:
    """Table of the pieces met so far and their words.

    >>> table = PieceTable(WordRules(stem="english", stop_words="english", min_length=2, numbers=True))
    >>> text = np.frombuffer(b"The sorter sorts. Sorting it! ", np.uint8)
    >>> pieces, ends = table.scan(text, np.array([text.size]))
    >>> [table.spelling[w] for p in pieces for w in table.words_of(p)]
    ['sorter', 'sort', 'sort']
    """

    def __init__(self, rules: WordRules) -> None:
        self.rules = rules
        self.clear()

    def clear(self) -> None:
        """Remove all pieces and words."""
        self.spelling: list[str] = []  # the words
        self._number: dict[str, int] = {}  # the place of each in that list
        self.first = np.zeros(1, np.int64)  # the words of piece p are words[first[p]:first[p + 1]]
        self.words = np.empty(0, np.int32)
        self.most_words = 1  # of any piece
        self.n = 0  # pieces
        self._slots = np.zeros(1 << 12, np.int32)  # piece + 1, or 0
        self._keys = np.empty(1 << 11, np.uint64)
        self._starts = np.zeros((1 << 11) + 1, np.int64)
        self._arena = np.empty(1 << 14, np.uint8)

    @property
    def full(self) -> bool:
        """Whether the table should be emptied."""
        return self.n > FULL_PIECES or bool(self._starts[self.n] > FULL_BYTES)

    def words_of(self, piece: int) -> Ints:
        """Return the word numbers of one piece."""
        return self.words[self.first[piece] : self.first[piece + 1]]

    def text_of(self, piece: int) -> str:
        """Return a piece as it was read, ASCII letters in lower case."""
        begin, end = self._starts[piece], self._starts[piece + 1] - 1
        return self._arena[begin:end].tobytes().decode("utf-8", "surrogatepass")

    def scan(self, data: Bytes, ends: Longs) -> tuple[Ints, Longs]:
        """Return the piece numbers of several texts, and the end of those of each text.

        The texts are concatenated in `data`, and `ends` are the positions after each. A piece ends with its text, so
        that no separator is needed between texts, as in Arrow's memory.
        """
        before = self.n
        used = int(self._starts[before])
        self._arena = with_room(self._arena, used, used + data.size + (data.size + 1) // 2 + ends.size)
        pieces = np.empty((data.size + 1) // 2 + ends.size, np.int32)
        piece_ends = np.empty(ends.size, np.int64)
        text, byte, out = 0, 0, 0
        while text < ends.size:
            if SPARE * self.n >= self._slots.size:
                self._keys = with_room(self._keys, self.n, self._slots.size)
                self._starts = with_room(self._starts, self.n + 1, self._slots.size + 1)
                self._slots = _rehashed(self._keys, self.n, 2 * self._slots.size)
            text, byte, out, self.n = _scan(
                data, ends, LOWER, self._slots, self._keys, self._starts, self._arena, pieces, piece_ends,
                text, byte, out, self.n,
            )  # fmt: skip
        if self.n > before:
            self._resolve(before)
        return pieces[:out], piece_ends

    def _resolve(self, before: int) -> None:
        """Apply the rules to the pieces from number `before` on."""
        raw = self._arena[self._starts[before] : self._starts[self.n] - 1].tobytes()
        words, counts = self.rules(raw.decode("utf-8", "surrogatepass").split("\n"))
        number = self._number
        meant = [number.setdefault(word, len(number)) for word in words]
        self.spelling += dict.fromkeys(word for word, n in zip(words, meant) if n >= len(self.spelling))
        begin = int(self.first[before])
        self.first = with_room(self.first, before + 1, self.n + 1)
        self.first[before : self.n + 1] = list(accumulate(counts, initial=begin))
        self.words = with_room(self.words, begin, begin + len(meant))
        self.words[begin : begin + len(meant)] = meant
        self.most_words = max(self.most_words, *counts)


def with_room(array: NDArray[Any], used: int, size: int) -> NDArray[Any]:
    """Return the array if it has `size` entries, else a larger copy of its first `used` entries."""
    if array.size >= size:
        return array
    larger = np.empty(max(size, 2 * array.size), array.dtype)
    larger[:used] = array[:used]
    return larger


@kernel
def _cut(
    data: Bytes, begin: int, end: int, lower: Bytes, start: int, key: np.uint64,
    piece_start: Longs, piece_end: Longs, piece_key: NDArray[np.uint64],
) -> tuple[int, int, np.uint64]:  # fmt: skip
    """Find the pieces in some bytes: begin and end of each, and its bytes packed, or mixed if more than 8.

    There is no branch in the loop, because where words end cannot be predicted. A piece that is cut off at the end
    is carried on in (start, key), the second and third result.
    """
    n = 0
    for i in range(begin, end):
        c = lower[data[i]]
        piece_start[n] = start
        piece_end[n] = i
        piece_key[n] = key
        is_end = c == 0
        n += is_end & (i > start)
        key = (key << np.uint64(8)) ^ (key >> np.uint64(56)) ^ np.uint64(c)
        key = np.uint64(0) if is_end else key
        start = i + 1 if is_end else start
    return n, start, key


@kernel
def _scan(
    data: Bytes, ends: Longs, lower: Bytes, slots: Ints, keys: NDArray[np.uint64],
    starts: Longs, arena: Bytes, pieces: Ints, piece_ends: Longs, text: int, i: int, out: int, n: int,
) -> tuple[int, int, int, int]:  # fmt: skip
    """Cut and number the pieces until all bytes are read or the table is full."""
    mask = np.uint64(slots.size - 1)
    room = slots.size // SPARE
    most = min(CHUNK, data.size)
    piece_start, piece_end = np.empty(most, np.int64), np.empty(most, np.int64)
    piece_key = np.empty(most, np.uint64)
    start, key, last = i, np.uint64(0), text
    while i < data.size:
        while ends[last] <= i:
            last += 1
        stop = min(i + CHUNK, ends[last])
        found, start, key = _cut(data, i, stop, lower, start, key, piece_start, piece_end, piece_key)
        if stop == ends[last] and start < stop:  # the text ends without a separator
            piece_start[found], piece_end[found], piece_key[found] = start, stop, key
            found, start, key = found + 1, stop, np.uint64(0)
        for p in range(found):
            first = piece_start[p]
            if n == room:
                return text, first, out, n
            while first >= ends[text]:
                piece_ends[text] = out
                text += 1
            length = piece_end[p] - first
            at = (_mixed(piece_key[p]) >> np.uint64(20)) & mask
            piece: Any = np.int64(slots[at]) - 1  # signed: -1 where the slot is free
            while piece >= 0:
                if keys[piece] == piece_key[p] and _same(data, first, length, lower, arena, starts, piece):
                    break
                at = (at + np.uint64(1)) & mask
                piece = np.int64(slots[at]) - 1
            if piece < 0:
                piece = n
                a = starts[n]
                for k in range(length):
                    arena[a + k] = lower[data[first + k]]
                arena[a + length] = LINE
                keys[n] = piece_key[p]
                n += 1
                starts[n] = a + length + 1
                slots[at] = n
            pieces[out] = piece
            out += 1
        i = stop
    piece_ends[text:] = out
    return ends.size, i, out, n


@kernel(inline="always")
def _mixed(key: np.uint64) -> np.uint64:
    h = key * np.uint64(0x9E3779B97F4A7C15)
    return h ^ (h >> np.uint64(29))


@kernel(inline="always")
def _same(
    data: Bytes, start: int, length: int, lower: Bytes, arena: Bytes, starts: Longs, piece: int
) -> bool:
    """Return whether a piece with the same key is equal; pieces of more than 8 bytes are compared byte by byte."""
    a = starts[piece]
    if starts[piece + 1] - a != length + 1:
        return False
    if length > 8:
        for k in range(length):
            if arena[a + k] != lower[data[start + k]]:
                return False
    return True


@kernel
def _rehashed(keys: NDArray[np.uint64], n: int, size: int) -> Ints:
    slots = np.zeros(size, np.int32)
    mask = np.uint64(size - 1)
    for piece in range(n):
        at = (_mixed(keys[piece]) >> np.uint64(20)) & mask
        while slots[at] != 0:
            at = (at + np.uint64(1)) & mask
        slots[at] = piece + 1
    return slots
