"""The one way numba is used: `@kernel` compiles a function and keeps the machine code for the next process.

Where no cache directory can be written (a read-only installation without a home) the kernel is compiled anew
in each process instead of failing.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, overload

from numba import njit

F = TypeVar("F", bound=Callable[..., Any])


@overload
def kernel(function: F) -> F: ...
@overload
def kernel(**options: Any) -> Callable[[F], F]: ...


def kernel(function: Any = None, **options: Any) -> Any:
    """Compile in nopython mode, without the GIL, cached on disk where that is possible.

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
