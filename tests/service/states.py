"""The states of a workspace's filters as bytes, to compare."""

from __future__ import annotations

from bayesift.filtering.store import Workspace, checkpoints, schema


def states(workspace: Workspace) -> list[bytes]:
    """Return the bytes of the state of each group."""
    found = []
    for number in range(workspace.settings.groups):
        with workspace._groups.using(number) as group:
            found.append(checkpoints.encode(group.filter.state()))
    return found


def replayed(workspace: Workspace) -> list[bytes]:
    """Return the bytes of each group's state after a replay from the first event, without checkpoints."""
    with workspace.database.write() as connection:
        connection.execute(schema.checkpoints.delete())
    workspace._groups.forget()
    return states(workspace)
