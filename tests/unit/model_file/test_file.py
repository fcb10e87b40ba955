"""A model file gives back what was written, or says what is wrong with it."""

import contextlib
import json
import math
import struct
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from safetensors.numpy import load_file, save, save_file
from scipy import sparse

from bayesift.errors import BadInput, BayesiftError, NotFound
from bayesift.learn import BayesianPerceptron, PerLabel
from bayesift.learn.priors import FeaturePrior, Laplace
from bayesift.model_file import file as model_file
from bayesift.model_file import read_manifest, read_model, write_model
from bayesift.model_file.tensors import tensor_parts

CLASSES = {c.__name__: c for c in (PerLabel, BayesianPerceptron, Laplace, FeaturePrior)}


def write(path, model):
    write_model(path, model, CLASSES, kind="test", labels=["a"], training={"documents": 3})
    return path


def read(path):
    return read_model(path, CLASSES, kind="test").model


def same(a: Any, b: Any) -> bool:
    if isinstance(a, np.ndarray):
        return a.dtype == b.dtype and a.shape == b.shape and a.tobytes() == b.tobytes()
    if isinstance(a, dict):
        return a.keys() == b.keys() and all(same(a[k], b[k]) for k in a)
    if isinstance(a, list | tuple):
        return type(a) is type(b) and len(a) == len(b) and all(map(same, a, b))
    if isinstance(a, float) and math.isnan(a):
        return math.isnan(b)
    return type(a) is type(b) and a == b


floats = hnp.floating_dtypes(endianness="=", sizes=(16, 32, 64))
dtypes = st.one_of(hnp.boolean_dtypes(), hnp.integer_dtypes(endianness="="), floats)
arrays = hnp.arrays(dtypes, hnp.array_shapes(min_dims=0, min_side=0))
leaves = st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(), arrays)
values = st.recursive(leaves, lambda x: st.one_of(st.lists(x), st.lists(x).map(tuple), st.dictionaries(st.text(), x)))


@settings(max_examples=60, deadline=None)
@given(values)
def test_any_nested_value_comes_back(tmp_path_factory, value):
    path = tmp_path_factory.mktemp("m") / "x.model"
    assert same(read(write(path, {"value": value})), {"value": value})


def test_objects_words_and_sparse_matrices_come_back(tmp_path):
    known = [FeaturePrior(np.array([1.0, np.nan]), np.array([2.0, np.nan])), None]
    value = {
        "learner": PerLabel(BayesianPerceptron(passes=2), feature_priors=known),
        "words": np.array([["a", "é"]]),
        "names": np.array(["a", "b"], object),
        "csr": sparse.csr_matrix([[0, 2.5], [0, 0]]),
    }
    found = read(write(tmp_path / "x", value))
    priors = found["learner"].feature_priors
    assert repr(found["learner"]) == repr(PerLabel(BayesianPerceptron(passes=2), feature_priors=priors))
    assert same(found["learner"].feature_priors[0].mean, known[0].mean)
    assert same(found["words"], value["words"])
    assert found["names"].dtype == object
    assert (found["csr"] != value["csr"]).nnz == 0
    with pytest.raises(BadInput, match="cannot be saved"):
        write(tmp_path / "y", {"x": object()})
    with pytest.raises(BadInput, match="cannot be saved"):
        write(tmp_path / "y", np.array([object()]))
    assert not (tmp_path / "y").exists()


def test_mostly_one_value_makes_it_small(tmp_path):
    value = np.full((400, 300), np.float32(0.1))
    value[3, 4], value[7] = -0.0, np.nan
    path = write(tmp_path / "x", {"w": value})
    assert path.stat().st_size < 0.05 * value.nbytes
    assert same(read(path), {"w": value})


def test_the_same_bytes_again_and_any_safetensors_program_reads_it(tmp_path):
    value = {"mean": np.arange(5.0), "deep": [{"x": np.ones(3, np.float32)}]}
    first, second = write(tmp_path / "a", value), write(tmp_path / "b", value)
    assert first.read_bytes() == second.read_bytes()
    assert {k: v.tolist() for k, v in load_file(first).items()} == {"mean": [0, 1, 2, 3, 4], "deep.0.x": [1, 1, 1]}
    assert not read(first)["mean"].flags.writeable


NUMBERS = hnp.boolean_dtypes() | hnp.integer_dtypes(endianness="=") | hnp.floating_dtypes(endianness="=")
SMALL = hnp.array_shapes(min_dims=0, max_dims=3, min_side=0, max_side=3)


@given(st.dictionaries(st.text(st.characters(codec="utf-8"), max_size=4), hnp.arrays(NUMBERS, SMALL), max_size=6))
def test_the_bytes_are_those_of_the_safetensors_library(arrays):
    arrays = {name: array for name, array in arrays.items() if name != "__metadata__" and array.dtype.itemsize <= 8}
    about = {"bayesift": json.dumps({"labels": ["é", '"', "\n\x7f"]}) + " é\u2028"}
    assert b"".join(tensor_parts(arrays, about)) == save(arrays, about)


def test_the_manifest_tells_what_it_is(tmp_path):
    manifest = read_manifest(write(tmp_path / "x", {"a": 1}))
    assert (manifest["kind"], manifest["labels"], manifest["training"]) == ("test", ["a"], {"documents": 3})
    assert {"bayesift", "numpy"} <= manifest["libraries"].keys()


def test_every_cut_and_every_changed_byte_is_refused(tmp_path):
    path = write(tmp_path / "x", {"mean": np.arange(4.0), "n": 7})
    whole = path.read_bytes()
    for size in range(len(whole)):
        path.write_bytes(whole[:size])
        with pytest.raises(BadInput):
            read(path)
    for at in range(len(whole)):
        path.write_bytes(whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :])
        with contextlib.suppress(BadInput):
            assert same(read(path), {"mean": np.arange(4.0), "n": 7})  # a space of the header, say: no harm done
    path.write_bytes(whole + b"\0")
    with pytest.raises(BadInput, match="more than it should"):
        read(path)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "is empty"),
        (b"\x80\x04\x95pickle", "not a model file"),
        (b'{"id": 1, "text": "json lines"}\n' * 9, "not a model file"),
        (struct.pack("<Q", 40) + b"{" * 40, "not a model file"),
        (struct.pack("<Q", 99) + b"{}", "cut off"),
        (struct.pack("<Q", 2) + b"{}", "another program"),
        (struct.pack("<Q", 200_000) + b'{"a":' * 40_000, "not a model file"),
    ],
)
def test_other_files_are_told_from_models(tmp_path, content, message):
    path = tmp_path / "x"
    path.write_bytes(content)
    with pytest.raises(BadInput, match=message):
        read(path)


def test_missing_directory_and_other_program(tmp_path):
    with pytest.raises(NotFound, match="no such model file"):
        read(tmp_path / "none")
    with pytest.raises(BadInput, match="directory"):
        read(tmp_path)
    save_file({"w": np.ones(3)}, tmp_path / "x", {"format": "pt"})
    with pytest.raises(BadInput, match="another program"):
        read(tmp_path / "x")
    write(tmp_path / "y", {})
    with pytest.raises(BadInput, match="holds a test, not a TextClassifier"):
        read_model(tmp_path / "y", CLASSES, kind="TextClassifier")


def test_a_newer_format_asks_for_an_upgrade(tmp_path, monkeypatch):
    monkeypatch.setattr(model_file, "VERSION", 3)
    path = write(tmp_path / "x", {"a": 1})
    monkeypatch.undo()
    with pytest.raises(BadInput, match=r"format version 3.*upgrade bayesift"):
        read(path)


def resealed(path, change):
    """A file as another program would write it: changed, and sealed again."""
    from safetensors import safe_open

    with safe_open(path, framework="numpy") as found:
        manifest = json.loads(found.metadata()["bayesift"])
    arrays = load_file(path)
    change(manifest, arrays)
    del manifest["digest"]
    manifest["digest"] = model_file._digest(manifest, arrays)
    path.write_bytes(save(arrays, {"bayesift": json.dumps(manifest)}))


@pytest.mark.parametrize(
    "packed",
    [{"array": "gone"}, {"object": "os.system", "settings": {}}, {"object": "PerLabel", "settings": {"nothing": 1}},
     {"mostly": {"place": "w", "value": "w", "usual": "w", "shape": [10**9, 10**9]}}, {"csr": [1]}, {"what": 1},
     {"float": "1e9"}, {"words": [1], "shape": ["x"]}],
)  # fmt: skip
def test_sealed_nonsense_is_refused_too(tmp_path, packed):
    path = write(tmp_path / "x", {"w": np.arange(3)})
    resealed(path, lambda manifest, _: manifest.update(model=packed))
    with pytest.raises(BayesiftError, match="x: "):
        read(path)
