"""A corpus without files: the docstrings of the installed numpy, scipy and scikit-learn.

There is one document per public function or class: the title is its name, the body its docstring, the labels its
package and sub-package ("scipy", "scipy.stats"). An object has its shortest public name, so an alias gives no second
document, and neither does a duplicate docstring. A third of the documents is for testing, chosen by a hash of the seed
and the name: another version of a library moves no document that it leaves unchanged.
"""

from __future__ import annotations

import contextlib
import hashlib
import importlib
import inspect
import io
import pkgutil
import warnings
from collections.abc import Iterator
from types import ModuleType
from typing import Any

from bayesift.corpora.document import TEST, TRAIN, Document

PACKAGES = ("numpy", "scipy", "sklearn")
# Not public, or with side effects when imported.
_LEAVE_OUT = frozenset({"tests", "testing", "conftest", "setup", "externals", "distutils", "f2py", "core", "matlib"})


def read_docstrings(seed: int = 0) -> Iterator[Document]:
    """Yield the documents, by package and then by name; modules that fail to import are left out."""
    seen: set[str] = set()
    for package, named in _public_objects().items():
        for name in sorted(named):
            body = _docstring(named[name])
            if body and body not in seen:
                seen.add(body)
                parts = name.split(".")
                labels = (package, ".".join(parts[:2])) if len(parts) > 2 else (package,)
                yield Document(name, parts[-1], body, labels, split=_side(name, seed))


def _public_objects() -> dict[str, dict[str, Any]]:
    # Imports may print or warn, and so may the access to a deprecated name.
    with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
        warnings.simplefilter("ignore")
        # All modules first: importing one may change another (scipy rewords numpy.sinc, an experiment adds a class).
        modules = {package: list(_modules(package)) for package in PACKAGES}
        return {package: _named(package, modules[package]) for package in PACKAGES}


def _named(package: str, modules: list[ModuleType]) -> dict[str, Any]:
    best: dict[int, tuple[tuple[int, bool, str], Any]] = {}
    for module in modules:
        listed = getattr(module, "__all__", None)
        for name in listed or dir(module):
            found = None if name.startswith("_") else _attribute(module, name)
            origin = getattr(found, "__module__", None) or package
            # Without __all__, what a module only imports is not its own.
            if not _is_documented_kind(found) or not origin.startswith(package if listed else module.__name__):
                continue
            path = f"{module.__name__}.{name}"
            rank = (path.count("."), not origin.startswith(module.__name__), path)
            if id(found) not in best or rank < best[id(found)][0]:
                best[id(found)] = (rank, found)
    return {rank[-1]: found for rank, found in best.values()}


def _modules(package: str) -> Iterator[ModuleType]:
    waiting = [package]
    while waiting:
        name = waiting.pop()
        try:
            module = importlib.import_module(name)
        except (Exception, SystemExit):  # whatever a module does on import, the others are still good
            continue
        yield module
        for info in pkgutil.iter_modules(getattr(module, "__path__", ())):
            if not info.name.startswith("_") and info.name not in _LEAVE_OUT:
                waiting.append(f"{name}.{info.name}")


def _attribute(module: ModuleType, name: str) -> Any:
    try:
        return getattr(module, name)
    except Exception:
        return None


def _is_documented_kind(found: Any) -> bool:
    return inspect.isclass(found) or inspect.isroutine(found) or type(found).__name__ == "ufunc"


def _docstring(found: Any) -> str:
    doc = getattr(found, "__doc__", None)
    return inspect.cleandoc(doc).strip() if isinstance(doc, str) else ""


def _side(name: str, seed: int) -> str:
    digest = hashlib.blake2b(f"{seed}:{name}".encode(), digest_size=8).digest()
    return TEST if int.from_bytes(digest, "big") % 3 == 0 else TRAIN
