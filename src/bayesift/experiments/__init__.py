"""The experiments of the four papers, and some beyond them: one file per paper, each experiment a function.

`EXPERIMENTS` maps a name such as "chai2002-table2" to its function. A module is imported when it is run.
"""

from __future__ import annotations

from importlib import import_module
from typing import NamedTuple

from bayesift.errors import NotFound
from bayesift.experiments.result import Options, Result


class Experiment(NamedTuple):
    """Where an experiment is, and one line of what it computes."""

    module: str
    function: str
    summary: str


_LISTED = (
    ("chai2002-table2", "chai2002", "table2", "F1 of perceptron, Gaussian processes and SVM, three rules, Reuters"),
    ("chai2002-table3", "chai2002", "table3", "sign tests between these systems, Reuters"),
    ("chai2002-table6", "chai2002", "table6", "probit, logit and flip likelihoods, with their evidence, Reuters"),
    ("chai2002-table7", "chai2002", "table7", "one to five passes over the training documents, Reuters"),
    ("chai2002-table4", "chai2002_filtering", "table4", "adaptive filtering, all strategies, three streams"),
    ("chai2002-table5", "chai2002_filtering", "table5", "documents retrieved by the classifier and by asking"),
    ("chai2002-figure1", "chai2002_filtering", "figure1", "theta against the documents retrieved"),
    ("chai2002-figure2", "chai2002_filtering", "figure2", "number of terms against the relevant documents judged"),
    ("cold-start", "cold_start", "table", "topics from two examples, a statement, or both, three streams"),
    ("cold-start-minilm", "cold_start_minilm", "table", "the same with all-MiniLM-L6-v2 beside the words, arXiv"),
    ("screening-synergy", "screening", "synergy", "ranking a finite pool, beside ASReview, SYNERGY"),
    ("screening-stop", "screening_stop", "table", "when to stop: coverage of the interval, errors of rules, SYNERGY"),
    ("screening-weights", "screening_weights", "table", "weights of the estimate of unread records, simulated reviews"),
    ("meaning-corpus", "meaning", "corpus", "words alone and with the corpus vector, held-out training documents"),
    ("eyheramendy2003-table1", "eyheramendy2003", "table1", "sparse probit beside other classifiers, Reuters R10"),
    ("eyheramendy2003-table2", "eyheramendy2003", "table2", "raw and logarithmic term frequencies, Reuters R10"),
    ("eyheramendy2003-table3", "eyheramendy2003", "table3", "Jeffreys and Laplace priors of six widths, Reuters R10"),
    ("eyheramendy2003-table4", "eyheramendy2003", "table4", "number of parameters that these priors keep, Reuters R10"),
    ("eyheramendy2003-table5", "eyheramendy2003", "table5", "300 and 1,000 terms, Reuters R10"),
    ("eyheramendy2003-table6", "eyheramendy2003", "table6", "sparse and dense, probit and logistic, Reuters R10"),
    ("eyheramendy2003-figure2", "eyheramendy2003_figure", "figure2", "box plots of table 1, Reuters R10"),
    ("eyheramendy2003-table7", "eyheramendy2003_rcv1", "table7", "sparse models beside other classifiers, RCV1 sample"),
    ("eyheramendy2003-table8", "eyheramendy2003_rcv1", "table8", "sparse and dense models, RCV1 sample"),
    ("eyheramendy2003-few", "few_examples", "table", "1 to 16 examples, without and with a description, Reuters R10"),
    ("goutte2007-table1", "goutte2007", "table1", "precision, recall and F of each category, TMC2007"),
    ("goutte2007-figure3", "goutte2007", "figure3", "Q over the two settings of the confidence layer, TMC2007"),
    ("goutte2007-q", "goutte2007", "q", "Q of the published confidence layer and of better ones, TMC2007"),
    ("goutte2007-combination", "goutte2007", "combination", "Q and F1 of several learners combined, TMC2007"),
    ("zhang2010-f1", "zhang2010", "f1", "F1, Q and seconds of bayesift, BOMC and LIBLINEAR on five corpora"),
    ("zhang2010-figure4", "zhang2010_figures", "figure4", "expected and true F1 against the threshold, RCV1 sample"),
    ("zhang2010-figure5", "zhang2010_figures", "figure5", "macro F1 against training documents, RCV1 sample"),
    ("zhang2010-figure6", "zhang2010_figures", "figure6", "coupled minus independent BOMC, RCV1 sample"),
    ("zhang2010-figure7", "zhang2010_figures", "figure7", "training time against training documents, RCV1 sample"),
    ("zhang2010-shards", "zhang2010_shards", "shards", "F1 of 2 to 64 shards merged, and of pruned weights"),
    ("learners", "learners", "table", "every learner by its name beside LinearSVC on three corpora"),
    ("best", "best", "table", "the learner best beside the default and LinearSVC, and its parts, six corpora"),
    ("label-names", "label_names", "table", "names of labels in the default: F1 with and without, four corpora"),
    ("hierarchy", "hierarchy", "table", "labels that imply others: label sets with and without, three corpora"),
    ("online", "online", "table", "all documents at once and along a stream: F1, calibration, seconds, three corpora"),
    ("few-labels", "few_labels", "table", "5 to 50 documents per label, and 100 to 1,000 as they come, three corpora"),
    ("few-labels-minilm", "few_labels", "minilm", "the same with all-MiniLM-L6-v2, fewer sizes and documents"),
    ("integrations-river", "river_stream", "table", "our adapter beside river's learners on one stream, docstrings"),
    ("integrations-asreview", "asreview_plugin", "table", "our plug-in inside ASReview: loss and speed, SYNERGY"),
    ("wide-labels", "wide_labels", "table", "thousands of labels: wide, one-vs-rest and a label tree, OHSUMED-91"),
)
EXPERIMENTS = {name: Experiment(*rest) for name, *rest in _LISTED}
PARTS = {  # that can be run one by one
    "cold-start": ("arxiv", "arxiv whole", "ohsumed91", "reuters21578"),
    "best": ("Reuters R90", "Reuters 9603", "RCV1 sample", "TMC2007", "OHSUMED-91", "docstrings"),
}


def run(name: str, options: Options) -> Result:
    """Run one experiment."""
    check_name(name)
    module, function, _ = EXPERIMENTS[name]
    result: Result = getattr(import_module(f"bayesift.experiments.{module}"), function)(options)
    return result


def check_name(name: str) -> None:
    """Raise `NotFound` unless an experiment has this name."""
    if name not in EXPERIMENTS:
        raise NotFound(f"no experiment {name!r}", remedy=f"choose one of: {', '.join(EXPERIMENTS)}")


def parts_of(name: str) -> tuple[str, ...]:
    """Return the parts of an experiment; none if it is run as a whole."""
    return PARTS.get(name, ())


__all__ = ["EXPERIMENTS", "Experiment", "Options", "Result", "check_name", "parts_of", "run"]
