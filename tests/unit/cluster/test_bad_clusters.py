"""Clusters that do not fit, and an interrupt: a clear message, and nothing left behind."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

import bayesift

pytest.importorskip("distributed", reason="clusters need distributed: pip install 'bayesift[cluster]'")
from bayesift.cluster.connection import ClusterFailed, check_workers

# Interrupt the client when its workers are there, and note who they are.
INTERRUPTED = """
import json, os, signal, sys, time
from bayesift.cluster import documents
noted = sys.argv.pop(1)
def interrupt(self, client, *rest):
    with open(noted, "w") as out:
        json.dump(list(client.run(os.getpid).values()), out)
    os.kill(os.getpid(), signal.SIGINT)
    time.sleep(60)
documents.ClusterDocuments.__init__ = interrupt
from bayesift.__main__ import main
main()
"""


class Workers:
    """A client of workers that answer with these versions."""

    def __init__(self, versions: dict[str, str | None]) -> None:
        self.versions = versions

    def scheduler_info(self, n_workers: int) -> dict[str, Any]:
        return {"workers": dict.fromkeys(self.versions)}

    def run(self, function: Any) -> dict[str, str | None]:
        return self.versions


def test_workers_with_another_version_without_the_package_and_none_at_all() -> None:
    same = bayesift.__version__
    assert check_workers(Workers({"tcp://b:1": same, "tcp://a:1": same})) == ["tcp://a:1", "tcp://b:1"]
    with pytest.raises(ClusterFailed, match=r"tcp://b:1 has bayesift 0\.0\.1, not .*; install the same version"):
        check_workers(Workers({"tcp://a:1": same, "tcp://b:1": "0.0.1"}))
    with pytest.raises(ClusterFailed, match=r"tcp://b:1 does not have bayesift; install it there"):
        check_workers(Workers({"tcp://a:1": same, "tcp://b:1": None}))
    with pytest.raises(ClusterFailed, match="the scheduler has no workers"):
        check_workers(Workers({}))


def test_workers_are_asked_for_their_version_without_the_package() -> None:
    cloudpickle = pytest.importorskip("cloudpickle")
    asked = []

    class Asking(Workers):
        def run(self, function: Any) -> dict[str, str | None]:
            asked.append(cloudpickle.dumps(function))
            return super().run(function)

    check_workers(Asking({"tcp://a:1": bayesift.__version__}))
    answer = "import pickle, sys; sys.modules['bayesift'] = None; print(pickle.load(sys.stdin.buffer)())"
    found = subprocess.run([sys.executable, "-c", answer], input=asked[0], capture_output=True, check=True)
    assert found.stdout.decode().strip() == "None"


def test_an_interrupt_leaves_no_workers_and_no_model(tmp_path: Path) -> None:
    data, noted, temporary = tmp_path / "x.jsonl", tmp_path / "pids", tmp_path / "spill"
    temporary.mkdir()
    data.write_text("".join(json.dumps({"text": f"{c} wheat", "labels": [c]}) + "\n" for c in "ab" * 5))
    command = [sys.executable, "-c", INTERRUPTED, noted, "train", data, tmp_path / "x.model", "--scheduler", "local"]
    environment = {**os.environ, "DASK_TEMPORARY_DIRECTORY": str(temporary)}
    result = subprocess.run(command, capture_output=True, text=True, env=environment)
    assert result.returncode == 130
    assert "bayesift: interrupted" in result.stderr
    assert "Traceback" not in result.stderr
    assert not (tmp_path / "x.model").exists()
    pids = json.loads(noted.read_text())
    assert pids
    end = time.monotonic() + 20
    while any(Path(f"/proc/{pid}").exists() for pid in pids) and time.monotonic() < end:
        time.sleep(0.2)
    assert not any(Path(f"/proc/{pid}").exists() for pid in pids)
    assert not [path for path in temporary.rglob("*") if path.is_file() and path.suffix != ".lock"]
