"""Probabilities that a cluster learned are as well calibrated as those of a local fit: ECE within .005."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.special import expit, logit

from bayesift import TextClassifier
from bayesift.corpora import Document, load_corpus
from bayesift.evaluate.reliability import reliability

pytest.importorskip("distributed", reason="clusters need distributed: pip install 'bayesift[cluster]'")
import dask.bag

from bayesift.cluster import DaskTextClassifier
from bayesift.cluster import documents as documents_module

WITHIN = 0.005
LABELS = [f"topic{c:02}" for c in range(20)]


def noisy(n: int, seed: int) -> list[dict[str, object]]:
    """Documents whose words leave their labels uncertain: a word of a topic is also used without it."""
    rng = np.random.default_rng(seed)
    found = []
    for _ in range(n):
        topics = np.flatnonzero(rng.random(20) < np.linspace(0.02, 0.35, 20))
        about = np.concatenate([topics, rng.integers(0, 20, 4)])
        words = [f"word{t}x{rng.integers(3)}" for t in about] + [f"common{j}" for j in rng.integers(0, 60, 8)]
        found.append({"body": " ".join(rng.permutation(words)), "labels": [LABELS[t] for t in topics]})
    return found


def error(truth: np.ndarray, p: np.ndarray) -> float:
    return reliability(truth, p).expected_error


def truth_of(model: TextClassifier, documents: list[dict[str, object]]) -> np.ndarray:
    return np.array([[label in d["labels"] for label in model.classes_] for d in documents])


def learned(client, documents: list[dict[str, object]], shards: int | None) -> TextClassifier:
    bag = dask.bag.from_sequence(documents, npartitions=4)
    return DaskTextClassifier(client, shards=shards).fit(bag).to_local()


@pytest.mark.parametrize("shards", [None, 2], ids=["labels", "documents"])
def test_made_documents(client, shards: int | None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(documents_module, "blocks_for", lambda documents, *_: documents // 500)
    train, test = noisy(2000, seed=0), noisy(1500, seed=1)
    alone, found = TextClassifier().fit(train), learned(client, train, shards)
    truth, p = truth_of(alone, test), alone.predict_proba(test)
    own = error(truth, p)
    assert abs(error(truth, found.predict_proba(test)) - own) < WITHIN
    # The documents can tell: probabilities that are a little too sure, or a little too low, do not pass.
    assert error(truth, expit(1.3 * logit(p))) > own + WITHIN
    assert error(truth, expit(logit(p) - 0.3)) > own + WITHIN


def errors(truth: np.ndarray, p: np.ndarray) -> tuple[float, float]:
    """Return the error over all labels, of which nearly all are surely absent, and over each document's best five."""
    top = np.argsort(-p, axis=1)[:, :5]
    return error(truth, p), error(np.take_along_axis(truth, top, 1), np.take_along_axis(p, top, 1))


def as_mapping(document: Document) -> dict[str, object]:
    return {"title": document.title, "body": document.body, "labels": list(document.labels or ())}


@pytest.mark.parametrize("shards", [None, 2], ids=["labels", "documents"])
def test_reuters(client, shards: int | None, corpus_folder) -> None:
    corpus_folder("reuters21578")
    train, test = load_corpus("reuters21578", split="modapte").split()
    train, test = ([as_mapping(d) for d in some] for some in (train, test))
    alone, found = TextClassifier().fit(train), learned(client, train, shards)
    truth = truth_of(alone, test)
    whole, best = zip(*(errors(truth, model.predict_proba(test)) for model in (alone, found)))
    assert abs(whole[1] - whole[0]) < WITHIN
    assert abs(best[1] - best[0]) < WITHIN
