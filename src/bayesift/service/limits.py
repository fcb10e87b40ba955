"""Limits of requests, and the headers of every answer; a plain ASGI layer around the application.

Address, headers and body may be so large; a body may take so long (`server` limits the time of the headers); a client
may send so many requests per second. An answer may only use scripts, styles and pictures of this service
(Content-Security-Policy), is not shown inside other sites, and its kind is not guessed.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections import OrderedDict
from html import escape
from typing import Any

from fastapi import HTTPException

LARGEST = 32 << 20  # bytes of a body
LARGEST_HEADERS = 16 << 10  # bytes of address and headers together
SLOWEST = 30.0  # seconds that a body may take
PER_SECOND, BURST = 200.0, 1000.0  # requests of one client
CLIENTS = 10_000  # whose requests are counted
HEADERS = [
    (b"content-security-policy", b"default-src 'self'; frame-ancestors 'none'; form-action 'self'; base-uri 'none'"),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"same-origin"),
    (b"x-frame-options", b"DENY"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
]
PROBLEM = b"application/problem+json"
PAGE = (
    '<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">'
    '<meta name="color-scheme" content="light dark"><title>Refused · bayesift</title>'
    '<link rel="stylesheet" href="/static/style.css"><body class="bayesift"><main><div class="empty"><h1>Refused</h1>'
    '<p>{}</p><p>Go back with your browser, or to the <a href="/">first page</a>.</p></div></main>'
)


def refused(status: int, detail: str) -> HTTPException:
    """Return the error of a body that is too large or too slow; it ends the connection."""
    return HTTPException(status, detail, {"Connection": "close"})


class Limits:
    """An ASGI application with limits around another one."""

    def __init__(self, app: Any, largest: int = LARGEST, slowest: float = SLOWEST) -> None:
        self.app, self.largest, self.slowest = app, largest, slowest
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()  # requests left, and when that was so

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Answer a request."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        async def answer(message: Any) -> None:
            if message["type"] == "http.response.start":
                known = {name.lower() for name, _ in message["headers"]}
                message["headers"] = [*message["headers"], *(h for h in HEADERS if h[0] not in known)]
            await send(message)

        if not self._take(scope["client"][0] if scope.get("client") else ""):
            await _refuse(scope, answer, 429, "Too many requests; wait a moment.")
            return
        if _size(scope) > LARGEST_HEADERS:
            detail = f"Address and headers of a request may have at most {LARGEST_HEADERS >> 10} kB."
            await _refuse(scope, answer, 431, detail)
            return
        size = next((value for name, value in scope["headers"] if name == b"content-length"), b"0")
        if not size.isdigit() or int(size) > self.largest:
            await _refuse(scope, answer, 413, f"A request may have at most {self.largest >> 20} MB.")
            return
        await self.app(scope, self._limited(receive), answer)

    def _limited(self, receive: Any) -> Any:
        read, ends = 0, time.monotonic() + self.slowest
        complete = False

        async def limited() -> Any:
            nonlocal read, complete
            if complete:  # what follows the body is the end of the connection, which may take as long as it likes
                return await receive()
            try:
                message = await asyncio.wait_for(receive(), max(0.0, ends - time.monotonic()))
            except TimeoutError:
                raise refused(408, "The request was too slow.") from None
            read += len(message.get("body", b""))
            complete = not message.get("more_body", False)
            if read > self.largest:
                raise refused(413, f"A request may have at most {self.largest >> 20} MB.")
            return message

        return limited

    def _take(self, client: str) -> bool:
        """Return whether a client may send one more request now."""
        now = time.monotonic()
        left, then = self._left.pop(client, (BURST, now))
        left = min(BURST, left + PER_SECOND * (now - then))
        self._left[client] = (max(0.0, left - 1.0), now)
        if len(self._left) > CLIENTS:
            self._left.popitem(last=False)
        return left >= 1.0


def _size(scope: Any) -> int:
    """Return the bytes of a request's address and headers."""
    headers: int = sum(len(name) + len(value) for name, value in scope["headers"])
    return headers + len(scope.get("raw_path") or b"") + len(scope["query_string"])


async def _refuse(scope: Any, send: Any, status: int, detail: str) -> None:
    """Answer before the application sees the request: with a small page where a page was asked for."""
    accept = next((value for name, value in scope["headers"] if name == b"accept"), b"")
    if b"text/html" in accept and not scope["path"].startswith("/api/"):
        kind, body = b"text/html; charset=utf-8", PAGE.format(escape(detail)).encode()
    else:
        problem = {"type": "about:blank", "title": "Refused", "status": status, "detail": detail}
        kind, body = PROBLEM, json.dumps(problem).encode()
    headers = [(b"content-type", kind), (b"content-length", str(len(body)).encode()), (b"connection", b"close")]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
