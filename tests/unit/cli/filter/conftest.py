"""A workspace with a topic and a few documents, and standard input for verbs that read it."""

import json
import shutil
import sys

import pytest

TEXTS = ["The wheat harvest begins early in Kansas", "Oil prices fell again on Monday", "Corn crops after the rain",
         "Parliament votes on the budget", "Drought threatens wheat in the plains", "A new phone"]  # fmt: skip


def lines(n=12, first=0):
    """Return documents as JSON lines."""
    documents = (
        {"id": f"d{i}", "title": TEXTS[i % 6], "text": f"Report {i}.", "date": f"2026-11-{min(1 + i // 6, 28):02d}"}
        for i in range(first, first + n)
    )
    return "".join(json.dumps(document) + "\n" for document in documents)


@pytest.fixture(scope="session")
def made(tmp_path_factory):
    from bayesift.filtering.store import Workspace

    path = tmp_path_factory.mktemp("made") / "news.db"
    with Workspace.create(path, per_day=20) as workspace:
        workspace.add_topic("harvest", about="wheat and corn harvests, crops and drought")
        list(workspace.process([json.loads(line) for line in lines().splitlines()]))
    return path


@pytest.fixture
def news(made, tmp_path):
    """Return the file of a workspace in which some documents wait for the topic `harvest`."""
    return shutil.copy(made, tmp_path / "news.db")


@pytest.fixture
def given(monkeypatch, tmp_path):
    """Give a text as standard input."""
    opened = []

    def give(text):
        path = tmp_path / f"stdin{len(opened)}"
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        opened.append(path.open())
        monkeypatch.setattr(sys, "stdin", opened[-1])

    yield give
    for file in opened:
        file.close()


@pytest.fixture
def waiting(run, news):
    """Return the ids of the documents that wait, best first."""

    def ids(topic="harvest"):
        return [json.loads(line)["document"] for line in run("filter", "inbox", news, topic, "--json").out.splitlines()]

    return ids
