"""The reader of documents for all verbs: from a file, standard input or a corpus."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeGuard

from bayesift.cli import options as o
from bayesift.cli.grouped_options import Decorator, takes
from bayesift.cli.messages import notice
from bayesift.cli.paths import check_source
from bayesift.cli.tally import SIDES, Tally, split_name
from bayesift.errors import BadInput

if TYPE_CHECKING:
    from bayesift.corpora import Document, Skipped
    from bayesift.corpora.document_file import DocumentFile
    from bayesift.corpora.layout import Layout
    from bayesift.corpora.records import Record

    Found = tuple[Record, Document, bool]  # and whether the document has an id of its own

TRAIN, TEST = "train", "test"
OF_FILES = ("format", "column", "delimiter", "separator", "empty", "skip_bad")
LARGE_FILE = 1 << 28  # bytes
HELD = 10_000  # documents that are read before it is clear that there is no split
OF_LABELS = ("separator", "empty")
SKIP_BAD = "--skip-bad leaves bad lines out"


@dataclass
class Reading:
    """Options for reading documents, the same for all verbs."""

    data: o.Data = None
    split: o.Split = None
    format: o.Format = None
    column: o.Column = None
    delimiter: o.Delimiter = None
    separator: o.Separator = None
    empty: o.Empty = None
    skip_bad: o.SkipBad = False
    remembered: Mapping[str, Any] = field(default_factory=dict, init=False)  # defaults, from a model
    others: tuple[str, ...] = field(default=(), init=False)  # further sources that the options may apply to
    file: DocumentFile | None = field(default=None, init=False)  # the last file read
    skipped: Skipped | None = field(default=None, init=False)
    tally: Tally = field(default_factory=Tally, init=False)  # of the last source read

    def stream(self, source: str) -> Iterator[Document]:
        """Yield documents without their labels, each as soon as it is read."""
        return (document for _, document in self.records(source))

    def records(
        self, source: str | list[str], *, labels: bool = False, dates: bool | None = None, split: str | None = None
    ) -> Iterator[tuple[Record, Document]]:
        """Yield each record with its document.

        If `dates` is not None, dates are converted to ISO 8601; an invalid date becomes None if `dates` is False and
        raises `BadInput` if it is True.
        """
        from bayesift.corpora import Skipped, load_corpus
        from bayesift.corpora.document_file import DocumentFile, with_dates
        from bayesift.corpora.document_files import all_files, is_many, read_files
        from bayesift.corpora.jsonl import fields_of
        from bayesift.corpora.records import Record, with_remedy

        for name in [source] if isinstance(source, str) else source:
            self.check(name, labels)
        tally = self.tally = Tally()
        if isinstance(source, str) and is_corpus(source):
            self.file = None
            documents = load_corpus(source, split=split or self.split, data=self.data).documents()
            return ((Record(n, None, fields_of(d), b""), d) for n, d in enumerate(documents, start=1))
        self.skipped = Skipped() if self.skip_bad else None
        layout = self.layout()

        def read(path: str | Path) -> Iterator[tuple[Record, Document]]:
            self.file = DocumentFile(path, layout, labels=labels, skipped=self.skipped)
            pairs = self.file if dates is None else with_dates(self.file, needed=dates)
            return tally.over(self.file, with_remedy(pairs, SKIP_BAD))

        if isinstance(source, str):
            return read_files(all_files([source]), read, self.skipped) if is_many(source) else read(source)
        return read_files(all_files(source), read, self.skipped)

    def labelled(self, source: str, side: str | None = None, *, dates: bool | None = None) -> list[Document]:
        """Return the labelled documents of one side of the split, or all of them if there is no split."""
        split = self._split_of(source) if side is not None and is_corpus(source) else None
        pairs = self.records(source, labels=True, dates=dates, split=split)
        documents = [(document, self._own_id(record)) for record, document in pairs]
        self.note_skipped()
        if not documents:
            raise BadInput("has no documents", path=source, remedy="pass a file with documents")
        splits = side is not None and any(split_name(d) in SIDES for d, _ in documents)
        labelled = [d for d, own in documents if self.tally.takes(d, side if splits else None, own)]
        self._check_side(source, side)
        if not labelled:
            self._no_labels(source)
        self.tally.notice()
        return labelled

    def labelled_stream(self, source: str | list[str], side: str, one_label: bool) -> Iterator[Any]:
        """Yield the labelled documents of one side of the split one at a time.

        With `one_label` they are dictionaries with a single label. What was left out is noted at the end.
        """
        from bayesift.classify.input_documents import only_label

        found = ((record, document, self._own_id(record)) for record, document in self.records(source, labels=True))
        held, splits = _until_split(found)
        for record, document, own_id in itertools.chain(held, found):
            if not splits and split_name(document) in SIDES:
                raise BadInput(
                    f"a split {document.split!r}, but the documents before have none", path=self._path,
                    line=record.line, remedy="give all documents a split, or none",
                )  # fmt: skip
            if self.tally.takes(document, side if splits else None, own_id):
                yield {**document.zones(), "labels": only_label(document)} if one_label else document
        self.note_skipped()
        self._check_side(source if isinstance(source, str) else ", ".join(source), side if splits else None)
        self.tally.notice()

    def _check_side(self, source: str, side: str | None) -> None:
        """Note the documents of neither split; raise if no document is on this side."""
        self.tally.notice_splits()
        if not self.tally.on_side and side is not None:
            raise BadInput(f"has no documents of split {side!r}", path=source, remedy="splits must be train or test")

    def _own_id(self, record: Record) -> bool:
        """Return whether a document has an id of its own; row numbers of several files are not compared."""
        return self.file is None or self.file.has_id(record)

    @property
    def _path(self) -> str | Path | None:
        return None if self.file is None else self.file.path

    def note_skipped(self) -> None:
        """Print the number of invalid lines that were skipped."""
        if self.skipped is not None and self.skipped.count:
            notice(str(self.skipped))

    def to_remember(self) -> dict[str, Any]:
        """Return the layout of the training file, which is stored in the model."""
        if self.file is None:  # a corpus, or files that others read
            columns = dict(pair_of(text) for text in self.column or ())
            return {"columns": columns} if columns else {}
        found = {"columns": dict(self.file.fields.named), "separator": self.file.separator}
        found |= {"delimiter": self.delimiter, "empty": self.empty}
        return {key: value for key, value in found.items() if value}

    def refuse_all(self, reason: str) -> None:
        """Raise `BadInput` if any option is given although nothing is read."""
        given = self._given([f.name for f in fields(self) if f.init])
        if given:
            raise BadInput(f"{given[0]} has no effect {reason}", remedy=f"remove {given[0]}")

    def check(self, source: str, labels: bool) -> None:
        """Raise if the source does not exist, or if an option has no effect on it."""
        check_source(source)
        if is_corpus(source) and Path(source).is_dir():
            notice(f"the corpus {source} is read; ./{source} is your folder")
        kinds = {is_corpus(name) for name in (source, *self.others)}
        idle = self._given(OF_FILES) if kinds == {True} else self._given(["data", "split"]) if kinds == {False} else []
        if idle:
            what = "a corpus" if is_corpus(source) else "a file"
            raise BadInput(f"{idle[0]} has no effect on {what}", path=source, remedy=f"remove {idle[0]}")
        if not labels and any(text.startswith("labels=") for text in self.column or ()):
            raise BadInput("--column labels=... has no effect: this command reads no labels", remedy="remove it")

    def layout(self) -> Layout:
        """Return the layout that the options give."""
        from bayesift.corpora.layout import Layout

        pairs = [pair_of(text) for text in self.column or ()]
        columns = dict(pairs)
        if len(columns) < len(pairs):
            raise BadInput("duplicate field in --column", remedy="name each field once")
        return Layout(self.format, columns, self.delimiter, self.separator, self.empty, self.remembered)

    def _given(self, names: Iterable[str]) -> list[str]:
        return ["--" + name.replace("_", "-") for name in names if getattr(self, name) not in (None, False, [], ())]

    def _no_labels(self, source: str) -> None:
        from bayesift.corpora.fields import how_to_name

        if self.file is None or not self.file.header:
            raise BadInput("has no labelled documents", path=source, remedy='add "labels": [...] to some documents')
        what = "column" if self.file.is_table else "field"
        name = self.file.fields.named.get("labels", "labels")
        if name in self.file.header:
            raise BadInput(f"the {what} {name!r} is empty in all documents", path=source, remedy="label some documents")
        names = ", ".join(self.file.header)
        remedy = f"{what}s are: {names}; {how_to_name('labels', self.file.header)}"
        raise BadInput(f"has no labelled documents: there is no {what} {name!r}", path=source, remedy=remedy)

    def _split_of(self, source: str) -> str | None:
        from bayesift.corpora.corpus import describe

        splits = describe(source.partition("/")[0]).splits
        if self.split is None and len(splits) > 1:
            raise BadInput("has several splits", path=source, remedy=f"choose one with --split: {', '.join(splits)}")
        return self.split or (splits[0] if splits else None)


def _until_split(found: Iterator[Found]) -> tuple[list[Found], bool]:
    """Return documents up to the first that is on a side, and whether there are sides.

    If the first document has no split, there are none. Other splits, such as `validation`, are left out beside sides
    and mean nothing without them.
    """
    held: list[Found] = []
    for one in itertools.islice(found, HELD):
        held.append(one)
        if split_name(one[1]) in SIDES:
            return held, True
        if not split_name(held[0][1]):
            break
    return held, False


def reads(*left_out: str) -> Decorator:
    """Replace the parameter `reading` of a verb by the options of `Reading`, except those left out."""
    return takes("reading", Reading, left_out)


def is_corpus(source: str) -> bool:
    """Return whether SOURCE names a corpus, and not a file, folder or pattern.

    A bare name is a corpus, also beside a folder of that name; `check` notes this.
    """
    from glob import has_magic

    from bayesift.corpora.catalogue import CATALOGUE

    if source.partition("/")[0] not in CATALOGUE or source.endswith("/") or has_magic(source):
        return False
    return not (Path(source).parent.is_dir() if "/" in source else Path(source).is_file())


def reads_at_once(source: str | list[str]) -> TypeGuard[str]:
    """Return whether all documents of a source are held in memory: not those of many files, or of a large one."""
    from bayesift.corpora.document_files import is_many

    if isinstance(source, list):
        return False
    if source == "-" or is_corpus(source):
        return True
    return not is_many(source) and Path(source).stat().st_size < LARGE_FILE


def pair_of(text: str, what: str = "FIELD=NAME") -> tuple[str, str]:
    """Return the two sides of the equals sign."""
    before, equals, after = text.partition("=")
    if not equals or not before or not after:
        raise BadInput(f"invalid value {text!r}", remedy=f"write it as {what}")
    return before, after
