"""Learners and decision rules by name, and the vectors that each learner wants."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from bayesift.decide import ExpectedF, ExpectedF1, Fixed, JointCut, MaxF1, MinError, Rule, SCut, SCutFBR
from bayesift.errors import NotThere
from bayesift.learn import (
    BayesianPerceptron,
    Categoriser,
    GaussianProcess,
    MultiLabel,
    PerLabel,
    SparseLogistic,
    SparseProbit,
)
from bayesift.text import TextVectorizer

LEARNERS: dict[str, Callable[[], Any]] = {
    "multilabel": lambda: None,  # BOMC, its noise and prior chosen from the data by `LabelClassifier`
    "bomc": MultiLabel,
    "perceptron": PerLabel,
    "gp": lambda: PerLabel(GaussianProcess()),
    "logistic": lambda: PerLabel(SparseLogistic()),
    "probit": lambda: PerLabel(SparseProbit()),
    "categoriser": Categoriser,
}
TOPICS_ONLY = ("flip-perceptron", "diagonal-perceptron")  # learners of `bayesift.filtering`, for topics of a stream
RULES: dict[str, Callable[[], Rule]] = {
    "joint": JointCut, "half": Fixed, "max-f1": MaxF1, "min-error": MinError, "scut": SCut, "scut-fbr": SCutFBR,
    "expected-f1": ExpectedF1, "expected-f": ExpectedF,
}  # fmt: skip


def learner_of(learner: Any) -> Any:
    """A learner by its name, or the one given; None is the default.

    >>> learner_of("perceptron")
    PerLabel()
    """
    if isinstance(learner, str) and learner in TOPICS_ONLY:
        names = ", ".join(LEARNERS)
        raise NotThere(f"learner {learner!r} is for the topics of `simulate` only", remedy=f"learners are: {names}")
    return _named(learner, LEARNERS, "learner") if isinstance(learner, str) else learner


def rule_of(rule: Any) -> Rule | None:
    """A rule by its name, or the one given; None is the default."""
    found: Rule | None = _named(rule, RULES, "rule") if isinstance(rule, str) else rule
    return found


def vectorizer_of(vectorizer: TextVectorizer | None, learner: Any) -> TextVectorizer:
    """The vectoriser given, or the default: words and words of the title, ltc weights, counts for the categoriser.

    That the title's words count twice is what was best on Reuters, OHSUMED-91 and the docstrings alike.
    """
    if vectorizer is not None:
        return vectorizer
    return TextVectorizer(zones=["title"], weight="raw" if isinstance(learner, Categoriser) else "ltc")


def binary(learner: Any) -> bool:
    """Whether a learner is one of a single label, to be used once a label."""
    return isinstance(learner, BayesianPerceptron | GaussianProcess | SparseLogistic | SparseProbit)


def online(learner: Any) -> bool:
    """Whether a learner can learn more documents later."""
    if isinstance(learner, PerLabel):
        return learner.learner is None or learner.learner.online
    return hasattr(learner, "partial_fit")


def _named(name: str, known: dict[str, Callable[[], Any]], what: str) -> Any:
    if name not in known:
        raise NotThere(f"no {what} {name!r}", remedy=f"{what}s are: {', '.join(known)}")
    return known[name]()
