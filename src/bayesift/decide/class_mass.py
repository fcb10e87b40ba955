"""Class mass normalisation: give each label to as large a share of documents as had it in training (zhang2010 5.2).

Zhu, Ghahramani & Lafferty 2003. Documents at hand are sorted by score and cut so that the shares agree: a rule for
many documents together, and the more of them, the truer its assumption.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Self

import numpy as np
import numpy.typing as npt

from bayesift.arrays import BoolArray, LabelMatrix, as_labels, as_scores
from bayesift.decide.rule import Rule, fitted
from bayesift.errors import BadInput


@dataclass(frozen=True)
class ClassMass(Rule):
    """The share of each label is that of the training documents.

    >>> rule = ClassMass().fit([[0.0]] * 4, [[1], [0], [0], [0]])
    >>> rule.decide([[0.2], [0.9], [0.1], [0.3]]).ravel()
    array([False,  True, False, False])
    """

    shares_: tuple[float, ...] = field(default=(), repr=False)

    def fit(self, scores: npt.ArrayLike, truth: LabelMatrix, folds: npt.ArrayLike | None = None) -> Self:
        """Return the rule with the share of each label; the scores are ignored."""
        t = as_labels(truth, "truth")
        return replace(self, shares_=tuple((t.toarray().mean(axis=0)).tolist()))

    def decide(self, scores: npt.ArrayLike) -> BoolArray:
        """Return the labels of all these documents together; of equal scores the first come first."""
        s, shares = as_scores(scores), fitted(self.shares_, self)
        if s.shape[1] != shares.size:
            raise BadInput(f"shares of {shares.size} labels, but scores of {s.shape[1]}", remedy="fit to these labels")
        out = np.zeros(s.shape, bool)
        for label, k in enumerate(np.rint(shares * len(s)).astype(int)):
            out[np.argsort(-s[:, label], kind="stable")[:k], label] = True
        return out
