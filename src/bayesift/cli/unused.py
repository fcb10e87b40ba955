"""Check for options that have no effect."""

from __future__ import annotations

from collections.abc import Iterable

import typer

from bayesift.errors import BadInput


def refuse_unused(context: typer.Context, names: Iterable[str], why: str) -> None:
    """Raise `BadInput` if one of these options is on the command line; `why` ends the message."""
    given = [_flag(name) for name in names if _was_given(context, name)]
    if given:
        verb, them = ("has", "it") if len(given) == 1 else ("have", "them")
        raise BadInput(f"{', '.join(given)} {verb} no effect {why}", remedy=f"remove {them}")


def _was_given(context: typer.Context, name: str) -> bool:
    source = context.get_parameter_source(name)
    return source is not None and source.name == "COMMANDLINE"


def _flag(name: str) -> str:
    return "--" + name.replace("_", "-")
