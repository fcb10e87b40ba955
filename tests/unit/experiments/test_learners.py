"""Every learner by its name on a small made-up corpus; figures need the real ones."""

import numpy as np

from bayesift.corpora import Document
from bayesift.experiments import learners
from bayesift.experiments.layouts.learners import LAYOUTS, SYSTEMS

WORDS = {"grain": "wheat corn barley crop", "crude": "oil barrel opec refinery", "ship": "port vessel cargo tanker"}


def documents(n, seed):
    rng = np.random.default_rng(seed)
    for i in range(n):
        own = list(WORDS)[i % 3]
        yield Document(f"d{i}", body=" ".join(rng.choice(WORDS[own].split(), 5)), labels=(own,))


def test_every_system_learns_and_has_a_row():
    found = dict(learners.systems(list(documents(90, 0)), list(documents(30, 1))))
    assert tuple(found) == SYSTEMS
    for name, metrics in found.items():
        assert metrics["micro_f1"] > 90, name
        assert metrics["seconds"] > 0
        assert ("calibration_error" in metrics) != name.startswith("LinearSVC")
    assert [layout.caption for layout in LAYOUTS["learners"]] == list(learners.CORPORA)


def test_only_the_most_frequent_categories_are_kept():
    train = [*documents(9, 0), Document("x", body="gold", labels=("gold", "grain"))]
    kept, _ = learners._frequent(train, [], 2)
    assert {label for d in kept for label in d.labels} <= {"grain", "crude", "ship"}
    assert kept[-1].labels == ("grain",)
