"""What a classifier of vectors has learned, as arrays and numbers, and back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.special import logit

from bayesift.arrays import IntArray
from bayesift.classify.document_sample import FEWER, Sample
from bayesift.classify.drift import is_open
from bayesift.classify.out_of_sample import CANDIDATES
from bayesift.decide.calibration import MarginCalibration
from bayesift.decide.document_confidence import INDEPENDENT
from bayesift.decide.rule import rule_from_dict, threshold_rule
from bayesift.decide.single_label import SHARES, powers_of

if TYPE_CHECKING:
    from bayesift.classify.label_classifier import LabelClassifier


def state_of(model: LabelClassifier) -> dict[str, Any]:
    """Return all that was learned, as arrays and numbers, for `restore_state` of a classifier with equal settings."""
    given = model.given_learner()
    if given is None:
        names = [*CANDIDATES[0], "learned_variances"]
    else:
        names = ["drift"] if is_open(given) else []
    chosen = {name: getattr(model.learner_, name) for name in names}
    return {
        "learner": model.learner_.state(),
        "chosen": chosen | ({"dense_weights": list(model.learner_.dense_weights)} if model.vectors_ else {}),
        **({"vectors": list(model.vectors_)} if model.vectors_ else {}),
        "documents": _small(model.calibration_.documents),
        "positives": _small(model.calibration_.positives),
        "weight": model.calibration_.weight,
        "fitted": model.fitted_,
        "fade_at": model.fade_at_,
        "logits": model.calibration_.logits.copy(),
        "rule": model.rule_.to_dict(),
        "always_one": model.always_one_,
        "at_most_one": model.at_most_one_,
        "n_features": int(model.n_features_in_),
        "sample": model.kept_.state(),
        "born": model.born_.copy(),
        **({} if model.rates_ is None else {"rates": model.rates_.copy()}),
        **({} if model.powers_ == SHARES else {"powers": list(model.powers_)}),
        **({} if model.curve_ == INDEPENDENT else {"confidence": list(model.curve_)}),
    }


def restore_state(model: LabelClassifier, state: dict[str, Any]) -> None:
    """Take over a state that `state_of` returned."""
    learner = model.unfitted()
    if model.given_learner() is None:  # earlier versions had one prior variance for all terms
        learner.set_params(learned_variances=False)
    learner.set_params(**state["chosen"])
    model.learner_ = learner.restore(state["learner"])
    model.rates_ = state["rates"].copy() if "rates" in state else None
    model.powers_ = powers_of(state)
    a, b = state.get("confidence", INDEPENDENT)
    model.curve_ = float(a), float(b)
    model.n_features_in_, model.vectors_ = int(state["n_features"]), tuple(state.get("vectors", ()))
    saved = rule_from_dict(state["rule"])
    model.rule_, model.always_one_ = threshold_rule(saved), bool(state["always_one"])
    model.at_most_one_ = bool(state.get("at_most_one", False))
    counts = [state["documents"].astype(np.int64), state["positives"].astype(np.int64), state["logits"].copy()]
    model.calibration_ = MarginCalibration(*counts)
    model.calibration_.weight = int(state.get("weight", 1))  # of earlier versions, all weigh the same
    if counts[0].ndim == 2:  # a file of version 1, without folds and without the unseen label
        _add_unseen(model)
        if saved is not model.rule_:  # its rule decided documents together
            model.renew()
    model.kept_ = Sample(model.seed, FEWER)
    model.born_ = np.zeros(len(model.calibration_.logits) - 1, np.int64)
    if "sample" in state:
        model.kept_ = Sample.restored(state["sample"], model.seed, model.most_kept())
        model.born_ = state["born"].copy()
    else:
        model.kept_.documents = max(int(model.calibration_.documents[0, -1].sum()), FEWER + 1)  # it is not complete
    model.fitted_ = int(state.get("fitted", model.kept_.documents))
    model.fade_at_ = int(state.get("fade_at", 2 * model.kept_.documents))


def _add_unseen(model: LabelClassifier) -> None:
    """Count the documents learned as ones that an unseen label does not have, with the margin of an empty one."""
    c = model.calibration_
    n = int(c.documents.sum(axis=1).max())
    margin = model.learner_.margins(sparse.csr_matrix((1, model.n_features_in_)))[0, -1]
    c.documents, c.positives = (np.pad(x, ((0, 1), (0, 0)))[None] for x in (c.documents, c.positives))
    unseen = MarginCalibration().add([[margin]], [[False]])
    c.documents[0, -1] = n * unseen.documents[0, 0]
    c.logits = np.vstack([c.logits, np.full(c.logits.shape[1], logit(0.5 / (n + 1.0)))])


def _small(counts: IntArray) -> NDArray[Any]:
    """Return a copy in the smallest type that holds all of them."""
    return counts.astype(np.min_scalar_type(int(counts.max(initial=0))))
