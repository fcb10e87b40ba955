"""`bayesift filter new`: create a workspace."""

from __future__ import annotations

import shlex
from typing import Annotated, Any

import typer

from bayesift.cli import options as o
from bayesift.cli.filter import options as f
from bayesift.cli.filter.opening import workspace_class
from bayesift.cli.messages import say


def new(
    workspace: f.NewWorkspace,
    per_day: Annotated[
        int, typer.Option("--per-day", min=1, help="Documents per topic and day that you are willing to look at.")
    ] = 20,
    balance: Annotated[
        float,
        typer.Option("--balance", min=0.0, max=1.0, help="From 0 (rather miss a document) to 1 (rather see too many)."),
    ] = 0.5,
    language: o.Language = "english",
    strategy: Annotated[
        str | None,
        typer.Option("--strategy", help="Published strategy instead of --per-day and --balance, such as rel+ig."),
    ] = None,
    horizon: Annotated[
        int | None, typer.Option("--horizon", min=1, help="Documents to come, for strategies that need to know.")
    ] = None,
    learner: Annotated[str | None, typer.Option("--learner", help="How topics learn. (default: chosen)")] = None,
    meaning: Annotated[
        str | None,
        typer.Option(
            "--meaning",
            help="Encoder beside the words: minilm or minilm=FOLDER. (default: corpus, which learns from the stream)",
        ),
    ] = None,
    seed: o.Seed = 0,
    groups: Annotated[
        int | None,
        typer.Option("--groups", min=1, help="Groups of topics that workers share. (default: 1; PostgreSQL: 4)"),
    ] = None,
    keep_documents: Annotated[
        int | None,
        typer.Option(
            "--keep-documents", min=1, metavar="DAYS",
            help="Days after which texts that were not judged and do not wait are deleted. (default: never)",
        ),
    ] = None,
    keep_waiting: Annotated[
        int | None,
        typer.Option(
            "--keep-waiting", min=1, metavar="DAYS",
            help="Days after which a document leaves the inbox without an answer. (default: never)",
        ),
    ] = None,
) -> None:  # fmt: skip
    """Create a workspace: a database of documents, topics and judgements."""
    settings: dict[str, Any] = {"per_day": per_day, "balance": balance, "language": language, "seed": seed}
    settings |= {
        name: value
        for name, value in (("strategy", strategy), ("horizon", horizon), ("learner", learner), ("meaning", meaning))
        if value is not None
    }
    made = workspace_class().create(
        workspace, groups=groups, documents_days=keep_documents, deliveries_days=keep_waiting, **settings
    )
    made.close()
    name = made.database.name
    adds = shlex.join(["bayesift", "filter", "topic", "add", name])
    say(f"{name} is ready; add a topic: {adds} NAME --about 'what it is about'")
