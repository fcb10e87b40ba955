"""Every change around the topics is an event with its author: people, tokens, sources, webhooks, documents sent."""

from __future__ import annotations

import json
import re

import pytest
import sqlalchemy as sa
from tests.web.conftest import PAGE, PASSWORD, bearer, tokens_of

from bayesift.filtering.store import Workspace, journal, schema
from bayesift.filtering.store.database import Database
from bayesift.service.people import this_user

HOOK = "https://hooks.example.org/secret"


@pytest.fixture
def tokens(workspace):
    with Workspace.open(workspace) as news:
        return tokens_of(news.database, {"ada": "admin", "bob": "admin", "rev": "reviewer", "rea": "reader"})


def test_each_change_says_who_made_it(start, tokens, workspace, tmp_path):
    client, ada, bob, rev = start(), *(bearer(tokens[name]) for name in ("ada", "bob", "rev"))
    folder = tmp_path / "feeds"
    folder.mkdir()
    lines = b'{"id": "new1", "body": "wheat"}\n{"id": "new2", "body": "corn"}'
    calls = [
        ("/people", ada, {"data": {"name": "eve", "password": PASSWORD, "role": "reader"}}),
        ("/people/remove", bob, {"data": {"name": "eve"}}),
        ("/sources", bob, {"data": {"address": str(folder), "every": "15"}}),
        ("/sources/remove", ada, {"data": {"number": "1", "address": str(folder)}}),
        ("/topics/1/webhook", ada, {"data": {"address": HOOK}}),
        ("/topics/1/webhook", bob, {"data": {"address": ""}}),
        ("/topics/1/webhook", bob, {"data": {"address": ""}}),  # changes nothing
        ("/api/documents/lines", rev, {"content": lines}),
        ("/api/documents/lines", rev, {"content": lines}),  # changes nothing
        ("/sources/upload", ada, {"files": {"files": ("a.jsonl", b'{"id": "new3", "text": "barley"}')}}),
    ]
    for path, who, body in calls:
        assert client.post(path, headers=who, follow_redirects=False, **body).status_code in (201, 303), path
    found = client.get("/api/changes?limit=9", headers=ada).json()
    assert [(c["type"], c["who"]) for c in found["changes"]] == [
        ("documents-sent", "ada"), ("documents-sent", "rev"), ("webhook-removed", "bob"), ("webhook-set", "ada"),
        ("source-removed", "ada"), ("source-added", "bob"), ("person-removed", "bob"), ("person-added", "ada"),
        ("token-made", "root"),
    ]  # fmt: skip
    assert found["changes"][1]["text"] == "sent documents by API: 2 new"
    assert found["changes"][3]["about"] == {"topic": "grain", "address": HOOK}
    older = client.get(f"/api/changes?before={found['next']}", headers=ada).json()
    assert [c["type"] for c in older["changes"]] == ["token-made"] * 3 + ["person-added"] * 4
    assert older["next"] is None
    assert client.get("/api/changes", headers=rev).status_code == 403


def test_the_pages_show_it_to_those_who_may_see_it(start, tokens):
    client, ada = start(), bearer(tokens["ada"])
    client.post("/people", data={"name": "<b>eve</b>", "password": PASSWORD, "role": "reader"}, headers=ada)
    client.post("/api/documents", json={"id": "n", "body": "wheat"}, headers=ada)
    client.put("/api/topics/1/webhook", json={"address": HOOK}, headers=ada)
    people = client.get("/people", headers=PAGE | ada).text
    assert "added &lt;b&gt;eve&lt;/b&gt; as reader" in people
    assert f"set the webhook of grain to {HOOK}" in people
    sources = client.get("/sources", headers=PAGE | bearer(tokens["rea"])).text
    assert "sent documents by API: 1 new" in sources
    assert "as reader" not in sources
    assert HOOK not in sources


def test_the_command_line_writes_the_user_and_an_older_workspace_has_no_events_yet(run, workspace, tmp_path):
    database = Database(workspace, wait=1.0)
    with database.write() as connection:  # as bayesift left it before
        schema.screening_holds.drop(connection)
        schema.service_events.drop(connection)
        for column in ("low", "high", "why"):
            connection.execute(sa.text(f"ALTER TABLE deliveries ADD COLUMN {column} TEXT"))
        connection.execute(sa.text(f"UPDATE {schema.VERSION_TABLE} SET version_num = '0004'"))
    (tmp_path / "secret").write_text(PASSWORD)
    assert run("user", "add", workspace, "ada", "--role", "admin", "--password-file", tmp_path / "secret").code == 0
    assert run("user", "token", workspace, "ada").code == 0
    with database.read() as connection:
        assert [(c.type, c.who) for c in journal.changes(connection)] == [
            ("token-made", this_user()), ("person-added", this_user())
        ]  # fmt: skip
        kept = connection.execute(sa.select(schema.service_events.c.body)).scalars().all()
    assert json.loads(kept[0]) == {"name": "ada", "role": "admin"}
    assert PASSWORD not in str(kept)
    database.close()


def test_logging_in_is_no_change(start, tokens):
    client, ada = start(), bearer(tokens["ada"])
    before = client.get("/api/changes", headers=ada).json()
    client.post("/login", data={"name": "rea", "password": PASSWORD})
    client.cookies.clear()
    assert client.get("/api/changes", headers=ada).json() == before


SECRET = "https://me:se@cret@hooks.example.org/news"
SHOWN = "https://hooks.example.org/news"


def test_no_page_and_no_change_has_the_password_of_an_address(start, tokens, monkeypatch):
    client, ada, rea = start(), bearer(tokens["ada"]), bearer(tokens["rea"])
    monkeypatch.setattr(client.app.state.background, "wake", lambda: None)  # nothing is downloaded
    client.post("/sources", data={"address": SECRET, "every": "15"}, headers=ada)
    assert client.put("/api/topics/1/webhook", json={"address": SECRET}, headers=ada).json() == {"address": SHOWN}
    with client.app.state.desk.workspace.database.write() as connection:  # as an older bayesift wrote it
        old = {"number": 99, "type": "source-removed", "who": "ada", "time": "2026-11-17T08:00:00Z"}
        connection.execute(schema.service_events.insert(), old | {"body": json.dumps({"address": SECRET})})
    for address, who in (("/sources", rea), ("/sources", ada), ("/people", ada), ("/topics/1", ada),
                         ("/api/topics/1/webhook", ada), ("/api/changes", ada)):  # fmt: skip
        found = client.get(address, headers=PAGE | who).text
        assert SHOWN in found, address
        assert "cret" not in found, address
    with client.app.state.desk.reading() as connection:
        bodies = connection.execute(sa.select(schema.service_events.c.body).where(schema.service_events.c.number < 99))
        assert "cret" not in str(bodies.scalars().all())
    assert client.get("/api/topics/1/webhook", headers=rea).status_code == 403


def test_a_webhook_that_is_saved_as_shown_keeps_its_login(client):
    def stored():
        with client.app.state.desk.reading() as connection:
            return connection.execute(sa.select(schema.webhooks.c.address)).scalar()

    client.put("/api/topics/1/webhook", json={"address": SECRET})
    client.post("/topics/1/webhook", data={"address": SHOWN})
    assert stored() == SECRET
    client.post("/topics/1/webhook", data={"address": SHOWN + "/other"})
    assert stored() == SHOWN + "/other"


def test_a_source_is_removed_by_its_number(client, monkeypatch):
    monkeypatch.setattr(client.app.state.background, "_read_due", lambda: None)
    others = SECRET.replace("me:", "other:"), "https://a.example/feed"
    for address in (SECRET, *others):
        client.post("/sources", data={"address": address, "every": "15"})
    page = client.get("/sources", headers=PAGE).text
    forms = re.findall('name="number" value="([^"]*)"><input type="hidden" name="address" value="([^"]*)"', page)
    assert forms == [("1", others[1]), ("2", SHOWN), ("3", SHOWN)]
    assert client.post("/sources/remove", data={"number": "3", "address": SHOWN}).status_code == 303
    for number, address in (("1", SHOWN), ("3", SHOWN), ("99", "x")):  # the list has changed meanwhile
        answer = client.post("/sources/remove", data={"number": number, "address": address}, headers=PAGE)
        assert answer.status_code == 400
        assert "is not number" in answer.text
    with client.app.state.desk.reading() as connection:
        assert set(connection.execute(sa.select(schema.sources.c.address)).scalars()) == {SECRET, others[1]}
