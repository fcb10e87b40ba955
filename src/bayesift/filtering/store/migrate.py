"""Bring the tables of a workspace to the version of this bayesift."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import sqlalchemy as sa

from bayesift import __version__
from bayesift.errors import BadInput, NotFound
from bayesift.filtering.store import schema
from bayesift.filtering.store.database import Database
from bayesift.filtering.store.locking import CATALOGUE

CREATE = "create one: bayesift filter new"
OTHER = "choose another name"
MIGRATIONS = Path(__file__).parent / "migrations"


def create_tables(database: Database, fill: Callable[[sa.Connection], None] = lambda connection: None) -> None:
    """Create the tables of a new workspace and `fill` them, all or nothing; raise BadInput if something is there."""
    if database.path is not None and database.path.exists() and database.path.stat().st_size:
        if not database.is_marked:
            raise BadInput("already exists and is not a workspace", path=database.name, remedy=OTHER)
        if version_of(database) is not None:  # else the process that created it was killed
            raise BadInput("already exists", path=database.name, remedy=OTHER)
    if database.path is not None and not database.path.parent.is_dir():
        raise NotFound(f"no such folder: {database.path.parent}", path=database.name, remedy="create it first")
    if database.is_sqlite:
        database.mark()
    with database.write(CATALOGUE) as connection:
        found = sa.inspect(connection).get_table_names()
        if schema.VERSION_TABLE in found:
            raise BadInput("already is a workspace", path=database.name, remedy="open it, or choose another database")
        taken = sorted(set(found) & set(schema.metadata.tables))
        if taken:
            reason = f"has tables of another program: {', '.join(taken)}"
            raise BadInput(reason, path=database.name, remedy="choose another database or schema")
        _upgrade(connection)
        fill(connection)


def check_tables(database: Database, write: bool) -> None:
    """Migrate the tables if they are of an older version; raise if they are newer, missing or of another program."""
    if database.path is not None:
        if database.path.is_dir():
            raise BadInput("is a folder", path=database.name, remedy="name a file")
        if not database.path.exists():
            raise NotFound("no such workspace", path=database.name, remedy=CREATE)
    found = version_of(database) if database.is_marked else None
    if found is None:
        raise BadInput("is not a workspace", path=database.name, remedy=CREATE)
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
