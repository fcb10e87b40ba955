"""The demonstration: docstrings of installed packages as a paced stream, with three topics that have begun to learn."""

from __future__ import annotations

import random
import tempfile
import threading
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

from bayesift.corpora import Document, load_corpus
from bayesift.errors import BayesiftError
from bayesift.filtering.store import Workspace
from bayesift.service.desk import Desk

TOPICS = {
    "statistics": "probability distributions, hypothesis tests and statistical estimates of a sample",
    "signal processing": "filter design, spectral analysis and transforms of a signal",
    "clustering": "group similar samples into clusters, and measure how good the clusters are",
}
BEFORE = 1200  # documents that are there from the start
PACE = 2.0  # seconds between two documents of the stream


def demo_documents() -> list[Document]:
    """Return the docstrings in a random order, as of today."""
    today = datetime.now(UTC).date().isoformat()
    found = [Document(d.id, d.title, d.body, date=today) for d in load_corpus("docstrings").documents()]
    random.Random(0).shuffle(found)
    return found


def demo_workspace(say: Callable[[str], None]) -> Path:
    """Create a workspace in a temporary folder, with topics and documents, and return its path."""
    path = Path(tempfile.mkdtemp(prefix="bayesift-demo-")) / "demo.db"
    say("Reading the docstrings of numpy, scipy and scikit-learn ...")
    documents = demo_documents()[:BEFORE]
    with Workspace.create(path) as workspace:
        background, stream = documents[: BEFORE // 2], documents[BEFORE // 2 :]
        for _ in workspace.process(background, source="docstrings"):
            pass
        for name, about in TOPICS.items():
            workspace.add_topic(name, about=about)
        for _ in workspace.process(stream, source="docstrings"):
            pass
    return path


def start_stream(desk: Desk) -> threading.Thread:
    """Send the rest of the documents, one after the other, in a thread that ends with the program."""

    def run() -> None:
        for document in demo_documents()[BEFORE:]:
            time.sleep(PACE)
            try:
                desk.add_documents([document], source="docstrings")
            except BayesiftError:
                return

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    return thread
