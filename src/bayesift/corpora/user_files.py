"""Files of the user's own documents: JSON lines, a JSON array, CSV or TSV, plain or compressed, or standard input."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping
from pathlib import Path

from bayesift.corpora.document import Document
from bayesift.corpora.document_file import DocumentFile
from bayesift.corpora.layout import Layout
from bayesift.corpora.skipped import Skipped
from bayesift.errors import Notice


def read_documents(
    path: str | Path,
    *,
    format: str | None = None,
    columns: Mapping[str, str] | None = None,
    delimiter: str | None = None,
    separator: str | None = None,
    empty: str | None = None,
    skip_bad: bool = False,
    skipped: Skipped | None = None,
) -> Iterator[Document]:
    """Stream documents from PATH, or from standard input if it is `-`.

    Parameters
    ----------
    format : jsonl, json, csv or tsv; by default the file's name tells, and standard input is JSON lines.
    columns : the file's names of our fields, where they differ.
    delimiter, separator : of a table's cells and of the labels in a cell; by default they are detected.
    empty : what an empty labels cell means, "none" (no label applies, the default) or "unjudged".
    skip_bad : count bad lines in `skipped`, or warn about them at the end; by default one is an error.

    >>> import tempfile
    >>> file = Path(tempfile.mkdtemp(), "news.csv")
    >>> _ = file.write_text("headline,labels\\nRain again,weather;news\\n")
    >>> next(read_documents(file, columns={"title": "headline"}))
    Document(id='1', title='Rain again', body='', labels=('weather', 'news'), date=None, split=None)
    """
    counter = (skipped or Skipped()) if skip_bad else None
    layout = Layout(format, columns or {}, delimiter, separator, empty)
    documents = (document for _, document in DocumentFile(path, layout, skipped=counter))
    return _warning_at_end(documents, counter) if counter is not None and skipped is None else documents


def _warning_at_end(documents: Iterator[Document], counter: Skipped) -> Iterator[Document]:
    yield from documents
    if counter.count:
        warnings.warn(str(counter), Notice, stacklevel=2)
