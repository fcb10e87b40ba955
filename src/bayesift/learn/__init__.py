"""Learners behind scikit-learn's conventions: online beliefs, posterior modes, and counts."""

from bayesift.learn.bomc.bomc import BOMC
from bayesift.learn.categoriser import Categoriser
from bayesift.learn.ensemble import Ensemble
from bayesift.learn.gp import GaussianProcess
from bayesift.learn.linear_labels import LinearLabels
from bayesift.learn.per_label import PerLabel
from bayesift.learn.perceptron import BayesianPerceptron
from bayesift.learn.priors import PriorTerms
from bayesift.learn.sparse_linear.logistic import SparseLogistic
from bayesift.learn.sparse_linear.probit import SparseProbit
from bayesift.learn.term_selection import TermCounts
from bayesift.learn.wide.wide import WideLabels

__all__ = [
    "BOMC", "BayesianPerceptron", "Categoriser", "Ensemble", "GaussianProcess", "LinearLabels", "PerLabel",
    "PriorTerms", "SparseLogistic", "SparseProbit", "TermCounts", "WideLabels",
]  # fmt: skip
