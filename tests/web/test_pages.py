"""Pages and forms, as a browser without a script uses them."""

from __future__ import annotations

import asyncio
import re
from concurrent.futures import ThreadPoolExecutor
from html import unescape

import pytest
from fastapi.testclient import TestClient
from tests.web.conftest import PAGE, bearer, tokens_of

from bayesift.filtering.store import StoreFailed
from bayesift.filtering.store.database import Database
from bayesift.filtering.store.schema import documents
from bayesift.service import rendering
from bayesift.service.pages.words import edited_words
from bayesift.service.people import People


def waiting(client) -> list[str]:
    """Return the ids of the waiting documents, in their order."""
    return re.findall(r'<li data-document="([^"]+)"', client.get("/topics/1/inbox", headers=PAGE).text)


def judge(client, document: str, relevant: str, **more: str):
    return client.post("/topics/1/judge", data={"document": document, "relevant": relevant} | more)


@pytest.mark.parametrize(
    "address",
    ["/", "/topics/new", "/topics/1/inbox", "/topics/1", "/documents", "/documents?topic=grain", "/documents?q=wheat",
     "/documents/d1", "/try", "/sources", "/people", "/health/page", "/api/docs", "/login"],
)  # fmt: skip
def test_page_is_shown(client, address):
    found = client.get(address, headers=PAGE)
    assert found.status_code == 200
    assert found.text.count("<h1") == 1
    assert "style=" not in found.text
    assert "<script>" not in found.text
    assert "default-src 'self'" in found.headers["content-security-policy"]


def test_tables_and_landmarks_have_names_of_their_own(client, tmp_path):
    judge(client, waiting(client)[0], "yes")
    client.post("/sources", data={"address": str(tmp_path), "every": "15"})
    admin = bearer(tokens_of(client.app.state.people.database)["admin"])
    for address in ("/topics/1", "/people", "/sources"):
        page = client.get(address, headers=PAGE | admin).text
        assert "<table" in page, address
        assert not re.search(r"<th[^>]*></th>", page), address
        names = re.findall(r'role="region" aria-label="([^"]*)"', page) + re.findall(r"<h2[^>]*>([^<]*)</h2>", page)
        assert len(set(names)) == len(names), address


def test_judging_learns_and_shows_the_next_document(client):
    first, second = waiting(client)[:2]
    answer = judge(client, first, "yes", next=second)
    assert answer.status_code == 303
    page = client.get(answer.headers["location"], headers=PAGE).text
    assert f'<article class="reading" data-document="{second}"' in page
    assert first not in waiting(client)


def test_judging_changes_the_order(client):
    before = waiting(client)
    judge(client, before[0], "no")
    judge(client, before[-1], "yes")
    assert waiting(client) != before[1:-1]


def test_skipping_learns_nothing(client):
    before = waiting(client)
    judge(client, before[0], "skip", next=before[1])
    assert waiting(client) == before


def test_fragment_is_the_inbox_only(client):
    page = client.get("/topics/1/inbox", headers=PAGE | {"x-fragment": "1"}).text
    assert "<html" not in page
    assert 'class="queue"' in page
    assert 'id="next"' in page


def test_undo_goes_back_as_often_as_wanted(client):
    before = waiting(client)
    for document in before[:3]:
        judge(client, document, "no")
    for _ in range(3):
        assert client.post("/topics/1/undo").status_code == 303
    assert waiting(client) == before


def test_undo_of_nothing_is_said(client):
    answer = client.post("/topics/1/undo", headers=PAGE)
    assert answer.status_code == 400
    assert "undo" in answer.text


def test_other_answer_replaces_the_first(client):
    document = waiting(client)[0]
    judge(client, document, "yes")
    judge(client, document, "no")
    assert "judged not relevant" in client.get(f"/documents/{document}").text


def test_topic_from_a_sentence_with_preview(client):
    given = {"name": "trade", "about": "wheat prices", "words": "corn 2", "examples": ""}
    page = client.post("/topics/preview", data=given, headers=PAGE).text
    assert "The best of" in page
    assert "Story" in page
    assert len(client.get("/api/topics").json()["topics"]) == 2
    answer = client.post("/topics", data=given)
    assert answer.headers["location"] == "/topics/3/inbox"
    assert client.get("/api/topics/3").json()["about"] == "wheat prices"


@pytest.mark.parametrize(
    "given",
    [
        {"name": "a", "about": "the of and"},
        {"name": "grain", "about": "wheat"},
        {"name": "", "about": "wheat"},
        {"name": "b"},
    ],
)
def test_topic_that_cannot_start_is_refused_and_the_form_is_kept(client, given):
    answer = client.post("/topics", data=given, headers=PAGE)
    assert answer.status_code == 400
    assert unescape(answer.text).count(given.get("about", "New topic")) >= 1
    assert len(client.get("/api/topics").json()["topics"]) == 2


def test_topic_from_a_file(client):
    files = {"files": ("wheat.txt", b"The wheat harvest was good.", "text/plain")}
    answer = client.post("/topics", data={"name": "file"}, files=files)
    assert answer.status_code == 303
    wrong = client.post(
        "/topics", data={"name": "bad"}, files={"files": ("x.txt", b"\xff\xfe\x00", "text/plain")}, headers=PAGE
    )
    assert wrong.status_code == 400
    assert "UTF-8" in wrong.text


def test_words_are_previewed_and_saved(client):
    form = {"set:wheat": "-3", "new": "port", "new_weight": "2.5"}
    page = client.post("/topics/1/words/preview", data=form, headers=PAGE).text
    assert "would change place" in page
    assert client.get("/api/topics/1/words").json()["words"][0]["set"] is False
    client.post("/topics/1/words", data=form)
    given = {w["word"]: w["given"] for w in client.get("/api/topics/1/words").json()["words"] if w["set"]}
    assert given == {"wheat": -3.0, "port": 2.5}


def test_forbidden_word_has_no_weight(client):
    def wheat():
        return next(w for w in client.get("/api/topics/1/words").json()["words"] if w["word"] == "wheat")

    before = wheat()["mean"]
    client.post("/topics/1/words", data={"forbid:wheat": "on"})
    assert wheat()["forbidden"]
    assert abs(wheat()["mean"]) < 0.2 * before


def test_weight_that_is_not_a_number_is_refused(client):
    assert client.post("/topics/1/words", data={"set:wheat": "much"}, headers=PAGE).status_code == 400
    assert edited_words({"new": "corn"}) == {"corn": (1.0, 0.5)}


def test_history_is_reversible(client):
    document = waiting(client)[0]
    judge(client, document, "yes")
    page = client.get("/topics/1", headers=PAGE).text
    assert "local" in page
    assert f'value="{document}"' in page
    client.post("/topics/1/revise", data={"document": document, "to": "change"})
    assert client.get("/api/topics/1/judgements").json()["judgements"][0]["relevant"] is False
    client.post("/topics/1/revise", data={"document": document, "to": "withdraw"})
    assert client.get("/api/topics/1/judgements").json()["judgements"] == []
    assert document in waiting(client)


def test_history_goes_on_by_keys(client):
    for document in waiting(client)[:5]:
        judge(client, document, "yes")
    first = client.get("/api/topics/1/judgements?limit=3").json()
    rest = client.get(f"/api/topics/1/judgements?limit=3&before={first['next']}").json()
    ids = [j["document"] for j in first["judgements"] + rest["judgements"]]
    assert len(ids) == len(set(ids)) == 5
    assert rest["next"] is None


@pytest.mark.parametrize("balance", [0.0, 0.33, 1.0])
def test_a_form_of_settings_sends_back_what_it_shows(client, balance):
    assert client.patch("/api/topics/1", json={"balance": balance}).status_code == 200
    assert client.get("/api/topics/1").json()["balance"] == balance
    field = re.search(r'<input type="range"[^>]*>', client.get("/topics/1").text).group()
    assert f'value="{balance}"' in field
    assert 'min="0" max="1" step="any"' in field  # a browser keeps any value between


def test_settings_pause_and_delete(client):
    client.post("/topics/1/settings", data={"name": "crops", "per_day": "7", "balance": "0.8"})
    topic = client.get("/api/topics/1").json()
    assert (topic["name"], topic["per_day"], topic["balance"]) == ("crops", 7, 0.8)
    client.post("/topics/1/pause")
    assert client.get("/api/topics/1").json()["paused"]
    assert client.post("/topics/1/delete", data={"confirm": "grain"}, headers=PAGE).status_code == 400
    assert client.post("/topics/1/delete", data={"confirm": "crops"}).headers["location"] == "/"
    assert client.get("/topics/1", headers=PAGE).status_code == 404


def test_documents_go_on_by_keys(client, monkeypatch):
    monkeypatch.setattr("bayesift.service.pages.documents.LISTED", 20)
    page = client.get("/documents").text
    older = unescape(re.search(r'href="(/documents\?[^"]*before=\d+)"', page)[1])
    more = client.get(older).text
    seen = re.findall(r'id="d(\d+)"', page) + re.findall(r'id="d(\d+)"', more)
    assert seen == [str(n) for n in range(150, 110, -1)]


def test_search_finds_what_was_passed_over_and_judging_it_teaches(client):
    page = client.get("/documents?q=tanker&topic=grain", headers=PAGE).text
    assert "passed over" in page
    document = re.search(r'name="document" value="([^"]+)"', page)[1]
    answer = judge(client, document, "yes", back="/documents?q=tanker&topic=grain")
    assert answer.headers["location"] == "/documents?q=tanker&topic=grain"
    assert client.get("/api/topics/1/judgements").json()["judgements"][0]["source"] == "searched"


def test_try_stores_nothing(client):
    before = client.get("/api/documents").json()
    page = client.post("/try", data={"text": "wheat and corn"}, headers=PAGE).text
    assert "wheat" in page
    assert "grain" in page
    assert client.get("/api/documents").json() == before


def test_uploads(client):
    lines = b'{"id": "u1", "text": "wheat from a file"}\n{"id": "u2", "text": "more wheat"}\n'
    answer = client.post("/sources/upload", files=[("files", ("a.jsonl", lines))])
    assert answer.headers["location"] == "/sources?added=2"
    ris = b"TY  - JOUR\nTI  - Wheat yields\nAB  - An abstract.\nUR  - https://example.org/1\nER  - \n"
    assert client.post("/sources/upload", files=[("files", ("a.ris", ris))]).headers["location"] == "/sources?added=1"
    for name, data in (("a.exe", b"x"), ("a.jsonl", b"{"), ("a.ris", b"no ris at all"), ("../../a.csv", b"\x00\x01")):
        wrong = client.post("/sources/upload", files=[("files", (name, data))], headers=PAGE)
        assert wrong.status_code == 400
        assert "Traceback" not in wrong.text


def test_nothing_there(client):
    for address in ("/nothing", "/topics/99", "/topics/99/inbox", "/documents/none", "/static/../app.py", "/static/x"):
        answer = client.get(address, headers=PAGE)
        assert answer.status_code == 404
        assert "<h1>" in answer.text


def test_a_silent_topic_is_named_with_what_to_do(client, monkeypatch):
    monkeypatch.setattr("bayesift.filtering.store.silence.QUIET", 5)
    client.post("/topics", data={"name": "gardens", "about": "gardening"})
    (number,) = [t["number"] for t in client.get("/api/topics").json()["topics"] if t["name"] == "gardens"]
    assert "silent" not in client.get("/").text
    client.post("/api/documents", json=[{"id": f"x{i}", "text": f"unknown-{i}"} for i in range(6)])
    assert client.get("/").text.count("silent since 20") == 1
    page = client.get(f"/topics/{number}").text
    assert "This topic is silent:" in page
    assert "6 documents came since its last change" in page
    assert "This topic is silent:" not in client.get("/topics/1").text


def test_text_of_others_is_escaped(client):
    nasty = '<script>alert(1)</script><img src=x onerror=alert(1)>" onmouseover="x'
    document = {"id": nasty, "title": nasty, "body": f"wheat {nasty}", "url": "javascript:alert(1)", "source": nasty}
    client.post("/api/documents", json=document)
    client.post("/topics", data={"name": nasty[:70], "about": f"wheat {nasty}"})
    for address in ("/", "/documents", "/documents?topic=grain", "/documents?q=wheat", "/topics/1/inbox", "/topics/3",
                    "/topics/3/inbox", f"/documents?q={nasty}"):  # fmt: skip
        page = client.get(address, headers=PAGE).text
        assert "<script>alert" not in page
        assert "<img" not in page
        assert 'href="javascript:' not in page


def test_feed_is_atom(client):
    import xml.etree.ElementTree as tree

    client.post(
        "/api/documents", json={"id": "x", "title": "wheat \x0b & <corn>", "body": "wheat harvest in the fields"}
    )
    feed = tree.fromstring(client.get("/topics/1/feed.atom").text)
    assert feed.tag.endswith("feed")
    assert len(feed.findall("{*}entry")) > 0


def test_export_of_a_topic_starts_another(client):
    exported = client.get("/topics/1/export.json").json()
    answer = client.post("/api/topics", json={"name": "copy", "exported": exported})
    assert answer.status_code == 201
    assert answer.json()["about"] == "wheat and corn harvests"


def test_two_who_send_at_once_are_told_what_each_added(client):
    def send(k: int) -> int:
        new = [{"id": f"p{k}-{i}", "text": f"wheat {k} {i}"} for i in range(150)]
        return client.post("/api/documents", json=[*new, new[0]]).json()["added"]

    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(send, range(4))) == [150] * 4
    assert send(0) == 0


@pytest.mark.parametrize("address", ["/topics/{}", "/topics/1?before={}", "/topics/{}/inbox", "/documents?before={}"])
def test_number_that_no_database_has_is_refused(client, address):
    answer = client.get(address.format(10**23), headers=PAGE)
    assert answer.status_code == 422
    assert "<h1>" in answer.text


def test_unexpected_error_is_a_page_without_internals(client, monkeypatch):
    monkeypatch.setattr("bayesift.service.pages.documents.newest_documents", lambda *_: 1 // 0)
    quiet = TestClient(
        client.app, base_url="http://localhost", client=("127.0.0.1", 50000), raise_server_exceptions=False
    )
    answer = quiet.get("/documents", headers=PAGE)
    assert answer.status_code == 500
    assert "Something went wrong" in answer.text
    assert "division" not in answer.text
    assert answer.headers["x-frame-options"] == "DENY"
    monkeypatch.setattr("bayesift.service.people.People.exist", lambda _: 1 // 0)
    broken = quiet.get("/documents", headers=PAGE)
    assert broken.status_code == 500
    assert "Something went wrong" in broken.text


def test_errors_ask_the_database_in_a_thread(client, monkeypatch):
    """An event loop that waits for a database answers nobody."""
    real, asked = rendering.person_of, []

    def person_of(request):
        with pytest.raises(RuntimeError):
            asyncio.get_running_loop()
        asked.append(request.url.path)
        return real(request)

    monkeypatch.setattr(rendering, "person_of", person_of)
    monkeypatch.setattr("bayesift.service.pages.documents.newest_documents", lambda *_: 1 // 0)
    quiet = TestClient(
        client.app, base_url="http://localhost", client=("127.0.0.1", 50000), raise_server_exceptions=False
    )
    errors = {"/nothing": 404, "/topics/1/undo": 405, "/topics/0": 422, "/topics/9": 404, "/documents": 500}
    for address, status in errors.items():
        assert quiet.get(address, headers=PAGE).status_code == status
    assert asked == list(errors)


def test_page_of_a_database_that_is_away_asks_it_nothing(client, monkeypatch):
    asked = []

    def away(*_):
        asked.append(1)
        raise StoreFailed("is away", remedy="start it")

    monkeypatch.setattr(People, "exist", away)
    monkeypatch.setattr(People, "none_lately", False)
    page = client.get("/documents", headers=PAGE)
    assert page.status_code == 503
    assert "<h1>The database does not answer</h1>" in page.text
    assert "Is away; start it. Nothing that was acknowledged is lost." in page.text
    assert len(asked) == 1  # the page itself, which may have waited for long
    missing = client.get("/nothing", headers=PAGE)
    assert (missing.status_code, "<h1>Not found</h1>" in missing.text) == (404, True)


def test_document_with_only_a_title_has_not_expired(client):
    client.post("/api/documents", json={"id": "short", "title": "Wheat and corn harvests"})
    assert "This document has only a title." in client.get("/documents/short").text
    assert "has expired" not in client.get("/topics/1/inbox?at=short").text


def test_document_without_text_has_not_expired(client):
    client.app.state.desk.add_documents([{"id": "empty", "text": ""}])
    assert "This document came without text." in client.get("/documents/empty").text
    with client.app.state.desk.workspace.database.write() as connection:
        connection.execute(documents.update().where(documents.c.id == "empty").values(title=None, body=None))
    assert "The text of this document has expired." in client.get("/documents/empty").text


def test_the_use_of_a_day_is_left_out_where_more_was_shown_than_now_is_wanted(client):
    assert "of today&#39;s 200" in inbox_of_questions(client)
    client.post("/topics/1/settings", data={"name": "grain", "per_day": "1", "balance": "0.95"})
    text = inbox_of_questions(client)
    assert "would teach" in text
    assert "of today" not in text


def inbox_of_questions(client):
    """Return all documents that the first topic asks about, as the inbox shows them."""
    asked = [item for item in client.get("/api/topics/1/inbox?limit=100").json()["items"] if item["kind"] == "asked"]
    assert asked
    return "".join(client.get("/topics/1/inbox", params={"at": item["document"]}).text for item in asked[:3])


def upload(client, name, data):
    return client.post("/sources/upload", files=[("files", (name, data))], headers=PAGE)


def test_upload_of_references_loses_nothing(client):
    ris = (
        b"TY  - JOUR\nID  - 1\nTI  - Wheat yields\nAB  - It begins here\n  and goes on.\nPY  - 2021/05/03/\nER  - \n"
        b"TY  - JOUR\nER  - \nTY  - JOUR\nTI  - The last one\n"
    )
    page = upload(client, "a.ris", ris).text
    assert "2 new documents stored." in page
    assert "a.ris, line 8: no title" in page
    last, first = client.get("/api/documents?limit=2").json()["documents"]
    assert (last["title"], first["date"]) == ("The last one", "2021-05-03")
    assert client.get(f"/api/documents/{first['id']}").json()["body"] == "It begins here and goes on."


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("a.csv", b"title,abstract\nWheat,The harvest was good.\n"),
        ("a.csv", b"summary,year\nThe harvest was good.,2021\n"),
        ("a.jsonl", b'{"title": "Wheat", "abstract": "The harvest was good."}\n'),
        ("a.json", b'[{"id": "w", "summary": "The harvest was good."}]'),
    ],
)
def test_abstract_is_the_text_of_a_document_without_another(client, name, data):
    assert upload(client, name, data).headers["location"] == "/sources?added=1"
    new = client.get("/api/documents?limit=1").json()["documents"][0]["id"]
    assert client.get(f"/api/documents/{new}").json()["body"] == "The harvest was good."


def test_lines_of_two_files_without_ids_are_different_documents(client):
    for text in (b"wheat", b"corn"):
        assert upload(client, "a.csv", b"text\n" + text + b"\n").headers["location"] == "/sources?added=1"


def test_pages_do_not_name_options_of_the_command_line(client):
    for name, data in (("a.csv", b"id,content\n1,wheat\n"), ("a.jsonl", b'[{"text": "wheat"}]')):
        page = upload(client, name, data).text
        assert "wrong" in page
        assert "--" not in page.split('role="alert">')[1].split("</p>")[0]
    assert "rename the column content to text" in upload(client, "a.csv", b"id,content\n1,wheat\n").text


def test_what_was_stored_is_said_in_words(client):
    assert "1 new document stored." in client.get("/sources?added=1").text
    assert "stored." not in client.get("/sources?added=-5").text


def test_word_that_no_document_has_is_previewed(client):
    given = {"name": "flu", "words": "covid"}
    answer = client.post("/topics/preview", data=given, headers=PAGE)
    assert answer.status_code == 200
    assert "No stored document has a word of this topic." in answer.text
    assert client.post("/topics/preview", data={"name": "flu"}, headers=PAGE).status_code == 400
    assert client.post("/topics", data=given).status_code == 303


@pytest.mark.parametrize("weight", ["19", "-3.5", "nan"])
def test_weights_have_one_range(client, weight):
    for path, form in (
        ("/topics", {"name": "flu", "words": f"covid {weight}"}),
        ("/topics/1/words", {"set:wheat": weight}),
    ):
        answer = client.post(path, data=form, headers=PAGE)
        assert answer.status_code == 400
        assert "a number from -3 to 3" in answer.text


def test_preview_keeps_an_example_in_one_piece(client):
    files = {"files": ("wheat.txt", b"Wheat harvest\n-----\nCorn harvest\n \\---\nBarley", "text/plain")}
    page = client.post("/topics/preview", data={"name": "file"}, files=files, headers=PAGE).text
    kept = unescape(re.search(r'<textarea name="examples"[^>]*>(.*?)</textarea>', page, re.S)[1])
    client.post("/topics", data={"name": "file", "examples": kept})
    (example,) = client.get("/topics/3/export.json").json()["examples"]
    assert example["body"] == "Wheat harvest\n-----\nCorn harvest\n \\---\nBarley"


def test_search_without_a_topic_shows_none(client):
    assert "passed over" not in client.get("/documents?q=tanker&topic=").text
    assert "option selected>grain" in client.get("/documents?q=tanker").text


def test_reader_sees_no_forms_that_fail(start, workspace):
    database = Database(workspace, 10.0)
    token = tokens_of(database)["reader"]
    database.close()
    client = start()
    for address in ("/", "/topics/1/inbox", "/topics/1", "/documents?topic=grain", "/documents/d1", "/sources"):
        page = client.get(address, headers=PAGE | bearer(token))
        assert page.status_code == 200
        assert set(re.findall(r'method="post" action="([^"]*)"', page.text)) <= {"/logout", "/topics/1/words"}
        assert "Not relevant</button>" not in page.text
        assert "Save" not in page.text


def test_file_that_is_too_large_is_refused_with_a_page(client):
    answer = client.get("/sources", headers=PAGE | {"content-length": str(40 << 20)})
    assert answer.status_code == 413
    assert "at most 32 MB" in answer.text
    assert answer.headers["content-type"].startswith("text/html")
    assert "content-security-policy" in answer.headers
    assert client.get("/api/topics", headers=PAGE | {"content-length": str(40 << 20)}).json()["status"] == 413


def test_topic_page_lists_what_was_changed(client):
    document = waiting(client)[0]
    title = client.get(f"/api/documents/{document}").json()["title"]
    client.post("/topics/1/settings", data={"name": "crops <b>", "per_day": "7", "balance": "0.5"})
    client.post("/topics/1/pause")
    client.post("/topics/1/words", data={"new": "wheat", "new_weight": "1.5", "forbid:tanker": "on"})
    judge(client, document, "yes")
    client.post("/topics/1/revise", data={"document": document, "to": "change"})
    client.post("/topics/1/revise", data={"document": document, "to": "withdraw"})
    client.post("/topics/1/undo")

    def listed(address="/topics/1"):
        page = client.get(address, headers=PAGE).text.partition('<h2 id="changes">')[2]
        return re.findall('<span class="what" dir="auto">(.*?)</span>', page), re.search('href="([^"]*#changes)"', page)

    assert listed() == ([
        f"by undo: judged {title} not relevant", f"withdrew the answer about {title}",
        f"changed the answer about {title} to not relevant", "set the words tanker forbidden, wheat +1.5",
        "paused the topic", "renamed grain to crops &lt;b&gt;", "set 7 documents per day and balance 0.5",
        "added grain",
    ], None)  # fmt: skip
    for per_day in range(10, 30):
        client.patch("/api/topics/1", json={"per_day": per_day})
    newest, older = listed()
    assert (len(newest), newest[0]) == (25, "set 29 documents per day and balance 0.5")
    rest, end = listed(unescape(older[1]))
    assert rest[-1] == "added grain"
    assert (len(rest), end) == (3, None)
