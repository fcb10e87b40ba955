"""`bayesift cross-validate`: how well a setting does on one's own data, each document judged by a model without it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from bayesift.cli import options as o


def cross_validate(
    source: o.Source,
    folds: Annotated[int, typer.Option("--folds", min=2, help="How many parts; each is left out once.")] = 5,
    json: Annotated[Path | None, typer.Option("--json", help="Write the figures here.")] = None,
    learner: o.Learner = "multilabel",
    rule: o.Rule = None,
    stem: o.Stem = "english",
    stop_words: o.StopWords = "english",
    ngrams: o.Ngrams = 1,
    min_df: o.MinDf = 1,
    weight: o.Weight = None,
    one_label: o.OneLabel = False,
    knowledge: o.KnowledgeFiles = None,
    seed: o.Seed = 0,
    data: o.Data = None,
    split: o.Split = None,
    format: o.Format = None,
    column: o.Column = None,
    separator: o.Separator = ";",
    skip_bad: o.SkipBad = False,
) -> None:
    """Measure a setting by cross-validation, in folds that share out rare labels."""
    import numpy as np
    from sklearn.base import clone

    from bayesift.classify.targets import label_matrix
    from bayesift.cli.outputs import FIGURES, check_outputs, table_console
    from bayesift.cli.settings import Settings
    from bayesift.cli.sources import TRAIN, Reading, say
    from bayesift.decide import stratified_folds
    from bayesift.evaluate import Report, f_measure
    from bayesift.progress import track

    check_outputs((json, FIGURES), inputs=(source,))
    settings = Settings(learner, rule, stem, stop_words, ngrams, min_df, weight, one_label, knowledge, seed)
    classifier = settings.classifier()
    documents = Reading(data, split, format, column, separator, skip_bad).judged(source, TRAIN)
    settings.targets(documents)
    names = sorted({c for d in documents for c in d.labels or ()})
    truth = label_matrix([d.labels or () for d in documents], {c: i for i, c in enumerate(names)})
    fold = stratified_folds(truth, folds, seed)
    decisions, p = np.zeros(truth.shape, bool), np.zeros(truth.shape)
    scores = []
    for k in track(range(folds), "folds"):
        train = [d for d, f in zip(documents, fold) if f != k]
        held = np.flatnonzero(fold == k)
        model = clone(classifier).fit(train, settings.targets(train))
        columns = np.array([names.index(c) for c in model.classes_])
        p_held, given = model.decisions([documents[i] for i in held.tolist()])
        decisions[np.ix_(held, columns)], p[np.ix_(held, columns)] = given, p_held
        scores.append([f_measure(truth[held], decisions[held], a) for a in ("micro", "macro")])
    report = Report.of(truth, decisions, p, labels=names, name=f"{folds}-fold cross-validation")
    table_console(json).print(report)
    mean, sd = np.mean(scores, axis=0), np.std(scores, axis=0, ddof=1)
    say(f"micro F1 {mean[0]:.4f} ± {sd[0]:.4f}, macro F1 {mean[1]:.4f} ± {sd[1]:.4f} over folds")
    if json is not None:
        report.write_json(json)
