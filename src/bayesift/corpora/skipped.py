"""Count skipped lines and keep the first few errors."""

from __future__ import annotations

from bayesift.errors import BadInput

KEPT = 10


class Skipped:
    """Number of skipped lines, and the errors of the first few.

    >>> skipped = Skipped()
    >>> skipped.add(BadInput("no text", path="news.jsonl", line=3))
    >>> print(skipped)
    1 bad line skipped, first: news.jsonl:3: no text
    """

    def __init__(self) -> None:
        self.count = 0
        self.first: list[BadInput] = []

    def add(self, error: BadInput) -> None:
        """Count one invalid line."""
        self.count += 1
        if len(self.first) < KEPT:
            self.first.append(error)

    def __str__(self) -> str:
        if not self.count:
            return "no bad lines"
        return f"{self.count} bad line{'s' if self.count > 1 else ''} skipped, first: {self.first[0]}"
