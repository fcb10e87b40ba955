"""Ctrl-C while a review is made or added to: one line, and nothing incomplete."""

import subprocess
import sys

import pytest
from tests.unit.cli.test_interrupt import CODE

from bayesift.filtering.screening.review import Review


@pytest.mark.parametrize("module", ["bayesift.cli.screen", "sqlalchemy", "alembic", "alembic.runtime.environment"])
def test_new(files, tmp_path, module):
    command = [sys.executable, "-c", CODE, module, "screen", "new", tmp_path / "hiv.db", files / "found.ris"]
    result = subprocess.run(command, capture_output=True, text=True)
    assert result.returncode == 130
    assert result.stderr.splitlines()[-1].startswith("bayesift: interrupted")
    assert "Traceback" not in result.stderr
    assert list(tmp_path.iterdir()) == []


def test_add(files, hiv):
    command = [sys.executable, "-c", CODE, "bayesift.filtering.screening.records.table", "screen", "add", hiv]
    result = subprocess.run([*command, files / "more.csv"], capture_output=True, text=True)
    assert result.returncode == 130
    assert "Traceback" not in result.stderr
    with Review.open(hiv) as review:
        assert len(review) == 30
