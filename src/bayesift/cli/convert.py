"""`bayesift convert`: documents from and to the files of annotation tools."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from bayesift.cli import options as o
from bayesift.cli.paths import existing_model, existing_source

if TYPE_CHECKING:
    from bayesift.corpora import Document, Skipped

SOME = 256  # documents that are predicted at a time


def convert(
    source: Annotated[
        str, typer.Argument(metavar="SOURCE", help="The file to read.", callback=existing_source)
    ],
    output: Annotated[Path, typer.Argument(metavar="OUTPUT", help="The file of JSON lines to write.")],
    read_as: Annotated[
        str | None, typer.Option("--from", metavar="TOOL", help="Read a file of prodigy, doccano or argilla.")
    ] = None,
    write_as: Annotated[
        str | None, typer.Option("--to", metavar="TOOL", help="Write a file for prodigy, doccano or argilla.")
    ] = None,
    model: Annotated[
        Path | None,
        typer.Option("--model", metavar="MODEL", help="With --to: add what this model predicts."),
    ] = None,
    question: Annotated[
        str | None,
        typer.Option("--question", metavar="NAME", help="With --from argilla: the question whose answers are labels."),
    ] = None,
    skip_bad: o.SkipBad = False,
) -> None:
    """Convert annotated documents from or to the files of Prodigy, doccano and Argilla."""
    from bayesift.cli.outputs import ANNOTATIONS, DOCUMENTS, check_outputs
    from bayesift.errors import BadInput
    from bayesift.integrations.annotation_tools import read_annotations, tool_of

    if read_as is None and write_as is None:
        raise BadInput("nothing to convert", remedy="give --from or --to, with prodigy, doccano or argilla")
    for tool in filter(None, (read_as, write_as)):
        tool_of(tool)
    if model is not None and write_as is None:
        raise BadInput("--model is for --to", remedy="leave it out, or write for a tool")
    if question is not None and read_as != "argilla":
        raise BadInput("--question is for --from argilla", remedy="leave it out")
    if model is not None:
        existing_model(model)
    check_outputs((output, DOCUMENTS if write_as is None else ANNOTATIONS), inputs=[source, model])

    from bayesift.cli.messages import counted, say
    from bayesift.cli.sources import SKIP_BAD
    from bayesift.corpora import Skipped, read_documents, write_jsonl
    from bayesift.corpora.records import with_remedy
    from bayesift.files import write_compressed

    skipped = Skipped() if skip_bad else None
    if read_as is not None:
        read = read_annotations(source, read_as, skipped=skipped, question=question)
    else:
        read = read_documents(source, skip_bad=skip_bad, skipped=skipped)
    found = _Counted(_some(with_remedy(read, SKIP_BAD), source, skipped))
    if write_as is None:
        with write_compressed(output) as out:
            write_jsonl(found, out)
    else:
        _write_tasks(output, list(found), write_as, model)
    say(f"{counted(found.documents, 'document')}, {found.labelled:,} labelled")


class _Counted:
    """Iterable over documents that counts them, and those that are labelled."""

    def __init__(self, documents: Iterator[Document]) -> None:
        self._all, self.documents, self.labelled = documents, 0, 0

    def __iter__(self) -> Iterator[Document]:
        for document in self._all:
            self.documents += 1
            self.labelled += document.labels is not None
            yield document


def _write_tasks(output: Path, documents: list[Document], tool: str, model: Path | None) -> None:
    """Write documents for a tool, with what the model predicts if there is one."""
    from bayesift.integrations.annotation_tools import write_annotations

    labels, suggestions = sorted({label for d in documents for label in d.labels or ()}), None
    if model is not None:
        from bayesift.classify import load

        classifier = load(model)
        labels, suggestions = [str(label) for label in classifier.classes_], _suggestions(classifier, documents)
    write_annotations(output, documents, tool, labels=labels, suggestions=suggestions)


def _some(documents: Iterator[Document], source: str, skipped: Skipped | None) -> Iterator[Document]:
    """Yield the documents, and say at the end which lines were skipped; raises if none is left."""
    from bayesift.cli.messages import notice
    from bayesift.errors import BadInput

    first = next(documents, None)
    if skipped is not None and skipped.count and first is None:
        raise BadInput(f"no document can be read: {skipped}", path=source, remedy="correct the file")
    if first is not None:
        yield first
    yield from documents
    if skipped is not None and skipped.count:
        notice(str(skipped))


def _suggestions(classifier: Any, documents: list[Document]) -> Iterator[Any]:
    """Yield what a model predicts for each document."""
    from bayesift.integrations.annotation_tools import Suggestion

    names = [str(label) for label in classifier.classes_]
    for begin in range(0, len(documents), SOME):
        found = classifier.predictions(documents[begin : begin + SOME])
        for given, confidence in zip(found.decisions.tolist(), found.confidence.tolist()):
            yield Suggestion(tuple(name for name, gets in zip(names, given) if gets), confidence)
