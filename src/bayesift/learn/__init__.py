"""Learners, one a file, behind scikit-learn's conventions: online beliefs, posterior modes, and counts."""

from bayesift.learn.categoriser import Categoriser
from bayesift.learn.gp import GaussianProcess
from bayesift.learn.logistic import SparseLogistic
from bayesift.learn.multilabel import MultiLabel
from bayesift.learn.per_label import PerLabel
from bayesift.learn.perceptron import BayesianPerceptron
from bayesift.learn.probit import SparseProbit

__all__ = [
    "BayesianPerceptron", "Categoriser", "GaussianProcess", "MultiLabel", "PerLabel", "SparseLogistic", "SparseProbit",
]  # fmt: skip
