"""`bayesift cross-validate`: measure settings by cross-validation."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from bayesift.cli import options as o
from bayesift.cli.messages import say
from bayesift.cli.settings import Settings, learns
from bayesift.cli.sources import TRAIN, Reading, reads


@reads()
@learns()
def cross_validate(
    source: o.Source,
    folds: Annotated[int, typer.Option("--folds", min=2, help="Number of folds.")] = 5,
    json: Annotated[Path | None, typer.Option("--json", help="JSON file to write.")] = None,
    *,
    settings: Settings,
    reading: Reading,
) -> None:
    """Measure settings by cross-validation, in folds stratified by label."""
    import numpy as np

    from bayesift.classify.cross_validation import by_fold
    from bayesift.classify.cross_validation import cross_validate as validated
    from bayesift.cli.outputs import FIGURES, check_outputs, table_console
    from bayesift.evaluate.report import PRESENT_F1

    check_outputs((json, FIGURES), inputs=(source, settings.unlabelled, settings.hierarchy))
    classifier = settings.classifier()
    settings.read_unlabelled(reading, [source], classifier)
    documents = reading.labelled(source, TRAIN)
    measured = validated(classifier, documents, settings.targets(documents), folds=folds, seed=settings.seed)
    report = measured.report(f"{folds}-fold cross-validation")
    table_console(json).print(report)
    summaries = [part.report().summary for part in by_fold(measured)]
    spread = [
        f"{name} {np.mean(values):.4f} ± {np.std(values, ddof=1):.4f}"
        for name in ("micro F1", PRESENT_F1)
        for values in [[summary[name] for summary in summaries if summary[name] == summary[name]]]
        if len(values) > 1
    ]
    say(f"mean over folds ± standard deviation: {', '.join(spread)}; the table pools all folds")
    if json is not None:
        report.write_json(json)
