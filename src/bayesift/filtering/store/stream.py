"""Documents come: store them, and let the topic groups decide about them, in one transaction."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from bayesift.corpora import Document
from bayesift.errors import BadInput, Notice
from bayesift.filtering.items import Item
from bayesift.filtering.store import documents as table
from bayesift.filtering.store.documents import NewDocument
from bayesift.filtering.store.groups import Groups
from bayesift.filtering.store.settings import utc_now
from bayesift.text.documents import plain_texts
from bayesift.text.meaning.encoder import encoded
from bayesift.text.meaning.sources import CORPUS, encoder_of


def batches(documents: Iterable[NewDocument], size: int) -> Iterator[list[NewDocument]]:
    """Yield documents in lists of some size."""
    if size < 1:
        raise BadInput(f"batch is {size!r}", remedy="give a whole number from 1 on")
    documents = iter(documents)
    while part := list(islice(documents, size)):
        yield part


def add(groups: Groups, part: list[NewDocument]) -> int:
    """Store documents, and return how many are new."""
    with groups.catalogue() as connection:
        new, differ = table.insert_new(connection, part, utc_now())
    _warn(differ)
    return len(new)


def read_ahead(groups: Groups, part: Sequence[Document]) -> None:
    """Let the encoder, if there is one, read documents before the database is locked; it remembers their vectors."""
    encoder = encoder_of(groups.meaning)
    if encoder is not None:
        encoded(encoder, plain_texts(part, strip=True))


def process(groups: Groups, part: list[NewDocument]) -> tuple[list[Item], bool]:
    """Store documents and decide about them; return what is shown, and whether all groups have decided.

    A group that has not received all documents before these does not decide: `work` lets it, in the right order.
    """
    with groups.changing(range(groups.number), catalogue=True) as (connection, found):
        last = table.last_number(connection)
        new, differ = table.insert_new(connection, part, utc_now())
        ready = [group for group in found if table.is_last(connection, group.at.received, last)]
        items = [item for group in ready for item in group.decide(new, last + len(new))]
    _warn(differ)
    place = {document.id: i for i, document in enumerate(new)}
    return sorted(items, key=lambda item: place[item.document]), len(ready) == len(found)


def work(groups: Groups, number: int, batch: int) -> list[Item] | None:
    """Let a group decide about stored documents; return what is shown, or None if there was nothing to do."""
    if groups.meaning != CORPUS:
        with groups.using(number) as group, groups.reading() as connection:
            coming = islice(table.between(connection, group.at.received, table.last_number(connection), batch), batch)
            some = [row.document() for row in coming]
        read_ahead(groups, some)
    with groups.changing([number]) as (connection, (group,)):
        last = table.last_number(connection)
        rows = list(islice(table.between(connection, group.at.received, last, batch), batch))
        return group.decide([row.document() for row in rows], rows[-1].number) if rows else None


def _warn(differ: list[str]) -> None:
    if differ:
        some = ", ".join(map(repr, differ[:3])) + (" ..." if len(differ) > 3 else "")
        number = f"{len(differ)} document{'s' * (len(differ) > 1)}"
        message = f"{number} came again with another text, which is not stored: {some}"
        warnings.warn(message, Notice, stacklevel=4)
