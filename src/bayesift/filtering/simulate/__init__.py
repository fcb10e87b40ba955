"""Simulation: replay a labelled stream against a filter and a simulated judge."""
