"""A source of documents by its name: a URL is a feed, a folder is watched, a file is a mailbox or a saved feed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Protocol
from urllib.parse import urlunsplit

from bayesift.errors import BadInput, NotFound
from bayesift.filtering.feeds.addresses import split_url, without_login
from bayesift.filtering.feeds.fetch import Version, fetch
from bayesift.filtering.feeds.folder import Folder
from bayesift.filtering.feeds.limits import Entry, Find, Limits, Say, SourceFailed, readable, shortened
from bayesift.filtering.feeds.mail import BEGIN, Mailbox
from bayesift.filtering.feeds.rss import entries, parser

__all__ = ["Feed", "Source", "SourceFailed", "source_of"]

REMEDY = "give a URL with https://, a folder or an mbox file"
LONGEST = 80  # characters of a name that an error shows, if it is too long for a file


class Source(Protocol):
    """Something that documents come from, read again and again."""

    name: str  # without passwords

    def read(self, say: Say, find: Find | None = None) -> Iterator[Entry]:
        """Yield what is new since the last confirmed reading, and say what is left out; raise `SourceFailed`.

        With `find`, such as `Workspace.document`, no document gets the id of a stored one that has another source,
        unless the id means the same document everywhere, as URLs and Message-IDs do.
        """

    def confirm(self) -> None:
        """Note that what was read is stored: it is not read again."""


class Feed:
    """RSS or Atom feed at a URL; it is downloaded only if it has changed.

    >>> Feed("https://me:secret@example.org/news.xml").name
    'https://example.org/news.xml'
    """

    def __init__(self, url: str, limits: Limits | None = None) -> None:
        self.url = url
        self.limits = limits or Limits()
        self.name = without_login(urlunsplit(split_url(url)))
        self._version = self._newest = Version()

    def read(self, say: Say, find: Find | None = None) -> Iterator[Entry]:
        """Yield the entries of the feed, oldest first, if it has changed."""
        return readable(self.name, self._entries(say))

    def _entries(self, say: Say) -> Iterator[Entry]:
        found = fetch(self.url, self._version, self.limits)
        if found is None:
            return
        yield from entries(found.body, found.url, found.content_type, self.limits, say)
        self._newest = found.version

    def confirm(self) -> None:
        """Note the version that was read, so that it is not downloaded again."""
        self._version = self._newest


class _Files:
    """Folder or mailbox."""

    def __init__(self, path: Path, reader: Folder | Mailbox, limits: Limits) -> None:
        self.name = str(path)
        self.reader = reader
        self.limits = limits

    def read(self, say: Say, find: Find | None = None) -> Iterator[Entry]:
        return readable(self.name, self._entries(say, find))

    def _entries(self, say: Say, find: Find | None) -> Iterator[Entry]:
        for document in self.reader.read(say, find):
            if document.body or document.title:
                yield Entry(shortened(document, self.limits, say))
            else:
                say(f"{self.name}: {document.id} has no text and is left out")

    def confirm(self) -> None:
        self.reader.confirm()


class _SavedFeed:
    """RSS or Atom feed in a file."""

    def __init__(self, path: Path, limits: Limits) -> None:
        self.path, self.limits = path, limits
        self.name = str(path)
        self._read = self._newest = -1  # time of its last change

    def read(self, say: Say, find: Find | None = None) -> Iterator[Entry]:
        return readable(self.name, self._entries(say))

    def _entries(self, say: Say) -> Iterator[Entry]:
        self._newest = self.path.stat().st_mtime_ns
        if self._newest == self._read:
            return
        if self.path.stat().st_size > self.limits.size:
            raise SourceFailed(f"is larger than {self.limits.size:,} bytes", path=self.path, remedy="raise --max-size")
        yield from entries(self.path.read_bytes(), self.name, "application/xml", self.limits, say)

    def confirm(self) -> None:
        self._read = self._newest


def source_of(name: str, limits: Limits | None = None) -> Source:
    """Return the source with this name.

    Parameters
    ----------
    name : URL of a feed (http or https), a folder, or a file in mbox, RSS or Atom format.
    limits : limits for reading it.

    Raises
    ------
    NotFound
        If the file or folder, or the package that reads feeds, is missing.
    BadInput
        If it is none of these, or cannot be read.
    """
    limits = limits or Limits()
    if not name.strip():
        raise BadInput("a source has no name", remedy=REMEDY)
    if "://" in name:
        parser()  # is it installed?
        return Feed(name, limits)
    try:
        return _of_files(name, limits)
    except OSError as error:
        raise BadInput(f"cannot be read: {error.strerror}", path=name[:LONGEST], remedy=REMEDY) from None


def _of_files(name: str, limits: Limits) -> Source:
    """Return the source of a folder, a mailbox or a saved feed."""
    path = Path(name)
    if path.is_dir():
        return _Files(path, Folder(path, limits), limits)
    if not path.exists():
        raise NotFound("no such file or folder", path=name, remedy=REMEDY)
    if not path.is_file():  # a pipe would be waited for
        raise BadInput("is neither a file nor a folder", path=name, remedy="put text files in a folder and name it")
    try:
        with path.open("rb") as file:
            head = file.read(1024).lstrip(b"\xef\xbb\xbf \r\n\t")
    except OSError as error:
        raise BadInput(f"cannot be read: {error.strerror}", path=name, remedy="make it readable") from None
    if not head or head.startswith(BEGIN):
        return _Files(path, Mailbox(path, limits), limits)
    if head.startswith(b"<"):
        parser()
        return _SavedFeed(path, limits)
    lines = f"JSON lines are for bayesift filter run: bayesift filter run WORKSPACE < {name}"
    remedy = f"put text files in a folder and name it; {lines}"
    raise BadInput("is neither a mailbox (mbox) nor a feed", path=name, remedy=remedy)
