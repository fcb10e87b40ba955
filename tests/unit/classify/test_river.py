"""River's verbs, and river's own tools around them."""

import subprocess
import sys

import pytest

from bayesift import TextClassifier
from bayesift.classify import RiverAdapter

TEXTS = ["wheat corn harvest", "oil barrel opec", "port vessel cargo", "wheat cargo port"] * 15
SETS = [("grain",), ("crude",), ("ship",), ("grain", "ship")] * 15
NAMES = ("crude", "grain", "ship")
ONE = [labels[0] for labels in SETS]
BOOLS = [{name: name in labels for name in NAMES} for labels in SETS]
CHECKS = [  # those of river that need no numbers
    "check_repr", "check_str", "check_tags", "check_clone_same_class", "check_clone_is_idempotent", "check_doc",
    "check_init_has_default_params_for_tests", "check_init_default_params_are_not_mutable",
    "check_clone_changes_memory_addresses", "check_mutate_can_be_idempotent", "check_pickling_supports_roundtrip",
    "check_repr_roundtrips_clone", "check_clone_with_new_params_applies", "check_get_params_matches_signature",
]  # fmt: skip


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
    pytest.importorskip("river")
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


@pytest.mark.parametrize("name", CHECKS)
def test_rivers_checks(name):
    pytest.importorskip("river")
    from river.checks import common

    getattr(common, name)(RiverAdapter())


def test_river_is_not_needed():
    code = "import sys; sys.modules['river'] = None; from bayesift.classify import RiverAdapter as O; o = O(); " \
        "o.learn_one('wheat', 'grain'); o.learn_one('oil', 'crude'); print(o.predict_one('wheat'))"  # fmt: skip
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "grain\n"
