"""The demonstration: docstrings of installed packages as a paced stream, with three topics."""

from __future__ import annotations

import random
import shutil
import tempfile
import threading
import time
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
LABELS = {"statistics": "scipy.stats", "signal processing": "scipy.signal", "clustering": "sklearn.cluster"}
EXAMPLES = 3  # documents that each topic starts from, beside its sentence
PER_DAY = 60  # more than a reader wants, so that the demonstration does not end too soon
FIRST = 900  # documents that come at once, in batches
BATCH = 60
FOLDER = "bayesift-demo-"
PACE = 2.0  # seconds between two documents of the stream after that


def demo_documents() -> list[Document]:
    """Return the docstrings in a random order, as of today."""
    today, found = datetime.now(UTC).date().isoformat(), _shuffled()
    used = {example.id for label in LABELS.values() for example in _examples(found, label)}
    return [Document(d.id, d.title, d.body, date=today) for d in found if d.id not in used]


def _shuffled() -> list[Document]:
    found = list(load_corpus("docstrings").documents())
    random.Random(0).shuffle(found)
    return found


def _examples(documents: list[Document], label: str) -> list[Document]:
    found = [Document(d.id, d.title, d.body) for d in documents if label in (d.labels or ())]
    return found[-EXAMPLES:]


def demo_workspace() -> Path:
    """Create a workspace with topics in a temporary folder, and return its path; `start_stream` lets it be removed."""
    path = Path(tempfile.mkdtemp(prefix=FOLDER)) / "demo.db"
    documents = _shuffled()
    with Workspace.create(path, balance=0.8, per_day=PER_DAY) as workspace:
        for name, about in TOPICS.items():
            workspace.add_topic(name, about=about, examples=_examples(documents, LABELS[name]))
    return path


def start_stream(desk: Desk, pace: float = PACE) -> threading.Thread:
    """Send the documents in a thread that ends with the program: many at once, then one after the other.

    The folder of `demo_workspace` is removed when the desk is closed.
    """
    path = desk.workspace.database.path
    if path is not None and path.parent.name.startswith(FOLDER):
        desk.ended = lambda: shutil.rmtree(path.parent, ignore_errors=True)

    def run() -> None:
        documents = demo_documents()
        parts = [documents[i : i + BATCH] for i in range(0, FIRST, BATCH)] + [[d] for d in documents[FIRST:]]
        for part in parts:
            try:
                desk.add_documents(part, source="docstrings")
            except BayesiftError:  # the service ends
                return
            time.sleep(pace if len(part) == 1 else 0.1)

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    return thread
