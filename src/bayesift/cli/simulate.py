"""`bayesift simulate`: filter a labelled stream, or screen a pool, with simulated judgements."""

from __future__ import annotations

import sys
import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bayesift.cli import options as o
from bayesift.cli.sources import Reading, is_corpus, reads
from bayesift.cli.unused import refuse_unused
from bayesift.errors import BadInput, Notice

if TYPE_CHECKING:
    from bayesift.corpora import Document
    from bayesift.filtering.profile_settings import ProfileSettings
    from bayesift.filtering.simulate.simulation import Judge, Trace
    from bayesift.filtering.simulate.stream_task import Task

ELIGIBLE = (8, 1 << 30)  # range of the number of training documents of a topic, if none is named
STRATEGIES = "none, rnd, ig, pace, region, utility, f1 or target, also after rel+; repeatable. (default: rel+ig)"
STREAM_ONLY = (
    "statements", "strategy", "learner", "all_terms", "train", "grow", "language", "target", "budget", "delay",
    "missing", "noise", "by_date", "log",
)  # fmt: skip


@reads()
def simulate(
    context: typer.Context,
    stream: Annotated[str, typer.Argument(metavar="STREAM", help="A corpus, or a file of labelled documents.")],
    topics: Annotated[
        str | None, typer.Option(help="Comma-separated topics. (default: labels with at least 8 training documents)")
    ] = None,
    statements: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Topic descriptions; a document's id names its topic.")
    ] = None,
    strategy: Annotated[list[str] | None, typer.Option(help=STRATEGIES)] = None,
    learner: Annotated[
        str, typer.Option(help="Learner of each topic: flip-perceptron, perceptron or diagonal-perceptron.")
    ] = "flip-perceptron",
    all_terms: Annotated[
        bool, typer.Option("--all-terms", help="Use all terms, without term selection; for diagonal-perceptron.")
    ] = False,
    train: Annotated[float, typer.Option(help="Fraction of the documents for training: the first ones.")] = 0.2,
    grow: Annotated[bool, typer.Option("--grow", help="Add new words of the stream to the vocabulary.")] = False,
    language: o.Language = "english",
    target: Annotated[int, typer.Option(min=1, help="Documents to show per topic; not for none, utility, f1.")] = 50,
    budget: Annotated[int | None, typer.Option(min=0, help="Maximum number of questions per day.")] = None,
    delay: Annotated[int, typer.Option(min=0, help="Number of documents between a question and its answer.")] = 0,
    missing: Annotated[float, typer.Option(help="Fraction of questions without an answer.")] = 0.0,
    noise: Annotated[float, typer.Option(help="Fraction of answers that are wrong.")] = 0.0,
    seed: Annotated[int, typer.Option(min=0, max=(1 << 64) - 1, help="Random seed.")] = 0,
    limit: Annotated[int | None, typer.Option(min=2, metavar="N", help="Use the first N documents.")] = None,
    by_date: Annotated[bool, typer.Option("--by-date", help="Sort the documents by date.")] = False,
    pool: Annotated[bool, typer.Option("--pool", help="Screen a pool for one topic, best first.")] = False,
    stop: Annotated[float, typer.Option(help="--pool: fraction read before estimating what remains.")] = 0.5,
    report: Annotated[Path | None, typer.Option(metavar="FILE", help="HTML report to write.")] = None,
    log: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Event log of the last strategy to write, as JSON lines.")
    ] = None,
    *,
    reading: Reading,
) -> None:
    """Simulate a filter on a labelled stream: what it shows, what it asks, and how good it is."""
    from bayesift.cli.outputs import EVENTS, PAGE, check_outputs
    from bayesift.text.languages import check_language

    check_outputs((report, PAGE), (log, EVENTS), inputs=(stream, statements))
    names = strategy or ["rel+ig"]
    if pool:
        refuse_unused(context, STREAM_ONLY, "with --pool")
        _check_fraction("--stop", stop)
    else:
        refuse_unused(context, ["stop"], "without --pool")
        settings, judge = _checked(context, names, learner, all_terms, target, budget, (delay, missing, noise, seed))
        _check_fraction("--train", train)
    check_language(language)
    reading.others = () if statements is None else (str(statements),)
    documents = reading.labelled(stream, dates=by_date or budget is not None)[:limit]
    if by_date:
        documents.sort(key=lambda d: d.date or "")
    named = [name.strip() for name in topics.split(",") if name.strip()] if topics else None
    if pool:
        _pool(stream, documents, named, seed, stop, report)
        return
    from bayesift.filtering import Budget, Event, strategy_of, write_log
    from bayesift.filtering.simulate.simulation import simulate as run
    from bayesift.filtering.simulate.stream_task import prepare

    task = prepare(stream, documents, train, grow, language=language)
    about = _statements(str(statements), reading) if statements else {}
    wanted = _topics(task, named, about)
    traces = []
    for name, how in zip(names, settings):
        asks = strategy_of(name, target=target, horizon=len(task.rows))[0]
        daily, events = None if budget is None else Budget(budget), list[Event]()
        sink = events if log is not None else None
        trace, _ = run(
            task, wanted, asks, how, judge=judge, budget=daily, statements=about, label=name, log=sink
        )  # fmt: skip
        traces.append(trace)
    _print({trace.strategy: trace.measures() for trace in traces})
    _print_problems(traces[-1])
    if log is not None:
        write_log(log, events)
    if report is not None:
        from bayesift.report.filtering import filtering_page

        what = (
            f"{len(task.rows):,} documents after {task.training.shape[0]:,} training documents; {len(wanted)} topics;"
            f" learner {learner}; answers {delay} documents late, {100 * missing:g} % missing, {100 * noise:g} % wrong."
        )
        filtering_page(f"Filtering {stream}", what, task, traces, asks).write(report)
        print(f"report: {report}", file=sys.stderr)


def _checked(
    context: typer.Context, names: list[str], learner: str, all_terms: bool, target: int, budget: int | None,
    answers: tuple[int, float, float, int],
) -> tuple[list[ProfileSettings], Judge]:  # fmt: skip
    """Return the settings of the topics for each strategy, and the judge; raise BadInput for a bad or unused option."""
    from bayesift.filtering import ProfileSettings, strategy_of
    from bayesift.filtering.simulate.simulation import Judge
    from bayesift.filtering.strategies import GP_ONLY

    chosen = [strategy_of(name, target=target) for name in names]
    for asks, _ in chosen:
        if asks.name in GP_ONLY:
            what = f"the strategy {asks.name!r} is for the learner gp, which simulate does not have"
            raise BadInput(what, remedy="choose another strategy, or use bayesift filter")
    if not any(asks.uses_target(budget is not None) for asks, _ in chosen):
        refuse_unused(context, ["target"], f"with --strategy {names[-1]}{' --budget' if budget is not None else ''}")
    if not any(asks.uses_budget for asks, _ in chosen):
        refuse_unused(context, ["budget"], f"with --strategy {names[-1]}")
    terms = {"min_statistic": -1.0, "initial_terms": 1 << 30, "max_terms": 1 << 30} if all_terms else {}
    settings = [ProfileSettings(learner, again=again, **terms) for _, again in chosen]  # type: ignore[arg-type]
    return settings, Judge(*answers)


def _print_problems(trace: Trace) -> None:
    """Print the first problems of a run to stderr, and how many more there are."""
    for problem in trace.problems[:3]:
        print(problem, file=sys.stderr)
    if trace.n_problems > 3:
        print(f"and {trace.n_problems - 3} more problems", file=sys.stderr)


def _check_fraction(option: str, value: float) -> None:
    if not 0.0 < value <= 1.0:
        raise BadInput(f"{option} is {value}", remedy="give more than 0 and at most 1")


def _statements(source: str, reading: Reading) -> dict[str, str]:
    found = Reading(data=reading.data if is_corpus(source) else None).stream(source)
    return {d.id: f"{d.title} {d.body}" for d in found}


def _topics(task: Task, named: list[str] | None, statements: dict[str, str]) -> list[str]:
    """Return the topics to simulate; warn about statements of other topics."""
    found = task.topics(ELIGIBLE, (1, ELIGIBLE[1])) if named is None else named
    if not found:
        remedy = "name topics with --topics, or train on a larger fraction"
        raise BadInput(f"no label has {ELIGIBLE[0]} documents in the training part", remedy=remedy)
    for topic in named or ():
        if not task.relevant(topic) and topic not in statements:
            if not task.truth(topic).any():
                some = ", ".join(task.topics((1, ELIGIBLE[1]), (1, ELIGIBLE[1]))[:8])
                raise BadInput(f"no document has the label {topic!r}", remedy=f"some that documents have: {some}")
            remedy = "name another, or train on a larger fraction"
            raise BadInput(f"topic {topic!r} has no example and no statement", remedy=remedy)
    unused = [topic for topic in statements if topic not in found]
    if statements and len(unused) == len(statements):
        raise BadInput(f"--statements has none of the topics {', '.join(found[:5])}", remedy="use topic names as ids")
    if unused:
        warnings.warn(f"statements of topics that are not simulated: {', '.join(unused[:8])}", Notice, stacklevel=2)
    return found


def _pool(
    stream: str, documents: list[Document], named: list[str] | None, seed: int, stop: float, report: Path | None
) -> None:
    """Screen a pool, print its measures and write its report."""
    import numpy as np

    from bayesift.filtering.screening.pool import screen
    from bayesift.filtering.screening.pool_ranker import PoolRanker

    labels = sorted({label for d in documents for label in d.labels or ()})
    if named is None and len(labels) == 1:
        named = labels
    if not labels:
        raise BadInput(f"no document of {stream} has a label", remedy="name the column of the labels, or label some")
    if not named or len(named) != 1:
        some = ", ".join(labels[:5]) + (" .." if len(labels) > 5 else "")
        raise BadInput("a pool is screened for one topic", remedy=f"name one with --topics: {some}")
    truth = np.array([named[0] in (d.labels or ()) for d in documents], bool)
    screening = screen(PoolRanker([(d.title, d.body) for d in documents], seed=seed), truth, seed=seed)
    read = max(1, int(stop * screening.relevant.size))
    e = screening.remaining(read)
    figures = {"ATD, %": 100 * screening.atd, "WSS@95": screening.wss, "remaining": e.mean}
    figures |= {"remaining, low": e.low, "remaining, high": e.high}
    _print({named[0]: figures})
    if report is not None:
        from bayesift.report.screening import screening_page

        what = f"{truth.size:,} documents, {int(truth.sum())} relevant; one relevant and one other known beforehand."
        screening_page(f"Screening {stream}: {named[0]}", what, screening, read).write(report)
        print(f"report: {report}", file=sys.stderr)


def _print(rows: dict[str, dict[str, float]]) -> None:
    """Print name, measure and value, separated by tabs."""
    for name, measures in rows.items():
        for measure, value in measures.items():
            print(f"{name}\t{measure}\t{value:.4g}")
