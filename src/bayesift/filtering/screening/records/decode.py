"""Decode the bytes of a reference file to lines of text.

Databases export UTF-8 with and without a byte-order mark, UTF-16, Windows-1252 and Latin-1; files joined by hand mix
them. What is not UTF-8 as a whole is decoded line by line: a line that is UTF-8 as UTF-8, another as Windows-1252, and
as Latin-1 if it has bytes that Windows-1252 leaves undefined.
"""

from __future__ import annotations

import codecs
import re
from pathlib import Path

from bayesift.errors import BadInput
from bayesift.files import open_bytes

LARGEST_FILE = 1 << 30  # bytes, decompressed: about 500,000 records with abstracts
_MARKS = {codecs.BOM_UTF8: "utf-8-sig", codecs.BOM_UTF16_LE: "utf-16", codecs.BOM_UTF16_BE: "utf-16"}
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f]")


def read_bytes(path: str | Path) -> bytes:
    """Return the bytes of a file, decompressed; raise `BadInput` if it is too large or empty."""
    with open_bytes(path) as stream:
        raw = stream.read(LARGEST_FILE + 1)
    if len(raw) > LARGEST_FILE:
        raise BadInput("is larger than 1 GiB", path=path, remedy="split it into several files")
    if not raw.strip():
        raise BadInput("is empty", path=path, remedy="export the records again")
    return raw


def decoded(raw: bytes) -> tuple[str, str]:
    """Return the text and the name of its encoding; lines end with a newline; control characters become spaces.

    >>> decoded("Süd".encode("utf-16")), decoded(b"S\\xfcd"), decoded(b"\\xef\\xbb\\xbfTY")
    (('Süd', 'utf-16'), ('Süd', 'windows-1252'), ('TY', 'utf-8-sig'))
    """
    text, encoding = _decoded(raw)
    return cleaned(text), encoding


def cleaned(text: str) -> str:
    """Return the text with newlines as line ends, and without control characters."""
    if "\r" in text:
        text = text.replace("\r\n", "\n")
        text = text.replace("\r", " " if "\n" in text else "\n")  # else strays, as in PubMed's files
    if _CONTROL.search(text):
        text = _CONTROL.sub(" ", text)
    return text


def _decoded(raw: bytes) -> tuple[str, str]:
    for mark, encoding in _MARKS.items():
        if raw.startswith(mark):
            return raw.decode(encoding, "replace"), encoding
    if guess := _utf16_without_mark(raw):
        return raw.decode(guess, "replace"), guess
    try:
        return raw.decode("utf-8"), "utf-8"
    except UnicodeDecodeError:
        pass
    found: dict[str, None] = {}
    text = "".join(_line(line, found) for line in raw.splitlines(keepends=True))
    return text, " and ".join(sorted(found))


def _utf16_without_mark(raw: bytes) -> str | None:
    """Return the byte order of UTF-16, seen from the zero bytes of its Latin letters."""
    head = raw[:1000]
    even, odd = head[::2].count(0), head[1::2].count(0)
    if min(even, odd) * 10 > max(even, odd) or max(even, odd) * 4 < len(head) // 2:
        return None
    return "utf-16-le" if odd > even else "utf-16-be"


def _line(line: bytes, found: dict[str, None]) -> str:
    if line.isascii():
        return line.decode("ascii")
    for name, codec in (("utf-8", "utf-8"), ("windows-1252", "cp1252")):
        try:
            text = line.decode(codec)
        except UnicodeDecodeError:
            continue
        found[name] = None
        return text
    found["latin-1"] = None
    return line.decode("latin-1")
