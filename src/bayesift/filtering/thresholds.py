"""The thresholds of every topic: which documents are near a decision.

u = m / sigma orders documents as p does, and p = 1/2 is u = 0. A document with p <= 1/2 is near a decision of a topic
if u is above the topic's threshold, or if its expected gain is at least `least_gain`. The strategy sets both:

| strategy         | threshold of u               | least gain, in bits                         |
|------------------|------------------------------|---------------------------------------------|
| none, rnd        | infinite                     | infinite                                    |
| ig, pace, region | infinite                     | theta(N_ret), or with a budget 0.001        |
| utility, f1      | -0.6                         | 0.001                                       |
| target           | falls, infinite from N_ret = 50 on | infinite                              |

The threshold of `target` rises by `step` with every question, and falls with every document by
step (questions left) / (documents to come). So it comes to rest where as many are asked about as are left. After n
documents it is u - fall (n - since), a function of what the last change left behind.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from bayesift.beliefs.likelihoods import Code, sigma_of
from bayesift.filtering.budget import Budget
from bayesift.filtering.gain import reach
from bayesift.filtering.strategies import NEVER, Strategy

Floats = NDArray[np.float64]
PAYS = -0.6  # u below which no document is worth showing for T9U or F1 by itself
ROUNDING = 1e-9  # by which a gain may be below the least one


class Thresholds:
    """The thresholds of all topics, in the order of the topics.

    u, fall, since: the threshold of u after document `since`, and by how much it falls with each later document.
    least_gain: the gain from which a document is worth a question. reach: the same for flip noise, as |m| / sqrt v.
    """

    def __init__(self, strategy: Strategy, budget: Budget | None, codes: Sequence[Code]) -> None:
        self._strategy, self._budget, self._codes = strategy, budget, list(codes)
        n = len(self._codes)
        self.u = np.full(n, 0.0 if strategy.name == "target" else NEVER)
        self.fall, self.since = np.zeros(n), np.zeros(n, np.int64)
        self.least_gain, self.reach = np.full(n, NEVER), np.full(n, -1.0)

    def at(self, t: int, seen: int) -> float:
        """Return the threshold of u of a topic after so many documents."""
        return float(self.u[t] - self.fall[t] * (seen - self.since[t]))

    def near(self, t: int, m: float, v: float, gain: float, seen: int) -> bool:
        """Return whether a document with p <= 1/2 is near a decision of a topic."""
        return self.u_of(t, m, v) > self.at(t, seen) or bool(gain >= self.least_gain[t] * (1.0 - ROUNDING))

    def u_of(self, t: int, m: float, v: float) -> float:
        """Return u of a field N(m, v)."""
        return float(m / sigma_of(self._codes[t], v))

    def update(self, t: int, shown: int, seen: int, asked: bool = False) -> None:
        """Set a topic's thresholds after `shown` documents were shown to it, the last one `asked` about or not."""
        s = self._strategy
        if s.name != "target":
            least = s.least_gain(shown) if self._budget is None else self._budget.least_gain(s)
            self._set(t, PAYS if s.name in ("utility", "f1") else NEVER, 0.0, least, seen)
        elif shown < s.target:
            self._set(t, self.at(t, seen) + (s.step if asked else 0.0), s.fall(shown, seen), NEVER, seen)
        else:
            self._set(t, NEVER, 0.0, NEVER, seen)

    def start(self, t: int, sample: Sequence[float], shown: int, seen: int) -> None:
        """Set the threshold of `target` so that the wanted share of a sample of u is above it."""
        s, u = self._strategy, sorted(sample, reverse=True)
        if u:
            k = round(s.target / s.horizon * len(u))
            self._set(t, u[min(max(k, 1), len(u)) - 1], s.fall(shown, seen), NEVER, seen)

    def arrays(self) -> tuple[Floats, NDArray[np.int64]]:
        """Return (u, fall, least_gain) of all topics, and `since`."""
        return np.array([self.u, self.fall, self.least_gain], np.float64), self.since.copy()

    def restore(self, thresholds: Floats, since: NDArray[np.int64]) -> None:
        """Take over what `arrays` returned."""
        for t in range(since.size):
            self.take_over(t, thresholds, since, t)

    def take_over(self, t: int, thresholds: Floats, since: NDArray[np.int64], place: int) -> None:
        """Set a topic's thresholds to those of one place of what `arrays` returned."""
        u, fall, least_gain = thresholds[:, place].tolist()
        self._set(t, u, fall, least_gain, int(since[place]))

    def _set(self, t: int, u: float, fall: float, least_gain: float, since: int) -> None:
        self.u[t], self.fall[t], self.least_gain[t], self.since[t] = u, fall, least_gain, since
        self.reach[t] = reach(self._codes[t], least_gain)
