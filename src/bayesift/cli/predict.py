"""`bayesift predict`: labels for a file or an endless stream, as JSON lines or as a table.

A file is read in batches. Standard input and pipes are answered line by line: a document's line is written and
flushed before the next one is read, and nothing is kept of it.
"""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import IO, Annotated, TypeVar

import typer

from bayesift.cli import options as o
from bayesift.cli.sources import OF_LABELS, Reading, is_corpus, reads

T = TypeVar("T")
BATCH = 256


@reads(*OF_LABELS)
def predict(
    model: o.Model,
    source: o.Source = "-",
    output: Annotated[
        Path | None,
        typer.Option("--output", help="Write here: .csv or .tsv a table, else JSON lines. (default: stdout)"),
    ] = None,
    together: o.Together = False,
    every: Annotated[bool, typer.Option("--all", help="Give all probabilities. (default: those from 0.01 on)")] = False,
    *,
    reading: Reading,
) -> None:
    """Label documents: id, labels, probabilities, confidence and known words of each."""
    from bayesift.cli.light import postponed
    from bayesift.corpora.layout import suffix_of
    from bayesift.errors import BadInput

    is_stream = not (Path(source).is_file() or is_corpus(source))
    if together and is_stream:
        raise BadInput("--together needs all documents at once", remedy="give a file, not a stream")
    with postponed():
        from bayesift.classify import load
        from bayesift.cli.answers import TABLES, answered, separator_for, write_lines, write_table

        classifier = load(model)
    suffix = "" if output is None else suffix_of(output)
    if every and suffix in TABLES:
        raise BadInput("--all does nothing for a table", path=output, remedy="drop --all, or write .jsonl")
    reading.remembered = classifier.reading_
    size = sys.maxsize if together else 1 if is_stream else BATCH
    answers = answered(classifier, _batches(reading.records(source), size), together, every)
    with _output(output) as out:
        if suffix in TABLES:
            usual = classifier.reading_.get("separator", ";")
            separator = separator_for(map(str, classifier.classes_), usual)
            write_table(out, answers, reading.file, suffix, separator)
        else:
            write_lines(out, answers, at_once=is_stream and output is None)
    reading.note_skipped()


def _batches(found: Iterable[T], size: int) -> Iterator[list[T]]:
    rest = iter(found)
    while batch := list(islice(rest, size)):
        yield batch


@contextlib.contextmanager
def _output(file: Path | None) -> Iterator[IO[bytes]]:
    from bayesift.files import write_compressed

    if file is None or str(file) == "-":
        yield sys.stdout.buffer
    else:
        with write_compressed(file) as out:
            yield out
