"""One small family of errors; each says where, what was expected, what came, and what to do.

The command line prints such an error as one line and exits with 2; in Python they are ordinary exceptions.
"""

from __future__ import annotations

from os import PathLike, fspath


class BayesiftError(Exception):
    """Anything that is wrong with what was given, not with the program.

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
    """A file, line, argument or array that is not what it should be."""


class NotFound(BayesiftError, LookupError):
    """A file, corpus, label or name that was asked for and is not there."""


class TransferFailed(BayesiftError, OSError):
    """A download that could not be finished or is not what its description says."""


class Notice(UserWarning):
    """Something worth knowing that stops nothing; the command line prints it as one line."""
