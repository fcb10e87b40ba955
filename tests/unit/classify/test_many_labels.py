"""A compact model in a file: bit for bit what it is in memory, before and after an update."""

import numpy as np
import pytest

from bayesift import TextClassifier, load
from bayesift.classify import out_of_sample

LABELS = 40


def texts(n, seed):
    rng = np.random.default_rng(seed)
    labels = rng.integers(LABELS, size=n)
    words = [[f"topic{c}", *(f"word{j}" for j in rng.integers(4000, size=8))] for c in labels]
    return [" ".join(w) for w in words], [(f"label{c}",) for c in labels]


@pytest.fixture
def model(monkeypatch):
    monkeypatch.setattr(out_of_sample, "LARGE", 0)
    return TextClassifier().fit(*texts(1200, 0))


def test_a_compact_model_is_loaded_and_updated_bit_for_bit(model, tmp_path):
    test, truth = texts(100, 1)
    assert model.classifier_.learner_.belief_.compact
    assert model.score(test, truth) > 0.9
    model.save(tmp_path / "a")
    loaded = load(tmp_path / "a")
    assert np.array_equal(model.predict_proba(test), loaded.predict_proba(test))
    for one in (model, loaded):
        one.partial_fit([*test, "zebra stripes"], [*truth, ("animal",)])
    model.save(tmp_path / "a")
    loaded.save(tmp_path / "b")
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()
    assert loaded.predict(["zebra stripes"]) == [("animal",)]


def test_a_compact_file_is_smaller(model, tmp_path, monkeypatch):
    model.save(tmp_path / "compact")
    monkeypatch.setattr(out_of_sample, "LARGE", 1 << 23)
    TextClassifier().fit(*texts(1200, 0)).save(tmp_path / "dense")
    small, large = ((tmp_path / name).stat().st_size for name in ("compact", "dense"))
    assert small < 0.85 * large
