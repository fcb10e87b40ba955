"""Adaptive filtering: topics that learn from a person's judgements along a stream, and choose what to ask.

The words of this package, each with one meaning:

- A *topic* is what a reader wants documents about. Its *profile* is what it has learned: terms and their weights.
- To *deliver* a document is to show it to the reader because it is probably relevant (p > 1/2).
- To *ask* about a document is to show it although it is probably not relevant, because the answer is worth having.
- To *pass* a document is not to show it.
- A document *waits* from the moment it is shown until it is *judged*: the reader answers relevant or not relevant.
- A *strategy* chooses what to ask. A *budget* limits the questions per day.
- An *event* records that a document was shown or judged, or that an answer was changed or withdrawn.

Screening of a finite pool is in `bayesift.filtering.screening`, simulation in `bayesift.filtering.simulate`.

>>> from bayesift.filtering import Filter, Profile, Row, Strategy
>>> stream = Filter([Profile.start("wheat", statement=Row.of({0: 1.0}))], Strategy("ig"))
>>> [outcome.kind for outcome in stream.process("d1", Row.of({0: 0.8, 1: 0.6}))]
['delivered']
>>> stream.judge("wheat", "d1", relevant=True)
"""

from bayesift.filtering.budget import Budget
from bayesift.filtering.event_log import read_log, write_log
from bayesift.filtering.events import Event
from bayesift.filtering.filter import Filter
from bayesift.filtering.gp_profile import GPProfile
from bayesift.filtering.items import Item
from bayesift.filtering.outcomes import Answer, Outcome
from bayesift.filtering.profile import Profile
from bayesift.filtering.profile_settings import ProfileSettings
from bayesift.filtering.rows import Row, rows_of
from bayesift.filtering.saving import load_filter, save_filter
from bayesift.filtering.strategies import Strategy, strategy_of
from bayesift.filtering.text_filter import TextFilter
from bayesift.filtering.topic_counts import background_of
from bayesift.filtering.topic_kernel import TopicKernel

__all__ = [
    "Answer",
    "Budget",
    "Event",
    "Filter",
    "GPProfile",
    "Item",
    "Outcome",
    "Profile",
    "ProfileSettings",
    "Row",
    "Strategy",
    "TextFilter",
    "TopicKernel",
    "background_of",
    "load_filter",
    "read_log",
    "rows_of",
    "save_filter",
    "strategy_of",
    "write_log",
]
