"""Set nested parameters of a part that was left at its default: `set_params(vectorizer__ngrams=2)`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from bayesift.errors import BadInput


def explicit(estimator: Any, params: dict[str, Any], part: str, default: Callable[[], Any]) -> dict[str, Any]:
    """Return the parameters with the part's default added where one of its own parameters is set.

    >>> from bayesift.learn import BayesianPerceptron, PerLabel
    >>> explicit(PerLabel(), {"learner__passes": 2}, "learner", BayesianPerceptron)
    {'learner__passes': 2, 'learner': BayesianPerceptron()}
    >>> explicit(PerLabel(), {"max_terms": 9}, "learner", BayesianPerceptron)
    {'max_terms': 9}
    """
    nested = any(name.startswith(f"{part}__") for name in params)
    if not nested or hasattr(params.get(part, getattr(estimator, part)), "set_params"):
        return params
    return params | {part: default()}


def chosen_from_data() -> Any:
    """Raise: the default learner has no settings that could be set one by one."""
    raise BadInput(
        "the default learner chooses its settings from the data",
        remedy="give a learner with settings of its own: BOMC(noise=0.1)",
    )
