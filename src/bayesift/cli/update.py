"""`bayesift update`: teach a model more documents."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from bayesift.cli import options as o

BATCH = 1000


def update(
    model: o.Model,
    source: o.Source = "-",
    output: Annotated[
        Path | None, typer.Option("--output", help="Where to write the model. (default: in its place)")
    ] = None,
    data: o.Data = None,
    split: o.Split = None,
    format: o.Format = None,
    column: o.Column = None,
    separator: o.Separator = ";",
    skip_bad: o.SkipBad = False,
) -> None:
    """Learn more judged documents; labels and words may be new. The file is replaced when all is learned.

    Another `update` or `train` of the same model waits until this one is done.
    """
    from bayesift.classify import load
    from bayesift.cli.outputs import MODEL, check_outputs, model_lock
    from bayesift.cli.sources import TRAIN, Reading, say
    from bayesift.errors import BadInput
    from bayesift.progress import track

    check_outputs((output, MODEL), inputs=(source,))
    with model_lock(output or model):
        classifier = load(model)
        before = len(classifier.classes_)
        documents = Reading(data, split, format, column, separator, skip_bad).judged(source, TRAIN)
        targets = [d.labels or () for d in documents]
        if classifier.kind_ == "one":
            wrong = next((d for d in documents if len(d.labels or ()) != 1), None)
            if wrong is not None:
                raise BadInput(f"document {wrong.id!r} has not exactly one label, as the model's have", path=source)
            targets = [labels[0] for labels in targets]  # type: ignore[misc]
        for begin in track(range(0, len(documents), BATCH), "learning"):
            classifier.partial_fit(documents[begin : begin + BATCH], targets[begin : begin + BATCH])
        classifier.calibrate().save(output or model)
    new = [str(label) for label in classifier.classes_[before:]]
    many = "document" if len(documents) == 1 else "documents"
    say(f"{len(documents):,} {many} learned" + (f"; new labels: {', '.join(new)}" if new else ""))
