"""`bayesift filter status`: what a workspace holds."""

from __future__ import annotations

import sys

from bayesift.cli.filter import options as f
from bayesift.cli.filter.opening import opened


def status(workspace: f.Workspace, json: f.Json = False) -> None:
    """Show what a workspace holds: documents, topics, judgements, size, and documents that wait to be processed."""
    from bayesift.cli.filter.showing import json_line, topics_table
    from bayesift.terminal import one_line

    with opened(workspace, write=False) as found:
        now, settings = found.status(), found.settings
    if json:
        json_line(now)
        return
    last = f", the last one added {now.last_added}" if now.last_added else ""
    print(one_line(f"{now.name}: {now.documents:,} documents{last}"))
    print(f"created {now.created}, {now.bytes / 1e6:,.1f} MB, schema {now.schema}")
    behind = max((group.behind for group in now.groups), default=0)
    if behind:
        print(f"{behind:,} documents wait to be processed: bayesift filter work")
    given = ", ".join(f"{name} {value}" for name, value in settings.filter.items())
    print(one_line(f"settings: {given}"))
    if now.topics:
        sys.stdout.flush()
        topics_table(now.topics)
    else:
        print("no topics")
