"""`TextClassifier`: a vectoriser, a classifier of vectors, and the names of the labels."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_is_fitted

from bayesift.arrays import check_room, label_matrix
from bayesift.classify.alike_labels import notice_case
from bayesift.classify.drift import check_drift
from bayesift.classify.evaluation import measure
from bayesift.classify.hierarchy import Hierarchy
from bayesift.classify.input_documents import as_documents, is_frame, text_columns
from bayesift.classify.input_labels import (
    WORDS_OF_KINDS,
    Kind,
    Label,
    as_given,
    labels_to_come,
    new_labels,
)
from bayesift.classify.inputs import as_names, check_seed, checked_number, labelled, some
from bayesift.classify.predictions import Predictions
from bayesift.classify.registry import rule_of, vectorizer_of
from bayesift.classify.rows import check_meaning
from bayesift.classify.text_fitting import fit_cluster, fit_documents
from bayesift.classify.wide.candidates import Candidates
from bayesift.classify.wide.choice import (
    check_candidates,
    check_more,
    check_wide,
    classifier_for,
    in_blocks,
)
from bayesift.decide import Rule
from bayesift.errors import BadInput, Notice
from bayesift.evaluate import Report, f_measure
from bayesift.learn import BOMC
from bayesift.learn.defaults import chosen_from_data, explicit
from bayesift.learn.priors import FeaturePrior, PriorTerms, check_prior_terms
from bayesift.learn.registry import learner_of
from bayesift.learn.side_by_side import SideBySide
from bayesift.text import TextVectorizer
from bayesift.text.meaning.sources import listed, source_names

if TYPE_CHECKING:
    from bayesift.classify.explanation import Explanations
    from bayesift.classify.label_terms import LabelTerms

Floats = NDArray[np.float64]
RENEW = 1000  # documents learned online, or a quarter of all, after which probabilities and thresholds are renewed


class TextClassifier(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Texts and label sets in; label sets, probabilities, confidence and explanations out.

    Documents are texts, `Document`s, dictionaries of zones, or a data frame or its column. Targets are label sets,
    single labels, a matrix or a data frame of 0 and 1; without targets the documents' own labels are taken, and
    unlabelled documents are left out.

    Parameters
    ----------
    learner : str or a learner of `bayesift.learn`
        A name: multilabel, best, bomc, wide, perceptron, gp, logistic, probit or categoriser. multilabel is wide where
        there are too many labels and terms for its weights.
    rule : str, a rule of `bayesift.decide`, or None
        How label sets are decided: joint, 0.5, max-f1, min-error, scut, scut-fbr, expected-f1, expected-f, precision
        or recall. None is joint.
    target : float, mapping from label to float, or None
        The share that each label should reach, for the rules precision and recall. None is 0.9.
    vectorizer : TextVectorizer or None
        None counts words, and the words of the title twice.
    prior_terms : mapping from label to PriorTerms, or None
        What is known about terms beforehand, for some labels.
    meaning : str, an object with `encode(texts)`, a list of these, or None
        Vectors beside the words: corpus, minilm or minilm=FOLDER, or those of an encoder. "auto" is corpus if there is
        unlabelled text, else words alone, as None is.
    unlabelled : list of documents, or None
        More text, for the vocabulary, for the meaning corpus and for label rates.
    label_rates : mapping from label to share, "unlabelled", or None
        The share of documents with each label where the model is used, if it differs from the training documents;
        "unlabelled" estimates the shares from the unlabelled documents. Labels that are not named are as in training;
        where each document has one label, they share the rest.
    hierarchy : mapping from label to its parent or a list of parents, the name of a file, or None
        Labels that imply others. Training documents get the ancestors of their labels, where these are missing.
    consistent : bool
        Whether predicted label sets respect the hierarchy: no label without its ancestors.
    seed : int
        Random seed.

    Examples
    --------
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
        target: float | Mapping[Label, float] | None = None,
        vectorizer: TextVectorizer | None = None,
        prior_terms: Mapping[str, PriorTerms] | None = None,
        meaning: Any = "auto",
        unlabelled: Any = None,
        label_rates: Mapping[Label, float] | str | None = None,
        hierarchy: Mapping[Any, Any] | str | Path | None = None,
        consistent: bool = True,
        seed: int = 0,
    ) -> None:
        self.learner = learner
        self.rule = rule
        self.target = target
        self.vectorizer = vectorizer
        self.prior_terms = prior_terms
        self.meaning = meaning
        self.unlabelled = unlabelled
        self.label_rates = label_rates
        self.hierarchy = hierarchy
        self.consistent = consistent
        self.seed = seed

    def set_params(self, **params: Any) -> Self:
        """Set parameters, those of parts too: `vectorizer__ngrams=2`, or `learner="bomc", learner__noise=0.1`."""
        learner = params.get("learner", self.learner)
        params = explicit(self, params, "learner", lambda: learner_of(learner) or chosen_from_data())
        params = explicit(self, params, "vectorizer", lambda: vectorizer_of(None, learner_of(learner)))
        super().set_params(**params)
        return self

    def fit(self, X: Any, y: Any = None) -> Self:
        """Learn from scratch."""
        fit_documents(self, X, y)
        return self

    def fit_cluster(self, documents: Any, learner: Any) -> Self:
        """Learn documents that are counted on the workers of a cluster (`cluster.documents`)."""
        fit_cluster(self, documents, learner)
        return self

    def _begin(
        self, vectorizer: TextVectorizer, names: Sequence[Label], kind: Kind, learner: Any, hierarchy: Hierarchy
    ) -> None:
        """Start from scratch with these labels and a fitted vectoriser."""
        self.kind_, self.classes_, self.hierarchy_ = kind, as_names(names), hierarchy
        self.vectorizer_, self.n_documents_, self.label_documents_ = vectorizer, 0, np.zeros(0, np.int64)
        self._waiting = 0
        known = self._known(notice=True)
        self.classifier_ = classifier_for(learner, self._rule(), known, self.seed, self._rates())

    def learns_blocks(self, learner: Any) -> bool:
        """Return whether documents can be learned block by block: independent labels, words alone, without drift."""
        alone = not listed(self.meaning, self.unlabelled) and self.unlabelled is None
        bomc = BOMC() if learner is None else learner
        return alone and isinstance(bomc, BOMC) and bomc.variant == "independent" and bomc.drift == 0.0

    def check(self) -> Any:
        """Raise if settings do not go together, before any document is read; return the learner that they name."""
        learner = learner_of(self.learner)
        rule_of(self.rule, self.target)
        check_seed(self.seed)
        check_drift(learner)
        check_prior_terms(self.prior_terms)
        if self.prior_terms and not (BOMC if learner is None else learner).takes_prior_terms:
            raise BadInput(
                f"the learner {self.learner!r} takes no prior terms",
                remedy="use multilabel, best, bomc, perceptron, logistic or probit",
            )
        check_meaning(self.meaning, self.unlabelled, learner, self.learner, self.label_rates)
        check_wide(learner, self.label_rates)
        if not isinstance(self.hierarchy, str | Path):  # a file is read by `fit`
            Hierarchy.of(self.hierarchy)
        return learner

    def partial_fit(self, X: Any, y: Any = None, classes: Iterable[Label] | None = None) -> Self:
        """Learn more documents; words and labels may be new, and `classes` names labels to come.

        While all documents are kept, up to 16,384, they are learned again after each 9 % more. Later probabilities
        and thresholds follow after a quarter more documents, or `RENEW`, or when `calibrate` is called.
        """
        if not (BOMC if (learner := self.check()) is None else learner).online:
            remedy = "call fit with all documents, or train again on the command line"
            raise BadInput(f"the learner {self.learner!r} learns all documents at once", remedy=remedy)
        to_come = labels_to_come(classes)
        if not hasattr(self, "classifier_"):
            if not (hasattr(X, "__len__") and not len(X) and not to_come):  # else there is nothing to learn
                fit_documents(self, X, y, to_come, begins_stream=True)
            return self
        check_more(self.classifier_)
        documents, sets, kind, y = labelled(X, y, self._columns)
        if not documents:
            return self
        if kind != self.kind_:
            before, now = WORDS_OF_KINDS[self.kind_], WORDS_OF_KINDS[kind]
            raise BadInput(f"targets are {now}, before they were {before}", remedy="keep to one kind")
        *sets, to_come = self.hierarchy_.complete_all([*sets, to_come])
        new = new_labels([*sets, to_come], self.classes_.tolist(), kind, y)
        self.hierarchy_.check_columns([*self.classes_.tolist(), *new], kind)
        used = None if self.classifier_.may_fit_again else self.classifier_.vectors_
        encoded = self.rows_.encoded(documents, used)
        self.vectorizer_.partial_fit(documents)  # if it raises, nothing has changed
        if new:
            self.classes_ = as_names([*self.classes_.tolist(), *new])
            self.rows_.labels = self.classes_.tolist()
            notice_case(self.classes_.tolist())
            self.classifier_.set_params(feature_priors=self._known(), rule=self._rule(), label_rates=self._rates())
            if isinstance(self.label_rates, Mapping):
                self.classifier_.rates_ = np.asarray(self._rates())
        Y, counts = self._count(sets), self.vectorizer_.count(documents)
        self.classifier_.partial_fit(counts if encoded is None else SideBySide(counts, encoded), Y, self.rows_)
        self._waiting += len(documents)
        if self._waiting >= min(RENEW, self.n_documents_ // 4):
            self.classifier_.calibrate(again=False)
            self._waiting = 0
        return self

    def calibrate(self) -> Self:
        """Renew probabilities and thresholds by all documents learned since they were last renewed.

        While all documents are kept, up to 16,384, they are learned again, as `fit` does.
        """
        check_is_fitted(self, "classifier_")
        self.classifier_.calibrate(self.rows_)
        self._waiting = 0
        return self

    def predict(self, X: Any, *, together: bool = False) -> Any:
        """Return the labels of each document, in the kind that was learned.

        With `together` the labels are those that are best in expectation for all these documents at once; else one
        document gets the same labels as among many.
        """
        if together or getattr(self, "kind_", "") not in ("sets", "one"):
            p, decisions = self.decisions(X, together=together)
            return as_given(decisions, p, self.classes_.tolist(), self.kind_)
        rows, names = self.vectorize(X), self.classes_.tolist()
        return in_blocks(self.classifier_, rows, lambda some: self._given(some, names))

    def _given(self, rows: Any, names: list[Label]) -> Any:
        p, decisions = self._decided(rows, False)
        return as_given(decisions, p, names, self.kind_)

    def candidates(self, X: Any) -> Candidates:
        """Return the labels worth scoring, as a sparse matrix, and what was skipped, of a model with very many labels.

        Labels are columns in the order of `classes_`. Other models than those of the learner wide skip nothing: raises.
        """
        rows = self.vectorize(X)
        check_candidates(self.classifier_)
        found: Candidates = self.classifier_.candidates(rows)
        return found

    def predict_proba(self, X: Any) -> Floats:
        """Return the probability of each label: (documents, labels), in the order of `classes_`."""
        return self._probabilities(self._rows_of_all(X))

    def decisions(self, X: Any, *, together: bool = False) -> tuple[Floats, NDArray[np.bool_]]:
        """Return probabilities and decisions, both (documents, labels)."""
        return self._decided(self._rows_of_all(X), together)

    def _decided(self, rows: Any, together: bool) -> tuple[Floats, NDArray[np.bool_]]:
        rule = self.rule_together() if together else self.classifier_.rule_
        p = self._probabilities(rows)
        if self.kind_ == "one" or not len(p):
            decisions = np.zeros(p.shape, bool)
            decisions[np.arange(len(p)), p.argmax(axis=1)] = True  # the first of equals, as `predict` gives it
            return p, decisions
        return p, self.labels_of(p, rule)

    def labels_of(self, p: Floats, rule: Rule | None = None) -> NDArray[np.bool_]:
        """Return the label sets for these probabilities, by the fitted rule or another: (documents, labels)."""
        check_is_fitted(self, "classifier_")
        decisions = self.classifier_.labels_of(p, rule)
        if not (self.consistent and self.hierarchy_):
            return decisions
        return self.hierarchy_.consistent(self.classifier_, p, decisions, self.classes_.tolist())

    def rule_together(self) -> Rule:
        """Return the rule that decides many documents together; raise if this model has none."""
        check_is_fitted(self, "classifier_")
        if self.kind_ == "one":
            raise BadInput("a single label is the most probable one of each document", remedy="leave `together` out")
        return self.classifier_.rule_together()

    def predictions(self, X: Any, *, together: bool = False) -> Predictions:
        """Return probabilities, decisions, confidence and known words of documents, vectorised once."""
        return self.predictions_of(self._rows_of_all(X), together=together)

    def predictions_of(self, rows: Any, *, together: bool = False) -> Predictions:
        """Return the predictions for vectors of documents, as `vectorize` returns them."""
        check_is_fitted(self, "classifier_")
        p, decisions = self._decided(rows, together)
        return Predictions(p, decisions, self._confidence(p, decisions), self.rows_.known_words(rows))

    def confidence(self, X: Any) -> Floats:
        """Return how probable it is that the labels of each document are right: (documents,)."""
        return self.predictions(X).confidence

    def _confidence(self, p: Floats, decisions: NDArray[np.bool_]) -> Floats:
        if self.kind_ == "one":
            return np.asarray(p.max(axis=1, initial=0.0))
        return np.asarray(self.classifier_.confidence_in(decisions, p))

    def score(self, X: Any, y: Any = None) -> float:
        """Return micro F1 over all labels of the documents, as `evaluate` does.

        Labels that were never learned count as missed. For one label per document it is the accuracy.
        """
        measured = measure(self, X, y)
        return f_measure(measured.truth, measured.decisions, "micro")

    def evaluate(self, X: Any, y: Any = None, *, together: bool = False, name: str = "evaluation") -> Report:
        """Measure the model on labelled documents; labels that were never learned count as missed."""
        return measure(self, X, y, together=together).report(name)

    def explain(self, X: Any, labels: Sequence[Label] | None = None, max_terms: int = 12) -> Explanations:
        """Explain why each document has these labels (default: those predicted, else the most probable one)."""
        from bayesift.classify.explain import explain

        if isinstance(labels, str):
            raise BadInput(f"labels are the text {labels!r}", remedy=f"give a list: labels=[{labels!r}]")

        return explain(self, as_documents(X, self._columns), labels, checked_number(max_terms))

    def label_terms(self, label: Label, max_terms: int = 12) -> LabelTerms:
        """Return the most informative terms for and against a label."""
        from bayesift.classify.label_terms import label_terms

        check_is_fitted(self, "classifier_")
        return label_terms(self, [label], checked_number(max_terms))[0]

    def save(self, path: str | Path) -> None:
        """Write the model to one file, atomically; `bayesift.load` reads it."""
        from bayesift.classify.saving import save

        save(self, path)

    def vectorize(self, X: Any) -> Any:
        """Return the vectors of documents: (documents, terms), beside them those of their meaning if it is used."""
        check_is_fitted(self, "classifier_")
        return self.rows_.of_documents(as_documents(X, self._columns), self.classifier_.vectors_)

    def _rows_of_all(self, X: Any) -> Any:
        """Return vectors of documents whose probabilities of all labels are wanted; raise if these are too many."""
        check_is_fitted(self, "classifier_")
        documents = as_documents(X, self._columns)
        check_room(len(documents), len(self.classes_))
        return self.vectorize(documents)

    @property
    def meaning_weights_(self) -> dict[str, float]:
        """The weight that the data chose for each source of meaning, in units of that of words; 0: it is not used."""
        check_is_fitted(self, "classifier_")
        if self.rows_.meaning is None:
            return {}
        chosen = dict(zip(self.classifier_.vectors_, self.classifier_.learner_.dense_weights or ()))
        return {name: chosen.get(k, 0.0) for k, name in enumerate(source_names(self.meaning, self.unlabelled))}

    def label_number(self, label: Label) -> int:
        """Return the column of a label."""
        check_is_fitted(self, "classifier_")
        known = self.classes_.tolist()
        if label not in known:
            raise BadInput(f"no label {label!r}", remedy=f"labels are: {some(known)}")
        return int(known.index(label))

    @property
    def _columns(self) -> list[str] | None:
        """The text columns of the data frame that was learned, if one was."""
        names = getattr(self, "feature_names_in_", None)
        return None if names is None else list(names)

    def _remember_columns(self, X: Any) -> None:
        self.__dict__.pop("feature_names_in_", None)
        if is_frame(X):
            self.feature_names_in_ = as_names(text_columns(X))

    def _count(self, sets: Sequence[tuple[Label, ...]]) -> sparse.csr_matrix:
        return self._count_labels(label_matrix(sets, self.classes_.tolist()))

    def _count_labels(self, Y: sparse.csr_matrix) -> sparse.csr_matrix:
        self.n_documents_ += Y.shape[0]
        self.label_documents_ = np.pad(self.label_documents_, (0, Y.shape[1] - self.label_documents_.size))
        self.label_documents_ += np.bincount(Y.indices, minlength=Y.shape[1])
        return Y

    def _rule(self) -> Rule | None:
        return rule_of(self.rule, self.target, self.classes_.tolist())

    def _rates(self) -> list[float] | None:
        """Return the rate of each label that is known, nan for the others; those of unlabelled text come later."""
        if not isinstance(self.label_rates, Mapping):
            return None
        return [float(self.label_rates.get(label, np.nan)) for label in self.classes_.tolist()]

    def _known(self, notice: bool = False) -> list[FeaturePrior | None] | None:
        """Return what is known of each label's terms; terms that have not occurred yet get their columns."""
        if not self.prior_terms:
            return None
        terms = [term for prior in self.prior_terms.values() for term in prior.terms]
        columns = {term: self.vectorizer_.column_of(term) for term in terms}
        names, n = self.classes_.tolist(), self.vectorizer_.vocabulary_.n_columns
        absent = [label for label in self.prior_terms if label not in names]
        if notice and absent:
            message = f"no document has the label {absent[0]!r} yet; what is known of its terms is kept"
            warnings.warn(message, Notice, stacklevel=4)
        return [self.prior_terms[c].to_features(columns, n) if c in self.prior_terms else None for c in names]

    def _probabilities(self, rows: Any) -> Floats:
        if not rows.shape[0]:
            return np.empty((0, len(self.classes_)))
        return self.classifier_.single_proba(rows) if self.kind_ == "one" else self.classifier_.predict_proba(rows)

    def __str__(self) -> str:
        from bayesift.classify.summary import summary

        return summary(self) if hasattr(self, "classifier_") else repr(self)

    @property
    def _repr_html_(self) -> Callable[[], str]:
        """Return the function that makes the HTML of a notebook: scikit-learn's until the model is fitted."""
        from bayesift.classify.summary import summary_html

        default: Callable[[], str] = super()._repr_html_  # raises where scikit-learn is set to show text
        return partial(summary_html, self) if hasattr(self, "classifier_") else default

    def _repr_mimebundle_(self, **kwargs: Any) -> dict[str, str]:
        shown = {"text/plain": repr(self)}
        return shown | ({"text/html": self._repr_html_()} if hasattr(self, "_repr_html_") else {})

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.string = True
        tags.input_tags.two_d_array = False
        tags.target_tags.required = False  # documents may bring their labels
        tags.classifier_tags.multi_label = True
        return tags
