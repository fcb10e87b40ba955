"""Documents from the files of a folder: each new file once, when it is no longer being written."""

from __future__ import annotations

import os
import re
import stat
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

import msgspec

from bayesift.corpora import Document
from bayesift.filtering.feeds.limits import MB, Limits, Say, SourceFailed
from bayesift.filtering.feeds.mail import document_of_mail
from bayesift.filtering.feeds.rss import plain

SETTLED = 1.0  # seconds since the last change of a file
TRIES = 3  # to read a file that is being written, before the others come first
TITLE = 200  # characters of a first line that is a title
HEAD = 1 << 16  # characters of a page that may have its title
BODY = re.compile(r"<(?:body|svg)\b", re.IGNORECASE)  # pictures have titles of their own
PAGE_TITLE = re.compile(r"<title\b[^<>]*>([^<]*)</title\s*>", re.IGNORECASE)


def text_document(data: bytes) -> Document:
    """Return plain text as a document; a short first line is its title.

    >>> text_document(b"# Harvest" + bytes([10]) + b"Corn rose.").title
    'Harvest'
    """
    text = data.decode("utf-8-sig", "replace").strip()
    first, _, rest = text.partition("\n")
    if len(first) <= TITLE and rest.strip():
        return Document("", first.lstrip("# ").strip(), rest.strip())
    return Document("", body=text)


def page_document(data: bytes) -> Document:
    """Return a web page as a document, with the title of its head.

    >>> page = page_document(b"<head><title>Harvest &amp; prices</title></head><body>Corn rose.</body>")
    >>> page.title, page.body
    ('Harvest & prices', 'Corn rose.')
    """
    text = data.decode("utf-8-sig", "replace")
    head = BODY.split(text[:HEAD], maxsplit=1)[0]
    found = PAGE_TITLE.search(head)
    if found is None:
        return Document("", body=plain(text))
    return Document("", plain(found[1]), plain(f"{text[: found.start()]} {text[found.end() :]}"))


KINDS: dict[str, Callable[[bytes], Document]] = {
    ".txt": text_document, ".text": text_document, ".md": text_document, ".html": page_document, ".htm": page_document,
    ".eml": document_of_mail,
}  # fmt: skip


class Folder:
    """Reader of a folder; each reading yields the files that are new or have changed since the last confirmed one.

    A document's id is the file's path within the folder, and its date that of the file.
    """

    def __init__(self, path: Path, limits: Limits) -> None:
        self.path = path
        self.limits = limits
        self._read: dict[str, int] = {}  # time of the last change of each file, as far as it was confirmed
        self._newest: dict[str, int] = {}  # and read

    def read(self, say: Say) -> Iterator[Document]:
        """Yield the documents of new files, oldest first; files that cannot be read are left out."""
        if not self.path.is_dir():
            raise SourceFailed("the folder is missing", path=self.path, remedy="create it, or check the name")
        for name, changed in sorted(self._new(), key=lambda found: (found[1], found[0])):
            try:
                data = _settled(self.path / name, self.limits.size)
            except OSError as error:
                say(f"{self.path / name}: {error.strerror}; it is left out")
                data = None
            except _Unsettled:
                say(f"{self.path / name}: is still being written; it is read the next time")
                continue
            self._newest[name] = changed
            if data is None:
                continue
            if len(data) > self.limits.size:
                say(f"{self.path / name}: larger than {self.limits.size / MB:.0f} MB and left out; raise --max-size")
            elif b"\0" in data:
                say(f"{self.path / name}: not a text file; it is left out")
            else:
                yield self._document(name, changed, data)

    def confirm(self) -> None:
        """Leave out the files that were read, until they change."""
        self._read |= self._newest
        self._newest = {}

    def _document(self, name: str, changed: int, data: bytes) -> Document:
        found = KINDS[Path(name).suffix.lower()](data)
        date = datetime.fromtimestamp(changed / 1e9, UTC).isoformat(timespec="seconds")
        return msgspec.structs.replace(found, id=found.id or name, title=found.title or Path(name).stem,
                                       date=found.date or date)  # fmt: skip

    def _new(self) -> Iterator[tuple[str, int]]:
        """Yield name and last change of the files that are new or have changed."""
        for folder, folders, files in os.walk(self.path):
            folders[:] = [name for name in folders if not name.startswith(".")]
            for file in files:
                path = Path(folder, file)
                if file.startswith(".") or path.suffix.lower() not in KINDS:
                    continue
                name = path.relative_to(self.path).as_posix()
                try:
                    found = path.stat()
                except OSError:  # removed meanwhile
                    continue
                if stat.S_ISREG(found.st_mode) and self._read.get(name) != found.st_mtime_ns:
                    yield name, found.st_mtime_ns


class _Unsettled(Exception):
    """A file is being written all the time."""


def _settled(path: Path, most: int) -> bytes | None:
    """Return the bytes of a file, one more than `most` if it is too large, or None if it was removed.

    A file that has changed within the last second is waited for; raises `_Unsettled` if it goes on changing.
    """
    for _ in range(TRIES):
        try:
            before = path.stat()
            wait = SETTLED - (time.time() - before.st_mtime)
            if 0.0 < wait <= SETTLED:
                time.sleep(wait)
            with path.open("rb") as file:
                data = file.read(most + 1)
            after = path.stat()
        except FileNotFoundError:
            return None
        if (before.st_mtime_ns, before.st_size) == (after.st_mtime_ns, after.st_size):
            return data
    raise _Unsettled
