"""A seeded share of `benchmarks/fuzz.py`: damaged model files and damaged inputs do no harm."""

import importlib.util
from pathlib import Path

import pytest

FILE = Path(__file__).parents[2] / "benchmarks" / "fuzz.py"


@pytest.fixture(scope="module")
def fuzz():
    spec = importlib.util.spec_from_file_location("fuzz", FILE)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_mutated_model_files(fuzz, tmp_path):
    assert fuzz.model_files(1500, 1, tmp_path) == []


def test_mutated_inputs(fuzz, tmp_path):
    assert fuzz.inputs(2000, 1, tmp_path) == []


def test_a_find_is_found(fuzz, tmp_path):
    """The fuzzer itself can fail: a reader that crashes, and one that accepts anything."""

    def crash(_path):
        raise KeyError("x")

    assert "TRACEBACK KeyError" in fuzz._run("a", 1, lambda: b"", tmp_path / "x", crash)[0]
    assert "WRONG ANSWER" in fuzz._run("b", 1, lambda: b"", tmp_path / "x", lambda _path: False)[0]
