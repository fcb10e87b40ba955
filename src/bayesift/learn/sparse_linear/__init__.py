"""Sparse probit and logistic models: posterior modes under Normal, Laplace and Jeffreys priors (eyheramendy2003)."""
