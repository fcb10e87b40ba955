"""What the form of a topic takes: words with weights, and examples as one text or as files."""

from __future__ import annotations

import re
from collections.abc import Iterable

from bayesift.corpora import Document
from bayesift.errors import BadInput

HEAVIEST = 3.0  # weight of a word that a page takes, for or against
WEIGHTS = f"a number from {-HEAVIEST:g} to {HEAVIEST:g}"
_DASHES = re.compile(r"(\s*)(\\*)(-{3,}\s*)")  # a line between two examples, unless it has a backslash


def words_of(text: str) -> dict[str, tuple[float, float]]:
    """Return words with weights from lines such as `drought 1.5`; a word without a number has weight 1.

    >>> words_of("drought 1.5\\nwheat\\nice cream -1")
    {'drought': (1.5, 0.5), 'wheat': (1.0, 0.5), 'ice cream': (-1.0, 0.5)}
    >>> words_of("covid 19")
    Traceback (most recent call last):
    bayesift.errors.BadInput: the weight of 'covid' is 19; give a number from -3 to 3; for 'covid 19' write: covid 19 1
    """
    found: dict[str, tuple[float, float]] = {}
    for line in filter(None, map(str.strip, text.splitlines())):
        word, _, last = line.rpartition(" ")
        try:
            mean = float(last)
        except ValueError:
            word, mean = line, 1.0
        if not word.strip():
            raise BadInput(f"{line[:40]!r} is not a word with a weight", remedy="write one word per line: drought 1.5")
        if not is_weight(mean):
            remedy = f"give {WEIGHTS}; for {line[:40]!r} write: {line[:40]} 1"
            raise BadInput(f"the weight of {word.strip()[:40]!r} is {last[:20]}", remedy=remedy)
        found[word.strip()] = (mean, 0.5)
    return found


def is_weight(mean: float) -> bool:
    """Return whether a page takes a weight."""
    return -HEAVIEST <= mean <= HEAVIEST


def joined_examples(examples: Iterable[Document]) -> str:
    """Return the texts of examples as one text, from which `examples_of` returns them again.

    >>> [d.body for d in examples_of(joined_examples([Document("1", body="a\\n---\\nb"), Document("2", body="c")]), [])]
    ['a\\n---\\nb', 'c']
    """
    lines = [[_DASHES.sub(r"\1\\\2\3", line) if _DASHES.fullmatch(line) else line for line in d.body.splitlines()]
             for d in examples]  # fmt: skip
    return "\n---\n".join(map("\n".join, lines))


def examples_of(text: str, files: Iterable[tuple[str, bytes]]) -> list[Document]:
    """Return examples: parts of a text between lines of dashes, and files of text.

    A line of dashes after a backslash belongs to its example.
    """
    parts: list[str] = []
    part: list[str] = []
    for line in [*text.splitlines(), "---"]:
        dashes = _DASHES.fullmatch(line)
        if dashes and not dashes[2]:
            parts.append("\n".join(part).strip())
            part = []
        else:
            part.append(line.replace("\\", "", 1) if dashes else line)
    found = [Document(f"example-{i}", body=body) for i, body in enumerate(filter(None, parts), 1)]
    for name, data in files:
        try:
            found.append(Document(f"file {name[:60]}", body=data.decode("utf-8-sig")))
        except UnicodeDecodeError:
            raise BadInput(f"{name[:60]!r} is not text in UTF-8", remedy="save it as plain text") from None
    return [document for document in found if document.body.strip()]
