"""`bayesift filter export` and `import`: all of a workspace as one file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bayesift.cli.filter import options as f
from bayesift.cli.filter.opening import opened, workspace_class
from bayesift.cli.messages import counted, say
from bayesift.cli.paths import check_file

if TYPE_CHECKING:
    from bayesift.filtering.store import Workspace

File = Annotated[Path, typer.Argument(metavar="FILE", help="JSON lines file; also .gz or .zst.")]


def export(workspace: f.Workspace, file: File) -> None:
    """Write all of a workspace to one file, for a backup or to move it to another database."""
    from bayesift.cli.outputs import EXPORT, check_outputs

    check_outputs((file, EXPORT), inputs=(workspace,))
    with opened(workspace, write=False) as found:
        found.export(file)
        say(f"{file}: {_size(found)}")


def import_(workspace: f.NewWorkspace, file: File) -> None:
    """Create a workspace from an exported file; it goes on where the exported one was."""
    check_file(file, "name a file of `bayesift filter export`")
    with workspace_class().import_(file, workspace) as found:
        say(f"{found.database.name}: {_size(found)}")


def _size(workspace: Workspace) -> str:
    return f"{counted(workspace.status().documents, 'document')}, {counted(len(workspace.topics), 'topic')}"
