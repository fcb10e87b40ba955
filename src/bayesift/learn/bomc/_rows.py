"""The two inner loops of BOMC over the terms of a document, for `BLOCK` labels at a time.

    add_up   m_c = sum_j x_j mu_cj,   q_c = sum_j x_j^2 var_cj
    move     mu_cj += var_cj x_j g_c,   var_cj *= 1 - var_cj x_j^2 w_c

Both are written as vector instructions: sums stay in registers, and no label is ever in the remainder of a loop, so
that results do not depend on how labels are shared out. Weights are rows of single-precision arrays; the `BLOCK` means
of a term begin at column `a` of `mean`, the variances at column `v` of `variance`.

`move_own` is `move` in a slab (see `_threads`) where labels have weights of their own for some terms only: a bit for
each label in the term's number in `masks`. All other weights become those given for the term.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.errors import TypingError
from numba.extending import intrinsic

from bayesift.beliefs.diagonal import BLOCK

VECTOR = ir.VectorType(ir.FloatType(), BLOCK)
FUSED = ("contract",)  # multiply and add at once where the processor can
SIZE = 4  # bytes of a number; rows need not begin at a cache line


@intrinsic  # type: ignore[untyped-decorator]
def add_up(
    typing: Any, mean: Any, variance: Any, a: Any, v: Any, indices: Any, data: Any, begin: Any, end: Any,
    m: Any, q: Any, place: Any,
) -> Any:  # fmt: skip
    """Set m and q, from `place` on, to the sums over the terms from `begin` to `end`."""
    _check(mean, variance, indices, data, m, q)
    whole = types.intp
    signature = types.void(mean, variance, whole, whole, indices, data, whole, whole, m, q, whole)

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        sums = [cgutils.alloca_once_value(builder, ir.Constant(VECTOR, [0.0] * BLOCK)) for _ in range(2)]
        with _terms(context, builder, signature, args) as (x, x2, of_mean, of_variance):
            for total, factor, at in zip(sums, (x, x2), (of_mean, of_variance)):
                term = builder.fmul(factor, builder.load(at, align=SIZE), flags=FUSED)
                builder.store(builder.fadd(builder.load(total), term, flags=FUSED), total)
        for total, k in zip(sums, (8, 9)):
            builder.store(
                builder.load(total), _vector(context, builder, signature.args[k], args[k], args[10]), align=SIZE
            )
        return context.get_dummy_value()

    return signature, generate


@intrinsic  # type: ignore[untyped-decorator]
def move(
    typing: Any, mean: Any, variance: Any, a: Any, v: Any, indices: Any, data: Any, begin: Any, end: Any,
    g: Any, w: Any, place: Any,
) -> Any:  # fmt: skip
    """Update the weights of the terms from `begin` to `end` by g and w, read from `place` on."""
    _check(mean, variance, indices, data, g, w)
    whole = types.intp
    signature = types.void(mean, variance, whole, whole, indices, data, whole, whole, g, w, whole)

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        gs, ws = (
            builder.load(_vector(context, builder, signature.args[k], args[k], args[10]), align=SIZE) for k in (8, 9)
        )
        with _terms(context, builder, signature, args) as (x, x2, *places):
            old = [builder.load(place, align=SIZE) for place in places]
            for new, place in zip(_moved(builder, old, x, x2, gs, ws), places):
                builder.store(new, place, align=SIZE)
        return context.get_dummy_value()

    return signature, generate


@intrinsic  # type: ignore[untyped-decorator]
def move_own(
    typing: Any, slab: Any, masks: Any, indices: Any, data: Any, begin: Any, end: Any, g: Any, w: Any,
    mean: Any, variance: Any,
) -> Any:  # fmt: skip
    """Update the weights that are the labels' own, and set others to the term's number in `mean` and `variance`."""
    _check(slab, masks, indices, data, g, w, mean, variance)
    signature = types.void(slab, masks, indices, data, types.intp, types.intp, g, w, mean, variance)

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        data = [
            context.make_array(kind)(context, builder, value).data if k not in (4, 5) else None
            for k, (kind, value) in enumerate(zip(signature.args, args))
        ]
        gs, ws = (builder.load(builder.bitcast(data[k], VECTOR.as_pointer()), align=SIZE) for k in (6, 7))
        one = ir.Constant(args[4].type, 1)
        with cgutils.for_range_slice(builder, args[4], args[5], one, inc=True) as (i, _):
            number, value, *given = (builder.load(builder.gep(data[k], [i])) for k in (2, 3, 8, 9))
            row = context.cast(builder, number, signature.args[2].dtype, types.intp)
            number = context.cast(builder, value, signature.args[3].dtype, types.float32)
            x, x2 = _repeated(builder, number), _repeated(builder, builder.fmul(number, number))
            own = _bits(builder, builder.load(builder.gep(data[1], [row])))
            begin = builder.mul(row, ir.Constant(row.type, 2 * BLOCK))
            begins = begin, builder.add(begin, ir.Constant(row.type, BLOCK))
            places = [builder.bitcast(builder.gep(data[0], [b]), VECTOR.as_pointer()) for b in begins]
            old = [builder.load(place, align=SIZE) for place in places]
            for new, other, place in zip(_moved(builder, old, x, x2, gs, ws), given, places):
                builder.store(builder.select(own, new, _repeated(builder, other)), place, align=SIZE)
        return context.get_dummy_value()

    return signature, generate


def _moved(builder: Any, old: list[Any], x: Any, x2: Any, g: Any, w: Any) -> tuple[Any, Any]:
    """Return new means and variances."""
    mean, variance = old
    step = builder.fmul(builder.fmul(variance, x), g, flags=FUSED)
    shrunk = builder.fmul(builder.fmul(variance, x2), w, flags=FUSED)
    left = builder.fsub(ir.Constant(VECTOR, [1.0] * BLOCK), shrunk, flags=FUSED)
    return builder.fadd(mean, step, flags=FUSED), builder.fmul(variance, left)


def _bits(builder: Any, mask: Any) -> Any:
    """Return a vector of truth values, the lowest bit first."""
    whole = ir.IntType(32)
    wide = ir.VectorType(whole, BLOCK)
    repeated = _repeated(builder, builder.zext(mask, whole))
    bits = builder.and_(repeated, ir.Constant(wide, [1 << c for c in range(BLOCK)]))
    return builder.icmp_unsigned("!=", bits, ir.Constant(wide, None))


def _check(*arrays: Any) -> None:
    """Raise where an array is not laid out row by row, while a kernel is compiled."""
    if any(array.layout != "C" for array in arrays):
        raise TypingError("arrays must be C-contiguous")


@contextmanager
def _terms(context: Any, builder: Any, signature: Any, args: Any) -> Iterator[tuple[Any, Any, Any, Any]]:
    """Loop over a document's terms: yield vectors of x and of x^2, and where the term's weights are."""
    arrays = [context.make_array(signature.args[k])(context, builder, args[k]) for k in (0, 1, 4, 5)]
    widths = [cgutils.unpack_tuple(builder, array.shape, 2)[1] for array in arrays[:2]]
    one = ir.Constant(args[6].type, 1)
    with cgutils.for_range_slice(builder, args[6], args[7], one, inc=True) as (i, _):
        number, value = (builder.load(builder.gep(array.data, [i])) for array in arrays[2:])
        row = context.cast(builder, number, signature.args[4].dtype, types.intp)
        x = context.cast(builder, value, signature.args[5].dtype, types.float32)
        begins = [builder.add(builder.mul(row, width), args[k]) for width, k in zip(widths, (2, 3))]
        places = [_vector(context, builder, signature.args[k], args[k], begins[k]) for k in (0, 1)]
        yield _repeated(builder, x), _repeated(builder, builder.fmul(x, x)), places[0], places[1]


def _vector(context: Any, builder: Any, kind: Any, array: Any, begin: Any) -> Any:
    """Point to `BLOCK` numbers of an array from this one on."""
    data = context.make_array(kind)(context, builder, array).data
    return builder.bitcast(builder.gep(data, [begin]), VECTOR.as_pointer())


def _repeated(builder: Any, x: Any) -> Any:
    """Return a vector with the same number everywhere."""
    undefined = ir.Constant(ir.VectorType(x.type, BLOCK), ir.Undefined)
    first = builder.insert_element(undefined, x, ir.Constant(ir.IntType(32), 0))
    return builder.shuffle_vector(first, undefined, ir.Constant(ir.VectorType(ir.IntType(32), BLOCK), None))
