"""Import a package of an extra, or name the extra that installs it."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from bayesift.errors import NotFound


def needed(package: str, extra: str) -> Any:
    """Return an imported module.

    Raises
    ------
    NotFound
        If a package is not installed; the message names it and the extra.

    Examples
    --------
    >>> needed("json", "none").dumps([1])
    '[1]'
    """
    try:
        return import_module(package)
    except ModuleNotFoundError as error:
        name = (error.name or package).partition(".")[0]
        raise NotFound(f"the package {name} is not installed", remedy=f"pip install 'bayesift[{extra}]'") from None
