"""`TextClassifier`: a vectoriser, a classifier of vectors, and the names of the labels."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from sklearn.base import BaseEstimator, clone
from sklearn.utils.validation import check_is_fitted

from bayesift.classify.choices import binary, learner_of, online, rule_of, vectorizer_of
from bayesift.classify.documents import as_documents
from bayesift.classify.judged import as_names, check_names, judged, some
from bayesift.classify.measured import measure
from bayesift.classify.targets import Label, as_given, label_matrix, new_labels, notice_case
from bayesift.decide import ExpectedJointF, LabelClassifier, Rule, document_confidence
from bayesift.errors import BadInput
from bayesift.evaluate import Report, f_measure
from bayesift.learn import MultiLabel, PerLabel
from bayesift.learn.priors import Knowledge
from bayesift.text import TextVectorizer

if TYPE_CHECKING:
    from bayesift.classify.explanation import Explanation
    from bayesift.classify.telling import TellingTerms

Floats = NDArray[np.float64]
RENEW = 1000  # documents learned online, or a quarter of all, after which probabilities and thresholds are renewed


@dataclass(frozen=True)
class Answers:
    """What a model says about some documents; see docs/confidence.md for what the numbers mean."""

    probabilities: Floats  # (documents, labels), calibrated
    decisions: NDArray[np.bool_]  # (documents, labels), True where the label is given
    confidence: Floats  # (documents,): how probable it is that the document's labels are right
    known_words: NDArray[np.int64]  # (documents,): distinct terms of the document that the model has learned


class TextClassifier(BaseEstimator):  # type: ignore[misc]
    """Texts and label sets in; label sets, probabilities, confidence and explanations out.

    learner: a name (multilabel, bomc, perceptron, gp, logistic, probit, categoriser) or a learner of `bayesift.learn`.
    rule: how labels are decided: a name (joint, half, max-f1, min-error, scut, scut-fbr, expected-f1, expected-f) or a
    rule of `bayesift.decide`; None is the classifier's own. vectorizer: a `TextVectorizer`; None: words, and words of
    the title once more. knowledge: for some labels what is known of terms beforehand (`Knowledge`). seed: of all lots.

    Documents are texts, `Document`s, dictionaries of zones, or a data frame's column. Targets are label sets, single
    labels or a matrix; without targets the documents' own labels are taken, and documents without any are left out.

    >>> texts = ["corn and wheat exports", "wheat harvest", "oil prices fell", "crude oil output"] * 10
    >>> labels = [("corn", "wheat"), ("wheat",), ("oil",), ("oil",)] * 10
    >>> model = TextClassifier().fit(texts, labels)
    >>> model.predict(["wheat harvest in May", "oil prices rose"])
    [('wheat',), ('oil',)]
    """

    def __init__(
        self,
        learner: Any = "multilabel",
        *,
        rule: str | Rule | None = None,
        vectorizer: TextVectorizer | None = None,
        knowledge: Mapping[str, Knowledge] | None = None,
        seed: int = 0,
    ) -> None:
        self.learner = learner
        self.rule = rule
        self.vectorizer = vectorizer
        self.knowledge = knowledge
        self.seed = seed

    def fit(self, X: Any, y: Any = None) -> Self:
        """Learn anew."""
        return self._fit(X, y, (), begins_stream=False)

    def _fit(self, X: Any, y: Any, classes: Iterable[Label], begins_stream: bool) -> Self:
        learner = learner_of(self.learner)
        learner = PerLabel(learner) if binary(learner) else learner
        vectorizer = clone(vectorizer_of(self.vectorizer, learner))
        documents, sets, kind, y = judged(X, y)
        names = new_labels([*sets, tuple(classes)], (), kind, y)
        if not begins_stream:
            check_names(names, sets, kind)
        rows = vectorizer.fit_transform(documents)
        self.kind_, self.classes_ = kind, as_names(names)
        self.vectorizer_, self.n_documents_, self.label_documents_ = vectorizer, 0, np.zeros(0, np.int64)
        self._waiting = 0
        self.classifier_ = LabelClassifier(self._knowing(learner), rule_of(self.rule), seed=self.seed)
        Y = self._count(sets)
        self.classifier_.fit(rows, Y)
        return self

    def partial_fit(self, X: Any, y: Any = None, classes: Iterable[Label] | None = None) -> Self:
        """Learn more documents; words and labels may be new, and `classes` names labels to come.

        Probabilities and thresholds follow after a quarter more documents, or `RENEW`, or when `calibrate` is called.
        """
        if not hasattr(self, "classifier_"):
            return self._fit(X, y, classes or (), begins_stream=True)
        documents, sets, kind, y = judged(X, y)
        if not documents:
            return self
        if kind != self.kind_:
            raise BadInput(f"targets are {kind!r}, before they were {self.kind_!r}", remedy="keep to one kind")
        if not online(self.classifier_.learner_):
            raise BadInput(f"the learner {self.learner!r} learns all documents at once", remedy="fit anew")
        new = new_labels([*sets, tuple(classes or ())], self.classes_.tolist(), kind, y)
        if new:
            self.classes_ = as_names([*self.classes_.tolist(), *new])
            notice_case(self.classes_.tolist())
        self.vectorizer_.partial_fit(documents)
        Y = self._count(sets)
        self.classifier_.partial_fit(self.vectorizer_.transform(documents), Y)
        self._waiting += len(documents)
        return self.calibrate() if self._waiting >= min(RENEW, self.n_documents_ // 4) else self

    def calibrate(self) -> Self:
        """Renew probabilities and thresholds by all documents learned since they were last renewed."""
        check_is_fitted(self, "classifier_")
        if self._waiting:
            self.classifier_.calibrate()
            self._waiting = 0
        return self

    def predict(self, X: Any, *, together: bool = False) -> Any:
        """The labels of each document, in the kind that was learned.

        With `together` the labels are those that are best in expectation for all these documents at once; else one
        document gets the same labels as among many.
        """
        p, decisions = self.decisions(X, together=together)
        return as_given(decisions, p, self.classes_.tolist(), self.kind_)

    def predict_proba(self, X: Any) -> Floats:
        """The probability of each label: (documents, labels), in the order of `classes_`."""
        return self._probabilities(self.rows(X))

    def decisions(self, X: Any, *, together: bool = False) -> tuple[Floats, NDArray[np.bool_]]:
        """Probabilities and decisions, both (documents, labels)."""
        return self._decided(self.rows(X), together)

    def _decided(self, rows: sparse.csr_matrix, together: bool) -> tuple[Floats, NDArray[np.bool_]]:
        p = self._probabilities(rows)
        if self.kind_ == "one" or not len(p):
            decisions = np.zeros(p.shape, bool)
            decisions[np.arange(len(p)), p.argmax(axis=1)] = True  # the first of equals, as `predict` gives it
            return p, decisions
        rule = ExpectedJointF() if together else self.classifier_.rule_
        return p, self.classifier_.labels_of(p, rule)

    def answers(self, X: Any, *, together: bool = False) -> Answers:
        """Return probabilities, decisions, confidence and known words of documents, vectorised once."""
        return self.answers_of(self.rows(X), together=together)

    def answers_of(self, rows: sparse.csr_matrix, *, together: bool = False) -> Answers:
        """Return the answers for the vectors of documents (`rows`)."""
        p, decisions = self._decided(rows, together)
        return Answers(p, decisions, self._confidence(p, decisions), np.diff(rows.indptr).astype(np.int64))

    def confidence(self, X: Any) -> Floats:
        """Return how probable it is that the labels of each document are right: (documents,)."""
        return self.answers(X).confidence

    def _confidence(self, p: Floats, decisions: NDArray[np.bool_]) -> Floats:
        return document_confidence(decisions, p)

    def score(self, X: Any, y: Any = None) -> float:
        """Return micro F1 over all labels of the documents, as `evaluate` does.

        Labels that were never learned count as missed. For one label per document it is the accuracy.
        """
        measured = measure(self, X, y)
        return f_measure(measured.truth, measured.decisions, "micro")

    def evaluate(self, X: Any, y: Any = None, *, together: bool = False, name: str = "evaluation") -> Report:
        """Measure the model on labelled documents; labels that were never learned count as missed."""
        return measure(self, X, y, together=together).report(name)

    def explain(self, X: Any, labels: Sequence[Label] | None = None, most: int = 12) -> list[Explanation]:
        """Why each document has these labels (default: those given, else the most probable one)."""
        from bayesift.classify.explain import explain

        return explain(self, as_documents(X), labels, most)

    def telling_terms(self, label: Label, most: int = 12) -> TellingTerms:
        """The terms that speak for and against a label, with certainty."""
        from bayesift.classify.telling import telling_terms

        return telling_terms(self, [label], most)[0]

    def save(self, path: str | Path) -> None:
        """Write the model to one file, whole or not at all; `bayesift.load` reads it."""
        from bayesift.classify.saving import save

        save(self, path)

    def rows(self, X: Any) -> sparse.csr_matrix:
        """The vectors of documents, as the learner takes them."""
        check_is_fitted(self, "classifier_")
        found: sparse.csr_matrix = self.vectorizer_.transform(as_documents(X))
        return found

    def label_number(self, label: Label) -> int:
        """The column of a label."""
        known = self.classes_.tolist()
        if label not in known:
            raise BadInput(f"no label {label!r}", remedy=f"labels are: {some(known)}")
        return int(known.index(label))

    def _count(self, sets: Sequence[tuple[Label, ...]]) -> sparse.csr_matrix:
        Y = label_matrix(sets, {label: c for c, label in enumerate(self.classes_.tolist())})
        self.n_documents_ += len(sets)
        self.label_documents_ = np.pad(self.label_documents_, (0, Y.shape[1] - self.label_documents_.size))
        self.label_documents_ += np.bincount(Y.indices, minlength=Y.shape[1])
        return Y

    def _knowing(self, learner: Any) -> Any:
        """The learner, told what is known of the terms of each label."""
        if not self.knowledge:
            return learner
        for label in self.knowledge:
            self.label_number(label)
        terms = self.vectorizer_.get_feature_names_out()
        known = [self.knowledge[c].on(terms) if c in self.knowledge else None for c in self.classes_.tolist()]
        return clone(MultiLabel() if learner is None else learner).set_params(known=known)

    def _probabilities(self, rows: sparse.csr_matrix) -> Floats:
        if not rows.shape[0]:
            return np.empty((0, len(self.classes_)))
        p = self.classifier_.predict_proba(rows)
        return p / np.maximum(p.sum(axis=1, keepdims=True), 1e-300) if self.kind_ == "one" else p

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.string = True
        tags.input_tags.two_d_array = False
        tags.target_tags.required = True
        # scikit-learn's splitters refuse classifiers with label sets, its scorers want classifiers for probabilities.
        tags.estimator_type = "classifier" if getattr(self, "kind_", "sets") != "sets" else None
        if tags.estimator_type:
            from sklearn.utils import ClassifierTags

            tags.classifier_tags = ClassifierTags(multi_label=self.kind_ == "matrix")
        return tags
