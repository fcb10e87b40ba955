"""The tables run on a few categories and write what they promise; on the real corpora only."""

import json
import warnings

import numpy as np
import pytest

from bayesift.experiments import eyheramendy2003 as reuters
from bayesift.experiments import eyheramendy2003_rcv1 as rcv1
from bayesift.experiments.figures import FIGURES
from bayesift.experiments.result import read_result
from bayesift.experiments.reuters import R10
from bayesift.learn import SparseLogistic
from bayesift.learn.priors import Normal


@pytest.mark.parametrize("f1", [*reuters.OTHERS.values(), *reuters.F1.values()])
def test_a_published_column_is_whole_and_has_its_own_macro_average(f1):
    *topics, macro, micro = f1
    assert len(topics) == len(R10)
    assert macro == pytest.approx(np.mean(topics), abs=0.11)  # as printed, from rounded figures
    assert micro > macro


def test_the_published_counts_are_whole():
    assert set(reuters.KEPT) <= set(reuters.F1)
    assert all(len(kept) == len(R10) and max(kept) <= 301 for kept in reuters.KEPT.values())


def test_table_7_is_part_of_table_8():
    assert [rcv1.TABLE8[model] for model in rcv1.TABLE7] == [(39.4, 72.5), (47.7, 74.4), (53.0, 78.9)]


def test_warnings_that_the_tables_are_about_are_not_repeated():
    X, y = [[1.0, 0.0], [0.0, 1.0]] * 20, [1, 0] * 20
    learner = SparseLogistic(Normal(1e6))
    with pytest.warns(UserWarning, match="separated perfectly"):
        learner.fit(X, y)
    with warnings.catch_warnings(), reuters.known_warnings():
        warnings.simplefilter("error", append=True)
        learner.fit(X, y)


@pytest.fixture
def reproduce(run, tmp_path, monkeypatch, corpus_folder):
    """Run one experiment on a few categories, in an empty folder, and give what its JSON holds."""

    def command(name: str, categories: int, corpus: str = "reuters21578") -> dict:
        data = corpus_folder(corpus).parent
        monkeypatch.chdir(tmp_path)
        code, _, err = run("reproduce", name, "--categories", categories, "--data", data, "--json", "r.json")
        assert code == 0, err
        result = json.loads((tmp_path / "r.json").read_text())
        assert result["name"] == name
        assert all(set(row) == {"system", "setting", "metric", "paper", "ours"} for row in result["rows"])
        assert "note:" not in err  # what the tables are about is not repeated for every topic
        return result

    return command


@pytest.mark.parametrize(("table", "columns"), [("table1", 4), ("table2", 4), ("table6", 4)])
def test_a_quick_look_at_f1(reproduce, table, columns):
    rows = reproduce(f"eyheramendy2003-{table}", 2)["rows"]
    assert [row["metric"] for row in rows] == ["f1 earn", "f1 acq", "macro_f1", "micro_f1"] * columns
    assert all(row["paper"] is None for row in rows if row["metric"].endswith("_f1"))  # these are of ten topics
    assert all(row["ours"] > row["paper"] - 2.0 for row in rows if row["ours"] and row["paper"])


def test_a_quick_look_at_sparsity(reproduce):
    result = reproduce("eyheramendy2003-table4", 1)
    laplace = [row["ours"] for row in result["rows"] if "Laplace" in row["setting"]]
    assert len(laplace) == 6
    assert laplace == sorted(laplace, reverse=True)  # the narrower the prior, the fewer are kept
    assert result["rows"][0]["ours"] < laplace[-1]  # Jeffreys keeps the fewest
    assert "eq. 5" in " ".join(result["notes"])


def test_the_figure_has_the_papers_boxes_and_ours(reproduce, tmp_path):
    result = reproduce("eyheramendy2003-figure2", 2)
    boxes = [[row["ours"] for row in result["rows"] if row["system"] == s] for s in ("SVM", "Sparse Bayes")]
    assert all(box == sorted(box) and box[0] > 85 for box in boxes)
    drawn = FIGURES["eyheramendy2003-figure2"](read_result(tmp_path / "r.json"))
    assert "SVM, ours" in drawn
    assert "Naive Bayes, ours" not in drawn


def test_a_quick_look_at_rcv1(reproduce):
    result = reproduce("eyheramendy2003-table7", 1, "rcv1")
    ours = {(row["system"], row["setting"]): row["ours"] for row in result["rows"] if row["metric"] == "micro_f1"}
    svm = ours["SVM", "all terms"]
    assert svm > 90
    assert ours["kNN", "all terms"] is None
    assert ours["Logistic", "Laplace by evidence, 3,000 terms"] > svm - 3.0
