"""`bayesift filter review`: judge what waits, in the terminal, one key per document."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from bayesift.cli.filter import options as f
from bayesift.cli.filter.interrupts import completed
from bayesift.cli.filter.keys import END, Keys, check_terminal
from bayesift.cli.filter.opening import opened, user
from bayesift.cli.messages import say
from bayesift.errors import BayesiftError

if TYPE_CHECKING:
    from bayesift.cli.filter.session import Session
    from bayesift.filtering.store import Workspace


def review(workspace: f.Workspace, topic: f.Topic, who: f.Who = None) -> None:
    """Judge what waits for a topic in the terminal: y relevant, n not relevant, s skip, u undo, q quit.

    The most probable document comes first, with the words that matter in colour. Each answer is in the database
    before the next document is shown, so the review can be ended at any time.
    """
    check_terminal()
    from bayesift.cli.filter.session import Session

    with opened(workspace) as found:
        session = Session(found, topic, user(who))
        if session.current is None:
            say(f"nothing waits for {topic}")
            return
        try:
            _review(found, session)
        finally:
            waiting = _waiting(found, topic)
            say(f"{topic}: {session.judged:,} judged, {session.relevant:,} of them relevant; {waiting:,} wait")


def _review(workspace: Workspace, session: Session) -> None:
    """Show document after document until all are answered or the reader quits."""
    from bayesift.terminal import console

    for name in ("COLUMNS", "LINES"):  # which do not change with the terminal
        os.environ.pop(name, None)
    screen_console = console()
    with Keys() as keys, screen_console.screen() as screen:
        message, pressed = "", ""
        while session.current is not None and pressed not in ("q", END):
            show = _Shown(workspace, session, screen_console)
            pressed = show.until_answered(keys, screen, message)
            message = _act(session, pressed)


def _act(session: Session, key: str) -> str:
    """Do what a key means, and return what to say about it."""
    try:
        with completed():
            if key in ("y", "n"):
                session.answer(key == "y")
            elif key == "s":
                session.skip()
            elif key == "u" and not session.undo():
                return "there is nothing to undo in this review"
    except BayesiftError as error:  # such as a document that someone else has judged meanwhile
        session.next()
        return str(error)
    return ""


class _Shown:
    """A document on the screen."""

    def __init__(self, workspace: Workspace, session: Session, screen_console: Any) -> None:
        from bayesift.cli.filter.page import head_of, text_of
        from bayesift.text import TextVectorizer
        from bayesift.text.spelling import Speller

        assert session.current is not None
        item = session.current
        language = workspace.filter_of(session.topic).settings.language
        speller = Speller(TextVectorizer(language=language, numbers=False).partial_fit([]))
        self.console = screen_console
        self.head = head_of(session.topic, session.judged, _waiting(workspace, session.topic), item)
        self.text = text_of(item, workspace.document(item.document), speller)
        self.top = 0

    def until_answered(self, keys: Keys, screen: Any, message: str) -> str:
        """Show the document, also when the terminal changes its size, until a key with a meaning is pressed."""
        from bayesift.cli.filter.page import page_of

        size = None
        while True:
            if size != self.console.size:
                size = self.console.size
                page, after = page_of(self.console, self.head, self.text, self.top, message)
                screen.update(page)
            key = keys.read()
            if key in ("y", "n", "s", "u", "q", END):
                return str(key)
            if key == " ":
                self.top, size = after, None


def _waiting(workspace: Workspace, topic: str) -> int:
    return next((t.waiting for t in workspace.status().topics if t.name == topic), 0)
