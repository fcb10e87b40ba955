"""What all pages and calls share: who may use them, numbers in an address, and the answer to a form."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends, Path, Query
from fastapi.responses import RedirectResponse, Response

from bayesift.service.access import requires
from bayesift.service.people import Person

Reader = Annotated[Person, Depends(requires("reader"))]
Reviewer = Annotated[Person, Depends(requires("reviewer"))]
Admin = Annotated[Person, Depends(requires("admin"))]
Number = Annotated[int, Path(ge=1, le=2**31 - 1, description="Number of the topic.")]
Before = Annotated[int | None, Query(ge=1, le=2**62)]  # databases have no larger numbers


def to(address: str) -> Response:
    """Return a redirection after a form."""
    return RedirectResponse(address, 303)
