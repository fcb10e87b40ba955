"""The settings of a review: question, criteria, reasons for exclusion, reviewers, and the stopping rule."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Form, Request
from fastapi.responses import HTMLResponse, Response

from bayesift.errors import BadInput, BayesiftError
from bayesift.filtering.screening.stopping import METHODS, StoppingRule
from bayesift.service.forms import Admin, Reader, to
from bayesift.service.people import Person
from bayesift.service.rendering import render
from bayesift.service.screening.desk import ScreeningDesk, TheDesk

NUMBERS = {  # settings that are numbers, by what the page calls them
    "reviewers": "Reviewers per record", "recall": "Relevant records found, %", "certainty": "With certainty, %",
    "in_a_row": "Irrelevant in a row", "share": "Share read, %",
}  # fmt: skip
WHOLE = ("reviewers", "in_a_row")
METHOD_NAMES = {
    "certified": "certified: random draws prove it", "model": "model: the ranker's estimate",
    "in-a-row": "so many irrelevant records in a row", "share": "a fixed share of the records",
}  # fmt: skip
Number = Annotated[str, Form(max_length=40)]

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
        "reviewers": now.reviewers, "blind": now.blind, "method": rule.method, "recall": f"{100 * rule.recall:g}",
        "certainty": f"{100 * rule.certainty:g}", "in_a_row": rule.in_a_row, "share": f"{100 * rule.share:g}",
    }  # fmt: skip
    about = {"methods": {name: METHOD_NAMES[name] for name in METHODS}, "may_change": person.may("admin")}
    return render(request, "screening/settings.html", person, status, given=shown | (given or {}), **about | more)


@router.post("/settings")
def change(
    request: Request, desk: TheDesk, person: Admin, question: Annotated[str, Form(max_length=10_000)] = "",
    criteria: Annotated[str, Form(max_length=100_000)] = "", reasons: Annotated[str, Form(max_length=10_000)] = "",
    reviewers: Number = "", blind: Annotated[bool, Form()] = False, method: Annotated[str, Form()] = "",
    recall: Number = "", certainty: Number = "", in_a_row: Number = "", share: Number = "",
) -> Response:  # fmt: skip
    """Change the settings; shares are in per cent."""
    numbers = {"reviewers": reviewers, "recall": recall, "certainty": certainty, "in_a_row": in_a_row, "share": share}
    listed = [line.strip() for line in reasons.splitlines() if line.strip()]
    try:
        found = {name: number_of(name, text) for name, text in numbers.items()}
        rule = {
            "method": method, "recall": found["recall"] / 100, "certainty": found["certainty"] / 100,
            "in_a_row": found["in_a_row"], "share": found["share"] / 100,
        }  # fmt: skip
        desk.review.set(
            who=person.name, question=question.strip(), criteria=criteria.replace("\r\n", "\n").strip(),
            reasons=listed, reviewers=found["reviewers"], blind=blind, rule=rule,
        )  # fmt: skip
    except BayesiftError as error:
        given = {"question": question, "criteria": criteria, "reasons": reasons, "blind": blind, "method": method}
        return _settings(request, desk, person, 400, given | numbers, problem=str(error))
    return to("/settings?saved=true")


def number_of(name: str, text: str) -> Any:
    """Return the number of a field; an empty field is an error, not a default.

    >>> number_of("reviewers", "2"), number_of("share", "50.5")
    (2, 50.5)
    """
    try:
        return int(text) if name in WHOLE else float(text)
    except ValueError:
        what = f"{NUMBERS[name]!r} is {text[:20]!r}" if text.strip() else f"{NUMBERS[name]!r} is empty"
        raise BadInput(what, remedy="give a whole number" if name in WHOLE else "give a number") from None
