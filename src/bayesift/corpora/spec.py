"""The description of a corpus: files, counts, terms of use, home page and reader."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from bayesift.corpora.data_dir import find_in
from bayesift.corpora.document import Document, Vectors

Content = Vectors | Iterable[Document]
# (folder, split, part) -> the corpus
Reader = Callable[[Path, str | None, str | None], Content]


@dataclass(frozen=True)
class Download:
    """File to download: its mirrors, tried in turn, and the members to extract if it is an archive."""

    file: str
    urls: tuple[str, ...]
    take: tuple[str, ...] = ()


@dataclass(frozen=True)
class Description:
    """Description of a corpus; each of its `layouts` is a complete set of files, none if it needs no files."""

    name: str
    title: str
    terms: str  # of use
    home: str  # web page
    read: Reader
    expected: Mapping[str, int]
    layouts: tuple[tuple[str, ...], ...] = ()
    splits: tuple[str, ...] = ()
    parts: tuple[str, ...] = ()  # other views of the same files; the first is the default
    count: Callable[[Path], dict[str, int]] | None = None  # for counts other than documents, sides and labels
    at_least: bool = False  # the expected counts are minima
    downloads: tuple[Download, ...] = ()
    to_get: str = field(default="")  # what to do if there is no public download

    def missing(self, folder: Path) -> list[str]:
        """Return the missing files of the layout that is most complete."""
        lacking = [[name for name in layout if find_in(folder, name) is None] for layout in self.layouts]
        return min(lacking, key=len, default=[])
