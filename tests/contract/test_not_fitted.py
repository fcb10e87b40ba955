"""What has not learned anything says so: every public method is discovered and called."""

import inspect

import numpy as np
import pytest
from sklearn.exceptions import NotFittedError

from bayesift import LabelClassifier, TextClassifier, TextFilter
from bayesift.classify.wide.classifier import WideClassifier
from bayesift.errors import BadInput

TEXTS = {"X": ["a"], "y": ["b"], "label": "b", "p": np.array([[0.5]]), "rows": np.eye(1), "learner": None}
VECTORS = {"X": [[1.0]], "y": [[1]], "Y": [[1]], "labels": np.array([[True]]), "p": np.array([[0.5]]), "n": 1}
VECTORS |= {"rates": np.array([0.5]), "weigh": np.asarray, "rows": np.eye(1), "learner": None}
NAMES = {"X": ["a"], "documents": ["a"], "document": "a", "topic": "t", "name": "t", "new": "u", "relevant": True}
NAMES |= {"words": {"a": (1.0, 0.5)}, "answers": [("t", "a", True)]}
LEARNS = {"fit", "fit_blocks", "fit_cluster", "fit_prequential", "partial_fit", "restore"}
PARTS = {"look_at_numbers"}  # takes a matrix that is being learned
EVENTS = {"apply", "replay", "load", "save", "from_state"}  # of a filter
WORKS = {  # without anything learned
    TextClassifier: {"check", "learns_blocks", "set_params"},
    LabelClassifier: {"confidence_in", "given_learner", "most_kept", "name_labels", "rule_together", "set_params",
                      "unfitted", "used"},
    WideClassifier: set(),
}  # fmt: skip


def public(cls):
    """Return the public methods that a class of bayesift defines."""
    return [name for name, found in vars(cls).items() if inspect.isfunction(found) and not name.startswith("_")]


def arguments(cls, name, known, path):
    """Return values for the required parameters of a method, and for y, which documents may bring."""
    found = list(inspect.signature(getattr(cls, name)).parameters.values())[1:]
    needed = [p for p in found if (p.default is p.empty or p.name == "y") and p.kind is not p.VAR_KEYWORD]
    return {p.name: path if p.name == "path" else known[p.name] for p in needed}


CASES = [
    pytest.param(cls, name, known, id=f"{cls.__name__}.{name}")
    for cls, known in ((TextClassifier, TEXTS), (LabelClassifier, VECTORS), (WideClassifier, VECTORS))
    for name in public(cls)
    if name not in LEARNS | PARTS | WORKS[cls]
]


@pytest.mark.parametrize(("cls", "name", "known"), CASES)
def test_a_classifier_that_has_learned_nothing_says_so(cls, name, known, tmp_path):
    given = arguments(cls, name, known, tmp_path / "m")
    only_for_others = cls is WideClassifier and name in ("use_rates", "estimated_rates")
    with pytest.raises(BadInput if only_for_others else NotFittedError):
        getattr(cls(), name)(**given)
    assert not (tmp_path / "m").exists()


@pytest.mark.parametrize(("cls", "known"), [(TextClassifier, TEXTS), (LabelClassifier, VECTORS)])
def test_other_methods_work_without_anything_learned(cls, known, tmp_path):
    for name in WORKS[cls] - {"confidence_in", "name_labels"}:
        getattr(cls(), name)(**arguments(cls, name, known, tmp_path / "m"))


@pytest.mark.parametrize("name", [name for name in public(TextFilter) if name not in EVENTS])
def test_a_filter_without_topics_answers_or_says_what_is_missing(name, tmp_path):
    given = arguments(TextFilter, name, NAMES, tmp_path / "m")
    try:
        getattr(TextFilter(), name)(**given)
    except BadInput as error:
        assert "; " in str(error)  # noqa: PT017 (not all raise)
