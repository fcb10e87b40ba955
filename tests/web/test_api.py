"""The API: documents in, topics, inbox, judgements, search, export."""

from __future__ import annotations

import json

import pytest
from tests.web.conftest import documents

from bayesift.filtering.store import Workspace


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

    from bayesift.service import create_app

    with TestClient(create_app(tmp_path / "copy.db"), base_url="http://localhost") as copy:
        assert copy.get("/api/topics/1/inbox").content == here


def test_schema_documents_every_answer(client):
    schema = client.get("/api/openapi.json").json()
    for path, methods in schema["paths"].items():
        for method, about in methods.items():
            assert about.get("description"), (method, path)
            assert {"401", "403", "422"} <= set(about["responses"]), (method, path)
