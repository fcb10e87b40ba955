"""The errors of bayesift: each message says where, what is wrong and what to do.

The command line prints them as one line and exits with 2; in Python they are ordinary exceptions.
"""

from __future__ import annotations

from os import PathLike, fspath


class BayesiftError(Exception):
    """Base class of all errors caused by user input.

    Parameters
    ----------
    reason : what is wrong.
    path, line : the file, and the line in it.
    remedy : what to do about it.

    >>> str(BayesiftError("no such label 'grian'", remedy="labels are: corn, grain"))
    "no such label 'grian'; labels are: corn, grain"
    >>> str(BadInput("'labels' is a number", path="news.jsonl", line=7))
    "news.jsonl:7: 'labels' is a number"
    """

    def __init__(
        self,
        reason: str,
        *,
        path: str | PathLike[str] | None = None,
        line: int | None = None,
        remedy: str = "",
    ) -> None:
        self.reason = reason
        self.path = None if path is None else fspath(path)
        self.line = line
        self.remedy = remedy
        where = "" if path is None else f"{self.path}:{line}: " if line is not None else f"{self.path}: "
        super().__init__(where + reason + (f"; {remedy}" if remedy else ""))


class BadInput(BayesiftError, ValueError):
    """Invalid file, line, argument or array; also a ValueError."""


class Repeated(BadInput):
    """Answer that says what an earlier one said: nothing changes."""


class NotFound(BayesiftError, LookupError):
    """Missing file, corpus, label or name; also a LookupError."""


class TransferFailed(BayesiftError, OSError):
    """Download that failed, or whose content is not as expected; also an OSError."""


class Notice(UserWarning):
    """Non-fatal warning; the command line prints it as one line."""
