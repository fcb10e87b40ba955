"""River's verbs, and river's own tools around them."""

import subprocess
import sys
from itertools import islice

import numpy as np
import pytest

from bayesift import TextClassifier
from bayesift.errors import BadInput
from bayesift.integrations import RiverAdapter

TEXTS = ["wheat corn harvest", "oil barrel opec", "port vessel cargo", "wheat cargo port"] * 15
SETS = [("grain",), ("crude",), ("ship",), ("grain", "ship")] * 15
NAMES = ("crude", "grain", "ship")
ONE = [labels[0] for labels in SETS]
BOOLS = [{name: name in labels for name in NAMES} for labels in SETS]


def learned(targets):
    stream = RiverAdapter()
    for text, target in zip(TEXTS, targets):
        stream.learn_one(text, target)
    return stream


def test_a_stream_of_label_sets():
    stream = learned(BOOLS)
    stream.model.calibrate()
    found = stream.predict_proba_one("wheat corn harvest")
    assert found["grain"][True] > found["crude"][True]
    assert found["grain"][True] + found["grain"][False] == pytest.approx(1.0)
    assert set(stream.predict_one("wheat")) == set(NAMES)


def test_a_stream_of_single_labels():
    stream = learned(ONE)
    assert stream.predict_one("wheat corn harvest") == "grain"
    assert type(stream.predict_one("oil")) is str
    assert sum(stream.predict_proba_one("oil").values()) == pytest.approx(1.0)


def test_before_anything_was_learned():
    assert RiverAdapter().predict_one("wheat") is None
    assert RiverAdapter().predict_proba_one("wheat") == {}


def test_river_validates_it_progressively():
    pytest.importorskip("river", reason="needs river: pip install '.[river]'")
    from river import evaluate, metrics

    rates = [
        evaluate.progressive_val_score(zip(TEXTS, ONE), RiverAdapter(), metrics.Accuracy()),
        evaluate.progressive_val_score(zip(TEXTS, BOOLS), RiverAdapter(), metrics.multioutput.ExactMatch()),
        evaluate.progressive_val_score(
            zip(TEXTS, BOOLS), RiverAdapter(), metrics.multioutput.MicroAverage(metrics.F1())
        ),
        evaluate.progressive_val_score(zip(TEXTS, ONE), RiverAdapter(), metrics.Accuracy(), delay=3),
    ]
    assert all(0.0 < rate.get() <= 1.0 for rate in rates)
    loss = evaluate.progressive_val_score(zip(TEXTS, ONE), RiverAdapter(), metrics.CrossEntropy())
    assert 0.0 < loss.get() < 5.0


@pytest.mark.parametrize("targets", [ONE, BOOLS], ids=["one", "sets"])
def test_rivers_metrics_take_the_first_answer(targets):
    metrics = pytest.importorskip("river.metrics")
    pytest.importorskip("river.metrics.multioutput")
    metric = metrics.Accuracy() if targets is ONE else metrics.multioutput.ExactMatch()
    metric.update(targets[0], RiverAdapter().predict_one(TEXTS[0]))
    assert metric.get() == 0.0


def test_a_clone_has_the_settings_and_has_learned_nothing():
    base = pytest.importorskip("river.base")
    stream = RiverAdapter(TextClassifier(seed=7))
    assert isinstance(stream, base.Classifier)
    assert isinstance(stream, base.MultiLabelClassifier)
    stream.learn_one("wheat", "grain")
    fresh = stream.clone()
    assert fresh.model.seed == 7
    assert fresh.predict_one("wheat") is None
    assert stream.predict_one("wheat") == "grain"
    assert stream.clone(include_attributes=True).predict_one("wheat") == "grain"
    assert stream.clone({"model": TextClassifier("bomc")}).model.learner == "bomc"


@pytest.fixture
def short(monkeypatch):
    """Let each of river's checks have one short data set: all of them take minutes."""
    checks = pytest.importorskip("river.checks", reason="needs river: pip install '.[river]'")
    every = checks._yield_datasets
    monkeypatch.setattr(checks, "_yield_datasets", lambda model, scale=1: islice(every(model), 1))
    return checks


class Music:
    """Stands in for river's data set of this name, which it downloads: 72 numbers and 6 labels per song."""

    def take(self, n):
        rng = np.random.default_rng(0)
        for numbers in rng.random((n, 72)):
            x = {f"feature_{i}": float(value) for i, value in enumerate(numbers)}
            yield x, {f"mood_{i}": bool(numbers[i] > 0.6) for i in range(6)}


def test_rivers_checks_of_label_sets(short, monkeypatch):
    monkeypatch.setattr("river.datasets.Music", Music)
    short.check_estimator(RiverAdapter())


def test_rivers_checks_of_single_labels(short):
    from river import naive_bayes

    names = set()
    for check in short.yield_checks(naive_bayes.GaussianNB()):  # river itself would take those for label sets
        names.add(check.__name__)
        check(RiverAdapter())
    assert {"check_predict_proba_one", "check_classifier_tracks_seen_labels", "check_bounded_memory_growth"} <= names


def test_it_works_at_the_end_of_a_pipeline():
    pytest.importorskip("river", reason="needs river: pip install '.[river]'")
    from river import compose, evaluate, feature_extraction, metrics, preprocessing

    words = feature_extraction.BagOfWords() | RiverAdapter()
    assert evaluate.progressive_val_score(zip(TEXTS, ONE), words, metrics.Accuracy()).get() > 0.8
    rows = [({"size": float(i % 7), "colour": "red" if i % 2 else "blue"}, i % 2 == 1) for i in range(60)]
    scaled = compose.SelectType(float) | preprocessing.StandardScaler()
    both = (scaled + compose.SelectType(str)) | RiverAdapter()
    assert evaluate.progressive_val_score(iter(rows), both, metrics.Accuracy()).get() > 0.9


def test_features_and_texts_do_not_mix():
    stream = RiverAdapter()
    stream.learn_one({"wheat": 1}, "grain")
    with pytest.raises(BadInput, match="keep to one kind"):
        stream.learn_one("wheat", "grain")
    with pytest.raises(BadInput, match="keep to one kind"):
        stream.learn_one({"wheat": 1}, {"grain": True})


def test_unknown_features_have_no_effect():
    stream = RiverAdapter()
    for i in range(20):
        stream.learn_one({"wheat": 1} if i % 2 else {"oil": 2.0}, {"grain": i % 2 == 1})
    assert stream.predict_one({"wheat": 1}) == {"grain": True}
    assert stream.predict_one({"wheat": 1, "unknown": 5}) == {"grain": True}
    assert stream.predict_one({"oil": 1}) == {"grain": False}
    assert stream.clone(include_attributes=True).predict_one({"wheat": 1}) == {"grain": True}
    assert stream.clone().predict_one({"wheat": 1}) is None


def test_river_is_not_needed():
    code = "import sys; sys.modules['river'] = None; from bayesift.integrations import RiverAdapter as O; o = O(); " \
        "o.learn_one('wheat', 'grain'); o.learn_one('oil', 'crude'); print(o.predict_one('wheat'))"  # fmt: skip
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "grain\n"
