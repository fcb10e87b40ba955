"""`bayesift train`: train a model on labelled documents."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Annotated

import typer

from bayesift.cli import options as o
from bayesift.cli.sources import TRAIN, Reading, notice, reads, reads_at_once, say


@reads()
def train(
    sources: o.Sources,
    model: Annotated[Path, typer.Argument(metavar="MODEL", help="Model file to write.")],
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
    scheduler: o.Scheduler = None,
    *,
    reading: Reading,
) -> None:
    """Train a model on labelled documents and write it to a file."""
    from bayesift.cli.outputs import MODEL, check_outputs, model_lock
    from bayesift.cli.settings import LabelsAbove, MoreText, Settings, Words

    check_outputs((model, MODEL), inputs=(*sources, stop_words, unlabelled, hierarchy))
    words = Words(language, stem, stop_words, keep_html)
    text = MoreText(meaning, unlabelled, label_rates)
    above = LabelsAbove(hierarchy, inconsistent)
    settings = Settings(learner, rule, target, words, ngrams, min_df, weight, one_label, prior_terms, text, seed, above)
    classifier = settings.classifier()
    source = sources[0] if len(sources) == 1 else sources
    text.read(reading, sources, classifier)
    with model_lock(model):
        start = time.perf_counter()
        if scheduler is not None:
            from bayesift.cli.on_cluster import fit_on_cluster

            fit_on_cluster(classifier, sources, scheduler, reading, one_label)
        elif reads_at_once(source):
            documents = reading.labelled(source, TRAIN)
            start = time.perf_counter()
            classifier.fit(documents, settings.targets(documents))
        else:
            classifier.fit(reading.labelled_stream(source, TRAIN, one_label))
        seconds = time.perf_counter() - start
        classifier.reading_ = reading.to_remember()
        classifier.save(model)
    terms = classifier.vectorizer_.vocabulary_.n_columns
    size = f"{classifier.n_documents_:,} documents, {len(classifier.classes_)} labels, {terms:,} terms"
    say(f"{size}, trained in {seconds:.1f} s")
    for name, share in classifier.meaning_weights_.items():
        say(f"meaning: {name}, " + (f"weight {share:g} beside words" if share else "not used: it does not help here"))
    few = [str(label) for label, n in zip(classifier.classes_, classifier.label_documents_) if n < 3]
    if few:
        more = f" and {len(few) - 8} more" if len(few) > 8 else ""
        notice(f"labels with fewer than 3 documents: {', '.join(few[:8])}{more}")
    if model.is_file():
        bytes_ = model.stat().st_size
        say(f"{model}: " + (f"{bytes_ / 1e6:.1f} MB" if bytes_ >= 1e6 else f"{bytes_ / 1e3:.0f} kB"))
