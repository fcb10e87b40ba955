"""Every page, wide and narrow, light and dark, zoomed, with long and right-to-left text, checked with axe."""

from __future__ import annotations

import json
import urllib.request

import pytest

axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="needs axe-playwright-python")

PAGES = ("/", "/topics/new", "/topics/1/inbox", "/topics/1", "/documents", "/documents?topic=grain", "/documents/d1",
         "/try", "/sources", "/people", "/health/page", "/api/docs", "/login", "/nothing")  # fmt: skip
VIEWS = {
    "wide": (1280, 850, "light"),
    "narrow": (360, 740, "light"),
    "dark": (1280, 850, "dark"),
    "zoomed": (640, 425, "dark"),
}
RULES = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"]}


@pytest.mark.parametrize("view", VIEWS)
def test_pages_are_accessible_and_fit(browser, address, view):
    long = "wheat " + "a" * 300 + " قمح וחיטה harvest " + "https://example.org/" + "x" * 200
    body = json.dumps(
        [
            {"id": "l" * 200, "title": long, "body": long * 20},
            {"id": "rtl", "title": "حصاد القمح wheat", "body": "قمح wheat corn harvests"},
        ]
    )
    request = urllib.request.Request(f"{address}/api/documents", body.encode(), {"Content-Type": "application/json"})
    urllib.request.urlopen(request)
    assert problems(browser, address, PAGES, view) == []


def problems(browser, address: str, pages: tuple[str, ...], view: str) -> list[str]:
    """Return what axe finds wrong in pages, and which are wider than the window."""
    width, height, scheme = VIEWS[view]
    context = browser.new_context(viewport={"width": width, "height": height}, color_scheme=scheme, bypass_csp=True)
    page = context.new_page()
    wrong = []
    for path in pages:
        page.goto(address + path)
        if page.evaluate("document.documentElement.scrollWidth") > width:
            wrong.append(f"{path}: wider than the window")
        found = axe.Axe().run(page, options=RULES).response["violations"]
        wrong += [
            f"{path}: {v['id']}: {v['nodes'][0]['html'][:120]} ({v['nodes'][0]['failureSummary']})" for v in found
        ]
    context.close()
    return wrong


def test_empty_workspace(page, serve, tmp_path):
    address = serve(str(tmp_path / "new.db"))
    for path, text in (
        ("/", "No topic yet"),
        ("/documents", "No document yet"),
        ("/sources", "No feed"),
        ("/try", "Try a text"),
    ):
        page.goto(address + path)
        assert text in page.inner_text("main")


def test_focus_is_visible_and_leads_through_the_page(page, address):
    page.goto(f"{address}/topics/1/inbox")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Skip to the content"
    for _ in range(4):
        page.keyboard.press("Tab")
    outline = page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
    assert outline != "none"


def test_demo_lets_a_newcomer_judge(page, serve):
    address = serve("--demo", seconds=90)
    page.goto(address)
    page.click(".topic:has(.waits b) .waits a")
    page.wait_for_selector(".reading")
    first = page.locator(".queue [aria-current]").get_attribute("data-document")
    with page.expect_response(lambda r: "/judge" in r.url) as answered:
        page.keyboard.press("a")
    assert answered.value.ok
    page.wait_for_function("first => ![...document.querySelectorAll('.queue [data-document]')]"
                           ".some(row => row.dataset.document === first)", arg=first)  # fmt: skip
