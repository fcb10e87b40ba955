"""`bayesift serve`: the pages and the API of a workspace."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

NEW, HERE = "bayesift.db", "127.0.0.1"


def serve(
    workspace: Annotated[
        str, typer.Argument(help="Workspace: a file, created if it does not exist, or postgresql://...")
    ] = NEW,
    host: Annotated[str, typer.Option(help="Address to listen on.")] = HERE,
    port: Annotated[int, typer.Option(min=0, max=65535, help="Port to listen on; 0 is any free one.")] = 8765,
    demo: Annotated[
        bool, typer.Option("--demo", help="A stream of docstrings with three topics, in a temporary workspace.")
    ] = False,
    behind_https: Annotated[
        bool, typer.Option(
            "--behind-https", help="A reverse proxy adds https: cookies are sent by https only. Needs an admin account."
        )
    ] = False,
    allow_private: Annotated[
        bool, typer.Option("--allow-private", help="Feeds and webhooks may have private addresses.")
    ] = False,
    label_studio: Annotated[
        bool, typer.Option("--label-studio", help="Be a machine learning backend of Label Studio, at /label-studio.")
    ] = False,
) -> None:
    """Start the pages to work in, on this machine."""
    if demo:
        _check_demo(workspace, host, behind_https)
        from bayesift.service.demo import demo_workspace

        workspace = str(demo_workspace())
    elif "://" not in workspace and not Path(workspace).exists():
        from bayesift.cli.messages import say
        from bayesift.filtering.store import Workspace

        Workspace.create(workspace).close()
        say(f"{workspace}: new workspace.")
    start(workspace, host, port, behind_https=behind_https, allow_private=allow_private, demo=demo,
          label_studio=label_studio)  # fmt: skip


def _check_demo(workspace: str, host: str, behind_https: bool) -> None:
    """Raise BadInput if other options do not go with --demo."""
    from bayesift.errors import BadInput

    if workspace != NEW:
        what = f"--demo has a workspace of its own, and {workspace} is given"
        raise BadInput(what, remedy="leave one of the two out")
    if behind_https or host != HERE:
        raise BadInput("--demo is for this machine only", remedy="leave out --host and --behind-https")


def start(
    workspace: str, host: str, port: int, *, behind_https: bool, allow_private: bool = False, demo: bool = False,
    label_studio: bool = False,
) -> None:  # fmt: skip
    """Answer requests for a workspace or a review until the process is asked to end."""
    from bayesift.cli.messages import say
    from bayesift.errors import BadInput, NotFound

    try:
        from bayesift.service import ServiceSettings, create_app
        from bayesift.service.access import is_loopback
        from bayesift.service.server import Server
    except ImportError as error:
        raise NotFound(f"the package {error.name} is not installed", remedy="pip install 'bayesift[service]'") from None
    is_local = is_loopback(host) and not behind_https
    settings = ServiceSettings(is_local=is_local, secure=behind_https, allow_private=allow_private)
    app = create_app(workspace, settings)
    if label_studio:
        from bayesift.integrations.label_studio import router

        app.include_router(router)
    if not settings.is_local and not app.state.people.has_admin():
        app.state.desk.close()
        reached = "with --behind-https pages" if behind_https else host
        raise BadInput(
            f"{reached} can be reached from other machines, and there is no admin account",
            remedy=f"add an admin first: bayesift user add {workspace} NAME --role admin",
        )
    try:
        server = Server(app, host, port, behind_https)
    except BadInput:
        app.state.desk.close()
        raise
    if demo:
        from bayesift.service.demo import start_stream

        start_stream(app.state.desk)
    say(f"bayesift is at {server.address}  (Ctrl-C ends it; nothing is lost)")
    server.serve_forever()
