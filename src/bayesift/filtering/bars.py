"""The bar of every GP topic: the score that a document must pass to be looked at closer.

| strategy | a document is shown if                                                                                 |
|----------|--------------------------------------------------------------------------------------------------------|
| none     | p > 1/2                                                                                                |
| rnd      | the same, and at random (`Strategy.chance`)                                                            |
| target   | its score is above the background's score at rank (size) (wanted - shown) / (documents to come)        |
| t9p      | the same, or logit p + min(b, 0) > logit((relevant + 1/2) / (judged + 1)), b by the last answers       |
|          | (`local_odds`); while fewer were shown than wanted, from `BURST` relevant documents on,                |
|          | logit p + b > the same + `AHEAD`                                                                       |
| daily    | p > t = 1 - balance, or the answer is worth it (`answer_value`), or it is the early question; at most  |
|          | `per_day` per topic and day, and if there would be more, those above the background's score at the     |
|          | rank of per_day                                                                                        |

How frequent a topic is can hardly be told from its scores, so a new topic asks about documents that score as three in a
thousand do, whatever it believes of them: early questions, three at most, and while an answer is missing, one per day.
The topics of a stream have much in common, so the share of the topics with an answer that have found something says
whether early questions pay: where it is small there are none, where it is large all three, and between they end with
the first document that is not relevant.

T9P = R+ / max(wanted, shown) rises with each document that is more probable than the precision so far, also when all
places are taken: topics come in bursts, which no background foretells. That is what `t9p` adds to `target`. In a burst
the documents of a topic are more probable than the line of its calibration says, and after it less, which the last
answers show (`local_odds`). A document that takes a place before its turn leaves one less for those to come, so it must
be better than that by a margin.

The background is the topic's `usual` scores. The bar of both falls while nothing is shown; it is renewed when the
rank has become another number, and at the top, where it follows the tail of the best scores
(`TopicLines.smooth_score_at`), when one in twenty of the documents to come has gone by.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit, logit

from bayesift.corpora.dates import days_between
from bayesift.filtering.gp_profile import GPProfile
from bayesift.filtering.local_odds import NO_ANSWERS, local_shift
from bayesift.filtering.strategies import Strategy
from bayesift.filtering.topic_lines import TOP, TopicLines
from bayesift.numba_kernel import kernel

Floats = NDArray[np.float64]
Longs = NDArray[np.int64]
ASKABLE = 0.5  # share of t from which on a probability may be worth a question
EARLY, EARLY_SHARE = 3, 0.003  # early questions of a topic, and how unusual a document must be for them
PAYING = 0.75  # times t: the share of topics that found something from which on early questions pay
RICH = 0.45  # the share from which on they go on after a document that is not relevant
FOUND, ANSWERED = 2, 3  # topics that found something, and topics with an answer, before there are any
FIRST = FOUND / ANSWERED  # their share: while there are no answers, early questions pay whatever t is
RENEWED = 0.95  # share of the documents to come after which a bar at the top is renewed
BURST, AHEAD = 3, 0.3  # relevant documents before places are taken before their turn, and the log-odds this takes
FAR, WRONG = 31, 2  # days behind, and documents in a row, that show that a day was a wrong date
SLACK = 1.5  # documents above the bar of a day, per place
EVERY = 1 << 62
PACED = ("target", "t9p")  # strategies that spread a number of documents over the stream
Early = tuple[Longs, Longs, Longs, Longs, Floats, Floats, float]


class Bars:
    """The bars of all topics, in the order of the topics.

    score: what a document must pass. renew: the number of documents at which the bar is renewed.
    shown, drawn: documents shown in all, and at random. per_day, level: what the reader of each topic set, level = t.
    relevant, irrelevant: answers of each topic; `n_answered` topics have one, `n_found` have a relevant document.
    today: documents shown on the current day, which is `day`; the `days` before had `before` documents in all, and this
    one `now` so far.

    Parameters
    ----------
    strategy : Strategy
        When a document is shown.
    lines : TopicLines
        The calibrations of the topics.
    """

    def __init__(self, strategy: Strategy, lines: TopicLines) -> None:
        n, self._strategy, self.lines = lines.n, strategy, lines
        self.score, self.renew = np.full(n, np.inf), np.full(n, EVERY, np.int64)
        # scores for an answer, for an early question, and that as many documents of a day pass as the reader looks at
        self._worth, self._rare, self._pace = (np.full(n, np.inf) for _ in range(3))
        self.today, self.shown, self.drawn, self.relevant, self.irrelevant = (np.zeros(n, np.int64) for _ in range(5))
        self.n_answered = self.n_found = 0
        self._last = [NO_ANSWERS] * (n if strategy.name == "t9p" else 0)
        self.per_day, self.level = np.full(n, float(strategy.per_day)), np.full(n, 1.0 - strategy.balance)
        self.day, self.days, self.before, self.now = "", 0, 0, 0
        self._behind = 0  # the last documents, one after the other, that are `FAR` behind the day

    def begin(self, date: str | None, first: bool = False) -> bool:
        """Count a document of this date, and return whether a new day begins with it.

        The `first` date of a stream begins one, also if days were those of arrival before, and later. A day that the
        stream is far behind with `WRONG` documents in a row was a wrong date, of the future: it ends with them.
        """
        if date is not None:
            self._behind = self._behind + 1 if days_between(date, self.day) > FAR else 0
        new = date is not None and (first or date[:10] > self.day or self._behind == WRONG)
        if new:
            self._behind = 0
            self.days += self.day != ""
            self.before += self.now if self.day else 0
            self.day, self.now = (date or "")[:10], 0
            self.today[:] = 0
        self.now += 1
        return new

    @property
    def documents_per_day(self) -> float:
        """The mean number of documents of the days so far; of the first day, that of its documents so far."""
        return self.before / self.days if self.days else float(max(self.now, 1))

    @property
    def every(self) -> Longs:
        """The numbers of all topics."""
        return np.arange(self.lines.n)

    def due(self, seen: int) -> Longs:
        """Return the topics whose bar is to be renewed."""
        return np.flatnonzero(self.renew <= seen) if self._strategy.name in PACED else np.zeros(0, np.int64)

    def count(self, topics: Longs, profiles: Sequence[GPProfile]) -> None:
        """Take over what topics were shown and have found."""
        counters = [profile.counters for profile in profiles]
        self.shown[topics] = [c.shown for c in counters]
        self.relevant[topics] = [c.relevant for c in counters]
        self.irrelevant[topics] = [c.irrelevant for c in counters]
        if self._strategy.name == "t9p":
            for t, profile in zip(topics.tolist(), profiles):
                self._last[t] = profile.last
        self.n_found = int(np.count_nonzero(self.relevant))
        self.n_answered = int(np.count_nonzero(self.relevant + self.irrelevant))

    @property
    def finding(self) -> float:
        """The share of the topics with an answer that have found something."""
        return (self.n_found + FOUND) / (self.n_answered + ANSWERED)

    def asking_early(self) -> NDArray[np.bool_]:
        """Return which topics may ask early questions."""
        new = self.relevant + self.irrelevant < EARLY
        least = np.where(self.irrelevant > 0, RICH, np.minimum(PAYING * self.level, FIRST))
        return np.asarray(new & (self.finding >= least))

    def kinds(self, topics: Longs, scores: Floats, p: Floats) -> Longs:
        """Return what `daily` does with a document of these scores and probabilities, by the topic.

        0: nothing, 1: deliver it, 2: ask about it, 3: ask if the answer is worth it.
        """
        return _kinds(topics, scores, p, self.score, self.level, self.lines.sizes, *self._early)

    @property
    def _early(self) -> Early:
        """What early questions depend on."""
        counts = self.relevant, self.irrelevant, self.shown, self.today
        return *counts, self._rare, self.level, self.finding

    def update(self, topics: Longs, seen: int) -> None:
        """Set the bars of topics."""
        s, self.renew[topics] = self._strategy, EVERY
        if s.name in PACED:
            for t in topics.tolist():
                self._for_target(t, seen)
        elif s.name == "daily":
            self._rare[topics] = self.lines.score_at(topics, np.full(topics.size, EARLY_SHARE))
            self._set_worth(topics)
            self._set_pace(topics)
            self._set_daily(topics)
        else:
            self.score[topics] = self.lines.levels(topics, np.full(topics.size, 0.5))

    def follow_lines(self, seen: int) -> None:
        """Set the bars of all topics again, whose lines have moved while the scores of the background are the same."""
        if self._strategy.name == "daily":
            self._set_worth(self.every)
            self.new_day(seen)
        elif self._strategy.name != "target":
            self.update(self.every, seen)

    def show(self, topics: Longs, at_random: NDArray[np.bool_], seen: int) -> None:
        """Count a document that was shown to topics, and set the bars of those, which have learned nothing."""
        self.today[topics] += 1
        self.shown[topics] += 1
        self.drawn[topics] += at_random
        if self._strategy.name == "daily":
            if not self.days:  # the number of documents of the first day is not known
                self._set_pace(topics)
            self._set_daily(topics)
        else:
            self.update(topics, seen)

    def new_day(self, seen: int) -> None:
        """Set the bars of all topics for a day on which nothing was shown yet.

        With `daily`, only the pace changes, and topics whose early question was not answered may ask another.
        """
        if self._strategy.name == "daily":
            self._set_pace(self.every)
            self._set_daily(self.every)
        else:
            self.update(self.every, seen)

    def _set_worth(self, topics: Longs) -> None:
        """Set the score from which on the answer about a document may be worth a question."""
        least = self.level[topics] * ASKABLE
        self._worth[topics] = np.where(least > 0.0, self.lines.levels(topics, least), -np.inf)

    def _set_pace(self, topics: Longs) -> None:
        """Set the score that as many documents of a day pass as the reader looks at; without dates, any.

        Where only documents that are rarer can be shown, any will do, too.
        """
        self._pace[topics] = -np.inf
        if not self.day:
            return
        shares = SLACK * self.per_day[topics] / self.documents_per_day
        matters = np.flatnonzero((self._worth[topics] < self._rare[topics]) | (shares < EARLY_SHARE))
        self._pace[topics[matters]] = self.lines.score_at(topics[matters], shares[matters])

    def _set_daily(self, topics: Longs) -> None:
        _set_daily(topics, self.score, self._worth, self._pace, self.per_day, self.day != "", *self._early)

    def take_over(self, old: Bars, before: Sequence[object], topics: Sequence[object]) -> None:
        """Take over the counts of the day; `before` and `topics` are the topics of both."""
        self.day, self.days, self.before, self.now = old.day, old.days, old.before, old.now
        self._behind = old._behind
        known = {id(topic): t for t, topic in enumerate(before)}
        pairs = [(t, known[id(topic)]) for t, topic in enumerate(topics) if id(topic) in known]
        here, there = np.array(pairs, np.int64).reshape(-1, 2).T
        self.today[here], self.drawn[here] = old.today[there], old.drawn[there]

    def arrays(self) -> dict[str, Any]:
        """Return the state."""
        counts = np.array([self.days, self.before, self.now, self._behind], np.int64)
        arrays = {name: getattr(self, name).copy() for name in ("score", "renew", "today", "drawn")}
        return {**arrays, "day": self.day, "counts": counts, "prior": list(self.lines.prior)}

    def restore(self, state: Mapping[str, Any]) -> None:
        """Take over what `arrays` returned."""
        self.score, self.renew = np.array(state["score"], np.float64), np.array(state["renew"], np.int64)
        self.today, self.drawn = np.array(state["today"], np.int64), np.array(state["drawn"], np.int64)
        self.day = str(state["day"])
        self.days, self.before, self.now, *rest = np.array(state["counts"], np.int64).tolist()
        self._behind = rest[0] if rest else 0  # files of earlier versions have none
        self._set_pace(self.every)

    def _at_precision(self, t: int, taken: bool) -> float:
        """Return the score at which a document is as good as the precision so far; `taken`: all places are."""
        precision = (self.relevant[t] + 0.5) / (self.relevant[t] + self.irrelevant[t] + 1.0)
        last, topic = self._last[t], np.array([t])
        shift = local_shift(self.lines.logits(topic.repeat(last.scores.size), last.scores), last.relevant)
        ahead = -min(shift, 0.0) if taken else AHEAD - shift
        return float(self.lines.levels(topic, expit(logit([precision]) + ahead))[0])

    def _for_target(self, t: int, seen: int) -> None:
        s = self._strategy
        wanted, left = s.target - int(self.shown[t]), max(s.horizon - seen, 1)
        if wanted <= 0:
            self.score[t] = self._at_precision(t, taken=True) if s.name == "t9p" else np.inf
            return
        self.score[t] = self.lines.smooth_score_at(t, wanted / left)
        if s.name == "t9p" and self.relevant[t] >= BURST:
            self.score[t] = min(self.score[t], self._at_precision(t, taken=False))
        size = max(int(self.lines.sizes[t]), 1)
        rank = int(size * wanted / left)
        later = left * RENEWED if wanted / left < TOP else size * wanted / (rank + 1)
        self.renew[t] = max(s.horizon - int(later), seen + 1)


@kernel
def _early(
    t: int, relevant: Longs, irrelevant: Longs, shown: Longs, today: Longs, rare: Floats, level: Floats,
    finding: float,
) -> float:  # fmt: skip
    """Return the score from which on a document is worth an early question of a topic."""
    answers = relevant[t] + irrelevant[t]
    asking = answers < EARLY and not (shown[t] > answers and today[t] > 0)
    pays = finding >= (RICH if irrelevant[t] > 0 else min(PAYING * level[t], FIRST))
    return rare[t] if asking and pays else np.inf


@kernel
def _set_daily(
    topics: Longs, score: Floats, worth: Floats, pace: Floats, per_day: Floats, dated: bool, relevant: Longs,
    irrelevant: Longs, shown: Longs, today: Longs, rare: Floats, level: Floats, finding: float,
) -> None:  # fmt: skip
    for t in topics:
        least = min(worth[t], _early(t, relevant, irrelevant, shown, today, rare, level, finding))
        score[t] = np.inf if dated and today[t] >= per_day[t] else max(least, pace[t])


@kernel
def _kinds(
    topics: Longs, scores: Floats, p: Floats, bars: Floats, levels: Floats, sizes: Longs, relevant: Longs,
    irrelevant: Longs, shown: Longs, today: Longs, rare: Floats, level: Floats, finding: float,
) -> Longs:  # fmt: skip
    out = np.zeros(topics.size, np.int64)
    for i in range(topics.size):
        t = topics[i]
        if not scores[i] > bars[t]:
            continue
        early = _early(t, relevant, irrelevant, shown, today, rare, level, finding)
        asked = scores[i] > early or sizes[t] == 0  # without a background always
        out[i] = 1 if p[i] > levels[t] else 2 if asked else 3
    return out
