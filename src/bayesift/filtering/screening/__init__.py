"""Screening: rank a finite pool of documents, and estimate how many relevant ones are unread."""
