"""A day's work by keyboard: judge, see the order change, undo, ask why, search and teach."""

from __future__ import annotations

import itertools
import json
import urllib.request

import pytest
from tests.browser.conftest import first_of, held, running

from bayesift.filtering.store import Workspace


def queue(page) -> list[str]:
    return page.eval_on_selector_all(".queue li[data-document]", "all => all.map(li => li.dataset.document)")


def press(page, key: str) -> None:
    """Press a key and wait until the page has the answer."""
    with page.expect_response(lambda r: r.request.method == "POST"):
        page.keyboard.press(key)
    page.wait_for_function("!document.querySelector('.reading button:disabled')")
    page.wait_for_timeout(50)


def get(address: str) -> dict:
    with urllib.request.urlopen(address) as answer:
        return json.load(answer)


def test_topic_from_a_sentence_previewed_judged_by_keyboard_and_undone(page, address):
    page.goto(address)
    page.click("text=New topic")
    page.fill("input[name=name]", "prices")
    page.fill("textarea[name=about]", "prices of wheat and corn")
    page.click("button:text-is('Preview')")
    assert page.locator(".rows li").count() == 10
    page.fill("input[name=name]", "prices")
    page.click("button:text-is('Save topic')")
    page.goto(f"{address}/topics/1/inbox")
    start = queue(page)
    assert len(start) > 10
    orders = [start]
    for key in "axaxaxaxax":
        press(page, key)
        orders.append(queue(page))
    assert all(document not in orders[-1] for document in start[:1])
    assert any(after != [d for d in before if d in after] for before, after in itertools.pairwise(orders))
    judged = get(f"{address}/api/topics/1/judgements")["judgements"]
    assert len(judged) == 10
    assert {j["who"] for j in judged} == {"local"}
    for key in ("u", "Backspace", "u"):
        press(page, key)
    assert len(get(f"{address}/api/topics/1/judgements")["judgements"]) == 7
    assert queue(page) == orders[7]
    page.reload()
    assert queue(page) == orders[7]


def test_the_next_document_is_there_at_once(page, address):
    page.goto(f"{address}/topics/1/inbox")
    following = page.evaluate("document.querySelector('#next').content.querySelector('.reading').dataset.document")
    page.route("**/judge", lambda route: None)  # the server never answers
    page.keyboard.press("a")
    assert page.get_attribute(".reading", "data-document") == following


def test_keys_move_show_why_and_help(page, address):
    page.goto(f"{address}/topics/1/inbox")
    first, second = queue(page)[:2]
    page.keyboard.press("j")
    page.wait_for_selector(f".reading[data-document='{second}']")
    page.keyboard.press("k")
    page.wait_for_selector(f".reading[data-document='{first}']")
    page.keyboard.press("e")
    assert page.locator(".why[open] tbody tr").count() > 0
    page.keyboard.press("?")
    assert page.is_visible("#keys")
    page.keyboard.press("Escape")
    page.keyboard.press("/")
    assert page.evaluate("document.activeElement.id") == "find"
    page.keyboard.type("ax ")
    assert page.input_value("#find") == "ax "  # keys are letters in a field


def test_skip_and_chords_teach_nothing(page, address):
    page.goto(f"{address}/topics/1/inbox")
    before = queue(page)
    page.keyboard.press("Control+a")
    press(page, " ")
    assert queue(page) == before
    assert page.get_attribute(".reading", "data-document") == before[1]


def test_keys_are_remapped_and_presets_chosen(page, address):
    page.goto(f"{address}/topics/1/inbox")
    page.keyboard.press("?")
    page.select_option("#preset", "as in ASReview")
    page.click("[data-change=skip]")
    page.keyboard.press("s")
    page.click("[data-change=why]")
    page.keyboard.press("s")
    assert "already" in page.inner_text("#keys [role=alert]")
    page.keyboard.press("Escape")
    page.reload()
    assert page.inner_text(".reading button[data-key=relevant] kbd") == "r"
    first = queue(page)[0]
    press(page, "s")
    assert page.get_attribute(".reading", "data-document") != first
    press(page, "r")
    assert len(get(f"{address}/api/topics/1/judgements")["judgements"]) == 1


PRESETS = {  # (relevant, not relevant, undo, next, previous) as the other tools' documentation has them, where it has
    "as in ASReview": ("r", "i", "u", "j", "k"),
    "as in Rayyan": ("i", "e", "z", "ArrowDown", "ArrowUp"),
}


@pytest.mark.parametrize("preset", PRESETS)
def test_presets_mean_what_the_other_tools_keys_mean(page, address, preset):
    relevant, irrelevant, undo, following, previous = PRESETS[preset]
    page.goto(f"{address}/topics/1/inbox")
    page.keyboard.press("?")
    page.select_option("#preset", preset)
    page.click("#keys button:text-is('Close')")
    first, second = queue(page)[:2]
    page.keyboard.press(following)
    page.wait_for_selector(f".reading[data-document='{second}']")
    page.keyboard.press(previous)
    page.wait_for_selector(f".reading[data-document='{first}']")
    press(page, relevant)
    judged = get(f"{address}/api/topics/1/judgements")["judgements"]
    assert [(j["document"], j["relevant"]) for j in judged] == [(first, True)]
    press(page, undo)
    press(page, irrelevant)
    judged = get(f"{address}/api/topics/1/judgements")["judgements"]
    assert [(j["document"], j["relevant"]) for j in judged] == [(first, False)]


def test_in_rayyans_preset_u_leaves_a_document_open(page, address):
    page.goto(f"{address}/topics/1/inbox")
    page.keyboard.press("?")
    page.select_option("#preset", "as in Rayyan")
    page.click("#keys button:text-is('Close')")
    first = queue(page)[0]
    press(page, "u")
    assert page.get_attribute(".reading", "data-document") != first
    assert get(f"{address}/api/topics/1/judgements")["judgements"] == []


def test_example_files_are_kept_after_the_preview(page, address):
    page.goto(f"{address}/topics/new")
    page.fill("input[name=name]", "corn")
    files = [{"name": f"{i}.txt", "mimeType": "text/plain", "buffer": b"corn fields"} for i in range(2)]
    page.set_input_files("input[name=files]", files)
    page.click("button:text-is('Preview')")
    assert page.locator(".rows li").count() > 0
    assert page.input_value("textarea[name=examples]").split() == ["corn", "fields", "---", "corn", "fields"]
    page.click("button:text-is('Save topic')")
    page.wait_for_url("**/inbox")


def test_document_that_waits_no_more_is_explained(page, address):
    page.goto(f"{address}/topics/1/inbox")
    first = queue(page)[0]
    press(page, "a")
    page.goto(f"{address}/topics/1/inbox?at={first}")
    assert "does not wait here any more" in page.inner_text("main [role=status]")
    page.click("text=Its page")
    assert "judged relevant" in page.inner_text("main")


@pytest.mark.parametrize("name", [".", "..", "a/../b", "?"])
def test_a_document_is_opened_whatever_its_id_is(page, address, name):
    body = json.dumps({"id": name, "title": "Of an odd id", "body": "wheat and corn"}).encode()
    request = urllib.request.Request(f"{address}/api/documents", body, {"Content-Type": "application/json"})
    urllib.request.urlopen(request)
    page.goto(f"{address}/documents")
    page.click("text=Of an odd id")
    assert page.inner_text("h1") == "Of an odd id"
    page.click("button[value=yes] >> nth=0")
    page.wait_for_selector("[aria-pressed=true]")
    assert page.inner_text("h1") == "Of an odd id"


def test_words_are_edited_and_the_effect_is_seen_first(page, address):
    page.goto(f"{address}/topics/1")
    page.fill("input[name='set:wheat']", "-3")
    page.click("#edit-words button:text-is('Preview')")
    assert "would change place" in page.inner_text("main")
    assert page.locator("h3:has-text('change place') + ol li").count() > 0
    page.click("button:text-is('Save words')")
    page.wait_for_selector("tr:has-text('wheat') .tag")


def test_search_finds_and_teaches(page, address):
    page.goto(f"{address}/topics/1/inbox")
    page.keyboard.press("/")
    page.keyboard.type("tanker")
    page.keyboard.press("Enter")
    page.wait_for_url("**/documents?q=tanker")
    page.select_option("select[name=topic]", "grain")
    page.click("button:text-is('Show')")
    page.click(".rows li:first-child button[value=yes]")
    page.wait_for_selector(".rows li:first-child [aria-pressed=true]")
    assert get(f"{address}/api/topics/1/judgements")["judgements"][0]["source"] == "searched"


def test_two_people_at_the_same_time(browser, address):
    pages = [browser.new_context().new_page() for _ in range(2)]
    for one in pages:
        one.goto(f"{address}/topics/1/inbox")
    document = queue(pages[0])[0]
    press(pages[0], "a")
    press(pages[1], "x")  # the same document, the other way: the last word counts, both are recorded
    judged = get(f"{address}/api/topics/1/judgements")["judgements"]
    assert [(j["document"], j["relevant"]) for j in judged] == [(document, False)]
    assert queue(pages[0])
    assert queue(pages[1])


def test_new_documents_are_announced(page, address):
    page.goto(f"{address}/topics/1/inbox")
    before = queue(page)
    page.wait_for_timeout(500)
    body = json.dumps({"id": "late", "body": "wheat and corn harvests in the plains, wheat, corn"}).encode()
    request = urllib.request.Request(f"{address}/api/documents", body, {"Content-Type": "application/json"})
    urllib.request.urlopen(request)
    page.wait_for_selector("#counts[data-new]")
    assert queue(page) == before  # nothing moves under the reader's eyes


def test_without_script(browser, address):
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{address}/topics/1/inbox")
    first = page.get_attribute(".reading", "data-document")
    page.click(".reading button[value=no]")
    assert page.get_attribute(".reading", "data-document") != first
    page.click("button:text-is('Undo')")
    assert page.get_attribute(".reading", "data-document") == first
    context.close()


FOCUS = "[document.activeElement.dataset.key || document.activeElement.className, document.activeElement.id]"


def test_the_focus_stays_on_the_button_and_the_next_document_is_announced(page, address):
    page.goto(f"{address}/topics/1/inbox")
    page.focus(".reading .body")
    page.keyboard.press("Tab")
    assert page.evaluate(FOCUS)[0] == "relevant"
    for _ in range(3):
        document = page.get_attribute(".reading", "data-document")
        press(page, "Enter")
        assert page.get_attribute(".reading", "data-document") != document
        assert page.evaluate(FOCUS)[0] == "relevant"
        assert page.text_content("#now") == page.text_content(".reading h2")
    page.focus(".reading button[value=skip]")
    press(page, " ")
    assert page.evaluate(FOCUS)[0] == "skip"
    press(page, "u")
    assert page.evaluate(FOCUS)[0] == "skip"
    assert page.text_content("#now") == page.text_content(".reading h2")
    page.focus(".queue li:nth-child(3) a")
    document = queue(page)[2]
    press(page, "x")
    assert page.evaluate("document.activeElement.closest('li').dataset.document") == document


def test_the_focus_stays_while_answers_are_on_their_way(page, address):
    page.goto(f"{address}/topics/1/inbox")
    waits = held(page, "**/judge")
    page.focus(".reading button[value=yes]")
    page.keyboard.press("Enter")
    assert page.evaluate(FOCUS)[0] == "relevant"
    page.keyboard.press("Enter")  # there is no other document yet
    page.wait_for_timeout(100)
    for n in range(2):
        first_of(page, waits[n:]).continue_()
        page.wait_for_selector("#said.shown")
        page.evaluate("document.querySelector('#said').classList.remove('shown')")
    assert page.evaluate(FOCUS)[0] == "relevant"
    assert len(get(f"{address}/api/topics/1/judgements")["judgements"]) == 2


def test_after_the_last_document_the_focus_is_on_the_page(page, tmp_path):
    with Workspace.create(tmp_path / "few.db", per_day=200, balance=0.95) as few:
        few.add_topic("grain", about="wheat and corn")
        list(few.process(["wheat and corn harvests"]))
    with running(tmp_path / "few.db") as address:
        page.goto(f"{address}/topics/1/inbox")
        page.focus(".reading button[value=yes]")
        page.keyboard.press("Enter")
        page.wait_for_selector(".empty")
        assert page.evaluate(FOCUS) == ["", "main"]
        assert page.text_content("#now") .startswith("Nothing waits here.")


def test_after_a_click_space_skips(page, address):
    page.goto(f"{address}/topics/1/inbox")
    with page.expect_response(lambda r: r.request.method == "POST"):
        page.click(".reading button[value=yes]")
    page.wait_for_selector("#said.shown")
    press(page, " ")
    assert len(get(f"{address}/api/topics/1/judgements")["judgements"]) == 1
