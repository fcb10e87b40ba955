"""Saving and loading a filter, exactly, as one model file.

The file holds the background once, each topic's state, its judgements and its checkpoints, the strategy, the budget,
the thresholds, and the documents that wait for an answer. A loaded filter continues, and revises old answers, as the
saved one would have. The log of events belongs to the caller and is not part of the file.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from bayesift.errors import BadInput
from bayesift.filtering.asking import Asking
from bayesift.filtering.background_sample import BackgroundSample
from bayesift.filtering.budget import Budget
from bayesift.filtering.event_log import Log, decoded_lines, encoded
from bayesift.filtering.events import Event, Judged, Shown
from bayesift.filtering.filter import Filter
from bayesift.filtering.filter_topics import OTHER
from bayesift.filtering.gp_profile import GPProfile
from bayesift.filtering.later import Make, at_once
from bayesift.filtering.profile import Profile
from bayesift.filtering.profile_settings import GP, ProfileSettings
from bayesift.filtering.profiles import TopicProfile
from bayesift.filtering.reading import Reading
from bayesift.filtering.rows import Batch, Row
from bayesift.filtering.stacked import stacked, unstacked
from bayesift.filtering.strategies import Strategy
from bayesift.filtering.topic import Topic
from bayesift.filtering.topic_counts import Background
from bayesift.filtering.topic_kernel import TopicKernel
from bayesift.learn.priors import FeaturePrior
from bayesift.model_file import read_model, write_model
from bayesift.model_file.file import ALTERED

State = dict[str, Any]
RENAMED = {  # settings of a profile or a budget in files of format version 1
    "cut": "min_statistic", "start_terms": "initial_terms", "most_terms": "max_terms", "least_terms": "min_terms",
    "bar": "threshold",
}  # fmt: skip
KIND = "Filter"


def save_filter(stream: Filter, path: str | Path) -> None:
    """Write a filter to a model file, atomically; the same filter gives the same bytes.

    Parameters
    ----------
    stream : Filter
        The filter. Its log is not saved, nor is the vectorizer that made its rows.
    path : str or Path
        The file to write.
    """
    training = {
        "documents": stream.n_documents,
        "judgements": {topic.name: len(topic.surviving) for topic in stream.topics},
        "strategy": stream.strategy.name,
    }
    names = [topic.name for topic in stream.topics]
    write_model(path, filter_state(stream), {}, kind=KIND, labels=names, training=training)


def load_filter(path: str | Path, log: Log | None = None) -> Filter:
    """Read a filter from a model file.

    Parameters
    ----------
    path : str or Path
        A file that `save_filter` wrote.
    log : Log, optional
        Where the filter appends its events from now on.

    Returns
    -------
    Filter
        The filter, which continues as the saved one would have.

    Raises
    ------
    BadInput
        If the file is damaged, altered, or holds something else.

    Examples
    --------
    >>> import tempfile
    >>> file = Path(tempfile.mkdtemp(), "wheat.filter")
    >>> save_filter(Filter([Profile.start("wheat", statement=Row.of({0: 1.0}))]), file)
    >>> [(o.kind, o.topic) for o in load_filter(file).process("d1", Row.of({0: 1.0}))]
    [('delivered', 'wheat')]
    """
    saved = read_model(path, {}, kind=KIND)
    try:
        stream = filter_of(saved.model, log)
        stream.refresh()
        return stream
    except (ValueError, TypeError, KeyError, IndexError, AttributeError) as error:
        reason = error.reason if isinstance(error, BadInput) else f"{type(error).__name__} {error}"
        raise BadInput(f"does not fit together: {reason}", path=path, remedy=ALTERED) from error


def filter_state(stream: Filter, make: Make = at_once) -> State:
    """Return a filter as nested arrays, numbers and strings; `make` makes the parts that never change (see `later`)."""
    stream.refresh()
    profiles = [topic.profile for topic in stream.topics if isinstance(topic.profile, Profile)]
    background = profiles[0].counts.background if profiles else Background()
    decisions = stream.decisions
    none = np.empty((3, 0)), np.empty(0, np.int64)
    thresholds, since = decisions.thresholds.arrays() if isinstance(decisions, Asking) else none
    return {
        "background": {"n": background.n_documents, "df": background.document_frequency.copy()},
        "topics": make(stacked, [_topic_state(topic, make) for topic in stream.topics]),
        "strategy": asdict(stream.strategy),
        "budget": None if stream.budget is None else asdict(stream.budget),
        "seed": stream.seed,
        "sample": make(BackgroundSample.state, stream.background.copy()),
        "kernel": None if stream.shared is None else make(stream.shared.state),
        "reading": decisions.bars.arrays() if isinstance(decisions, Reading) else None,
        "most_waiting": stream.most_waiting,
        **({"encoded": stream.encoded} if stream.encoded else {}),
        "n_documents": stream.n_documents,
        "bars": thresholds,
        "lowered": since,
        "last_date": stream.last_date,
        "problems": list(stream.problems),
        "n_problems": stream.n_problems,
        **({"problem_kinds": dict(stream.problem_kinds)} if stream.problem_kinds else {}),
    }


def kernel_of(state: State) -> TopicKernel | None:
    """Return the kernel that the GP topics of a saved filter share, or None if it has none."""
    return TopicKernel.of_state(state["kernel"]) if state.get("kernel") is not None else None


def filter_of(state: State, log: Log | None, profiles: Sequence[TopicProfile] | None = None) -> Filter:
    """Return the filter of a state; `profiles` have another background than the one that is saved.

    GP topics learn when they are needed; `Filter.refresh` lets them learn at once.
    """
    shared = next((p.shared for p in profiles or () if isinstance(p, GPProfile)), None) or kernel_of(state)
    background = Background(int(state["background"]["n"]), np.array(state["background"]["df"], np.int64))
    budget = None if state["budget"] is None else Budget(**_renamed(state["budget"]))
    topics = unstacked(state["topics"])
    blank = profiles or [_profile(topic, background, shared) for topic in topics]
    if len(blank) != len(topics):
        raise BadInput(f"{len(blank)} starts of {len(topics)} topics")
    for profile, saved in zip(blank, topics):
        profile.restore(saved["now"])
    bars = state.get("reading")  # older files have none
    gp = bars is not None or any(isinstance(profile, GPProfile) for profile in blank)
    stream = Filter(
        () if gp else blank, Strategy(**state["strategy"]), budget=budget, seed=state["seed"], log=log,
        most_waiting=state["most_waiting"], encoded=state.get("encoded", 0),
    )  # fmt: skip
    stream.n_documents = state["n_documents"]
    if "sample" in state:  # older files have none
        stream.background = BackgroundSample.restored(state["sample"])
    if gp and bars is None:
        raise BadInput("the topics have no bars")
    if bars is not None:
        stream.resume([Topic(profile, most_waiting=stream.most_waiting) for profile in blank], shared, bars)
    elif isinstance(stream.decisions, Asking):
        stream.shared = shared
        stream.decisions.thresholds.restore(np.array(state["bars"]), np.array(state["lowered"], np.int64))
    for topic, saved in zip(stream.topics, topics):
        _restore_topic(topic, saved)
    stream.last_date = state["last_date"]
    stream.problems, earlier = list(state["problems"]), state["n_problems"]
    kinds = state.get("problem_kinds", {OTHER: (earlier, stream.problems[-1])} if earlier else {})
    stream.problem_kinds = {kind: (int(number), str(last)) for kind, (number, last) in kinds.items()}
    return stream


def _topic_state(topic: Topic, make: Make) -> State:
    profile = topic.profile
    now = make(profile.arrays_of_now()) if isinstance(profile, GPProfile) else profile.arrays()
    return {
        "name": topic.name,
        "settings": dict(_as_dict(profile.settings)),
        "known": [profile.feature_prior.mean.copy(), profile.feature_prior.sd.copy()],
        "now": now,
        "judgements": make(event_lines, topic.surviving[:]),
        "checkpoints": [[taken, arrays] for taken, arrays in topic.checkpoints],
        "since": topic.since,
        "every": topic.every,
        "waiting": make(_waiting_state, list(topic.waiting), list(topic.waiting.values())),
        "shown": make(event_lines, list(topic.shown.values())),
        "recent": make(_rows_state, topic.recent[:]),
        "examples": sorted(topic.examples),
        "paused": topic.paused,
        "own": [topic.per_day, topic.balance],
        "version": topic.version,
    }


@cache
def _as_dict(settings: ProfileSettings) -> State:
    return asdict(settings)


def _rows_state(rows: list[Row]) -> State:
    return Batch.of(rows).state()


def _waiting_state(documents: list[str], rows: list[Row]) -> State:
    return {"documents": documents, **_rows_state(rows)}


def event_lines(events: Iterable[Event], named: bool = False) -> NDArray[np.uint8]:
    """Return events as lines, without what a decision never depends on: when, why and, unless `named`, who."""
    left_out: dict[str, None] = {"time": None, "note": None} | ({} if named else {"who": None})
    bare = (msgspec.structs.replace(event, **left_out) for event in events)
    return np.frombuffer(b"\n".join(map(encoded, bare)), np.uint8)


def events_of(lines: Any) -> list[Event]:
    """Return the events of what `event_lines` returned."""
    return decoded_lines(bytes(np.asarray(lines, np.uint8)))


def _profile(saved: State, background: Background, shared: TopicKernel | None) -> TopicProfile:
    prior = FeaturePrior(*(np.array(part, np.float64) for part in saved["known"]))
    settings = ProfileSettings(**_renamed(saved["settings"]))
    if settings.learner == GP:
        return GPProfile(saved["name"], shared or TopicKernel(), prior)
    return Profile(saved["name"], settings, background, prior)


def _renamed(settings: State) -> State:
    return {RENAMED.get(name, name): value for name, value in settings.items()}


def _restore_topic(topic: Topic, saved: State) -> None:
    topic.surviving = [event for event in events_of(saved["judgements"]) if isinstance(event, Judged)]
    topic.answers = {event.document: event for event in topic.surviving}
    topic.checkpoints = [(int(taken), dict(arrays)) for taken, arrays in saved["checkpoints"]]
    topic.since, topic.every = saved["since"], saved["every"]
    topic.waiting, topic.recent = _waiting(saved["waiting"]), _rows(saved["recent"])
    shown = (event for event in events_of(saved.get("shown", ())) if isinstance(event, Shown))  # older files have none
    topic.shown = {document: Shown(topic.name, document) for document in topic.waiting}
    topic.shown |= {event.document: event for event in shown}
    topic.examples = frozenset(saved.get("examples", ()))
    topic.per_day, topic.balance = saved.get("own", (None, None))
    topic.paused, topic.version = saved.get("paused", False), saved.get("version", len(topic.surviving))


def _waiting(saved: Any) -> dict[str, Row]:
    if isinstance(saved, list):  # of an older file
        return {document: _row(pair) for document, *pair in saved}
    return dict(zip(saved["documents"], Batch.restored(saved).rows, strict=True))


def _rows(saved: Any) -> list[Row]:
    return [_row(pair) for pair in saved] if isinstance(saved, list) else Batch.restored(saved).rows


def _row(pair: Sequence[Any]) -> Row:
    return Row(np.array(pair[0], np.int32), np.array(pair[1], np.float64))
