"""The combiner: it is the logistic regression it says, gains from each learner, and never sees what it decides."""

from __future__ import annotations

import json

import numpy as np
import pytest
from scipy.special import expit, logit
from sklearn.linear_model import LogisticRegression

from bayesift.decide.combine import Combiner
from bayesift.errors import BadInput
from bayesift.evaluate import log_evidence, reliability, roc_areas


def learners(seed: int, documents: int = 3000):
    """Give two noisy views of each label's field; label 1 is never with label 0, and no view of its own tells it."""
    rng = np.random.default_rng(seed)
    field = rng.normal(size=(documents, 2)) * 2
    truth = rng.random(field.shape) < expit(field)
    truth[:, 1] = ~truth[:, 0]
    views = [expit(field + rng.normal(size=field.shape) * 2) for _ in range(2)]
    return views, truth


def test_two_views_are_better_than_either():
    views, truth = learners(0)
    combiner = Combiner().fit(views, truth)
    fresh, happened = learners(1)
    p = combiner.combine(fresh)
    assert roc_areas(happened, p)[0] > max(roc_areas(happened, v)[0] for v in fresh) + 0.02
    assert log_evidence(happened, p)[0] > max(log_evidence(happened, v)[0] for v in fresh)
    assert reliability(happened[:, 0], p[:, 0]).expected_error < 0.03


def test_across_labels_one_label_s_belief_speaks_for_another():
    views, truth = learners(2)
    fresh, happened = learners(3)
    alone, across = (Combiner(across=x).fit(views, truth).combine(fresh) for x in (False, True))
    assert roc_areas(happened, alone)[1] == pytest.approx(0.5, abs=0.05)
    assert roc_areas(happened, across)[1] > 0.75


def test_it_is_the_logistic_regression_on_scaled_logits():
    views, truth = learners(4, documents=500)
    x = logit(np.clip(np.column_stack([v[:, 0] for v in views]), 1e-4, 1 - 1e-4))
    x = (x - x.mean(axis=0)) / x.std(axis=0)
    expected = LogisticRegression(C=0.01, tol=1e-8).fit(x, truth[:, 0]).predict_proba(x)[:, 1]
    np.testing.assert_allclose(Combiner(variance=0.01).fit(views, truth).combine(views)[:, 0], expected, atol=1e-3)


def test_out_of_fold_fits_to_the_other_folds_only():
    views, truth = learners(5, documents=200)
    folds = np.arange(200) % 2
    found = Combiner().out_of_fold(views, truth, folds)
    expected = Combiner().fit([v[folds == 0] for v in views], truth[folds == 0]).combine([v[folds == 1] for v in views])
    np.testing.assert_array_equal(found[folds == 1], expected)
    assert not np.array_equal(found, Combiner().fit(views, truth).combine(views))
    with pytest.raises(BadInput, match="one fold"):
        Combiner().out_of_fold(views, truth, np.zeros(200, int))


def test_certain_probabilities_and_labels_without_examples_do_no_harm():
    p = Combiner().fit([[[0.0, 0.1], [1.0, 0.2]] * 5], [[0, 0], [1, 0]] * 5).combine([[[1.0, 0.9], [0.0, 0.1]]])
    assert np.isfinite(p).all()
    assert p[0, 0] > 0.5 > p[1, 0]
    np.testing.assert_allclose(p[:, 1], 0.5 / 11)


@pytest.mark.parametrize(
    ("make", "match"),
    [
        (lambda: Combiner().combine([[[0.5]]]), "not fitted"),
        (lambda: Combiner(variance=0), "variance must be a positive number"),
        (lambda: Combiner().fit([], [[1]]), "no scores to combine"),
        (lambda: Combiner().fit([[[0.5]], [[0.5, 0.5]]], [[1]]), "each learner's scores"),
        (lambda: Combiner().fit([[[3.0]]], [[1]]), "between 0 and 1"),
        (lambda: Combiner().fit([[[0.5]]], [[1, 0]]), "shape"),
        (lambda: Combiner().fit([[[0.5]]], [[1]]).combine([[[0.5]]] * 2), "1 learners and 1 labels, but 2 and 1 came"),
        (lambda: Combiner.from_dict({"variance": 1}), "has the fields"),
    ],
)
def test_bad_input(make, match):
    with pytest.raises(BadInput, match=match):
        make()


def test_saved_and_loaded_it_is_the_same():
    views, truth = learners(6, documents=100)
    combiner = Combiner(variance=0.1, across=True).fit(views, truth)
    assert Combiner.from_dict(json.loads(json.dumps(combiner.to_dict(), allow_nan=False))) == combiner
