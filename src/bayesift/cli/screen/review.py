"""`bayesift screen review`: read and decide in the terminal, one key per record."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from bayesift.cli.filter.interrupts import completed
from bayesift.cli.filter.keys import END, Keys, check_terminal
from bayesift.cli.messages import say
from bayesift.cli.screen import options as s
from bayesift.cli.screen.opening import opened, person
from bayesift.errors import BayesiftError

if TYPE_CHECKING:
    from bayesift.cli.screen.session import Session

DECISIONS = {"a": "include", "x": "exclude", "m": "maybe"}


def review(
    review: s.Review,
    list_: s.List = "abstract",
    order: Annotated[
        Literal["ranked", "random", "date"], typer.Option("--order", help="The most promising first, or the newest.")
    ] = "ranked",
    who: s.Who = None,
) -> None:
    """Read records in the terminal: a include, x exclude, 1 to 9 exclude for a reason, m maybe, u undo, q quit.

    Words that count for and against a record are in colour. Each decision is in the database before the next record is
    shown, so the reading can be ended at any time, and goes on where it was. u undoes without limit, also what was
    decided before.
    """
    check_terminal("elsewhere use the pages: bayesift screen serve")
    from bayesift.cli.screen.session import Session

    with opened(review) as found:
        session = Session(found, list_, person(who), order)
        if session.current is None:
            say(f"all records of the list {list_} are read")
            return
        try:
            _read(session)
        finally:
            left = found.progress(list_, session.who).left
            say(f"{list_}: {session.decided:,} decided, {session.included:,} of them included; {left:,} left")


def _read(session: Session) -> None:
    """Show record after record until all are decided or the reader quits."""
    from bayesift.cli.screen.screen import Screen
    from bayesift.terminal import console

    for name in ("COLUMNS", "LINES"):  # which do not change with the terminal
        os.environ.pop(name, None)
    screen_console = console()
    with Keys() as keys, screen_console.screen() as shown:
        message = ""
        while session.current is not None:
            screen = Screen(session, screen_console, shown, keys)
            key = screen.until_key(message)
            if key in ("q", END):
                return
            message = _act(session, screen, key)


def _act(session: Session, screen: Any, key: str) -> str:
    """Do what a key means, and return what to say about it."""
    try:
        if key == "c":
            screen.show_criteria()
        elif key == "n":
            session.note = screen.ask("note", session.note)
        elif key == "t":
            given = screen.ask("tags, with commas", ", ".join(session.tags))
            session.tags = tuple(tag.strip() for tag in given.split(",") if tag.strip())
        else:
            with completed():
                if key == "u":
                    return session.undo()
                if key in DECISIONS:
                    session.decide(DECISIONS[key])
                else:
                    session.exclude_for(int(key))
    except BayesiftError as error:
        return str(error)
    return ""
