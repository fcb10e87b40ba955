"""The memory of the service does not grow with its requests (an hour of it: benchmarks/service.py --soak 3600)."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("fastapi", reason="needs the service: pip install 'bayesift[service]'")

SECONDS = 10
LARGEST = 16_000  # bytes per request: about half of a page, so that one page kept per request is seen
BENCHMARK = Path(__file__).parents[2] / "benchmarks" / "service.py"


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="reads the memory of a process from /proc")
def test_memory_does_not_grow_with_requests(tmp_path):
    file = tmp_path / "soak.json"
    command = [sys.executable, str(BENCHMARK), "--soak", str(SECONDS), "--topics", "3", "--json", str(file)]
    subprocess.run(command, check=True, env=os.environ, timeout=180)
    row = json.loads(file.read_text())["rows"][0]
    assert row["requests"] >= 50
    assert row["bytes per request"] < LARGEST, row
