"""Every belief is found by itself and compared with the exact one, with growth and a saved state on the way."""

import importlib
import inspect
import math
import pkgutil

import numpy as np
import pytest
from scipy import sparse
from tests.reference import perceptron as reference

import bayesift.beliefs
import bayesift.filtering
import bayesift.learn
from bayesift.beliefs import Flip, Margin, Probit
from bayesift.beliefs.full import FullBelief
from bayesift.beliefs.likelihoods import predictive
from bayesift.beliefs.process import ProcessBelief
from bayesift.beliefs.protocol import Belief
from bayesift.beliefs.vector import VectorBelief
from bayesift.filtering.learners import DiagonalTopicBelief, FullTopicBelief
from bayesift.learn.bomc.belief import LabelsBelief, Settings
from bayesift.learn.kernels import Linear

N, D, EARLY, HALF = 80, 14, 9, 40  # the first half of the documents has the first features only
METHODS = ("grow", "learn", "field", "state", "restore")


def documents(seed=0):
    X = sparse.random(N, D, density=0.4, random_state=seed, format="csr").toarray()
    X[:HALF, EARLY:] = 0.0
    y = np.where(X[:, 0] + X[:, 12] + 0.1 * np.random.default_rng(seed).normal(size=N) > 0.25, 1.0, -1.0)
    return X, y


def stream(belief, X, y, inputs):
    """Learn one half, grow, learn the rest; and again with a copy made from the state in the middle."""
    belief.grow(inputs.early(X))
    belief.learn(inputs.first(X), inputs.labels(y[:HALF]))
    copies = [belief, inputs.make().restore(belief.state())]
    for one in copies:
        one.grow(inputs.size(X))
        one.learn(inputs.rest(X), inputs.labels(y[HALF:]))
    fields = [one.field(inputs.all(X)) for one in copies]
    assert all(np.array_equal(a, b) for a, b in zip(*fields))
    return fields[0]


class Rows:
    """Inputs that are rows of features, and signs."""

    def __init__(self, make):
        self.make = make

    def early(self, X):
        return EARLY

    def first(self, X):
        return sparse.csr_matrix(X[:HALF, :EARLY])

    def rest(self, X):
        return sparse.csr_matrix(X[HALF:])

    def all(self, X):
        return sparse.csr_matrix(X)

    def size(self, X):
        return X.shape[1]

    def labels(self, y):
        return y


class Columns(Rows):
    """Inputs that are rows of features, and a matrix of labels: this one and its opposite (0: both)."""

    def labels(self, y):
        return sparse.csr_matrix(np.column_stack([y >= 0, y <= 0]).astype(int))


def exact(code, X, y):
    """The belief over weights with full covariance."""
    belief = FullBelief.prior(code)
    belief.grow(X.shape[1])
    belief.learn(sparse.csr_matrix(X), y)
    return belief.field(sparse.csr_matrix(X))


def plain(code, X, y):
    """The formulas as they are printed, in NumPy."""
    a, C = reference.learn(X, y, "flip" if code[0] else "probit", code[1])
    X = np.column_stack([np.ones(len(X)), X])
    return X @ a, np.einsum("ij,jk,ik->i", X, C, X)


def independent(codes, X, y, sd=1.0):
    """The exact belief, its covariances dropped after every document; one likelihood per document."""
    belief = FullBelief.prior(codes[0])
    belief.grow(X.shape[1], 0.0, sd)
    for code, x, sign in zip(codes, X, y):
        belief.code = code
        belief.learn(sparse.csr_matrix(x), np.array([sign]))
        belief.fold()
        belief.base = np.diag(np.diag(belief.base))
    return belief.field(sparse.csr_matrix(X))


def labels_one_by_one(belief, X, y):
    """BOMC's labels, each with the margin that its documents have."""
    fields = []
    for signs in (y, -y):
        positives, codes = np.cumsum(signs > 0), []
        for t, sign in enumerate(signs):
            rarity = math.log(math.e + (t + 1 - positives[t]) / positives[t]) if sign > 0 else 1.0
            codes.append(Margin(rarity, belief.settings.noise).code)
        fields.append(independent(codes, X, signs, math.sqrt(belief.prior_variance)))
    return tuple(np.column_stack(each) for each in zip(*fields))


def dense(belief, X, y):
    """The same labels with weights of their own for all terms."""
    everything = LabelsBelief(belief.settings)
    inputs = Columns(lambda: LabelsBelief(belief.settings))
    return stream(everything, X, y, inputs)


PROBIT, FLIP = Probit(0.5).code, Flip(0.1).code
LINEAR = Linear(1.0, jitter=0.0).code
ORACLES = {  # name: (class, how to make one, its inputs, the oracle, tolerance)
    "full": (FullBelief, lambda X: FullBelief.prior(PROBIT), Rows, lambda b, X, y: plain(b.code, X, y), 1e-10),
    "full, flip": (FullBelief, lambda X: FullBelief.prior(FLIP), Rows, lambda b, X, y: plain(b.code, X, y), 1e-9),
    "topic": (FullTopicBelief, lambda X: FullTopicBelief.prior(FLIP), Rows, lambda b, X, y: exact(FLIP, X, y), 1e-10),
    "process": (
        ProcessBelief, lambda X: ProcessBelief.prior(PROBIT, LINEAR, 0.0, 100), Rows,
        lambda b, X, y: exact(PROBIT, X, y), 1e-6,
    ),
    "vector": (VectorBelief, lambda X: VectorBelief(PROBIT), Rows,
               lambda b, X, y: independent([PROBIT] * N, X, y), 1e-12),
    "diagonal topic": (DiagonalTopicBelief, lambda X: DiagonalTopicBelief(PROBIT), Rows,
                       lambda b, X, y: independent([PROBIT] * N, X, y), 1e-12),
    "bomc": (LabelsBelief, lambda X: LabelsBelief(Settings(threads=1)), Columns, labels_one_by_one, 2e-5),
    "bomc, compact": (LabelsBelief, lambda X: LabelsBelief(Settings(threads=1), compact=True), Columns, dense, 0.0),
}  # fmt: skip


def found():
    """All classes of the library that have what the protocol asks for."""
    for package in (bayesift.beliefs, bayesift.learn, bayesift.filtering):
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            for _, what in inspect.getmembers(importlib.import_module(module.name), inspect.isclass):
                own = what.__module__ == module.name and not getattr(what, "_is_protocol", False)
                if own and all(hasattr(what, name) for name in METHODS):
                    yield what


def test_every_belief_has_an_oracle():
    classes = set(found())
    assert {FullBelief, VectorBelief, ProcessBelief, LabelsBelief} <= classes
    assert classes == {entry[0] for entry in ORACLES.values()}


@pytest.mark.parametrize("name", ORACLES)
def test_a_belief_agrees_with_its_oracle(name):
    _, make, inputs, oracle, tolerance = ORACLES[name]
    X, y = documents()
    if name == "bomc, compact":  # where a term first occurs, all labels do, so that all have weights of their own
        X[0, :EARLY] = X[HALF] = 0.3
        y[[0, HALF]] = 0.0
    belief = make(X)
    assert isinstance(belief, Belief)
    m, v = stream(belief, X, y, inputs(lambda: make(X)))
    expected_m, expected_v = oracle(belief, X, y)
    np.testing.assert_allclose(m, expected_m, rtol=tolerance, atol=tolerance)
    np.testing.assert_allclose(v, expected_v, rtol=tolerance, atol=tolerance)
    p = predictive(belief.code, np.ravel(m).astype(float), np.ravel(v).astype(float))
    assert (((p > 0.5) == (np.ravel(np.column_stack([y, -y]) if m.ndim == 2 else y) > 0)).mean()) > 0.8


