"""Adaptive filtering: topics that learn from a person's judgements along a stream, and choose what to ask.

>>> from bayesift.filtering import Filter, Profile, Strategy
"""

from bayesift.filtering.budget import Budget
from bayesift.filtering.events import Event, read_log, survivors, write_log
from bayesift.filtering.filter import Filter
from bayesift.filtering.outcomes import Answer, Outcome
from bayesift.filtering.profile import Profile, ProfileSettings, background_of
from bayesift.filtering.rows import Row, rows_of
from bayesift.filtering.saving import load_filter, save_filter
from bayesift.filtering.strategies import Strategy, strategy_of
from bayesift.filtering.topic import Topic
from bayesift.filtering.topic_counts import Background

__all__ = [
    "Answer",
    "Background",
    "Budget",
    "Event",
    "Filter",
    "Outcome",
    "Profile",
    "ProfileSettings",
    "Row",
    "Strategy",
    "Topic",
    "background_of",
    "load_filter",
    "read_log",
    "rows_of",
    "save_filter",
    "strategy_of",
    "survivors",
    "write_log",
]
