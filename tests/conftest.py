"""What every test may use: the real corpora where they are, and the command run in this process."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import hypothesis
import pytest

hypothesis.settings.register_profile("no-times", deadline=None)  # tests assert no times
hypothesis.settings.load_profile("no-times")
REAL_DATA = os.environ.get("BAYESIFT_DATA")


class Result(NamedTuple):
    """What a command left behind."""

    code: int
    out: str
    err: str


@pytest.fixture
def corpus_folder() -> Callable[[str], Path]:
    """Give the folder of a real corpus, or skip the test where it is not on this machine."""

    def find(name: str) -> Path:
        if not REAL_DATA:
            pytest.skip(f"needs the corpus {name}: set BAYESIFT_DATA to the folder that holds it")
        folder = Path(REAL_DATA, name)
        if not folder.is_dir():
            pytest.skip(f"needs the corpus {name}: it is not under BAYESIFT_DATA")
        return folder

    return find


@pytest.fixture
def run(monkeypatch, capfd) -> Callable[..., Result]:
    """Run `bayesift ARGUMENTS` in this process."""
    from bayesift.cli.main import main

    def command(*arguments: object) -> Result:
        monkeypatch.setattr(sys, "argv", ["bayesift", *map(str, arguments)])
        code: object = 0
        try:
            main()
        except SystemExit as stop:
            code = stop.code or 0
        out, err = capfd.readouterr()
        return Result(int(str(code)), out, err)

    return command
