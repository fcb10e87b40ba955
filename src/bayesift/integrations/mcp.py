"""Model Context Protocol: a workspace as tools for an assistant, which triages with the reader's own filter.

The tools read: topics, search, classify, explain and inbox. `judge` is there only where the reader allows it; what an
assistant judged is recorded as judged by an assistant (`who`), so that a reader can look at it, change or withdraw it.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from bayesift import __version__
from bayesift.errors import BadInput, BayesiftError, NotFound
from bayesift.filtering.store import Workspace
from bayesift.integrations.extras import needed

WHO = "assistant"
MOST = 50  # documents that a tool returns
LONGEST = 4000  # characters of a document that a tool returns
INSTRUCTIONS = (
    "A reader's own filter over a stream of documents. It has topics; each document has a calibrated probability of"
    " being relevant to a topic. `topics` lists them, `inbox` is what waits for an answer, `search` finds stored"
    " documents, `classify` says how the topics see a text, `explain` which words of a document count."
)
JUDGING = " `judge` teaches a topic: use it only for documents that you have read, and only as the reader wants it."


def mcp_server(workspace: Workspace, *, allow_judging: bool = False) -> Any:
    """Return a server of the Model Context Protocol over a workspace; `run` starts it.

    Parameters
    ----------
    workspace : Workspace
        The workspace; opened for writing if judging is allowed.
    allow_judging : bool
        Whether an assistant may judge.

    Raises
    ------
    NotFound
        If the package mcp is not installed.
    """
    sdk, types = needed("mcp.server", "mcp"), needed("mcp.types", "mcp")
    about = INSTRUCTIONS + (JUDGING if allow_judging else "")
    server = sdk.MCPServer("bayesift", instructions=about, version=__version__, log_level="WARNING")
    tools = Tools(workspace)
    reading: list[Callable[..., Any]] = [tools.topics, tools.search, tools.classify, tools.explain, tools.inbox]
    failure = needed("mcp.server.mcpserver.exceptions", "mcp").ToolError
    for tool in reading:
        server.add_tool(_answering(tool, failure), annotations=types.ToolAnnotations(read_only_hint=True))
    if allow_judging:
        hints = types.ToolAnnotations(read_only_hint=False, idempotent_hint=True)
        server.add_tool(_answering(tools.judge, failure), annotations=hints)
    return server


def _answering(tool: Callable[..., Any], failure: type[Exception]) -> Callable[..., Any]:
    """Return a tool whose errors of input reach the assistant, with their remedy."""

    @functools.wraps(tool)
    def answer(*given: Any, **named: Any) -> Any:
        try:
            return tool(*given, **named)
        except BayesiftError as error:
            raise failure(str(error)) from None

    return answer


class Tools:
    """The tools; their docstrings and types are what an assistant reads."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace

    def topics(self) -> dict[str, Any]:
        """Return the topics, with how many documents wait and were judged."""
        found = self._workspace.status().topics
        rows = [
            {"topic": t.name, "waiting": t.waiting, "relevant": t.relevant, "irrelevant": t.irrelevant} for t in found
        ]
        return {"topics": rows}

    def search(self, words: str, limit: int = 10) -> dict[str, Any]:
        """Return stored documents that contain all these words, the best first; words in double quotes are a phrase."""
        found = self._workspace.search(words, _limit(limit))
        return {"documents": [_shown(d) for d in found]}

    def classify(self, text: str) -> dict[str, Any]:
        """Return the probability that a text is relevant to each topic, the most probable first; nothing is stored."""
        with self._workspace.together():
            items = self._workspace.explain_all({"id": "text", "text": text})
        return {"topics": [_seen(item) for item in sorted(items, key=lambda item: -item.probability)]}

    def explain(self, topic: str, document: str) -> dict[str, Any]:
        """Return how a topic sees a stored document, by its id: its probability, and the words that count."""
        self._known(topic)
        found = self._workspace.document(document)
        if found is None:
            raise NotFound(f"no document {document[:80]!r}", remedy="take an id from search or inbox")
        return _seen(self._workspace.explain(topic, found.document())) | {"document": _shown(found, LONGEST)}

    def inbox(self, topic: str, limit: int = 10) -> dict[str, Any]:
        """Return the documents of a topic that wait for an answer, the most probable first."""
        self._known(topic)
        items = self._workspace.inbox(topic, _limit(limit))
        texts = {item.document: self._workspace.document(item.document) for item in items}
        rows = [(item, texts[item.document]) for item in items]
        return {"items": [_seen(item) | {"document": _shown(text)} for item, text in rows if text is not None]}

    def judge(self, topic: str, document: str, relevant: bool, note: str = "") -> dict[str, Any]:
        """Teach a topic whether a stored document is relevant; it is recorded that an assistant judged.

        A judgement of a person is not replaced.
        """
        self._known(topic)
        with self._workspace.using(topic) as own:
            judged = own.topic(topic).answer(document) is not None
        events = self._workspace.answers(topic, document)  # none of an answer that came with an imported topic
        if judged and (not events or events[0].who != WHO):
            raise BadInput(f"a person judged {document[:80]!r} already", remedy="leave it, or ask the reader")
        self._workspace.judge(topic, document, relevant, replace=judged, who=WHO, note=note or None)
        return {"topic": topic, "document": document, "relevant": relevant, "who": WHO}

    def _known(self, topic: str) -> None:
        if topic not in (names := self._workspace.topics):
            raise BadInput(f"no topic {topic[:80]!r}", remedy=f"topics are: {', '.join(names)}")


def _seen(item: Any) -> dict[str, Any]:
    """Return how a topic sees a document."""
    why = [{"word": word, "adds": round(amount, 3)} for word, amount in item.why]
    low, high = item.interval
    return {
        "topic": item.topic, "probability": round(item.probability, 4), "interval": [round(low, 4), round(high, 4)],
        "gain": round(item.gain, 4), "why": why,
    }  # fmt: skip


def _shown(document: Any, longest: int = 600) -> dict[str, Any]:
    """Return a stored document, its text cut off if it is long."""
    text = document.body[:longest] + ("…" if len(document.body) > longest else "")
    about = {"id": document.id, "title": document.title, "date": document.date, "url": document.url, "text": text}
    return {name: value for name, value in about.items() if value}


def _limit(limit: int) -> int:
    if not 1 <= limit <= MOST:
        raise BadInput(f"the limit is {limit}", remedy=f"give 1 to {MOST}")
    return limit
