"""The server for assistants: its tools through the protocol's own client, in this process and over a pipe."""

import asyncio
import os
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import bayesift
from bayesift.errors import BadInput, NotFound
from bayesift.filtering.store import Workspace
from bayesift.integrations.mcp import Tools, mcp_server

READING = {"topics", "search", "classify", "explain", "inbox"}
TEXTS = {
    "a": "The wheat and corn harvest was good", "b": "Farmers sow wheat after the drought",
    "c": "Tankers wait at the port", "d": "The crew of the ship is on strike",
}  # fmt: skip


@pytest.fixture
def path(tmp_path):
    with Workspace.create(tmp_path / "news.db", per_day=50) as news:
        news.add_topic("grain", about="wheat and corn harvests")
        list(news.process([{"id": id, "text": text} for id, text in TEXTS.items()]))
    return tmp_path / "news.db"


def finished(coroutine):
    """Run it in a thread of its own: the browser of other tests leaves a running event loop in this one."""
    with ThreadPoolExecutor(1) as own:
        return own.submit(asyncio.run, coroutine).result()


def calls(server, *wanted):
    """Return the names of all tools, and the answers to calls (name, arguments)."""
    mcp = pytest.importorskip("mcp", reason="needs the protocol's SDK: pip install '.[mcp]'")

    async def run():
        async with mcp.Client(server) as client:
            names = {tool.name: tool for tool in (await client.list_tools()).tools}
            return names, [await client.call_tool(name, arguments) for name, arguments in wanted]

    return finished(run())


def test_without_judging_it_only_reads(path):
    with Workspace.open(path, write=False) as news:
        tools, (topics, found, seen, why, waiting, refused) = calls(
            mcp_server(news),
            ("topics", {}),
            ("search", {"words": "wheat"}),
            ("classify", {"text": "corn and wheat prices"}),
            ("explain", {"topic": "grain", "document": "a"}),
            ("inbox", {"topic": "grain"}),
            ("judge", {"topic": "grain", "document": "a", "relevant": True}),
        )
    assert set(tools) == READING
    assert all(tool.annotations.read_only_hint for tool in tools.values())
    assert topics.structured_content["topics"][0]["topic"] == "grain"
    assert {d["id"] for d in found.structured_content["documents"]} == {"a", "b"}
    assert 0.0 < seen.structured_content["topics"][0]["probability"] < 1.0
    assert {w["word"] for w in why.structured_content["why"]} >= {"wheat", "corn"}
    assert why.structured_content["document"]["text"] == TEXTS["a"]
    ids = [item["document"]["id"] for item in waiting.structured_content["items"]]
    assert set(ids) <= set(TEXTS)
    assert ids
    assert refused.is_error


def test_what_an_assistant_judges_is_recorded(path):
    with Workspace.open(path) as news:
        news.judge("grain", "b", True, who="ada")
        before = news.explain("grain", TEXTS["a"]).probability
        tools, (judged, again, persons, unknown, none) = calls(
            mcp_server(news, allow_judging=True),
            ("judge", {"topic": "grain", "document": "a", "relevant": True, "note": "a harvest"}),
            ("judge", {"topic": "grain", "document": "a", "relevant": False}),
            ("judge", {"topic": "grain", "document": "b", "relevant": False}),
            ("judge", {"topic": "oil", "document": "a", "relevant": True}),
            ("judge", {"topic": "grain", "document": "zzz", "relevant": True}),
        )
        assert set(tools) == READING | {"judge"}
        assert not tools["judge"].annotations.read_only_hint
        assert judged.structured_content["who"] == "assistant"
        assert not again.is_error
        assert persons.is_error
        assert "a person judged 'b' already" in persons.content[0].text
        assert "topics are: grain" in unknown.content[0].text
        assert none.is_error
        with news.using("grain") as own:
            answers = own.topic("grain").answers
        assert (answers["a"].who, answers["a"].relevant) == ("assistant", False)
        assert (answers["b"].who, answers["b"].relevant) == ("ada", True)
        assert news.explain("grain", TEXTS["a"]).probability < before + 0.5


def test_an_assistant_can_change_its_own_answer_after_a_restart(path):
    for relevant in (True, False):
        with Workspace.open(path) as news:
            given = {"topic": "grain", "document": "a", "relevant": relevant}
            _, (answered,) = calls(mcp_server(news, allow_judging=True), ("judge", given))
            assert not answered.is_error, answered.content
            assert news.answers("grain", "a")[0].relevant is relevant


def test_an_answer_of_an_imported_topic_is_not_replaced(path, tmp_path):
    with Workspace.open(path) as news:
        news.judge("grain", "a", True, who="ada")
        exported = news.export_topic("grain")
    with Workspace.create(tmp_path / "other.db") as other:
        list(other.process([{"id": id, "text": text} for id, text in TEXTS.items()]))
        other.add_topic("grain", exported=exported)
        assert other.answers("grain", "a") == []  # no event: it came with the topic
        with pytest.raises(BadInput, match="a person judged 'a' already"):
            Tools(other).judge("grain", "a", False)
        with other.using("grain") as own:
            assert own.topic("grain").answer("a") is True


def test_bad_calls_are_errors_with_a_remedy(path):
    with Workspace.open(path, write=False) as news:
        _, (many, document) = calls(
            mcp_server(news),
            ("search", {"words": "wheat", "limit": 1000}),
            ("explain", {"topic": "grain", "document": "none"}),
        )
    assert "give 1 to 50" in many.content[0].text
    assert "take an id from search or inbox" in document.content[0].text


def test_the_verb_speaks_over_a_pipe(path):
    mcp = pytest.importorskip("mcp", reason="needs the protocol's SDK: pip install '.[mcp]'")
    from mcp.client.stdio import stdio_client

    source = str(Path(bayesift.__file__).parents[1])
    command = mcp.StdioServerParameters(
        command=sys.executable, args=["-m", "bayesift", "mcp", str(path)],
        env={"PYTHONPATH": source, "PATH": os.environ["PATH"], "HOME": os.environ.get("HOME", "")},
    )  # fmt: skip

    async def run():
        async with mcp.Client(stdio_client(command)) as client:
            return (await client.call_tool("inbox", {"topic": "grain", "limit": 1})).structured_content

    assert len(finished(run())["items"]) == 1


def test_without_the_package_the_extra_is_named(path, monkeypatch):
    for name in [name for name in sys.modules if name.split(".")[0] == "mcp"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "mcp", None)
    with Workspace.open(path, write=False) as news, pytest.raises(NotFound, match=r"pip install 'bayesift\[mcp\]'"):
        mcp_server(news)


def test_the_verb_names_a_missing_workspace(run, tmp_path):
    failed = run("mcp", tmp_path / "none.db")
    assert failed.code == 2
    assert "none.db" in failed.err
