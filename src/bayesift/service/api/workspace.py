"""The list of calls, and the export of the whole workspace."""

from __future__ import annotations

import tempfile
from pathlib import Path

from fastapi import Request
from fastapi.responses import FileResponse, Response
from starlette.background import BackgroundTask

from bayesift.service import views
from bayesift.service.api.common import DESCRIPTION, new_router
from bayesift.service.forms import Admin, Reader
from bayesift.service.pages.common import TheDesk
from bayesift.service.rendering import render

router = new_router()


@router.get("/docs", include_in_schema=False)
def docs(request: Request, person: Reader) -> Response:
    """Show the calls of the API."""
    calls = [
        {"method": method.upper(), "path": path, "text": views.with_code(about.get("description", ""))}
        for path, methods in request.app.openapi()["paths"].items() for method, about in methods.items()
    ]  # fmt: skip
    return render(request, "api.html", person, calls=calls, description=views.with_code(DESCRIPTION))


@router.get("/export", response_class=FileResponse)
def export(desk: TheDesk, person: Admin) -> Response:
    """Return the whole workspace, for `bayesift filter import`."""
    folder = tempfile.mkdtemp(prefix="bayesift-export-")
    path = Path(folder) / "workspace.jsonl.zst"

    def remove() -> None:
        path.unlink(missing_ok=True)
        Path(folder).rmdir()

    try:
        desk.workspace.export(path)
    except BaseException:
        remove()
        raise
    return FileResponse(
        path, filename="workspace.jsonl.zst", media_type="application/zstd", background=BackgroundTask(remove)
    )
