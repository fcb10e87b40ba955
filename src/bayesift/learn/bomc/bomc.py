"""BOMC, the Bayesian online multi-label classifier (zhang2010): linear discriminants of all labels in one pass.

    f_c = w_c.x + noise, noise ~ N(0, beta^2); w_cj ~ N(mu_cj, var_cj) independent
    a relevant label has f_c - b > eps, an irrelevant one f_c - b < -1 (times `margin`); b is a bias

What the variants differ in: `independent` has a bias for each label, `coupled` one for all (figure 3), `pairwise`
compares every relevant label with every irrelevant one (figure 2), `multiclass` the only relevant one with all others
(figure 1). The margin of positives grows with the label's rarity. The kernels are in `_updates` and `_pairwise`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import fields
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.special import ndtr
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_is_fitted

from bayesift.arrays import as_targets
from bayesift.beliefs.protocol import State
from bayesift.errors import BadInput
from bayesift.learn.base import check_size, known_rows, many_labels, more_rows, note_features
from bayesift.learn.bomc import _pairwise
from bayesift.learn.bomc.belief import NOT_WANTED, LabelsBelief, Settings
from bayesift.learn.bomc.known_priors import begin_with_names, learn_priors, learn_variances, use_priors
from bayesift.learn.priors import FeaturePrior
from bayesift.learn.side_by_side import SideBySide
from bayesift.learn.weights import Weights
from bayesift.threads import n_threads

Floats = NDArray[np.float64]
Singles = NDArray[np.float32]
AUTO = "auto"
VARIANTS = ("independent", "coupled", "multiclass", "pairwise")
AT_A_TIME = 64  # labels whose weights are copied at a time: columns lie side by side in memory
TINY, EPSILON = np.finfo(np.float64).tiny, np.finfo(np.float64).epsneg


class BOMC(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """A Gaussian belief about every weight of every label, updated document by document.

    Parameters
    ----------
    variant : "independent", "coupled", "pairwise" or "multiclass"
        What couples the labels, see the module.
    noise : float
        beta, the standard deviation of the noise.
    margin : float
        The margin that a field must exceed.
    by_frequency : bool
        Whether the margin of positives is multiplied by ln(e + 1/r), r = positives / negatives so far.
    ratios : sequence of float, optional
        r of each label, instead of what was counted so far.
    prior_variance, bias_variance : float
        Variance of the weights and of the bias before any document.
    label_noise : float
        rho, the probability that a label is wrong.
    drift : float or "auto"
        tau; variances grow by tau^2 per document. "auto" is for `TextClassifier` and `LabelClassifier`, which choose it
        by their calibrated predictions along the stream.
    passes : int
        Passes of `fit` over the documents, each in a random order of its own.
    seed : int, optional
        Random seed of the orders; None keeps the documents in their order.
    feature_priors : sequence of FeaturePrior, optional
        One prior of the weights per label.
    compact : bool
        Whether a label has its own weights only for terms that occur with it, and elsewhere those of a label that no
        document has (independent variant without drift).
    dense_weights : sequence of float, optional
        Prior variance of the weights of each dense vector beside the words, in units of `prior_variance`; None is 1.
    learned_variances : bool
        Whether `fit` learns the prior variance of each term halfway through the documents (`term_variance`); their
        average is `prior_variance`. Not with drift; documents that are learned in blocks have one for all terms.
    names : sparse matrix of (labels, words), optional
        The name of each label, read as a document: prior means of its terms, learned with the variances
        (`label_names`). Without learned variances they are not read.
    threads : int, optional
        Threads of the independent variant; None is one per core. The result is the same for any number.

    Examples
    --------
    >>> X, Y = [[1, 0, 1], [1, 0, 0], [0, 1, 1], [0, 1, 0]] * 5, [[1, 0], [1, 0], [0, 1], [0, 1]] * 5
    >>> model = BOMC().fit(X, Y)
    >>> model.predict([[1, 0, 0], [0, 1, 0]])
    array([[1, 0],
           [0, 1]])
    >>> model.mean_.shape, model.variance_.shape  # (features, labels)
    ((3, 2), (3, 2))
    """

    n_features_in_: int
    online = True  # whether it can learn more documents later
    takes_prior_terms = True  # whether it takes what is known of single features beforehand, as `feature_priors`
    takes_counts = False

    def __init__(
        self,
        variant: str = "independent",
        *,
        noise: float = 0.25,
        margin: float = 1.0,
        by_frequency: bool = True,
        ratios: Sequence[float] | None = None,
        prior_variance: float = 0.1,
        bias_variance: float = 1.0,
        label_noise: float = 0.0,
        drift: float | str = 0.0,
        passes: int = 1,
        seed: int | None = 0,
        feature_priors: Sequence[FeaturePrior | None] | None = None,
        compact: bool = False,
        dense_weights: Sequence[float] | None = None,
        learned_variances: bool = False,
        names: Any = None,
        threads: int | None = None,
    ) -> None:
        self.variant = variant
        self.noise = noise
        self.margin = margin
        self.by_frequency = by_frequency
        self.ratios = ratios
        self.prior_variance = prior_variance
        self.bias_variance = bias_variance
        self.label_noise = label_noise
        self.drift = drift
        self.passes = passes
        self.seed = seed
        self.feature_priors = feature_priors
        self.compact = compact
        self.dense_weights = dense_weights
        self.learned_variances = learned_variances
        self.names = names
        self.threads = threads

    @classmethod
    def as_published(cls, **changes: Any) -> BOMC:
        """Return BOMC as in zhang2010 5.2: a shared bias with variance 1e4, noise 0.01, margin 1, prior N(0, 1)."""
        published: dict[str, Any] = {"noise": 0.01, "prior_variance": 1.0, "bias_variance": 1e4}
        return cls(**{"variant": "coupled"} | published | changes)

    def fit(self, X: Any, Y: Any) -> Self:
        """Learn from scratch. Y is (documents, labels) of 0 and 1, dense or sparse."""
        if not isinstance(self.passes, int | np.integer) or self.passes < 1:
            raise BadInput(f"passes is {self.passes!r}", remedy="give a whole number from 1 on")
        rows = more_rows(self, X, first=True)
        rng = np.random.default_rng(self.seed)
        n = rows.shape[0]
        self._start()
        for _ in range(self.passes):
            order = rng.permutation(n) if self.seed is not None else np.arange(n)
            self._learn(rows, Y, order, half=0 if self.belief_.seen else n // 2)
        return self

    def partial_fit(self, X: Any, Y: Any) -> Self:
        """Learn more documents, once, in their order; features and labels may be new."""
        rows = self._more(X)
        self._learn(rows, Y, None)
        note_features(self, X, rows.shape[1])
        return self

    def learn_prequential(
        self, X: Any, Y: Any, order: NDArray[np.int64], skip: int = 0, out: Singles | None = None, share: float = 1.0
    ) -> Singles:
        """Learn in this order, and return the margins that each document had before it was learned.

        They are as `margins` returns them: (documents, labels + 1), the last column for the unseen label. The first
        `skip` documents of the order have none: they are left as they are in `out`, or 0. With the independent variant
        each document may count as a `share` of one. Prior variances, if nothing was learned before, are learned from
        these first documents.
        """
        if not self.prequential:
            remedy = "use independent or coupled"
            raise BadInput(f"variant {self.variant!r} has no prequential predictions", remedy=remedy)
        rows = self._more(X)
        labels = max(self.belief_.n_labels, sparse.csr_matrix(Y).shape[1])
        margins = np.zeros((rows.shape[0], labels + 1), np.float32) if out is None else out
        self._learn(rows, Y, np.asarray(order, np.int64), margins, skip, share, 0 if self.belief_.seen else skip)
        note_features(self, X, rows.shape[1])
        return margins

    def rehearse(self, X: Any, Y: Any, labels: NDArray[np.int64]) -> None:
        """Learn documents again for some labels only; what these labels learned before is then less the last word.

        Labels that share a bias with others cannot be learned alone: with such a variant all are learned again.
        """
        order = np.random.default_rng(self.seed).permutation(X.shape[0])
        self.belief_.learn_again(X, as_targets(Y, X.shape[0]), labels, order)

    def predict_field(self, X: Any) -> tuple[Singles, Singles]:
        """Return mean and variance of w_c.x - b: two arrays (documents, labels)."""
        m, v = self._fields(X)
        return m[:, :-1], v[:, :-1]

    def decision_function(self, X: Any) -> Singles:
        """Return the margins m / sqrt(v + beta^2): they rank documents whose probabilities are all but 0 or 1."""
        return self.margins(X)[:, :-1]

    def margins(self, X: Any) -> Singles:
        """Return the margins of each label and, in the last column, of a label that no document has had so far."""
        m, v = self._fields(X)
        # sigma as `beliefs.likelihoods.sigma_of` has it, in single precision
        return np.asarray(m / np.sqrt(v + np.float32(self.noise**2)))

    def predict_proba(self, X: Any) -> Floats:
        """Return the probability of each label: Phi of its margin (eq. 2, with noise); multiclass: of being largest."""
        if self.variant == "multiclass":
            m, v = self.predict_field(X)
            return _pairwise.largest(m.astype(np.float64), v.astype(np.float64) + self.noise**2)
        p = ndtr(self.decision_function(X).astype(np.float64))
        return np.clip(p, TINY, 1.0 - EPSILON)  # nothing is certain

    def predict(self, X: Any) -> NDArray[np.int64]:
        """Return the labels more probable than not (multiclass: the most probable one): (documents, labels)."""
        p = self.predict_proba(X)
        chosen = p == p.max(axis=1, keepdims=True) if self.variant == "multiclass" else p > 0.5
        return np.asarray(chosen, np.int64)

    @property
    def prequential(self) -> bool:
        """Whether `learn_prequential` is there: variants that compare labels have no margins of single labels."""
        return self.variant in ("independent", "coupled")

    @property
    def reads_names(self) -> bool:
        """Whether the names of labels are read: where prior variances are learned."""
        return self.learned_variances

    @property
    def classes_(self) -> NDArray[np.int64]:
        """The labels, which are the numbers of the columns of Y."""
        return np.arange(self.belief_.n_labels)

    @property
    def mean_(self) -> Singles:
        """Posterior means of the weights: (features, labels); those of a dense vector come first."""
        return self.belief_.mean[: self.belief_.n_features, : self.belief_.n_labels]

    @property
    def variance_(self) -> Singles:
        """Posterior variances of the weights: (features, labels)."""
        return self.belief_.variance[: self.belief_.n_features, : self.belief_.n_labels]

    @property
    def bias_mean_(self) -> Floats:
        """Posterior mean of each label's bias, which is subtracted from its field."""
        return np.broadcast_to(self.belief_.bias[0], self.belief_.mean.shape[1:])[: self.belief_.n_labels]

    @property
    def bias_variance_(self) -> Floats:
        """Posterior variance of each label's bias."""
        return np.broadcast_to(self.belief_.bias[1], self.belief_.mean.shape[1:])[: self.belief_.n_labels]

    def weights(self, labels: Sequence[int]) -> Iterator[Weights]:
        """Yield the weights of each of these labels, which are independent."""
        for begin in range(0, len(labels), AT_A_TIME):
            block = list(labels[begin : begin + AT_A_TIME])
            mean, variance = (a[:, block].T.astype(np.float64, order="C") for a in (self.mean_, self.variance_))
            for i, c in enumerate(block):
                bias, bias_sd = float(self.bias_mean_[c]), float(self.bias_variance_[c]) ** 0.5
                sd, d = np.sqrt(variance[i]), self.belief_.n_dense
                dense = (mean[i, :d], sd[:d]) if d else None
                yield Weights(mean[i, d:], sd[d:], -bias, bias_sd, dense=dense)  # the bias is subtracted

    def prune(self, below: float) -> float:
        """Set weights to exactly 0 whose mean is within `below` deviations of the prior of 0; return their share.

        Weights that never moved go first; their variances stay.
        """
        check_is_fitted(self, "belief_")
        some = slice(self.belief_.n_features), slice(self.belief_.n_labels + 1)  # the unseen label's too
        mean = self.belief_.mean[some]
        small = np.abs(mean) <= below * np.sqrt(self.belief_.variance[some])
        mean[small] = 0.0
        return float(small.mean()) if small.size else 0.0

    def state(self) -> State:
        """Return all that was learned, as arrays and numbers, for `restore` of a learner with equal settings."""
        check_is_fitted(self, "belief_")
        return self.belief_.state()

    def restore(self, state: State) -> Self:
        """Replace what was learned by a state that `state` returned."""
        self._start()
        self.belief_.restore(state)
        self.n_features_in_ = self.belief_.n_features
        return self

    def _check(self) -> None:
        if self.variant not in VARIANTS:
            raise BadInput(f"variant is {self.variant!r}", remedy=f"use one of {', '.join(VARIANTS)}")
        n_threads(self.threads)
        numbers = {"noise": self.noise, "prior_variance": self.prior_variance, "bias_variance": self.bias_variance}
        for name, value in numbers.items():
            if not 0.0 < value < 1e9:
                raise BadInput(f"{name} is {value!r}", remedy="give a positive number")
        if isinstance(self.drift, str):
            raise BadInput(
                f"drift is {self.drift!r}, but a learner alone has no calibrated predictions to choose it by",
                remedy='give a number, or use it in a classifier: TextClassifier(BOMC(drift="auto"))',
            )
        if not (0.0 <= self.margin < 1e6 and self.drift >= 0.0 and 0.0 <= self.label_noise < 0.5):
            raise BadInput(
                f"margin {self.margin!r}, drift {self.drift!r}, label_noise {self.label_noise!r}",
                remedy="give margin and drift from 0 on, label_noise from 0 to below 1/2",
            )
        weights = () if self.dense_weights is None else self.dense_weights
        if not all(0.0 <= weight < 1e9 for weight in weights):
            raise BadInput(f"dense_weights are {self.dense_weights!r}", remedy="give numbers from 0 on")
        if self.compact and (self.variant != "independent" or self.drift != 0.0):
            raise BadInput("compact=True with a shared bias or drift", remedy="use independent labels without drift")
        if self.learned_variances and self.drift != 0.0:
            raise BadInput("learned_variances=True with drift", remedy="use one of them")

    def begin(self, features: int, labels: int, variances: Singles | None = None, means: Any = None) -> None:
        """Know so many features and labels, and no document.

        `variances` (features, labels + 1) are prior variances of the weights, the last column for the unseen label, and
        `means` (labels, features), sparse, their prior means where not 0. Features with priors of their own keep these.
        """
        self._start()
        self._grow(features, labels)
        if variances is not None:
            self.belief_.variance[:features, : labels + 1] = variances
            if means is not None:
                of = np.repeat(np.arange(labels), np.diff(means.indptr))
                self.belief_.mean[means.indices, of] = means.data
            use_priors(self.belief_, self.feature_priors, 0, 0)
        self.n_features_in_ = features

    def _start(self) -> None:
        self._check()
        self.belief_ = LabelsBelief(self._settings(), self.prior_variance, self.bias_variance, self.compact)

    def _settings(self) -> Settings:
        return Settings(**{f.name: getattr(self, f.name) for f in fields(Settings)})

    def _more(self, X: Any) -> Any:
        """Return checked rows, with a belief to learn them; there may be more features than before."""
        first = not hasattr(self, "belief_")
        rows = more_rows(self, X, first=first)
        if first:
            self._start()
        return rows

    def _learn(
        self, rows: Any, Y: Any, order: NDArray[np.int64] | None, prequential: Singles = NOT_WANTED, skip: int = 0,
        share: float = 1.0, half: int = 0,
    ) -> Self:  # fmt: skip
        """Learn rows in this order; after the first `half` of them, if any, prior variances may be learned."""
        rows = rows if isinstance(rows, SideBySide) else sparse.csr_matrix(rows)
        labels = as_targets(Y, rows.shape[0])
        self.check_documents(rows, labels)
        known = self.belief_.n_labels if self.belief_.seen else labels.shape[1]
        self._grow(rows.shape[1], labels.shape[1], rows.widths if isinstance(rows, SideBySide) else ())
        self.belief_.settings = self._settings()
        if self.reads_names and self.belief_.n_labels > known:
            begin_with_names(self.belief_, self.feature_priors, self.names, known, self.prior_variance)
        if self.learned_variances and half and order is not None:
            self.belief_.learn(rows, labels, order=order[:half], prequential=prequential, skip=skip, share=share)
            have = self.belief_.positives[: self.belief_.n_labels] > 0
            learn_priors(self.belief_, self.feature_priors, self.names, rows, have, self.prior_variance)
            order, skip = order[half:], max(0, skip - half)
        self.belief_.learn(rows, labels, order=order, prequential=prequential, skip=skip, share=share)
        return self

    def check_documents(self, rows: Any, labels: sparse.csr_matrix) -> None:
        """Raise if checked rows and targets cannot be learned; nothing changes."""
        check_size(rows)
        if self.variant == "multiclass" and (np.diff(labels.indptr) != 1).any():
            remedy = "multiclass needs exactly one label per document"
            raise BadInput("a document has no label or several", remedy=remedy)

    def learn_variances(self, X: Any, labels: NDArray[np.bool_]) -> None:
        """Learn the prior variances of terms for some labels; X are documents.

        Labels have learned documents with the prior that all began with, and change it once.
        """
        learn_variances(self.belief_, self.feature_priors, self.names, X, labels, self.prior_variance)

    def _grow(self, features: int, labels: int, widths: Sequence[int] = ()) -> None:
        belief = self.belief_
        d, c = belief.n_features, belief.n_labels
        belief.grow(features, labels)
        if sum(widths):
            belief.begin_with_dense(widths, self.dense_weights)
        use_priors(belief, self.feature_priors, d, c)

    def _fields(self, X: Any) -> tuple[Singles, Singles]:
        """Return mean and variance of w_c.x - b of all labels and of the unseen one."""
        check_is_fitted(self, "belief_")
        return self.belief_.field_with_unseen(known_rows(self, X))

    def __sklearn_tags__(self) -> Any:
        return many_labels(super().__sklearn_tags__())
