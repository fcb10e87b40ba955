"""Learners, one a file, behind scikit-learn's conventions: online beliefs, posterior modes, and counts."""

from bayesift.learn.bomc.bomc import MultiLabel
from bayesift.learn.categoriser import Categoriser
from bayesift.learn.gp import GaussianProcess
from bayesift.learn.per_label import PerLabel
from bayesift.learn.perceptron import BayesianPerceptron
from bayesift.learn.sparse_linear.logistic import SparseLogistic
from bayesift.learn.sparse_linear.probit import SparseProbit

__all__ = [
    "BayesianPerceptron", "Categoriser", "GaussianProcess", "MultiLabel", "PerLabel", "SparseLogistic", "SparseProbit",
]  # fmt: skip
