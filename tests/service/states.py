"""The states of a workspace's filters as bytes, to compare."""

from __future__ import annotations

from bayesift.filtering.store import Workspace, checkpoints, schema


def states(workspace: Workspace) -> list[bytes]:
    """Return the bytes of the state of each group."""
    return [checkpoints.encode(workspace._groups.current(g).filter.state()) for g in range(workspace.settings.groups)]


def replayed(workspace: Workspace) -> list[bytes]:
    """Return the bytes of each group's state after a replay from the first event, without checkpoints."""
    with workspace.database.write() as connection:
        connection.execute(schema.checkpoints.delete())
    workspace._groups.forget()
    return states(workspace)
