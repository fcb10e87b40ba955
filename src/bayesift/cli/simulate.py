"""`bayesift simulate`: filter a labelled stream, or screen a pool, with simulated judgements."""

from __future__ import annotations

import sys
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bayesift.cli.grouped_options import takes
from bayesift.cli.simulated_stream import StreamOptions, check_fraction, statements_in, topics_of
from bayesift.cli.sources import Reading, reads
from bayesift.cli.unused import refuse_unused
from bayesift.errors import BadInput

if TYPE_CHECKING:
    from bayesift.corpora import Document
    from bayesift.filtering.profile_settings import ProfileSettings
    from bayesift.filtering.simulate.simulation import Judge, Trace

STREAM_ONLY = ("statements", *(option.name for option in fields(StreamOptions)), "by_date", "log")


@reads()
@takes("options", StreamOptions)
def simulate(
    context: typer.Context,
    stream: Annotated[str, typer.Argument(metavar="STREAM", help="A corpus, or a file of labelled documents.")],
    topics: Annotated[
        str | None, typer.Option(help="Comma-separated topics. (default: labels with at least 8 training documents)")
    ] = None,
    statements: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Topic descriptions; a document's id names its topic.")
    ] = None,
    *,
    options: StreamOptions,
    seed: Annotated[int, typer.Option(min=0, max=(1 << 64) - 1, help="Random seed.")] = 0,
    limit: Annotated[int | None, typer.Option(min=2, metavar="N", help="Use the first N documents.")] = None,
    by_date: Annotated[bool, typer.Option("--by-date", help="Sort the documents by date.")] = False,
    pool: Annotated[bool, typer.Option("--pool", help="Screen a pool for one topic, best first.")] = False,
    stop: Annotated[float, typer.Option(help="--pool: fraction read before estimating what remains.")] = 0.5,
    report: Annotated[Path | None, typer.Option(metavar="FILE", help="HTML report to write.")] = None,
    log: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Event log of the last strategy to write, as JSON lines.")
    ] = None,
    reading: Reading,
) -> None:
    """Simulate a filter on a labelled stream: what it shows, what it asks, and how good it is."""
    from bayesift.cli.outputs import EVENTS, PAGE, check_outputs

    check_outputs((report, PAGE), (log, EVENTS), inputs=(stream, statements))
    if pool:
        refuse_unused(context, STREAM_ONLY, "with --pool")
        check_fraction("--stop", stop)
    else:
        refuse_unused(context, ["stop"], "without --pool")
        checked = options.checked(context, seed)
    reading.others = () if statements is None else (str(statements),)
    documents = reading.labelled(stream, dates=by_date or options.budget is not None)[:limit]
    if by_date:
        documents.sort(key=lambda d: d.date or "")
    named = [name.strip() for name in topics.split(",") if name.strip()] if topics else None
    if pool:
        _pool(stream, documents, named, seed, stop, report)
    else:
        _stream(stream, documents, named, statements, options, checked, reading, report, log)


def _stream(
    stream: str, documents: list[Document], named: list[str] | None, statements: Path | None, options: StreamOptions,
    checked: tuple[list[ProfileSettings], Judge], reading: Reading, report: Path | None, log: Path | None,
) -> None:  # fmt: skip
    """Filter a stream with each strategy, print the measures, and write the events and the report."""
    from bayesift.filtering import write_log
    from bayesift.filtering.simulate.stream_task import prepare

    task = prepare(stream, documents, options.train, options.grow, language=options.language)
    about = statements_in(str(statements), reading) if statements else {}
    wanted = topics_of(task, named, about)
    traces, asks, events = options.run(task, wanted, *checked, about, logged=log is not None)
    _print({trace.strategy: trace.measures() for trace in traces})
    _print_problems(traces[-1])
    if log is not None:
        write_log(log, events)
    if report is not None:
        from bayesift.report.filtering import filtering_page

        late, missing, wrong = options.delay, 100 * options.missing, 100 * options.noise
        what = (
            f"{len(task.rows):,} documents after {task.training.shape[0]:,} training documents; {len(wanted)} topics;"
            f" learner {options.learner}; answers {late} documents late, {missing:g} % missing, {wrong:g} % wrong."
        )
        filtering_page(f"Filtering {stream}", what, task, traces, asks).write(report)
        print(f"report: {report}", file=sys.stderr)


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


def _print_problems(trace: Trace) -> None:
    """Print the first problems of a run to stderr, and how many more there are."""
    for problem in trace.problems[:3]:
        print(problem, file=sys.stderr)
    if trace.n_problems > 3:
        print(f"and {trace.n_problems - 3} more problems", file=sys.stderr)


def _print(rows: dict[str, dict[str, float]]) -> None:
    """Print name, measure and value, separated by tabs."""
    for name, measures in rows.items():
        for measure, value in measures.items():
            print(f"{name}\t{measure}\t{value:.4g}")
