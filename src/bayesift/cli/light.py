"""Starting fast: scikit-learn imports scipy.stats and pandas, half a second each, and predicting needs neither.

While `postponed()` lasts, scipy.stats is a stand-in that becomes the real module when something of it is first used,
and pandas is not found. Afterwards both can be imported as ever.
"""

from __future__ import annotations

import contextlib
import importlib
import sys
from collections.abc import Iterator
from types import ModuleType
from typing import Any

STATS, FRAMES = "scipy.stats", "pandas"


class Later(ModuleType):
    """Stands for a module until something of it is used."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        if sys.modules.get(self.__name__) is self:
            del sys.modules[self.__name__]
        return getattr(importlib.import_module(self.__name__), name)


@contextlib.contextmanager
def postponed() -> Iterator[None]:
    """Import what is imported within without scipy.stats and pandas, where they are not loaded yet."""
    stand_in: dict[str, Any] = {STATS: Later(STATS), FRAMES: None}
    mine = {name: module for name, module in stand_in.items() if name not in sys.modules}
    sys.modules.update(mine)
    try:
        yield
    finally:
        for name, module in mine.items():
            if sys.modules.get(name, ...) is module:
                del sys.modules[name]
