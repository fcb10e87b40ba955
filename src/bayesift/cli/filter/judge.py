"""`bayesift filter judge`: answers, one or many, and taking them back."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from bayesift.cli.filter import options as f
from bayesift.cli.filter.interrupts import completed
from bayesift.cli.filter.opening import opened, user
from bayesift.cli.messages import counted, say
from bayesift.errors import BadInput, BayesiftError, Repeated

if TYPE_CHECKING:
    from bayesift.filtering.store import Workspace

FIELDS = ("topic", "document", "relevant", "withdraw", "text", "who", "source", "note", "time")
LINE = '{"topic": ..., "document": ..., "relevant": true}'


def judge(
    workspace: f.Workspace,
    topic: Annotated[str | None, typer.Argument(metavar="TOPIC", help="Name of a topic.")] = None,
    document: Annotated[
        str | None, typer.Argument(metavar="DOCUMENT", help="Id of a document. (default: JSON lines from stdin)")
    ] = None,
    relevant: Annotated[
        bool | None, typer.Option("--relevant/--not-relevant", help="The answer.", show_default=False)
    ] = None,
    change: Annotated[bool, typer.Option("--change", help="Replace an earlier answer.")] = False,
    withdraw: Annotated[bool, typer.Option("--withdraw", help="Remove an earlier answer.")] = False,
    undo: Annotated[bool, typer.Option("--undo", help="Undo the last judgement or edit of words; repeatable.")] = False,
    text: Annotated[
        Path | None,
        typer.Option("--text", metavar="FILE", help="File with the document, if not stored; a stored text stays."),
    ] = None,
    note: f.Note = None,
    who: f.Who = None,
    skip_bad: f.SkipBad = False,
) -> None:
    """Judge documents; an answer is acknowledged when it is in the database.

    Without DOCUMENT, JSON lines are read from standard input: {"topic": ..., "document": ..., "relevant": true}, or
    {"topic": ..., "document": ..., "withdraw": true}. Each is written to standard output when it is stored. TOPIC is
    the topic of lines that name none. An answer that repeats the one stored changes nothing and is no error, so that a
    file can be given again.
    """
    recorded = {"who": user(who), "note": note}
    _check(topic, document, relevant, change, withdraw, undo, text)
    if undo:
        with opened(workspace) as found:
            event = found.undo(topic, **recorded)
        say(f"undone: {_words(event)}")
        return
    if document is None:
        _many(workspace, topic, change, skip_bad, recorded)
        return
    answer: dict[str, Any] = {"topic": topic, "document": document, "relevant": relevant, "withdraw": withdraw}
    if text is not None:
        from bayesift.cli.filter.topic_files import text_of

        answer["text"] = text_of(text)
    with opened(workspace) as found, completed():
        try:
            _answer(found, answer, change, recorded)
        except Repeated:
            say(f"{topic}: {document} was judged so before; nothing changed")
            return
    said = "withdrawn" if withdraw else "relevant" if relevant else "not relevant"
    say(f"{topic}: {document} {said}")


def _check(
    topic: str | None, document: str | None, relevant: bool | None, change: bool, withdraw: bool, undo: bool,
    text: Path | None,
) -> None:  # fmt: skip
    """Raise BadInput if options contradict each other."""
    if undo and (document is not None or relevant is not None or change or withdraw):
        raise BadInput("--undo undoes the last change", remedy="leave out the document and the answer")
    if document is None:
        if relevant is not None or withdraw or text is not None:
            raise BadInput("no document", remedy="name a topic and a document, or give JSON lines on standard input")
        return
    if withdraw == (relevant is not None) or (withdraw and change):
        raise BadInput("no answer, or more than one", remedy="give --relevant, --not-relevant or --withdraw")
    if text is not None and (withdraw or change):
        raise BadInput("--text is for a first answer", remedy="leave it out: the document is stored")


def _answer(found: Workspace, answer: dict[str, Any], change: bool, recorded: dict[str, Any]) -> None:
    """Store one answer."""
    topic, document = answer["topic"], answer["document"]
    said = recorded | {name: answer[name] for name in ("who", "note", "time") if answer.get(name) is not None}
    if answer.get("withdraw"):
        found.withdraw(topic, document, **said)
    elif change:
        found.change(topic, document, answer["relevant"], **said)
    else:
        given = {name: answer[name] for name in ("text", "source") if answer.get(name) is not None}
        found.judge(topic, document, answer["relevant"], **given, **said)


def _many(workspace: str, topic: str | None, change: bool, skip_bad: bool, recorded: dict[str, Any]) -> None:
    from bayesift.cli.filter.lines import NAME, Lines, parsed
    from bayesift.cli.filter.showing import json_line

    incoming = Lines()
    stored = skipped = repeated = 0

    def skip(error: BayesiftError) -> None:
        nonlocal skipped
        if not skip_bad:
            raise BadInput(error.reason, path=NAME, line=error.line, remedy=error.remedy or _kept(stored)) from None
        skipped += 1
        say(f"bayesift: {error}; skipped")

    skips = skip if skip_bad else None
    with opened(workspace) as found:
        while incoming.wait():
            with completed():
                made, error = parsed(incoming.take(), lambda given: _line(given, topic, change), LINE, skips)
                for line, answer in made:
                    try:
                        _answer(found, answer, change, recorded)
                    except Repeated:
                        repeated += 1
                        continue
                    except BayesiftError as wrong:
                        skip(BadInput(wrong.reason, path=NAME, line=line.number, remedy=wrong.remedy))
                        continue
                    stored += 1
                    json_line({name: answer[name] for name in FIELDS[:4] if name in answer})
            if error is not None:
                raise error
    more = [f", {counted(repeated, 'judgement')} stored before"] if repeated else []
    more += [f", {counted(skipped, 'bad line')} skipped"] if skipped else []
    say(f"{counted(stored, 'judgement')} stored{''.join(more)}")


def _line(given: dict[str, Any], topic: str | None, change: bool) -> dict[str, Any]:
    """Return the answer of a line; `change` says that it replaces an earlier one."""
    from bayesift.filtering.incoming import id_of

    answer = ({"topic": topic} if topic is not None else {}) | given
    unknown = next((name for name in answer if name not in FIELDS), None)
    if unknown is not None:
        raise BadInput(f"unknown field {unknown!r}", remedy=f"fields are: {', '.join(FIELDS)}")
    if not isinstance(answer.get("topic"), str):
        raise BadInput("'topic' is missing or not a text", remedy=f"write {LINE}")
    answer["document"] = id_of(answer.get("document"))
    if not answer["document"]:
        raise BadInput("'document' is missing", remedy=f"write {LINE}")
    withdraw = answer.get("withdraw")
    if not isinstance(withdraw, bool | None):
        raise BadInput(f"'withdraw' is {withdraw!r}, not true or false", remedy=f"write {LINE}")
    if bool(withdraw) == isinstance(answer.get("relevant"), bool):
        raise BadInput("the answer is missing or not true or false", remedy=f"write {LINE}")
    for name in ("text", "source") if withdraw or change else ():
        if answer.get(name) is not None:
            raise BadInput(f"{name!r} is for a first answer", remedy="leave it out: the document is stored")
    return answer


def _kept(stored: int) -> str:
    return f"{counted(stored, 'judgement')} before it {'is' if stored == 1 else 'are'} stored" if stored else ""


def _words(event: Any) -> str:
    """Return what was undone."""
    kind = type(event).__name__
    if kind == "WordsEdited":
        return f"the words of {event.topic}"
    said = {"Judged": "judged", "Changed": "changed to", "Withdrawn": "withdrawn"}[kind]
    answer = "" if kind == "Withdrawn" else " relevant" if event.relevant else " not relevant"
    return f"{event.topic}: {event.document} {said}{answer}"
