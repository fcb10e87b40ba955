"""bayesift: sort a flow of text with calibrated probabilities, learning from every judgement.

The public names are imported when first used, so that `import bayesift` is fast.
"""

from __future__ import annotations

from importlib import import_module

TYPE_CHECKING = False  # without `typing`, which takes a third of the import time
if TYPE_CHECKING:
    from typing import Any

__version__ = "0.1.0"

_HOMES = {
    "TextClassifier": "bayesift.classify",
    "load": "bayesift.classify",
    "Explanation": "bayesift.classify",
    "LabelClassifier": "bayesift.classify",
    "RiverAdapter": "bayesift.integrations",
    "TextVectorizer": "bayesift.text",
    "Document": "bayesift.corpora",
    "load_corpus": "bayesift.corpora",
    "read_documents": "bayesift.corpora",
    "Report": "bayesift.evaluate",
    "BOMC": "bayesift.learn",
    "BayesianPerceptron": "bayesift.learn",
    "Categoriser": "bayesift.learn",
    "GaussianProcess": "bayesift.learn",
    "PerLabel": "bayesift.learn",
    "PriorTerms": "bayesift.learn",
    "SparseLogistic": "bayesift.learn",
    "SparseProbit": "bayesift.learn",
    "TextFilter": "bayesift.filtering",
    "Workspace": "bayesift.filtering.store",
    "Review": "bayesift.filtering.screening",
    "Filter": "bayesift.filtering",
    "Profile": "bayesift.filtering",
    "BayesiftError": "bayesift.errors",
}

__all__ = ["__version__", *_HOMES]


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        return getattr(import_module(_HOMES[name]), name)
    raise AttributeError(f"module 'bayesift' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
