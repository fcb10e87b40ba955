"""The server of the application: uvicorn, which ends open event streams before it waits for requests to end."""

from __future__ import annotations

import socket

import uvicorn
from fastapi import FastAPI

GRACE = 5  # seconds for requests that are being answered


class Server(uvicorn.Server):
    """A server of the application.

    Parameters
    ----------
    app : FastAPI
        The application.
    host, port : str and int
        Where to listen; port 0 is any free one.
    proxied : bool
        Whether a reverse proxy tells the client's address and scheme.
    """

    def __init__(self, app: FastAPI, host: str = "127.0.0.1", port: int = 0, proxied: bool = False) -> None:
        config = uvicorn.Config(
            app, host=host, port=port, log_level="warning", timeout_keep_alive=20, timeout_graceful_shutdown=GRACE,
            server_header=False, proxy_headers=proxied,
        )  # fmt: skip
        super().__init__(config)
        self.app = app
        self.sockets = [config.bind_socket()]
        self.sockets[0].listen(config.backlog)  # who comes before the start waits instead of being refused
        name = f"[{host}]" if ":" in host else host
        self.address = f"http://{name}:{self.sockets[0].getsockname()[1]}/"

    def serve_forever(self) -> None:
        """Answer requests until the process is asked to end."""
        self.run(self.sockets)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End event streams, then all else."""
        self.app.state.desk.changes.stop()
        await super().shutdown(sockets)
