"""The profile of a topic by Gaussian-process regression: for topics that begin with a sentence or a few examples.

A topic's own documents (`topic_past`) are regressed on targets (`topic_regression`).

The score s is the mean of the field. Its probability is Platt's line over how unusual s is in the background
(`topic_calibration`). The field that `field` returns has this probability under a probit of deviation 1, and the
variance of the line.

Of more than `MOST` judged documents, those that the others predict best are left out: the regression stays exact, over
the rest. Those that are left are predicted worse than documents usually are, so the calibration is fitted to all of
them, up to the last `FITTED`. The score of a document that was left out is one by the others alone, as a leave-one-out
score is.

A profile changes through `apply` and `replay` alone and is a function of its start and the events applied: same events,
same bytes. One that is restored learns when it is first asked for what it has learned, alone or with others (`learn`):
most of the topics of a workspace that is opened for a look at one inbox are never asked.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict
from itertools import groupby
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from bayesift.beliefs import Probit
from bayesift.errors import BadInput
from bayesift.filtering.events import Judged, Shown
from bayesift.filtering.local_odds import NO_ANSWERS, LastAnswers
from bayesift.filtering.profile import Counters, described
from bayesift.filtering.profile_settings import ProfileSettings
from bayesift.filtering.rows import Columns, Row
from bayesift.filtering.shared_prior import SharedPrior
from bayesift.filtering.topic_calibration import Calibration, prior_of
from bayesift.filtering.topic_documents import TopicDocuments
from bayesift.filtering.topic_kernel import Given, TopicKernel
from bayesift.filtering.topic_past import TopicPast
from bayesift.filtering.topic_ranks import Ranks, ranked
from bayesift.filtering.topic_regression import Learned, Regressions, TopicRegression
from bayesift.learn.priors import NOTHING_KNOWN, FeaturePrior

Floats = NDArray[np.float64]
Singles = NDArray[np.float32]
Arrays = dict[str, NDArray[Any]]
TOGETHER = 512  # topics that learn together
MOST, BLOCK = 500, 64  # judged documents that count; a block at a time is left out when there are more
FITTED = 2000  # judged documents that the calibration is fitted to, the last ones
LEARNED = ("usual", "own", "last", "_documents", "_together")  # what a restored profile has when it has learned


class GPProfile:
    """What a topic has learned, by Gaussian-process regression. `GPProfile.start` or `restore` makes one.

    Attributes
    ----------
    counters : Counters
        How many documents were shown and judged.
    usual : array of float
        The scores of the background's documents, the highest first.
    own : Calibration
        From scores to probabilities, by its own answers alone.
    last : LastAnswers
        The leave-one-out scores of the documents judged last, and their answers.

    Examples
    --------
    >>> wheat = GPProfile.start("wheat", TopicKernel(), statement=Row.of({0: 0.8, 3: 0.6}))
    >>> wheat.score(Row.of({0: 1.0})) > wheat.score(Row.of({1: 1.0}))
    True
    """

    code = Probit(1.0).code
    settings = ProfileSettings("gp")
    usual: Singles
    own: Calibration
    last: LastAnswers
    _documents: TopicDocuments
    _together: tuple[Regressions, int]  # with which topics it learned last, and its place among them

    def __init__(self, name: str, shared: TopicKernel, feature_prior: FeaturePrior = NOTHING_KNOWN) -> None:
        self.name, self.shared, self.feature_prior = name, shared, feature_prior
        self._past = TopicPast()
        self.counters = Counters()
        self._alone: TopicRegression | None = None
        self._moved: tuple[Calibration, SharedPrior, Calibration] | None = None  # own, prior, and what follows

    @classmethod
    def start(
        cls, name: str, shared: TopicKernel, *, statement: Row | None = None, examples: Sequence[Row] = (),
        feature_prior: FeaturePrior = NOTHING_KNOWN,
    ) -> GPProfile:  # fmt: skip
        """Return a profile that knows what the topic starts from.

        Parameters
        ----------
        name : str
            The topic's name.
        shared : TopicKernel
            The kernel, with the background; the same object for all topics of a filter.
        statement : Row, optional
            What the topic is about, as a document.
        examples : sequence of Row
            Relevant documents.
        feature_prior : FeaturePrior
            Words with the mean and the deviation of their weight; deviations above 1 count as 1.

        Raises
        ------
        BadInput
            If there is neither a statement nor an example nor a word.
        """
        if statement is None and not len(examples) and not feature_prior.columns.size:
            raise BadInput(f"topic {name!r} has no example and no statement", remedy="give it either, or both")
        self = cls(name, shared, feature_prior)
        self._past = TopicPast(statement, list(examples))
        self._begin()
        return self

    def __getattr__(self, name: str) -> Any:
        if name not in LEARNED:
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        self.learn([self])
        return self.__dict__[name]

    def __str__(self) -> str:
        return described(self.name, int((self.terms >= self.shared.encoded).sum()), self.counters)

    def apply(self, event: Shown | Judged) -> None:
        """Apply one event."""
        if isinstance(event, Shown):
            self.counters.shown += 1
            self.counters.asked += event.asked
            return
        self._count(event)
        regression = self._regression  # of the documents before this one
        regression.add(event.row, *self._past.add(event))
        if len(self._past.learned) >= MOST + BLOCK:
            self._forget()
        elif regression.given is not self._given:
            self._begin()
        else:
            self._calibrate(ranked(self._regression.of_reference()[None]), 0)

    def replay(self, event: Judged) -> None:
        """Apply a judgement of the past; what follows from several is learned once, when it is asked for."""
        self._count(event)
        self._past.add(event)
        self._unlearn()
        if len(self._past.learned) >= MOST + BLOCK:
            self._forget()

    def _count(self, event: Judged) -> None:
        self.counters.relevant += event.relevant
        self.counters.irrelevant += not event.relevant

    def _unlearn(self) -> None:
        """Let all be learned again when it is asked for."""
        self._alone = None
        for name in LEARNED:
            self.__dict__.pop(name, None)

    @property
    def terms(self) -> Columns:
        """The columns of its own documents' words, in the order in which they came."""
        return self._documents.terms

    @property
    def by_column(self) -> tuple[Columns, Columns]:
        """The terms in ascending order, and the place of each among `terms`."""
        return self._documents.known

    @property
    def weights(self) -> Floats:
        """The mean weights of the terms."""
        return self._together[0].weights_of(self._together[1]) if self._alone is None else self._alone.weights

    @property
    def dense(self) -> Floats:
        """The mean weights of the shared features."""
        return self._together[0].dense[self._together[1]] if self._alone is None else self._alone.dense

    @classmethod
    def learned(cls, profiles: Sequence[GPProfile]) -> Learned:
        """Return what profiles have learned, one after the other; fast for those that learned together."""
        parts: list[Learned] = []
        for together, run in groupby(profiles, lambda p: None if p._alone is not None else p._together[0]):
            some = list(run)
            if together is not None and [p._together[1] for p in some] == list(range(len(together.topics))):
                parts.append(together.learned)
            else:
                parts += (Learned(np.array([p.terms.size]), p.terms, p.weights, p.dense[None]) for p in some)
        return Learned.joined(parts)

    @property
    def _regression(self) -> TopicRegression:
        """The regression of this topic alone."""
        if self._alone is None:
            together, t = self._together
            self._alone = together.one(t)
        return self._alone

    @property
    def _given(self) -> Given:
        """What the weak negatives say, with the weight for what it knows."""
        return self.shared.given(self._past.n_relevant)

    @property
    def calibration(self) -> Calibration:
        """From scores to probabilities, also by what the topics of the stream have in common."""
        known, own, prior = self._moved, self.own, self.shared.prior
        if known is None or known[0] is not own or known[1] is not prior:
            known = self._moved = own, prior, Calibration(own.tail, prior.moved(own.line))
        return known[2]

    @property
    def prior_offset(self) -> float:
        """The offset of its line before any answer."""
        return prior_of(self._past.n_start)[1]

    def score(self, row: Row, features: Floats | None = None) -> float:
        """Return the mean of the field at a document; `features` are those of the shared kernel."""
        return self._regression.score(row, features)

    def logit(self, score: float) -> float:
        """Return the log-odds of relevance at a score."""
        return self.calibration.logit(score)

    def level(self, p: float) -> float:
        """Return the score at which the probability is p."""
        return self.calibration.level(p)

    def probability(self, row: Row) -> float:
        """Return the probability that a document is relevant."""
        return float(expit(self.logit(self.score(row))))

    def field(self, row: Row) -> tuple[float, float]:
        """Return m and v of the field at a document, on the scale of a probit."""
        return self.calibration.field(self.score(row))

    def contributions(self, row: Row) -> tuple[Columns, Floats]:
        """Return the columns of a document's words that the topic knows, and what each adds to the score."""
        return self._regression.contributions(row.after(self.shared.encoded))

    def strongest(self, max_terms: int) -> tuple[Columns, Floats, Floats]:
        """Return the columns of the terms with the largest weights, the largest first, with mean and deviation.

        What the background says of a word is part of its weight. The deviation is that of the score of a document of
        the term alone.
        """
        weights = self.weights + self.shared.of_words(self.terms, self.dense)
        words = np.flatnonzero(self.terms >= self.shared.encoded)
        best = words[np.argsort(-np.abs(weights[words]), kind="stable")[:max_terms]]
        points = [self.shared.point(Row.of({column: 1.0}), self._given) for column in self.terms[best].tolist()]
        variances = np.array([self._regression.variance(point) for point in points])
        return self.terms[best], weights[best], np.sqrt(self._regression.gp.scale * variances)

    def arrays(self, memory: bool = True) -> Arrays:
        """Return the state as arrays, without the shared kernel and the prior.

        Without `memory`, documents are left out: `restore` then keeps the first of those it has.
        """
        return {"counters": self._counts(), **self._past.arrays(memory)}

    def arrays_of_now(self) -> Callable[[], Arrays]:
        """Return a function that returns the state as it is now, whenever it is called."""
        counts, past = self._counts(), self._past.copy()
        return lambda: {"counters": counts, **past.arrays(memory=True)}

    def _counts(self) -> NDArray[np.int64]:
        return np.array([len(self._past.judged), *asdict(self.counters).values()], np.int64)

    def restore(self, arrays: Arrays) -> GPProfile:
        """Replace the state by one that `arrays` returned."""
        n, *counters = arrays["counters"].tolist()
        self._past.restore(arrays, n)
        self.counters = Counters(*counters)
        self._unlearn()
        return self

    @classmethod
    def learn(cls, profiles: Iterable[GPProfile]) -> None:
        """Let those of several profiles that have learned nothing yet learn their documents."""
        for shared, some in groupby((p for p in profiles if "_documents" not in p.__dict__), lambda p: p.shared):
            cls.rebase(list(some), shared)

    def _begin(self) -> None:
        """Learn the start and all judged documents that count."""
        self._learn([self], [self._past.documents(self.feature_prior)], self.shared)

    @classmethod
    def rebase(cls, profiles: Sequence[GPProfile], shared: TopicKernel) -> None:
        """Let topics learn everything again, with another background; together, and as each would alone."""
        room = np.empty((min(TOGETHER, len(profiles)), shared.reference.shape[0]))
        for begin in range(0, len(profiles), TOGETHER):
            part = profiles[begin : begin + TOGETHER]
            known = [profile.__dict__.get("_documents") for profile in part]
            documents = [own or profile._past.documents(profile.feature_prior) for own, profile in zip(known, part)]
            cls._learn(part, documents, shared, room)

    @staticmethod
    def _learn(
        profiles: Sequence[GPProfile], documents: Sequence[TopicDocuments], shared: TopicKernel,
        room: Floats | None = None,
    ) -> None:  # fmt: skip
        """Let topics learn their documents: together, and to the byte as one by one."""
        pairs = list(zip(profiles, documents))
        for profile in profiles:
            profile.shared = shared
        weak = [profile._given for profile in profiles]
        for given in {id(one): one for one in weak}.values():
            some = [pair for pair, one in zip(pairs, weak) if one is given]
            found = Regressions(shared, given, [own for _, own in some])
            ranks = ranked(found.of_reference(room))
            for i, (profile, own) in enumerate(some):
                profile._documents, profile._together, profile._alone = own, (found, i), None
                profile._calibrate(ranks, i)

    def _forget(self) -> None:
        """Leave out the judged documents that say least: those that the others predict best, by leave-one-out."""
        gp = self._regression.gp
        apart = np.abs(gp.leave_one_out()[0] - gp.target)[-len(self._past.learned) :]
        kept = np.sort(np.argsort(-apart, kind="stable")[:MOST])
        self._past.learned = [self._past.learned[i] for i in kept.tolist()]
        self._begin()

    def _calibrate(self, ranks: Ranks, i: int) -> None:
        """Make the calibration: what is usual in the background, and what was judged."""
        self.usual, starts = ranks.usual[i], self._past.n_start
        if not self._past.judged:
            self.own, self.last = Calibration.before_answers(ranks.tails[i], starts), NO_ANSWERS
            return
        judged, without = self._past.judged[-FITTED:], self._by_others()[-FITTED:]
        answers, chances = [past.relevant for past in judged], [past.chance for past in judged]
        self.own = Calibration.fitted(ranks.tails[i], starts, without, answers, chances)
        self.last = LastAnswers.of(without, answers)

    def _by_others(self) -> Floats:
        """Return the scores of the judged documents, each by the documents that count without it; 0 before `FITTED`."""
        judged, counting = self._past.judged, self._past.learned  # these are the last rows of the regression
        scores = np.zeros(len(judged))
        scores[counting] = self._regression.gp.leave_one_out()[0][-len(counting) :]
        known = set(counting)
        others = [i for i in range(max(len(judged) - FITTED, 0), len(judged)) if i not in known]
        if others:
            scores[others] = self._regression.scores([judged[i].row for i in others])
        return scores
