"""Arguments and options that several verbs of `bayesift filter` share."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from bayesift.errors import BadInput, NotFound


def existing_workspace(name: str) -> str:
    """Return WORKSPACE; raise `NotFound`, before any slow import, if it is a file that does not exist."""
    if "://" not in name and not Path(name).exists():
        raise NotFound("no such workspace", path=name, remedy=f"create it: bayesift filter new {name}")
    return no_folder(name)


def no_folder(name: str) -> str:
    """Return WORKSPACE; raise `BadInput` if it is empty or a folder."""
    if not name.strip():
        raise BadInput("the name of the workspace is empty", remedy="name a file, such as news.db")
    if "://" not in name and Path(name).is_dir():
        raise BadInput("is a folder", path=name, remedy="name a file in it")
    return name


Workspace = Annotated[
    str,
    typer.Argument(
        metavar="WORKSPACE",
        help="Database file, or postgresql://user@host/name.",
        callback=existing_workspace,
    ),
]
NewWorkspace = Annotated[
    str,
    typer.Argument(
        metavar="WORKSPACE", help="Database file to create, or postgresql://user@host/name.", callback=no_folder
    ),
]
Topic = Annotated[str, typer.Argument(metavar="TOPIC", help="Name of a topic.")]
Json = Annotated[bool, typer.Option("--json", help="Write JSON lines.")]
Who = Annotated[
    str | None, typer.Option("--who", metavar="NAME", help="Who does this, for the record. (default: the user's name)")
]
Note = Annotated[str | None, typer.Option("--note", help="Remark for the record.")]
Once = Annotated[bool, typer.Option("--once", help="Stop when there is nothing left to do. (default: wait for more)")]
SkipBad = Annotated[
    bool, typer.Option("--skip-bad", help="Skip invalid lines and report them. (default: stop with an error)")
]
