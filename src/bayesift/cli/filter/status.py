"""`bayesift filter status`: what a workspace holds."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping
from dataclasses import fields
from typing import TYPE_CHECKING, Any

from bayesift.cli.filter import options as f
from bayesift.cli.filter.opening import opened
from bayesift.cli.messages import counted

if TYPE_CHECKING:
    from bayesift.filtering.store.status import TopicStatus


def status(workspace: f.Workspace, json: f.Json = False) -> None:
    """Show what a workspace holds: documents, topics, judgements, size, and documents that wait to be processed."""
    from bayesift.cli.filter.showing import json_line, topics_table
    from bayesift.terminal import one_line

    with opened(workspace, write=False) as found:
        now, settings = found.status(), found.settings
    if json:
        json_line(now)
        return
    last = f", the last one added {_minute(now.last_added)}" if now.last_added else ""
    print(one_line(f"{now.name}: {counted(now.documents, 'document')}{last}"))
    print(f"created {_minute(now.created)}, {now.bytes / 1e6:,.1f} MB, schema {now.schema}")
    behind = max((group.behind for group in now.groups), default=0)
    if behind:
        print(f"{counted(behind, 'document')} wait{'s' * (behind == 1)} to be processed: bayesift filter work")
    print(one_line(f"settings: {_in_words(settings.filter)}"))
    if now.topics:
        sys.stdout.flush()
        topics_table(now.topics)
        _silent(now.topics)
    else:
        print("no topics")


def _in_words(given: Mapping[str, Any]) -> str:
    """Return the settings of the filter; those that were not given are the defaults."""
    from bayesift.filtering.text_settings import TextSettings

    found = {field.name: given.get(field.name, field.default) for field in fields(TextSettings)}
    return ", ".join(f"{name} {value}" for name, value in found.items() if value is not None)


def _silent(topics: Iterable[TopicStatus]) -> None:
    """Print which topics have fallen silent, and what to do."""
    from bayesift.filtering.store.silence import REMEDY
    from bayesift.terminal import one_line

    found = [(topic.name, topic.silent) for topic in topics if topic.silent is not None]
    for name, silence in found:
        print(one_line(f"{name} is silent: {silence.sentence()}"))
    if found:
        print(f"if a silent topic should have shown some of them, {REMEDY}")


def _minute(time: str) -> str:
    """Return a time of the database for people.

    >>> _minute("2026-11-17T03:45:49.408Z")
    '2026-11-17 03:45 UTC'
    """
    return time[:16].replace("T", " ") + " UTC"
