"""`bayesift update`: train a model on more documents."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from bayesift.cli import options as o
from bayesift.cli.messages import say
from bayesift.cli.sources import TRAIN, Reading, reads

BATCH = 1000


@reads()
def update(
    model: o.Model,
    source: o.Source = "-",
    output: Annotated[
        Path | None, typer.Option("--output", help="Model file to write. (default: replace MODEL)")
    ] = None,
    *,
    reading: Reading,
) -> None:
    """Update a model with more labelled documents.

    Labels and words may be new. The file is replaced at the end, in one step.

    Another `update` or `train` of the same model waits until this one is done.
    """
    from bayesift.classify import load
    from bayesift.classify.input_documents import labels_of
    from bayesift.cli.outputs import MODEL, check_outputs, model_lock
    from bayesift.progress import track

    check_outputs((output, MODEL), inputs=(source,))
    with model_lock(output or model):
        classifier = load(model)
        reading.remembered = classifier.reading_
        before = len(classifier.classes_)
        documents = reading.labelled(source, TRAIN)
        targets = labels_of(documents, classifier.kind_ == "one")
        for begin in track(range(0, len(documents), BATCH), "learning"):
            classifier.partial_fit(documents[begin : begin + BATCH], targets[begin : begin + BATCH])
        classifier.calibrate().save(output or model)
    new = [str(label) if "," not in str(label) else repr(str(label)) for label in classifier.classes_[before:]]
    many = "document" if len(documents) == 1 else "documents"
    say(f"{len(documents):,} {many} learned" + (f"; new labels: {', '.join(new)}" if new else ""))
