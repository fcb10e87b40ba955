"""`bayesift filter feed`: read feeds, folders and mailboxes again and again."""

from __future__ import annotations

import re
import time
from typing import Annotated

import typer

from bayesift.cli.filter import options as f
from bayesift.cli.filter.opening import opened_for_stream
from bayesift.errors import BadInput

UNITS = {"": 1.0, "s": 1.0, "m": 60.0, "h": 3600.0, "d": 86400.0}


def seconds(text: str) -> float:
    """Return a time as seconds: 30s, 15m, 1h or 1d.

    >>> seconds("15m")
    900.0
    """
    found = re.fullmatch(r"(\d+(?:\.\d+)?)([smhd]?)", text.strip())
    if found is None or float(found[1]) * UNITS[found[2]] < 1.0:
        raise BadInput(f"invalid time {text!r}", remedy="write it as 30s, 15m, 1h or 1d")
    return float(found[1]) * UNITS[found[2]]


def feed(
    workspace: f.Workspace,
    sources: Annotated[
        list[str],
        typer.Argument(metavar="SOURCE...", help="URL of an RSS or Atom feed, a folder, or an mbox file."),
    ],
    every: Annotated[
        str, typer.Option("--every", metavar="TIME", help="Time between two readings, e.g. 30s, 15m, 1h.")
    ] = "15m",
    once: Annotated[bool, typer.Option("--once", help="Read each source once and stop.")] = False,
    timeout: Annotated[float, typer.Option("--timeout", min=0.1, help="Seconds for one download.")] = 30.0,
    max_size: Annotated[
        float, typer.Option("--max-size", min=0.001, metavar="MB", help="Largest download, file or message.")
    ] = 10.0,
    allow_private: Annotated[
        bool, typer.Option("--allow-private", help="Allow addresses of this machine and of private networks.")
    ] = False,
) -> None:
    """Read feeds, folders of text files and mailboxes, and write what is shown as JSON lines.

    A feed is downloaded only if it has changed. Of a folder, files ending in .txt, .md, .html and .eml are read, each
    when it is new. Folders and mailboxes must exist at the start. A source that fails later is reported and read again
    the next time; the others go on.
    """
    interval = seconds(every)
    from bayesift.cli.filter.problems import Problems
    from bayesift.cli.filter.rounds import read_all
    from bayesift.filtering.feeds import source_of
    from bayesift.filtering.feeds.limits import MB, Limits

    limits = Limits(seconds=timeout, size=int(max_size * MB), private=allow_private)
    found = [source_of(name, limits) for name in dict.fromkeys(sources)]
    with opened_for_stream(workspace) as store:
        problems = Problems(store)
        while True:
            begin = time.monotonic()
            failed = read_all(store, found, once)
            problems.tell_all(all=once)
            if once:
                break
            time.sleep(max(begin + interval - time.monotonic(), 0.0))
    if failed:
        raise typer.Exit(1)
