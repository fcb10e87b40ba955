"""Counts of documents that were left out or look wrong, over all files of a source, which are noted at the end."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from bayesift.cli.messages import counted, notice

if TYPE_CHECKING:
    from bayesift.corpora import Document
    from bayesift.corpora.document_file import DocumentFile

SIDES = {"train": "train", "training": "train", "test": "test", "testing": "test"}
MOST_IDS = 1 << 20  # documents whose ids are compared; more would take much memory where documents are not held


@dataclass
class Tally:
    """Counts of the documents of one source."""

    empty_cells: int = 0  # labels cells that are empty and mean that no label applies
    unlabelled: int = 0
    on_side: int = 0
    others: Counter[str] = field(default_factory=Counter)  # documents in neither split, by their split
    ids: Counter[str] = field(default_factory=Counter)
    compared: int = 0  # documents that are counted in `ids`
    without_text: int = 0
    texts: set[int] = field(default_factory=set)  # hashes of texts
    repeated: int = 0  # documents with the text of one before

    def over(self, file: DocumentFile, pairs: Iterable[Any]) -> Iterator[Any]:
        """Yield what is read from a file, and count its empty labels cells."""
        try:
            yield from pairs
        finally:
            if file.empty != "unlabelled":
                self.empty_cells += file.empty_cells

    def takes(self, document: Document, side: str | None, own_id: bool) -> bool:
        """Return whether a document is labelled and on this side of the split, and count it.

        `own_id` is whether its id is its own, and not the number of its row.
        """
        name = split_name(document)
        if side is not None and name not in SIDES:
            self.others[name] += 1
        if side is not None and SIDES.get(name) != side:
            return False
        self.on_side += 1
        if document.labels is None:
            self.unlabelled += 1
            return False
        self._look_at_text(document)
        if own_id and self.compared < MOST_IDS:
            self.ids[document.id] += 1
            self.compared += 1
        return True

    def _look_at_text(self, document: Document) -> None:
        if not (document.title.strip() or document.body.strip()):
            self.without_text += 1
        elif len(self.texts) < MOST_IDS:
            before = len(self.texts)
            self.texts.add(hash((document.title, document.body)))
            self.repeated += len(self.texts) == before

    def notice_splits(self) -> None:
        """Print how many documents are left out because of their split."""
        other = [f"{n:,} {f'of {name!r}' if name else 'without a split'}" for name, n in self.others.items()]
        if other:
            notice(f"documents in neither split 'train' nor 'test' are left out: {', '.join(other)}")

    def notice(self) -> None:
        """Print the other counts."""
        if self.empty_cells:
            cells = f"{self.empty_cells:,} empty labels cells"
            notice(f"{cells}: no label applies to these documents (--empty unlabelled leaves them out)")
        if self.unlabelled:
            notice(f"{self.unlabelled:,} documents without labels are left out")
        if self.without_text:
            notice(f"{counted(self.without_text, 'document')} without text")
        if self.repeated:
            repeated = counted(self.repeated, "document")
            notice(f"{repeated} with the text of another one; if a split parts the two, measures are too good")
        often = [(name, n) for name, n in self.ids.most_common() if n > 1]
        if often:
            name, n = often[0]
            notice(f"{len(often)} duplicate ids, e.g. {name!r} ({n} documents); all documents are used")


def split_name(document: Document) -> str:
    """Return the split of a document, in lower case; empty if it has none."""
    return (document.split or "").strip().lower()
