"""The files that a topic starts from: example documents, words with weights, a model's label, an exported topic."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from bayesift.cli.paths import check_file
from bayesift.corpora import Document
from bayesift.errors import BadInput, NotFound
from bayesift.filtering.feeds.folder import KINDS, text_document
from bayesift.filtering.feeds.limits import MB

if TYPE_CHECKING:
    from bayesift.filtering.store import Workspace

LARGEST = 10 * MB  # bytes of an example
EXPORT = "give a file of `bayesift filter topic export`"


def text_of(path: Path) -> Document:
    """Return a file as an example: text, HTML or a message; its name is its id."""
    data = _read(path)
    if b"\0" in data:
        raise BadInput("is not a text file", path=path, remedy="give text, HTML or a message (.eml)")
    found = KINDS.get(path.suffix.lower(), text_document)(data)
    if not found.title and not found.body:
        raise BadInput("has no text", path=path, remedy="give a file with text")
    return msgspec.structs.replace(found, id=path.name)


def words_of(path: Path, workspace: Workspace) -> dict[str, tuple[float, float]]:
    """Return the words of a file with mean and standard deviation of their weight, checked for a workspace."""
    from bayesift.filtering.stream_terms import StreamTerms
    from bayesift.filtering.text_settings import TextSettings
    from bayesift.filtering.topic_start import checked_word
    from bayesift.learn.priors import read_terms

    _check(path)
    terms = StreamTerms(TextSettings(**workspace.settings.filter).language)
    found: dict[str, tuple[float, float]] = {}
    others: dict[str, str] = {}
    for line, term, given in read_terms(path):
        try:
            word, pair = checked_word(terms, term, given, others)
        except BadInput as error:
            raise BadInput(error.reason, path=path, line=line, remedy=error.remedy) from None
        found[word] = pair
    if not found:
        raise BadInput("has no words", path=path, remedy="write a line per word: term,mean,scale")
    return found


def exported_topic(path: Path) -> Any:
    """Return the content of a file written by `topic export`."""
    from bayesift.filtering.topic_start import checked_export

    try:
        found = msgspec.json.decode(_read(path))
        checked_export(found)
    except msgspec.DecodeError as error:
        raise BadInput(f"not an exported topic: {error}", path=path, remedy=EXPORT) from None
    except BadInput as error:
        raise BadInput(error.reason, path=path, remedy=EXPORT) from None
    return found


def label_of(model: Path, label: str) -> tuple[Any, Any]:
    """Return a trained model and its label."""
    from bayesift.classify import load

    _check(model)
    classifier = load(model)
    known = classifier.classes_.tolist()
    found = next((name for name in known if str(name) == label), None)
    if found is None:
        some = ", ".join(map(str, known[:10])) + (" ..." if len(known) > 10 else "")
        raise NotFound(f"no label {label!r}", path=model, remedy=f"labels are: {some}")
    return classifier, found


def _check(path: Path) -> None:
    check_file(path, "check the name", "name a file")


def _read(path: Path) -> bytes:
    _check(path)
    if path.stat().st_size > LARGEST:
        raise BadInput(f"is larger than {LARGEST / MB:.0f} MB", path=path, remedy="give a shorter example")
    return path.read_bytes()
