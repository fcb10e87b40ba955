"""Documents for the verbs: from a file of one's own, standard input or a corpus, with what is odd about them said."""

from __future__ import annotations

import sys
import warnings
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from bayesift.errors import BadInput, Notice, NotThere
from bayesift.terminal import one_line

if TYPE_CHECKING:
    from bayesift.corpora import Document, Skipped

TRAIN, TEST = "train", "test"


@dataclass
class Reading:
    """How to read; the same for every verb."""

    data: Path | None = None
    split: str | None = None
    format: str | None = None
    column: list[str] | None = None
    separator: str = ";"
    skip_bad: bool = False
    skipped: Skipped | None = field(default=None, init=False)

    def stream(self, source: str) -> Iterator[Document]:
        """The documents one after another."""
        from bayesift.corpora import CATALOGUE, Skipped, load_corpus, read_documents

        if source.partition("/")[0] in CATALOGUE and not Path(source).is_file():
            return load_corpus(source, split=self._split_of(source), data=self.data).documents()
        if source != "-" and not Path(source).exists():
            raise NotThere("no such file or corpus", path=source, remedy=f"corpora are: {', '.join(CATALOGUE)}")
        self.skipped = Skipped()
        columns = dict(pair_of(text) for text in self.column or ())
        return read_documents(
            source, format=self.format, columns=columns, separator=self.separator, skip_bad=self.skip_bad,
            skipped=self.skipped,
        )  # fmt: skip

    def judged(self, source: str, side: str) -> list[Document]:
        """The judged documents of one side of the split, where there is one; else all that are judged."""
        documents = list(self.stream(source))
        self.tell_skipped()
        sides = {d.split for d in documents}
        if sides & {TRAIN, TEST}:
            documents = [d for d in documents if d.split == side]
        judged = [d for d in documents if d.labels is not None]
        if not judged:
            raise BadInput(
                f"has no judged documents to {'learn from' if side == TRAIN else 'test'}" if sides else "is empty",
                path=source,
                remedy='judged documents have "labels": [...], and those of a split "split": "train" or "test"',
            )
        if len(judged) < len(documents):
            notice(f"{len(documents) - len(judged)} documents that nobody judged are left out")
        _notice_ids(judged)
        return judged

    def tell_skipped(self) -> None:
        """Say how many bad lines were skipped."""
        if self.skipped is not None and self.skipped.count:
            notice(str(self.skipped))

    def _split_of(self, source: str) -> str | None:
        from bayesift.corpora import describe

        splits = describe(source.partition("/")[0]).splits
        return self.split or (splits[0] if splits else None)


def say(text: str) -> None:
    """Words, to stderr."""
    print(one_line(text), file=sys.stderr, flush=True)


def notice(text: str) -> None:
    """Something worth knowing that stops nothing."""
    warnings.warn(text, Notice, stacklevel=2)


def _notice_ids(documents: Iterable[Document]) -> None:
    often = [(name, n) for name, n in Counter(d.id for d in documents).most_common() if n > 1]
    if often:
        name, n = often[0]
        notice(f"{len(often)} ids occur more than once, {name!r} {n} times; each document counts as one of its own")


def pair_of(text: str, what: str = "FIELD=NAME") -> tuple[str, str]:
    """The two sides of an equals sign."""
    before, equals, after = text.partition("=")
    if not equals or not before or not after:
        raise BadInput(f"not {what}: {text!r}", remedy=f"write {what} with = between them")
    return before, after
