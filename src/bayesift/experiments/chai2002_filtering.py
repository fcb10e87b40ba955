"""Chai, Ng and Chieu 2002, 4.2: batch-adaptive filtering, its tables 4 and 5 and figures 1 and 2, on the streams here.

The paper's stream (OHSUMED 1987-91, 63 topics) is not here; three others are, each in its order, its first fifth to
train: arXiv 2025 (topics with 8 to 100 relevant papers in it and 20 to 400 after), OHSUMED-91 in order of ids (all
categories), Reuters-21578, ModApte's stories, by date (topics with 10 to 60 training documents).
The statement of a topic is one of its training documents where the corpus has one, which is Reuters. `SYSTEMS` says
what is compared; some of what goes beyond the paper in its way of asking is run on arXiv alone.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from bayesift.corpora import load_corpus
from bayesift.corpora.reuters_topics import topic_descriptions
from bayesift.experiments.result import Curve, Options, Result, Row
from bayesift.filtering import ProfileSettings, strategy_of
from bayesift.filtering.simulate.simulation import Trace, growth_curve, simulate
from bayesift.filtering.simulate.stream_task import Task, in_order_of_date, prepare

MANY = 1 << 30
Stream = tuple[Task, list[str], dict[str, str]]  # with topics and their statements
ALL_TERMS = {"min_statistic": -1.0, "initial_terms": MANY, "max_terms": MANY}


@dataclass(frozen=True)
class System:
    """A strategy, a learner, and whether the vocabulary grows with the stream."""

    strategy: str
    learner: str = "flip-perceptron"
    all_terms: bool = False
    grow: bool = False

    def settings(self) -> ProfileSettings:
        """Return the settings of its topics."""
        again = strategy_of(self.strategy)[1]
        terms = ALL_TERMS if self.all_terms else {}
        return ProfileSettings(self.learner, min_terms=0, again=again, **terms)  # type: ignore[arg-type]


SYSTEMS = {
    "Pptron": System("none"),
    "Pptron+rel": System("rel"),
    "Pptron+rnd": System("rnd"),
    "Pptron+ig": System("ig"),
    "Pptron+rel+ig": System("rel+ig"),
    "Pptron+pace": System("pace"),
    "Pptron+utility": System("utility"),
    "Pptron+rel-recent+ig": System("rel-recent+ig"),
    "Pptron+rel+region": System("rel+region"),
    "Pptron+rel+utility": System("rel+utility"),
    "Pptron+rel+f1": System("rel+f1"),
    "Probit+rel+ig": System("rel+ig", "perceptron"),
    "Diagonal": System("none", "diagonal-perceptron", all_terms=True),
    "Diagonal+rel+ig": System("rel+ig", "diagonal-perceptron", all_terms=True),
    "Diagonal+rel+target": System("rel+target", "diagonal-perceptron", all_terms=True, grow=True),
}
ON_ARXIV = {"Pptron+rel-recent+ig", "Pptron+rel+region", "Pptron+rel+utility", "Pptron+rel+f1", "Diagonal+rel+ig"}
FIGURE2 = ("Pptron", "Pptron+rnd", "Pptron+ig", "Pptron+rel+ig")
MEASURES = (
    "total retrieved", "relevant retrieved", "macro recall", "macro precision", "T9P", "T9U", "scaled utility",
    "zero returns",
)  # fmt: skip
TABLE4 = {  # OHSUMED 1988-91, 63 topics
    "Pptron+rel+ig": (2716, 1227, 36.2, 35.8, 31.3, 15.318, -0.025, 0),
    "Pptron+ig": (2391, 1128, 33.3, 35.8, 29.8, 15.762, 0.016, 0),
    "Pptron+rnd": (2533, 732, 20.0, 21.6, 19.2, -5.349, -0.397, 0),
    "Pptron+rel": (1157, 772, 20.8, 61.9, 21.5, 18.397, 0.141, 8),
    "Pptron": (1057, 731, 20.0, 62.3, 20.8, 17.730, 0.138, 0),
}
TREC9 = {  # the other systems of table 4
    "Microsoft": (3562, 1095, 39.5, 30.5, 30.5, -4.397, -0.596, 0),
    "Fudan": (3251, 1061, 37.9, 32.2, 31.7, -1.079, -0.461, 0),
}
TABLE5 = {  # relevant and irrelevant documents by what retrieved them
    "Pptron+ig": {"delivered": (815, 378), "asked": (313, 885)},
    "Pptron+rnd": {"delivered": (732, 345), "asked": (0, 1456)},
}


def _arxiv(options: Options, grow: bool) -> Stream:
    task = prepare("arxiv", load_corpus("arxiv", data=options.data).documents(), grow=grow)
    return task, task.topics((8, 100), (20, 400)), {}


def _ohsumed(options: Options, grow: bool) -> Stream:
    documents = sorted(load_corpus("ohsumed91", data=options.data).documents(), key=lambda d: int(d.id))
    task = prepare("ohsumed91", documents, grow=grow)
    return task, task.topics((1, MANY), (1, MANY)), {}


def _reuters(options: Options, grow: bool) -> Stream:
    corpus = load_corpus("reuters21578", split="modapte", data=options.data)
    task = prepare("reuters21578", in_order_of_date(list(corpus.documents())), grow=grow)
    return task, task.topics((10, 60), (1, MANY)), topic_descriptions(corpus.folder)


STREAMS: dict[str, Callable[[Options, bool], Stream]] = {
    "arxiv": _arxiv,
    "ohsumed91": _ohsumed,
    "reuters21578": _reuters,
}


def table4(options: Options) -> Result:
    """Compare all systems on all streams."""
    start = time.monotonic()
    result = Result("chai2002-table4", "arxiv, ohsumed91, reuters21578 as streams (paper: OHSUMED 1988-91)")
    for stream in STREAMS:
        systems = [name for name in SYSTEMS if stream == "arxiv" or name not in ON_ARXIV]
        for system, trace in _traces(stream, systems, options).items():
            paper = dict(zip(MEASURES, TABLE4.get(system, ())))
            result.rows.append(Row(system, stream, "topics", None, len(trace.tallies)))
            for metric, ours in trace.measures().items():
                if ours == ours:  # NaN is the share of nothing
                    result.rows.append(Row(system, stream, metric, paper.get(metric), ours))
        for system, figures in TREC9.items():
            result.rows += [Row(system, stream, *figure, None) for figure in zip(MEASURES, figures)]
    result.notes = [
        "The paper's figures are of another stream and of topics with a statement. Compare the pattern between systems,"
        " not the figures. The paper's row \"mean utility\" equals its row \"mean T9U\".",
        "Pptron: perceptron with flip noise 0.1, -2 ln lambda > 12.13, at most 300 terms at the start and 600 in all,"
        " three passes. Probit: noise 0.5. Diagonal: independent weights, noise 0.5, all terms; with +target the"
        " vocabulary grows with the stream.",
        "Not blind to these streams: for Diagonal+rel+target, the learner, all terms, the growing vocabulary and the"
        " step of the threshold were chosen on all arXiv topics (three steps tried; retraining, noise, bigrams and"
        " title words were tried too and left as they were). +pace was designed after asking had been seen to cost T9P"
        " on OHSUMED-91 and Reuters.",
        "The published systems keep the vocabulary of the training part, as the paper does. On arXiv the T9P of +rel+ig"
        " and of +ig differ by less than 0.1, and with a growing vocabulary their order was reversed: these figures do"
        " not show that +rel helps +ig.",
    ]
    result.seconds = time.monotonic() - start
    return result


def table5(options: Options) -> Result:
    """Count the documents that the classifier retrieved and those that were asked about, relevant and not."""
    start = time.monotonic()
    result = Result("chai2002-table5", "arxiv, ohsumed91, reuters21578 as streams (paper: OHSUMED 1988-91)")
    for stream in STREAMS:
        for system, trace in _traces(stream, list(TABLE5), options).items():
            papers, ours = dict(TABLE5[system]), {}
            for kind in papers:
                relevant = sum(getattr(t, f"{kind}_relevant") for t in trace.tallies)
                ours[kind] = relevant, sum(getattr(t, kind) for t in trace.tallies) - relevant
            for sides in (papers, ours):
                sides["total"] = _added(sides["delivered"], sides["asked"])
            for kind, paper in papers.items():
                figures = zip(_breakdown(*paper).items(), _breakdown(*ours[kind]).values())
                result.rows += [Row(system, f"{stream}, {kind}", metric, p, o) for (metric, p), o in figures]
    result.seconds = time.monotonic() - start
    return result


def _added(a: tuple[int, int], b: tuple[int, int]) -> tuple[int, int]:
    return a[0] + b[0], a[1] + b[1]


def _breakdown(relevant: int, irrelevant: int) -> dict[str, float | None]:
    total = relevant + irrelevant
    share = 100.0 * relevant / total if total else None
    return {"relevant": relevant, "irrelevant": irrelevant, "total": total, "relevant, %": share}


def figure1(options: Options) -> Result:
    """Compute theta against the number of documents retrieved; no corpus is needed."""
    start = time.monotonic()
    strategy = strategy_of("ig")[0]
    n = [float(k) for k in range(101)]
    result = Result("chai2002-figure1", "none")
    result.curves = [Curve("", "theta", n, [round(strategy.theta(int(k)), 4) for k in n])]
    for k, paper in ((0, 0.0077), (50, 0.5005), (100, 0.9933)):  # what the paper's formula gives
        result.rows.append(Row("theta", f"N_ret = {k}", "bits", paper, round(strategy.theta(k), 4)))
    result.seconds = time.monotonic() - start
    return result


def figure2(options: Options) -> Result:
    """Compute the mean number of terms against the number of relevant documents judged, arXiv."""
    start = time.monotonic()
    traces = _traces("arxiv", list(FIGURE2), options)
    curves = {system: growth_curve(trace.growth) for system, trace in traces.items()}
    result = Result("chai2002-figure2", "arxiv as a stream")
    result.curves = [Curve("", name, n.tolist(), np.round(terms, 2).tolist()) for name, (n, terms) in curves.items()]
    for system, (relevant, terms) in curves.items():
        for k in (0, 5, 10, 20, 40):
            if k in relevant:
                ours = float(terms[np.searchsorted(relevant, k)])
                result.rows.append(Row(system, f"{k} relevant judged", "terms", None, ours))
    result.seconds = time.monotonic() - start
    return result


def _traces(stream: str, systems: list[str], options: Options) -> dict[str, Trace]:
    """Run systems over one stream; with `options.categories`, only its first topics."""
    tasks: dict[bool, Stream] = {}
    traces = {}
    for system in systems:
        chosen = SYSTEMS[system]
        if chosen.grow not in tasks:
            tasks = {chosen.grow: STREAMS[stream](options, chosen.grow)}
        task, topics, statements = tasks[chosen.grow]
        strategy, _ = strategy_of(chosen.strategy, horizon=len(task.rows))
        traces[system], _ = simulate(
            task, topics[: options.categories], strategy, chosen.settings(), statements=statements,
            label=f"{stream} {system}",
        )  # fmt: skip
    return traces
