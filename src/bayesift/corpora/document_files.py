"""Documents of many files: all of a folder, or those that match a pattern, one file after the other by name."""

from __future__ import annotations

import glob
import warnings
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TypeVar

from bayesift.corpora.layout import is_document_file
from bayesift.corpora.skipped import Skipped
from bayesift.errors import BadInput, NotFound, Notice
from bayesift.files import STDIN

T = TypeVar("T")
KINDS = "jsonl, ndjson, json, csv, tsv, tab or parquet, also .gz and .zst"


def is_many(source: str | Path) -> bool:
    """Return whether a source is a folder or a pattern, and not one file or standard input.

    >>> is_many("archive/*.jsonl.zst"), is_many("news.csv")
    (True, False)
    """
    name = str(source)
    return name != STDIN and (Path(name).is_dir() or (glob.has_magic(name) and not Path(name).exists()))


def files_of(source: str | Path) -> list[Path]:
    """Return the files of a folder and its subfolders, or those that match a pattern, by name.

    Files of other kinds in a folder are left out, with a note.

    Raises
    ------
    NotFound
        If there is none.
    """
    name = str(source)
    if Path(name).is_dir():
        files = sorted(path for path in Path(name).rglob("*") if path.is_file())
        found = [path for path in files if is_document_file(path)]
        if not found:
            raise NotFound("the folder has no files of documents", path=name, remedy=f"their names end in {KINDS}")
        _note_others(Path(name), set(files) - set(found))
        return found
    matches = glob.glob(name, recursive=True)  # noqa: PTH207  (Path.glob takes no absolute pattern)
    found = sorted(path for path in map(Path, matches) if path.is_file())
    if not found:
        raise NotFound("no file matches this pattern", path=name, remedy="write it in quotes, e.g. 'archive/*.jsonl'")
    return found


def _note_others(folder: Path, others: Iterable[Path]) -> None:
    """Warn about files of a folder that are left out; hidden ones are not counted."""
    names = sorted(str(path.relative_to(folder)) for path in others)
    names = [name for name in names if not any(part.startswith(".") for part in Path(name).parts)]
    if names:
        number = f"{len(names):,} file{'s' if len(names) > 1 else ''} left out, e.g. {names[0]}"
        warnings.warn(f"{folder}: {number}; names of files with documents end in {KINDS}", Notice, stacklevel=3)


def all_files(sources: Iterable[str | Path]) -> list[Path]:
    """Return the files of several sources, in their order and each once: files, folders and patterns."""
    found = [path for source in sources for path in (files_of(source) if is_many(source) else [Path(source)])]
    return list(dict.fromkeys(found))


def read_files(
    paths: Iterable[Path], read: Callable[[Path], Iterable[T]], skipped: Skipped | None = None
) -> Iterator[T]:
    """Yield what `read` finds in each file.

    With `skipped`, a file that cannot be read on is counted there, once, and the others are read.
    """
    for path in paths:
        try:
            yield from read(path)
        except BadInput as error:
            if skipped is None:
                raise
            skipped.add(error)
