"""Training and labelling on real Dask workers: the same numbers as in one process, also when a worker dies."""

from __future__ import annotations

import json
import os
import signal
import time
from pathlib import Path

import numpy as np
import pytest

from bayesift import TextClassifier, load
from bayesift.classify.blocks import counted as counted_module
from bayesift.errors import BadInput, Notice

pytest.importorskip("distributed", reason="clusters need distributed: pip install 'bayesift[cluster]'")
import dask.bag
import dask.dataframe

from bayesift.cluster import DaskTextClassifier, sharding, training, vocabularies
from bayesift.cluster import documents as documents_module
from bayesift.cluster.connection import ClusterFailed, connected
from bayesift.cluster.partitions import Reader, count_partition
from bayesift.cluster.vocabularies import merged
from bayesift.text import TextVectorizer

LABELS = [f"topic{c:02}" for c in range(40)]


def documents(n: int, seed: int = 0) -> list[dict[str, object]]:
    """Documents of 40 labels, each with two words of its own; the last label is in the last documents only."""
    rng = np.random.default_rng(seed)
    found = []
    for i in range(n):
        topics = rng.choice(39, rng.integers(1, 3), replace=False).tolist() + ([39] if i >= n - 25 else [])
        words = [f"{'ab'[rng.integers(2)]}word{t}x" for t in topics for _ in range(3)]
        words += [f"common{j}" for j in rng.integers(0, 50, 5)]
        found.append({"title": words[0], "body": " ".join(words), "labels": [LABELS[t] for t in topics]})
    return found


def in_one_process(parts: list[list[dict[str, object]]], monkeypatch: pytest.MonkeyPatch) -> TextClassifier:
    """Learn from blocks in this process; each part is a block of documents."""
    monkeypatch.setattr(counted_module, "CELLS", 1)
    sizes = [len(part) for part in parts]
    monkeypatch.setattr(counted_module, "DOCUMENTS", sizes[0])
    monkeypatch.setattr(counted_module, "MOST_DOCUMENTS", sizes[0])
    monkeypatch.setattr("bayesift.text.documents.BLOCK", 1)  # one document at a time, so that blocks end where asked
    assert set(sizes[:-1]) == {sizes[0]}
    return TextClassifier().fit(iter([document for part in parts for document in part]))


def same_models(one: TextClassifier, other: TextClassifier, texts: list[dict[str, object]]) -> bool:
    return bool(np.array_equal(one.predict_proba(texts), other.predict_proba(texts)))


def test_vocabularies_of_partitions_are_merged_to_that_of_all_documents() -> None:
    whole = documents(120)
    settings = {"ngrams": 2, "zones": ["title"], "max_df": 0.9}
    one = TextVectorizer(**settings).fit([{"title": d["title"], "body": d["body"]} for d in whole])
    parts = whole[:50], [], whole[50:]
    terms = [count_partition(part, TextVectorizer(**settings), Reader())[1] for part in parts]
    whole, places = merged(terms)
    found = whole.fitted(TextVectorizer(**settings))
    assert list(found.get_feature_names_out()) == list(one.get_feature_names_out())
    assert found.document_frequency_.tolist() == one.document_frequency_.tolist()
    assert found.vocabulary_.forms == (one.state() and one.vocabulary_.forms)
    assert [place.size for place in places][1] == 0
    texts = ["aword3x common4", "common1 common2 unknown"]
    assert (found.transform(texts) != one.transform(texts)).nnz == 0


def test_vocabularies_are_merged_in_groups_to_what_they_are_at_once(client, monkeypatch) -> None:
    whole, settings = documents(90), {"ngrams": 3, "zones": ["title"]}
    terms = [count_partition(whole[k : k + 18], TextVectorizer(**settings), Reader())[1] for k in range(0, 90, 18)]
    at_once, places = merged(terms)
    monkeypatch.setattr(vocabularies, "GROUP", 2)  # five vocabularies, then three, then two
    found, own = vocabularies.merge_on_cluster(client, [client.submit(lambda x: x, part) for part in terms])
    assert found.result().words == at_once.words
    assert np.array_equal(found.result().key, at_once.key)
    assert np.array_equal(found.result().frequency, at_once.frequency)
    assert all(np.array_equal(a.result(), b) for a, b in zip(own, places))


def calibration_error(p: np.ndarray, truth: np.ndarray) -> float:
    """Mean distance of probabilities from the share of positives, in ten bins of equal width."""
    place = np.minimum((p * 10).astype(int), 9).ravel()
    gap = np.bincount(place, (p - truth).ravel(), minlength=10)
    return float(np.abs(gap).sum() / p.size)


@pytest.fixture
def parts(monkeypatch: pytest.MonkeyPatch) -> list[list[dict[str, object]]]:
    """Six partitions, each of which is a batch of its own."""
    monkeypatch.setattr(documents_module, "blocks_for", lambda documents, *_: documents // 150)
    whole = documents(900)
    return [whole[begin : begin + 150] for begin in range(0, 900, 150)]


def test_a_bag_is_learned_bit_for_bit_as_in_one_process(client, parts, monkeypatch, tmp_path: Path) -> None:
    bag = dask.bag.from_delayed([dask.delayed(part) for part in parts])
    # Two partitions are a batch.
    monkeypatch.setattr(documents_module, "blocks_for", lambda documents, *_: documents // 300)
    model = DaskTextClassifier(client).fit(bag)
    alone = in_one_process([first + second for first, second in zip(parts[::2], parts[1::2])], monkeypatch)
    texts = documents(50, seed=1)
    found = model.to_local()
    assert found.classes_.tolist() == LABELS
    assert np.array_equal(found.classifier_.learner_.mean_, alone.classifier_.learner_.mean_)
    assert np.array_equal(found.classifier_.learner_.variance_, alone.classifier_.learner_.variance_)
    assert same_models(found, alone, texts)
    assert found.predict(texts) == alone.predict(texts)
    assert found.label_documents_.tolist() == alone.label_documents_.tolist()
    found.save(tmp_path / "model.bayesift")
    assert same_models(load(tmp_path / "model.bayesift"), alone, texts)
    lazy = dask.bag.from_sequence(texts, npartitions=3)
    assert model.predict(lazy).compute() == list(alone.predict(texts))
    p = model.predict_proba(lazy)
    assert np.isnan(p.shape[0])
    assert np.array_equal(p.compute(), alone.predict_proba(texts))


def test_shards_of_documents_give_nearly_the_model_of_one_process(client, parts, monkeypatch) -> None:
    bag = dask.bag.from_delayed([dask.delayed(part) for part in parts])
    found = DaskTextClassifier(client, shards=3).fit(bag).to_local()
    monkeypatch.setattr(sharding, "LABELS", 16)  # three blocks of labels
    in_blocks = DaskTextClassifier(client, shards=3).fit(bag).to_local()
    alone = in_one_process(parts, monkeypatch)
    texts = documents(300, seed=1)
    assert np.allclose(found.predict_proba(texts), in_blocks.predict_proba(texts), atol=1e-6)
    assert found.score(texts) > alone.score(texts) - 0.02
    truth = np.array([[label in d["labels"] for label in LABELS] for d in texts])
    errors = [calibration_error(m.predict_proba(texts), truth) for m in (found, alone)]
    assert errors[0] < errors[1] + 0.005
    with pytest.raises(BadInput, match="shards is 0"):
        DaskTextClassifier(client, shards=0)


def test_a_data_frame_and_files_give_the_same_model(client, parts, tmp_path: Path) -> None:
    pandas = pytest.importorskip("pandas", reason="data frames need pandas")
    whole = [document for part in parts for document in part]
    frame = dask.dataframe.concat(
        [dask.dataframe.from_pandas(pandas.DataFrame(part), npartitions=1) for part in parts]
    )
    for k, part in enumerate(parts):
        lines = "".join(json.dumps(document) + "\n" for document in part)
        (tmp_path / f"part{k}.jsonl").write_text(lines)
    one = DaskTextClassifier(client).fit(frame)
    other = DaskTextClassifier(client).fit(tmp_path / "*.jsonl")
    assert same_models(one.to_local(), other.to_local(), whole[:30])
    texts = dask.dataframe.from_pandas(pandas.DataFrame(whole[:9]).drop(columns="labels"), npartitions=2)
    assert one.predict(texts).compute().tolist() == list(one.to_local().predict(whole[:9]))


def test_a_worker_that_dies_changes_nothing(client, parts, monkeypatch) -> None:
    monkeypatch.setattr(training, "CHECKPOINT", 3)
    bag = dask.bag.from_delayed([dask.delayed(part) for part in parts])
    undisturbed = DaskTextClassifier(client).fit(bag).to_local()
    killed: list[int] = []
    wait = training.Owner.wait

    def kill_once(self, steps: int) -> None:
        wait(self, steps)
        if self.done >= 5 and not killed:
            killed.append(client.run(os.getpid, workers=[self.address])[self.address])
            os.kill(killed[0], signal.SIGKILL)

    monkeypatch.setattr(training.Owner, "wait", kill_once)
    disturbed = DaskTextClassifier(client).fit(bag).to_local()
    assert killed
    assert np.array_equal(disturbed.classifier_.learner_.mean_, undisturbed.classifier_.learner_.mean_)
    assert same_models(disturbed, undisturbed, documents(30, seed=2))


def test_empty_partitions_and_bad_files(client, parts, tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text("".join(json.dumps(d) + "\n" for d in parts[0]))
    (tmp_path / "b.jsonl").write_text("")
    (tmp_path / "c.jsonl").write_text('{"body": "no end"')
    with pytest.raises(BadInput, match=r"c\.jsonl:1"):
        DaskTextClassifier(client).fit(tmp_path)
    with pytest.warns(Notice, match=r"1 bad lines or files skipped, first: .*c\.jsonl:1"):
        model = DaskTextClassifier(client).fit(tmp_path, skip_bad=True)
    assert model.to_local().n_documents_ == 150


def test_what_cannot_be_learned_on_a_cluster_is_refused(client) -> None:
    bag = dask.bag.from_sequence(documents(10), npartitions=2)
    with pytest.raises(BadInput, match="needs all documents in one place"):
        DaskTextClassifier(client, learner="perceptron").fit(bag)
    with pytest.raises(BadInput, match="needs all documents in one place"):
        DaskTextClassifier(client, meaning="corpus").fit(bag)
    with pytest.raises(BadInput, match="labels are given apart"):
        DaskTextClassifier(client).fit(bag, [("a",)])
    with pytest.raises(BadInput, match="documents are list"):
        DaskTextClassifier(client).fit(documents(3))
    with pytest.raises(ClusterFailed, match=r"no Dask scheduler at tcp://127\.0\.0\.1:1"), connected("tcp://127.0.0.1:1"):
        pass


def test_workers_of_this_machine_are_gone_afterwards() -> None:
    with connected("local") as client:
        pids = list(client.run(os.getpid).values())
        assert pids
    end = time.monotonic() + 20
    while any(Path(f"/proc/{pid}").exists() for pid in pids) and time.monotonic() < end:
        time.sleep(0.2)
    assert not any(Path(f"/proc/{pid}").exists() for pid in pids)


@pytest.mark.parametrize("learner", ["best", "wide", "perceptron"])
def test_a_learner_is_refused_before_a_cluster_is_started(learner, run, tmp_path: Path, monkeypatch) -> None:
    file = tmp_path / "d.jsonl"
    file.write_text("".join(json.dumps(document) + "\n" for document in documents(10)))
    monkeypatch.setattr("bayesift.cluster.connection.connected", lambda _: pytest.fail("a cluster was started"))
    code, _, err = run("train", file, tmp_path / "m.bayesift", "--learner", learner, "--scheduler", "local")
    assert code == 2
    assert f"the learner '{learner}' with these settings needs all documents in one place" in err
    assert not (tmp_path / "m.bayesift").exists()


def test_the_command_line_trains_and_predicts_on_a_cluster(client, parts, run, tmp_path: Path) -> None:
    folder, address = tmp_path / "archive", client.scheduler.address
    folder.mkdir()
    for k, part in enumerate(parts):
        (folder / f"part{k}.jsonl").write_text("".join(json.dumps(document) + "\n" for document in part))
    model = tmp_path / "m.bayesift"
    trained = run("train", folder, model, "--scheduler", address)
    assert "900 documents, 40 labels" in trained.err
    assert same_models(load(model), DaskTextClassifier(client).fit(folder).to_local(), documents(20, seed=3))
    here = run("predict", model, folder).out
    there = run("predict", model, folder, "--scheduler", address)
    assert there.out == here
    assert run("predict", model, folder, "--scheduler", address, "--together").code == 2
    assert "cannot read standard input" in run("predict", model, "-", "--scheduler", address).err
    gone = run("train", folder, model, "--scheduler", "tcp://127.0.0.1:1")
    assert (gone.code, "no Dask scheduler" in gone.err) == (2, True)
