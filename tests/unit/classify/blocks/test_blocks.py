"""Learning from blocks on disk: the same numbers as in memory, and nothing left behind."""

from __future__ import annotations

import errno

import numpy as np
import pytest
from scipy import sparse

from bayesift import TextClassifier, load
from bayesift.classify.blocks import counted as counted_module
from bayesift.classify.blocks import spill as spill_module
from bayesift.classify.blocks.counted import CountedDocuments
from bayesift.classify.blocks.fitting import fit_blocks
from bayesift.classify.blocks.spill import Spill, SpillFailed
from bayesift.classify.document_sample import Sample
from bayesift.classify.out_of_sample import with_unseen
from bayesift.decide.calibration import MarginCalibration
from bayesift.errors import BadInput
from bayesift.learn.bomc.block_passes import BlockOrder
from bayesift.learn.bomc.bomc import BOMC
from bayesift.learn.bomc.passes import Passes
from bayesift.text import TextVectorizer

WORDS = ("corn", "wheat", "barley", "oil", "gas", "pipeline", "ship", "port", "freight", "bank", "rate", "bond")
LABELS = ("grain", "energy", "shipping", "money")


def documents(n: int, seed: int = 0) -> list[tuple[str, tuple[str, ...]]]:
    rng = np.random.default_rng(seed)
    found = []
    for _ in range(n):
        topics = np.flatnonzero(rng.random(4) < 0.35)
        words = [WORDS[3 * t + rng.integers(3)] for t in topics for _ in range(3)] + rng.choice(WORDS, 4).tolist()
        found.append((" ".join(words), tuple(LABELS[t] for t in topics)))
    return found


@pytest.fixture
def small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    """About 150 documents per block."""
    monkeypatch.setattr(counted_module, "DOCUMENTS", 150)
    monkeypatch.setattr(counted_module, "MOST_DOCUMENTS", 150)
    monkeypatch.setattr("bayesift.text.documents.BLOCK", 5000)


def many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(counted_module, "CELLS", 1)


def texts_and_sets(n: int = 700) -> tuple[list[str], list[tuple[str, ...]]]:
    texts, sets = zip(*documents(n))
    return list(texts), list(sets)


@pytest.mark.usefixtures("small_blocks")
def test_blocks_hold_what_the_vectoriser_counts_in_memory() -> None:
    texts, sets = texts_and_sets()
    expected = TextVectorizer(min_df=2, max_df=0.6).fit_count(texts)
    with CountedDocuments.read(TextVectorizer(min_df=2, max_df=0.6), zip(texts, sets)) as counted:
        assert len(counted.sizes) > 3
        assert counted.n_documents == 700
        counts, found = counted.in_memory()
    assert (counts != expected).nnz == 0
    assert counts.shape == expected.shape
    assert found == sets


@pytest.mark.usefixtures("small_blocks")
def test_passes_over_blocks_equal_passes_in_memory_bit_for_bit() -> None:
    texts, sets = texts_and_sets()
    vectorizer = TextVectorizer()
    with CountedDocuments.read(vectorizer, zip(texts, sets)) as counted:
        counted.use_columns(LABELS)
        found = fit_blocks(BOMC(), False, counted, seed=3, folds=5, kept=100)
        rows, labels = counted.take(np.arange(700), weigh=True)
        some, _ = counted.take(np.array([650, 3, 149, 4]))
        order = BlockOrder(counted.sizes, 3).of_all()
    assert (rows != vectorizer.transform(texts)).nnz == 0
    assert (some != vectorizer.count([texts[i] for i in (650, 3, 149, 4)])).nnz == 0
    passes = Passes(BOMC(), 3)
    passes._both_ways(rows, labels, order)
    margins, learner = passes.margins(), passes.learner()
    assert np.array_equal(found.learner.mean_, learner.mean_)
    assert np.array_equal(found.learner.variance_, learner.variance_)
    assert np.array_equal(found.learner.bias_mean_, learner.bias_mean_)
    expected = MarginCalibration.in_folds(5).add(margins, with_unseen(labels), np.arange(700) % 5)
    assert np.array_equal(found.calibration.documents, expected.documents)
    assert np.array_equal(found.calibration.positives, expected.positives)
    assert np.array_equal(found.margins, margins[::7])
    assert (found.labels != labels[::7]).nnz == 0


def test_the_documents_kept_are_those_that_are_kept_one_by_one() -> None:
    one_by_one = Sample(5, 40)
    rows = sparse.csr_matrix(np.arange(300.0)[:, None])
    for n in (100, 1, 199):
        begin = one_by_one.documents
        one_by_one.add(rows[begin : begin + n], sparse.csr_matrix((n, 1)))
    at_once = Sample(5, 40)
    at_once.fill(rows[Sample.winners(300, 5, 40)], sparse.csr_matrix((40, 1)), 300)
    assert at_once.state()["values"].tolist() == one_by_one.state()["values"].tolist()
    assert at_once.documents == one_by_one.documents == 300


@pytest.mark.usefixtures("small_blocks")
def test_an_iterator_of_documents_that_fit_gives_the_model_of_a_list() -> None:
    texts, sets = texts_and_sets(300)
    listed = TextClassifier().fit(texts, sets)
    streamed = TextClassifier().fit(iter(texts), iter(sets))
    assert np.array_equal(streamed.predict_proba(texts), listed.predict_proba(texts))
    assert streamed.predict(texts) == listed.predict(texts)
    assert streamed.n_documents_ == 300


@pytest.mark.usefixtures("small_blocks")
def test_many_documents_are_learned_from_blocks_and_give_nearly_the_same_model(
    monkeypatch: pytest.MonkeyPatch, tmp_path
) -> None:
    texts, sets = texts_and_sets(2500)
    listed = TextClassifier().fit(texts, sets)
    many(monkeypatch)
    streamed = TextClassifier().fit(iter(texts), iter(sets))
    again = TextClassifier().fit(texts, sets)  # a list of many documents takes the same way
    assert np.array_equal(streamed.predict_proba(texts), again.predict_proba(texts))
    assert np.abs(streamed.predict_proba(texts) - listed.predict_proba(texts)).mean() < 0.02
    assert streamed.score(texts, sets) > listed.score(texts, sets) - 0.02
    assert streamed.n_documents_ == 2500
    assert streamed.label_documents_.tolist() == listed.label_documents_.tolist()
    streamed.save(tmp_path / "model.bayesift")
    loaded = load(tmp_path / "model.bayesift")
    assert np.array_equal(loaded.predict_proba(texts[:9]), streamed.predict_proba(texts[:9]))
    streamed.partial_fit(["corn and freight"], [("grain", "shipping")])
    assert streamed.n_documents_ == 2501


@pytest.mark.usefixtures("small_blocks")
@pytest.mark.parametrize("rule", ["0.5", "max-f1", "scut", "precision", "expected-f1"])
def test_every_rule_can_be_fitted_to_blocks(monkeypatch: pytest.MonkeyPatch, rule: str) -> None:
    texts, sets = texts_and_sets()
    listed = TextClassifier(rule=rule).fit(texts, sets)
    many(monkeypatch)
    streamed = TextClassifier(rule=rule).fit(iter(texts), iter(sets))
    assert streamed.score(texts, sets) == pytest.approx(listed.score(texts, sets), abs=0.1)


@pytest.mark.parametrize("learner", ["perceptron", "categoriser"])
def test_learners_that_need_all_documents_take_an_iterator_too(monkeypatch: pytest.MonkeyPatch, learner: str) -> None:
    many(monkeypatch)
    texts, sets = texts_and_sets(200)
    listed, streamed = (TextClassifier(learner).fit(x, y) for x, y in ((texts, sets), (iter(texts), iter(sets))))
    assert np.array_equal(streamed.predict_proba(texts), listed.predict_proba(texts))


def test_a_label_that_appears_only_in_the_last_block_is_learned(monkeypatch: pytest.MonkeyPatch, small_blocks) -> None:
    many(monkeypatch)
    pairs = [*documents(600), *[("opera and violin", ("music",))] * 30]
    model = TextClassifier().fit(iter([{"body": text, "labels": labels} for text, labels in pairs]))
    assert "music" in model.classes_.tolist()
    assert model.predict(["violin opera"]) == [("music",)]


def test_streams_with_wrong_targets_are_refused() -> None:
    texts, sets = texts_and_sets(20)
    with pytest.raises(BadInput, match="more than 19 documents"):
        TextClassifier().fit(iter(texts), iter(sets[:-1]))
    with pytest.raises(BadInput, match="more targets than documents"):
        TextClassifier().fit(iter(texts[:-1]), iter(sets))
    with pytest.raises(BadInput, match="no labelled documents"):
        TextClassifier().fit(iter([]))
    with pytest.raises(BadInput, match="rows of a matrix"):
        TextClassifier().fit(iter(texts), iter([[0, 1]] * 20))
    with pytest.raises(BadInput, match="brings no labels"):
        TextClassifier().fit(iter(texts))


def test_a_full_disk_is_named_and_the_file_is_gone(monkeypatch: pytest.MonkeyPatch, tmp_path) -> None:
    class Full:
        closed = False

        def write(self, data: bytes) -> int:
            raise OSError(errno.ENOSPC, "No space left on device")

        def close(self) -> None:
            Full.closed = True

    monkeypatch.setattr(spill_module.tempfile, "TemporaryFile", lambda dir: Full())
    spill = Spill(tmp_path)
    with pytest.raises(SpillFailed, match=r"no space left on device; make room there, or set TMPDIR"):
        spill.add(np.arange(3))
    assert Full.closed


def test_the_spilled_file_has_no_name(tmp_path) -> None:
    with Spill(tmp_path) as spill:
        spill.add(np.arange(1000))
        assert list(tmp_path.iterdir()) == []
        assert spill.block(0)[0].tolist() == list(range(1000))


def test_a_missing_folder_is_named(tmp_path) -> None:
    with pytest.raises(SpillFailed, match="missing"):
        Spill(tmp_path / "missing")
