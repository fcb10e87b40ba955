"""Blocks of documents for the vectoriser: bytes, and the end of each text and each document."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import accumulate, chain, islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bayesift.errors import BadInput
from bayesift.text.arrow_texts import ArrowTexts, arrow_column
from bayesift.text.markup import strip_markup

BLOCK = 1 << 20  # characters of text counted at a time

NO_ZONE, ONE_TEXT = np.array([-1], np.int32), np.array([1], np.int64)  # of a document that is a string

Block = tuple[NDArray[np.uint8], NDArray[np.int64], NDArray[np.int32], NDArray[np.int64]]


def rows_of(documents: Any) -> Iterable[Any]:
    """Return an iterable of documents; those of a data frame are its rows, with a zone per column.

    Raise `BadInput` for a single document.
    """
    if isinstance(documents, str | bytes | Mapping):
        raise BadInput(
            f"documents is one {type(documents).__name__}, not a list of documents", remedy="put it in a list"
        )
    if hasattr(documents, "columns") and hasattr(documents, "shape"):  # a data frame
        names = list(documents.columns)
        columns = [list(documents[name]) for name in names]
        return (
            {str(name): cell for name, cell in zip(names, row) if not is_missing(cell)} for row in zip(*columns)
        )
    rows: Iterable[Any] = documents
    return rows


def is_missing(cell: Any) -> bool:
    """Return whether a cell is None, nan or another missing value: none of them equals itself."""
    try:
        return cell is None or bool(cell != cell)
    except TypeError:
        return True
    except ValueError:  # an array
        return False


def sample(documents: Any, n: int, strip: bool) -> tuple[list[str], Iterable[Any]]:
    """Return the texts of the first `n` documents, and all documents."""
    if (column := arrow_column(documents)) is not None:
        documents = ArrowTexts(column)
    if isinstance(documents, ArrowTexts):
        first = documents[:n]
        return [strip_markup(text) for text in first] if strip else first, documents
    rows = iter(rows_of(documents))
    first = list(islice(rows, n))
    texts = [text for row, document in enumerate(first) for _, text in _texts(document, row)]
    return [strip_markup(text) for text in texts] if strip else texts, chain(first, rows)


def plain_texts(documents: Any, strip: bool) -> list[str]:
    """Return each document as one text, its zones one after the other; with `strip` without HTML.

    >>> plain_texts([{"title": "Rain", "body": "in <b>May</b>"}, "Snow"], strip=True)
    ['Rain in  May ', 'Snow']
    """
    found = []
    for row, document in enumerate(rows_of(documents)):
        texts = (text for _, text in _texts(document, row))
        found.append(" ".join(strip_markup(text) if strip else text for text in texts if text))
    return found


def blocks(documents: Any, zone_number: Mapping[str, int], strip: bool) -> Iterator[Block]:
    """Yield (bytes, text ends, zone of each text, document ends) of a block of documents at a time.

    With `strip` HTML is removed from the texts.
    """
    if (column := arrow_column(documents)) is not None:
        documents = ArrowTexts(column)
    if isinstance(documents, ArrowTexts):
        for data, text_ends in documents.blocks(strip):
            yield data, text_ends, np.full(text_ends.size, -1, np.int32), np.arange(1, text_ends.size + 1)
        return
    texts: list[str] = []
    zones: list[int] = []
    ends: list[int] = []
    size = 0
    for row, document in enumerate(rows_of(documents)):
        for zone, text in _texts(document, row):
            plain = strip_markup(text) if strip else text
            texts.append(plain)
            zones.append(zone_number.get(zone, -1))
            size += len(plain)
        ends.append(len(texts))
        if size >= BLOCK:
            yield _block(texts, zones, ends)
            texts, zones, ends, size = [], [], [], 0
    if ends:
        yield _block(texts, zones, ends)


def block_of(document: Any, zone_number: Mapping[str, int], strip: bool) -> Block:
    """Return the block of one document."""
    if isinstance(document, str):  # most documents of a stream
        plain = strip_markup(document) if strip else document
        data = np.frombuffer((plain + "\n").encode("utf-8", "surrogatepass"), np.uint8)
        return data, np.array([data.size], np.int64), NO_ZONE, ONE_TEXT
    texts, zones = [], []
    for zone, text in _texts(document, 0):
        texts.append(strip_markup(text) if strip else text)
        zones.append(zone_number.get(zone, -1))
    return _block(texts, zones, [len(texts)])


def _block(texts: list[str], zones: list[int], ends: list[int]) -> Block:
    """Return a block; each text is followed by a separator."""
    joined = "\n".join([*texts, ""])
    if joined.isascii():
        lengths, data = [len(text) + 1 for text in texts], joined.encode()
    else:
        encoded = [text.encode("utf-8", "surrogatepass") for text in texts]
        lengths, data = [len(text) + 1 for text in encoded], b"\n".join([*encoded, b""])
    text_ends = np.array(list(accumulate(lengths)), np.int64)
    return np.frombuffer(data, np.uint8), text_ends, np.array(zones, np.int32), np.array(ends, np.int64)


def _texts(document: Any, row: int) -> Iterable[tuple[str, str]]:
    """Return the texts of a document, each with its zone."""
    if isinstance(document, str):
        return (("", document),)
    zones = document.zones() if hasattr(document, "zones") else document
    if isinstance(zones, Mapping):
        wrong = next((zone for zone, text in zones.items() if not isinstance(text, str)), None)
        if wrong is None:
            return zones.items()
        what = f"{type(zones[wrong]).__name__} in {wrong!r}"
    else:
        what = type(document).__name__
    raise BadInput(
        f"document {row} is {what}, not text",
        remedy="pass strings, or mappings from zone to string; decode bytes and fill missing texts first",
    )
