"""A small workspace with two topics, and the service over it."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

pytest.importorskip("fastapi", reason="needs the service: pip install 'bayesift[service]'")

from fastapi.testclient import TestClient

from bayesift.filtering.store import Workspace
from bayesift.filtering.store.database import Database
from bayesift.service import ServiceSettings, create_app
from bayesift.service.people import People

GRAIN = [
    "wheat",
    "harvest",
    "corn",
    "fields",
    "prices",
    "farmers",
    "drought",
    "barley",
    "plains",
    "yield",
    "soil",
    "crop",
]
SHIPS = ["tanker", "port", "ships", "strike", "harbour", "cargo", "crew", "dock", "freight", "vessel", "anchor", "sea"]
OTHERS = ["report", "says", "monday", "year", "rise", "fall", "market", "people", "new", "week", "city", "government"]


def documents(n: int = 30) -> list[dict[str, str]]:
    """Return documents about ships and grain, in turn."""
    chance = random.Random(1)
    texts = [chance.choices(GRAIN if i % 2 else SHIPS, k=6) + chance.choices(OTHERS, k=6) for i in range(n)]
    return [
        {"id": f"d{i}", "title": f"Story {i}", "body": f"The {' '.join(words)}.", "date": "2026-11-17"}
        for i, words in enumerate(texts)
    ]


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    """Return a workspace with documents and topics."""
    path = tmp_path / "news.db"
    with Workspace.create(path, per_day=200, balance=0.95) as news:
        list(news.process(documents(30)))
        news.add_topic("grain", about="wheat and corn harvests")
        news.add_topic("ships & <b>ports</b>", about="tankers, ships and ports")
        list(news.process([d | {"id": f"m{i}"} for i, d in enumerate(documents(120))]))
    return path


@pytest.fixture
def start(workspace: Path) -> Iterator[Callable[..., TestClient]]:
    """Return a function that starts the service over the workspace, which may be a review, and returns a client."""
    clients = []

    def begin(base: str = "http://localhost", **settings: bool) -> TestClient:
        client = TestClient(
            create_app(workspace, ServiceSettings(**settings)),
            base_url=base,
            client=("127.0.0.1", 50000),
            follow_redirects=False,
        )
        client.__enter__()
        clients.append(client)
        client.app.state.desk.ready.wait()
        return client

    yield begin
    for client in clients:
        client.__exit__(None, None, None)


@pytest.fixture
def client(start: Callable[..., TestClient]) -> TestClient:
    """Return a client of the service on this machine."""
    return start()


PASSWORD = "long enough 123"
ROLES = ("reader", "reviewer", "admin")


def tokens_of(database: Database, names: dict[str, str] | None = None) -> dict[str, str]:
    """Add an account per name with its role, by default one per role of its name; return a token of each."""
    people = People(database)
    for name, role in (names or {role: role for role in ROLES}).items():
        people.add(name, PASSWORD, role, who="root")
    return {name: people.new_token(name, who="root") for name in names or ROLES}


def bearer(token: str) -> dict[str, str]:
    """Return the header that sends a token."""
    return {"authorization": f"Bearer {token}"}


PAGE = {"accept": "text/html"}
