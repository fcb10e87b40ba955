"""Postpone slow imports that no verb uses: scipy.stats and narwhals, which scikit-learn imports, and pandas.

These imports take about half of the time that `bayesift predict` needs for one document; this module exists for that
reason only. Within `postponed()` each module of `UNUSED` is replaced in `sys.modules` by a stand-in, which imports the
real module when an attribute is first used, and pandas, which is optional, is not found. Afterwards all of them can be
imported as usual. Garbage collection is off meanwhile: imports make many objects and hardly any garbage.
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
    """Stand-in for a module until an attribute of it is used."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        _remove(self.__name__.partition(".")[0])
        return getattr(importlib.import_module(self.__name__), name)


def _remove(package: str = "") -> None:
    """Remove the stand-ins of a package, or all of them, from `sys.modules`."""
    for name in UNUSED:
        if name.startswith(package) and isinstance(sys.modules.get(name), Later):
            del sys.modules[name]


@contextlib.contextmanager
def postponed() -> Iterator[None]:
    """Postpone the imports of `UNUSED` and pandas within this context, unless they are loaded already."""
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
        gc.freeze()  # modules are never garbage
        if collects:
            gc.enable()
        _remove()
        if hidden and sys.modules.get(FRAMES, ...) is None:
            del sys.modules[FRAMES]
