"""The ways to decide on made-up label sets; figures need the real corpora."""

import numpy as np
import pytest
from scipy import sparse

from bayesift.experiments import hierarchy
from bayesift.experiments.layouts.hierarchy import LAYOUTS, WAYS


@pytest.fixture(scope="module")
def task():
    X = sparse.random(500, 30, density=0.2, random_state=0, format="csr")
    labels = X.toarray()[:, :4] > 0.3
    labels[:, 1] ^= np.random.default_rng(0).random(500) < 0.2  # so that some decisions contradict the hierarchy
    labels[:, 0] |= labels[:, 1]  # b implies a
    sets = [[name for name, given in zip("abcd", row) if given] for row in labels.tolist()]
    return hierarchy.Task(X[:300], X[300:], sets[:300], sets[300:], {"b": "a"})


@pytest.mark.parametrize("learner", ["default", "best"])
def test_every_way_has_a_row(task, learner):
    found = dict(hierarchy.measured(task, learner, 0))
    assert tuple(found) == WAYS
    assert found["no hierarchy"]["contradictions"] > 0.0
    assert {found[way]["contradictions"] for way in WAYS[1:]} == {0.0}
    assert found["consistent"] == found["consistent, found"]
    assert all(metrics["micro_f1"] > 60 for metrics in found.values())


def test_a_label_that_was_never_learned_counts_as_missed(task):
    without = dict(hierarchy.measured(task, "default", 0))["consistent"]
    others = task._replace(truth=[[*labels, "e"] for labels in task.truth])
    found = dict(hierarchy.measured(others, "default", 0))["consistent"]
    assert found["exact_match"] == 0.0
    assert found["macro_f1"] == pytest.approx(without["macro_f1"] * 4 / 5)


def test_parents_follow_from_the_codes_of_topics():
    found = hierarchy.topic_parents(["C11", "C15", "C151", "C1511", "CCAT", "E12", "ECAT", "GCAT", "GDIP", "MCAT"])
    assert found == {"C11": "CCAT", "C15": "CCAT", "C151": "C15", "C1511": "C151", "E12": "ECAT", "GDIP": "GCAT"}


def test_every_corpus_has_a_table():
    assert [layout.caption for layout in LAYOUTS["hierarchy"]] == list(hierarchy.CORPORA)
    assert np.all([set(learners) <= {"default", "best"} for _, learners in hierarchy.CORPORA.values()])
