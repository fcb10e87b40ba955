"""The published tables, computed anew: one file a paper, each experiment a function found by its name.

`EXPERIMENTS` maps a name such as "chai2002-table2" to (module, function, one line of what it is); nothing is imported
before it is run.
"""

from __future__ import annotations

from importlib import import_module

from bayesift.errors import NotFound
from bayesift.experiments.result import Options, Result

EXPERIMENTS: dict[str, tuple[str, str, str]] = {
    "chai2002-table2": ("chai2002", "table2", "F1 of perceptron, Gaussian processes and SVM, three rules, Reuters"),
    "chai2002-table3": ("chai2002", "table3", "sign tests between these systems, Reuters"),
    "chai2002-table6": ("chai2002", "table6", "probit, logit and flip likelihoods, with their evidence, Reuters"),
    "chai2002-table7": ("chai2002", "table7", "one to five passes over the training documents, Reuters"),
    "chai2002-table4": ("chai2002_filtering", "table4", "adaptive filtering, all strategies, three streams"),
    "chai2002-table5": ("chai2002_filtering", "table5", "what the classifier retrieved and what was asked about"),
    "chai2002-figure1": ("chai2002_filtering", "figure1", "theta against the documents retrieved, as a picture"),
    "chai2002-figure2": ("chai2002_filtering", "figure2", "terms as relevant documents are judged, as a picture"),
    "screening-synergy": ("screening", "synergy", "a finite pool, most promising first, beside ASReview, SYNERGY"),
    "eyheramendy2003-table1": ("eyheramendy2003", "table1", "sparse probit beside others' results, Reuters R10"),
    "eyheramendy2003-table2": ("eyheramendy2003", "table2", "raw and logarithmic term frequencies, Reuters R10"),
    "eyheramendy2003-table3": ("eyheramendy2003", "table3", "Jeffreys and Laplace priors of six widths, Reuters R10"),
    "eyheramendy2003-table4": ("eyheramendy2003", "table4", "how many weights these priors keep, Reuters R10"),
    "eyheramendy2003-table5": ("eyheramendy2003", "table5", "300 and 1,000 terms, Reuters R10"),
    "eyheramendy2003-table6": ("eyheramendy2003", "table6", "sparse and dense, probit and logistic, Reuters R10"),
    "eyheramendy2003-figure2": ("eyheramendy2003_figure", "figure2", "boxplots of table 1 as a picture, Reuters R10"),
    "eyheramendy2003-table7": ("eyheramendy2003_rcv1", "table7", "sparse models beside others' results, RCV1 sample"),
    "eyheramendy2003-table8": ("eyheramendy2003_rcv1", "table8", "sparse and dense models, RCV1 sample"),
    "eyheramendy2003-few": ("few_examples", "table", "1 to 16 examples, without and with a description, Reuters R10"),
    "goutte2007-table1": ("goutte2007", "table1", "precision, recall and F of each category, TMC2007"),
    "goutte2007-q": ("goutte2007", "q", "Q of the published confidence layer and of better ones, TMC2007"),
    "goutte2007-combination": ("goutte2007", "combination", "Q and F1 of several learners put together, TMC2007"),
    "zhang2010-f1": ("zhang2010", "f1", "BOMC beside LIBLINEAR with SCutFBR.1: F1 and Q on five corpora"),
    "zhang2010-figure4": ("zhang2010_figures", "figure4", "expected and true F1 against the threshold, RCV1 sample"),
    "zhang2010-figure5": ("zhang2010_figures", "figure5", "macro F1 against training documents, RCV1 sample"),
    "zhang2010-figure6": ("zhang2010_figures", "figure6", "coupled minus independent BOMC, RCV1 sample"),
    "zhang2010-figure7": ("zhang2010_figures", "figure7", "training time against documents, RCV1 sample"),
    "zhang2010-shards": ("zhang2010_shards", "shards", "F1 of 2 to 16 shards merged, and of pruned weights, Reuters"),
    "goutte2007-figure3": ("goutte2007", "figure3", "Q over the layer's two settings, as a picture, TMC2007"),
}


def run(name: str, options: Options) -> Result:
    """Run one experiment."""
    if name not in EXPERIMENTS:
        raise NotFound(f"no experiment {name!r}", remedy=f"experiments are: {', '.join(EXPERIMENTS)}")
    module, function, _ = EXPERIMENTS[name]
    result: Result = getattr(import_module(f"bayesift.experiments.{module}"), function)(options)
    return result


__all__ = ["EXPERIMENTS", "Options", "Result", "run"]
