"""Which unread records persons have before them, so that no other person is given the same ones.

They matter where one decision per record is enough. They are in the database, since persons may use several processes,
and lapse after a while: a person may have gone.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

import sqlalchemy as sa

from bayesift.filtering.store.schema import screening_holds as table
from bayesift.filtering.store.settings import utc_now

HELD = 2  # records of a person: the one on the screen, and the next one
LEASE = timedelta(minutes=10)


def of_others(connection: sa.Connection, list: str, who: str) -> set[int]:
    """Return the records of a list that others have before them."""
    query = sa.select(table.c.record).where(table.c.list == list, table.c.who != who, table.c.time > utc_now(-LEASE))
    return set(connection.execute(query).scalars())


def are_noted(connection: sa.Connection, list: str, who: str, records: Sequence[int]) -> bool:
    """Return whether the database says that a person has these records, and will say so for some time."""
    fresh = table.c.time > utc_now(-LEASE / 2)
    query = sa.select(table.c.record).where(table.c.list == list, table.c.who == who, fresh)
    return set(connection.execute(query).scalars()) == set(records[:HELD])


def note(connection: sa.Connection, list: str, who: str, records: Sequence[int]) -> None:
    """Write which records a person has now; the caller holds the write lock."""
    mine = table.c.list == list, (table.c.who == who) | table.c.record.in_([int(n) for n in records[:HELD]])
    connection.execute(table.delete().where(*mine))
    now = utc_now()
    rows = [{"list": list, "record": int(number), "who": who, "time": now} for number in records[:HELD]]
    if rows:
        connection.execute(table.insert(), rows)
