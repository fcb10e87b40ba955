"""A labelled stream that `bayesift simulate` filters: its options, and the run of each strategy."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import typer

from bayesift.cli import options as o
from bayesift.cli.sources import Reading, is_corpus
from bayesift.cli.unused import refuse_unused
from bayesift.errors import BadInput, Notice

if TYPE_CHECKING:
    from bayesift.filtering import Event, Strategy
    from bayesift.filtering.profile_settings import ProfileSettings
    from bayesift.filtering.simulate.simulation import Judge, Trace
    from bayesift.filtering.simulate.stream_task import Task

ELIGIBLE = (8, 1 << 30)  # range of the number of training documents of a topic, if none is named
STRATEGIES = "none, rnd, ig, pace, region, utility, f1 or target, also after rel+; repeatable. (default: rel+ig)"


@dataclass(frozen=True)
class StreamOptions:
    """Options of `bayesift simulate` for a stream; a pool has none of them."""

    strategy: Annotated[list[str] | None, typer.Option(help=STRATEGIES)] = None
    learner: Annotated[
        str, typer.Option(help="Learner of each topic: flip-perceptron, perceptron or diagonal-perceptron.")
    ] = "flip-perceptron"
    all_terms: Annotated[
        bool, typer.Option("--all-terms", help="Use all terms, without term selection; for diagonal-perceptron.")
    ] = False
    train: Annotated[float, typer.Option(help="Fraction of the documents for training: the first ones.")] = 0.2
    grow: Annotated[bool, typer.Option("--grow", help="Add new words of the stream to the vocabulary.")] = False
    language: o.Language = "english"
    target: Annotated[int, typer.Option(min=1, help="Documents to show per topic; not for none, utility, f1.")] = 50
    budget: Annotated[int | None, typer.Option(min=0, help="Maximum number of questions per day.")] = None
    delay: Annotated[int, typer.Option(min=0, help="Number of documents between a question and its answer.")] = 0
    missing: Annotated[float, typer.Option(help="Fraction of questions without an answer.")] = 0.0
    noise: Annotated[float, typer.Option(help="Fraction of answers that are wrong.")] = 0.0

    @property
    def names(self) -> list[str]:
        """The strategies, one after the other."""
        return self.strategy or ["rel+ig"]

    def checked(self, context: typer.Context, seed: int) -> tuple[list[ProfileSettings], Judge]:
        """Return the settings of the topics for each strategy, and the judge.

        Raises
        ------
        BadInput
            If an option is invalid or has no effect.
        """
        from bayesift.filtering import ProfileSettings, strategy_of
        from bayesift.filtering.simulate.simulation import Judge
        from bayesift.filtering.strategies import GP_ONLY
        from bayesift.text.languages import check_language

        chosen = [strategy_of(name, target=self.target) for name in self.names]
        for asks, _ in chosen:
            if asks.name in GP_ONLY:
                what = f"the strategy {asks.name!r} is for the learner gp, which simulate does not have"
                raise BadInput(what, remedy="choose another strategy, or use bayesift filter")
        last, budgeted = self.names[-1], self.budget is not None
        if not any(asks.uses_target(budgeted) for asks, _ in chosen):
            refuse_unused(context, ["target"], f"with --strategy {last}{' --budget' if budgeted else ''}")
        if not any(asks.uses_budget for asks, _ in chosen):
            refuse_unused(context, ["budget"], f"with --strategy {last}")
        terms = {"min_statistic": -1.0, "initial_terms": 1 << 30, "max_terms": 1 << 30} if self.all_terms else {}
        settings = [ProfileSettings(self.learner, again=again, **terms) for _, again in chosen]  # type: ignore[arg-type]
        judge = Judge(self.delay, self.missing, self.noise, seed)
        check_fraction("--train", self.train)
        check_language(self.language)
        return settings, judge

    def run(
        self, task: Task, topics: list[str], settings: list[ProfileSettings], judge: Judge, statements: dict[str, str],
        *, logged: bool,
    ) -> tuple[list[Trace], Strategy, list[Event]]:  # fmt: skip
        """Return what each strategy did, the last strategy, and if they are `logged`, its events."""
        from bayesift.filtering import Budget, Event, strategy_of
        from bayesift.filtering.simulate.simulation import simulate

        traces = []
        for name, how in zip(self.names, settings):
            asks = strategy_of(name, target=self.target, horizon=len(task.rows))[0]
            daily, events = None if self.budget is None else Budget(self.budget), list[Event]()
            sink = events if logged else None
            trace, _ = simulate(
                task, topics, asks, how, judge=judge, budget=daily, statements=statements, label=name, log=sink
            )  # fmt: skip
            traces.append(trace)
        return traces, asks, events


def check_fraction(option: str, value: float) -> None:
    """Raise `BadInput` if the value of an option is no fraction."""
    if not 0.0 < value <= 1.0:
        raise BadInput(f"{option} is {value}", remedy="give more than 0 and at most 1")


def statements_in(source: str, reading: Reading) -> dict[str, str]:
    """Return the descriptions of topics in a file or corpus, by the topic."""
    found = Reading(data=reading.data if is_corpus(source) else None).stream(source)
    return {d.id: f"{d.title} {d.body}" for d in found}


def topics_of(task: Task, named: list[str] | None, statements: dict[str, str]) -> list[str]:
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
