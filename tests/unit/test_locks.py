"""Locks between processes, on files that are replaced by those who hold the lock."""

import subprocess
import sys

from bayesift.files import write_whole
from bayesift.locks import locked

ADD = """
import sys, time
from pathlib import Path
from bayesift.files import write_whole
from bayesift.locks import locked
path = Path(sys.argv[1])
for _ in range(20):
    with locked(path, lambda: print("waiting", flush=True)):
        number = int(path.read_text())
        time.sleep(0.002)
        with write_whole(path) as out:
            out.write(str(number + 1).encode())
"""


def test_no_change_is_lost(tmp_path):
    path = tmp_path / "number"
    path.write_text("0")
    command = [sys.executable, "-c", ADD, str(path)]
    processes = [subprocess.Popen(command, stdout=subprocess.PIPE) for _ in range(3)]
    said = [process.communicate()[0] for process in processes]
    assert path.read_text() == "60"
    assert b"waiting" in b"".join(said)
    assert [p.name for p in tmp_path.iterdir()] == ["number"]  # no lock file stays behind


def test_what_does_not_exist_is_not_locked(tmp_path):
    with locked(tmp_path / "x", waiting=lambda: None), write_whole(tmp_path / "x") as out:
        out.write(b"new")
    assert (tmp_path / "x").read_bytes() == b"new"
