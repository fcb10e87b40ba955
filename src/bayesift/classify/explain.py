"""Why a document has a label: what each of its words contributes, how sure that is, and what is missing.

Of a linear learner the field is the prior and the sum of the words' contributions x_j w_j, each N(x_j mean_j,
(x_j sd_j)^2): exact. Of any other learner a word's contribution is how much the calibrated log-odds fall when the
word is taken out (occlusion), without a deviation, and the prior is the log-odds of an empty document.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.special import logit

from bayesift.classify.targets import Label
from bayesift.classify.weights import Weights, weights_of

if TYPE_CHECKING:
    from bayesift.classify.text_classifier import TextClassifier

Floats = NDArray[np.float64]
TINY = 1e-9
ABSENT = 6  # terms at most that are named as missing


@dataclass(frozen=True)
class Contribution:
    """What a term adds to a label's field, with its deviation (None: not known)."""

    term: str
    mean: float
    sd: float | None


@dataclass(frozen=True)
class Explanation:
    """Why one document has, or has not, one label. `words` and `missing` hold the largest contributions first."""

    document: int
    label: Label
    given: bool
    probability: float
    threshold: float | None  # the label is given above this probability
    unit: str  # "field", the learner's own scale, or "log-odds"
    total: Contribution  # the whole field
    prior: Contribution
    words: tuple[Contribution, ...]
    others: Contribution  # of the words that are not listed
    missing: tuple[Contribution, ...]  # telling terms of the label that the document has not
    base_rate: float  # the label's share of all documents learned

    def to_dict(self) -> dict[str, Any]:
        """What JSON can hold."""
        return asdict(self)


def explain(
    model: TextClassifier, documents: Sequence[Any], labels: Sequence[Label] | None, most: int
) -> list[Explanation]:
    """One explanation a document and label; without labels those given, or the most probable one."""
    p, given = model.decisions(documents)
    rows = model.rows(documents)
    asked = None if labels is None else [model.label_number(label) for label in labels]
    found = []
    for i in range(len(documents)):
        chosen = asked
        if chosen is None:
            chosen = np.flatnonzero(given[i]).tolist() or [int(p[i].argmax())]
        for c in chosen:
            found.append(_one(model, i, rows[[i]], c, float(p[i, c]), bool(given[i, c]), most))
    return found


def _one(
    model: TextClassifier, i: int, row: sparse.csr_matrix, c: int, p: float, given: bool, most: int
) -> Explanation:
    learner = model.classifier_.learner_
    weights = weights_of(learner, c)
    terms = row.indices
    vocabulary = model.vectorizer_.vocabulary_
    if weights is not None:
        mean, sd = row.data * weights.mean[terms], np.abs(row.data) * weights.sd[terms]
        prior, prior_sd, unit = weights.prior, weights.prior_sd, "field"
        absent = _missing(weights, row)
    else:
        mean, prior = _occlusion(model, row, c)
        sd, prior_sd, unit, absent = None, None, "log-odds", []
    order = np.argsort(-np.abs(mean), kind="stable")
    names = vocabulary.names(vocabulary.columns[terms[order[:most]]])
    listed = tuple(_part(name, mean, sd, [j]) for name, j in zip(names, order[:most].tolist()))
    missing_names = vocabulary.names(vocabulary.columns[[j for j, _, _ in absent]]) if absent else []
    missing = tuple(Contribution(name, m, s) for name, (_, m, s) in zip(missing_names, absent))
    thresholds = model.classifier_.thresholds_
    variance = None if sd is None or prior_sd is None else float((sd**2).sum() + prior_sd**2)
    return Explanation(
        document=i,
        label=model.classes_[c],
        given=given,
        probability=p,
        threshold=float(thresholds[c]) if model.kind_ != "one" and len(thresholds) > c else None,
        unit=unit,
        total=Contribution("total", float(mean.sum() + prior), None if variance is None else variance**0.5),
        prior=Contribution("prior", float(prior), prior_sd),
        words=listed,
        others=_part("other words", mean, sd, order[most:].tolist()),
        missing=missing,
        base_rate=float(model.label_documents_[c] / max(model.n_documents_, 1)),
    )


def _part(name: str, mean: Floats, sd: Floats | None, places: list[int]) -> Contribution:
    deviation = None if sd is None else float(np.sqrt((sd[places] ** 2).sum()))
    return Contribution(name, float(mean[places].sum()), deviation)


def _missing(weights: Weights, row: sparse.csr_matrix) -> list[tuple[int, float, float]]:
    """Terms that surely speak for the label and are not there, with what one would add at a usual weight."""
    usual = float(np.median(row.data)) if row.nnz else 1.0
    sure = weights.mean - 2.0 * weights.sd
    sure[row.indices] = -np.inf
    best = np.argsort(-sure, kind="stable")[:ABSENT]
    return [(int(j), usual * float(weights.mean[j]), usual * float(weights.sd[j])) for j in best if sure[j] > 0.0]


def _occlusion(model: TextClassifier, row: sparse.csr_matrix, c: int) -> tuple[Floats, float]:
    """How much the log-odds fall without each term; and those of no terms at all."""
    n = row.nnz
    keep = ~np.eye(n, dtype=bool).ravel()
    data = np.concatenate([row.data, np.tile(row.data, n)[keep]])
    indices = np.concatenate([row.indices, np.tile(row.indices, n)[keep]])
    ends = np.cumsum([0, n] + [n - 1] * n + [0])
    without = sparse.csr_matrix((data, indices, ends), (n + 2, row.shape[1]))
    p = np.clip(model.classifier_.predict_proba(without)[:, c], TINY, 1.0 - TINY)
    odds = logit(p)
    return np.asarray(odds[0] - odds[1:-1]), float(odds[-1])
