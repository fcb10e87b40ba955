"""Learners, one a file."""
