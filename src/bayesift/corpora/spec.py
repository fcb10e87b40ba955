"""What is known of a corpus without opening it: its files, counts, terms of use, home and reader."""

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
    """A file at the corpus's home: its mirrors, tried in turn, and if it is an archive the files to take out of it."""

    file: str
    urls: tuple[str, ...]
    take: tuple[str, ...] = ()


@dataclass(frozen=True)
class Description:
    """A corpus. `layouts` are sets of files, each of which is the whole corpus; none means it needs no files."""

    name: str
    title: str
    terms: str  # of use
    home: str  # where a person reads about it
    read: Reader
    expected: Mapping[str, int]
    layouts: tuple[tuple[str, ...], ...] = ()
    splits: tuple[str, ...] = ()
    parts: tuple[str, ...] = ()  # other views of the same files; the first is the usual one
    count: Callable[[Path], dict[str, int]] | None = None  # where documents, sides and labels are not all there is
    at_least: bool = False  # the expected counts are the least
    downloads: tuple[Download, ...] = ()
    to_get: str = field(default="")  # what to do where nothing can be downloaded

    def missing(self, folder: Path) -> list[str]:
        """Name the files that are not there, of the layout that lacks the fewest."""
        lacking = [[name for name in layout if find_in(folder, name) is None] for layout in self.layouts]
        return min(lacking, key=len, default=[])
