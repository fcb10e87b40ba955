"""What was shown to each person lately, so that a decision can note how the person came to the record."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence

from bayesift.filtering.screening.store.views import ToRead

MOST = 10_000  # records that are remembered


class Shown:
    """Records shown, by list, person and number; it is in memory only."""

    def __init__(self) -> None:
        self._found: OrderedDict[tuple[str, str, int], ToRead] = OrderedDict()

    def note(self, list: str, who: str, numbers: Sequence[int], found: Sequence[ToRead]) -> None:
        """Remember what is shown to a person."""
        for number, one in zip(numbers, found):
            self._found.pop((list, who, number), None)
            self._found[list, who, number] = one
        while len(self._found) > MOST:
            self._found.popitem(last=False)

    def what(self, list: str, who: str, number: int) -> ToRead | None:
        """Return how a record was shown to a person, or None."""
        return self._found.get((list, who, number))
