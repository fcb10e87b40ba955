"""Bring the tables of a workspace to the version of this bayesift."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import sqlalchemy as sa

from bayesift import __version__
from bayesift.errors import BadInput, NotFound
from bayesift.filtering.store import schema
from bayesift.filtering.store.database import Database
from bayesift.filtering.store.locking import CATALOGUE, Held

CREATE = {"workspace": "create one: bayesift filter new", "review": "create one: bayesift screen new"}
USE = {"workspace": "use it with bayesift filter", "review": "use it with bayesift screen"}
OTHER = "choose another name"
ENDINGS = ("", "-wal", "-shm", ".lock")  # of the files of a SQLite database
MIGRATIONS = Path(__file__).parent / "migrations"


class Taken(BadInput):
    """Something that is where a new workspace should be."""


def create_tables(database: Database, fill: Callable[[sa.Connection], None] = lambda connection: None) -> None:
    """Create the tables of a new workspace and `fill` them, all or nothing; raise BadInput if something is there."""
    _check_path(database)
    is_new = _made(database.path)
    try:
        if database.is_sqlite:
            database.mark()
        with database.write(CATALOGUE) as connection:
            _check_free(connection, database.name)
            _upgrade(connection)
            fill(connection)
    except BaseException as error:
        database.close()
        is_taken = isinstance(error, Taken | Held)  # another process has created a workspace there, or does so now
        if database.path is not None and is_new and not is_taken:
            for ending in ENDINGS:
                database.path.with_name(database.path.name + ending).unlink(missing_ok=True)
        raise


def _check_path(database: Database) -> None:
    """Raise if there is something at the path of a new workspace, or no folder for it."""
    if database.path is not None and database.path.is_dir():
        raise BadInput("is a folder", path=database.name, remedy="name a file")
    if database.path is not None and database.path.exists() and database.path.stat().st_size:
        if not database.is_marked:
            raise BadInput("already exists and is not a workspace", path=database.name, remedy=OTHER)
        if version_of(database) is not None:  # else the process that created it was killed
            raise BadInput("already exists", path=database.name, remedy=OTHER)
    if database.path is not None and not database.path.parent.is_dir():
        raise NotFound(f"no such folder: {database.path.parent}", path=database.name, remedy="create it first")


def _check_free(connection: sa.Connection, name: str) -> None:
    """Raise BadInput if there are tables of a workspace, or some with the same names."""
    found = sa.inspect(connection).get_table_names()
    if schema.VERSION_TABLE in found:
        raise Taken("already is a workspace", path=name, remedy="open it, or choose another database")
    taken = sorted(set(found) & set(schema.metadata.tables))
    if taken:
        reason = f"has tables of another program: {', '.join(taken)}"
        raise Taken(reason, path=name, remedy="choose another database or schema")


def _made(path: Path | None) -> bool:
    """Make an empty file, and return whether it was not there; SQLite says why if it cannot be made."""
    try:
        if path is not None:
            path.touch(0o644, exist_ok=False)
    except OSError:
        return False
    return path is not None


def check_tables(database: Database, write: bool, kind: str | None = "workspace") -> None:
    """Migrate the tables if they are of an older version; raise if they are newer, missing or of another program.

    A database is a "workspace" of a filter or a "review" of records; opening one as the other is an error, too.
    None is either.
    """
    name = kind or "workspace"
    if database.path is not None:
        if database.path.is_dir():
            raise BadInput("is a folder", path=database.name, remedy="name a file")
        if not database.path.exists():
            raise NotFound(f"no such {name}", path=database.name, remedy=CREATE[name])
    found = version_of(database) if database.is_marked else None
    if found is None:
        raise BadInput(f"is not a {name}", path=database.name, remedy=CREATE[name])
    is_kind = kind_of(database)
    if kind is not None and is_kind != kind:
        raise BadInput(f"is a {is_kind}, not a {kind}", path=database.name, remedy=USE[is_kind])
    if found == schema.HEAD:
        return
    if found > schema.HEAD:
        raise BadInput(
            f"was written by a newer bayesift: its tables have version {found}; this is {__version__}, which knows "
            f"{schema.HEAD}",
            path=database.name,
            remedy="upgrade bayesift",
        )
    if not write:
        reason = f"was written by an older bayesift: its tables have version {found}"
        raise BadInput(reason, path=database.name, remedy="open it for writing once, which brings it up to date")
    with database.write(CATALOGUE) as connection:
        _upgrade(connection)


def kind_of(database: Database) -> str:
    """Return what a database is: "workspace" or "review"."""
    with database.read() as connection:
        query = sa.select(schema.settings.c.value).where(schema.settings.c.name == schema.KIND)
        return "workspace" if connection.execute(query).scalar() is None else "review"


def version_of(database: Database) -> str | None:
    """Return the version of the tables, or None if this is not a workspace."""
    with database.read() as connection:
        if not sa.inspect(connection).has_table(schema.VERSION_TABLE):
            return None
        return connection.execute(sa.text(f"SELECT version_num FROM {schema.VERSION_TABLE}")).scalar()


def _upgrade(connection: sa.Connection) -> None:
    """Apply the migrations that are missing, within the transaction of the connection."""
    from alembic.config import Config  # slow to import, and rarely needed
    from alembic.runtime.environment import EnvironmentContext
    from alembic.script import ScriptDirectory

    scripts = ScriptDirectory(str(MIGRATIONS))
    environment = EnvironmentContext(
        Config(), scripts, fn=lambda found, _: scripts._upgrade_revs(schema.HEAD, found)
    )  # fmt: skip
    with environment:
        environment.configure(connection=connection, version_table=schema.VERSION_TABLE)
        environment.run_migrations()
