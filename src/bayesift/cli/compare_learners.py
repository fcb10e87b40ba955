"""`bayesift compare-learners`: measure all learners on the same held-out documents."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from bayesift.cli import options as o
from bayesift.cli.messages import notice, say
from bayesift.cli.settings import Settings, learns
from bayesift.cli.sources import TRAIN, Reading, reads


@reads()
@learns(only=("rule", "language", "stem", "stop_words", "ngrams", "min_df", "one_label", "seed"))
def compare_learners(
    source: o.Source,
    learner: Annotated[
        list[str] | None,
        typer.Option("--learner", help="Learner to compare; may be given several times. (default: all that are fast)"),
    ] = None,
    folds: Annotated[
        int | None, typer.Option("--folds", min=2, help="Folds of a cross-validation. (default: hold out a fifth)")
    ] = None,
    json: Annotated[Path | None, typer.Option("--json", help="JSON file to write.")] = None,
    *,
    settings: Settings,
    reading: Reading,
) -> None:
    """Compare learners on your documents: F1, calibration error, seconds and model size."""
    from bayesift.cli.outputs import FIGURES, check_outputs, table_console

    check_outputs((json, FIGURES), inputs=(source, settings.stop_words))
    from bayesift.classify.compare_learners import compare_learners as compared
    from bayesift.classify.compare_learners import too_large
    from bayesift.learn.registry import LEARNERS

    tried = {name: replace(settings, learner=name).classifier() for name in dict.fromkeys(learner or LEARNERS)}
    documents = reading.labelled(source, TRAIN)
    targets = settings.targets(documents)
    if learner is None:
        labels = len({label for d in documents for label in d.labels or ()})
        for name, why in too_large(tried, len(documents), labels).items():
            notice(f"{name} is skipped: {why}")
            del tried[name]
    found = compared(documents, targets, learners=tried, folds=folds, seed=settings.seed)
    table_console(json).print(found.table().rich())
    say(f"choose {found.choice}: {found.reason}")
    if json is not None:
        import msgspec

        from bayesift.files import write_whole

        with write_whole(json) as out:
            out.write(msgspec.json.format(msgspec.json.encode(found.to_dict())) + b"\n")
