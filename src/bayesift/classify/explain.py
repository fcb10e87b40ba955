"""Why a document has a label: what each of its words contributes, how sure that is, and what is missing.

Of a linear learner the field is the prior and the sum of the words' contributions x_j w_j, each N(x_j mean_j,
(x_j sd_j)^2). Their sum is exact; its deviation is that of independent weights, or follows from the covariance of the
weights where the learner has one (the perceptron). Of any other learner a word's contribution is how much the
calibrated log-odds fall when the word is taken out (occlusion), without a deviation, and the prior is the log-odds of
an empty document. Of a vector of meaning beside the words one contribution is shown, with the nearest documents.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.special import logit

from bayesift.classify.explanation import Contribution, Explanation, Explanations, Part, threshold_text
from bayesift.classify.input_labels import Label
from bayesift.classify.neighbours import Neighbours
from bayesift.learn.side_by_side import SideBySide
from bayesift.learn.views import joined
from bayesift.learn.weights import Weights
from bayesift.text.spelling import Piece, Speller, spelled, words_of

if TYPE_CHECKING:
    from bayesift.classify.text_classifier import TextClassifier

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
TINY = 1e-9
ABSENT = 6  # terms at most that are named as missing


def explain(
    model: TextClassifier, documents: Sequence[Any], labels: Sequence[Label] | None, max_terms: int
) -> Explanations:
    """Return one explanation per document and label; without labels those predicted, or the most probable one."""
    rows = model.vectorize(documents)
    answers = model.predictions_of(rows)
    p, given = answers.probabilities, answers.decisions
    if labels is None:
        chosen = [np.flatnonzero(given[i]).tolist() or [int(p[i].argmax())] for i in range(len(documents))]
    else:
        chosen = [[model.label_number(label) for label in labels]] * len(documents)
    cells = [(i, c) for i, columns in enumerate(chosen) for c in columns]
    return explain_cells(model, documents, rows, p, given, cells, max_terms)


def explain_cells(
    model: TextClassifier, documents: Sequence[Any], rows: Any, p: Floats, given: Bools,
    cells: Iterable[tuple[int, int]], max_terms: int, *, together: bool = False,
) -> Explanations:  # fmt: skip
    """Explain decisions that were made already: one explanation per (document, label) of `cells`."""
    speller = Speller(model.vectorizer_)
    texts: dict[int, list[Piece]] = {}
    labels, found = model.classes_.tolist(), Explanations()
    neighbours = Neighbours(model) if isinstance(rows, SideBySide) else None
    for i, c in cells:
        if i not in texts:
            texts[i] = speller.pieces(documents[i])
        threshold, reason = decision(model, c, p[i], bool(given[i, c]), together)
        found.append(
            Explanation(
                document=i,
                label=labels[c],
                predicted=bool(given[i, c]),
                probability=float(p[i, c]),
                threshold=threshold,
                reason=reason,
                base_rate=float(model.label_documents_[c] / max(model.n_documents_, 1)),
                name=str(getattr(documents[i], "id", i)),
                **_contributions(model, rows[[i]], c, speller, texts[i], max_terms, neighbours),
            )
        )
    return found


def decision(
    model: TextClassifier, c: int, p: Floats, given: bool, together: bool = False
) -> tuple[float | None, str]:
    """Return the threshold of a label in a document, where it has one, and why the label is predicted or not.

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
        return None, "never predicted: no training document has it"
    text = f"threshold {threshold_text(threshold, float(p[c]))}"
    if model.hierarchy_ and given != (own := bool(model.classifier_.labels_of(p[None, :learned])[0, c])):
        why = "it implies a label that is not predicted" if own else "a predicted label implies it"
        return threshold, f"{why}; {text}"
    if given and p[c] <= threshold:
        return threshold, f"every training document had a label, so the closest one is predicted; {text}"
    if not given and p[c] > threshold:
        return threshold, f"no training document had two labels, and another is farther above its threshold; {text}"
    return threshold, text if given == (p[c] > 0.5) else f"{rule.aim}; {text}"


def _contributions(
    model: TextClassifier, rows: Any, c: int, speller: Speller, pieces: list[Piece], max_terms: int,
    neighbours: Neighbours | None,
) -> dict[str, Any]:  # fmt: skip
    weights = next(model.classifier_.learner_.weights([c]))
    row = model.rows_.views_of(rows)[0]
    columns, values = row.indices, row.data
    vocabulary, words = model.vectorizer_.vocabulary_, words_of(pieces)
    meaning = _of_meaning(weights, model.classifier_.used(rows), neighbours) if weights and neighbours else None
    if weights is not None:
        mean, prior, unit = values * weights.mean[columns], weights.prior, "field"
        absent = _missing(weights, row)
    else:
        terms = vocabulary.names(vocabulary.columns[columns])
        (mean, prior), unit, absent = _occlusion(model, rows, c, terms, pieces), "log-odds", []
    order = np.argsort(-np.abs(mean), kind="stable")
    shown = order[:max_terms].tolist()
    named = [*columns.tolist(), *(j for j, _, _ in absent)]
    names = vocabulary.names(vocabulary.columns[named]) if named else []
    others = names[len(columns) :]
    amounts = speller.amounts(pieces, dict(zip(names, mean.tolist())))

    def part(term: str, places: Any, word: str = "", *, is_sum: bool = False, plus_prior: bool = False) -> Contribution:
        sd = None
        if weights is not None:
            sd = weights.variance(columns[places], values[places], prior=plus_prior) ** 0.5
        return Contribution(term, float(mean[places].sum() + (prior if plus_prior else 0.0)), sd, word, is_sum)

    total = part("total", slice(None), is_sum=True, plus_prior=True)
    if meaning is not None:
        sd = ((total.sd or 0.0) ** 2 + (meaning.sd or 0.0) ** 2) ** 0.5
        total = Contribution("total", total.mean + meaning.mean, sd, is_sum=True)

    return {
        "unit": unit,
        "total": total,
        "meaning": meaning,
        "prior": Contribution("prior", float(prior), None if weights is None else weights.prior_sd, is_sum=True),
        "words": tuple(part(names[j], [j], spelled(names[j], words)) for j in shown),
        "others": part("other words", order[max_terms:], is_sum=True),
        "missing": tuple(
            Contribution(term, m, s, word)
            for term, word, (_, m, s) in zip(others, model.vectorizer_.written(others), absent)
        ),
        "text": tuple(Part(piece.zone, piece.text, amount) for piece, amount in zip(pieces, amounts)),
    }


def _of_meaning(weights: Weights, row: Any, neighbours: Neighbours) -> Contribution | None:
    """Return what the vectors of meaning add; None if the document has none."""
    if weights.dense is None or not row.dense.any():
        return None
    x, (mean, sd) = row.dense[0].astype(np.float64), weights.dense
    return Contribution(neighbours.line(row), float(x @ mean), float(((x * sd) ** 2).sum()) ** 0.5, is_sum=True)


def _missing(weights: Weights, row: sparse.csr_matrix) -> list[tuple[int, float, float]]:
    """Return informative terms of the label that are absent, with what each would add at a usual weight."""
    usual = float(np.median(row.data)) if row.nnz else 1.0
    sure = weights.mean - 2.0 * weights.sd
    sure[row.indices] = -np.inf
    some = np.flatnonzero(sure > 0.0)
    best = some[np.argsort(-sure[some], kind="stable")[:ABSENT]].tolist()
    return [(j, usual * float(weights.mean[j]), usual * float(weights.sd[j])) for j in best]


def _occlusion(model: TextClassifier, rows: Any, c: int, terms: list[str], pieces: list[Piece]) -> tuple[Floats, float]:
    """Return how much the log-odds fall without each term, and the log-odds of no terms at all.

    With a word go its characters, where rows have them; the characters of an n-gram of words stay.
    """
    row, *views = model.rows_.views_of(rows)
    n = row.nnz
    keep = ~np.eye(n, dtype=bool).ravel()
    data = np.concatenate([row.data, np.tile(row.data, n)[keep]])
    indices = np.concatenate([row.indices, np.tile(row.indices, n)[keep]])
    ends = np.cumsum([0, n] + [n - 1] * n + [0])
    without = sparse.csr_matrix((data, indices, ends), (n + 2, row.shape[1]))
    if views:
        without = joined(without, _characters_without(model, views[0], terms, pieces))
    p = np.clip(model.classifier_.predict_proba(without)[:, c], TINY, 1.0 - TINY)
    odds = logit(p)
    return np.asarray(odds[0] - odds[1:-1]), float(odds[-1])


def _characters_without(model: TextClassifier, whole: Any, terms: list[str], pieces: list[Piece]) -> Any:
    """Return the characters of a document, then of it without each term in turn, then none."""

    def text(zone: str, term: str) -> str:
        return "".join(" " if term in piece.terms else piece.text for piece in pieces if piece.zone == zone)

    zones = list(dict.fromkeys(piece.zone for piece in pieces))
    some = model.rows_.characters.transform([{zone: text(zone, term) for zone in zones} for term in terms])
    return sparse.vstack([whole, some, sparse.csr_matrix((1, whole.shape[1]))], format="csr")
