"""`bayesift screen duplicates`: show records that seem to be the same, and merge them or keep them apart."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

import typer

from bayesift.cli.filter.interrupts import completed
from bayesift.cli.messages import counted, say
from bayesift.cli.screen import options as s
from bayesift.cli.screen.opening import opened, person
from bayesift.errors import BadInput

if TYPE_CHECKING:
    from bayesift.filtering.screening.store.views import Duplicate



def duplicates(
    review: s.Review,
    merge: Annotated[
        tuple[str, str] | None, typer.Option("--merge", metavar="KEPT OTHER", help="Merge two records.")
    ] = None,
    apart: Annotated[
        tuple[str, str] | None,
        typer.Option("--apart", metavar="ONE OTHER", help="Two records are not the same; also takes a merge back."),
    ] = None,
    merge_all: Annotated[bool, typer.Option("--merge-all", help="Merge all pairs without a caution.")] = False,
    state: Annotated[
        Literal["merged", "apart"] | None, typer.Option("--state", help="Show pairs that were merged or kept apart.")
    ] = None,
    json: s.Json = False,
    who: s.Who = None,
) -> None:
    """Show pairs of records that seem to be the same, side by side, and merge them on request.

    A merge keeps both records: one of them is read, decisions about either count, and it can be taken back.
    """
    if sum((merge is not None, apart is not None, merge_all)) > 1:
        raise BadInput("more than one of --merge, --apart and --merge-all", remedy="give one of them")
    if merge is None and apart is None and not merge_all:
        with opened(review, write=False) as found:
            _show(found.duplicates(state), review, json)
        return
    name = person(who)
    with opened(review) as found, completed():
        if merge is not None:
            found.merge(*merge, who=name)
            say(f"{merge[1]} is merged into {merge[0]}")
        elif apart is not None:
            found.keep_apart(*apart, who=name)
            say(f"{apart[0]} and {apart[1]} are two records")
        else:
            say(f"{counted(found.merge_duplicates(who=name), 'pair')} merged")


def _show(pairs: list[Duplicate], review: str, json: bool) -> None:
    from bayesift.cli.filter.showing import json_line, show_table
    from bayesift.display import Table

    if json:
        for pair in pairs:
            json_line(pair)
        return
    if not pairs:
        say("no such pairs")
        return
    rows = []
    for pair in pairs:
        caution = f"; {pair.caution}" if pair.caution else ""
        for record, why in ((pair.first, f"{pair.why} ({pair.similarity:.2f}){caution}"), (pair.second, "")):
            about = ", ".join(str(part) for part in (record.year, record.journal, record.doi) if part)
            rows.append((record.id, record.title, about, record.source, why))
    header = ("record", "title", "year, journal, DOI", "from", "why")
    show_table(Table(counted(len(pairs), "pair"), header, rows, words=-1))
    say(f"merge two: bayesift screen duplicates {review} --merge KEPT OTHER; or --apart ONE OTHER, or --merge-all")
