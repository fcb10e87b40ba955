"""Probability, with no text and no files: likelihoods and Gaussian beliefs, shared by every online learner."""

from bayesift.beliefs.gaussian import Gaussian
from bayesift.beliefs.likelihoods import Flip, Likelihood, Margin, Probit, likelihood_of, logit

__all__ = ["Flip", "Gaussian", "Likelihood", "Margin", "Probit", "likelihood_of", "logit"]
