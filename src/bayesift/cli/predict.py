"""`bayesift predict`: labels for a file or an endless stream, one JSON line a document.

A file is read in batches. Standard input and pipes are answered line by line: a document's line is written and
flushed before the next one is read, and nothing is kept of it.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from bayesift.cli import options as o

if TYPE_CHECKING:
    from bayesift.classify import TextClassifier
    from bayesift.corpora import Document

BATCH = 256
SHOWN = 0.01  # probabilities below this are left out unless asked for


def predict(
    model: o.Model,
    source: o.Source = "-",
    output: Annotated[Path | None, typer.Option("--output", help="Where to; .gz, .zst. (default: stdout)")] = None,
    together: o.Together = False,
    every: Annotated[bool, typer.Option("--all", help="Give all probabilities. (default: those from 0.01 on)")] = False,
    data: o.Data = None,
    split: o.Split = None,
    format: o.Format = None,
    column: o.Column = None,
    separator: o.Separator = ";",
    skip_bad: o.SkipBad = False,
) -> None:
    """Label documents: JSON lines with id, labels, probabilities and confidence."""
    from bayesift.cli.light import postponed
    from bayesift.cli.outputs import PREDICTIONS, check_outputs
    from bayesift.cli.sources import Reading
    from bayesift.errors import BadInput
    from bayesift.files import STDOUT, is_stream, write_compressed

    to = output or Path(STDOUT)
    check_outputs((to, PREDICTIONS), inputs=(model, source))
    is_file = Path(source).is_file()
    if together and not is_file:
        raise BadInput("--together needs all documents at once", remedy="give a file, not a stream")
    with postponed():
        from bayesift.classify import load

        classifier = load(model)
    reading = Reading(data, split, format, column, separator, skip_bad)
    size = sys.maxsize if together else BATCH if is_file else 1
    at_once = str(to) == STDOUT or is_stream(to)
    with write_compressed(to) as out:
        for batch in _batches(reading.stream(source), size):
            for line in _lines(classifier, batch, together, every):
                out.write(line)
            if at_once:
                out.flush()
    reading.tell_skipped()


def _lines(classifier: TextClassifier, batch: list[Document], together: bool, every: bool) -> Iterator[bytes]:
    import msgspec
    import numpy as np

    names = [str(label) for label in classifier.classes_]
    p, decisions = classifier.decisions(batch, together=together)
    right = np.where(decisions, p, 1.0 - p).min(axis=1)
    for i, document in enumerate(batch):
        order = np.argsort(-p[i], kind="stable")
        shown = order if every else order[(p[i][order] >= SHOWN) | decisions[i][order]]
        line: dict[str, Any] = {
            "id": document.id,
            "labels": [names[c] for c in order if decisions[i, c]],
            "probabilities": {names[c]: round(float(p[i, c]), 6) for c in shown},
            "confidence": round(float(right[i]), 6),
        }
        yield msgspec.json.encode(line) + b"\n"


def _batches(documents: Iterable[Document], size: int) -> Iterator[list[Document]]:
    found = iter(documents)
    while batch := list(islice(found, size)):
        yield batch
