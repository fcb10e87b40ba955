"""`@kernel` compiles a function with numba and caches the machine code for the next process.

If no cache directory is writable (a read-only installation without a home) the kernel is compiled in each process. The
command line prints a note when compilation begins, which is at the first use after installation.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, overload

from numba import njit
from numba.core import event

from bayesift.progress import announce

COMPILING = "compiling numerical kernels, once after installation; this can take 10 s"

F = TypeVar("F", bound=Callable[..., Any])


class _Announcer(event.Listener):  # type: ignore[misc]
    """Listener for functions that numba compiles; those in its cache are not reported."""

    def on_start(self, event: Any) -> None:
        announce(COMPILING)

    def on_end(self, event: Any) -> None:
        """Do nothing."""


event.register("numba:compile", _Announcer())


@overload
def kernel(function: F) -> F: ...
@overload
def kernel(**options: Any) -> Callable[[F], F]: ...


def kernel(function: Any = None, **options: Any) -> Any:
    """Compile in nopython mode, without the GIL, cached on disk if possible.

    >>> @kernel
    ... def twice(x: float) -> float:
    ...     return 2.0 * x
    >>> twice(21.0)
    42.0
    """
    if function is None:
        return lambda f: kernel(f, **options)
    options = {"nogil": True, "error_model": "numpy", "no_cfunc_wrapper": True, **options}
    try:
        return njit(cache=True, **options)(function)
    except RuntimeError:  # numba found no directory to cache in
        return njit(**options)(function)
