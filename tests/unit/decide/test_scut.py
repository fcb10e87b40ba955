"""SCut and SCutFBR.1 by hand, and the folds they are fitted on."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse

from bayesift import decide
from bayesift.decide import folds
from bayesift.errors import BadInput

# Two labels in three folds. First label: parted at 0.5, at 0.3, and no example in the third fold.
SCORES = np.array([[0.4, 0.1], [0.6, 0.2], [0.2, 0.3], [0.4, 0.4], [0.8, 0.5], [0.9, 0.6]])
TRUTH = np.array([[0, 1], [1, 0], [0, 1], [1, 0], [0, 1], [0, 0]])
FOLDS = np.array([0, 0, 1, 1, 2, 2])


def test_a_fold_without_examples_says_nothing_to_scut():
    assert decide.SCut().fit(SCORES, TRUTH, FOLDS).thresholds_[0] == pytest.approx((0.5 + 0.3) / 2)


def test_a_fold_without_examples_raises_scutfbr():
    assert decide.SCutFBR().fit(SCORES, TRUTH, FOLDS).thresholds_[0] == pytest.approx((0.5 + 0.3 + 0.9) / 3)


def test_least_says_when_a_tuned_threshold_is_not_believed():
    # Second label: its best in each fold is to give it to both, F1 = 2/3, just below the lower of the two.
    low, top = np.mean([0.1, 0.3, 0.5]), np.mean([0.2, 0.4, 0.6])
    assert decide.SCutFBR(0.66).fit(SCORES, TRUTH, FOLDS).thresholds_[1] == pytest.approx(low)
    assert decide.SCutFBR(0.67).fit(SCORES, TRUTH, FOLDS).thresholds_[1] == pytest.approx(top)


def test_one_fold_is_a_validation_set():
    assert decide.SCut().fit(SCORES, TRUTH).thresholds_ == decide.MaxF1().fit(SCORES, TRUTH).thresholds_


def test_names_of_folds_do_not_matter():
    renamed, plain = (decide.SCut().fit(SCORES, TRUTH, folds).thresholds_ for folds in (7 - 3 * FOLDS, FOLDS))
    assert renamed == pytest.approx(plain)


def test_least_is_chosen_by_the_other_folds():
    # Each fold's best is to give the label to both (F1 = 2/3). The other fold's tuned threshold, just below 0.1,
    # does the same: F1 = 2/3. Its top score 0.2 gives nothing: F1 = 0. So the tuned thresholds are kept.
    scores, truth, folds = [0.1, 0.2, 0.1, 0.2], [1, 0, 1, 0], [0, 0, 1, 1]
    low = decide.SCutFBR(0.1).fit(scores, truth, folds).thresholds_
    assert decide.SCutFBR((0.1, 0.9)).fit(scores, truth, folds).thresholds_ == low
    # Here the first fold's top score parts the second fold's documents, and its tuned threshold does not.
    scores, truth, folds = [0.1, 0.9, 0.95, 0.2], [1, 0, 1, 0], [0, 0, 1, 1]
    high = decide.SCutFBR(0.9).fit(scores, truth, folds).thresholds_
    assert high == pytest.approx([(0.9 + 0.575) / 2])
    assert decide.SCutFBR((0.9, 0.1)).fit(scores, truth, folds).thresholds_ == high
    # Here both do: the largest of equals.
    scores = [0.1, 0.9, 0.95, 0.05]
    assert decide.SCutFBR((0.1, 0.9)).fit(scores, truth, folds).thresholds_ == pytest.approx([(0.9 + 0.5) / 2])


def test_if_nothing_is_found_the_smallest_least_is_taken():
    # One example: whichever fold is held out, its own fold's threshold is not used, and nothing is found.
    scores, truth, folds = [0.5, 0.6, 0.9, 0.9], [1, 0, 0, 0], [0, 0, 1, 1]
    small = decide.SCutFBR(0.1).fit(scores, truth, folds).thresholds_
    assert small != decide.SCutFBR(0.9).fit(scores, truth, folds).thresholds_
    assert decide.SCutFBR((0.1, 0.9)).fit(scores, truth, folds).thresholds_ == small


@pytest.mark.parametrize("rule", [decide.SCut(fbr=0.1), decide.SCutFBR()])
def test_a_label_that_probabilities_do_not_tell_apart_is_given_above_one_half_only(rule):
    # One example among 20 documents of one probability: all of its fold get it, with F1 = 2/11 there, 2/21 in all.
    documents, positives = np.array([[[10]], [[10]]]), np.array([[[1]], [[0]]])
    assert rule.fit_counts(np.array([[0.02]]), documents, positives).thresholds_ == (0.5,)


@pytest.fixture(scope="module")
def skewed():
    rng = np.random.default_rng(1)
    return rng.random((1000, 20)) < 0.002 + 0.4 * rng.random(20) ** 4


def test_rare_labels_are_shared_out(skewed):
    fold = folds.stratified_folds(skewed, 4, seed=3)
    shares = np.array([skewed[fold == k].sum(axis=0) for k in range(4)])
    totals = skewed.sum(axis=0)
    rare = (totals >= 4) & (totals < 20)
    assert rare.sum() >= 3
    assert shares[:, rare].min() >= 1
    assert np.abs(shares - totals / 4).max() <= 3
    sizes = np.bincount(fold)
    assert sizes.max() - sizes.min() <= 4
    assert not np.array_equal(fold, folds.stratified_folds(skewed, 4, seed=4))
    assert np.array_equal(fold, folds.stratified_folds(sparse.csr_array(skewed), 4, seed=3))


@pytest.mark.parametrize("make", [np.asarray, sparse.csr_array, lambda x: x.ravel().tolist()])
def test_scores_are_of_documents_not_seen(skewed, make):
    seen = []

    def remember(X_train, Y_train, X_test):
        train, test = (np.ravel(x.toarray() if sparse.issparse(x) else x) for x in (X_train, X_test))
        assert not set(train) & set(test)
        assert np.array_equal(np.asarray(Y_train), skewed[train - 1])
        seen.extend(test)
        return np.repeat(test[:, None], skewed.shape[1], axis=1)

    numbers = np.arange(1, 1001)[:, None]  # from 1, since a sparse matrix keeps no 0
    found = decide.cross_validated_scores(remember, make(numbers), skewed, folds=5, seed=2)
    assert sorted(seen) == list(range(1, 1001))
    assert np.array_equal(found.scores, np.repeat(numbers, skewed.shape[1], axis=1))
    assert np.array_equal(found.folds, folds.stratified_folds(skewed, 5, seed=2))


def test_what_cross_validation_refuses():
    truth = np.eye(4, dtype=bool)
    with pytest.raises(BadInput, match="folds must be from 2 to 4"):
        folds.stratified_folds(truth, 5)
    with pytest.raises(BadInput, match="X has 3 documents, but Y has 4"):
        decide.cross_validated_scores(lambda a, b, c: c, [1, 2, 3], truth)
    with pytest.raises(BadInput, match=r"scores of shape \(2, 3\) for 2 documents and 4 labels"):
        decide.cross_validated_scores(lambda a, b, c: np.zeros((len(c), 3)), [1, 2, 3, 4], truth, folds=2)
