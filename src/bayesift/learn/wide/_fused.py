"""x a + m in single precision, rounded once, as the vector instructions of `bomc._rows` do on a processor that has it.

Left to itself the compiler fuses a product and a sum in some loops and not in others, where it takes the products of
several terms at a time; the sparse belief would then differ from the dense one in the last digit.
"""

from __future__ import annotations

from typing import Any

from numba import types
from numba.extending import intrinsic


@intrinsic  # type: ignore[untyped-decorator]
def fused(typing: Any, x: Any, a: Any, m: Any) -> Any:
    """Return x * a + m."""
    single = types.float32

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.fma(*args)

    return single(single, single, single), generate
