"""What may be read from a source that others write, and the error if it is more."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from bayesift.corpora import Document
from bayesift.errors import BayesiftError
from bayesift.filtering.incoming import valid_text

if TYPE_CHECKING:
    from bayesift.filtering.store.documents import StoredDocument

MB = 1_000_000
DAMAGED = "look at it, or tell its owner; it is read again the next time"

Say = Callable[[str], None]  # where a source says what it left out
Find = Callable[[str], "StoredDocument | None"]  # returns the stored document with an id: `Workspace.document`


class SourceFailed(BayesiftError, OSError):
    """Source that cannot be read now; also an OSError. The next reading may succeed, and nothing is lost by waiting."""


@dataclass(frozen=True)
class Limits:
    """Limits for one reading of a source.

    Parameters
    ----------
    seconds : time for one download, with all redirects.
    size : bytes of a download, a file or a message.
    text : characters of one document; the rest is cut off.
    redirects : redirects of one download.
    private : whether private and loopback addresses may be contacted.
    """

    seconds: float = 30.0
    size: int = 10 * MB
    text: int = MB
    redirects: int = 5
    private: bool = False


class Entry(NamedTuple):
    """A document and the page it was taken from, if there is one."""

    document: Document
    url: str | None = None

    def as_dict(self) -> dict[str, Any]:
        """Return the document as `process` takes it, with the address of the page."""
        d = self.document
        return {"id": d.id, "title": d.title, "body": d.body, "date": d.date, "url": self.url}


def readable(name: str, entries: Iterable[Entry]) -> Iterator[Entry]:
    """Yield entries; where reading them raises an error of any kind, raise `SourceFailed` with the source's name.

    What others write may be damaged in ways that a parser does not foresee: feedparser raises ValueError,
    UnicodeDecodeError and others.
    """
    try:
        yield from entries
    except BayesiftError:
        raise
    except Exception as error:
        reason = getattr(error, "strerror", None) or f"{type(error).__name__}: {error}"
        raise SourceFailed(f"cannot be read: {valid_text(reason)[:200]}", path=name, remedy=DAMAGED) from error


def shortened(document: Document, limits: Limits, say: Say) -> Document:
    """Return the document with a text that is not too long.

    >>> shortened(Document("1", body="abcdef"), Limits(text=3), print).body
    1 has 6 characters; the first 3 are read
    'abc'
    """
    if len(document.body) <= limits.text:
        return document
    say(f"{document.id} has {len(document.body):,} characters; the first {limits.text:,} are read")
    return msgspec.structs.replace(document, body=document.body[: limits.text])
