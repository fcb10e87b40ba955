"""`bayesift screen serve`: the pages of a review."""

from __future__ import annotations

from typing import Annotated

import typer

from bayesift.cli.screen import options as s


def serve(
    review: s.Review,
    host: Annotated[str, typer.Option(help="Address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="Port to listen on; 0 is any free one.")] = 8765,
    behind_https: Annotated[
        bool, typer.Option("--behind-https", help="A reverse proxy adds https: cookies are sent by https only.")
    ] = False,
) -> None:
    """Start the pages to read and decide in, on this machine."""
    from bayesift.cli.serve import start

    start(review, host, port, behind_https=behind_https)
