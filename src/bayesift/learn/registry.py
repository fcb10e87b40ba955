"""Learners by name: the same name is the same model with the same defaults in every verb.

Defaults were chosen on folds of the training documents of three corpora (docs/models). The published settings are those
of the classes: `PerLabel()` is the perceptron of chai2002, `PerLabel(SparseLogistic())` a model of eyheramendy2003.
`LEARNERS` are learners of many labels, for `train`. The names of `TOPICS_ONLY` are defined in
`bayesift.filtering.learners`, which also offers `perceptron` for the topics of a stream.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from bayesift.errors import BadInput, NotFound
from bayesift.learn.binary import BinaryLearner
from bayesift.learn.bomc.bomc import BOMC
from bayesift.learn.categoriser import Categoriser
from bayesift.learn.ensemble import Ensemble
from bayesift.learn.gp import GaussianProcess
from bayesift.learn.linear_labels import LinearLabels
from bayesift.learn.per_label import PerLabel
from bayesift.learn.perceptron import BayesianPerceptron
from bayesift.learn.wide.wide import WideLabels

LEARNERS: dict[str, Callable[[], Any]] = {
    "multilabel": lambda: None,  # BOMC, its noise and prior chosen from the data by `LabelClassifier`
    "best": Ensemble,
    "bomc": BOMC,
    "wide": WideLabels,
    "perceptron": lambda: PerLabel(BayesianPerceptron(passes=2, negligible=0.01), max_terms=600),
    "gp": lambda: PerLabel(GaussianProcess()),
    "logistic": LinearLabels,
    "probit": lambda: LinearLabels("probit"),
    "categoriser": Categoriser,
}
TOPICS_ONLY = ("flip-perceptron", "diagonal-perceptron")  # learners of `bayesift.filtering`, for topics of a stream


def learner_of(learner: Any) -> Any:
    """Return a learner by its name, or the one given; a learner of one label is used once per label.

    None is the default.

    >>> learner_of("logistic")
    LinearLabels()
    """
    if isinstance(learner, str) and learner in TOPICS_ONLY:
        names = ", ".join(LEARNERS)
        raise NotFound(f"learner {learner!r} is for the topics of `simulate` only", remedy=f"learners are: {names}")
    found = named(learner, LEARNERS, "learner") if isinstance(learner, str) else learner
    if found is not None and (isinstance(found, type) or not hasattr(found, "get_params")):
        remedy = "give the name of a learner, or a learner of bayesift.learn, e.g. BOMC()"
        raise BadInput(f"learner is {learner!r}", remedy=remedy)
    return PerLabel(found) if isinstance(found, BinaryLearner) else found


def named(name: str, known: Mapping[str, Callable[[], Any]], what: str) -> Any:
    """Return what a table has under a name; raise with the names that there are."""
    if name not in known:
        raise NotFound(f"no {what} {name!r}", remedy=f"{what}s are: {', '.join(known)}")
    return known[name]()
