"""Reuters-21578, Distribution 1.0: SGML in Latin-1, from the tar.gz or the unpacked folder, one story at a time.

A story is `<REUTERS TOPICS=.. LEWISSPLIT=.. NEWID=..> .. </REUTERS>`. The reader allows what the files contain: further
attributes (CSECS), several UNKNOWN elements, control characters as entities (`&#3;` ends every text), dates followed by
stray characters, a text without BODY. TEXT TYPE="UNPROC" has no markup: all of it is the body.
TYPE="BRIEF" is a headline: the rest beside its TITLE is asterisks and filler, and is dropped.

Splits, as the README that comes with the corpus defines them from the attributes alone:
  modapte   LEWISSPLIT TRAIN or TEST, TOPICS="YES"
  modlewis  LEWISSPLIT TRAIN or TEST, TOPICS="YES" or "NO"
  r90       modapte, only stories that have one of its labels
Within a split, labels without a story on both sides are dropped.
"""

from __future__ import annotations

import re
import tarfile
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path

import msgspec

from bayesift.corpora.document import TEST, TRAIN, Document
from bayesift.errors import BadInput, NotFound
from bayesift.files import open_bytes

KINDS = ("topics", "places", "people", "orgs", "exchanges")
SPLITS = ("modapte", "modlewis", "r90")

_STORY = re.compile(r"\s*(?:<!DOCTYPE[^>]*>\s*)?(?:<REUTERS ([^>]*)>(.*?)</REUTERS>)?", re.S)
_ATTRIBUTE = re.compile(r'(\w+)="([^"]*)"')
_ENTITY = re.compile(r"&(?:#(\d+)|(lt|gt|amp));|[\x00-\x08\x0b-\x1f\x7f]")
_DATE = re.compile(r"\s*(\d{1,2})-([A-Z]{3})-(\d{4})(?: (\d\d:\d\d:\d\d)\.\d\d)?")
_TEXT = re.compile(r'<TEXT(?: TYPE="(\w+)")?>(.*)</TEXT>', re.S)
_LISTS = {kind: re.compile(f"<{kind.upper()}>(.*?)</{kind.upper()}>", re.S) for kind in KINDS}
_ITEM = re.compile(r"<D>(.*?)</D>", re.S)
_TITLE = re.compile(r"<TITLE>(.*?)</TITLE>", re.S)
_BODY = re.compile(r"<BODY>(.*)</BODY>", re.S)
_MONTHS = ("JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC")
_NAMED = {"lt": "<", "gt": ">", "amp": "&"}


class Story(msgspec.Struct, frozen=True):
    """Story with the attributes that define the splits: `lewis` is LEWISSPLIT and `judged` is TOPICS."""

    id: str
    title: str
    body: str
    date: str
    lewis: str
    judged: str
    labels: dict[str, tuple[str, ...]]  # by kind: topics, places, ...


def read_reuters(path: str | Path) -> Iterator[Story]:
    """Yield all stories from the tar.gz, a folder of `reut2-*.sgm`, or one such file, in the order of the files."""
    path = Path(path)
    for name, text in _files(path):
        yield from _stories(name, text)


def reuters_documents(stories: Iterable[Story], split: str | None = None, kind: str = "topics") -> Iterator[Document]:
    """Yield documents with the labels of one kind, of one split or (None) all of them."""
    if split is None:
        yield from (_document(story, story.labels[kind], None) for story in stories)
        return
    judged = ("YES", "NO") if split == "modlewis" else ("YES",)
    chosen = [s for s in stories if s.lewis in ("TRAIN", "TEST") and s.judged in judged]
    sides = {side: {x for s in chosen if s.lewis == side for x in s.labels[kind]} for side in ("TRAIN", "TEST")}
    both = sides["TRAIN"] & sides["TEST"]
    for story in chosen:
        labels = tuple(x for x in story.labels[kind] if x in both)
        if labels or split != "r90":
            yield _document(story, labels, TRAIN if story.lewis == "TRAIN" else TEST)


def _document(story: Story, labels: tuple[str, ...], side: str | None) -> Document:
    return Document(story.id, story.title, story.body, labels, story.date, side)


def _files(path: Path) -> Iterator[tuple[str, str]]:
    if path.is_dir():
        names = sorted(path.glob("reut2-*.sgm"))
        if not names:
            raise NotFound("has no reut2-*.sgm files", path=path, remedy="unpack reuters21578.tar.gz into it")
        for name in names:
            yield str(name), _latin1(name)
    elif path.suffix == ".sgm":
        yield str(path), _latin1(path)
    elif not path.exists():
        raise NotFound("no such file", path=path, remedy="check the name")
    else:
        yield from _tar_files(path)


def _latin1(path: Path) -> str:
    with open_bytes(path) as stream:
        return stream.read().decode("latin-1")


def _tar_files(path: Path) -> Iterator[tuple[str, str]]:
    try:
        with tarfile.open(path, "r|*") as archive:
            for member in archive:
                name = Path(member.name).name
                stream = archive.extractfile(member) if re.fullmatch(r"reut2-\d+\.sgm", name) else None
                if stream is not None:
                    yield f"{path}/{name}", stream.read().decode("latin-1")
    except (tarfile.TarError, EOFError, OSError, zlib.error) as error:
        raise BadInput(f"damaged archive: {error}", path=path, remedy="download it again") from error


def _stories(name: str, text: str) -> Iterator[Story]:
    at = 0
    while at < len(text):
        match = _STORY.match(text, at)
        assert match is not None  # every part of the pattern is optional
        if match[1] is None and match.end() < len(text):
            what = (
                "<REUTERS> without </REUTERS>" if text.startswith("<REUTERS", match.end()) else "not a <REUTERS> story"
            )
            raise BadInput(what, path=name, line=_line(text, match.end()), remedy="download the corpus again")
        if match[1] is not None:
            try:
                yield _story(dict(_ATTRIBUTE.findall(match[1])), match[2])
            except (KeyError, ValueError) as error:
                reason = f"no {error.args[0]}" if isinstance(error, KeyError) else str(error)
                raise BadInput(f"story: {reason}", path=name, line=_line(text, match.start(1))) from None
        at = match.end()


def _story(attributes: dict[str, str], inside: str) -> Story:
    found = _TEXT.search(inside)
    if found is None:
        raise KeyError("<TEXT>")
    type_, text = found.groups()
    head = inside[: found.start()]
    title, body = _TITLE.search(text), _BODY.search(text)
    if body is not None:
        content = body[1]
    else:
        content = "" if type_ == "BRIEF" else _TITLE.sub("", text)
    lewis, judged = attributes["LEWISSPLIT"], attributes["TOPICS"]
    if lewis not in ("TRAIN", "TEST", "NOT-USED") or judged not in ("YES", "NO", "BYPASS"):
        raise ValueError(f'unknown LEWISSPLIT="{lewis}" or TOPICS="{judged}"')
    return Story(
        attributes["NEWID"],
        clean(title[1]) if title else "",
        clean(content),
        _date(head),
        lewis,
        judged,
        {kind: _items(kind, head) for kind in KINDS},
    )


def _items(kind: str, head: str) -> tuple[str, ...]:
    found = _LISTS[kind].search(head)
    if found is None:
        raise KeyError(f"<{kind.upper()}>")
    return tuple(dict.fromkeys(_ITEM.findall(found[1])))


def _date(head: str) -> str:
    start = head.find("<DATE>")
    found = _DATE.match(head, start + 6) if start >= 0 else None
    if found is None or found[2] not in _MONTHS:
        raise KeyError("<DATE> like 26-FEB-1987 15:01:01.79")
    day = f"{found[3]}-{_MONTHS.index(found[2]) + 1:02}-{int(found[1]):02}"
    return f"{day}T{found[4]}" if found[4] else day


def clean(text: str) -> str:
    """Return the text with entities resolved; a control character becomes a space.

    >>> clean("A&lt;B> &amp; C.&#3;")
    'A<B> & C.'
    """
    return _ENTITY.sub(_resolve, text).strip()


def _resolve(match: re.Match[str]) -> str:
    if match[2]:
        return _NAMED[match[2]]
    number = int(match[1] or 0)
    return chr(number) if 32 <= number <= 0x10FFFF and number != 127 else " "


def _line(text: str, at: int) -> int:
    return text.count("\n", 0, at) + 1
