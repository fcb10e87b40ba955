"""The tables run on a few categories and write what they promise; on the real corpus only."""

import json
from datetime import date

import numpy as np
import pytest
from scipy import sparse
from sklearn.svm import SVC

from bayesift.experiments import EXPERIMENTS, Options
from bayesift.experiments.chai2002 import TABLE2, TABLE3, TABLE3_ORDER, _optional, _svm
from bayesift.experiments.reuters import Task
from bayesift.learn.term_selection import TermCounts


def test_the_published_tables_are_whole():
    assert all(set(rules) >= {"0.5", "MaxF1"} for rules in TABLE2.values())
    assert [len(row) for row in TABLE3] == list(range(len(TABLE3_ORDER) - 1, 0, -1))


@pytest.mark.parametrize("kind", "ab")
@pytest.mark.parametrize("kernel", ["2", "R1"])
def test_the_margins_are_those_of_a_plain_svm(kind, kernel):
    """Whether the categories share a kernel matrix or not."""
    rng = np.random.default_rng(0)
    X = sparse.random(160, 30, density=0.3, random_state=0, format="csr")
    Y = (X.toarray()[:, :2] + 0.1 * rng.normal(size=(160, 2)) > 0.2).astype(np.int8)
    frequency = np.full(30, 100)
    frequency[-5:] = 2  # rare words, which SVM "a" does not have
    task = Task("made up", ["x", "y"], X[:100], Y[:100], X[100:], Y[100:], frequency)
    train, test = _svm(task, f"SVM_{kind}-{kernel}")
    settings = {"2": {"kernel": "poly", "degree": 2, "gamma": 1.0, "coef0": 1.0}, "R1": {"kernel": "rbf", "gamma": 0.5}}
    for c in range(2):
        terms = np.arange(25) if kind == "a" else TermCounts().add(task.X, task.Y).select(c)
        plain = SVC(C=1.0, **settings[kernel]).fit(X[:100][:, terms], Y[:100, c])
        assert np.allclose(train[:, c], plain.decision_function(X[:100][:, terms]), rtol=0, atol=1e-6)
        assert np.allclose(test[:, c], plain.decision_function(X[100:][:, terms]), rtol=0, atol=1e-6)


def test_rows_of_nonlinear_kernels_are_dated_with_the_option_only():
    assert _optional(Options()) == {}
    dated = _optional(Options(kernel_svm=True))
    assert set(dated) == {system for system in TABLE2 if system.startswith("SVM") and not system.endswith("-1")}
    assert all(date.fromisoformat(day) <= date.today() for day in dated.values())


def test_the_command_lists_experiments_and_refuses_others(run):
    code, out, _ = run("reproduce")
    assert code == 0
    listed = [line.split() for line in out.splitlines() if line.startswith("  ")]
    assert [words[0] for words in listed] == list(EXPERIMENTS)
    assert all(len(words) > 2 for words in listed)
    code, _, err = run("reproduce", "chai2002-table99")
    assert code == 2
    assert "chai2002-table2" in err


def test_without_the_corpus_it_says_where_to_get_it(run, tmp_path):
    code, _, err = run("reproduce", "chai2002-table6", "--data", tmp_path)
    assert code == 2
    assert "bayesift corpus get reuters21578" in err


@pytest.mark.parametrize("name", ["chai2002-table2", "chai2002-table3", "chai2002-table6"])
def test_a_quick_look(run, tmp_path, corpus_folder, name):
    data = corpus_folder("reuters21578").parent
    code, out, _ = run("reproduce", name, "--categories", 3, "--data", data, "--json", tmp_path / "r.json")
    assert code == 0
    result = json.loads((tmp_path / "r.json").read_text())
    assert set(result) >= {"name", "corpus", "seconds", "rows"}
    assert result["name"] == name
    assert all(set(row) == {"system", "setting", "metric", "paper", "ours"} for row in result["rows"])
    f1 = [row["ours"] for row in result["rows"] if row["metric"] == "micro_f1" and row["setting"] == "MaxF1"]
    assert all(value > 85 for value in f1)
    assert "Perceptron" in out
