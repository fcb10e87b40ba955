"""The server of the application: uvicorn, with limits of its own and an end of event streams.

What is limited here is what comes before the application: the size of a request's first line and headers, and the time
they may take. Event streams end before the server waits for requests to end.
"""

from __future__ import annotations

import asyncio
import contextlib
import errno
import socket
import sys
import threading

import h11
import uvicorn
from fastapi import FastAPI
from uvicorn.protocols.http.h11_impl import H11Protocol

from bayesift.errors import BadInput
from bayesift.garbage import keep_all
from bayesift.service.limits import LARGEST_HEADERS, SLOWEST

GRACE = 5  # seconds for requests that are being answered
SWITCH = 0.0005  # seconds after which a thread that computes lets another one go on; by default ten times as long
FILES = 8192  # connections and files that may be open, if the system allows it


class Connection(H11Protocol):
    """A connection that is closed if the first line and the headers of a request do not come in time."""

    slowest = SLOWEST
    _deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Start to wait for a request.

        Headers and text of an answer are two packets. asyncio lets the second one go at once only where the socket
        knows its protocol, which uvicorn's does not: it would wait 40 ms until the client confirms the first.
        """
        super().connection_made(transport)
        if (connection := transport.get_extra_info("socket")) is not None:
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._wait()

    def data_received(self, data: bytes) -> None:
        """Read on, and wait for the rest of the headers as long as they are not complete."""
        super().data_received(data)
        if self.conn.their_state is h11.IDLE:
            self._wait()
        else:
            self._end_wait()

    def connection_lost(self, exc: Exception | None) -> None:
        """End the connection."""
        self._end_wait()
        super().connection_lost(exc)

    def _wait(self) -> None:
        if self._deadline is None:
            self._deadline = self.loop.call_later(self.slowest, self.transport.close)

    def _end_wait(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None


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

    Raises
    ------
    BadInput
        If nothing can listen there: the port is in use, or there is no such host.
    """

    def __init__(self, app: FastAPI, host: str = "127.0.0.1", port: int = 0, proxied: bool = False) -> None:
        config = uvicorn.Config(
            app, host=host, port=port, log_level="warning", timeout_keep_alive=20, timeout_graceful_shutdown=GRACE,
            server_header=False, proxy_headers=proxied, http=Connection, ws="none",
            h11_max_incomplete_event_size=2 * LARGEST_HEADERS,
        )  # fmt: skip
        super().__init__(config)
        self.app = app
        self.sockets = [_bound(host, port)]
        self.sockets[0].listen(config.backlog)  # who comes before the start waits instead of being refused
        name = f"[{host}]" if ":" in host else host
        self.address = f"http://{name}:{self.sockets[0].getsockname()[1]}/"

    def serve_forever(self) -> None:
        """Answer requests until the process is asked to end."""
        sys.setswitchinterval(SWITCH)
        _allow_files()
        threading.Thread(target=self._settle, daemon=True).start()
        self.run(self.sockets)

    def _settle(self) -> None:
        """Keep what was loaded: while Python looks for garbage among it, nobody gets an answer."""
        self.app.state.desk.ready.wait()
        keep_all()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End event streams, then all else."""
        self.app.state.desk.changes.stop()
        await super().shutdown(sockets)


def _bound(host: str, port: int) -> socket.socket:
    """Return a socket at an address."""
    found = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET)
    try:
        found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        found.bind((host, port))
    except OSError as error:
        found.close()
        if error.errno == errno.EADDRINUSE:
            remedy = "end the other program, or choose one with --port"
            raise BadInput(f"port {port} is in use", remedy=remedy) from None
        raise BadInput(
            f"cannot listen at {host}, port {port}: {error.strerror}", remedy="choose others with --host and --port"
        ) from None
    found.set_inheritable(True)
    return found


def _allow_files() -> None:
    """Let the process have as many connections as the pages that may listen to changes need."""
    with contextlib.suppress(ImportError, ValueError, OSError):  # not on Windows; not always allowed
        import resource

        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        most = FILES if hard == resource.RLIM_INFINITY else min(FILES, hard)
        if soft != resource.RLIM_INFINITY and soft < most:
            resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
