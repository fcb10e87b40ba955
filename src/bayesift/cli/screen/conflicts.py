"""`bayesift screen conflicts` and `settle`: records about which reviewers differ."""

from __future__ import annotations

from typing import Annotated, Literal

import typer

from bayesift.cli.filter.interrupts import completed
from bayesift.cli.messages import say
from bayesift.cli.screen import options as s
from bayesift.cli.screen.opening import opened, person


def conflicts(review: s.Review, list_: s.List = "abstract", json: s.Json = False) -> None:
    """List the records about which reviewers differ, with what each of them decided."""
    from bayesift.cli.filter.showing import json_line, show_table
    from bayesift.display import Table

    with opened(review, write=False) as found:
        differing = found.conflicts(list_)
    if json:
        for conflict in differing:
            json_line(
                {"record": conflict.record.id, "title": conflict.record.title, "list": list_,
                 "opinions": conflict.opinions}
            )  # fmt: skip
        return
    if not differing:
        say(f"no conflicts in the list {list_}")
        return
    rows = [
        (c.record.id, c.record.title, "; ".join(f"{o.who}: {o.decision}{f' ({o.reason})' if o.reason else ''}"
                                                for o in c.opinions)) for c in differing
    ]  # fmt: skip
    show_table(Table(f"{list_}: {len(rows):,} in conflict", ("record", "title", "decisions"), rows, words=-1))
    say(f"settle them: bayesift screen settle {review} RECORD include")


def settle(
    review: s.Review,
    record: Annotated[str, typer.Argument(metavar="RECORD", help="Id of a record.")],
    decision: Annotated[Literal["include", "exclude"], typer.Argument(metavar="DECISION", help="include or exclude.")],
    list_: s.List = "abstract",
    reason: Annotated[str | None, typer.Option("--reason", help="Reason of an exclusion.")] = None,
    note: Annotated[str | None, typer.Option("--note", help="Remark for the record.")] = None,
    who: s.Who = None,
) -> None:
    """Settle a record about which reviewers differ; their own decisions stay on record."""
    name = person(who)
    with opened(review) as found, completed():
        found.settle(record, decision, list=list_, who=name, reason=reason, note=note)
    say(f"{record}: {decision}, settled by {name}")
