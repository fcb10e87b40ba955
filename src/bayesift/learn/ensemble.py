"""The ensemble: linear models, nearest documents and a small network, put together by held-out documents.

    m_0   BOMC, one pass, which gives the others their prior variances and scales
    m_1   BOMC with a prior variance of each term and label (`term_variance`), and a prior mean of the terms of its name
          (`label_names`), averaged over orders
    m_2   the same of the characters of words, where rows have that view (`views`)
    m_3   the labels of the nearest documents, with terms that matter multiplied (`nearest`)
    m_4   a network whose hidden layer all labels share, of rows and the log-odds of m_1 and m_2 (`shared_layer`)
    z_kc = curve_kc(m_k)
    log-odds of label c = sum_k w_k z_kc, and what depends on the document and the label (`blend`)

Curves and weights are fitted to documents that the members had not learned. That takes calibration, which learners know
nothing of: `bayesift.classify` does it. An ensemble alone has the mean margin of its members, and its network takes
rows alone.

The network takes the mean log-odds of the linear members as inputs, by curves of the margins that documents had before
these learned them. Such margins are a little too good, since the prior has seen the documents, but cost nothing;
margins by models of other folds, which had learned the documents that the network then meets, did worse.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.special import expit
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.utils.validation import check_is_fitted

from bayesift.arrays import as_targets
from bayesift.beliefs.curves import interpolate
from bayesift.beliefs.other_labels import NONE
from bayesift.beliefs.protocol import State
from bayesift.errors import BadInput
from bayesift.learn.base import LearnsAtOnce, all_rows, known_rows, many_labels
from bayesift.learn.blend import NEAR, Blend, about_rows
from bayesift.learn.bomc.bomc import BOMC
from bayesift.learn.bomc.passes import Passes
from bayesift.learn.label_names import name_means
from bayesift.learn.nearest import UNIT, NearestDocuments
from bayesift.learn.priors import FeaturePrior
from bayesift.learn.shared_layer import NETWORKS, SharedLayer
from bayesift.learn.term_variance import rescaled, term_scales, term_variances
from bayesift.learn.views import parted
from bayesift.threads import n_threads

Floats = NDArray[np.float64]
Views = Sequence[sparse.csr_matrix]  # of the same documents
NOISES = (0.25,)
OF_TERMS, OF_CHARACTERS, OTHERS = ("plain", "learned"), ("characters",), ("nearest", "shared")
KINDS = OF_TERMS + OF_CHARACTERS + OTHERS
USUAL = ("learned", "characters", "nearest", "shared")
LARGEST = 1 << 27  # weights of one member: mean and variance take 1 GB, and fitting it about ten times as much


class Ensemble(LearnsAtOnce, ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Many labels by an ensemble of linear models, nearest documents and a small network.

    Parameters
    ----------
    members : sequence of str
        Which kinds of members: "plain" is BOMC, "learned" BOMC with learned prior variances, "characters" the same of
        the second view, "nearest" the nearest documents, "shared" the network with a shared layer.
    noises : sequence of float
        The noise of BOMC; there is one member of each linear kind for each.
    prior_variance : float
        That of BOMC.
    scaled : bool
        Whether terms that matter are multiplied before the nearest documents are found and the network learns.
    rounds : int
        How often BOMC goes forwards and backwards, each time in another order, before posteriors are averaged.
    nearest : int
        The number of nearest documents.
    feature_priors : sequence of FeaturePrior, optional
        One prior of the weights per label; of the first view, if there are two.
    views : pair of int, optional
        The numbers of columns of two views of the documents: terms, and after them the characters of words, which the
        member "characters" alone reads. None is one view; there is no such member then.
    names : sparse matrix of (labels, features), optional
        The name of each label, read as a document, for the prior means of "learned" and "characters" (`label_names`).
    seed : int
        Random seed.
    threads : int, optional
        Threads; None is one per core. The result is the same for any number.

    Examples
    --------
    >>> X, Y = [[1, 0, 1], [1, 0, 0], [0, 1, 1], [0, 1, 0]] * 5, [[1, 0], [1, 0], [0, 1], [0, 1]] * 5
    >>> Ensemble().fit(X, Y).predict([[1, 0, 0], [0, 1, 1]])
    array([[1, 0],
           [0, 1]])
    """

    n_features_in_: int
    linear_: list[BOMC]
    others_: dict[str, Any]  # by kind
    scales_: Floats | None  # of each term, for the others
    before_: list[NDArray[Any]]  # margins that documents had before a linear member learned them; not kept in files
    input_curves_: Floats | None  # the curves of these; None until `set_input_curves`
    curves_: Floats | None  # of each member and label; None until `combine`
    blend_: Blend  # how the log-odds of members are put together
    reads_names = True
    takes_prior_terms = True

    def __init__(
        self,
        members: Sequence[str] = USUAL,
        *,
        noises: Sequence[float] = NOISES,
        prior_variance: float = 0.1,
        scaled: bool = True,
        rounds: int = 2,
        nearest: int = 60,
        feature_priors: Sequence[FeaturePrior | None] | None = None,
        views: Sequence[int] | None = None,
        names: Any = None,
        seed: int = 0,
        threads: int | None = None,
    ) -> None:
        self.members = members
        self.noises = noises
        self.prior_variance = prior_variance
        self.scaled = scaled
        self.rounds = rounds
        self.nearest = nearest
        self.feature_priors = feature_priors
        self.views = views
        self.names = names
        self.seed = seed
        self.threads = threads

    def fit(self, X: Any, Y: Any) -> Self:
        """Learn from scratch. Y is (documents, labels) of 0 and 1, dense or sparse."""
        rows = all_rows(self, X)
        labels = as_targets(Y, rows.shape[0])
        views = self.views_of(rows)
        self.fit_linear(views, labels, self.rounds)
        self.before_ = []
        scaled = self.rows_of_others(views)
        self.take_others({kind: member.fit(scaled, labels) for kind, member in self.unfitted_others().items()})
        return self

    def views_of(self, rows: sparse.csr_matrix) -> Views:
        """Return the views of rows: terms, and characters if there is such a view."""
        return parted(rows, self.views)

    def fit_linear(self, views: Views, labels: sparse.csr_matrix, rounds: int) -> Self:
        """Learn the linear members alone, from views and labels that were checked, in so many rounds."""
        features = sum(view.shape[1] for view in views)
        self._check(max(view.shape[1] for view in views), labels.shape[1])
        self.n_features_in_, self.n_labels_ = features, labels.shape[1]
        names = self._names(features)
        self.linear_, self.before_, self.scales_, self.input_curves_ = [], [], None, None
        needed = set(self.members) - set(OF_CHARACTERS) - set(() if self.scaled else OTHERS)
        for k, noise in enumerate(self.noises if needed else ()):
            bomc, seed = self._bomc(noise), self.seed + 2 * k
            first = clone(bomc).fit(views[0], labels)  # one pass: it is good enough for variances and scales
            if self.scaled:
                self.scales_ = term_scales(first.mean_)
            prior = self._prior(first, views[0], labels, names[0]) if "learned" in self.members else None
            del first  # it takes as much memory as a member
            if "plain" in self.members:
                self._learn(Passes(bomc, seed), views[0], labels, rounds)
            if prior is not None:
                self._learn(Passes(bomc, seed + 1, *prior), views[0], labels, rounds)
        for k, noise in enumerate(self._character_noises()):
            bomc, seed = self._bomc(noise, known=False), self.seed + 2 * k
            prior = self._prior(clone(bomc).fit(views[1], labels), views[1], labels, names[1])
            self._learn(Passes(bomc, seed + 1, *prior), views[1], labels, rounds)
        return self

    def _prior(self, first: BOMC, rows: Any, labels: Any, names: Any) -> tuple[Any, Any]:
        """Return the prior that a first fit gives: variances, and means of the terms of names, or None."""
        variances, means = term_variances(first.mean_, rows, self.prior_variance), None
        if names is not None:
            have = np.bincount(labels.indices, minlength=labels.shape[1])
            means = name_means(names, first.mean_, first.variance_, self.prior_variance, have, variances)
        return variances, means

    def _learn(self, passes: Passes, rows: sparse.csr_matrix, labels: sparse.csr_matrix, rounds: int) -> None:
        """Add a linear member, and the margins that documents had before it learned them."""
        for _ in range(rounds):
            passes.round(rows, labels)
        self.before_.append(passes.margins())
        self.linear_.append(passes.learner())

    def _names(self, features: int) -> Sequence[Any]:
        """Return the names of labels in each view; None where there are none."""
        if self.names is None:
            return None, None
        if self.names.shape != (self.n_labels_, features):
            what = f"names of the shape {self.names.shape}, but {self.n_labels_} labels and {features} features"
            raise BadInput(what, remedy="give a row for each label, with the columns of the documents")
        return parted(sparse.csr_matrix(self.names), self.views)

    def rows_of_others(self, views: Views) -> sparse.csr_matrix:
        """Return the rows that the members get that are not linear."""
        return views[0] if self.scales_ is None else rescaled(views[0], self.scales_)

    def set_input_curves(self, curves: Floats, reach: float) -> None:
        """Take over the curve of each linear member and label, by the margins `before_`, which are then given up.

        They give the log-odds that the network takes as inputs, and are as those of `combine`.
        """
        self.input_curves_, self.input_reach_, self.before_ = curves, reach, []

    def network_inputs(self, linear: Sequence[NDArray[Any]]) -> Floats | None:
        """Return the log-odds that the network takes, for the margins of linear members: (documents, labels)."""
        if self.input_curves_ is None:
            return None
        total = np.zeros((linear[0].shape[0], self.n_labels_))
        for margins, curves in zip(linear, self.input_curves_):
            total += _along(margins, curves, self.input_reach_)[:, :-1]
        return total / len(linear)

    def take_others(self, others: dict[str, Any]) -> None:
        """Take over fitted members that are not linear; all members weigh the same until `combine`."""
        self.others_ = others
        members = len(self.linear_) + len(others)
        self.curves_, self.blend_ = None, Blend(np.full(members, 1.0 / members))

    def combine(self, curves: Floats, reach: float, blend: Blend) -> None:
        """Take over the curve of each member and label, (members, labels + 1, points), and the blend of members.

        A curve has its points at the middles of even steps of the margin, from -reach to reach.
        """
        self.curves_, self.reach_, self.blend_ = curves, reach, blend

    @property
    def classes_(self) -> NDArray[np.int64]:
        """The labels, which are the numbers of the columns of Y."""
        return np.arange(self.n_labels_)

    def linear_margins(self, views: Views) -> list[NDArray[Any]]:
        """Return the margins of the linear members: (documents, labels + 1) each."""
        of_terms = len(self.linear_) - len(self._character_noises())
        return [member.margins(views[k >= of_terms]) for k, member in enumerate(self.linear_)]

    def margins(self, X: Any) -> Floats:
        """Return a margin per document and label, and in the last column that of an unseen label."""
        check_is_fitted(self, "blend_")
        views = self.views_of(known_rows(self, X))
        linear, scaled = self.linear_margins(views), self.rows_of_others(views)
        inputs, about = self.network_inputs(linear), about_rows(scaled)
        parts = list(linear)
        for kind, member in self.others_.items():
            margins, near = self.meet(kind, member, scaled, inputs)
            if near is not None:
                about[:, :NEAR] = near
            parts.append(margins)
        return self.combined(parts, about)

    def meet(self, kind: str, member: Any, rows: Any, inputs: Floats | None) -> tuple[Floats, Floats | None]:
        """Return the margins by a member that is not linear, and how near the nearest documents are, if it knows."""
        if kind == "nearest":
            margins, near = member.meet(rows)
            return margins, near
        return member.margins(rows, *self.beside_rows(kind, inputs)), None

    def beside_rows(self, kind: str, inputs: Floats | None) -> Sequence[Floats]:
        """Return what a member of this kind takes beside the rows: the network, the log-odds of linear members."""
        return () if inputs is None or kind != "shared" else (inputs,)

    def combined(self, parts: Sequence[NDArray[Any]], about: Floats) -> Floats:
        """Return the margins of the ensemble for those of its members; `about` are numbers of each document."""
        if self.curves_ is None:
            return self.blend_.first(np.stack(parts))
        z = np.stack([_along(margins, curves, self.reach_) for margins, curves in zip(parts, self.curves_)])
        return self.blend_(z, about) / UNIT

    def predict_proba(self, X: Any) -> Floats:
        """Return the probability of each label: (documents, labels)."""
        return np.asarray(expit(UNIT * self.margins(X)[:, :-1]))

    def predict(self, X: Any) -> NDArray[np.int64]:
        """Return the labels more probable than not: (documents, labels). `bayesift.decide` has better rules."""
        return (self.predict_proba(X) > 0.5).astype(np.int64)

    def weights(self, labels: Sequence[int]) -> Iterator[None]:
        """Yield None for each of these labels: curves and nearest documents are not linear."""
        yield from (None for _ in labels)

    def state(self) -> State:
        """Return all that was learned, for `restore` of a learner with equal settings."""
        check_is_fitted(self, "blend_")
        found: State = {f"linear{k}": member.state() for k, member in enumerate(self.linear_)}
        found |= {kind: member.state() for kind, member in self.others_.items()}
        if self.scales_ is not None:
            found["scales"] = self.scales_.copy()
        if self.input_curves_ is not None:
            found |= {"input_curves": self.input_curves_.copy(), "input_reach": float(self.input_reach_)}
        if self.curves_ is not None:
            found |= {"curves": self.curves_.copy(), "reach": float(self.reach_)}
        sizes = {"n_features": int(self.n_features_in_), "n_labels": int(self.n_labels_)}
        return found | {"blend": self.blend_.state()} | sizes

    def restore(self, state: State) -> Self:
        """Replace what was learned by a state that `state` returned."""
        of_terms = [noise for noise in self.noises for kind in OF_TERMS if kind in self.members]
        linear = [*of_terms, *self._character_noises()]
        self.linear_ = [self._bomc(noise).restore(state[f"linear{k}"]) for k, noise in enumerate(linear)]
        self.others_ = {kind: member.restore(state[kind]) for kind, member in self.unfitted_others().items()}
        self.n_features_in_, self.n_labels_ = int(state["n_features"]), int(state["n_labels"])
        self.scales_ = state["scales"].copy() if "scales" in state else None  # files of earlier versions have none
        self.input_curves_, self.before_ = None, []  # files of earlier versions have no curves of this kind
        if "input_curves" in state:
            self.set_input_curves(state["input_curves"].copy(), float(state["input_reach"]))
        if "blend" in state:
            blend = Blend.of_state(state["blend"])
        else:  # files of earlier versions; the first ones have neither other labels nor pairs
            others, pairs = state.get("company", np.zeros(0)), state.get("pairs", NONE).copy()
            blend = Blend.of_earlier(state["weights"].copy(), others, pairs, self.n_labels_)
        self.curves_, self.blend_ = None, blend
        if "curves" in state:
            self.combine(state["curves"].copy(), float(state["reach"]), blend)
        return self

    def unfitted_others(self, networks: int = NETWORKS) -> dict[str, Any]:
        """Return the members that are not linear, by kind, which have learned nothing yet."""
        made = {
            "nearest": NearestDocuments(self.nearest, self.seed, self.threads),
            "shared": SharedLayer(self.seed, networks, self.threads),
        }
        return {kind: member for kind, member in made.items() if kind in self.members}

    def _character_noises(self) -> Sequence[float]:
        """Return the noise of each member that reads the second view."""
        return self.noises if self.views is not None and "characters" in self.members else ()

    def _bomc(self, noise: float, *, known: bool = True) -> BOMC:
        settings: dict[str, Any] = {"noise": noise, "prior_variance": self.prior_variance, "threads": self.threads}
        return BOMC(**settings, seed=self.seed, feature_priors=self.feature_priors if known else None)

    def _check(self, features: int, labels: int) -> None:
        n_threads(self.threads)
        for name in ("rounds", "nearest"):
            value = getattr(self, name)
            if not isinstance(value, int | np.integer) or value < 1:
                raise BadInput(f"{name} is {value!r}", remedy="give a whole number from 1 on")
        if not self.members or not set(self.members) <= set(KINDS):
            raise BadInput(f"members are {self.members!r}", remedy=f"give one or more of {', '.join(KINDS)}")
        if self.views is None and set(self.members) <= set(OF_CHARACTERS):
            raise BadInput("characters are the only members, but rows have one view", remedy="add other members")
        if not len(self.noises):
            raise BadInput("noises are empty", remedy="give one or more positive numbers")
        if features * labels > LARGEST:
            most = f"use at most {LARGEST // labels:,} terms, by a higher minimum document frequency"
            raise BadInput(
                f"{features:,} terms times {labels:,} labels are too many weights for an ensemble",
                remedy=f"{most}, or the learner multilabel, which leaves out weights of terms that never have a label",
            )

    def __sklearn_tags__(self) -> Any:
        return many_labels(super().__sklearn_tags__())


def _along(margins: NDArray[Any], curves: Floats, reach: float) -> Floats:
    """Return the log-odds of margins by the curve of each label."""
    found: Floats = interpolate(margins.astype(np.float64), curves, reach, curves.shape[1] / (2.0 * reach))
    return found
