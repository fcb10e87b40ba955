"""OHSUMED as TREC-9 used it: documents in `.I/.U/.S/.M/.T/.P/.W/.A` fields, topic statements, and judgements (qrels).

A document begins with `.I number`; every other tag is alone on its line and the next line holds the field:
  .U MEDLINE identifier (the one qrels use)  .S source  .M MeSH terms  .T title  .P type  .W abstract  .A authors
A topic is `<top>`, `<num> Number: OHSU1`, `<title> ..`, `<desc> Description:` and lines of text, `</top>`.
A judgement is `topic document grade`, grade 1 possibly and 2 definitely relevant; some files put an iteration
(`0`) in between, as trec_eval wants it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import msgspec

from bayesift.errors import BadInput
from bayesift.files import read_lines

_TAGS = frozenset({".U", ".S", ".M", ".T", ".P", ".W", ".A"})
_TOPIC_FIELD = re.compile(r"<(num|title|desc)>\s*(?:Number:|Description:)?\s*(.*)")
_ISSUE = re.compile(r"\b(\d\d)(0[1-9]|1[0-2]);")  # "Am J Emerg Med 8703; 4(6):491-5" is of March 1987


class Reference(msgspec.Struct, frozen=True):
    """MEDLINE reference."""

    number: int
    ui: str
    title: str = ""
    abstract: str = ""
    mesh: tuple[str, ...] = ()
    source: str = ""
    kind: str = ""
    authors: str = ""

    @property
    def date(self) -> str | None:
        """Year and month of the issue, or None if the source has no date."""
        found = _ISSUE.search(self.source)
        return f"19{found[1]}-{found[2]}" if found else None


class Topic(msgspec.Struct, frozen=True):
    """Topic statement: the description of a user's interest."""

    id: str
    title: str
    description: str


class Judgement(msgspec.Struct, frozen=True):
    """Relevance of a document to a topic: 0 not, 1 possibly, 2 definitely."""

    topic: str
    document: str
    grade: int


def read_references(path: str | Path) -> Iterator[Reference]:
    """Yield the documents of a TREC-9 file such as `ohsumed.87`.

    >>> import tempfile
    >>> file = Path(tempfile.mkdtemp(), "few")
    >>> _ = file.write_text(".I 1\\n.U\\n87000001\\n.S\\nJ Tea 8703; 1:2\\n.T\\nOn tea.\\n")
    >>> [(r.ui, r.title, r.date) for r in read_references(file)]
    [('87000001', 'On tea.', '1987-03')]
    """
    number, start, tag = 0, 0, ""
    fields: dict[str, list[str]] = {}
    for line, text in read_lines(path, "latin-1"):
        if text.startswith(".I ") or text == ".I":
            if start:
                yield _reference(number, fields, path, start)
            if not text[3:].strip().isdigit():
                raise BadInput("expected .I and a number", path=path, line=line)
            number, start, tag, fields = int(text[3:]), line, "", {}
        elif text in _TAGS:
            if not start or text in fields:
                reason = f"duplicate {text} in a document" if start else f"{text} before any .I"
                raise BadInput(reason, path=path, line=line)
            tag = text
            fields[tag] = []
        elif tag:
            fields[tag].append(text.strip())
        elif text.strip():
            raise BadInput(f"text outside any field: {text[:40]!r}", path=path, line=line)
    if start:
        yield _reference(number, fields, path, start)


def _reference(number: int, fields: dict[str, list[str]], path: str | Path, line: int) -> Reference:
    whole = {tag: " ".join(part for part in parts if part) for tag, parts in fields.items()}
    if not whole.get(".U"):
        raise BadInput(f"document {number} has no .U (MEDLINE identifier)", path=path, line=line)
    mesh = (term.strip().rstrip(".") for term in whole.get(".M", "").split(";"))
    return Reference(
        number,
        whole[".U"],
        title=whole.get(".T", ""),
        abstract=whole.get(".W", ""),
        mesh=tuple(dict.fromkeys(term for term in mesh if term)),
        source=whole.get(".S", ""),
        kind=whole.get(".P", ""),
        authors=whole.get(".A", ""),
    )


def read_topics(path: str | Path) -> Iterator[Topic]:
    """Yield the topic statements of a TREC topic file."""
    fields: dict[str, list[str]] | None = None
    tag = ""
    line = 0
    for line, text in read_lines(path, "latin-1"):
        text = text.strip()
        if text == "<top>":
            if fields is not None:
                raise BadInput("<top> inside a topic", path=path, line=line, remedy="close the first one with </top>")
            fields, tag = {}, ""
        elif text == "</top>" and fields is not None:
            yield _topic(fields, path, line)
            fields = None
        elif fields is not None and (found := _TOPIC_FIELD.match(text)):
            tag = found[1]
            fields[tag] = [found[2]]
        elif fields is not None and tag:
            fields[tag].append(text)
        elif text:
            raise BadInput(f"not part of a topic: {text[:40]!r}", path=path, line=line)
    if fields is not None:
        raise BadInput("the last topic has no </top>", path=path, line=line)


def _topic(fields: dict[str, list[str]], path: str | Path, line: int) -> Topic:
    whole = {tag: " ".join(part for part in parts if part) for tag, parts in fields.items()}
    if not whole.get("num"):
        raise BadInput("topic without <num> Number: ..", path=path, line=line)
    return Topic(whole["num"], whole.get("title", ""), whole.get("desc", ""))


def read_qrels(path: str | Path) -> Iterator[Judgement]:
    """Yield the judgements, three or four fields per line."""
    for number, line in read_lines(path):
        fields = line.split()
        if len(fields) not in (3, 4) or not fields[-1].isdigit():
            raise BadInput("expected: topic document grade", path=path, line=number)
        yield Judgement(fields[0], fields[-2], int(fields[-1]))
