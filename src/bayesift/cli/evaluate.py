"""`bayesift evaluate`: how a model does on judged documents, as a table, JSON and a page."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from bayesift.cli import options as o


def evaluate(
    model: o.Model,
    source: o.Source,
    report: Annotated[Path | None, typer.Option("--report", metavar="FILE.html", help="Write a page here.")] = None,
    json: Annotated[Path | None, typer.Option("--json", help="Write the figures here.")] = None,
    training: Annotated[
        str | None, typer.Option("--training", metavar="DATA", help="For a learning curve: what it was trained on.")
    ] = None,
    together: o.Together = False,
    data: o.Data = None,
    split: o.Split = None,
    format: o.Format = None,
    column: o.Column = None,
    separator: o.Separator = ";",
    skip_bad: o.SkipBad = False,
) -> None:
    """Measure a model on judged documents it has not learned from."""
    from bayesift.classify import load
    from bayesift.cli.outputs import FIGURES, PAGE, check_outputs, table_console
    from bayesift.cli.sources import TEST, TRAIN, Reading, say

    check_outputs((report, PAGE), (json, FIGURES), inputs=(model, source, training))
    classifier = load(model)
    reading = Reading(data, split, format, column, separator, skip_bad)
    documents = reading.judged(source, TEST)
    found = classifier.evaluate(documents, together=together, name=model.name)
    table_console(report, json).print(found)
    if json is not None:
        found.write_json(json)
    if report is not None:
        from bayesift.report import evaluation_page, learning_curve

        curve = None
        if training is not None:
            curve = learning_curve(classifier, reading.judged(training, TRAIN), documents)
        page = evaluation_page(classifier, documents, together=together, title=f"{model.name} on {source}", curve=curve)
        page.write(report)
        say(f"report: {report}")
