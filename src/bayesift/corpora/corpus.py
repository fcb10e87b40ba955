"""Load a corpus by name, and check it against its description."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from bayesift.corpora.catalogue import CATALOGUE
from bayesift.corpora.data_dir import data_folder
from bayesift.corpora.document import TEST, TRAIN, Document, Vectors
from bayesift.corpora.spec import Content, Description
from bayesift.errors import BadInput, NotFound


@dataclass(frozen=True)
class Count:
    """One line of a check: what is counted, the count found and the count expected."""

    what: str
    found: int | None
    expected: int | None
    at_least: bool = False

    @property
    def right(self) -> bool:
        """Whether the count found is the count expected."""
        if self.expected is None or self.found is None:
            return self.expected is None
        return self.found >= self.expected if self.at_least else self.found == self.expected


class Corpus:
    """Corpus on this machine, with a split and a part; it is read when documents or vectors are asked for."""

    def __init__(self, description: Description, folder: Path, split: str | None, part: str | None) -> None:
        self.description = description
        self.folder = folder
        self.split_name = split
        self.part = part
        self._labels: list[str] | None = None

    def _read(self) -> Content:
        return self.description.read(self.folder, self.split_name, self.part)

    def documents(self) -> Iterator[Document]:
        """Return an iterator over the documents of the chosen split, or all of them, in file order."""
        content = self._read()
        if isinstance(content, Vectors):
            raise BadInput(f"the corpus {self.description.name} has vectors, not text", remedy="use .vectors()")
        return self._chosen(content)

    def vectors(self) -> Vectors:
        """Return the vectors of a corpus without text."""
        content = self._read()
        if not isinstance(content, Vectors):
            raise BadInput(f"the corpus {self.description.name} has text, not vectors", remedy="use .documents()")
        return content

    def content(self) -> Content:
        """Return the documents or the vectors, whichever the corpus has."""
        content = self._read()
        return content if isinstance(content, Vectors) else self._chosen(content)

    def _chosen(self, documents: Iterable[Document]) -> Iterator[Document]:
        return (d for d in documents if self.split_name is None or d.split is not None)

    def split(self) -> tuple[list[Document], list[Document]]:
        """Return the training and the test documents."""
        splits = self.description.splits
        if not splits or (len(splits) > 1 and self.split_name is None):
            what, remedy = "no split", "split the documents yourself, with a random seed"
            if splits:
                what, remedy = "several splits", f"load it with split= one of: {', '.join(splits)}"
            raise BadInput(f"the corpus {self.description.name} has {what}", remedy=remedy)
        sides: dict[str, list[Document]] = {TRAIN: [], TEST: []}
        for document in self.documents():
            if document.split is not None:
                sides[document.split].append(document)
        if self.split_name is not None:
            self._labels = _labels(sides[TRAIN] + sides[TEST])
        return sides[TRAIN], sides[TEST]

    @property
    def labels(self) -> list[str]:
        """The labels that occur, sorted (of vectors: in the order of their columns)."""
        if self._labels is None:
            content = self.content()
            self._labels = content.labels if isinstance(content, Vectors) else _labels(content)
        return self._labels

    def counts(self) -> dict[str, int]:
        """Return the counts that the description lists; reads the whole corpus."""
        if self.description.count is not None:
            return self.description.count(self.folder)
        content = self._read()
        if isinstance(content, Vectors):
            sides = Counter(content.sides.tolist() if content.sides is not None else ())
            counts = {"documents": len(content), "terms": content.X.shape[1]}
            n_labels = int((content.Y.sum(axis=0) > 0).sum())
        else:
            number, sides, labels = 0, Counter[str](), set[str]()
            for number, document in enumerate(content, start=1):  # noqa: B007
                labels.update(document.labels or ())
                sides[document.split or ""] += 1
            counts, n_labels = {"documents": number}, len(labels)
        return counts | {side: sides[side] for side in (TRAIN, TEST) if sides[side]} | {"labels": n_labels}

    def check(self) -> list[Count]:
        """Return all counts beside those of the description."""
        found, expected = self.counts(), self.description.expected
        whats = list(dict.fromkeys([*expected, *found]))
        return [Count(w, found.get(w), expected.get(w), self.description.at_least) for w in whats]


def _labels(documents: Iterable[Document]) -> list[str]:
    return sorted({label for document in documents for label in document.labels or ()})


def describe(name: str) -> Description:
    """Return the description of a corpus.

    >>> describe("reuters21578").expected["documents"]
    21578
    """
    try:
        return CATALOGUE[name]
    except KeyError:
        raise NotFound(f"no corpus {name!r}", remedy=f"corpora are: {', '.join(CATALOGUE)}") from None


def load_corpus(
    name: str, *, split: str | None = None, part: str | None = None, data: str | Path | None = None
) -> Corpus:
    """Find a corpus under `data`, else `BAYESIFT_DATA`, else the user's cache directory.

    Parameters
    ----------
    name : name of the corpus, or "NAME/PART".
    split : one of its splits; documents on neither side are left out.
    part : another view of the same files, such as "places" of Reuters or "Oud_2018" of SYNERGY.
    data : directory of the corpora.

    >>> corpus = load_corpus("docstrings")
    >>> train, test = corpus.split()
    >>> "scipy.stats" in corpus.labels
    True
    """
    name, _, after = name.partition("/")
    description = describe(name)
    part = part or after or None
    for what, given, known in (("split", split, description.splits), ("part", part, description.parts)):
        if given is not None and given not in known:
            remedy = f"it has: {', '.join(known)}" if known else f"it has no {what}s"
            raise NotFound(f"{name} has no {what} {given!r}", remedy=remedy)
    folder = data_folder(data) / name
    if description.layouts and not folder.is_dir():
        raise NotFound(
            f"corpus {name} is not installed", path=folder, remedy=f"bayesift corpus get {name}, or set --data"
        )
    if missing := description.missing(folder):
        remedy = f"remove the folder, then: bayesift corpus get {name}"
        raise BadInput(f"corpus {name} is incomplete: no {', '.join(missing)}", path=folder, remedy=remedy)
    return Corpus(description, folder, split, part)
