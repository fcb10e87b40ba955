"""Learners and decision rules by name, and the vectors that each learner wants."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from bayesift.decide import (
    ExpectedFThresholds,
    JointThresholds,
    MaxF1,
    MinError,
    Precision,
    Recall,
    Rule,
    SCut,
    SCutFBR,
    Threshold,
)
from bayesift.errors import BadInput, NotFound
from bayesift.learn import (
    BOMC,
    Categoriser,
    GaussianProcess,
    PerLabel,
    SparseLogistic,
    SparseProbit,
)
from bayesift.learn.binary import BinaryLearner
from bayesift.text import TextVectorizer

LEARNERS: dict[str, Callable[[], Any]] = {
    "multilabel": lambda: None,  # BOMC, its noise and prior chosen from the data by `LabelClassifier`
    "bomc": BOMC,
    "perceptron": PerLabel,
    "gp": lambda: PerLabel(GaussianProcess()),
    "logistic": lambda: PerLabel(SparseLogistic()),
    "probit": lambda: PerLabel(SparseProbit()),
    "categoriser": Categoriser,
}
TOPICS_ONLY = ("flip-perceptron", "diagonal-perceptron")  # learners of `bayesift.filtering`, for topics of a stream
FBR = 0.1  # F1 below which a tuned threshold is not believed (Fan & Lin 2007: fbr)
RULES: dict[str, Callable[[], Rule]] = {
    "joint": JointThresholds,
    "0.5": Threshold,
    "max-f1": lambda: MaxF1(fbr=FBR),
    "min-error": MinError,
    "scut": lambda: SCut(fbr=FBR),
    "scut-fbr": SCutFBR,
    "expected-f1": ExpectedFThresholds,
    "expected-f": lambda: ExpectedFThresholds(exact=True),
}
TARGETS: dict[str, type[Precision] | type[Recall]] = {"precision": Precision, "recall": Recall}
TARGET = 0.9  # what a label should reach where no target is given


def learner_of(learner: Any) -> Any:
    """Return a learner by its name, or the one given; a learner of one label is used once per label.

    None is the default.

    >>> learner_of("perceptron")
    PerLabel()
    """
    if isinstance(learner, str) and learner in TOPICS_ONLY:
        names = ", ".join(LEARNERS)
        raise NotFound(f"learner {learner!r} is for the topics of `simulate` only", remedy=f"learners are: {names}")
    found = _named(learner, LEARNERS, "learner") if isinstance(learner, str) else learner
    return PerLabel(found) if isinstance(found, BinaryLearner) else found


def rule_of(rule: Any, target: float | Mapping[Any, float] | None = None, labels: Sequence[Any] = ()) -> Rule | None:
    """Return a rule by its name, or the one given; None is the default.

    `target` is for the rules precision and recall: a share for all labels, or one per label by name, where labels that
    are not named have `TARGET`.

    >>> rule_of("precision", {"grain": 0.95}, ["crude", "grain"])
    Precision(target=(0.9, 0.95))
    """
    if isinstance(rule, str) and rule in TARGETS:
        if isinstance(target, Mapping):
            return TARGETS[rule](tuple(float(target.get(label, TARGET)) for label in labels) or TARGET)
        return TARGETS[rule](TARGET if target is None else float(target))
    if target is not None:
        raise BadInput(f"the rule {rule!r} has no target", remedy="targets are for the rules precision and recall")
    found: Rule | None = _named(rule, RULES | TARGETS, "rule") if isinstance(rule, str) else rule
    return found


def vectorizer_of(vectorizer: TextVectorizer | None, learner: Any) -> TextVectorizer:
    """Return the vectoriser given, or the default of the learner: ltc weights, or counts for the categoriser.

    The words of the title count twice, which was best on Reuters, OHSUMED-91 and the docstrings alike.
    """
    if vectorizer is not None:
        return vectorizer
    return TextVectorizer(zones=["title"], weight="raw" if isinstance(learner, Categoriser) else "ltc")


def _named(name: str, known: dict[str, Callable[[], Any]], what: str) -> Any:
    if name not in known:
        raise NotFound(f"no {what} {name!r}", remedy=f"{what}s are: {', '.join(known)}")
    return known[name]()
