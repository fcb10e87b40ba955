"""Starting fast: leave out what scikit-learn and SciPy import and no verb uses, about half of the time of a start.

While `postponed()` lasts, each module of `UNUSED` is a stand-in that becomes the real module when something of it is
first used, and pandas, which is optional, is not found. Afterwards all of them can be imported as usual. Garbage is not
collected meanwhile: imports make many objects and hardly any garbage.
"""

from __future__ import annotations

import contextlib
import gc
import importlib
import sys
from collections.abc import Iterator
from types import ModuleType
from typing import Any

# scikit-learn imports scipy.stats, and narwhals for data frames. A package comes before its modules.
UNUSED = ("scipy.stats", "narwhals", "narwhals.stable", "narwhals.stable.v2")
FRAMES = "pandas"


class Later(ModuleType):
    """Stands for a module until something of it is used."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        _remove(self.__name__.partition(".")[0])
        return getattr(importlib.import_module(self.__name__), name)


def _remove(package: str = "") -> None:
    """Take the stand-ins of a package, or all, out of the modules."""
    for name in UNUSED:
        if name.startswith(package) and isinstance(sys.modules.get(name), Later):
            del sys.modules[name]


@contextlib.contextmanager
def postponed() -> Iterator[None]:
    """Import what is imported within without `UNUSED` and pandas, where they are not loaded yet."""
    for name in UNUSED:
        if name not in sys.modules:
            sys.modules[name] = Later(name)
            package, _, last = name.rpartition(".")
            if isinstance(sys.modules.get(package), Later):
                setattr(sys.modules[package], last, sys.modules[name])
    hidden = FRAMES not in sys.modules
    if hidden:
        sys.modules[FRAMES] = None  # type: ignore[assignment]
    collects = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()  # modules stay; there is no need to look through them for garbage
        if collects:
            gc.enable()
        _remove()
        if hidden and sys.modules.get(FRAMES, ...) is None:
            del sys.modules[FRAMES]
