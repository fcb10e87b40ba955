"""Scripts in what people and sources send: text, titles, names, files and feeds.

None may run; the fixture `page` fails if one does.
"""

from __future__ import annotations

import json
import urllib.request

import pytest

NASTY = "wheat corn <script>alert(1)</script><img src=x onerror=alert(1)><svg onload=alert(1)>'\"></textarea>"
PAGES = (
    "/",
    "/topics/1/inbox",
    "/topics/1",
    "/documents?topic=grain",
    "/documents?q=wheat",
    "/sources",
    "/health/page",
)


def look(page, address: str, paths: tuple[str, ...] = PAGES) -> None:
    """Open pages, each long enough for a script to run."""
    for path in paths:
        page.goto(address + path)
        page.wait_for_timeout(50)


def send(address: str, path: str, body: object) -> dict:
    request = urllib.request.Request(
        f"{address}/api{path}", json.dumps(body).encode(), {"Content-Type": "application/json"}
    )
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)


@pytest.mark.parametrize("name", ["title", "body", "id", "source", "url"])
def test_script_in_a_document(page, address, name):
    value = "javascript:alert(1)//" + NASTY if name == "url" else NASTY
    send(address, "/documents", {"id": "x", "body": "wheat and corn harvests"} | {name: value})
    look(page, address)
    page.goto(f"{address}/documents?q={urllib.request.quote(NASTY)}")
    page.goto(f"{address}/documents/{urllib.request.quote(NASTY if name == 'id' else 'x', safe='')}")
    assert page.locator("main a[href^='javascript']").count() == 0


def test_script_in_the_name_the_statement_and_the_words_of_a_topic(page, address):
    page.goto(f"{address}/topics/new")
    page.fill("input[name=name]", NASTY[:80])
    page.fill("textarea[name=about]", NASTY)
    page.fill("textarea[name=words]", NASTY + " 1.5")
    page.click("button:text-is('Preview')")
    page.wait_for_selector(".message.wrong")  # not a word
    page.fill("textarea[name=words]", "wheat 1.5")
    page.click("button:text-is('Preview')")
    page.wait_for_selector("#preview")
    assert page.input_value("input[name=name]") == NASTY[:80]
    page.click("button:text-is('Save topic')")
    page.wait_for_url("**/inbox")
    look(page, address, ("/", "/topics/3", "/topics/3/inbox", "/documents?topic=" + urllib.request.quote(NASTY[:80])))
    page.goto(f"{address}/documents/d1")
    page.wait_for_timeout(50)


def test_script_in_a_note_and_in_an_answer_to_a_search(page, address):
    send(address, "/topics/1/judgements", {"document": "d1", "relevant": True, "note": NASTY})
    look(page, address)
    page.goto(f"{address}/topics/{urllib.request.quote(NASTY)}")
    page.goto(f"{address}/login?to={urllib.request.quote(NASTY)}")


@pytest.mark.parametrize("name", [f"{NASTY[:60]}.exe", f"{NASTY[:60]}.jsonl"])
def test_script_in_the_name_of_a_file(page, address, name):
    page.goto(f"{address}/sources")
    page.set_input_files("input[name=files]", {"name": name, "mimeType": "text/plain", "buffer": b'{"id": 1'})
    page.click("button:text-is('Upload')")
    page.wait_for_selector(".message.wrong")
    assert "<script>" in page.inner_text(".message.wrong")


def test_script_in_a_feed(page, address, tmp_path):
    text = NASTY.replace("&", "&amp;").replace("<", "&lt;")
    entry = f"<entry><id>{text}</id><title type='html'>{text}</title><content type='html'>{text}</content></entry>"
    feed = tmp_path / "feed.xml"
    feed.write_text(f"<feed xmlns='http://www.w3.org/2005/Atom'><title>{text}</title>{entry}</feed>")
    page.goto(f"{address}/sources")
    page.fill("input[name=address]", str(feed))
    page.click("button:text-is('Add')")
    for _ in range(100):
        page.goto(f"{address}/documents")
        if "Story" not in page.inner_text(".rows li:first-child"):
            break
        page.wait_for_timeout(100)
    assert "wheat corn" in page.inner_text(".rows li:first-child")
    page.click(".rows li:first-child a")
    page.wait_for_timeout(50)
    look(page, address)
