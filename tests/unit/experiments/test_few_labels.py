"""Few labels: the draws, and the rows of every system, on made documents."""

import numpy as np
import pytest

from bayesift.corpora import Document
from bayesift.experiments import few_labels
from bayesift.experiments.few_labels import SYSTEMS, Task, add, run, settings
from bayesift.experiments.layouts import LAYOUTS
from bayesift.experiments.result import Result


@pytest.fixture(scope="module")
def task():
    rng = np.random.default_rng(0)
    Y = rng.random((160, 3)) < [0.6, 0.2, 0.1]
    Y[~Y.any(axis=1), 0] = True
    words = np.array(["wheat corn grain", "oil crude barrel", "gold silver ore"])
    texts = [" ".join([*words[row], *rng.choice(["may", "june", "july", "week", "year"], 3)]) for row in Y]
    documents = [Document(str(i), "", text) for i, text in enumerate(texts)]
    return Task("Reuters", documents[:120], Y[:120], documents[120:], Y[120:], ["grain", "crude", "ore"])


def test_a_draw_has_so_many_documents_of_each_label(task):
    rows = task.draw("5 per label", 1)
    assert (task.Y[rows].sum(axis=0) >= 5).all()
    assert len(rows) <= 15
    assert len(set(rows.tolist())) == len(rows)
    assert np.array_equal(rows, task.draw("5 per label", 1))
    assert not np.array_equal(rows, task.draw("5 per label", 2))
    assert len(task.draw("1,000 documents", 0)) == 120
    assert len(task.draw("100 documents", 0)) == 100
    assert few_labels._others(task, rows)[0] not in [task.pool[i] for i in rows]


def test_every_system_has_rows_that_the_tables_show(task):
    found = [run(task, "10 per label", seed, SYSTEMS) for seed in range(2)]
    assert found[0]["bayesift, words"]["micro_f1"] > 80
    assert found[0]["LogisticRegression C=10, SCutFBR.1"]["map"] > 80
    result = Result("few-labels", "made")
    add(result, "Reuters", "10 per label", found)
    shown = set().union(*(layout.keys() for layout in LAYOUTS["few-labels"]))
    assert {row.key for row in result.rows if not row.metric.endswith(" sd")} <= shown
    assert len({row.system for row in result.rows}) == 12
    assert "10 per label" in settings()


def test_a_label_without_a_training_document_counts_as_missed(task):
    rows = np.flatnonzero(~task.Y[:, 2])[:40]
    found = run(Task("x", task.pool, task.Y, task.test, task.Y_test, task.labels), "5 per label", 0, SYSTEMS[:1])
    fewer = SYSTEMS[0](task, rows, 0)
    assert fewer["bayesift, words"]["macro_f1"] < found["bayesift, words"]["macro_f1"]
    assert fewer["bayesift, words"]["macro_f1"] <= 100 * 2 / 3
