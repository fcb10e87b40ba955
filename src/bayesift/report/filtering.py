"""The page of a simulated filter: measures of each strategy, curves along the stream, topics, documents shown."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence

from bayesift.display import Cell, Markup, Table, cards
from bayesift.filtering.simulate.simulation import Moment, Trace
from bayesift.filtering.simulate.stream_task import Task
from bayesift.filtering.strategies import Strategy
from bayesift.report.charts import Series, lines
from bayesift.report.page import Page, figure, figures, table
from bayesift.text.spelling import Speller, spelled

LAST = 12  # documents shown that the page lists
KEPT = 20  # problems listed
TITLE = 90  # characters of a document's title


def filtering_page(title: str, subtitle: str, task: Task, traces: Sequence[Trace], strategy: Strategy) -> Page:
    """Return the page of one or more runs over a stream; topics and documents are those of the last run.

    Parameters
    ----------
    title, subtitle : the head of the page.
    task : the stream that the runs share.
    traces : one run per strategy.
    strategy : the strategy of the last run.
    """
    last = traces[-1]
    page = Page(title, subtitle)
    page.sections.append(cards(_main_figures(last)))
    page.add("Measures", "One column per strategy.", _measures(traces))
    page.add("Along the stream", "Sums over all topics, up to each document.", figures(_charts(traces, strategy)))
    header = ("topic", "relevant", "delivered", "delivered, relevant", "asked", "asked, relevant")
    rows: list[list[Cell]] = [
        [t.topic, t.relevant, t.delivered, t.delivered_relevant, t.asked, t.asked_relevant]
        for t in sorted(last.tallies, key=lambda t: -t.r_plus)
    ]
    page.add("Topics", f"Strategy {last.strategy}; most relevant documents shown first.", table(header, rows))
    if last.shown:
        page.add(
            "Last documents shown",
            "What the filter did with each, and the words that raise (+) or lower (−) the topic's score most.",
            _last_shown(task, last),
        )
    problems = [problem for trace in traces for problem in trace.problems]
    if problems:
        number = sum(trace.n_problems for trace in traces)
        shown = Table("", ["problem"], [[problem] for problem in problems[:KEPT]], words=-1)
        page.add("Problems", f"{number:,} in all; the first ones are listed.", shown.html())
    return page


def _main_figures(trace: Trace) -> list[tuple[str, str]]:
    measures = trace.measures()
    return [
        *((f"{name}, {trace.strategy}", f"{measures[name]:.1f}") for name in ("T9P", "macro recall")),
        ("documents delivered", f"{sum(t.delivered for t in trace.tallies):,}"),
        ("documents asked about", f"{sum(t.asked for t in trace.tallies):,}"),
    ]


def _measures(traces: Sequence[Trace]) -> Markup:
    columns = [trace.measures() for trace in traces]
    rows: list[list[Cell]] = [[name, *_numbers([found[name] for found in columns])] for name in columns[0]]
    return Table("", ["measure", *(trace.strategy for trace in traces)], rows).html(tall=False)


def _charts(traces: Sequence[Trace], strategy: Strategy) -> Iterator[str]:
    def along(
        name: str, y_label: str, *parts: tuple[str, Callable[[Moment], float]], caption: str, y_log: bool = False
    ) -> str:
        series = []
        for k, trace in enumerate(traces):
            at = [m.documents for m in trace.moments]
            for part, (suffix, value) in enumerate(parts):
                y = [value(m) for m in trace.moments]
                series.append(Series(f"{trace.strategy}{suffix}", at, y, dashed=part > 0, colour=k))
        drawn = lines(
            series, x_label="documents of the stream", y_label=y_label, title=name, x_range=(0.0, end), y_log=y_log
        )
        return figure(name, drawn, caption)

    end = float(max((m.documents for trace in traces for m in trace.moments), default=1))
    yield along("Precision", "precision, %", ("", lambda m: 100.0 * m.relevant_shown / max(m.delivered + m.asked, 1)),
                caption="Share of the documents shown so far that are relevant.")  # fmt: skip
    yield along("Recall", "recall, %", ("", lambda m: 100.0 * m.relevant_shown / max(m.relevant_met, 1)),
                caption="Share of the relevant documents so far that were shown.")  # fmt: skip
    yield along("Documents shown", "documents", (", delivered", lambda m: m.delivered), (", asked", lambda m: m.asked),
                caption="Delivered: solid. Asked about: dashed.")  # fmt: skip
    yield along("Utility", "utility", ("", lambda m: 3.0 * m.relevant_shown - m.delivered - m.asked),
                caption="+2 for each relevant document shown, −1 for each other one.")  # fmt: skip
    yield along("Terms", "terms", ("", lambda m: m.terms), caption="Terms that a topic has learned, mean over topics.")
    shown = range(2 * strategy.target + 1)
    theta = Series("theta", shown, [strategy.theta(n) for n in shown])
    drawn = lines([theta], x_label="documents shown for a topic", y_label="theta, bits", title="Threshold of questions")
    yield figure("Threshold of questions", drawn, "A document is asked about if its expected gain is above theta.")
    first = traces[0].moments
    per = max(1, first[0].documents) if first else 1
    yield along("Time", "milliseconds per document", ("", lambda m: 1000.0 * m.seconds / per),
                caption="Judgements included.", y_log=True)  # fmt: skip


def _last_shown(task: Task, trace: Trace) -> Markup:
    names, speller = task.vectorizer.get_feature_names_out(), Speller(task.vectorizer)
    documents = {d.id: d for d in task.documents}
    rows: list[list[Cell]] = []
    for outcome, relevant in trace.shown[-LAST:]:
        document = documents[outcome.document]
        written = speller.words(document)
        terms = [(names[column], share) for column, share in outcome.words]
        words = ", ".join(f"{spelled(term, written) or term} {share:+.2f}" for term, share in terms)
        title = (document.title or document.body)[:TITLE]
        what = f"{outcome.kind}, {'relevant' if relevant else 'not relevant'}"
        numbers = f"{outcome.probability:.2f}", f"{outcome.sd:.2f}", f"{round(outcome.gain, 3) + 0.0:.3f}"
        rows.append([outcome.topic, what, title, words, *numbers])
    header = ["topic", "action", "document", "words", "probability", "sd", "gain, bits"]
    return Table("", header, rows, words=4).html()


def _numbers(values: Sequence[float]) -> list[str]:
    """Return the values of one measure, all with the same number of decimals; a dash where there is none."""
    known = [v for v in values if math.isfinite(v)]
    small = max(map(abs, known), default=0.0) < 10.0
    decimals = 0 if all(v == round(v) for v in known) else 3 if small else 1
    return [f"{v:,.{decimals}f}" if math.isfinite(v) else "–" for v in values]
