"""`bayesift filter topic`: add, change, export and list topics."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from bayesift.cli.filter import options as f
from bayesift.cli.filter.interrupts import completed
from bayesift.cli.filter.opening import opened, user
from bayesift.cli.messages import say
from bayesift.errors import BadInput

app = typer.Typer(help="Add, change, export and list topics.", no_args_is_help=True)

Words = Annotated[
    Path | None,
    typer.Option("--words", metavar="FILE.csv", help="Words with weights: CSV with the columns term, mean, scale."),
]


@app.command("add")
def add(
    workspace: f.Workspace,
    topic: f.Topic,
    about: Annotated[
        str | None, typer.Option("--about", help="What the topic is about, in words or sentences.")
    ] = None,
    example: Annotated[
        list[Path] | None,
        typer.Option("--example", metavar="FILE", help="File with a relevant document; can be repeated."),
    ] = None,
    words: Words = None,
    model: Annotated[
        Path | None, typer.Option("--model", metavar="FILE", help="Trained model whose --label the topic takes over.")
    ] = None,
    label: Annotated[str | None, typer.Option("--label", help="Label of --model.")] = None,
    exported: Annotated[
        Path | None, typer.Option("--from", metavar="FILE", help="File written by `topic export`.")
    ] = None,
    who: f.Who = None,
) -> None:
    """Add a topic, from a statement, examples, words, a label of a model, an exported topic, or several of these."""
    if (model is None) != (label is None):
        raise BadInput("--model and --label belong together", remedy="give both, or neither")
    from bayesift.cli.filter.topic_files import exported_topic, label_of, text_of, words_of

    given: dict[str, Any] = {"examples": [text_of(path) for path in example or ()]}
    if exported is not None:
        given["exported"] = exported_topic(exported)
    with opened(workspace) as found:
        if words is not None:
            given["words"] = words_of(words, found)
        if model is not None:
            given["label"] = label_of(model, str(label))
        found.add_topic(topic, about, who=user(who), **given)
        say(f"topic {topic} added; {len(found.topics)} in {workspace}")


@app.command("edit")
def edit(
    workspace: f.Workspace,
    topic: f.Topic,
    words: Words = None,
    per_day: Annotated[
        int | None, typer.Option("--per-day", min=1, help="Documents per day that you are willing to look at.")
    ] = None,
    balance: Annotated[
        float | None,
        typer.Option("--balance", min=0.0, max=1.0, help="From 0 (rather miss a document) to 1 (rather see too many)."),
    ] = None,
    who: f.Who = None,
) -> None:
    """Change a topic: replace its words, or give it its own number of documents per day and balance.

    Words count from now on, also if they have not occurred yet. What is left out stays as it is.
    """
    if words is None and per_day is None and balance is None:
        raise BadInput("nothing to change", remedy="give --words FILE.csv, --per-day or --balance")
    from bayesift.cli.filter.topic_files import words_of

    own = per_day is not None or balance is not None
    with opened(workspace) as found, completed():
        given = words_of(words, found) if words is not None else None
        if own:  # checked before the words change
            from bayesift.filtering.text_settings import TextSettings

            TextSettings(**found.settings.filter).own(per_day, balance)
        if given is not None:
            found.edit_words(topic, given, who=user(who))
        if own:
            found.change_topic(topic, per_day=per_day, balance=balance, who=user(who))
    say(f"topic {topic} changed")


@app.command("rename")
def rename(
    workspace: f.Workspace,
    topic: f.Topic,
    name: Annotated[str, typer.Argument(metavar="NAME", help="New name.")],
    who: f.Who = None,
) -> None:
    """Rename a topic."""
    with opened(workspace) as found:
        found.rename_topic(topic, name, who=user(who))
    say(f"topic {topic} is now {name}")


@app.command("pause")
def pause(workspace: f.Workspace, topic: f.Topic, who: f.Who = None) -> None:
    """Show nothing to a topic until it is resumed; it can still be judged."""
    with opened(workspace) as found:
        found.pause_topic(topic, who=user(who))
    say(f"topic {topic} is paused")


@app.command("resume")
def resume(workspace: f.Workspace, topic: f.Topic, who: f.Who = None) -> None:
    """Let a paused topic go on."""
    with opened(workspace) as found:
        found.resume_topic(topic, who=user(who))
    say(f"topic {topic} goes on")


@app.command("remove")
def remove(workspace: f.Workspace, topic: f.Topic, who: f.Who = None) -> None:
    """Remove a topic; its judgements stay on record, and `topic export` before it keeps a copy."""
    with opened(workspace) as found:
        found.remove_topic(topic, who=user(who))
    say(f"topic {topic} removed")


@app.command("export")
def export(
    workspace: f.Workspace,
    topic: f.Topic,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="JSON file to write. (default: stdout)")] = Path("-"),
) -> None:
    """Write a topic as JSON: statement, words, examples and judgements."""
    import msgspec

    from bayesift.cli.outputs import TOPIC, check_outputs
    from bayesift.files import write_compressed

    check_outputs((file, TOPIC), inputs=(workspace,))
    with opened(workspace, write=False) as found:
        content = found.export_topic(topic)
    with write_compressed(file) as out:
        out.write(msgspec.json.encode(content) + b"\n")


@app.command("list")
def list_topics(workspace: f.Workspace, json: f.Json = False) -> None:
    """List the topics: state, documents that wait, and judgements."""
    from bayesift.cli.filter.showing import json_line, topics_table

    with opened(workspace, write=False) as found:
        topics = found.status().topics
    if json:
        for topic in topics:
            json_line(topic)
    elif topics:
        topics_table(topics)
    else:
        print(f"no topics; add one: bayesift filter topic add {workspace} NAME --about TEXT", file=sys.stderr)
