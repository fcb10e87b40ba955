"""From a document to the topics whose terms it has: an inverted index, and the field of every topic that is near.

A term's topics are a linked list through the postings (head, next), so adding a term to a topic costs the same however
many topics there are; removing one, which only a revised answer does, costs a walk along the list. A posting holds the
mean of its weight: one walk over the document's terms gives m of every topic reached. v costs the square of the
matching terms, so it is computed only where m leaves a decision open (see `thresholds`): a topic shows a document if
u = m / sigma is above its threshold, or asks about it if |m| <= reach sqrt v (see `gain`); v is at most
(sum |x_j| sd_j)^2.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numba import types
from numba.typed import List
from numpy.typing import NDArray

from bayesift.beliefs.likelihoods import FLIP, Code, sigma_of
from bayesift.filtering.gain import expected_gain
from bayesift.filtering.profile import Profile
from bayesift.filtering.rows import Columns, Row
from bayesift.filtering.strategies import Strategy
from bayesift.filtering.thresholds import Thresholds
from bayesift.numba_kernel import kernel

Floats = NDArray[np.float64]
TABLE = types.float64[:, ::1]
CODE = types.Tuple((types.int64, types.float64, types.float64))


class TopicIndex:
    """The postings of all topics. A query changes nothing in it."""

    def __init__(self, profiles: Sequence[Profile]) -> None:
        n = len(profiles)
        self.n_postings = 0
        self.head = np.full(1, -1, np.int32)
        self.length = np.zeros(1, np.int32)  # postings of each column
        self.next, self.topic, self.place = (np.empty(1, np.int32) for _ in range(3))
        self.weight, self.spread = np.empty(1), np.empty(1)
        self.bias, self.bias_sd = np.zeros(n), np.zeros(n)
        self._mark, self._stamp = np.zeros(n, np.int64), 0  # space for a query, as are the next three
        self._first, self._m, self._sd = np.zeros(n, np.int32), np.zeros(n), np.zeros(n)
        self._ids: list[Columns] = [np.empty(0, np.int32) for _ in range(n)]  # each topic's postings
        self._columns: list[Columns] = [np.empty(0, np.int32) for _ in range(n)]  # and their columns
        self._free = np.empty(0, np.int32)  # postings to use again
        self._tables, self._codes = _empty_lists()
        # arrays of the right size for a query without thresholds
        self._all = Thresholds(Strategy("none"), None, [profile.belief.code for profile in profiles])
        for t, profile in enumerate(profiles):
            _append(self._tables, self._codes, profile.belief.table, *profile.belief.code)
            self.refresh(t, profile)

    def refresh(self, t: int, profile: Profile) -> None:
        """Take over a topic's terms and belief as they are now; a restored profile may have fewer terms than before."""
        ids = self._ids[t]
        if ids.size < profile.terms.size:
            new = profile.terms[ids.size :]
            ids = self._ids[t] = np.concatenate([ids, self._append(t, new, ids.size)])
            self._columns[t] = profile.terms
        mean, table = profile.belief.mean, profile.belief.table
        sd = np.sqrt(np.maximum(table[0] if table.shape[0] == 1 else table.diagonal(), 0.0))
        self.bias[t], self.bias_sd[t] = mean[0], sd[0]
        self.weight[ids[: mean.size - 1]], self.spread[ids[: mean.size - 1]] = mean[1:], sd[1:]
        _replace(self._tables, t, table)

    def rebuild(self, t: int, profile: Profile) -> None:
        """As `refresh`, for a profile whose terms may be others than before: postings of other terms are removed."""
        ids, columns = self._ids[t], self._columns[t]
        both = min(columns.size, profile.terms.size)
        differ = np.flatnonzero(columns[:both] != profile.terms[:both])
        kept = int(differ[0]) if differ.size else both
        _unlink(columns[kept:], ids[kept:], self.head, self.next, self.length)
        self._free = np.concatenate([self._free, ids[kept:]])
        self._ids[t], self._columns[t] = ids[:kept], columns[:kept]
        self.refresh(t, profile)

    def near(
        self, row: Row, thresholds: Thresholds | None = None, seen: int = 0
    ) -> tuple[Columns, Floats, Floats]:
        """Return the topics that are near a decision about a document, in order, with m and v of each.

        `seen` is the number of documents so far, this one included. Without `thresholds`, return every topic that has
        one of the document's terms.
        """
        self._stamp += 1
        columns = row.columns[row.columns < self.head.size]
        room = int(self.length[columns].sum())
        s = thresholds or self._all
        topics, m, v = _near(
            columns, row.weights[: columns.size], room, thresholds is None, seen, self._stamp,
            self.head, self.next, self.topic, self.place, self.weight, self.spread, self.bias, self.bias_sd,
            s.u, s.fall, s.least_gain, s.reach, s.since,
            self._mark, self._first, self._m, self._sd, self._tables, self._codes,
        )  # fmt: skip
        order = np.argsort(topics)  # the order of the postings depends on the past, what is done must not
        return topics[order], m[order], v[order]

    def _append(self, t: int, columns: Columns, place: int) -> Columns:
        """Add postings at the head of their columns' lists, and return their numbers."""
        again, self._free = self._free[: columns.size], self._free[columns.size :]
        need, highest = self.n_postings + columns.size - again.size, int(columns.max()) + 1
        if need > self.next.size:
            for name in ("next", "topic", "place", "weight", "spread"):
                old = getattr(self, name)
                setattr(self, name, np.concatenate([old, np.empty(max(need, 2 * old.size) - old.size, old.dtype)]))
        if highest > self.head.size:
            more = max(highest, 2 * self.head.size) - self.head.size
            self.head = np.concatenate([self.head, np.full(more, -1, np.int32)])
            self.length = np.concatenate([self.length, np.zeros(more, np.int32)])
        ids = np.concatenate([again, np.arange(self.n_postings, need, dtype=np.int32)])
        self.next[ids], self.topic[ids] = self.head[columns], t
        self.place[ids] = np.arange(place, place + columns.size)
        self.head[columns] = ids
        self.length[columns] += 1
        self.n_postings = need
        return ids


# Numba compiles the methods of a typed list in each process if Python calls them; kernels are cached.
@kernel
def _empty_lists() -> tuple[Any, Any]:
    return List.empty_list(TABLE), List.empty_list(CODE)


@kernel
def _append(tables: Any, codes: Any, table: Floats, likelihood: int, a: float, b: float) -> None:
    tables.append(table)
    codes.append((np.int64(likelihood), float(a), float(b)))


@kernel
def _replace(tables: Any, t: int, table: Floats) -> None:
    tables[t] = table


@kernel
def _unlink(columns: Columns, ids: Columns, head: Columns, following: Columns, length: Columns) -> None:
    """Remove postings from the lists of their columns."""
    for i in range(columns.size):
        c, gone = columns[i], ids[i]
        length[c] -= 1
        if head[c] == gone:
            head[c] = following[gone]
            continue
        p = head[c]
        while following[p] != gone:
            p = following[p]
        following[p] = following[gone]


@kernel
def _near(
    columns: Columns, weights: Floats, room: int, everything: bool, seen: int, stamp: int,
    head: Columns, following: Columns, topic: Columns, place: Columns, weight: Floats, spread: Floats,
    bias: Floats, bias_sd: Floats, u: Floats, fall: Floats, least_gain: Floats, reaches: Floats, since: Any,
    mark: Any, first: Columns, m: Floats, sd: Floats, tables: Any, codes: Any,
) -> tuple[Columns, Floats, Floats]:  # fmt: skip
    earlier, at, value = np.empty(room, np.int32), np.empty(room, np.int32), np.empty(room)  # matches, topic by topic
    reached = np.empty(min(room, bias.size), np.int32)
    n_reached = n = 0
    for i in range(columns.size):
        x, p = weights[i], head[columns[i]]
        while p >= 0:
            t = topic[p]
            if mark[t] != stamp:
                mark[t], first[t], m[t], sd[t] = stamp, -1, bias[t], bias_sd[t]
                reached[n_reached] = t
                n_reached += 1
            m[t] += x * weight[p]
            sd[t] += abs(x) * spread[p]
            earlier[n], at[n], value[n], first[t] = first[t], place[p] + 1, x, n
            n += 1
            p = following[p]
    found, out_m, out_v = np.empty(n_reached, np.int32), np.empty(n_reached), np.empty(n_reached)
    n_found = 0
    for r in range(n_reached):
        t = reached[r]
        threshold = u[t] - fall[t] * (seen - since[t])
        if not everything and not _open(codes[t], m[t], sd[t], threshold, least_gain[t], reaches[t]):
            continue
        v = _variance(first[t], earlier, at, value, tables[t])
        if everything or _near_decision(codes[t], m[t], v, threshold, least_gain[t], reaches[t]):
            found[n_found], out_m[n_found], out_v[n_found] = t, m[t], v
            n_found += 1
    return found[:n_found].copy(), out_m[:n_found].copy(), out_v[:n_found].copy()


@kernel
def _open(code: Code, m: float, sd: float, threshold: float, least_gain: float, reach: float) -> bool:
    """Return whether some v up to sd^2 brings the topic near a decision."""
    if m > 0.0:
        return True
    return m > threshold * sigma_of(code, sd * sd) or (least_gain < np.inf and -m <= reach * sd)


@kernel
def _near_decision(code: Code, m: float, v: float, threshold: float, least_gain: float, reach: float) -> bool:
    if m > 0.0:
        return True
    if m > threshold * sigma_of(code, v):
        return True
    if not least_gain < np.inf:
        return False
    return -m <= reach * np.sqrt(v) if code[0] == FLIP else expected_gain(code, m, v) >= least_gain


@kernel
def _variance(last: int, earlier: Columns, at: Columns, value: Floats, table: Floats) -> float:
    """Return v over the matches of one topic, which are linked from the last to the first."""
    v = table[0, 0]
    diagonal = table.shape[0] == 1
    i = last
    while i >= 0:
        x = value[i]
        if diagonal:
            v += x * x * table[0, at[i]]
        else:
            row = table[at[i]]
            part = 2.0 * row[0] + x * row[at[i]]
            j = earlier[i]
            while j >= 0:
                part += 2.0 * value[j] * row[at[j]]
                j = earlier[j]
            v += x * part
        i = earlier[i]
    return float(max(v, 0.0))
