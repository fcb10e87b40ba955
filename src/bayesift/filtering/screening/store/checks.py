"""Checks of what a review is asked to do, before anything is written."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from bayesift.errors import BadInput
from bayesift.filtering.screening.store.events import DECISIONS, EXCLUDE, LISTS, Decided, SettingsChanged, Settled
from bayesift.filtering.screening.store.settings import ReviewSettings


def settings_event(new: ReviewSettings, who: str | None, now: str) -> SettingsChanged:
    """Return the first event of a review."""
    values = {name: plain(getattr(new, name)) for name in new.__struct_fields__}
    return SettingsChanged(settings=values, who=who, time=now)


def plain(value: Any) -> Any:
    """Return a setting as JSON holds it."""
    return list(value) if isinstance(value, tuple) else value


def check_list(name: str) -> None:
    """Raise BadInput if there is no such list."""
    if name not in LISTS:
        raise BadInput(f"no list {name!r}", remedy=f"choose one of: {', '.join(LISTS)}")


def check_who(who: str) -> None:
    """Raise BadInput unless a person is named."""
    if not isinstance(who, str) or not who.strip():
        raise BadInput(f"the person is {who!r}", remedy="give a name")


def said_of(decision: str, reason: str | None, note: str | None, tags: Iterable[str]) -> dict[str, Any]:
    """Return what a decision says; raise BadInput if it is invalid."""
    if decision not in DECISIONS:
        raise BadInput(f"no decision {decision!r}", remedy=f"choose one of: {', '.join(DECISIONS)}")
    if reason is not None and decision != EXCLUDE:
        raise BadInput(f"a reason for {decision}", remedy="give reasons for exclusions only")
    kept = tuple(dict.fromkeys(tag.strip() for tag in ([tags] if isinstance(tags, str) else tags) if tag.strip()))
    return {"decision": decision, "reason": reason, "note": note or None, "tags": kept}


def is_same(event: Decided | Settled, said: dict[str, Any]) -> bool:
    """Return whether an event says the same."""
    return all(getattr(event, name) == value for name, value in said.items())
