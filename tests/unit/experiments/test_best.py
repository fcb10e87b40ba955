"""The systems and the ablation of best on a small made-up corpus; figures need the real ones."""

import numpy as np
import pytest
from scipy import sparse

from bayesift.classify import LabelClassifier
from bayesift.experiments import best, parts_of
from bayesift.experiments.layout import Layout
from bayesift.experiments.layouts.best import ABLATION, LAYOUTS, SYSTEMS


@pytest.fixture(scope="module")
def sides():
    X = sparse.random(500, 30, density=0.2, random_state=0, format="csr")
    Y = sparse.csr_matrix((X.toarray()[:, :4] > 0.3).astype(np.int8))
    pair = X[:300], X[300:]
    return best.Sides(pair, pair, Y[:300], Y[300:].toarray())


def test_every_system_learns_and_has_a_row(sides):
    found = best.measured(sides, 0)
    assert tuple(found) == SYSTEMS
    for name, metrics in found.items():
        assert metrics["micro_f1"] > 60, name
        assert ("log_loss" in metrics) != name.startswith("LinearSVC")


def test_the_comparator_has_one_seed_and_the_ablation_no_test_document(sides):
    assert "LinearSVC + SCutFBR.1" not in best.measured(sides, 1)
    found = best.held_out(sides)
    assert found.Y.shape[0] + len(found.Y_test) == sides.Y.shape[0]
    rows = {tuple(row) for row in found.terms[1].toarray()}
    assert rows <= {tuple(row) for row in sides.terms[0].toarray()}
    assert not rows & {tuple(row) for row in found.terms[0].toarray()}
    assert found.characters is None
    with_characters = best.held_out(sides._replace(characters=sides.terms))
    assert (with_characters.characters[1] != found.terms[1]).nnz == 0


def test_every_part_of_the_ablation_has_a_row(sides):
    without = dict(best.ablation(sides))
    of_texts = {"characters", "all but characters", "all, names of labels not read"}
    assert set(ABLATION) - set(without) == of_texts
    X, X_test = sides.terms
    characters = X[:, :8], X_test[:, :8]
    with_characters = sides._replace(characters=characters)
    found = dict(best.ablation(with_characters))
    assert tuple(found) == ABLATION
    assert found["characters"] != found["learned"]
    assert found["all but characters"] == without["all"]
    assert found["all, names of labels not read"] == found["all"]  # there are none
    names = sparse.csr_matrix(np.eye(4, 38))
    assert with_characters._replace(names=names).ensemble().names is names
    assert with_characters._replace(names=names).ensemble(names=None).names is None
    assert found["all"]["log_loss"] < found["nearest"]["log_loss"]
    assert [layout.caption for layout in LAYOUTS["best"] if ":" not in layout.caption] == list(parts_of("best"))


def test_quarters_are_those_of_the_test_documents_in_order(sides):
    found = best.by_quarter(sides, 0)
    assert [key[1] for key in found if key[0] == "best, predict"] == [1, 2, 3, 4]
    assert found["best, predict", 1]["labels"] == sides.Y_test[:50].sum(axis=1).mean()
    model = LabelClassifier(sides.ensemble()).fit(sides.of_best()[0], sides.Y)
    truth, answers = sides.Y_test[150:], model.predict(sides.of_best()[1])[150:]
    assert found["best, predict", 4]["micro_f1"] == best.f1_of(truth, answers > 0)["micro_f1"]
    (table,) = [layout for layout in LAYOUTS["best"] if "quarters" in layout.caption]
    measured = {(system, f"TMC2007, quarter {k}", metric) for (system, k) in found for metric in found[system, k]}
    assert measured.issuperset(Layout.keys(table))


def test_macro_f1_of_labels_that_a_document_has():
    truth, answers = np.array([[1, 0, 0], [1, 0, 0]]), np.array([[1, 0, 1], [1, 0, 0]]) > 0
    found = best.f1_of(truth, answers)
    assert (found["macro_f1"], found["macro_f1_present"], found["absent"]) == (pytest.approx(100 / 3), 100.0, 2)


def test_probabilities_that_are_right_have_no_calibration_error():
    truth = np.array([[1, 0], [1, 0], [0, 0], [0, 0]])
    found = best.reliable(truth, np.array([[0.5, 0.001]] * 4))
    assert found["ece"] == pytest.approx(0.05)
    assert found["log_loss"] == pytest.approx(np.log(2) - np.log(0.999))
