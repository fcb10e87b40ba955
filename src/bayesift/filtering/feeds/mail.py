"""Documents from e-mail: a message, and a mailbox in mbox format, whose new messages are read from where it ended."""

from __future__ import annotations

import email
import email.policy
import hashlib
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage
from email.utils import parsedate_to_datetime
from pathlib import Path
from typing import BinaryIO

from bayesift.corpora import Document
from bayesift.filtering.feeds.limits import MB, Limits, Say, SourceFailed
from bayesift.filtering.feeds.rss import plain

AHEAD = timedelta(days=1)  # by which the clock of a sender may be wrong
BEGIN = b"From "  # of a message in an mbox file, after an empty line
LINE = 1 << 16  # bytes read at a time, at most


def document_of_mail(data: bytes) -> Document:
    r"""Return a message as a document: its subject, its text, and the Message-ID as id.

    >>> document_of_mail(b"Subject: Corn\nMessage-ID: <7@farm>\n\nPrices rose.")
    Document(id='7@farm', title='Corn', body='Prices rose.', labels=None, date=None, split=None)
    """
    message = email.message_from_bytes(data, policy=email.policy.default)
    assert isinstance(message, EmailMessage)
    id = _header(message, "Message-ID").strip("<> ") or f"mail-{hashlib.blake2b(data, digest_size=8).hexdigest()}"
    return Document(id, _header(message, "Subject"), _text(message), date=_date(message))


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


class Mailbox:
    """Reader of an mbox file; each reading yields the messages added since the last confirmed one."""

    def __init__(self, path: Path, limits: Limits) -> None:
        self.path = path
        self.limits = limits
        self._end = self._newest = 0  # of what has been confirmed, and read
        self._inode = -1

    def read(self, say: Say) -> Iterator[Document]:
        """Yield the new messages; one that is too large is left out."""
        try:
            with self.path.open("rb") as file:
                state = self.path.stat()
                if state.st_ino != self._inode or state.st_size < self._end:  # another file, or messages were removed
                    self._end = 0
                self._inode = state.st_ino
                self._newest = file.seek(self._end)
                for start, data, size in _messages(file, self._end, self.limits.size):
                    self._newest = start + size
                    if len(data) < size:
                        say(f"{self.path}: a message of {size / MB:.0f} MB is left out; raise --max-size to read it")
                    else:
                        yield document_of_mail(data)
        except OSError as error:
            raise SourceFailed(error.strerror or str(error), path=self.path) from None

    def confirm(self) -> None:
        """Begin after the messages that were read the next time."""
        self._end = self._newest


def _messages(file: BinaryIO, start: int, most: int) -> Iterator[tuple[int, bytes, int]]:
    """Yield (begin, bytes, size) of each message; of one larger than `most`, only some bytes."""
    lines: list[bytes] = []
    size = 0
    is_first, is_empty = True, True  # part of a line, and the line before
    while line := file.readline(LINE):
        if is_first and is_empty and size and line.startswith(BEGIN):
            yield start, b"".join(lines), size
            start, lines, size = start + size, [], 0
        is_empty = is_first and line in (b"\n", b"\r\n")
        is_first = line.endswith(b"\n")
        if size <= most:
            lines.append(line)
        size += len(line)
    if size:
        yield start, b"".join(lines), size
