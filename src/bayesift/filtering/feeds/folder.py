"""Documents from the files of a folder: each new file once, when it is no longer being written."""

from __future__ import annotations

import contextlib
import os
import re
import stat
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from bayesift.corpora import Document
from bayesift.filtering.feeds.limits import MB, Find, Limits, Say, SourceFailed
from bayesift.filtering.feeds.mail import document_of_mail
from bayesift.filtering.feeds.rss import plain
from bayesift.filtering.feeds.settled import Unsettled, settled
from bayesift.filtering.incoming import valid_text

if TYPE_CHECKING:
    from bayesift.filtering.store.documents import StoredDocument

TITLE = 200  # characters of a first line that is a title
HEAD = 1 << 16  # characters of a page that may have its title
OLD = "cp1252"  # the character set of text that is not UTF-8 and does not say what it is
CHARSET = re.compile(rb"<meta\b[^<>]*charset\s*=\s*[\"']?\s*([\w.:-]+)", re.IGNORECASE)
BODY = re.compile(r"<(?:body|svg)\b", re.IGNORECASE)  # pictures have titles of their own
PAGE_TITLE = re.compile(r"<title\b[^<>]*>([^<]*)</title\s*>", re.IGNORECASE)


def text_document(data: bytes) -> Document:
    """Return plain text as a document; a short first line is its title.

    >>> text_document(b"# Harvest" + bytes([10]) + b"Corn rose.").title
    'Harvest'
    """
    text = _decoded(data).strip()
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
    named = CHARSET.search(data[:HEAD])
    text = _decoded(data, named[1].decode() if named else OLD)
    head = BODY.split(text[:HEAD], maxsplit=1)[0]
    found = PAGE_TITLE.search(head)
    if found is None:
        return Document("", body=plain(text))
    return Document("", plain(found[1]), plain(f"{text[: found.start()]} {text[found.end() :]}"))


def _decoded(data: bytes, charset: str = OLD) -> str:
    """Return bytes as text: UTF-8, else by this character set, else what can be read of it.

    >>> _decoded("Prix élevés".encode("cp1252"))
    'Prix élevés'
    """
    for name in ("utf-8-sig", charset):
        with contextlib.suppress(UnicodeDecodeError, LookupError):
            return data.decode(name)
    return data.decode("utf-8-sig", "replace")


KINDS: dict[str, Callable[[bytes], Document]] = {
    ".txt": text_document, ".text": text_document, ".md": text_document, ".html": page_document, ".htm": page_document,
    ".eml": document_of_mail,
}  # fmt: skip


class Folder:
    """Reader of a folder; each reading yields the files that are new or have changed since the last confirmed one.

    A document's date is that of the file, and its title that of the text or else the file's name; a file without text
    has no title either. Its id is the file's path within the folder. Several folders may have files of the same name:
    if a document with this id is stored that has another source and another text, the id is the full path of the file.
    So the first keeps its short id and the second its long one, in whatever order and together with whatever other
    folders they are read again. Messages (.eml) have their Message-ID.
    """

    def __init__(self, path: Path, limits: Limits) -> None:
        self.path = path
        self.limits = limits
        self._read: dict[str, int] = {}  # time of the last change of each file, as far as it was confirmed
        self._newest: dict[str, int] = {}  # and read

    def read(self, say: Say, find: Find | None = None) -> Iterator[Document]:
        """Yield the documents of new files, oldest first; what cannot be read is said and tried the next time.

        `find` returns the stored document with an id, or None; without it, all ids are paths within the folder.
        """
        if not self.path.is_dir():
            raise SourceFailed("the folder is missing", path=self.path, remedy="create it, or check the name")
        for name, changed in sorted(self._new(say), key=lambda found: (found[1], found[0])):
            try:
                data = settled(self.path / name, lambda file: file.read(self.limits.size + 1))
            except OSError as error:
                _tell(error, self.path / name, say)
                continue
            except Unsettled:
                say(f"{self.path / name}: is still being written; it is read the next time")
                continue
            self._newest[name] = changed
            if len(data) > self.limits.size:
                say(f"{self.path / name}: larger than {self.limits.size / MB:.0f} MB and left out; raise --max-size")
            elif b"\0" in data:
                say(f"{self.path / name}: not a text file; it is left out")
            else:
                yield self._document(name, changed, data, find)

    def confirm(self) -> None:
        """Leave out the files that were read, until they change."""
        self._read |= self._newest
        self._newest = {}

    def _document(self, name: str, changed: int, data: bytes, find: Find | None) -> Document:
        found = KINDS[Path(name).suffix.lower()](data)
        name = valid_text(name)
        title = found.title or (Path(name).stem if found.body else "")
        date = found.date or datetime.fromtimestamp(changed / 1e9, UTC).isoformat(timespec="seconds")
        found = msgspec.structs.replace(found, id=found.id or name, title=title, date=date)
        if found.id == name and find is not None and self._is_other(found, find(name)):
            return msgspec.structs.replace(found, id=Path(os.path.realpath(self.path), name).as_posix())
        return found

    def _is_other(self, document: Document, stored: StoredDocument | None) -> bool:
        """Return whether the stored document with the same id is another one, from elsewhere.

        The same text is the same document: the folder was moved, or its name was given in another way.
        """
        if stored is None or (stored.title, stored.body) == (document.title, document.body[: self.limits.text]):
            return False
        return stored.source is None or os.path.realpath(stored.source) != os.path.realpath(self.path)

    def _new(self, say: Say) -> Iterator[tuple[str, int]]:
        """Yield name and last change of the files that are new or have changed."""

        def failed(error: OSError) -> None:
            if Path(error.filename) == self.path:
                remedy = "make it readable; it is read again the next time"
                raise SourceFailed(f"cannot be read: {error.strerror}", path=self.path, remedy=remedy)
            _tell(error, Path(error.filename), say)

        for folder, folders, files in os.walk(self.path, onerror=failed):
            folders[:] = [name for name in folders if not name.startswith(".")]
            for file in files:
                path = Path(folder, file)
                if file.startswith(".") or path.suffix.lower() not in KINDS:
                    continue
                name = path.relative_to(self.path).as_posix()
                try:
                    leads_out = path.is_symlink() and not path.resolve().is_relative_to(self.path.resolve())
                    found = path.stat()
                except OSError as error:
                    _tell(error, path, say)
                    continue
                if leads_out:
                    say(f"{path}: a link that leads out of the folder; it is left out")
                elif stat.S_ISREG(found.st_mode) and self._read.get(name) != found.st_mtime_ns:
                    yield name, found.st_mtime_ns


def _tell(error: OSError, path: Path, say: Say) -> None:
    """Report a file or folder that cannot be read, unless it was removed meanwhile."""
    if not isinstance(error, FileNotFoundError):
        say(f"{path}: {error.strerror}; it is left out")
