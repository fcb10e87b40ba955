"""The tables of a workspace: created by migrations, checked when it is opened."""

import contextlib
import shutil
import sqlite3
import subprocess
import sys
import time

import pytest
import sqlalchemy as sa
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory

from bayesift.errors import BadInput, NotFound
from bayesift.filtering.store import Workspace, migrate, schema
from bayesift.filtering.store.database import Database, url_of
from bayesift.filtering.store.failures import StoreFailed
from bayesift.filtering.store.locking import CATALOGUE, FileLock, group_key


@pytest.fixture
def database(url):
    database = Database(url, wait=0.2)
    migrate.create_tables(database)
    yield database
    database.close()


def test_migrations_lead_to_the_tables_of_the_schema(database):
    def ours(thing, name, kind, *_):
        search = (schema.SEARCH_TABLE, schema.RECORDS_SEARCH_TABLE)
        return not (kind == "table" and name.startswith(search)) and name not in search

    with database.engine.connect() as connection:
        context = MigrationContext.configure(
            connection, opts={"version_table": schema.VERSION_TABLE, "include_object": ours}
        )
        assert compare_metadata(context, schema.metadata) == []
        assert context.get_current_revision() == schema.HEAD
    scripts = ScriptDirectory(str(migrate.MIGRATIONS))
    assert scripts.get_heads() == [schema.HEAD]


def test_tables_are_as_promised_on_sqlite(tmp_path):
    database = Database(tmp_path / "a.db", wait=3.0)
    migrate.create_tables(database)
    with database.read() as connection:
        asked = ("journal_mode", "foreign_keys", "busy_timeout", "synchronous")
        assert [connection.exec_driver_sql(f"PRAGMA {p}").scalar() for p in asked] == ["wal", 1, 3000, 2]


def test_creating_twice_is_an_error(database, url):
    with pytest.raises(BadInput, match="already"):
        migrate.create_tables(database)


def test_what_another_process_creates_meanwhile_is_kept(tmp_path, monkeypatch):
    """Another process creates the workspace between the new file and the lock, or is still writing it."""
    real, name = Database.mark, tmp_path / "news.db"

    def mark(self):
        real(self)
        monkeypatch.setattr(Database, "mark", real)
        Workspace.create(name).close()

    monkeypatch.setattr(Database, "mark", mark)
    with pytest.raises(BadInput, match="already is a workspace"):
        Workspace.create(name)
    Workspace.open(name).close()

    def mark_and_hold(self):
        real(self)
        stack.enter_context(FileLock(tmp_path / "other.db", 0.0).held())
        self.lock.wait = 0.0

    monkeypatch.setattr(Database, "mark", mark_and_hold)
    with contextlib.ExitStack() as stack, pytest.raises(StoreFailed, match="is being written by"):
        Workspace.create(tmp_path / "other.db")
    assert (tmp_path / "other.db").exists()


def test_a_newer_schema_is_an_error(database):
    with database.write(CATALOGUE) as connection:
        connection.execute(sa.text(f"UPDATE {schema.VERSION_TABLE} SET version_num = '9999'"))
    with pytest.raises(BadInput, match=r"newer bayesift: its tables have version 9999.*upgrade"):
        migrate.check_tables(database, write=True)


NEXT = """
import sqlalchemy as sa
from alembic import op
revision, down_revision = "9000", "{head}"
def upgrade():
    op.add_column("topics", sa.Column("colour", sa.Text))
"""


def test_an_older_schema_is_migrated_by_a_writer(database, tmp_path, monkeypatch):
    shutil.copytree(migrate.MIGRATIONS, tmp_path / "migrations")
    (tmp_path / "migrations" / "versions" / "v9000_colour.py").write_text(NEXT.format(head=schema.HEAD))
    monkeypatch.setattr(migrate, "MIGRATIONS", tmp_path / "migrations")
    before = schema.HEAD
    monkeypatch.setattr(schema, "HEAD", "9000")
    with pytest.raises(BadInput, match=f"older bayesift: its tables have version {before}; open it for writing once"):
        migrate.check_tables(database, write=False)
    migrate.check_tables(database, write=True)
    assert migrate.version_of(database) == "9000"
    with database.read() as connection:
        assert "colour" in {column["name"] for column in sa.inspect(connection).get_columns("topics")}


def test_deliveries_of_an_older_schema_stay(url, monkeypatch):
    with monkeypatch.context() as older:
        older.setattr(schema, "HEAD", "0006")
        database = Database(url, wait=0.2)
        migrate.create_tables(database)
    with database.write(CATALOGUE) as connection:
        for row in (
            "topic_groups VALUES (0, 1, 1)",
            "topics VALUES (7, 'corn', 0, 'active', '2026-01-01')",
            "documents (number, id, on_stream, hash, added) VALUES (3, 'a', true, '', '2026-01-01')",
            "deliveries VALUES (7, 3, 'asked', 'waiting', 0.25, 0.1, 0.9, 0.5, '[]', '2026-01-02')",
        ):
            connection.execute(sa.text(f"INSERT INTO {row}"))
    migrate.check_tables(database, write=True)
    with database.read() as connection:
        rows = connection.execute(sa.select(schema.deliveries)).all()
        assert [tuple(row) for row in rows] == [(7, 3, "asked", "waiting", 0.25, 0.5, "2026-01-02")]
        indices = {index["name"] for index in sa.inspect(connection).get_indexes("deliveries")}
        assert indices == {index.name for index in schema.deliveries.indexes}
    database.close()


def test_files_of_other_programs_are_errors(tmp_path):
    (tmp_path / "notes.txt").write_text("not a database\n" * 500)
    with sqlite3.connect(tmp_path / "other.db") as other:
        other.execute("CREATE TABLE documents (x)")
    for name in ("notes.txt", "other.db"):
        before = (tmp_path / name).read_bytes()
        with pytest.raises(BadInput, match="is not a workspace"):
            migrate.check_tables(Database(tmp_path / name, 0.1), write=True)
        with pytest.raises(BadInput, match="is not a workspace"):
            migrate.create_tables(Database(tmp_path / name, 0.1))
        assert (tmp_path / name).read_bytes() == before
    with pytest.raises(NotFound, match=r"no such workspace.*bayesift filter new"):
        migrate.check_tables(Database(tmp_path / "missing.db", 0.1), write=True)
    assert not (tmp_path / "missing.db").exists()
    with pytest.raises(BadInput, match="is a folder"):
        migrate.check_tables(Database(tmp_path, 0.1), write=True)
    with pytest.raises(NotFound, match="no such folder"):
        migrate.create_tables(Database(tmp_path / "no" / "a.db", 0.1))


def test_tables_of_another_program_on_postgresql_are_an_error(server):
    database = Database(server.new(), 0.1)
    with database.engine.begin() as connection:
        connection.execute(sa.text("CREATE TABLE topics (x int)"))
    with pytest.raises(BadInput, match="is not a workspace"):
        migrate.check_tables(database, write=True)
    with pytest.raises(BadInput, match="tables of another program: topics"):
        migrate.create_tables(database)
    database.close()


def test_urls():
    assert url_of("postgres://me@host/news").drivername == "postgresql+psycopg"
    assert url_of("sqlite:///news.db").database == "news.db"
    for wrong, message in (("mysql://host/x", "'mysql' are not supported"), ("://", "not a database URL")):
        with pytest.raises(BadInput, match=message):
            url_of(wrong)


def test_no_password_in_errors():
    database = Database("postgresql://me:secret@127.0.0.1:1/news", wait=0.1)
    with pytest.raises(StoreFailed, match="no connection to the database") as error:
        migrate.check_tables(database, write=True)
    assert "secret" not in str(error.value)


HOLD = """
import sys, time
from bayesift.filtering.store.database import Database
with Database(sys.argv[1], 1.0).write(1) as connection:
    print("held", flush=True)
    time.sleep(60)
"""


def test_the_error_of_a_second_writer_names_the_first(database, url):
    holder = subprocess.Popen([sys.executable, "-c", HOLD, url], stdout=subprocess.PIPE)
    assert holder.stdout.readline() == b"held\n"
    named = rf"is being written by process {holder.pid} on .* since 20"
    with pytest.raises(StoreFailed, match=named), database.write(group_key(0)):
        pass
    with database.read() as connection:  # readers do not wait
        assert connection.execute(sa.select(schema.settings)).all() == []
    holder.kill()
    holder.wait()
    with database.write(group_key(0)):  # the lock ends with its process
        pass


def test_a_database_locked_by_another_program_is_an_error(tmp_path):
    database = Database(tmp_path / "a.db", wait=0.2)
    migrate.create_tables(database)
    other = sqlite3.connect(tmp_path / "a.db", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    begin = time.monotonic()
    with pytest.raises(StoreFailed, match="locked by another program"), database.write(CATALOGUE):
        pass
    assert time.monotonic() - begin >= 0.2  # it waited
    other.close()
    with database.write(CATALOGUE):
        pass
