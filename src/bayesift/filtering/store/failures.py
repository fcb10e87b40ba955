"""Errors of the database in plain words: what failed, where, and what to do."""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Iterator

from sqlalchemy.exc import DBAPIError, SQLAlchemyError

from bayesift.errors import BadInput, BayesiftError

UNCHANGED = "nothing was written; "


class StoreFailed(BayesiftError, OSError):
    """Database that cannot be read or written now: full disk, lost connection, locked; also an OSError.

    What was acknowledged before is kept. The same call can be made again once the cause is removed.
    """


_SQLITE = {
    "database or disk is full": ("the disk is full", "free some space and try again"),
    "disk i/o error": ("the disk cannot be read or written", "check it for free space and errors, and try again"),
    "database is locked": ("the database is locked by another program", "close that program, or try again later"),
    "readonly database": ("the database is read-only", "make the file and its folder writable"),
    "unable to open database file": (
        "the database cannot be opened",
        "check that the folder exists and is writable, or copy it, with its -wal file, to a folder of yours",
    ),
    "malformed": ("the database is damaged", "restore a backup, or import an export"),
}
_POSTGRESQL = {
    "53100": ("the disk of the database server is full", "free some space there and try again"),
    "53300": ("the database server has no free connections", "close some clients, or try again later"),
    "55P03": ("the database is locked by another program", "close that program, or try again later"),
    "42501": ("no permission for this database", "ask its owner for the right to create and change tables"),
    "28P01": ("the database server does not accept the password", "check user and password in the URL"),
    "3D000": ("no such database", "create it: createdb NAME"),
}
_FOREIGN = "choose another name, or create a workspace: bayesift filter new"


@contextlib.contextmanager
def explained(where: str) -> Iterator[None]:
    """Turn errors of the database into `StoreFailed` or `BadInput` that name the workspace."""
    try:
        yield
    except DBAPIError as error:
        raise _translated(error.orig, where) from error
    except sqlite3.Error as error:  # of a statement that SQLAlchemy did not execute
        raise _translated(error, where) from error
    except SQLAlchemyError as error:
        raise StoreFailed(f"the database failed: {error}", path=where) from error


def _translated(error: BaseException | None, where: str) -> BayesiftError:
    """Return the error for one of the database's driver."""
    message = str(error).strip().split("\n")[0]
    if "file is not a database" in message:
        return BadInput("is not a workspace", path=where, remedy=_FOREIGN)
    for phrase, (reason, remedy) in _SQLITE.items():
        if phrase in message.lower():
            return StoreFailed(reason, path=where, remedy=remedy)
    code = getattr(error, "sqlstate", None)
    if code in _POSTGRESQL:
        reason, remedy = _POSTGRESQL[code]
        return StoreFailed(reason, path=where, remedy=remedy)
    if type(error).__name__ in ("OperationalError", "InterfaceError", "AdminShutdown", "CannotConnectNow"):
        return StoreFailed(f"no connection to the database: {message}", path=where, remedy="try again when it is back")
    return StoreFailed(f"the database failed: {message}", path=where)
