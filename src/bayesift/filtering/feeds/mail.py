"""Documents from e-mail: a message, and a mailbox in mbox format, whose new messages are read from where it ended."""

from __future__ import annotations

import email
import email.policy
import hashlib
import os
import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage
from email.utils import parsedate_to_datetime
from pathlib import Path
from typing import BinaryIO, NamedTuple

import msgspec

from bayesift.corpora import Document
from bayesift.filtering.feeds.limits import MB, Find, Limits, Say, SourceFailed
from bayesift.filtering.feeds.rss import plain
from bayesift.filtering.feeds.settled import Unsettled, settled

AHEAD = timedelta(days=1)  # by which the clock of a sender may be wrong
BEGIN = b"From "  # of a message in an mbox file, after an empty line
QUOTED = re.compile(r"^>(>*From )", re.MULTILINE)
EMPTY = (b"\n", b"\r\n")
LINE = 1 << 16  # bytes read at a time, at most
PEEK = 16  # bytes after a message, to see whether it was complete


def document_of_mail(data: bytes) -> Document:
    r"""Return a message as a document: its subject, its text, and the Message-ID as id.

    >>> document_of_mail(b"Subject: Corn\nMessage-ID: <7@farm>\n\nPrices rose.")
    Document(id='7@farm', title='Corn', body='Prices rose.', labels=None, date=None, split=None)
    """
    message = email.message_from_bytes(data, policy=email.policy.default)
    assert isinstance(message, EmailMessage)
    id = _header(message, "Message-ID").strip("<> ") or f"mail-{hashlib.blake2b(data, digest_size=8).hexdigest()}"
    return Document(id, _header(message, "Subject"), _text(message), date=_date(message))


def _unquoted(document: Document) -> Document:
    """Return a message of a mailbox with its lines "From ..." as they were: in a mailbox they begin with ">"."""
    return msgspec.structs.replace(document, body=QUOTED.sub(r"\1", document.body))


def _header(message: EmailMessage, name: str) -> str:
    try:
        return " ".join(str(message.get(name, "")).split())
    except Exception:  # headers that Python's parser cannot read raise errors of many kinds
        return ""


def _text(message: EmailMessage) -> str:
    """Return the plain text, or that of the HTML part."""
    try:
        part = message.get_body(preferencelist=("plain", "html"))
        if part is None:
            return ""
        content = part.get_content()
    except Exception:  # an unknown character set, a damaged part: what can be read of it
        raw = message.get_payload(decode=True)
        return raw.decode("utf-8", "replace") if isinstance(raw, bytes) else ""
    return plain(content) if part.get_content_subtype() == "html" else str(content).strip()


def _date(message: EmailMessage) -> str | None:
    """Return the date of a message in ISO 8601; None if it has none, or one of the future."""
    try:
        moment = parsedate_to_datetime(_header(message, "Date")).astimezone(UTC)
        return moment.isoformat(timespec="seconds") if moment < datetime.now(UTC) + AHEAD else None
    except (ValueError, TypeError, OverflowError):
        return None


class _Message(NamedTuple):
    """Where a message of a mailbox begins and ends; of one that is too large, only some bytes are there."""

    begin: int = 0
    end: int = 0
    data: bytes = b""


class Mailbox:
    """Reader of an mbox file; each reading yields the messages added since the last confirmed one.

    As in a folder, a file that has changed within the last second is waited for. If it goes on changing, its last
    message is left for the next reading.
    """

    def __init__(self, path: Path, limits: Limits) -> None:
        self.path = path
        self.limits = limits
        self._last = self._newest = _Message()  # the last one that has been confirmed, and read; without its bytes
        self._inode = -1

    def read(self, say: Say, find: Find | None = None) -> Iterator[Document]:
        """Yield the new messages; one that is too large is left out. Message-IDs are unique, without `find`."""
        try:
            size, is_complete = self._size(say)
            with self.path.open("rb") as file:
                self._newest = self._start(file)
                for message in _messages(file, self._newest.end, size, self.limits.size, is_complete):
                    self._newest = message._replace(data=b"")
                    length = message.end - message.begin
                    if len(message.data) < length:
                        say(f"{self.path}: a message of {length / MB:.0f} MB is left out; raise --max-size to read it")
                    else:
                        yield _unquoted(document_of_mail(message.data))
        except OSError as error:
            reason = f"cannot be read: {error.strerror or error}"
            raise SourceFailed(reason, path=self.path, remedy="it is read again the next time") from None

    def confirm(self) -> None:
        """Begin after the messages that were read the next time."""
        self._last = self._newest

    def _size(self, say: Say) -> tuple[int, bool]:
        """Return how many bytes to read, and whether the last message is complete with them."""
        try:
            return settled(self.path, lambda file: file.seek(0, os.SEEK_END)), True
        except Unsettled:
            say(f"{self.path}: is still being written; its last message is read the next time")
            return self.path.stat().st_size, False

    def _start(self, file: BinaryIO) -> _Message:
        """Return the message after which to begin."""
        state = os.fstat(file.fileno())
        is_other = state.st_ino != self._inode or state.st_size < self._last.end  # or messages were removed
        self._inode = state.st_ino
        if is_other:
            return _Message()
        file.seek(self._last.end)
        rest = file.read(PEEK).lstrip(b"\r\n")[: len(BEGIN)]
        if BEGIN.startswith(rest):
            return self._last
        return _Message(end=self._last.begin)  # the last one went on after a long pause: read all of it


def _messages(file: BinaryIO, start: int, end: int, most: int, is_complete: bool) -> Iterator[_Message]:
    """Yield the messages between two places, the last one only if it is complete."""
    file.seek(start)
    end = max(start, end)
    lines: list[bytes] = []
    size = 0
    is_first, is_empty = True, True  # part of a line, and the line before
    while line := file.readline(min(LINE, end - start - size)):
        if not size and line in EMPTY:  # between two messages
            start += len(line)
            continue
        if is_first and is_empty and size and line.startswith(BEGIN):
            yield _Message(start, start + size, b"".join(lines))
            start, lines, size = start + size, [], 0
        is_empty = is_first and line in EMPTY
        is_first = line.endswith(b"\n")
        if size <= most:
            lines.append(line)
        size += len(line)
    if size and is_complete:
        yield _Message(start, start + size, b"".join(lines))
