"""`bayesift explain`: why a document has a label, on the terminal, as JSON or as a page."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bayesift.cli import options as o
from bayesift.cli.messages import say
from bayesift.cli.sources import OF_LABELS, Reading, reads
from bayesift.errors import NotFound

if TYPE_CHECKING:
    from bayesift.classify.explanation import Explanations
    from bayesift.corpora import Document


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
    from bayesift.classify import load
    from bayesift.cli.outputs import PAGE, check_outputs
    from bayesift.corpora import Document

    check_outputs((html, PAGE), inputs=(model, source))
    classifier = load(model)
    reading.remembered = classifier.reading_
    if text is not None:
        reading.refuse_all("with --text")
        documents = [Document("text", body=text)]
    else:
        documents = _chosen(reading.stream(source), source, set(name or ()), first)
    labels = [_label(classifier.classes_.tolist(), given) for given in label] if label else None
    found = classifier.explain(documents, labels, most)
    if html is not None:
        from bayesift.report import explanation_page

        explanation_page(found, most).write(html)
        say(f"explanation: {html}")
    elif json:
        _write_json(found, documents)
    else:
        _print(found, most)


def _chosen(stream: Iterator[Document], source: str, wanted: set[str], first: int) -> list[Document]:
    """Return the documents of these ids; without any, so many first ones. Raise `NotFound` if one is missing."""
    documents = [d for d in stream if d.id in wanted] if wanted else list(islice(stream, first))
    missing = wanted - {d.id for d in documents}
    if missing:
        what = f"no document {sorted(missing)[0]!r}"
        raise NotFound(what, path=source, remedy="pass the id of a document in the file, or use --first")
    if not documents:
        raise NotFound("has no documents", path=source, remedy="pass a file with documents")
    return documents


def _write_json(found: Explanations, documents: Sequence[Document]) -> None:
    """Write a line per document and label to stdout."""
    import msgspec

    for entry in found:
        line = {"id": documents[entry.document].id} | entry.to_dict()
        sys.stdout.buffer.write(msgspec.json.encode(line) + b"\n")


def _print(found: Explanations, most: int) -> None:
    from bayesift.report import terminal
    from bayesift.terminal import console

    shown = console()
    for entries in found.by_document():
        shown.print(terminal(entries, most))


def _label(known: list[str | int], given: str) -> str | int:
    """Labels that are numbers are written as texts on a command line."""
    return next((label for label in known if str(label) == given), given)
