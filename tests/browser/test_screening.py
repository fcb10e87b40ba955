"""A reviewer's day by keyboard: decide, give reasons, undo, search, settle conflicts, confirm duplicates, stop."""

from __future__ import annotations

import json
import re
import shutil
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.browser.conftest import first_of, held, running
from tests.service.literature import is_relevant, literature

from bayesift.filtering.screening.records import Record, read_records
from bayesift.filtering.screening.review import Review
from bayesift.service.people import People

PASSWORD = "correct horse battery"
CRITERIA = "# Include\n- adults with HIV\n# Exclude\n- children"
REASONS = ("wrong population", "wrong drug", "not a trial")
NASTY = "statins <script>alert(1)</script><img src=x onerror=alert(1)><svg onload=alert(1)>'\"></textarea>"


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a review of 80 records, to copy."""
    path = tmp_path_factory.mktemp("made") / "hiv.db"
    found = [*literature(80), Record("twin", literature(1)[0].title, "", year=1990, source="more.csv:1")]
    Review.create(path, found, question="statins for adults with HIV", criteria=CRITERIA, reasons=REASONS).close()
    return path


@pytest.fixture
def hiv(made: Path, tmp_path: Path) -> Path:
    """Return a review of its own."""
    return Path(shutil.copy(made, tmp_path / "hiv.db"))


@pytest.fixture
def site(hiv: Path) -> Iterator[str]:
    """Return the address of the pages of the review `hiv`."""
    with running(hiv) as found:
        yield found


def get(address: str) -> dict:
    with urllib.request.urlopen(address) as answer:
        return json.load(answer)


def shown(page) -> str:
    return page.get_attribute(".reading", "data-document")


def press(page, key: str) -> None:
    """Press a key and wait until the page has the answer."""
    with page.expect_response(lambda r: r.request.method == "POST"):
        page.keyboard.press(key)
    page.wait_for_function("!document.querySelector('.reading button:disabled')")
    page.wait_for_timeout(50)


def test_decisions_by_keyboard_are_learned_and_undone(page, site):
    page.goto(f"{site}/screen/abstract")
    assert "adults with HIV" in page.inner_text("#criteria")
    read = []
    for _ in range(10):
        read.append(shown(page))
        press(page, "a" if is_relevant(read[-1]) else "x")
    assert len(set(read)) == 10
    progress = get(f"{site}/api/progress")
    assert (progress["read"], progress["included"]) == (10, sum(map(is_relevant, read)))
    assert "10 of 81 read" in page.inner_text("#counts")
    for key in ("u", "Backspace", "u"):
        press(page, key)
    assert get(f"{site}/api/progress")["read"] == 7
    assert shown(page) == read[7]
    assert page.locator(".queue li").count() == 8


def test_the_next_record_is_there_at_once(page, site):
    page.goto(f"{site}/screen/abstract")
    following = page.evaluate("document.querySelector('#next').content.querySelector('.reading').dataset.document")
    page.route("**/screen/abstract", lambda route: None)  # the server never answers
    page.keyboard.press("x")
    assert shown(page) == following


def test_what_is_on_the_screen_stays_when_the_answer_comes(page, site):
    page.goto(f"{site}/screen/abstract")
    following = page.evaluate("document.querySelector('#next').content.querySelector('.reading').dataset.document")
    waits = held(page, "**/screen/abstract")
    page.keyboard.press("x")
    page.keyboard.press("n")
    page.keyboard.type("begun before ")
    first_of(page, waits).continue_()
    page.wait_for_selector("#said.shown")
    page.keyboard.type("the answer")
    assert shown(page) == following
    assert page.input_value("textarea[name=note]") == "begun before the answer"
    page.keyboard.press("Escape")
    page.unroute("**/screen/abstract")
    press(page, "a")
    (said,) = get(f"{site}/api/records/{following}")["decisions"]["abstract"]
    assert (said["decision"], said["note"]) == ("include", "begun before the answer")


@pytest.mark.parametrize("button", ["[data-key=include]", "[data-key=maybe]", "[data-reason='2']"])
def test_the_focus_stays_on_the_button_and_the_next_record_is_announced(page, site, button):
    page.goto(f"{site}/screen/abstract")
    page.focus(button)
    for _ in range(2):
        record = shown(page)
        press(page, "Enter")
        assert shown(page) != record
        assert page.evaluate(f"document.activeElement.matches(`.reading {button}`)")
        assert page.text_content("#now") == page.text_content(".reading h2")


def test_undo_leads_to_the_list_of_the_step(page, site):
    page.goto(f"{site}/screen/abstract")
    first = shown(page)
    press(page, "a")
    page.goto(f"{site}/screen/full-text")
    press(page, "2")
    page.goto(f"{site}/screen/abstract")
    with page.expect_response(lambda r: "/screen/full-text" in r.url):
        page.keyboard.press("u")
    page.wait_for_selector(f"h1:text-is('Full texts') >> xpath=//following::article[@data-document='{first}']")
    assert "/screen/full-text" in page.url


def test_reasons_notes_and_tags_by_key(page, site):
    page.goto(f"{site}/screen/abstract")
    first = shown(page)
    page.keyboard.press("n")
    page.keyboard.type("12 patients a x")
    page.keyboard.press("Escape")
    page.keyboard.press("t")
    page.keyboard.type("small, look again")
    page.keyboard.press("Escape")
    press(page, "2")
    (said,) = get(f"{site}/api/records/{first}")["decisions"]["abstract"]
    assert (said["decision"], said["reason"]) == ("exclude", "wrong drug")
    assert (said["note"], said["tags"]) == ("12 patients a x", ["small", "look again"])
    assert "Excluded: wrong drug." in page.inner_text("#said")
    page.keyboard.press("9")  # there is no ninth reason
    assert get(f"{site}/api/progress")["read"] == 1
    assert "small" in page.inner_text(".reading form")  # tags are offered again


def test_maybe_comes_back_and_keys_move(page, site):
    page.goto(f"{site}/screen/abstract")
    first = shown(page)
    press(page, "m")
    assert get(f"{site}/api/progress")["maybe"] == 1
    assert shown(page) != first
    second = shown(page)
    page.keyboard.press("j")
    page.wait_for_selector(f".reading:not([data-document='{second}'])")
    page.keyboard.press("k")
    page.wait_for_selector(f".reading[data-document='{second}']")
    page.keyboard.press("c")
    assert not page.evaluate("document.querySelector('#criteria').open")
    page.keyboard.press("e")
    assert "Words that count" in page.inner_text(".why[open]")
    page.keyboard.press("?")
    assert "Include" in page.inner_text("#keys")


@pytest.mark.parametrize(("preset", "include", "exclude"), [("as in ASReview", "r", "i"), ("as in Rayyan", "i", "e")])
def test_presets(page, site, preset, include, exclude):
    page.goto(f"{site}/screen/abstract")
    page.keyboard.press("?")
    page.select_option("#preset", preset)
    page.click("#keys button:text-is('Close')")
    press(page, include)
    press(page, exclude)
    progress = get(f"{site}/api/progress")
    assert (progress["included"], progress["excluded"]) == (1, 1)
    if preset == "as in Rayyan":
        press(page, "u")
        assert get(f"{site}/api/progress")["maybe"] == 1


def test_orders_and_lists(page, site):
    page.goto(f"{site}/screen/abstract")
    press(page, "a")
    page.select_option("select[name=order]", "date")
    page.click(".orders button")
    assert "newest" in page.inner_text(".facts")
    years = [item["year"] for item in get(f"{site}/api/next?order=date&count=5")["items"]]
    assert years == sorted(years, reverse=True)
    page.goto(f"{site}/screen/full-text")
    press(page, "1")
    assert get(f"{site}/api/progress?list=full-text")["excluded"] == 1
    assert "all records of this list" in page.inner_text("main")


def log_in(browser, address: str, name: str):
    page = browser.new_context().new_page()
    page.goto(f"{address}/screen/abstract")
    page.fill("input[name=name]", name)
    page.fill("input[name=password]", PASSWORD)
    page.click("button:text-is('Log in')")
    page.wait_for_url("**/screen/abstract")
    return page


def test_two_blind_reviewers_with_a_conflict(browser, hiv):
    with Review.open(hiv) as review:
        review.set(reviewers=2)
        for name, role in (("ada", "admin"), ("bob", "reviewer"), ("rea", "reader")):
            People(review.database).add(name, PASSWORD, role)
    with running(hiv) as address:
        ada, bob = log_in(browser, address, "ada"), log_in(browser, address, "bob")
        first = shown(ada)
        press(ada, "a")
        bob.reload()
        assert shown(bob) == first  # what another person has read comes first
        assert "ada" not in bob.inner_text("main")  # and nothing is said of it
        bob.goto(f"{address}/records/{first}")
        assert "hidden" in bob.inner_text("main")
        bob.goto(f"{address}/history")
        assert "include" not in bob.inner_text("main ol")
        bob.goto(f"{address}/screen/abstract")
        press(bob, "1")
        bob.goto(f"{address}/conflicts")
        sides = bob.locator(".conflict .opinion").all_inner_texts()
        assert ["include" in sides[0], "wrong population" in sides[1]] == [True, True]
        second = shown(ada)
        press(ada, "x")
        bob.goto(f"{address}/screen/abstract")
        assert shown(bob) == second
        press(bob, "x")
        ada.goto(f"{address}/conflicts")
        ada.click(".conflict button[value=include]")
        ada.wait_for_selector("text=No conflicts in this list")
        assert "50 %" in ada.inner_text("#agreement ~ .scroll")
        ada.goto(address)
        assert re.search(r"ada and bob\s+titles and abstracts\s+2\s+50 %", ada.inner_text("main"))
        ada.goto(f"{address}/records/{first}")
        assert "ada settled it" in ada.inner_text("main")
        ada.goto(f"{address}/history")
        ada.click("li:has-text('settled: include') button:text-is('Withdraw')")
        ada.goto(f"{address}/conflicts")
        assert ada.locator(".conflict").count() == 1
        reader = log_in(browser, address, "rea")
        assert "needs the role reviewer" in reader.inner_text(".reads")
        assert reader.locator("button[name=decision]").count() == 0
        for one in (ada, bob, reader):
            one.context.close()


def test_stopping_banner(page, hiv):
    with Review.open(hiv) as review:
        review.set(rule={"method": "in-a-row", "in_a_row": 3})
    with running(hiv) as site:
        page.goto(f"{site}/screen/abstract")
        assert page.locator("#stopping").count() == 0
        press(page, "a")
        assert "read on" in page.inner_text("#stopping")
        for _ in range(3):
            press(page, "x")
        assert "You can stop: the last 3 records were not relevant" in page.inner_text("#stopping.stop")
        press(page, "u")
        assert page.locator("#stopping.stop").count() == 0
        page.goto(site)
        assert "Read on: the last 2 records were not relevant" in page.inner_text("#stopping")


def test_duplicates_are_merged_and_taken_apart(page, site):
    page.goto(f"{site}/duplicates")
    pair = ".pair:has-text('more.csv')"
    assert page.locator(f"{pair} .sides article").count() == 2
    before = get(f"{site}/api/progress")["records"]
    page.click(f"{pair} button[value=yes]")
    page.wait_for_url("**/duplicates")
    assert get(f"{site}/api/progress")["records"] == before - 1
    page.click("text=Merged")
    page.click(f"{pair} button:text-is('Take apart')")
    page.wait_for_url("**/duplicates?state=merged")
    assert get(f"{site}/api/progress")["records"] == before
    page.click("text=Kept apart")
    assert page.locator(pair).count() == 1


def test_duplicates_are_merged_all_at_once(page, site):
    page.goto(f"{site}/duplicates")
    before = get(f"{site}/api/progress")["records"]
    page.click("button:text-is('Merge all pairs without a caution')")
    page.wait_for_selector("text=To confirm")
    assert get(f"{site}/api/progress")["records"] < before
    assert page.locator(".pair:not(:has-text('may be two works'))").count() == 0


def test_search_decide_and_history(page, site):
    page.goto(site)
    page.keyboard.press("/")
    page.keyboard.type("malaria")
    page.keyboard.press("Enter")
    page.wait_for_url("**/records?q=malaria")
    page.click(".rows li:first-child a")
    page.wait_for_selector(".reading.alone")
    page.fill("textarea[name=note]", "found by search")
    page.click("button[value='not a trial']")
    page.wait_for_selector("[aria-pressed=true]")
    page.goto(f"{site}/history")
    assert "exclude (not a trial)" in page.inner_text(".rows li:first-child")
    assert "found by search" in page.inner_text(".rows li:first-child")
    page.click(".rows li:first-child button:text-is('Withdraw')")
    page.wait_for_selector(".rows li:first-child:has-text('withdrawn')")
    assert get(f"{site}/api/progress")["read"] == 0
    page.keyboard.press("u")  # the withdrawal is a step, too
    page.wait_for_selector(".rows li:first-child:has-text('undid')")
    assert get(f"{site}/api/progress")["read"] == 1


def test_files_in_and_out(page, site, tmp_path):
    page.goto(f"{site}/files")
    ris = b"TY  - JOUR\nTI  - Statins and HIV again\nAB  - A new trial.\nPY  - 2024\nN1  - ASReview_relevant\nER  - \n"
    page.set_input_files("input[name=files]", {"name": "new.ris", "mimeType": "text/plain", "buffer": ris})
    page.click("button:text-is('Add records')")
    assert "1 records added" in page.inner_text(".message")
    page.goto(f"{site}/screen/abstract")
    press(page, "a")
    for name in ("records.ris", "records.csv"):
        page.goto(f"{site}/files")
        with page.expect_download() as download:
            page.click(f"a[href='/export/{name}']")
        file = tmp_path / name
        download.value.save_as(file)
        found = read_records(file).records
        assert len(found) == 82
        assert sum(bool(record.given) for record in found) == get(f"{site}/api/progress")["read"]


def test_settings_are_checked_and_used(page, site):
    page.goto(f"{site}/settings")
    page.fill("textarea[name=reasons]", "too old\ntoo old")
    page.click("button:text-is('Save settings')")
    assert "duplicate reason" in page.inner_text("[role=alert]")
    page.fill("textarea[name=reasons]", "too old\nno drug")
    page.fill("textarea[name=criteria]", "- trials only")
    page.select_option("select[name=method]", "share")
    page.fill("input[name=share]", "1")
    page.click("button:text-is('Save settings')")
    page.wait_for_selector("text=Saved.")
    page.goto(f"{site}/screen/abstract")
    assert "trials only" in page.inner_text("#criteria")
    press(page, "2")
    assert "You can stop" in page.inner_text("#stopping")


def test_command(page, serve, hiv):
    address = serve(str(hiv), verb=("screen", "serve"), ready="/api/progress")
    page.goto(address)
    page.click("text=Screen titles and abstracts")
    page.wait_for_selector(".reading")
    press(page, "a")
    assert "1 included" in page.inner_text("#counts")


def test_without_script(browser, site):
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{site}/screen/abstract")
    first = shown(page)
    page.fill("textarea[name=note]", "plain form")
    page.click(".decide button[value=exclude]")
    assert shown(page) != first
    page.click("button:text-is('Undo')")
    assert shown(page) == first
    page.click("button[value='wrong drug']")
    (said,) = get(f"{site}/api/records/{first}")["decisions"]["abstract"]
    assert said["reason"] == "wrong drug"
    context.close()


def test_script_in_records_notes_tags_reasons_and_file_names(page, tmp_path):
    path = tmp_path / "x.db"
    record = Record(
        "x", NASTY, NASTY * 2, authors=(NASTY,), journal=NASTY, keywords=(NASTY,), url="javascript:alert(1)",
        doi=NASTY, kind=NASTY, source=f"{NASTY}.ris:1",
    )  # fmt: skip
    twin = Record(f"y{NASTY}", NASTY, "", source=f"{NASTY}.csv:1")
    reason = "<script>alert(1)</script>"
    with Review.create(
        path, [record, twin, *literature(5)], question=NASTY, criteria=f"# {NASTY}\n- {NASTY}", reasons=[reason]
    ) as review:
        review.decide("r1", "include", who=NASTY, note=NASTY, tags=[NASTY])
    with running(path) as site:
        blocked = "the document's frame is sandboxed and the 'allow-scripts' permission is not set."
        page.expected.append(f"Blocked script execution in '{site}/report' because {blocked}")
        page.goto(f"{site}/screen/abstract?at=x")
        page.fill("textarea[name=note]", NASTY)
        page.fill("textarea[name=tags]", NASTY)
        page.click("[data-reason='1']")
        page.wait_for_selector("#said.shown")
        assert reason in page.inner_text("#said")
        names = urllib.request.quote(twin.id, safe="")
        for address in ("/", "/screen/abstract", "/screen/full-text", "/records", "/records/x", f"/records/{names}",
                        f"/screen/abstract?at={names}", "/conflicts", "/duplicates", "/history", "/files", "/settings",
                        "/report", f"/records?q={urllib.request.quote(NASTY)}"):  # fmt: skip
            page.goto(site + address)
            page.wait_for_timeout(50)
            assert page.locator("main a[href^='javascript']").count() == 0
        page.goto(f"{site}/files")
        bad = {"name": f"{NASTY[:50]}.ris", "mimeType": "text/plain", "buffer": b"TY  - JOUR\nno end"}
        page.set_input_files("input[name=files]", bad)
        page.click("button:text-is('Add records')")
        page.wait_for_selector(".message")
