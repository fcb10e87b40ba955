"""`bayesift train`: train a model on labelled documents."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bayesift.cli import options as o
from bayesift.cli.messages import notice, say
from bayesift.cli.settings import Settings, learns
from bayesift.cli.sources import TRAIN, Reading, reads, reads_at_once

if TYPE_CHECKING:
    from bayesift.classify import TextClassifier


@reads()
@learns()
def train(
    sources: o.Sources,
    model: Annotated[Path, typer.Argument(metavar="MODEL", help="Model file to write.")],
    *,
    settings: Settings,
    scheduler: o.Scheduler = None,
    reading: Reading,
) -> None:
    """Train a model on labelled documents and write it to a file."""
    from bayesift.cli.outputs import MODEL, check_outputs, model_lock

    check_outputs((model, MODEL), inputs=(*sources, settings.stop_words, settings.unlabelled, settings.hierarchy))
    classifier = settings.classifier()
    settings.read_unlabelled(reading, sources, classifier)
    with model_lock(model):
        seconds = _fit(classifier, sources, settings, scheduler, reading)
        classifier.reading_ = reading.to_remember()
        classifier.save(model)
    _say_result(classifier, model, seconds)


def _fit(
    classifier: TextClassifier, sources: list[str], settings: Settings, scheduler: str | None, reading: Reading
) -> float:
    """Fit a classifier to the documents of sources, and return the seconds that it took.

    Where documents are read one by one or by a cluster, that counts, too.
    """
    source = sources[0] if len(sources) == 1 else sources
    start = time.perf_counter()
    if scheduler is not None:
        from bayesift.cli.on_cluster import fit_on_cluster

        fit_on_cluster(classifier, sources, scheduler, reading, settings.one_label)
    elif reads_at_once(source):
        documents = reading.labelled(source, TRAIN)
        start = time.perf_counter()
        classifier.fit(documents, settings.targets(documents))
    else:
        classifier.fit(reading.labelled_stream(source, TRAIN, settings.one_label))
    return time.perf_counter() - start


def _say_result(classifier: TextClassifier, model: Path, seconds: float) -> None:
    """Print what was learned, from how much, and the size of the file."""
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
