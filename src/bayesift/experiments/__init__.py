"""The published tables, computed anew: one file a paper, each experiment a function found by its name.

`EXPERIMENTS` maps a name such as "chai2002-table2" to (module, function, one line of what it is); nothing is imported
before it is run.
"""

from __future__ import annotations

from importlib import import_module

from bayesift.errors import NotThere
from bayesift.experiments.result import Options, Result

EXPERIMENTS: dict[str, tuple[str, str, str]] = {
    "chai2002-table2": ("chai2002", "table2", "F1 of perceptron, Gaussian processes and SVM, three rules, Reuters"),
    "chai2002-table3": ("chai2002", "table3", "sign tests between these systems, Reuters"),
    "chai2002-table6": ("chai2002", "table6", "probit, logit and flip likelihoods, with their evidence, Reuters"),
    "chai2002-table7": ("chai2002", "table7", "one to five passes over the training documents, Reuters"),
}


def run(name: str, options: Options) -> Result:
    """Run one experiment."""
    if name not in EXPERIMENTS:
        raise NotThere(f"no experiment {name!r}", remedy=f"experiments are: {', '.join(EXPERIMENTS)}")
    module, function, _ = EXPERIMENTS[name]
    result: Result = getattr(import_module(f"bayesift.experiments.{module}"), function)(options)
    return result


__all__ = ["EXPERIMENTS", "Options", "Result", "run"]
