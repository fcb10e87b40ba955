import numpy as np
import pytest
from scipy import sparse

from bayesift.errors import BadInput, BayesiftError
from bayesift.text.meaning.encoder import encoded
from bayesift.text.meaning.meaning import CorpusPart, EncoderPart, Meaning
from bayesift.text.meaning.onnx_format import Graph
from bayesift.text.meaning.sources import listed, meaning_of, saved, with_encoder
from bayesift.text.meaning.vector_cache import VectorCache, key_of


class Letters:
    """Counts of some letters."""

    def encode(self, texts):
        return [[text.count(letter) for letter in "aeio"] for text in texts]


class Returns:
    def __init__(self, value):
        self.value = value

    def encode(self, texts):
        return self.value


def test_blank_texts_are_not_encoded():
    found = encoded(Letters(), ["oil", " -- ", "", "aerie"])
    assert found.tolist() == [[0, 0, 1, 1], [0, 0, 0, 0], [0, 0, 0, 0], [1, 2, 1, 0]]
    assert encoded(Letters(), []).shape == (0, 0)
    assert encoded(Letters(), [""], width=4).shape == (1, 4)


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ([[np.nan, 1.0]], "returned nan or inf for the text 'oil'"),
        ([[np.inf, 1.0]], "returned nan or inf"),
        ([[1.0, 2.0, 3.0]], "vectors of 3 numbers, before they had 2"),
        ([1.0, 2.0], r"1 texts gave an array of shape \(2,\)"),
        ([[1.0, 2.0]] * 2, r"1 texts gave an array of shape \(2, 2\)"),
        ([[]], r"shape \(1, 0\)"),
        ("words", "the encoder Returns returned no array of numbers"),
        (None, "shape"),
    ],
)
def test_what_an_encoder_returns_is_checked(value, message):
    with pytest.raises(BadInput, match=message):
        encoded(Returns(value), ["oil"], width=2)


def test_vectors_of_an_encoder_are_centred_and_have_unit_length():
    texts = ["oil", "aerie", "banana", "", "oil prices"]
    meaning = Meaning([EncoderPart(Letters())])
    raw = meaning.encode(texts)
    words = sparse.csr_matrix((5, 0))
    z = meaning.fit(words, raw).vectors(words, raw)
    assert np.allclose((z * z).sum(axis=1), [1, 1, 1, 0, 1], atol=1e-6)
    said = raw[[0, 1, 2, 4]]
    expected = said - said.mean(axis=0)
    assert np.allclose(z[[0, 1, 2, 4]], expected / np.linalg.norm(expected, axis=1, keepdims=True), atol=1e-6)
    again = Meaning([EncoderPart(Letters())]).restore(meaning.state())
    assert np.array_equal(again.vectors(words, raw), z)


def test_parts_stand_side_by_side_and_those_not_used_say_nothing():
    rng = np.random.default_rng(0)
    words = sparse.random(40, 30, density=0.4, random_state=rng, format="csr")
    texts = ["oil " * (i % 7 + 1) + "ea" * (i % 3) for i in range(40)]
    meaning = Meaning([EncoderPart(Letters()), CorpusPart(0)])
    raw = meaning.encode(texts)
    meaning.fit(words, raw, apart=True)
    assert meaning.widths == (4, 29)
    z = meaning.vectors(words, raw)
    assert z.shape == (40, 33)
    asked = Returns(None)
    meaning.parts[0].encoder = asked  # would fail
    unused = meaning.vectors(words, meaning.encode(texts, used=[1]))
    assert np.array_equal(unused[:, 4:], z[:, 4:])
    assert not unused[:, :4].any()


def test_a_projection_of_documents_that_are_learned_needs_many():
    rng = np.random.default_rng(0)
    words = sparse.random(1000, 300, density=0.05, random_state=rng, format="csr")
    few, many = CorpusPart(0), CorpusPart(0)
    few.fit(words[:999], None, apart=False)
    many.fit(words, None, apart=False)
    assert (few.width, many.width) == (0, 50)
    few.fit(words[:999], None, apart=True)
    assert few.width == 200


def test_sources_by_name():
    assert meaning_of(None) is None
    assert meaning_of(listed("auto")) is None
    assert [type(p) for p in meaning_of(["corpus", Letters()]).parts] == [CorpusPart, EncoderPart]
    assert saved("auto", None) == "auto"
    assert saved("auto", []) == ["corpus"]
    assert saved(None, None) is None
    own = Letters()
    assert saved(["corpus", own], None) == ["corpus", "encoder"]
    assert with_encoder(["corpus", "encoder"], own) == ["corpus", own]
    with pytest.raises(BadInput, match="trained with 0 encoders"):
        with_encoder(["corpus"], own)


@pytest.mark.parametrize(
    "wrong", ["corpos", 7, ["corpus", "corpus"], "corpus=folder", [Letters(), Letters()], ["auto", "corpus"]]
)
def test_wrong_sources(wrong):
    with pytest.raises(BayesiftError, match="meaning"):
        meaning_of(wrong)


def test_a_cache_that_is_damaged_is_as_if_empty(tmp_path):
    path = tmp_path / "vectors.sqlite"
    cache, one = VectorCache(path), np.arange(3, dtype=np.float32)
    cache.put([(key_of("a"), one)])
    assert VectorCache(path).get([key_of("a")])[key_of("a")].tolist() == [0, 1, 2]
    path.write_bytes(b"not a database" * 100)
    damaged = VectorCache(path)
    assert damaged.get([key_of("a")]) == {}
    damaged.put([(key_of("b"), one)])
    assert damaged.get([key_of("b")])[key_of("b")].tolist() == [0, 1, 2]


def test_a_graph_runs():
    onnxruntime = pytest.importorskip("onnxruntime")
    graph = Graph({"x": ("float32", ["n", 3])})
    weight = np.arange(6, dtype=np.float32).reshape(2, 3)
    y = graph.node("Gemm", "x", graph.constant("w", weight), transB=1, alpha=0.5)
    y = graph.node("ReduceMean", y, graph.constant("axes", np.array([0])), keepdims=0)
    session = onnxruntime.InferenceSession(graph.model({y: ("float32", [2])}), providers=["CPUExecutionProvider"])
    x = np.array([[1, 2, 3], [4, 5, 6]], np.float32)
    assert np.allclose(session.run(None, {"x": x})[0], (0.5 * x @ weight.T).mean(axis=0))
