"""The two inner loops of BOMC over the numbers of a dense vector, for `BLOCK` labels at a time.

They do what `add_up` and `move` of `_rows` do, for weights that lie one after the other: there is no list of terms to
follow, and several sums run side by side. `add_dense` adds to the sums of the words, so that both make one field.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from bayesift.beliefs.diagonal import BLOCK
from bayesift.learn.bomc._rows import FUSED, SIZE, VECTOR, _check, _moved, _repeated, _vector

SUMS = 4  # that run side by side: one would wait for the last addition


@intrinsic  # type: ignore[untyped-decorator]
def add_dense(typing: Any, mean: Any, variance: Any, a: Any, v: Any, x: Any, m: Any, q: Any, place: Any) -> Any:
    """Add to m and q, from `place` on, the sums over all numbers of x."""
    _check(mean, variance, x, m, q)
    whole = types.intp
    signature = types.void(mean, variance, whole, whole, x, m, q, whole)

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        zero = ir.Constant(VECTOR, [0.0] * BLOCK)
        sums = [[cgutils.alloca_once_value(builder, zero) for _ in range(2)] for _ in range(SUMS)]
        size = _size(context, builder, signature, args)
        several = ir.Constant(size.type, SUMS)
        even = builder.mul(builder.udiv(size, several), several)

        def add(row: Any, pair: list[Any]) -> None:
            x, x2, places = _numbers(context, builder, signature, args, row)
            for total, factor, at in zip(pair, (x, x2), places):
                term = builder.fmul(factor, builder.load(at, align=SIZE), flags=FUSED)
                builder.store(builder.fadd(builder.load(total), term, flags=FUSED), total)

        begin, one = ir.Constant(size.type, 0), ir.Constant(size.type, 1)
        with cgutils.for_range_slice(builder, begin, even, several, inc=True) as (i, _):
            for k, pair in enumerate(sums):
                add(builder.add(i, ir.Constant(size.type, k)), pair)
        with cgutils.for_range_slice(builder, even, size, one, inc=True) as (i, _):
            add(i, sums[0])
        for n, k in enumerate((5, 6)):
            at = _vector(context, builder, signature.args[k], args[k], args[7])
            total = builder.load(at, align=SIZE)
            for pair in sums:
                total = builder.fadd(total, builder.load(pair[n]))
            builder.store(total, at, align=SIZE)
        return context.get_dummy_value()

    return signature, generate


@intrinsic  # type: ignore[untyped-decorator]
def move_dense(typing: Any, mean: Any, variance: Any, a: Any, v: Any, x: Any, g: Any, w: Any, place: Any) -> Any:
    """Update the weights of all numbers of x by g and w, read from `place` on."""
    _check(mean, variance, x, g, w)
    whole = types.intp
    signature = types.void(mean, variance, whole, whole, x, g, w, whole)

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        gs, ws = (
            builder.load(_vector(context, builder, signature.args[k], args[k], args[7]), align=SIZE) for k in (5, 6)
        )
        size = _size(context, builder, signature, args)
        begin, one = ir.Constant(size.type, 0), ir.Constant(size.type, 1)
        with cgutils.for_range_slice(builder, begin, size, one, inc=True) as (i, _):
            x, x2, places = _numbers(context, builder, signature, args, i)
            old = [builder.load(place, align=SIZE) for place in places]
            for new, place in zip(_moved(builder, old, x, x2, gs, ws), places):
                builder.store(new, place, align=SIZE)
        return context.get_dummy_value()

    return signature, generate


def _size(context: Any, builder: Any, signature: Any, args: Any) -> Any:
    """Return how many numbers x has."""
    x = context.make_array(signature.args[4])(context, builder, args[4])
    return cgutils.unpack_tuple(builder, x.shape, 1)[0]


def _numbers(context: Any, builder: Any, signature: Any, args: Any, row: Any) -> tuple[Any, Any, list[Any]]:
    """Return vectors of x and of x^2 at a place, and where the weights of this place are."""
    data = context.make_array(signature.args[4])(context, builder, args[4]).data
    x = context.cast(builder, builder.load(builder.gep(data, [row])), signature.args[4].dtype, types.float32)
    places = []
    for k in (0, 1):
        array = context.make_array(signature.args[k])(context, builder, args[k])
        width = cgutils.unpack_tuple(builder, array.shape, 2)[1]
        begin = builder.add(builder.mul(row, width), args[2 + k])
        places.append(_vector(context, builder, signature.args[k], args[k], begin))
    return _repeated(builder, x), _repeated(builder, builder.fmul(x, x)), places
