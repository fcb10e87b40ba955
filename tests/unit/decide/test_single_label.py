"""Probabilities of labels of which each document has exactly one."""

import numpy as np
import pytest
from scipy.special import expit

from bayesift import TextClassifier, load_corpus
from bayesift.decide.single_label import SHARES, fit_powers, single_shares
from bayesift.evaluate.reliability import reliability

RNG = np.random.default_rng(0)


def test_without_powers_they_are_shares_of_the_probabilities():
    z = RNG.normal(-2.0, 3.0, (50, 7))
    p = expit(z)
    assert np.allclose(single_shares(z), p / p.sum(axis=1, keepdims=True))
    odds = np.exp(z)
    assert np.allclose(single_shares(z, (1.0, 1.0)), odds / odds.sum(axis=1, keepdims=True))
    plain = np.arange(50) < 10
    assert np.allclose(single_shares(z, (0.7, 0.4), plain)[:10], single_shares(z)[:10])


@pytest.mark.parametrize("powers", [(1.0, 0.6), (1.3, 0.1), (0.8, 0.8), (1.2, 0.0)])
def test_powers_are_found_again_and_their_likelihood_is_the_greatest(powers):
    z = RNG.normal(-2.0, 3.0, (20_000, 6))
    label = np.array([RNG.choice(6, p=row) for row in single_shares(z, powers)])
    found = fit_powers(z, label)
    assert np.allclose(found, powers, atol=0.06)

    def penalised(a, b):
        chosen = single_shares(z, (a, b))[np.arange(len(label)), label]
        return np.log(chosen).sum() - 10.0 * ((a - SHARES[0]) ** 2 + (b - SHARES[1]) ** 2)

    best = penalised(*found)
    for da, db in ((0.01, 0.0), (-0.01, 0.0), (0.0, 0.01), (0.0, -0.01)):
        if found[1] + db >= 0.0:
            assert penalised(found[0] + da, found[1] + db) <= best


def test_the_order_of_labels_stays():
    z = RNG.normal(0.0, 6.0, (500, 5))
    label = RNG.integers(5, size=500)  # at random: no power helps
    a, b = fit_powers(z, label)
    assert b >= 0.0
    assert (single_shares(z, (a, b)).argsort(axis=1) == z.argsort(axis=1)).all()
    assert fit_powers(z[:0], label[:0]) == SHARES


def test_far_log_odds_have_no_overflow():
    assert np.allclose(single_shares(np.array([[800.0, -800.0]]), (1.0, 0.5)), [[1.0, 0.0]])
    assert np.allclose(single_shares(np.full((1, 4), -800.0)), 0.25)


def test_probabilities_of_single_labels_are_those_of_being_right():
    train, test = load_corpus("docstrings").split()
    learned, held = ([d for d in side if d.labels] for side in (train, test))
    model = TextClassifier().fit([d.body for d in learned], [d.labels[0] for d in learned])
    texts = [d.body for d in held]
    p = model.predict_proba(texts)
    right = model.classes_[p.argmax(axis=1)] == np.array([d.labels[0] for d in held])
    assert reliability(right[:, None], p.max(axis=1)[:, None]).expected_error < 0.05
    assert np.allclose(p.sum(axis=1), 1.0)
    assert np.allclose(p, np.vstack([model.predict_proba([text]) for text in texts]), atol=1e-12)
