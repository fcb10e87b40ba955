"""`bayesift user`: accounts of a workspace, for `bayesift serve` on a network."""

from __future__ import annotations

from typing import Annotated

import typer

app = typer.Typer(name="user", help="Manage who may use the pages of a workspace.", no_args_is_help=True)
Workspace_ = Annotated[str, typer.Argument(metavar="WORKSPACE", help="Workspace or review: a file or postgresql://...")]
WAIT = 30.0  # seconds for another writer
Name = Annotated[str, typer.Argument(help="Name of the person.")]


def _people(workspace: str):  # type: ignore[no-untyped-def]
    from bayesift.errors import NotFound
    from bayesift.filtering.store import migrate
    from bayesift.filtering.store.database import Database

    try:
        from bayesift.service.people import People
    except ImportError as error:
        raise NotFound(f"the package {error.name} is not installed", remedy="pip install 'bayesift[service]'") from None
    database = Database(workspace, WAIT)
    migrate.check_tables(database, True, None)
    return People(database)


def _me() -> str:
    from bayesift.service.people import this_user

    return this_user()


@app.command()
def add(
    workspace: Workspace_,
    name: Name,
    role: Annotated[str, typer.Option(help="reader, reviewer or admin.")] = "reviewer",
    password_file: Annotated[
        typer.FileText | None, typer.Option(help="File with the password; - is standard input. Default: ask.")
    ] = None,
) -> None:
    """Add a person."""
    from bayesift.cli.messages import say

    people = _people(workspace)
    if password_file is not None:
        password = password_file.readline().rstrip("\r\n")
    else:
        password = typer.prompt("Password", hide_input=True, confirmation_prompt=True)
    people.add(name, password, role, who=_me())
    say(f"{name} is added with the role {role}.")


@app.command()
def remove(workspace: Workspace_, name: Name) -> None:
    """Remove a person, with sessions and tokens; judgements stay."""
    _people(workspace).remove(name, who=_me())


@app.command("list")
def list_(workspace: Workspace_) -> None:
    """List the people, with their roles."""
    for person in _people(workspace).listed():
        typer.echo(f"{person.name}\t{person.role}")


@app.command()
def token(workspace: Workspace_, name: Name) -> None:
    """Print a new token for programs of a person; it is shown once."""
    typer.echo(_people(workspace).new_token(name, who=_me()))
