"""The states of many topics, with the arrays of the same name one after the other: a few large arrays, not many small.

A checkpoint of 1,000 topics has 22,000 arrays, most of them of a few numbers; a file of so many takes longer to write
and to read than all they hold.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

State = dict[str, Any]


def stacked(states: Sequence[State]) -> State:
    """Return states, which are dictionaries, as one.

    >>> stacked([{"a": np.array([1, 2]), "b": "x"}, {"a": np.array([3]), "b": "y"}])["parts"]
    {'a': {'array': array([1, 2, 3]), 'sizes': array([2, 1])}, 'b': {'list': ['x', 'y']}}
    """
    names = list(states[0]) if states else []
    return {"n": len(states), "parts": {name: _part([state[name] for state in states]) for name in names}}


def unstacked(saved: Any) -> list[State]:
    """Return the states of what `stacked` returned; those of older files are a list already.

    >>> unstacked(stacked([{"a": {"b": np.array([1, 2])}}, {"a": {"b": np.array([3])}}]))
    [{'a': {'b': array([1, 2])}}, {'a': {'b': array([3])}}]
    """
    if isinstance(saved, list):
        return saved
    columns = {name: _values(part, saved["n"]) for name, part in saved["parts"].items()}
    return [{name: values[i] for name, values in columns.items()} for i in range(saved["n"])]


def _part(values: list[Any]) -> State:
    first = values[0]
    if isinstance(first, np.ndarray) and all(_alike(value, first) for value in values):
        sizes = np.array([value.size for value in values], np.int64)
        return {"array": np.concatenate(values), "sizes": sizes}
    if isinstance(first, dict) and all(isinstance(value, dict) and value.keys() == first.keys() for value in values):
        return {"dict": stacked(values)}
    return {"list": values}


def _alike(value: Any, first: Any) -> bool:
    return isinstance(value, np.ndarray) and value.ndim == 1 and value.dtype == first.dtype


def _values(part: State, n: int) -> list[Any]:
    if "dict" in part:
        return unstacked(part["dict"])
    values: list[Any] = part["list"] if "list" in part else np.split(part["array"], np.cumsum(part["sizes"])[:-1])
    if len(values) != n:
        raise ValueError(f"{len(values)} values of {n} topics")
    return values
