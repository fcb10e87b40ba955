"""What all pages share: who may see them, and the answer to a form."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends
from fastapi.responses import RedirectResponse, Response

from bayesift.service.access import requires
from bayesift.service.people import Person

Reader = Annotated[Person, Depends(requires("reader"))]
Reviewer = Annotated[Person, Depends(requires("reviewer"))]
Admin = Annotated[Person, Depends(requires("admin"))]


def to(address: str) -> Response:
    """Return a redirection after a form."""
    return RedirectResponse(address, 303)
