"""The API: documents in, topics, inbox, judgements, search, export."""

from __future__ import annotations

import json
import re

import pytest
from tests.service.literature import literature
from tests.web.conftest import documents

from bayesift.filtering.events import TopicPaused, TopicRenamed, TopicSet
from bayesift.filtering.screening.review import Review
from bayesift.filtering.store import Workspace
from bayesift.filtering.store.listings import newest_events
from bayesift.service import create_app


def test_documents_are_idempotent(client):
    new = [{"id": "n1", "body": "wheat harvest"}, {"id": "n2", "body": "a port"}]
    first = client.post("/api/documents", json=new)
    assert first.status_code == 201
    assert first.json()["added"] == 2
    again = client.post("/api/documents", json=new).json()
    assert again["added"] == 0
    assert again["shown"] == []
    assert client.post("/api/documents", json=new[0] | {"id": "n3"}).json()["added"] == 1


def test_documents_as_lines(client):
    lines = "\n".join(json.dumps(d | {"id": f"l{i}"}) for i, d in enumerate(documents(5)))
    assert client.post("/api/documents/lines", content=lines + "\n\n").json()["added"] == 5
    wrong = client.post("/api/documents/lines", content=lines + "\nnot json")
    assert wrong.status_code == 400
    assert "line 6" in wrong.json()["detail"]
    assert wrong.headers["content-type"] == "application/problem+json"


def test_a_text_is_a_body(client):
    text = "wheat and corn harvests"
    assert client.post("/api/documents", json={"id": "t1", "text": text}).json()["added"] == 1
    assert client.post("/api/documents/lines", content=json.dumps({"id": "t2", "text": text})).json()["added"] == 1
    assert [client.get(f"/api/documents/{id}").json()["body"] for id in ("t1", "t2")] == [text, text]
    by_text, by_body = (client.post("/api/try", json={field: text}).json() for field in ("text", "body"))
    assert by_text == by_body


@pytest.mark.parametrize(
    ("line", "says"),
    [("{}", "no text; give text, or title and body"), ('{"body": "wheat", "txt": "x"}', "txt"), ("bad", "line 2")],
)
def test_a_line_without_a_document_says_what_is_wrong(client, line, says):
    answer = client.post("/api/documents/lines", content=json.dumps({"id": "first", "text": "wheat"}) + "\n" + line)
    assert answer.status_code == 400
    assert "line 2" in answer.json()["detail"]
    assert says in answer.json()["detail"]
    assert "pydantic" not in answer.json()["detail"]
    assert client.get("/api/documents/first").status_code == 404  # nothing is stored


def test_judgements_now_later_changed_and_undone(client):
    ids = [item["document"] for item in client.get("/api/topics/1/inbox").json()["items"]]
    answer = client.post("/api/topics/1/judgements", json=[
        {"document": ids[0], "relevant": True, "note": "good"}, {"document": ids[1], "relevant": False},
        {"document": "unknown", "relevant": True}])  # fmt: skip
    assert answer.json()["learned"] == 2
    assert answer.json()["refused"][0]["document"] == "unknown"
    assert client.post("/api/topics/1/judgements", json={"document": "unknown", "relevant": True}).status_code == 400
    assert client.delete(f"/api/topics/1/judgements/{ids[0]}").status_code == 204
    assert client.post("/api/topics/1/undo").json()["document"] == ids[0]
    assert {j["document"] for j in client.get("/api/topics/1/judgements").json()["judgements"]} == set(ids[:2])


def test_explain_search_words_statistics(client):
    why = client.get("/api/topics/1/explain/d1").json()
    assert why["topic"] == "grain"
    assert 0 <= why["interval"][0] <= why["probability"] <= why["interval"][1] <= 1
    assert [d["id"] for d in client.get("/api/search", params={"q": '"wheat"', "limit": 2}).json()["documents"]]
    assert client.put("/api/topics/1/words", json={"words": {"corn": [2.0, 0.5]}}).status_code == 200
    assert client.put("/api/topics/1/words", json={"words": {"the": [2.0, 0.5]}}).status_code == 400
    days = client.get("/api/topics/1/statistics").json()["days"]
    assert len(days) == 28
    assert days[-1]["delivered"] + days[-1]["asked"] > 0
    assert client.get("/api/documents/d1").json()["body"].startswith("The ")
    seen = client.post("/api/try", json={"body": "wheat and corn harvests"}).json()["topics"]
    assert [t["topic"] for t in seen] == ["grain", "ships & <b>ports</b>"]


def test_topics(client):
    assert client.patch("/api/topics/1", json={"paused": True, "per_day": 5, "name": "crops"}).json()["paused"]
    preview = client.post("/api/topics/preview", json={"name": "x", "about": "ports and ships"}).json()
    assert preview["searched"] == 150
    assert preview["documents"]
    assert client.delete("/api/topics/1").status_code == 204
    assert client.get("/api/topics/1").status_code == 404


@pytest.mark.parametrize(
    ("method", "address", "body"),
    [("post", "/api/documents", {"id": 3}), ("post", "/api/documents", "text"), ("post", "/api/topics", {}),
     ("post", "/api/topics/1/judgements", {"document": "d1", "relevant": "maybe"}),
     ("post", "/api/topics/1/judgements", {"document": "d1", "relevant": "yes"}),
     ("post", "/api/topics/1/judgements", {"document": "d1", "relevant": 0}),
     ("post", "/api/documents", {}), ("post", "/api/documents", {"id": "x", "txt": "a misspelt field"}),
     ("post", "/api/documents", {"text": " "}), ("post", "/api/documents", {"text": "one", "body": "another"}),
     ("patch", "/api/topics/1", {"balance": 2}), ("patch", "/api/topics/1", {"nosuch": 5}),
     ("get", "/api/documents?before=x", None), ("get", "/api/documents?limit=0", None), ("get", "/api/topics/x", None)],
)  # fmt: skip
def test_invalid_requests(client, method, address, body):
    answer = client.request(method, address, json=body) if body is not None else client.get(address)
    assert answer.status_code == 422
    assert answer.headers["content-type"] == "application/problem+json"
    assert set(answer.json()) == {"type", "title", "status", "detail"}


@pytest.mark.parametrize(
    ("address", "body", "detail"),
    [
        ("/api/documents", '{"id": 1, "text": "x"}', "id: Input should be a valid string"),
        ("/api/documents", '{"id": "x", "txt": "x"}', "txt: Extra inputs are not permitted"),
        ("/api/documents", '[{"text": "x"}, {"text": 5}]', "1.text: Input should be a valid string"),
        ("/api/documents", '{"text": ""}', "no text; give text, or title and body"),
        ("/api/documents", '"x"', "a JSON object is expected, sent with Content-Type: application/json"),
        ("/api/documents", "{bad", "The body is not JSON: "),
        ("/api/topics/1/judgements", '{"document": "d1", "relevant": "yes"}', "relevant: Input should be a valid bool"),
    ],
)
def test_what_is_invalid_is_named_as_it_was_sent(client, address, body, detail):
    answer = client.post(address, content=body, headers={"Content-Type": "application/json"})
    assert (answer.status_code, answer.json()["detail"][: len(detail)]) == (422, detail)


def test_metrics_and_health(client):
    text = client.get("/metrics").text
    assert "bayesift_documents 150" in text
    assert 'topic="grain",state="waiting"' in text
    assert client.get("/health").json() == {"status": "ok"}


def test_export_of_a_running_service_gives_the_same_inbox(client, tmp_path):
    ids = [item["document"] for item in client.get("/api/topics/1/inbox").json()["items"]]
    client.post("/api/topics/1/judgements", json={"document": ids[0], "relevant": True})
    here = client.get("/api/topics/1/inbox").content
    file = tmp_path / "workspace.jsonl.zst"
    file.write_bytes(client.get("/api/export").content)
    Workspace.import_(file, tmp_path / "copy.db").close()
    from fastapi.testclient import TestClient

    with TestClient(create_app(tmp_path / "copy.db"), base_url="http://localhost", client=("127.0.0.1", 50000)) as copy:
        assert copy.get("/api/topics/1/inbox").content == here


def test_schema_documents_every_answer(client):
    schema = client.get("/api/openapi.json").json()
    for path, methods in schema["paths"].items():
        for method, about in methods.items():
            assert about.get("description"), (method, path)
            assert {"401", "403", "422"} <= set(about["responses"]), (method, path)


def test_a_rejected_change_of_a_topic_changes_nothing(client):
    before = client.get("/api/topics/1").json()
    taken = "ships & <b>ports</b>"
    for change in ({"paused": True, "per_day": 7, "name": taken}, {"paused": True, "per_day": 7, "name": " "},
                   {"paused": True, "balance": 1.5, "name": "b"}):  # fmt: skip
        assert client.patch("/api/topics/1", json=change).status_code in (400, 422), change
        assert client.get("/api/topics/1").json() == before
    for form in ({"name": taken, "per_day": "7", "balance": "0.5"}, {"name": "b", "per_day": "7", "balance": "1.5"}):
        assert client.post("/topics/1/settings", data=form).status_code == 400
        assert client.get("/api/topics/1").json() == before
    with client.app.state.desk.reading() as connection:
        kinds = [event.event for event in newest_events(connection, 1, None, 1)]
    assert not isinstance(kinds[0], TopicSet | TopicPaused | TopicRenamed)


def test_a_change_of_one_setting_is_the_topics_own_and_no_other(client):
    client.post("/topics/1/settings", data={"name": "grain", "per_day": "7", "balance": "0.95"})
    with client.app.state.desk.workspace.using("grain") as own:
        assert (own.topic("grain").per_day, own.topic("grain").balance) == (7, None)
    client.patch("/api/topics/1", json={"per_day": 7, "balance": 0.5})
    with client.app.state.desk.workspace.using("grain") as own:
        assert (own.topic("grain").per_day, own.topic("grain").balance) == (7, 0.5)


def test_a_change_of_a_topic_leaves_the_rest(client):
    client.patch("/api/topics/1", json={"per_day": 7, "balance": 0.5})
    changed = client.patch("/api/topics/1", json={"per_day": 8}).json()
    assert (changed["per_day"], changed["balance"], changed["paused"]) == (8, 0.5, False)
    client.post("/topics/1/settings", data={"name": "grain", "per_day": "8", "balance": "0.5"})  # as it is
    with client.app.state.desk.reading() as connection:
        events = [one.event for one in newest_events(connection, 1, None, 3)]
    assert [isinstance(event, TopicSet) for event in events] == [True, True, False]


VERBS = ("add", "change", "decide", "explain", "export", "get", "judge", "list", "preview", "remove", "search", "set",
         "try", "undo", "withdraw")  # fmt: skip


def test_names_of_operations_are_words_that_begin_with_a_verb(client, tmp_path):
    """Generators of clients make names of functions from them."""
    Review.create(tmp_path / "r.db", literature(3)).close()
    review = create_app(tmp_path / "r.db")
    for app in (client.app, review):
        calls = [
            found["operationId"].removesuffix(re.sub(r"\W", "_", f"{path}_{method}"))
            for path, methods in app.openapi()["paths"].items() for method, found in methods.items()
        ]  # fmt: skip
        assert len(calls) > 5
        for name in calls:
            assert re.fullmatch(rf"({'|'.join(VERBS)})(_[a-z]+)*", name), name
    review.state.desk.close()
