"""The PRISMA 2020 flow diagram, in HTML: boxes that a screen reader reads as a list, and that wrap on a narrow page.

Page MJ et al. (2021), The PRISMA 2020 statement, BMJ 372:n71. Added to it: records that are not screened yet, or were
left out by a stopping rule.
"""

from __future__ import annotations

from collections.abc import Mapping
from html import escape

from bayesift.display import Markup
from bayesift.filtering.screening.summary import NO_REASON, Flow, ListCounts

Lines = Mapping[str, int]


def flow_diagram(flow: Flow, stopped: bool = False) -> Markup:
    """Return the diagram; `stopped` says whether screening ended by the stopping rule.

    >>> "a.ris <span class=n>(n = 3)</span>" in flow_diagram(Flow(identified={"a.ris": 3}))
    True
    """
    rows = [*_identification(flow), *_screening(flow, stopped), *_full_text(flow), *_included(flow)]
    return Markup(f'<ol class="flow">{"".join(rows)}</ol>')


def reasons_of(counts: ListCounts) -> dict[str, int]:
    """Return the numbers of excluded records by reason, the most frequent first."""
    named = {reason or NO_REASON: number for reason, number in counts.excluded.items() if number}
    return dict(sorted(named.items(), key=lambda item: (item[0] == NO_REASON, -item[1], item[0])))


def _identification(flow: Flow) -> list[str]:
    removed = {"duplicates": flow.duplicates, "entries that could not be read": flow.unreadable}
    left = _box("Records identified", flow.identified_in_all, flow.identified)
    right = _box("Records removed before screening", sum(removed.values()), removed)
    return [_stage("Identification", left, right)]


def _screening(flow: Flow, stopped: bool) -> list[str]:
    why = "Records not screened: stopping rule" if stopped else "Records not screened yet"
    excluded = _box("Records excluded", flow.abstract.excluded_in_all, reasons_of(flow.abstract))
    undecided = _undecided("Records undecided", flow.abstract)
    return [
        _stage("Screening", _box("Records to screen", flow.records), _box(why, flow.not_screened)),
        _stage("", _box("Records screened by title and abstract", flow.screened), excluded, undecided),
    ]


def _full_text(flow: Flow) -> list[str]:
    if flow.full_text is None:
        return []
    excluded = _box("Reports excluded", flow.full_text.excluded_in_all, reasons_of(flow.full_text))
    waiting = _box("Reports not assessed yet", flow.not_assessed) if flow.not_assessed else ""
    undecided = _undecided("Reports undecided", flow.full_text)
    sought, missing = flow.abstract.included, _box("Reports not retrieved", flow.not_retrieved)
    return [
        _stage("Full text", _box("Reports sought for retrieval", sought), missing, waiting),
        _stage("", _box("Reports assessed for eligibility", flow.assessed), excluded, undecided),
    ]


def _included(flow: Flow) -> list[str]:
    name = "Records included by title and abstract" if flow.full_text is None else "Reports included in the review"
    return [_stage("Included", _box(name, flow.included))]


def _undecided(name: str, counts: ListCounts) -> str:
    lines = {"maybe": counts.maybe, "conflict between reviewers": counts.conflicts}
    return _box(name, counts.undecided, lines) if counts.undecided else ""


def _stage(phase: str, box: str, *aside: str) -> str:
    head = f'<h3 class="phase">{phase}</h3>' if phase else ""
    beside = "".join(aside).replace("<div class=box>", '<div class="box out">')
    return f"<li>{head}{box}{beside}</li>"


def _box(name: str, count: int, lines: Lines | None = None) -> str:
    shown = [f"<li>{_counted(line, number)}</li>" for line, number in (lines or {}).items() if number]
    inner = f"<ul>{''.join(shown)}</ul>" if shown else ""
    return f"<div class=box>{_counted(name, count)}{inner}</div>"


def _counted(name: str, count: int) -> str:
    return f"{escape(name)} <span class=n>(n = {count:,})</span>"
