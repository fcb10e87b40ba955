"""Changes as they happen, for pages that are open: server-sent events.

A listener has a bounded queue; one that does not read is dropped, and its browser connects again. What a listener
missed is not sent later: a page asks for the present state when it is loaded.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any

BEHIND = 100  # changes that a listener may be behind
BEAT = 15.0  # seconds between signs of life, which also find closed connections
MOST = 2000  # listeners


class Changes:
    """Those who listen to changes. `publish` may be called from any thread."""

    def __init__(self) -> None:
        self._queues: set[asyncio.Queue[tuple[str, dict[str, Any]] | None]] = set()
        self._loop: asyncio.AbstractEventLoop | None = None

    def __len__(self) -> int:
        return len(self._queues)

    def start(self) -> None:
        """Remember the event loop in which listeners wait."""
        self._loop = asyncio.get_running_loop()

    def publish(self, change: str, /, **about: Any) -> None:
        """Send a change to all listeners."""
        if self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._put, change, about)

    def stop(self) -> None:
        """End all streams."""
        for queue in self._queues:
            while not queue.empty():
                queue.get_nowait()
            queue.put_nowait(None)

    def _put(self, kind: str, about: dict[str, Any]) -> None:
        for queue in list(self._queues):
            if queue.full():
                self._queues.discard(queue)
                queue.get_nowait()
                queue.put_nowait(None)
            else:
                queue.put_nowait((kind, about))

    async def listen(self, topic: str | None = None) -> AsyncIterator[bytes]:
        """Yield changes, of one topic or of all, as lines of an event stream."""
        queue: asyncio.Queue[tuple[str, dict[str, Any]] | None] = asyncio.Queue(BEHIND)
        self._queues.add(queue)
        try:
            yield b"retry: 3000\n\n"
            while True:
                try:
                    found = await asyncio.wait_for(queue.get(), BEAT)
                except TimeoutError:
                    yield b": beat\n\n"
                    continue
                if found is None:
                    return
                kind, about = found
                if topic is None or about.get("topic") == topic:
                    yield f"event: {kind}\ndata: {json.dumps(about)}\n\n".encode()
        finally:
            self._queues.discard(queue)
