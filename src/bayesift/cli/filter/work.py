"""`bayesift filter work`: process documents that others have stored, beside other workers."""

from __future__ import annotations

from typing import Annotated

import typer

from bayesift.cli.filter import options as f
from bayesift.cli.filter.opening import opened
from bayesift.cli.messages import say


def work(
    workspace: f.Workspace,
    once: f.Once = False,
    poll: Annotated[float, typer.Option("--poll", min=0.05, help="Seconds between two looks for documents.")] = 1.0,
) -> None:
    """Process stored documents that no worker has processed yet, and write what is shown as JSON lines.

    Several workers, also on other machines, share the topics of a PostgreSQL workspace; the topics of one that ends
    are taken over by the others.
    """
    from bayesift.cli.filter.showing import show_items

    with opened(workspace) as found:
        shown = show_items(found.work(once=once, poll=poll))
    say(f"{shown:,} shown")
