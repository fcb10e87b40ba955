"""A whole filter as nested values (numbers, strings, lists, dictionaries, arrays), and back, exactly.

What comes out is what `bayesift.model_file` writes. It holds the background once, each topic's state, its log and its
checkpoints, the strategy, the budget, the bars, and what was shown and is not answered: a restored filter goes on, and
revises old answers, as the first one would have.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

import numpy as np

from bayesift.filtering.ask import Strategy
from bayesift.filtering.budget import Budget
from bayesift.filtering.events import Judged, decoded, encoded, survivors
from bayesift.filtering.history import Topic
from bayesift.filtering.loop import Filter
from bayesift.filtering.profile import Profile, ProfileSettings
from bayesift.filtering.rows import Row
from bayesift.filtering.terms import Background
from bayesift.learn.priors import FeaturePrior

State = dict[str, Any]


def state_of(loop: Filter) -> State:
    """All of a filter, as arrays and plain values."""
    background = loop.topics[0].profile.counts.background if loop.topics else Background()
    index = loop.index
    bars = np.array([index.bar, index.fall, index.least_gain], np.float64)
    return {
        "background": {"n": background.n_documents, "df": background.document_frequency.copy()},
        "topics": [_topic_state(topic) for topic in loop.topics],
        "strategy": asdict(loop.strategy),
        "budget": None if loop.budget is None else asdict(loop.budget),
        "seed": loop.seed,
        "n_documents": index.n_documents,
        "bars": bars,
        "lowered": index.lowered.copy(),
        "last_date": loop.last_date,
        "problems": list(loop.problems),
        "waiting": [[topic, document, _row_state(row)] for (topic, document), row in loop.waiting.items()],
        "shown": [[_row_state(row) for row in rows] for rows in loop.recent],
    }


def filter_of(state: State) -> Filter:
    """The filter that `state_of` described."""
    background = Background(int(state["background"]["n"]), np.array(state["background"]["df"], np.int64))
    budget = None if state["budget"] is None else Budget(**state["budget"])
    loop = Filter(
        [_profile(topic, background) for topic in state["topics"]], Strategy(**state["strategy"]), budget=budget,
        seed=state["seed"],
    )  # fmt: skip
    for topic, saved in zip(loop.topics, state["topics"]):
        _restore_topic(topic, saved)
    loop.index.n_documents = state["n_documents"]
    for t, (bar, fall, least_gain) in enumerate(np.array(state["bars"]).T.tolist()):
        loop.index.set_thresholds(t, bar, fall, least_gain)
    loop.index.lowered[:] = state["lowered"]
    loop.last_date, loop.problems = state["last_date"], list(state["problems"])
    loop.waiting = {(topic, document): _row(row) for topic, document, row in state["waiting"]}
    loop.recent = [[_row(row) for row in rows] for rows in state["shown"]]
    return loop


def _topic_state(topic: Topic) -> State:
    profile = topic.profile
    return {
        "name": topic.name,
        "settings": asdict(profile.settings),
        "known": [profile.known.mean.copy(), profile.known.sd.copy()],
        "now": profile.arrays(),
        "log": np.frombuffer(b"\n".join(encoded(event) for event in topic.log), np.uint8),
        "checkpoints": [[taken, arrays] for taken, arrays in topic.checkpoints],
        "since": topic.since,
        "every": topic.every,
    }


def _profile(saved: State, background: Background) -> Profile:
    known = FeaturePrior(*(np.array(part, np.float64) for part in saved["known"]))
    return Profile(saved["name"], ProfileSettings(**saved["settings"]), background, known).restore(saved["now"])


def _restore_topic(topic: Topic, saved: State) -> None:
    lines = bytes(np.asarray(saved["log"], np.uint8)).splitlines()
    topic.log = [decoded(line) for line in lines]
    topic.surviving = survivors(topic.log)
    topic.answers = {event.document: event for event in topic.surviving if isinstance(event, Judged)}
    topic.checkpoints = [(int(taken), dict(arrays)) for taken, arrays in saved["checkpoints"]]
    topic.since, topic.every = saved["since"], saved["every"]


def _row_state(row: Row) -> list[Any]:
    return [row.columns, row.weights]


def _row(pair: Sequence[Any]) -> Row:
    return Row(np.array(pair[0], np.int32), np.array(pair[1], np.float64))
