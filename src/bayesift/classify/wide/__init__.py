"""Classifying with very many labels: candidates, their calibration, and what is skipped."""
