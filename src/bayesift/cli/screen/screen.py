"""The screen of a reading: a record until a key is pressed, the criteria, and a line that is typed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rich.text import Text

from bayesift.cli.filter.keys import END, ESCAPE, Keys
from bayesift.cli.filter.page import page_of
from bayesift.cli.screen.page import CLOSE, criteria_of, head_of, keys_of, text_of

if TYPE_CHECKING:
    from bayesift.cli.screen.session import Session

MEANT = {"a", "x", "m", "n", "t", "u", "c", "q", END, *"123456789"}
ENTER, ERASE = ("\n", "\r"), ("\x7f", "\b")
HEAD = 0.3  # part of the screen above the text, at most
LONGEST = 2000  # characters of a note
TYPING = (("Enter", "keep"), ("Esc", "leave as it was"))


class Screen:
    """One record on the screen.

    Parameters
    ----------
    session : Session
        What is read.
    console, shown
        The terminal, and its full screen.
    keys : Keys
        The keyboard.
    """

    def __init__(self, session: Session, console: Any, shown: Any, keys: Keys) -> None:
        from bayesift.text import TextVectorizer
        from bayesift.text.spelling import Speller

        assert session.current is not None
        self.session, self.console, self.shown, self.keys = session, console, shown, keys
        self.settings = session.review.settings
        words = TextVectorizer(stem=None, stop_words=None, ngrams=2)  # words as they are written
        progress = session.review.progress(session.list, session.who)
        self.head = head_of(progress, session.current, session.note, session.tags)
        self.text = text_of(session.current, Speller(words.partial_fit([])))
        self.meanings = keys_of(self.settings)

    def until_key(self, message: str) -> str:
        """Show the record, also when the terminal changes its size, until a key with a meaning is pressed."""
        top, size, after = 0, None, 0
        while True:
            if size != self.console.size:
                size = self.console.size
                page, after = page_of(self.console, self.head, self.text, top, message, self.meanings, HEAD)
                self.shown.update(page)
            key = self.keys.read()
            if key in MEANT:
                return str(key)
            if key == " ":
                top, size = after, None

    def show_criteria(self) -> None:
        """Show the question and the criteria until a key is pressed; space shows more of them."""
        top = 0
        while True:
            page, top = page_of(self.console, [Text("criteria", "bold")], criteria_of(self.settings), top, "", CLOSE)
            self.shown.update(page)
            while (key := self.keys.read()) is None:
                pass
            if key != " " or top == 0:
                return

    def ask(self, what: str, before: str) -> str:
        """Return a line that is typed below the record; Esc leaves what was there."""
        typed = before
        while True:
            page, _ = page_of(self.console, self.head, self.text, 0, f"{what}: {typed}_", TYPING, HEAD)
            self.shown.update(page)
            character = self.keys.character()
            if character in ENTER:
                return typed.strip()
            if character in (END, ESCAPE):
                return before
            if character in ERASE:
                typed = typed[:-1]
            elif character is not None and character.isprintable() and len(typed) < LONGEST:
                typed += character
