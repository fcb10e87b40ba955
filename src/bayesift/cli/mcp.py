"""`bayesift mcp`: a workspace as tools for an assistant, over standard input and output."""

from __future__ import annotations

from typing import Annotated

import typer


def mcp(
    workspace: Annotated[str, typer.Argument(help="Workspace: a file, or postgresql://...")],
    allow_judging: Annotated[
        bool, typer.Option("--allow-judging", help="Let the assistant judge, which is recorded. (default: it reads)")
    ] = False,
) -> None:
    """Let an assistant search, classify and explain with a workspace (Model Context Protocol)."""
    from bayesift.filtering.store import Workspace
    from bayesift.integrations.mcp import mcp_server

    with Workspace.open(workspace, write=allow_judging) as opened:
        mcp_server(opened, allow_judging=allow_judging).run("stdio")
