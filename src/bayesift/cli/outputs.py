"""Checks of output files, made before any data are read.

An existing file is replaced only by a file of the same kind, which is recognised by its first bytes.
"""

from __future__ import annotations

import contextlib
import os
import re
import stat
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from bayesift.errors import BadInput, BayesiftError
from bayesift.files import STDOUT, is_stream, open_bytes
from bayesift.locks import locked
from bayesift.terminal import console, one_line

if TYPE_CHECKING:
    from rich.console import Console

HEAD = 1 << 16  # decompressed bytes from which a file's kind is recognised
TABLE = {"labels", "probabilities", "confidence"}  # columns of predictions in a table


class Kind(NamedTuple):
    """Kind of file: its name in messages, and a test of the first bytes of a file."""

    name: str
    matches: Callable[[bytes], bool]


def _is_model(head: bytes) -> bool:
    from bayesift.model_file import is_model

    return is_model(head)


def _keys(head: bytes) -> set[str]:
    """Return the keys of a JSON object that are in its first bytes."""
    return {key.decode() for key in re.findall(rb'"(\w+)" ?:', head)} if head.startswith(b"{") else set()


def _is_table(head: bytes) -> bool:
    return set(re.split(r'[,;\t|"]', head.split(b"\n")[0].decode(errors="replace").strip())) >= TABLE


MODEL = Kind("a model file", _is_model)
PAGE = Kind("an HTML page of bayesift", lambda head: b'<meta name="generator" content="bayesift">' in head)
FIGURES = Kind(
    "a file of figures",
    lambda head: any(
        _keys(head) >= keys
        for keys in ({"name", "documents", "summary"}, {"names", "micro", "macro"}, {"name", "corpus", "rows"})
    ),
)
PREDICTIONS = Kind(
    "a file of predictions", lambda head: _keys(head) >= {"id", "labels", "probabilities"} or _is_table(head)
)
DOCUMENTS = Kind(
    "a file of exported documents",
    lambda head: head.startswith(b'{"id":"') and bool(_keys(head) & {"body", "terms"}),
)
EVENTS = Kind("a log of events", lambda head: _keys(head) >= {"type", "topic", "document"})
TOPIC = Kind("an exported topic", lambda head: _keys(head) >= {"format", "topic", "examples"})
EXPORT = Kind("an exported workspace", lambda head: b'"bayesift workspace"' in head.split(b"\n")[0])
REVIEW = Kind("an exported review", lambda head: b'"bayesift review"' in head.split(b"\n")[0])
RECORDS_RIS = Kind("a file of exported records", lambda head: b"\nN1  - ASReview_" in head)
RECORDS_CSV = Kind("a table of exported records", lambda head: b"asreview_label,included" in head.split(b"\n")[0])
ANNOTATIONS = Kind(
    "a file of an annotation tool",
    lambda head: any(_keys(head) >= keys for keys in ({"text", "options"}, {"id", "text"}, {"fields", "responses"})),
)
ONNX = Kind("an ONNX file of bayesift", lambda head: b"bayesift" in head[:16])
JAVASCRIPT = Kind("a JavaScript file of bayesift", lambda head: head.startswith(b"// A text classifier of bayesift"))
RESULTS = Kind("a file of results", lambda head: head.startswith(b"# Results\n"))


def check_outputs(*outputs: tuple[Path | None, Kind], inputs: Iterable[str | Path | None] = ()) -> None:
    """Raise `BadInput` unless each output can be written; a path of None is ignored.

    >>> import tempfile
    >>> mine = Path(tempfile.mkdtemp(), "mine.csv")
    >>> _ = mine.write_text("text,labels\\n")
    >>> try: check_outputs((mine, MODEL))
    ... except BadInput as error: print(error.reason)
    already exists and is not a model file
    """
    read = [_identity(source, 0) for source in inputs if source is not None]
    written: set[object] = set()
    for path, kind in outputs:
        if path is None:
            continue
        identity = _identity(path, 1)
        if identity is not None and identity in read:
            raise BadInput("is both input and output", path=path, remedy="choose another name for the output")
        if identity is not None and identity in written:
            raise BadInput("is used for two outputs", path=path, remedy="choose two different names")
        written.add(identity)
        if str(path) == STDOUT:
            if kind is MODEL and sys.stdout.isatty():
                raise BadInput("cannot write a model to a terminal", remedy="name a file, or redirect the output")
        elif not is_stream(path):
            _check_file(path, kind)


def _check_file(path: Path, kind: Kind) -> None:
    if path.is_dir():
        raise BadInput("is a directory", path=path, remedy="name a file")
    target = Path(os.path.realpath(path))
    if not target.parent.is_dir():
        raise BadInput("is in a folder that does not exist", path=path, remedy="create it or choose another name")
    if not os.access(target if target.exists() else target.parent, os.W_OK):
        raise BadInput("cannot be written: permission denied", path=path, remedy="choose another name")
    if target.exists() and target.stat().st_size and not kind.matches(_head(target)):
        remedy = "choose another name or remove it"
        raise BadInput(f"already exists and is not {kind.name}", path=path, remedy=remedy)


def _head(path: Path) -> bytes:
    try:
        with open_bytes(path) as stream:
            return stream.read(HEAD)
    except BayesiftError:  # such as a damaged compressed file
        return b""


def _identity(path: str | Path, descriptor: int) -> object:
    """Return an identity that all names of one file share, or None for a device or a pipe; `-` is the descriptor."""
    is_open = str(path) == STDOUT
    try:
        found = os.fstat(descriptor) if is_open else Path(path).stat()
    except OSError:
        return None if is_open else os.path.realpath(path)
    if stat.S_ISREG(found.st_mode):
        return found.st_dev, found.st_ino
    return STDOUT if is_open and descriptor == 1 else None


@contextlib.contextmanager
def model_lock(path: Path) -> Iterator[None]:
    """Lock a model file while it is read, changed and written; wait if another command holds the lock."""
    if str(path) == STDOUT or is_stream(path):
        yield
        return
    text = f"bayesift: waiting for another command that writes {path}"
    with locked(path, lambda: print(one_line(text), file=sys.stderr, flush=True)):
        yield


def table_console(*outputs: Path | None) -> Console:
    """Return the console for a table: standard output, or standard error if other output goes to `-`."""
    return console(stderr=any(str(path) == STDOUT for path in outputs), soft_wrap=True)
