"""How a topic learns: its learner, how many terms it may have, and what it learns again."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

from bayesift.errors import BadInput
from bayesift.filtering.learners import topic_belief
from bayesift.learn.term_selection import MIN_STATISTIC

Again = Literal["no", "order", "recent"]
GP = "gp"  # the learner of a topic that has no terms to choose: Gaussian-process regression (`gp_profile`)


@dataclass(frozen=True)
class ProfileSettings:
    """Settings of a `Profile`.

    Parameters
    ----------
    learner : str
        flip-perceptron, perceptron or diagonal-perceptron (see `learners`), or gp (`GPProfile`), which has no other
        setting.
    min_statistic : float
        Value of -2 ln lambda above which a term is added. A negative value adds all terms.
    min_terms : int
        Number of terms after the batch phase if fewer pass `min_statistic`: the best ones are added, as far as there
        are so many. A broad topic with few training documents has hardly a term that passes, and could not learn. 0
        adds the terms that pass only, as published.
    initial_terms : int
        Maximum number of terms after the batch phase.
    max_terms : int
        Maximum number of terms.
    passes : int
        Passes over the training documents.
    again : str
        Which past relevant document is learned again after an irrelevant one (+rel): no, order (the next in order) or
        recent (chosen by recency).

    Raises
    ------
    BadInput
        If a setting is unknown or out of range.

    Examples
    --------
    >>> ProfileSettings("perceptron", max_terms=400).again
    'order'
    """

    learner: str = "flip-perceptron"
    min_statistic: float = MIN_STATISTIC
    min_terms: int = 30
    initial_terms: int = 300
    max_terms: int = 600
    passes: int = 3
    again: Again = "order"

    def __post_init__(self) -> None:
        if self.learner != GP:
            topic_belief(self.learner)
        if self.again not in get_args(Again):
            raise BadInput(f"again is {self.again!r}", remedy="use no, order or recent")
        if not 0 < self.initial_terms <= self.max_terms or self.min_terms < 0 or self.passes < 1:
            remedy = "0 < initial_terms <= max_terms, min_terms from 0, passes from 1"
            raise BadInput("number of terms or passes out of range", remedy=remedy)
