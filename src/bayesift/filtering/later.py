"""Parts of a state that are made later: of what never changes, so that nobody has to wait until they are made."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

Make = Callable[..., Any]


def at_once(make: Make, *of: Any) -> Any:
    """Make a part of a state now."""
    return make(*of)


class Later:
    """A part of a state that `made` makes.

    Examples
    --------
    >>> made({"n": 3, "words": [Later(sorted, "ab")]})
    {'n': 3, 'words': [['a', 'b']]}
    >>> made(Later(len, [Later(sorted, "ab")]))
    1
    """

    __slots__ = ("make", "of")

    def __init__(self, make: Make, *of: Any) -> None:
        self.make, self.of = make, of


def made(state: Any) -> Any:
    """Return a state with all its parts."""
    if isinstance(state, Later):
        return state.make(*map(made, state.of))  # they may have parts that are made later, too
    if isinstance(state, dict):
        return {key: made(value) for key, value in state.items()}
    if isinstance(state, list):
        return [made(value) for value in state]
    return state
