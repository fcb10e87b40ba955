"""Decision rules by name, and the vectors that each learner takes. Learners by name: `bayesift.learn.registry`."""

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
from bayesift.errors import BadInput
from bayesift.learn.ensemble import Ensemble
from bayesift.learn.registry import named
from bayesift.text import TextVectorizer
from bayesift.text.characters import CharacterVectorizer

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
    found = named(rule, RULES | TARGETS, "rule") if isinstance(rule, str) else rule
    if found is not None and not isinstance(found, Rule):
        remedy = "give the name of a rule, or a rule of bayesift.decide, e.g. Threshold(0.3)"
        raise BadInput(f"rule is {rule!r}", remedy=remedy)
    return found


def vectorizer_of(vectorizer: TextVectorizer | None, learner: Any) -> TextVectorizer:
    """Return the vectoriser given, or the default of the learner: ltc weights, or counts for the categoriser.

    The words of the title count twice, which was best on Reuters, OHSUMED-91 and the docstrings alike. The ensemble
    takes pairs of words too: its prior variances tell the few that matter from the many that do not.
    """
    if vectorizer is not None:
        return vectorizer
    if isinstance(learner, Ensemble):
        return TextVectorizer(zones=["title"], ngrams=2, min_df=2)
    return TextVectorizer(zones=["title"], weight="raw" if getattr(learner, "takes_counts", False) else "ltc")


def character_vectorizer_of(learner: Any, vectorizer: TextVectorizer) -> CharacterVectorizer | None:
    """Return the vectoriser of the second view that a learner reads beside that of terms; None if it reads none."""
    if isinstance(learner, Ensemble) and "characters" in learner.members:
        return CharacterVectorizer(html=vectorizer.html, zones=vectorizer.zones)
    return None
