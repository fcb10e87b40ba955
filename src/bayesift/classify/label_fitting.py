"""How a `LabelClassifier` learns from scratch: in memory, or block by block.

Settings are chosen, margins of documents by models that had not learned them are counted, and curves, the rule, the
powers of single labels and the confidence in all labels of a document are fitted to them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.special import expit

from bayesift.classify.blocks.fitting import LabelledBlocks, fit_blocks
from bayesift.classify.document_sample import Sample
from bayesift.classify.drift import chosen_drift, is_open
from bayesift.classify.out_of_sample import (
    CANDIDATES,
    FOLDS,
    compact_is_smaller,
    fit_with_margins,
    folds_of,
    in_one_order,
    with_unseen,
)
from bayesift.decide.calibration import MarginCalibration
from bayesift.decide.document_confidence import INDEPENDENT, fit_curve
from bayesift.decide.label_rates import as_rates
from bayesift.decide.rule import ThresholdRule
from bayesift.decide.single_label import SHARES, fit_powers
from bayesift.learn.bomc.bomc import BOMC
from bayesift.learn.side_by_side import words_of

if TYPE_CHECKING:
    from bayesift.classify.label_classifier import LabelClassifier

SAMPLED, CELLS = 4096, 1 << 21  # whole documents, and decisions in them, that a rule is fitted to at most


def fit_rows(
    model: LabelClassifier, rows: Any, Y: Any, rule: ThresholdRule, weigh: Callable[[Any], Any] | None,
    choose: bool = True,
) -> NDArray[Any]:  # fmt: skip
    """Learn from scratch, and return each document's margins by models that had not learned it.

    Settings and vectors are chosen from the data, or stay.
    """
    learner, truth = model.name_labels(model.unfitted(), rows, weigh), with_unseen(Y)
    if choose:
        model.fitted_ = model.kept_.documents
    if is_open(learner):
        learner.set_params(drift=chosen_drift(learner, words_of(rows), Y) if choose else model.learner_.drift)
    if isinstance(learner, BOMC) and compact_is_smaller(learner, words_of(rows), Y):
        learner.set_params(compact=True)
    fold = folds_of(truth, model.seed) if rule.needs_folds else np.zeros(rows.shape[0], np.int64)
    vectors = None if choose else model.vectors_
    if model.given_learner() is None and not choose:
        learner.set_params(**{name: getattr(model.learner_, name) for name in CANDIDATES[0]})
    if vectors:
        learner.set_params(dense_weights=model.learner_.dense_weights)
    choose &= model.given_learner() is None
    found = fit_with_margins(learner, choose, rows, Y, model.rounds, model.seed, vectors)
    model.learner_, margins, model.vectors_ = found
    model.calibration_ = MarginCalibration.in_folds(FOLDS if rule.needs_folds else 1)
    model.fade_at_ = 2 * model.kept_.documents
    early = len(margins) // 2 if in_one_order(model.learner_) else 0  # margins by models that had seen less
    if early:
        model.calibration_.add(margins[:early], truth[:early], fold[:early]).fade()
    model.calibration_.add(margins[early:], truth[early:], fold[early:])
    model.always_one_, model.at_most_one_ = True, True
    model.look_at_numbers(Y)
    some = slice(None, None, max(1, -(-Y.shape[0] // _most_sampled(Y.shape[1]))))
    _fit_rule(model, rule, margins[some], Y[some], early // (some.step or 1))
    return margins


def fit_from_blocks(model: LabelClassifier, blocks: LabelledBlocks) -> None:
    """Learn from scratch documents that memory does not hold: BOMC without drift, in one round of passes."""
    rule, learner, n = model._rule(), model.unfitted(), sum(blocks.sizes)
    model.rates_ = as_rates(model.label_rates, blocks.n_labels, None)
    model.kept_ = Sample(model.seed, model.most_kept())
    model.kept_.fill(*blocks.take(Sample.winners(n, model.seed, model.kept_.most)), n)
    folds, kept = FOLDS if rule.needs_folds else 1, _most_sampled(blocks.n_labels)
    found = fit_blocks(learner, model.given_learner() is None, blocks, model.seed, folds, kept)
    model.learner_, model.calibration_, model.vectors_ = found.learner, found.calibration, ()
    model.always_one_, model.at_most_one_ = blocks.fewest_labels > 0, blocks.most_labels < 2
    model.fade_at_, model.fitted_ = 2 * n, n
    _fit_rule(model, rule, found.margins, found.labels)


def _fit_rule(
    model: LabelClassifier, rule: ThresholdRule, margins: NDArray[Any], Y: Any, early: int = 0
) -> None:
    """Fit curves and thresholds to what was counted, and the rule to these documents.

    The first `early` of them have margins by models that had seen less.
    """
    model.n_features_in_ = model.learner_.n_features_in_
    model.born_ = np.zeros(Y.shape[1], np.int64)
    model.rule_ = rule
    model.renew()
    is_single = model.always_one_ and model.at_most_one_ and Y.shape[0] > 0
    model.powers_, model.curve_ = SHARES, INDEPENDENT
    if not Y.shape[1]:
        return
    z, truth = model.calibration_.log_odds(margins)[:, :-1], sparse.csr_matrix(Y).toarray() > 0
    if is_single:
        model.powers_ = fit_powers(z[early:], truth[early:].argmax(axis=1))
    if rule.needs_documents:
        model.rule_ = model.rule_.fit_documents(z, truth)
        if model.rates_ is not None:
            model.renew()
    if model.rates_ is None:  # else thresholds are for other documents than these
        p = expit(z[early:])
        model.curve_ = fit_curve(model.labels_of(p), p, truth[early:])


def _most_sampled(labels: int) -> int:
    """Return how many whole documents a rule is fitted to at most."""
    return max(1, min(SAMPLED, CELLS // max(labels, 1)))
