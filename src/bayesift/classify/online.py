"""Learning documents as they come: each is counted with its margin, then learned once.

A label that is young, because it first appeared after others had been learned, is learned again from documents that
are kept whenever it gets a document, so that it knows more than its own documents.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from bayesift.arrays import IntArray
from bayesift.classify.document_sample import FEWER
from bayesift.classify.out_of_sample import learn_with_margins, learns_prequentially, with_unseen
from bayesift.learn.side_by_side import words_of
from bayesift.learn.term_variance import KNOWN

if TYPE_CHECKING:
    from bayesift.classify.label_classifier import LabelClassifier


def learn_more(model: LabelClassifier, rows: Any, Y: Any, before: int, weigh: Callable[[Any], Any] | None) -> None:
    """Learn documents online after so many `before`, and count the margins that they had until then."""
    new = Y.shape[1] - model.born_.size
    model.born_ = np.pad(model.born_, (0, new), constant_values=before)
    model.calibration_.insert(new)
    if model.feature_priors is not None:
        model.learner_.set_params(feature_priors=model.feature_priors)
    young = np.flatnonzero((model.born_ > 0) & (before - model.born_ < FEWER))
    again = young[np.bincount(Y.indices, minlength=Y.shape[1])[young] > 0]
    kept, kept_labels = rows[:0], Y[:0]
    if young.size:
        model.name_labels(model.learner_, rows, weigh)
        kept, kept_labels = model.kept_.some(words_of(rows).shape[1], Y.shape[1])
        kept = model.used(weigh(kept) if weigh else kept)
    begin = 0
    while begin < Y.shape[0]:
        doubling = again.size or not learns_prequentially(model.learner_)
        end = min(Y.shape[0], max(1, 2 * begin)) if doubling else Y.shape[0]
        fade = model.fade_at_ - before  # the margins that half as many documents had are old
        end = min(end, fade) if begin < fade else end
        margins = learn_with_margins(model.learner_, rows[begin:end], Y[begin:end])
        folds = np.arange(before + begin, before + end) % len(model.calibration_.documents)
        model.calibration_.add(margins, with_unseen(Y[begin:end]), folds)
        if end == fade:
            model.calibration_.fade()
            model.fade_at_ *= 2
        if again.size:
            if getattr(model.learner_, "learned_variances", False):
                _learn_variances(model, young, kept, Y[begin:end])
            model.learner_.rehearse(kept, kept_labels, again)
        begin = end
    model.look_at_numbers(Y)
    model.n_features_in_ = model.learner_.n_features_in_
    if again.size:
        margins = model.learner_.margins(kept)[:, again]
        model.calibration_.renew_negatives(margins, kept_labels[:, again], again)
    if new or again.size:
        model.renew()


def _learn_variances(model: LabelClassifier, young: IntArray, kept: Any, Y: Any) -> None:
    """Learn the prior variances of young labels that have enough documents by now, and had too few before Y."""
    learned = model.learner_.belief_.positives[young]
    before = learned - np.bincount(Y.indices, minlength=Y.shape[1])[young]
    ready = young[(before < KNOWN) & (learned >= KNOWN)]
    if ready.size:
        model.learner_.learn_variances(kept, np.isin(np.arange(Y.shape[1]), ready))
