"""Answers that cannot be stored, sessions that end, many tabs, fast keys, and the focus: nothing is lost."""

from __future__ import annotations

import json
import urllib.request
from urllib.parse import quote

import pytest
from tests.browser.conftest import first_of, held
from tests.browser.test_inbox import get, press, queue
from tests.browser.test_people import PASSWORD, people  # noqa: F401
from tests.browser.test_screening import hiv, made, shown, site  # noqa: F401

from bayesift.filtering.screening.review import Review
from bayesift.service.people import People

FAILED = "Failed to load resource: net::ERR_FAILED"
NOT_STORED = "Not stored: the service does not answer. Try again."
HIDE = """is => {
    Object.defineProperty(document, 'hidden', {configurable: true, get: () => is});
    document.dispatchEvent(new Event('visibilitychange'));
}"""
PRESS_AT_ONCE = """keys => {
    for (const key of keys) document.body.dispatchEvent(new KeyboardEvent('keydown', {key, bubbles: true}));
}"""
FOCUS = "document.activeElement.outerHTML.split('>')[0]"


def write(page, key: str, text: str) -> None:
    page.keyboard.press(key)
    page.keyboard.type(text)
    page.keyboard.press("Escape")


def send_document(address: str, name: str) -> None:
    body = json.dumps({"id": name, "body": "wheat and corn harvests in the plains, wheat, corn"}).encode()
    urllib.request.urlopen(
        urllib.request.Request(f"{address}/api/documents", body, {"Content-Type": "application/json"})
    )


def test_a_judgement_that_is_not_stored_leads_back_to_its_document(page, address):
    page.goto(f"{address}/topics/1/inbox")
    first, second = queue(page)[:2]
    page.expected.append(FAILED)
    page.route("**/judge", lambda route: route.abort())
    page.keyboard.press("a")
    page.wait_for_selector("#said.wrong.shown")
    assert page.inner_text("#said") == NOT_STORED
    assert page.get_attribute(".reading", "data-document") == first
    page.unroute("**/judge")
    page.wait_for_timeout(3000)  # the page is not loaded again
    assert page.inner_text("#said") == NOT_STORED
    press(page, "a")
    assert page.get_attribute(".reading", "data-document") == second
    judged = get(f"{address}/api/topics/1/judgements")["judgements"]
    assert [(j["document"], j["relevant"]) for j in judged] == [(first, True)]


def test_what_was_pressed_after_a_failure_is_dropped(page, address):
    page.goto(f"{address}/topics/1/inbox")
    press(page, "a")
    second = page.get_attribute(".reading", "data-document")
    page.expected.append(FAILED)
    waits = held(page, "**/judge")
    for key in "xxu":  # the judgement, one of the next document, and undo, which would take back the first answer
        page.keyboard.press(key)
    first_of(page, waits).abort()
    page.wait_for_selector("#said.wrong.shown")
    page.unroute("**/judge")
    page.wait_for_timeout(300)
    assert page.get_attribute(".reading", "data-document") == second
    assert page.locator(".reading button:disabled").count() == 0
    assert len(get(f"{address}/api/topics/1/judgements")["judgements"]) == 1


def test_a_note_stays_when_the_decision_is_not_stored(page, site):  # noqa: F811
    page.goto(f"{site}/screen/abstract")
    first = shown(page)
    page.expected.append(FAILED)
    write(page, "n", "12 patients")
    page.route("**/screen/abstract", lambda route: route.abort())
    page.keyboard.press("x")
    page.wait_for_selector("#said.wrong.shown")
    assert (shown(page), page.input_value("textarea[name=note]")) == (first, "12 patients")
    page.unroute("**/screen/abstract")
    page.goto(f"{site}/screen/abstract?at={first}")  # also if the page is loaded again
    page.wait_for_load_state()  # the script puts the note back
    assert page.input_value("textarea[name=note]") == "12 patients"
    press(page, "x")
    (said,) = get(f"{site}/api/records/{first}")["decisions"]["abstract"]
    assert (said["decision"], said["note"]) == ("exclude", "12 patients")
    assert page.evaluate("sessionStorage.length") == 0


def test_a_failure_does_not_interrupt_the_next_note(page, site):  # noqa: F811
    page.goto(f"{site}/screen/abstract")
    first = shown(page)
    page.expected.append(FAILED)
    waits = held(page, "**/screen/abstract")
    page.keyboard.press("x")
    second = shown(page)
    page.keyboard.press("n")
    page.keyboard.type("an ")
    first_of(page, waits).abort()
    page.wait_for_selector("#said.wrong.shown")
    page.unroute("**/screen/abstract")
    page.keyboard.type("axe")
    assert (shown(page), page.input_value("textarea[name=note]")) == (second, "an axe")
    page.keyboard.press("Tab")
    page.keyboard.type("tools")
    page.wait_for_timeout(50)
    assert shown(page) == second
    page.keyboard.press("Escape")
    page.wait_for_selector(f".reading[data-document='{first}']")
    assert page.input_value("textarea[name=note]") == ""
    press(page, "x")
    assert (shown(page), page.input_value("textarea[name=note]")) == (second, "an axe")
    assert page.input_value("textarea[name=tags]") == "tools"


def log_in(page, name: str) -> None:
    page.fill("input[name=name]", name)
    page.fill("input[name=password]", PASSWORD)
    page.click("button:text-is('Log in')")


def test_a_session_that_ended_leads_back_to_the_document_and_its_note(page, hiv, site):  # noqa: F811
    with Review.open(hiv) as review:
        for name, role in (("ada", "admin"), ("bob", "reviewer")):
            People(review.database).add(name, PASSWORD, role)
    page.goto(f"{site}/screen/abstract?order=date")
    assert page.locator("main .message").count() == 0
    log_in(page, "ada")
    page.wait_for_url("**/screen/abstract?order=date")
    press(page, "x")
    second = shown(page)
    write(page, "n", "12 patients")
    page.context.clear_cookies()
    page.keyboard.press("x")
    page.wait_for_url("**/login?**")
    assert page.inner_text("main .message") == "Log in again: the last answer was not stored."
    log_in(page, "ada")
    page.wait_for_selector(f".reading[data-document='{second}']")
    assert "order=date" in page.url
    page.wait_for_load_state()  # the script puts the note back
    assert page.input_value("textarea[name=note]") == "12 patients"
    page.context.clear_cookies()
    page.keyboard.press("j")  # nothing is lost by a move, so the log-in page does not say so
    page.wait_for_url("**/login?**")
    assert page.locator("main .message").count() == 0
    log_in(page, "bob")
    page.goto(f"{site}/screen/abstract?at={second}")
    assert page.input_value("textarea[name=note]") == ""  # a note is shown to nobody else


@pytest.mark.parametrize("to", ["//evil.example", "/\\evil.example", "https://evil.example", "javascript:alert(1)"])
def test_the_login_page_leads_to_this_service_only(page, people, to):  # noqa: F811
    page.goto(f"{people}/login?to={quote(to, safe='')}&lost=1")
    assert page.input_value("input[name=to]") == "/"
    page.evaluate("to => { document.querySelector('input[name=to]').value = to; }", to)
    log_in(page, "ada")
    page.wait_for_selector("h1:text-is('Topics')")
    assert page.url == f"{people}/"


def test_many_tabs_are_open_and_a_hidden_one_catches_up(browser, address):
    context = browser.new_context()
    context.set_default_timeout(10_000)
    pages = []
    for _ in range(8):
        pages.append(context.new_page())
        pages[-1].goto(f"{address}/topics/1/inbox")
        pages[-1].evaluate(HIDE, True)
    before = queue(pages[0])
    send_document(address, "late")
    pages[0].wait_for_timeout(1500)
    assert pages[0].locator("#counts[data-new]").count() == 0
    pages[0].evaluate(HIDE, False)
    pages[0].wait_for_selector("#counts[data-new='· 1 new']")
    send_document(address, "later")
    pages[0].wait_for_selector("#counts[data-new='· 2 new']")
    assert queue(pages[0]) == before
    context.close()


def test_the_focus_stays_when_the_topics_change(page, address):
    page.goto(address)
    page.locator(".topic .links a:text-is('Inbox')").last.focus()
    before, counts = page.evaluate(FOCUS), page.inner_text(".topics")
    page.wait_for_timeout(500)
    send_document(address, "late")
    page.wait_for_function("before => document.querySelector('.topics').innerText !== before", arg=counts)
    assert page.evaluate(FOCUS) == before
    assert page.evaluate("document.activeElement.innerText") == "Inbox"


def test_the_keys_dialog_keeps_the_focus_and_shows_its_messages(page, address):
    page.goto(f"{address}/topics/1/inbox")
    page.keyboard.press("?")
    page.focus("[data-change=skip]")
    page.keyboard.press("Enter")
    page.keyboard.press("a")
    assert "already" in page.inner_text("#keys [role=alert]")
    assert page.evaluate("document.activeElement.dataset.change") == "skip"
    page.keyboard.press("Enter")
    page.keyboard.press("5")  # a digit is a key like any other in a filter
    assert not page.is_visible("#keys [role=alert]")
    assert page.inner_text("[data-change=skip]") == "5"
    assert page.evaluate("document.activeElement.dataset.change") == "skip"
    page.focus("[data-change=why]")
    page.keyboard.press("Enter")
    page.keyboard.press("Shift+W")
    assert page.inner_text("[data-change=why]") == "W"
    page.click("[data-change=open]")
    page.click("#keys button:text-is('Close')")
    first = page.get_attribute(".reading", "data-document")
    press(page, "5")
    assert page.get_attribute(".reading", "data-document") != first


def test_digits_are_reasons_in_a_review(page, site):  # noqa: F811
    page.goto(f"{site}/screen/abstract")
    page.keyboard.press("?")
    page.click("[data-change=maybe]")
    page.keyboard.press("5")
    assert page.inner_text("#keys [role=alert]") == "Digits are reasons for exclusion."
    assert page.inner_text("[data-change=maybe]") == "m"


def test_fast_moves_all_count_and_an_answer_follows_them(page, address):
    page.goto(f"{address}/topics/1/inbox")
    all_of = queue(page)
    page.evaluate(PRESS_AT_ONCE, "jjjjjjk")
    page.wait_for_selector(f".reading[data-document='{all_of[5]}']")
    for _ in range(4):
        page.keyboard.press("j")
    press(page, "x")
    judged = get(f"{address}/api/topics/1/judgements")["judgements"]
    assert [(j["document"], j["relevant"]) for j in judged] == [(all_of[9], False)]


def test_the_last_document_is_judged_with_its_reasons_open(page, address):
    page.goto(f"{address}/topics/1/inbox")
    page.keyboard.press("e")
    empty = '<div class="heading"><p id="counts">0 waiting</p></div><div class="empty">Nothing waits here.</div>'
    page.route("**/judge", lambda route: route.fulfill(content_type="text/html", body=empty))
    page.keyboard.press("a")
    page.wait_for_selector(".empty")
    page.wait_for_selector("#said.shown")
    assert page.inner_text("#said") == "Relevant: learned."
