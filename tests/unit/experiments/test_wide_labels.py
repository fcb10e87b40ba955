"""The experiment with thousands of labels, on few made documents."""

from importlib.util import find_spec

import numpy as np
import pytest
from scipy import sparse

from bayesift.corpora import Document
from bayesift.experiments import wide_labels
from bayesift.experiments.layouts import LAYOUTS
from bayesift.experiments.wide_labels import SYSTEMS, Found, Task, alone, measures, split


def documents(n=120):
    words = ["wheat", "corn", "oil", "ship", "gold", "tin", "rice", "sugar", "silver", "cotton"]
    return [
        Document(str(i), f"{words[i % 10]} report", f"about {words[i % 10]} and {words[(i + 1) % 10]} x{i}")
        for i in range(n)
    ]


def test_labels_are_the_terms_of_titles():
    task = split(documents(), 80)
    assert task.Y.shape == (80, 10)  # "report" is in all titles
    assert task.X_test.shape[0] == task.Y_test.shape[0] == 40
    assert np.asarray(task.Y.sum(axis=0)).ravel().tolist() == [8] * 10


def test_measures():
    truth = sparse.csr_matrix([[1, 0, 0, 1], [0, 1, 0, 0]])
    given = sparse.csr_matrix([[1, 0, 0, 0], [1, 1, 0, 0]])
    found = Found(np.array([[0, 1, 3, 2, -1], [0, 1, -1, -1, -1]]), given, 1.0, 2.0)
    got = measures(found, truth)
    assert got["p1"] == pytest.approx(50.0)
    assert got["p3"] == pytest.approx(100 * 3 / 6)
    assert got["micro_f1"] == pytest.approx(200 * 2 / 6)
    assert got["macro_f1"] == pytest.approx(100 * (2 / 3 + 1 + 0) / 3)
    assert got["predict_ms"] == 1000.0


def test_every_system_answers_in_a_process_of_its_own():
    task: Task = split(documents(), 80)
    shown = set().union(*(layout.keys() for layout in LAYOUTS["wide-labels"]))
    for system in SYSTEMS:
        if system == wide_labels.TREE and find_spec("napkinxc") is None:
            continue
        found = alone(SYSTEMS[system], task)
        assert found["p1"] > 40.0, system
        assert found["memory"] >= 0.0
        assert {(system, corpus, metric) for corpus in wide_labels.CORPORA for metric in found} <= shown
