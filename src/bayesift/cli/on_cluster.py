"""`--scheduler`: train and predict on a Dask cluster."""

from __future__ import annotations

from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from bayesift.cli.messages import notice, say
from bayesift.cli.sources import TRAIN, Reading, is_corpus
from bayesift.errors import BadInput

if TYPE_CHECKING:
    from bayesift.classify import TextClassifier


def fit_on_cluster(
    classifier: TextClassifier, sources: list[str], scheduler: str, reading: Reading, one_label: bool
) -> None:
    """Let the workers of a cluster learn the files of some sources."""
    from bayesift.cluster.classifier import DaskTextClassifier
    from bayesift.cluster.connection import connected
    from bayesift.cluster.partitions import Reader

    for source in sources:
        _check(source)
    DaskTextClassifier.around(classifier).check()
    reader = Reader(reading.layout(), reading.skip_bad, TRAIN, one_label)
    with connected(scheduler) as client:
        _say_where(client)
        DaskTextClassifier.around(classifier, client).fit(sources, reader=reader)


def predict_on_cluster(
    classifier: TextClassifier, source: str, scheduler: str, reading: Reading, every: bool, out: IO[bytes]
) -> None:
    """Write the predictions for the files of a source as JSON lines, file by file."""
    from bayesift.cluster.connection import connected
    from bayesift.cluster.documents import sources_of
    from bayesift.progress import track

    _check(source)
    layout, bad, first = reading.layout(), 0, ""
    with connected(scheduler) as client:
        _say_where(client)
        model = client.submit(_same, classifier, pure=False)
        files = sources_of(source, client)
        how = layout, every, reading.skip_bad
        tasks = [client.submit(predict_file, model, path, *how, pure=False) for path in files]
        for number in track(range(len(tasks)), "files"):
            lines, skipped, why = tasks[number].result()
            out.write(lines)
            tasks[number] = None  # the worker may forget it
            bad, first = bad + skipped, first or why
    if bad:
        notice(f"{bad:,} bad lines or files skipped, first: {first}")


def predict_file(model: TextClassifier, path: Path, layout: Any, every: bool, skip_bad: bool) -> tuple[bytes, int, str]:
    """Return the predictions for one file as JSON lines, and what was skipped."""
    import io

    from bayesift.cli.predict import BATCH, batches
    from bayesift.cli.predictions import predicted, write_lines
    from bayesift.corpora import Skipped
    from bayesift.corpora.document_file import DocumentFile
    from bayesift.corpora.document_files import read_files

    skipped = Skipped() if skip_bad else None
    out = io.BytesIO()
    pairs = read_files([path], lambda name: DocumentFile(name, layout, labels=False, skipped=skipped), skipped)
    write_lines(out, predicted(model, batches(pairs, BATCH), False, every), False)
    count = skipped.count if skipped is not None else 0
    return out.getvalue(), count, str(skipped.first[0]) if skipped is not None and count else ""


def _same(model: TextClassifier) -> TextClassifier:
    return model


def _check(source: str) -> None:
    if source == "-" or is_corpus(source):
        what = "standard input" if source == "-" else f"the corpus {source}"
        raise BadInput(f"the workers of a cluster cannot read {what}", remedy="give files that all of them can read")


def _say_where(client: Any) -> None:
    if client.dashboard_link:
        say(f"dashboard: {client.dashboard_link}")
