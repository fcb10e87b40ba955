"""`bayesift filter run`: documents from standard input; what is delivered or asked goes to standard output at once."""

from __future__ import annotations

import contextlib
from typing import Annotated, Any

import typer

from bayesift.cli.filter import options as f
from bayesift.cli.filter.interrupts import completed
from bayesift.cli.filter.opening import opened_for_stream
from bayesift.cli.messages import counted, say
from bayesift.errors import BadInput, BayesiftError

LINE = '{"id": ..., "text": ...}'
FIRST = f"{LINE}; other formats become such lines with: bayesift convert --to doccano FILE -"


def run(
    workspace: f.Workspace,
    source: Annotated[
        str | None, typer.Option("--source", metavar="NAME", help="Where the documents come from, for the record.")
    ] = None,
    skip_bad: f.SkipBad = False,
) -> None:
    """Read documents as JSON lines from standard input, store and filter them.

    What is delivered or asked is written as JSON lines, at once; `tail -f FILE | bayesift filter run news.db` works.
    A line is an object with text (or title and body), and if known id, date (YYYY-MM-DD), url and source. A document
    whose id came before is not processed again.
    """
    from bayesift.cli.filter.lines import Lines, parsed
    from bayesift.cli.filter.problems import Problems
    from bayesift.cli.filter.showing import show_items

    incoming = Lines()
    documents = shown = skipped = 0
    with opened_for_stream(workspace) as found:
        from bayesift.filtering.incoming import document_of
        from bayesift.filtering.store import StoreFailed

        def checked(given: dict[str, Any]) -> dict[str, Any]:
            document_of(given)
            return given

        def skip(error: BayesiftError) -> None:
            nonlocal skipped
            skipped += 1
            say(f"bayesift: {error}; skipped")

        problems, before = Problems(found), found.last_number()

        def counts() -> str:
            new = min(found.last_number() - before, documents)  # others may add documents as well
            return f"{f', {new:,} new' if new < documents else ''}, {shown:,} shown"

        try:
            while incoming.wait():
                with completed():
                    form = LINE if documents else FIRST
                    made, error = parsed(incoming.take(), checked, form, skip if skip_bad else None)
                    shown += show_items(found.process([given for _, given in made], source=source))
                    documents += len(made)
                    problems.tell()
                if error is not None:
                    stored = f"{counted(documents, 'document')} before it {'is' if documents == 1 else 'are'} stored"
                    remedies = filter(None, [error.remedy, stored, "--skip-bad leaves bad lines out"])
                    raise BadInput(error.reason, path=error.path, line=error.line, remedy="; ".join(remedies))
        except KeyboardInterrupt:
            if documents:
                problems.tell(all=True)
                say(f"{counted(documents, 'document')} stored{counts()}")
            raise
        except StoreFailed:
            with contextlib.suppress(StoreFailed):
                new = found.last_number() - before
                say(f"{counted(new, 'document')} stored before that; all lines can be given again")
            raise
        problems.tell_all()
        bad = f", {counted(skipped, 'bad line')} skipped" if skipped else ""
        say(f"{counted(documents, 'document')}{counts()}{bad}")
