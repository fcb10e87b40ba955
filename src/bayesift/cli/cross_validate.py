"""`bayesift cross-validate`: measure settings by cross-validation."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from bayesift.cli import options as o
from bayesift.cli.sources import TRAIN, Reading, reads, say


@reads()
def cross_validate(
    source: o.Source,
    folds: Annotated[int, typer.Option("--folds", min=2, help="Number of folds.")] = 5,
    json: Annotated[Path | None, typer.Option("--json", help="JSON file to write.")] = None,
    learner: o.Learner = "multilabel",
    rule: o.Rule = None,
    target: o.Target = None,
    language: o.Language = "english",
    stem: o.Stem = None,
    stop_words: o.StopWords = None,
    keep_html: o.KeepHtml = False,
    ngrams: o.Ngrams = 1,
    min_df: o.MinDf = 1,
    weight: o.Weight = None,
    one_label: o.OneLabel = False,
    prior_terms: o.PriorTermFiles = None,
    meaning: o.Meaning = None,
    unlabelled: o.Unlabelled = None,
    label_rates: o.LabelRates = None,
    hierarchy: o.Hierarchy = None,
    inconsistent: o.Inconsistent = False,
    seed: o.Seed = 0,
    *,
    reading: Reading,
) -> None:
    """Measure settings by cross-validation, in folds stratified by label."""
    import numpy as np

    from bayesift.classify.cross_validation import by_fold
    from bayesift.classify.cross_validation import cross_validate as validated
    from bayesift.cli.outputs import FIGURES, check_outputs, table_console
    from bayesift.cli.settings import LabelsAbove, MoreText, Settings, Words
    from bayesift.evaluate.report import PRESENT_F1

    check_outputs((json, FIGURES), inputs=(source, unlabelled, hierarchy))
    words = Words(language, stem, stop_words, keep_html)
    text = MoreText(meaning, unlabelled, label_rates)
    above = LabelsAbove(hierarchy, inconsistent)
    settings = Settings(learner, rule, target, words, ngrams, min_df, weight, one_label, prior_terms, text, seed, above)
    classifier = settings.classifier()
    text.read(reading, [source], classifier)
    documents = reading.labelled(source, TRAIN)
    measured = validated(classifier, documents, settings.targets(documents), folds=folds, seed=seed)
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
