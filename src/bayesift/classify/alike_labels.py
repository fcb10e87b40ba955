"""Labels that look the same and are different labels."""

from __future__ import annotations

import unicodedata
import warnings
from collections import defaultdict
from collections.abc import Iterable, Sequence

from bayesift.errors import Notice
from bayesift.text.marks import limit_marks


def notice_case(names: Iterable[str | int]) -> None:
    """Warn about labels that differ only in case, spaces or the form of characters: mostly one label, in two ways.

    Two forms of one character, such as a letter with its accent and a letter before an accent, look the same.
    """
    alike = defaultdict(list)
    for name in names:
        if isinstance(name, str):
            alike[" ".join(unicodedata.normalize("NFKC", limit_marks(name)).split()).casefold()].append(name)
    for group in alike.values():
        if len(group) > 1:
            message = f"labels that differ only in {_difference(group)} are different labels: {_shown(group)}"
            warnings.warn(message, Notice, stacklevel=3)


def _difference(group: Sequence[str]) -> str:
    """Return what differs between names that are alike."""
    by_form = len({" ".join(name.split()).casefold() for name in group}) > 1
    return "the form of characters (Unicode normalisation)" if by_form else "case or spaces"


def _shown(group: Sequence[str]) -> str:
    """Return names, in ASCII where they would look the same."""
    alike = len({unicodedata.normalize("NFKC", limit_marks(name)) for name in group}) < len(group)
    return ", ".join(map(ascii if alike else repr, group))
