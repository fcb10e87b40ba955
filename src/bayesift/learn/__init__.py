"""Learners, one a file: each a belief that is updated document by document behind scikit-learn's conventions."""

from bayesift.learn.gp import GaussianProcess
from bayesift.learn.per_label import PerLabel
from bayesift.learn.perceptron import BayesianPerceptron

__all__ = ["BayesianPerceptron", "GaussianProcess", "PerLabel"]
