"""BOMC, the Bayesian online multi-label classifier (zhang2010)."""
