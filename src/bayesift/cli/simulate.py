"""`bayesift simulate`: a labelled stream against simulated judgements, or a pool read most promising first."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bayesift.cli.sources import Reading, is_corpus, reads
from bayesift.errors import BadInput

if TYPE_CHECKING:
    from bayesift.corpora import Document
    from bayesift.filtering.loop import Filter
    from bayesift.filtering.simulate import Trace
    from bayesift.filtering.task import Task

ELIGIBLE = (8, 1 << 30)  # relevant documents a topic needs before and after the start, if none is named
LAST = 12  # documents shown whose words the report lists


@reads()
def simulate(
    stream: Annotated[str, typer.Argument(metavar="STREAM", help="A corpus, NAME/PART, or a file of documents.")],
    topics: Annotated[str | None, typer.Option(help="Labels, with commas between. (default: with 8 examples)")] = None,
    statements: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Documents whose ids are topics: what each is about.")
    ] = None,
    strategy: Annotated[list[str] | None, typer.Option(help="What to ask, e.g. none, ig, rel+ig, rel+target.")] = None,
    learner: Annotated[str, typer.Option(help="perceptron, probit or bomc.")] = "perceptron",
    all_terms: Annotated[bool, typer.Option("--all-terms", help="Without selection of terms (for bomc).")] = False,
    train: Annotated[float, typer.Option(help="Share of the stream that trains.")] = 0.2,
    grow: Annotated[bool, typer.Option("--grow", help="Let the vocabulary grow with the stream.")] = False,
    target: Annotated[int, typer.Option(min=1, help="Documents a topic should be shown.")] = 50,
    budget: Annotated[int | None, typer.Option(min=0, help="Questions a day, over all topics.")] = None,
    delay: Annotated[int, typer.Option(min=0, help="Documents between a question and its answer.")] = 0,
    missing: Annotated[float, typer.Option(help="Share of answers that never come.")] = 0.0,
    noise: Annotated[float, typer.Option(help="Share of answers that are wrong.")] = 0.0,
    seed: Annotated[int, typer.Option(help="Of all that is left to chance.")] = 0,
    limit: Annotated[int | None, typer.Option(min=2, help="Only the first N documents.")] = None,
    by_date: Annotated[bool, typer.Option("--by-date", help="Put the stream in order of date first.")] = False,
    pool: Annotated[bool, typer.Option("--pool", help="Rank a finite pool for one topic instead.")] = False,
    stop: Annotated[float, typer.Option(help="Pool: share read when the unseen are estimated.")] = 0.5,
    report: Annotated[Path | None, typer.Option(metavar="FILE", help="Write an HTML report here.")] = None,
    log: Annotated[Path | None, typer.Option(metavar="FILE", help="Write the events here, as JSON lines.")] = None,
    *,
    reading: Reading,
) -> None:
    """Replay a labelled stream against simulated judgements, and report what a filter would have done."""
    reading.others = () if statements is None else (str(statements),)
    documents = reading.labelled(stream, dates=by_date or budget is not None)[:limit]
    if by_date:
        documents.sort(key=lambda d: d.date or "")
    named = [name.strip() for name in topics.split(",") if name.strip()] if topics else None
    if pool:
        _pool(stream, documents, named, seed, stop, report)
        return
    from bayesift.filtering import Budget, ProfileSettings, strategy_of, write_log
    from bayesift.filtering.report import stream_page, write_page
    from bayesift.filtering.simulate import Judge
    from bayesift.filtering.simulate import simulate as run
    from bayesift.filtering.task import prepare

    judge = Judge(delay, missing, noise, seed)
    chosen = [strategy_of(name, target=target) for name in strategy or ["rel+ig"]]  # wrong names are told at once
    task = prepare(stream, documents, train, grow)
    told = _statements(str(statements), reading) if statements else {}
    wanted = _topics(task, named, told)
    terms = {"cut": -1.0, "start_terms": 1 << 30, "most_terms": 1 << 30} if all_terms else {}
    traces = []
    for name, (_, again) in zip(strategy or ["rel+ig"], chosen):
        settings = ProfileSettings(learner, again=again, **terms)  # type: ignore[arg-type]
        asks = strategy_of(name, target=target, horizon=len(task.rows))[0]
        daily = None if budget is None else Budget(budget)
        trace, loop = run(task, wanted, asks, settings, judge=judge, budget=daily, statements=told, label=name)
        traces.append(trace)
    _print({trace.strategy: trace.measures() for trace in traces})
    for problem in traces[-1].problems[:3]:
        print(problem, file=sys.stderr)
    if len(traces[-1].problems) > 3:
        print(f".. and {len(traces[-1].problems) - 3} more like it", file=sys.stderr)
    if log is not None:
        write_log(log, loop.log())
    if report is not None:
        what = (
            f"{len(task.rows):,} documents after {task.training.shape[0]:,} to train; {len(wanted)} topics; learner"
            f" {learner}; answers {delay} documents late, {100 * missing:g} % missing, {100 * noise:g} % wrong."
        )
        words = _words(task, loop, traces[-1])
        write_page(report, stream_page(f"Filtering {stream}", what, traces, asks, words))
        print(f"report: {report}", file=sys.stderr)


def _statements(source: str, reading: Reading) -> dict[str, str]:
    found = Reading(data=reading.data if is_corpus(source) else None).stream(source)
    return {d.id: f"{d.title} {d.body}" for d in found}


def _topics(task: Task, named: list[str] | None, told: dict[str, str]) -> list[str]:
    if named is None:
        found = task.topics(ELIGIBLE, (1, ELIGIBLE[1]))
        if not found:
            remedy = "name topics with --topics, or train on a larger share"
            raise BadInput(f"no label has {ELIGIBLE[0]} documents in the part that trains", remedy=remedy)
        return found
    for topic in named:
        if not task.relevant(topic) and topic not in told:
            raise BadInput(
                f"topic {topic!r} has no example and no statement", remedy="name another, or train on a larger share"
            )
    return named


def _words(task: Task, loop: Filter, trace: Trace) -> list[str]:
    """The last documents shown, each with its probability, gain and words."""
    names = task.vectorizer.get_feature_names_out()
    title = {d.id: d.title or d.body[:60] for d in task.documents}
    return [
        f"{o.topic}, {o.kind}{'' if relevant else ' (not relevant)'}: {title[o.document][:90]} — p {o.probability:.2f},"
        f" sd {o.sd:.2f}, {o.gain:.3f} bits; " + ", ".join(f"{names[column]} {share:+.2f}" for column, share in o.words)
        for o, relevant in trace.shown[-LAST:]
    ]


def _pool(
    stream: str, documents: list[Document], named: list[str] | None, seed: int, stop: float, report: Path | None
) -> None:
    import numpy as np

    from bayesift.filtering.pool import screen
    from bayesift.filtering.report import pool_page, write_page
    from bayesift.text import TextVectorizer

    labels = sorted({label for d in documents for label in d.labels or ()})
    if not labels:
        raise BadInput("no document has a label", path=stream, remedy="label those that are relevant")
    if named is None and len(labels) == 1:
        named = labels
    if not named or len(named) != 1:
        raise BadInput("a pool is ranked for one topic", remedy=f"name one with --topics: {', '.join(labels[:5])} ..")
    if not 0.0 < stop <= 1.0:
        raise BadInput(f"a share of {stop} read", remedy="give more than 0 and at most 1")
    truth = np.array([named[0] in (d.labels or ()) for d in documents], bool)
    X = TextVectorizer(weight="ltc", ngrams=2).fit_transform(documents)
    screening = screen(X, truth, seed=seed)
    read = max(1, int(stop * screening.relevant.size))
    e = screening.unseen(read)
    figures = {"ATD, %": 100 * screening.atd, "WSS@95": screening.wss, "unseen": e.mean, "low": e.low, "high": e.high}
    _print({named[0]: figures})
    if report is not None:
        what = f"{truth.size:,} documents, {int(truth.sum())} relevant; one relevant and one other known beforehand."
        write_page(report, pool_page(f"Screening {stream}: {named[0]}", what, screening, read))
        print(f"report: {report}", file=sys.stderr)


def _print(rows: dict[str, dict[str, float]]) -> None:
    """Name, measure and value, with tabs between."""
    for name, measures in rows.items():
        for measure, value in measures.items():
            print(f"{name}\t{measure}\t{value:.4g}")
