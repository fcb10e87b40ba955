"""`bayesift split`: split a file into a training and a test file, stratified by label."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bayesift.cli import options as o
from bayesift.cli.messages import say
from bayesift.cli.sources import Reading, is_corpus, reads
from bayesift.errors import BadInput

if TYPE_CHECKING:
    from bayesift.corpora.records import Record

MOST_FOLDS = 100  # the fraction held out is rounded to one with at most this denominator


@reads("data", "split", "empty")
def split(
    source: o.Source,
    hold_out: Annotated[float, typer.Option("--hold-out", help="Fraction of documents to hold out.")] = 0.2,
    train: Annotated[
        Path | None, typer.Option("--train", help="Training file to write. (default: NAME.train.*)")
    ] = None,
    test: Annotated[
        Path | None, typer.Option("--test", help="Test file to write. (default: NAME.test.*)")
    ] = None,
    seed: o.Seed = 0,
    *,
    reading: Reading,
) -> None:
    """Split a file into a training and a test file, stratified by label.

    Rows are copied unchanged and keep their order.
    """
    import numpy as np

    from bayesift.arrays import label_matrix
    from bayesift.corpora.document_files import is_many
    from bayesift.decide.folds import stratified_folds

    if source == "-" or is_corpus(source) or is_many(source):
        what = "standard input" if source == "-" else f"the corpus {source}" if is_corpus(source) else "many files"
        raise BadInput(f"cannot split {what}", remedy="write it to a file first: bayesift corpus export DATA FILE")
    share = Fraction(hold_out).limit_denominator(MOST_FOLDS) if 0.0 < hold_out < 1.0 else Fraction(0)
    if not 0 < share < 1:
        most = 1.0 - 1.0 / MOST_FOLDS
        remedy = f"use a fraction from {1.0 / MOST_FOLDS:g} to {most:g}"
        raise BadInput(f"cannot hold out {hold_out:g} of the documents", remedy=remedy)
    outputs = [train or _named(source, "train"), test or _named(source, "test")]
    if outputs[0].resolve() == outputs[1].resolve():
        raise BadInput("is named for both parts", path=outputs[0], remedy="give --train and --test different names")
    for path in outputs:
        if path.exists():
            raise BadInput("already exists", path=path, remedy="choose another name or remove it")
        _check_format(path, source, reading.format)
    pairs = list(reading.records(source, labels=True))
    reading.note_skipped()
    if any(d.split for _, d in pairs):
        raise BadInput("already has a split", path=source, remedy="train and evaluate use it; remove it to split again")
    if len(pairs) < share.denominator:
        remedy = f"at least {share.denominator} are needed"
        raise BadInput(f"too few documents ({len(pairs)}) to hold out {share} of them", path=source, remedy=remedy)
    sets = [d.labels or () for _, d in pairs]
    names = sorted({c for labels in sets for c in labels})
    held = stratified_folds(label_matrix(sets, names), share.denominator, seed) < share.numerator
    for path, rows in zip(outputs, (np.flatnonzero(~held), np.flatnonzero(held))):
        _write(path, reading, [pairs[i][0] for i in rows.tolist()])
        say(f"{path}: {len(rows):,} documents")


def _named(source: str, part: str) -> Path:
    """Return the name of one part: news.csv.gz becomes news.train.csv.gz."""
    path = Path(source)
    endings = path.suffixes[-2:] if path.suffix in (".gz", ".zst") else path.suffixes[-1:]
    ending = "".join(endings)
    return path.with_name(f"{path.name.removesuffix(ending)}.{part}{ending}")


def _check_format(path: Path, source: str, given: str | None) -> None:
    """Raise if the name of an output tells another format than that of the source."""
    from bayesift.corpora.layout import known_format

    own, format = known_format(path), given or known_format(source)
    if own is None or format is None or own == format:
        return
    packed = path.suffix if path.suffix in (".gz", ".zst") else ""
    name = path.name.removesuffix(packed)
    better = path.with_name(f"{Path(name).stem}.{format}{packed}")
    what = f"is the name of a {own.upper()} file, but {source} is {format.upper()}"
    raise BadInput(what, path=path, remedy=f"rows are copied unchanged; name it {better}")


def _write(path: Path, reading: Reading, records: Sequence[Record]) -> None:
    from bayesift.files import write_compressed

    assert reading.file is not None
    rows = [record.raw.rstrip(b"\r\n") for record in records]
    with write_compressed(path) as out:
        if records and records[0].line is None:  # a JSON array
            out.write(b"[\n" + b",\n".join(rows) + b"\n]\n")
            return
        if reading.file.is_table:
            rows.insert(0, reading.file.header_line.rstrip(b"\r\n"))
        out.writelines(row + b"\n" for row in rows)
