"""Full disks and lost databases: an error, nothing lost, and the same workspace goes on afterwards."""

import contextlib
import os
import shutil
import sqlite3
import subprocess
import warnings
from pathlib import Path

import psycopg
import pytest
from sqlalchemy import event
from tests.service.children import Child
from tests.service.postgres import Server
from tests.service.states import replayed, states
from tests.service.streams import BUSY, documents

from bayesift.errors import BayesiftError, Notice
from bayesift.filtering.screening.review import Review
from bayesift.filtering.store import StoreFailed, Workspace


@pytest.fixture
def small_disk(tmp_path):
    """Mount a disk of 12 MB; the test is skipped where that is not permitted."""
    folder = tmp_path / "disk"
    folder.mkdir()
    done = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=12m,mode=777", "none", folder], capture_output=True)
    if done.returncode:
        pytest.skip("needs the right to mount a small disk")
    yield folder
    subprocess.run(["umount", "-l", folder], check=True)


@pytest.fixture
def own_server(server):
    """Start a server for one test, which may damage it."""
    own = Server(server.programs)
    own.start()
    yield own
    own.remove()


def fill_up(folder: Path) -> Path:
    """Leave no free space on a disk; return the file that takes it."""
    filler = folder / "filler"
    file = os.open(filler, os.O_WRONLY | os.O_CREAT)
    with contextlib.suppress(OSError):
        while True:
            os.write(file, b"x" * 4096)
    os.close(file)
    return filler


def start(url):
    workspace = Workspace.create(url, groups=1, **BUSY)
    workspace.add_topic("oil", about="crude oil")
    return workspace, list(workspace.process(documents(60)))


def check_goes_on(workspace, shown):
    """Check that what failed works now, and that what was acknowledged before is there."""
    before = states(workspace)
    assert workspace.status().documents == 60
    workspace.judge("oil", shown[0].document, True)
    list(workspace.process(documents(400)))
    assert workspace.status().documents == 400
    after = states(workspace)
    assert after != before
    assert replayed(workspace) == after


def test_a_full_disk_on_sqlite(small_disk):
    workspace, shown = start(small_disk / "news.db")
    filler = fill_up(small_disk)
    with pytest.raises(StoreFailed, match=r"disk is full|disk cannot be"):
        list(workspace.process(documents(400)))
    with pytest.raises(StoreFailed, match=r"disk is full|disk cannot be"):
        workspace.judge("oil", shown[0].document, True, note="long " * 5000)
    assert workspace.filter.n_documents == 60  # in memory as in the database
    workspace.close()  # a checkpoint that fails does no harm
    with Workspace.open(small_disk / "news.db", write=False) as reader:
        assert len(reader.inbox("oil")) == len(shown)
    workspace = Workspace.open(small_disk / "news.db")
    filler.unlink()
    check_goes_on(workspace, shown)


@pytest.mark.parametrize("free", [0, 12, 100])  # KiB
def test_a_new_workspace_on_a_full_disk_leaves_nothing(small_disk, tmp_path, free):
    with start(tmp_path / "news.db")[0] as workspace:
        workspace.export(tmp_path / "export.jsonl.gz")
    filler = fill_up(small_disk)
    os.truncate(filler, filler.stat().st_size - 1024 * free)
    for make in (Workspace.create, Review.create, lambda path: Workspace.import_(tmp_path / "export.jsonl.gz", path)):
        with pytest.raises(StoreFailed, match=r"z.db: the disk is full|z.db: the disk cannot be"):
            make(small_disk / "z.db")
        assert list(small_disk.iterdir()) == [filler]
    (small_disk / "z.db").touch()
    with pytest.raises(StoreFailed, match="disk"):
        Workspace.create(small_disk / "z.db")
    assert (small_disk / "z.db").stat().st_size <= 1024 * free
    filler.unlink()
    Workspace.create(small_disk / "z.db").close()


def remount(folder, how):
    subprocess.run(["mount", "-o", f"remount,{how}", folder], check=True)


def test_a_workspace_in_a_read_only_folder_is_read(small_disk, tmp_path):
    name = small_disk / "odd name? 50%.db"
    workspace, shown = start(name)
    workspace.close()
    remount(small_disk, "ro")
    with Workspace.open(name, write=False) as reader:
        assert len(reader.inbox("oil")) == len(shown)
        assert reader.status().documents == 60
        reader.export(tmp_path / "export.jsonl")
    for change in (Workspace.open, Workspace.create):
        with pytest.raises(BayesiftError):
            change(small_disk / "new.db")
    with pytest.raises(StoreFailed, match="check that the folder exists and is writable"):
        Workspace.open(name).judge("oil", shown[0].document, True)
    remount(small_disk, "rw")
    Workspace.open(name).judge("oil", shown[0].document, True)


def test_a_workspace_in_a_read_only_folder_with_a_log_must_be_copied(small_disk, tmp_path):
    workspace, shown = start(tmp_path / "news.db")
    for ending in ("", "-wal"):
        shutil.copy(tmp_path / f"news.db{ending}", small_disk)
    workspace.close()
    remount(small_disk, "ro")
    with pytest.raises(StoreFailed, match=r"news.db: .* or copy it, with its -wal file, to a folder of yours"):
        Workspace.open(small_disk / "news.db", write=False)
    shutil.copytree(small_disk, tmp_path / "copy")
    with Workspace.open(tmp_path / "copy" / "news.db", write=False) as reader:
        assert len(reader.inbox("oil")) == len(shown)


def test_a_log_that_cannot_be_moved_is_an_error_of_the_store(tmp_path):
    workspace, _ = start(tmp_path / "news.db")
    with workspace.database.engine.connect() as connection:
        connection.connection.driver_connection.set_authorizer(lambda *_: sqlite3.SQLITE_DENY)
    with pytest.raises(StoreFailed, match="the database failed: not authorized"):
        workspace.database.move_log()
    workspace.database.engine.dispose()


def test_a_full_database_on_sqlite(tmp_path):
    workspace, shown = start(tmp_path / "news.db")
    pages = workspace.database.engine

    @event.listens_for(pages, "begin")
    def limit(connection):
        used = connection.exec_driver_sql("PRAGMA page_count").scalar()
        connection.exec_driver_sql(f"PRAGMA max_page_count = {used}")

    with pytest.raises(StoreFailed, match="the disk is full; free some space and try again"):
        list(workspace.process(documents(400)))
    with pytest.raises(StoreFailed, match="the disk is full"):
        workspace.judge("oil", shown[0].document, True, note="long " * 5000)
    event.remove(pages, "begin", limit)
    pages.dispose()
    check_goes_on(workspace, shown)


def test_a_full_disk_on_postgresql(own_server, small_disk):
    server, data = own_server, small_disk / "data"
    data.mkdir()
    if server.user is not None:
        shutil.chown(data, server.user)
    for folder in (*small_disk.parents[:-1], small_disk):
        if folder.stat().st_uid == os.getuid():
            folder.chmod(folder.stat().st_mode | 0o055)
    with psycopg.connect(server.url("postgres"), autocommit=True) as connection:
        connection.execute(f"CREATE TABLESPACE small LOCATION '{data}'")
        connection.execute("CREATE DATABASE small TABLESPACE small")
    workspace, shown = start(server.url("small"))
    filler = fill_up(small_disk)
    with pytest.raises(StoreFailed, match="the disk of the database server is full"):
        list(workspace.process([{"id": f"big{i}", "text": f"oil {i} " * 4000} for i in range(200)], batch=200))
    assert workspace.filter.n_documents == 60
    filler.unlink()
    check_goes_on(workspace, shown)
    workspace.close()


def test_a_database_that_goes_away_and_comes_back(server):
    workspace, shown = start(server.new())
    reader = Workspace.open(workspace.database.url.render_as_string(hide_password=False), write=False)
    server.stop()
    try:
        for _ in range(2):
            with pytest.raises(StoreFailed, match="no connection to the database"):
                workspace.judge("oil", shown[0].document, True)
            with pytest.raises(StoreFailed, match="no connection to the database"):
                list(workspace.process(documents(400)))
            with pytest.raises(StoreFailed, match="no connection to the database"):
                reader.inbox("oil")
    finally:
        server.start()
    assert len(reader.inbox("oil")) == len(shown)
    check_goes_on(workspace, shown)
    reader.close()
    workspace.close()


def test_a_worker_waits_for_a_database_that_is_away(server):
    url = server.new()
    workspace, _ = start(url)

    def work(report, drawn):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always", Notice)
            with Workspace.open(url) as own:
                report("ready")
                for item in own.work(poll=0.02):
                    report("shown", item.document, sum("trying again" in str(w.message) for w in caught))

    worker = Child(work, 0)
    lines = worker.lines()
    assert next(lines) == ["ready"]
    workspace.add_documents(documents(30, first=60))
    assert next(lines)[2] == "0"
    server.stop()
    server.start()
    workspace.add_documents(documents(3000, first=90))
    assert any(int(line[2]) > 0 for line in lines)
    worker.kill()


def test_a_filter_goes_on_after_a_commit_failed(tmp_path, monkeypatch):
    workspace, shown = start(tmp_path / "news.db")
    before = states(workspace)

    def fail(*_):
        raise MemoryError

    with monkeypatch.context() as patch:
        patch.setattr("bayesift.filtering.store.groups.record", fail)
        with pytest.raises(MemoryError):
            workspace.judge("oil", shown[0].document, True)
    assert states(workspace) == before
    check_goes_on(workspace, shown)
