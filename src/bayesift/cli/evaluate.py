"""`bayesift evaluate`: how a model does on labelled documents, as a table, JSON and a page."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from bayesift.cli import options as o
from bayesift.cli.messages import say
from bayesift.cli.sources import TEST, TRAIN, Reading, reads


@reads()
def evaluate(
    model: o.Model,
    source: o.Source,
    report: Annotated[Path | None, typer.Option("--report", metavar="FILE.html", help="HTML report to write.")] = None,
    json: Annotated[Path | None, typer.Option("--json", help="JSON file to write.")] = None,
    training: Annotated[
        str | None, typer.Option("--training", metavar="DATA", help="Training documents, for a learning curve.")
    ] = None,
    together: o.Together = False,
    *,
    reading: Reading,
) -> None:
    """Measure a model on labelled documents that it has not learned from."""
    from bayesift.classify import load
    from bayesift.classify.evaluation import measure
    from bayesift.cli.outputs import FIGURES, PAGE, check_outputs, table_console

    check_outputs((report, PAGE), (json, FIGURES), inputs=(model, source, training))
    classifier = load(model)
    if together:
        classifier.rule_together()  # raises if the model's rule decides one by one
    reading.remembered = classifier.reading_
    reading.others = () if training is None else (training,)
    documents = reading.labelled(source, TEST)
    measured = measure(classifier, documents, together=together)
    found = measured.report(model.name)
    table_console(report, json).print(found)
    if json is not None:
        found.write_json(json)
    if report is not None:
        from bayesift.report import evaluation_page, learning_curve

        curve = None
        if training is not None:
            curve = learning_curve(classifier, reading.labelled(training, TRAIN), documents)
        evaluation_page(classifier, measured, title=f"{model.name} on {source}", curve=curve).write(report)
        say(f"report: {report}")
