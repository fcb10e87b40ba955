"""`bayesift explain`: why a document has a label, on the terminal, as JSON or as a page."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from bayesift.cli import options as o
from bayesift.cli.sources import OF_LABELS, Reading, reads, say


@reads(*OF_LABELS)
def explain(
    model: o.Model,
    source: o.Source = "-",
    text: Annotated[str | None, typer.Option("--text", help="Explain this text. (default: documents of DATA)")] = None,
    name: Annotated[
        list[str] | None, typer.Option("--id", help="Id of a document to explain; can be repeated.")
    ] = None,
    first: Annotated[int, typer.Option("--first", min=1, help="Number of documents to explain, without --id.")] = 1,
    label: Annotated[
        list[str] | None, typer.Option("--label", help="Label to explain; can be repeated. (default: those predicted)")
    ] = None,
    most: Annotated[int, typer.Option("--words", min=1, help="Number of words to list.")] = 12,
    json: Annotated[bool, typer.Option("--json", help="Write JSON lines.")] = False,
    html: Annotated[Path | None, typer.Option("--html", metavar="FILE.html", help="HTML page to write.")] = None,
    *,
    reading: Reading,
) -> None:
    """Show what each word contributes to a label, how sure that is, and what is missing."""
    from itertools import islice

    from bayesift.classify import load
    from bayesift.cli.outputs import PAGE, check_outputs
    from bayesift.corpora import Document
    from bayesift.errors import NotFound

    check_outputs((html, PAGE), inputs=(model, source))
    classifier = load(model)
    reading.remembered = classifier.reading_
    if text is not None:
        reading.refuse_all("with --text")
        documents = [Document("text", body=text)]
    else:
        stream = reading.stream(source)
        wanted = set(name or ())
        documents = [d for d in stream if d.id in wanted] if wanted else list(islice(stream, first))
        missing = wanted - {d.id for d in documents}
        if missing or not documents:
            if not missing:
                raise NotFound("has no documents", path=source, remedy="pass a file with documents")
            what = f"no document {sorted(missing)[0]!r}"
            raise NotFound(what, path=source, remedy="pass the id of a document in the file, or use --first")
    labels = [_label(classifier.classes_.tolist(), given) for given in label] if label else None
    found = classifier.explain(documents, labels, most)
    if html is not None:
        from bayesift.report import explanation_page

        explanation_page(found, most).write(html)
        say(f"explanation: {html}")
        return
    if json:
        import msgspec

        for entry in found:
            line = {"id": documents[entry.document].id} | entry.to_dict()
            sys.stdout.buffer.write(msgspec.json.encode(line) + b"\n")
        return
    from bayesift.report import terminal
    from bayesift.terminal import console

    shown = console()
    for entries in found.by_document():
        shown.print(terminal(entries, most))


def _label(known: list[str | int], given: str) -> str | int:
    """Labels that are numbers are written as texts on a command line."""
    return next((label for label in known if str(label) == given), given)
