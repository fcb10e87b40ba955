"""Why a document has a label: what each of its words contributes, how sure that is, and what is missing.

Of a linear learner the field is the prior and the sum of the words' contributions x_j w_j, each N(x_j mean_j,
(x_j sd_j)^2). Their sum is exact; its deviation is that of independent weights, or follows from the covariance of the
weights where the learner has one (the perceptron). Of any other learner a word's contribution is how much the
calibrated log-odds fall when the word is taken out (occlusion), without a deviation, and the prior is the log-odds of
an empty document.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.special import logit

from bayesift.classify.explanation import Contribution, Explanation
from bayesift.classify.spelling import Speller, spelled
from bayesift.classify.targets import Label
from bayesift.classify.weights import Weights, weights_of

if TYPE_CHECKING:
    from bayesift.classify.text_classifier import TextClassifier

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
TINY = 1e-9
ABSENT = 6  # terms at most that are named as missing


def explain(
    model: TextClassifier, documents: Sequence[Any], labels: Sequence[Label] | None, most: int
) -> list[Explanation]:
    """Return one explanation per document and label; without labels those given, or the most probable one."""
    rows = model.rows(documents)
    answers = model.answers_of(rows)
    p, given = answers.probabilities, answers.decisions
    if labels is None:
        chosen = [np.flatnonzero(given[i]).tolist() or [int(p[i].argmax())] for i in range(len(documents))]
    else:
        chosen = [[model.label_number(label) for label in labels]] * len(documents)
    cells = [(i, c) for i, columns in enumerate(chosen) for c in columns]
    return explain_cells(model, documents, rows, p, given, cells, most)


def explain_cells(
    model: TextClassifier, documents: Sequence[Any], rows: sparse.csr_matrix, p: Floats, given: Bools,
    cells: Iterable[tuple[int, int]], most: int, *, together: bool = False,
) -> list[Explanation]:  # fmt: skip
    """Explain decisions that were made already: one explanation per (document, label) of `cells`."""
    speller = Speller(model.vectorizer_)
    words: dict[int, dict[str, str]] = {}
    labels, found = model.classes_.tolist(), []
    for i, c in cells:
        if i not in words:
            words[i] = speller.words(documents[i])
        threshold, reason = decision(model, c, p[i], bool(given[i, c]), together)
        found.append(
            Explanation(
                document=i,
                label=labels[c],
                given=bool(given[i, c]),
                probability=float(p[i, c]),
                threshold=threshold,
                reason=reason,
                base_rate=float(model.label_documents_[c] / max(model.n_documents_, 1)),
                **_contributions(model, rows[[i]], c, words[i], most),
            )
        )
    return found


def decision(
    model: TextClassifier, c: int, p: Floats, given: bool, together: bool = False
) -> tuple[float | None, str]:
    """Return the threshold of a label in a document, where it has one, and why the label is given or not.

    p are the probabilities of all labels of the document; labels that were never learned may follow.
    """
    if model.kind_ == "one":
        return None, "the most probable label" if given else "another label is more probable"
    if together:
        return None, "decided together with the other documents"
    rule = model.classifier_.rule_
    learned = model.classifier_.thresholds_.size
    threshold = float(rule.document_thresholds(p[None, :learned])[0, c])
    if not math.isfinite(threshold):
        return None, "never given: no training document has it"
    text = f"threshold {threshold:.3f}".rstrip("0") if threshold >= 0.001 else f"threshold {threshold:.2g}"
    if given and p[c] <= threshold:
        return threshold, f"every training document had a label, so the closest one is given; {text}"
    return threshold, text if given == (p[c] > 0.5) else f"{rule.aim}; {text}"


def _contributions(
    model: TextClassifier, row: sparse.csr_matrix, c: int, words: dict[str, str], most: int
) -> dict[str, Any]:
    weights = next(weights_of(model.classifier_.learner_, [c]))
    columns, values = row.indices, row.data
    if weights is not None:
        mean, prior, unit = values * weights.mean[columns], weights.prior, "field"
        absent = _missing(weights, row)
    else:
        (mean, prior), unit, absent = _occlusion(model, row, c), "log-odds", []
    order = np.argsort(-np.abs(mean), kind="stable")
    shown = order[:most].tolist()
    vocabulary = model.vectorizer_.vocabulary_
    named = [*columns[shown].tolist(), *(j for j, _, _ in absent)]
    names = vocabulary.names(vocabulary.columns[named]) if named else []

    def part(term: str, places: Any, word: str = "", *, is_sum: bool = False, plus_prior: bool = False) -> Contribution:
        sd = None
        if weights is not None:
            sd = weights.variance(columns[places], values[places], prior=plus_prior) ** 0.5
        return Contribution(term, float(mean[places].sum() + (prior if plus_prior else 0.0)), sd, word, is_sum)

    return {
        "unit": unit,
        "total": part("total", slice(None), is_sum=True, plus_prior=True),
        "prior": Contribution("prior", float(prior), None if weights is None else weights.prior_sd),
        "words": tuple(part(term, [j], spelled(term, words)) for term, j in zip(names, shown)),
        "others": part("other words", order[most:], is_sum=True),
        "missing": tuple(Contribution(term, m, s) for term, (_, m, s) in zip(names[len(shown) :], absent)),
    }


def _missing(weights: Weights, row: sparse.csr_matrix) -> list[tuple[int, float, float]]:
    """Terms that surely speak for the label and are not there, with what one would add at a usual weight."""
    usual = float(np.median(row.data)) if row.nnz else 1.0
    sure = weights.mean - 2.0 * weights.sd
    sure[row.indices] = -np.inf
    some = np.flatnonzero(sure > 0.0)
    best = some[np.argsort(-sure[some], kind="stable")[:ABSENT]].tolist()
    return [(j, usual * float(weights.mean[j]), usual * float(weights.sd[j])) for j in best]


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
