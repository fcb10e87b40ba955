"""`bayesift filter inbox`: the documents of a topic that wait for an answer."""

from __future__ import annotations

import shlex
from typing import Annotated

import typer

from bayesift.cli.filter import options as f
from bayesift.cli.filter.opening import opened
from bayesift.cli.messages import say

WORDS = 5


def inbox(
    workspace: f.Workspace,
    topic: f.Topic,
    limit: Annotated[int, typer.Option("--limit", min=1, help="Maximum number of documents.")] = 20,
    json: f.Json = False,
) -> None:
    """List what waits for a judgement, best first, with its probability and the words that say so."""
    from bayesift.cli.filter.showing import show_items, show_table
    from bayesift.display import Table

    with opened(workspace, write=False) as found:
        items = found.inbox(topic, limit)
        waiting = next((t.waiting for t in found.status().topics if t.name == topic), len(items))
    if json:
        show_items(items)
        return
    if not items:
        say(f"nothing waits for {topic}")
        return
    rows = [
        (item.document, f"{item.probability:.2f}", "{:.2f}-{:.2f}".format(*item.interval), item.origin, item.title,
         ", ".join(word for word, _ in item.why[:WORDS])) for item in items
    ]  # fmt: skip
    header = ("document", "p", "interval", "kind", "title", "words")
    show_table(Table(f"{topic}: {waiting:,} waiting", header, rows, words=-1))
    say(f"judge them: {shlex.join(['bayesift', 'filter', 'review', workspace, topic])}")
