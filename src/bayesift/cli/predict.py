"""`bayesift predict`: predict the labels of a file or a stream, as JSON lines or as a table.

A file is read in batches. Standard input and pipes are processed line by line: the prediction of a document is written
and flushed before the next document is read.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from bayesift.cli import options as o
from bayesift.cli.sources import OF_LABELS, Reading, is_corpus, reads
from bayesift.errors import BadInput

if TYPE_CHECKING:
    from bayesift.classify import TextClassifier
    from bayesift.cli.predictions import Prediction

T = TypeVar("T")
BATCH = 256
NOT_WRITTEN = (".xlsx", ".xls", ".ods", ".parquet", ".feather", ".arrow")


@reads(*OF_LABELS)
def predict(
    model: o.Model,
    source: o.Source = "-",
    output: Annotated[
        Path | None,
        typer.Option("--output", help="Output file: a table if .csv or .tsv, else JSON lines. (default: stdout)"),
    ] = None,
    together: o.Together = False,
    every: Annotated[bool, typer.Option("--all", help="Write all probabilities. (default: 0.01 and above)")] = False,
    scheduler: o.Scheduler = None,
    *,
    reading: Reading,
) -> None:
    """Predict the labels of documents, with probabilities and a confidence."""
    from bayesift.cli.lazy_imports import postponed
    from bayesift.cli.outputs import PREDICTIONS, check_outputs
    from bayesift.corpora.document_files import is_many
    from bayesift.files import STDOUT

    to = output or Path(STDOUT)
    check_outputs((to, PREDICTIONS), inputs=(model, source))
    suffix = _checked_suffix(to)
    line_by_line = not (Path(source).is_file() or is_corpus(source) or is_many(source))
    if together and line_by_line:
        raise BadInput("--together needs all documents at once", remedy="pass a file, not a stream")
    with postponed():
        from bayesift.classify import load
        from bayesift.cli.predictions import TABLES, predicted

        classifier = load(model)
    if together:
        classifier.rule_together()  # raises if the model's rule decides one by one
    if every and suffix in TABLES:
        raise BadInput("--all has no effect on a table", path=output, remedy="remove --all, or write a .jsonl file")
    reading.remembered = classifier.reading_
    if scheduler is not None:
        if together or suffix in TABLES:
            what = "--together" if together else "a table"
            raise BadInput(f"--scheduler writes JSON lines, file by file, not {what}", remedy="leave one of them out")
        _on_cluster(classifier, source, scheduler, reading, every, to)
        return
    size = sys.maxsize if together else 1 if line_by_line else BATCH
    predictions = predicted(classifier, batches(reading.records(source), size), together, every)
    _write(to, suffix, predictions, classifier, reading, line_by_line)
    reading.note_skipped()


def _checked_suffix(to: Path) -> str:
    """Return the suffix of an output; raise `BadInput` if predictions are not written so."""
    from bayesift.corpora.layout import suffix_of

    suffix = suffix_of(to)
    if suffix in NOT_WRITTEN:
        remedy = "name a .csv or .tsv file, or a .jsonl file for JSON lines"
        raise BadInput(f"predictions are not written as {suffix}", path=to, remedy=remedy)
    return suffix


def _on_cluster(
    classifier: TextClassifier, source: str, scheduler: str, reading: Reading, every: bool, to: Path
) -> None:
    from bayesift.cli.on_cluster import predict_on_cluster
    from bayesift.files import write_compressed

    with write_compressed(to) as out:
        predict_on_cluster(classifier, source, scheduler, reading, every, out)


def _write(
    to: Path, suffix: str, predictions: Iterable[Prediction], classifier: TextClassifier, reading: Reading,
    line_by_line: bool,
) -> None:  # fmt: skip
    """Write a table or JSON lines, each of which is flushed if documents come one by one and are read elsewhere."""
    from bayesift.cli.predictions import TABLES, separator_for, write_lines, write_table
    from bayesift.files import STDOUT, is_stream, write_compressed

    with write_compressed(to) as out:
        if suffix in TABLES:
            usual = classifier.reading_.get("separator", ";")
            separator = separator_for(map(str, classifier.classes_), usual)
            write_table(out, predictions, reading.file, suffix, separator)
        else:
            at_once = line_by_line and (str(to) == STDOUT or is_stream(to))
            write_lines(out, predictions, at_once)


def batches(found: Iterable[T], size: int) -> Iterator[list[T]]:
    """Yield lists of at most so many."""
    rest = iter(found)
    while batch := list(islice(rest, size)):
        yield batch
