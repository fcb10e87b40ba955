"""The settings of a review: question, criteria, reasons for exclusion, reviewers, and the stopping rule."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Form, Request
from fastapi.responses import HTMLResponse, Response

from bayesift.errors import BayesiftError
from bayesift.filtering.screening.stopping import METHODS, StoppingRule
from bayesift.service.forms import Admin, Reader, to
from bayesift.service.people import Person
from bayesift.service.rendering import render
from bayesift.service.screening.desk import ScreeningDesk, TheDesk

METHOD_NAMES = {
    "certified": "certified: random draws prove it", "model": "model: the ranker's estimate",
    "in-a-row": "so many irrelevant records in a row", "share": "a fixed share of the records",
}  # fmt: skip

router = APIRouter(default_response_class=HTMLResponse, include_in_schema=False)


@router.get("/settings")
def settings(request: Request, desk: TheDesk, person: Reader, saved: bool = False) -> Response:
    """Show the settings."""
    return _settings(request, desk, person, message="Saved." if saved else "")


def _settings(
    request: Request, desk: ScreeningDesk, person: Person, status: int = 200, given: dict[str, Any] | None = None,
    **more: Any,
) -> Response:  # fmt: skip
    now = desk.review.settings
    rule = StoppingRule(**now.rule)
    shown = {
        "question": now.question, "criteria": now.criteria, "reasons": "\n".join(now.reasons),
        "reviewers": now.reviewers, "blind": now.blind, "method": rule.method, "recall": 100 * rule.recall,
        "certainty": 100 * rule.certainty, "in_a_row": rule.in_a_row, "share": 100 * rule.share,
    }  # fmt: skip
    about = {"methods": {name: METHOD_NAMES[name] for name in METHODS}, "may_change": person.may("admin")}
    return render(request, "screening/settings.html", person, status, given=shown | (given or {}), **about | more)


@router.post("/settings")
def change(
    request: Request, desk: TheDesk, person: Admin, question: Annotated[str, Form(max_length=10_000)] = "",
    criteria: Annotated[str, Form(max_length=100_000)] = "", reasons: Annotated[str, Form(max_length=10_000)] = "",
    reviewers: Annotated[int, Form()] = 1, blind: Annotated[bool, Form()] = False,
    method: Annotated[str, Form()] = "certified", recall: Annotated[float, Form()] = 95.0,
    certainty: Annotated[float, Form()] = 95.0, in_a_row: Annotated[int, Form()] = 50,
    share: Annotated[float, Form()] = 50.0,
) -> Response:  # fmt: skip
    """Change the settings; shares are in per cent."""
    rule = {
        "method": method, "recall": recall / 100, "certainty": certainty / 100, "in_a_row": in_a_row,
        "share": share / 100,
    }  # fmt: skip
    listed = [line.strip() for line in reasons.splitlines() if line.strip()]
    try:
        desk.review.set(
            who=person.name, question=question.strip(), criteria=criteria.replace("\r\n", "\n").strip(),
            reasons=listed, reviewers=reviewers, blind=blind, rule=rule,
        )  # fmt: skip
    except BayesiftError as error:
        given = {
            "question": question, "criteria": criteria, "reasons": reasons, "reviewers": reviewers, "blind": blind,
            "method": method, "recall": recall, "certainty": certainty, "in_a_row": in_a_row, "share": share,
        }  # fmt: skip
        return _settings(request, desk, person, 400, given, problem=str(error))
    return to("/settings?saved=true")
