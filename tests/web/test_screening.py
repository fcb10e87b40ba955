"""The service over a review: every route against every role, other sites, files, the API and its description."""

from __future__ import annotations

import re
from pathlib import Path as File

import pytest
import sqlalchemy as sa
from fastapi.testclient import TestClient
from tests.service.literature import literature
from tests.web.conftest import PAGE, ROLES, bearer, tokens_of

from bayesift.errors import BadInput, NotFound, Notice
from bayesift.filtering.screening.review import Review
from bayesift.filtering.store import Workspace
from bayesift.filtering.store.schema import screening_events, screening_holds
from bayesift.service import create_app

OPEN = {"/login", "/logout", "/health"}  # need no account
ADMIN = {
    ("GET", "/people"), ("POST", "/people"), ("POST", "/people/remove"), ("POST", "/settings"),
    ("GET", "/export/{name}"), ("GET", "/api/export/{name}"),
}  # fmt: skip
RIS = b"TY  - JOUR\nTI  - Statins and HIV again\nAB  - A new trial.\nPY  - 2024\nER  - \n"


@pytest.fixture
def hiv(tmp_path: File) -> File:
    """Return a review."""
    path = tmp_path / "hiv.db"
    Review.create(path, literature(30), question="statins", reasons=["wrong drug", "not a trial"]).close()
    return path


@pytest.fixture
def workspace(hiv: File) -> File:
    """Return the review, over which the service is started."""
    return hiv


def needed(method: str, path: str) -> str:
    """Return the role that a call should need."""
    if (method, path) in ADMIN:
        return "admin"
    return "reader" if method == "GET" else "reviewer"


def routes() -> set[tuple[str, str]]:
    from bayesift.service.screening import api, site

    found = {
        (method, re.sub(":path", "", route.path))
        for page in site.PAGES for route in page.router.routes for method in route.methods - {"HEAD"}
    }  # fmt: skip
    calls = {
        (method, "/api" + re.sub(":path", "", route.path)) for route in api.router.routes for method in route.methods
    }
    return {pair for pair in found | calls if pair[1] not in OPEN}


def test_every_route_against_every_role(start, hiv):
    with Review.open(hiv) as review:
        tokens = tokens_of(review.database)
    client = start()
    assert len(routes()) > 25
    for method, path in sorted(routes()):
        address = re.sub(r"\{[^}]*\}", "999", path)
        assert client.request(method, address).status_code == 401, (method, path)
        for role in ROLES:
            got = client.request(method, address, headers=bearer(tokens[role])).status_code
            allowed = ROLES.index(role) >= ROLES.index(needed(method, path))
            assert (got == 403) == (not allowed), (method, path, role, got)
            assert got < 500, (method, path, role, got)


def test_changes_from_another_site_are_rejected(client):
    for method, path in sorted(routes()):
        if method != "GET":
            headers = {"sec-fetch-site": "cross-site", "origin": "https://evil.example"}
            assert client.request(method, re.sub(r"\{[^}]*\}", "abstract", path), headers=headers).status_code == 403
    assert client.get("/api/progress").json()["read"] == 0


def test_decide_undo_and_progress(client):
    first = client.get("/api/next").json()["items"][0]
    given = {"record": first["id"], "decision": "exclude", "reason": "wrong drug", "note": "n", "tags": ["t"]}
    assert client.post("/api/decisions", json=given).json()["decision"] == "exclude"
    said = client.get(f"/api/records/{first['id']}").json()
    assert said["status"]["abstract"] == "exclude"
    assert said["decisions"]["abstract"][0]["tags"] == ["t"]
    assert client.get("/api/progress").json()["excluded"] == 1
    assert client.get("/api/next").json()["items"][0]["id"] != first["id"]
    assert client.post("/api/undo").json()["record"] == first["id"]
    assert client.get("/api/progress").json()["read"] == 0
    assert client.post("/api/undo").status_code == 400


@pytest.mark.parametrize(
    ("given", "text"),
    [
        ({"record": "r1", "decision": "exclude", "reason": "no such reason"}, "no reason"),
        ({"record": "nothing", "decision": "include"}, "no record"),
        ({"record": "r1", "decision": "include", "list": "full-text"}, "not in the list"),
    ],
)
def test_bad_decisions_change_nothing(client, given, text):
    answer = client.post("/api/decisions", json=given)
    assert answer.status_code in (400, 404)
    assert text in answer.json()["detail"]
    assert client.get("/api/progress").json()["read"] == 0


def test_forms_lead_back_only_inside(client):
    form = {"record": "r1", "list": "abstract", "decision": "include", "back": "https://evil.example"}
    assert client.post("/decide", data=form).headers["location"] == "/"


def upload(client, name: str, data: bytes, **more: str):
    return client.post("/files", files={"files": (name, data)}, data=more, headers=PAGE)


def test_records_are_added_once(client):
    assert "1 records added" in upload(client, "new.ris", RIS).text
    assert "0 records added, 1 known already" in upload(client, "new.ris", RIS).text
    assert client.get("/api/progress").json()["records"] == 31
    found = client.get("/api/search?q=again").json()["items"]
    assert [item["file"] for item in found] == ["new.ris:1"]


def test_labels_that_are_no_decision_are_named(client):
    with pytest.warns(Notice):
        answer = upload(client, "table.csv", b"title,abstract,included\nStatins,A trial,oui\nBed nets,Nets,1\n")
    assert "2 records added" in answer.text
    assert "1 decisions read" in answer.text
    assert "not understood as a decision, and ignored: table.csv:2: included &#39;oui&#39;" in answer.text


@pytest.mark.parametrize(
    "name",
    ["../../etc/x.ris", "..\\x.ris", "/etc/passwd.ris", "\x00.ris", "a" * 300 + ".ris", "漢" * 90 + ".ris", "..", ""],
)
def test_name_of_a_file_is_only_text(client, tmp_path, name):
    before = sorted(tmp_path.parent.iterdir())
    assert upload(client, name, RIS).status_code in (200, 400, 422)
    assert sorted(tmp_path.parent.iterdir()) == before


@pytest.mark.parametrize(
    "data", [b"", b"\x00" * 100, b"PK\x03\x04" + b"\x00" * 50, b"\x1f\x8b" + b"\x00" * 50, b"<a><b>"]
)
@pytest.mark.parametrize("name", ["x.ris", "x.csv", "x.xlsx", "x.xml", "x.bib", "x.nbib"])
def test_files_that_are_not_references_are_explained(client, name, data):
    answer = upload(client, name, data)
    assert answer.status_code in (200, 400)
    assert "Traceback" not in answer.text
    assert "bayesift-upload" not in answer.text  # where the service keeps it for a moment
    assert client.get("/api/progress").json()["records"] == 30


def test_exports_can_be_imported(client, tmp_path):
    client.post("/api/decisions", json={"record": "r1", "decision": "include"})
    file = tmp_path / "all.jsonl.zst"
    file.write_bytes(client.get("/export/review.jsonl.zst").content)
    with Review.import_(file, tmp_path / "again.db") as again:
        assert again.progress().included == 1
    for name in ("records.ris", "records.csv"):
        answer = client.get(f"/export/{name}")
        assert name in answer.headers["content-disposition"]
        assert answer.content == client.get(f"/api/export/{name}").content
    assert client.get("/export/other", headers=PAGE).status_code == 400


def test_report_runs_no_script(client):
    answer = client.get("/report")
    assert "PRISMA" in answer.text
    assert "sandbox" in answer.headers["content-security-policy"]
    assert "attachment" in client.get("/report?download=true").headers["content-disposition"]


def test_kinds_of_databases_are_told_apart(tmp_path, client):
    assert "Titles and abstracts" in client.get("/", headers=PAGE).text
    Workspace.create(tmp_path / "news.db").close()
    with TestClient(
        create_app(tmp_path / "news.db"), base_url="http://localhost", client=("127.0.0.1", 50000)
    ) as other:
        assert "No topic yet" in other.get("/", headers=PAGE).text
    with pytest.raises(NotFound):
        create_app(tmp_path / "missing.db")
    (tmp_path / "text.db").write_text("not a database")
    with pytest.raises(BadInput):
        create_app(tmp_path / "text.db")


def test_metrics_and_health(client):
    assert 'bayesift_records{list="abstract",state="unread"} 30' in client.get("/metrics").text
    assert client.get("/health").json() == {"status": "ok"}


def test_a_page_waits_for_a_large_review_and_comes_again(client, monkeypatch):
    monkeypatch.setattr("bayesift.service.screening.desk.PATIENCE", 0.01)
    client.app.state.desk.ready.clear()
    answer = client.get("/", headers=PAGE)
    assert answer.status_code == 503
    assert "records are being ranked" in answer.text
    assert answer.headers["refresh"] == "1"
    assert client.get("/api/progress").headers["retry-after"] == "1"
    assert client.get("/health").status_code == 200
    client.app.state.desk.load()
    assert client.get("/", headers=PAGE).status_code == 200


def test_a_reader_takes_no_record_from_a_reviewer(start, hiv):
    with Review.open(hiv) as review:
        tokens = tokens_of(review.database)
    client = start()

    def first(role: str) -> str:
        return str(client.get("/api/next?order=random", headers=bearer(tokens[role])).json()["items"][0]["id"])

    def written() -> list[int]:
        with Review.open(hiv, write=False) as review, review.database.read() as connection:
            counts = (sa.select(sa.func.count()).select_from(table) for table in (screening_events, screening_holds))
            return [connection.execute(count).scalar_one() for count in counts]

    before = written()
    first("reader")
    assert client.get("/screen/abstract?order=random", headers=bearer(tokens["reader"])).status_code == 200
    assert written() == before
    first("reviewer")
    assert written() == [before[0] + 1, before[1] + 1]  # a random draw, and that the reviewer has it


SETTINGS = {
    "question": "Statins?", "reviewers": "2", "blind": "true", "method": "certified", "recall": "95",
    "certainty": "95", "in_a_row": "50", "share": "50",
}  # fmt: skip


def test_number_that_was_cleared_is_an_error_and_not_a_default(client):
    assert client.post("/settings", data=SETTINGS).status_code == 303
    for name in ("reviewers", "recall", "certainty", "in_a_row", "share"):
        answer = client.post("/settings", data=SETTINGS | {name: "", "question": "Another"}, headers=PAGE)
        assert answer.status_code == 400
        assert "is empty" in answer.text
        assert "Another" in answer.text
    assert 'name="reviewers" min="1" max="9" value="2"' in client.get("/settings").text
    client.post("/settings", data=SETTINGS | {"reviewers": "1", "recall": "90"})
    assert "reviewers from 2 to 1, rule: recall from 0.95 to 0.9<" in client.get("/history").text


def test_search_keeps_to_list_and_state(client, monkeypatch):
    def found(**asked: str) -> int:
        return client.get("/records", params={"q": "the"} | asked).text.count('href="/records/')

    first = client.get("/api/next").json()["items"][0]
    client.post("/api/decisions", json={"record": first["id"], "decision": "include"})
    word = first["title"].split()[0]
    assert found(q=word, status="include") == found(q=word, list="full-text") == 1
    assert found(q=word, status="exclude") == found(q=word, list="full-text", status="include") == 0
    monkeypatch.setattr("bayesift.service.screening.records.LISTED", 1)
    many = client.get("/records?q=hiv").text
    assert "The best 1 of those" in many


def test_reader_sees_no_forms_that_fail(start, hiv):
    with Review.open(hiv) as review:
        token = tokens_of(review.database)["reader"]
    client = start()
    for address in ("/screen/abstract", "/conflicts", "/duplicates", "/records/r1", "/history", "/files"):
        page = client.get(address, headers=bearer(token) | PAGE).text
        assert set(re.findall(r'method="post" action="([^"]*)"', page)) <= {"/logout"}, address
        assert 'value="include"' not in page
