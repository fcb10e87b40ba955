"""The report of a review in a browser: wide, narrow, dark and in print, with long reasons and with no records."""

import pytest
from tests.unit.report.test_review_page import SUMMARY

from bayesift.filtering.screening.summary import ReviewSummary
from bayesift.report import review_page

axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="needs axe-playwright-python")

LOOKS = {"wide": (1280, "light", "screen"), "narrow": (360, "light", "screen"), "dark": (1280, "dark", "screen")}
LOOKS["print"] = (760, "light", "print")


@pytest.mark.parametrize("look", LOOKS)
@pytest.mark.parametrize("summary", [SUMMARY, ReviewSummary()], ids=["full", "empty"])
def test_the_report_fits_and_is_accessible(browser, tmp_path, look, summary):
    width, scheme, media = LOOKS[look]
    review_page(summary).write(tmp_path / "prisma.html")
    context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme)
    page = context.new_page()
    wrong = []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.emulate_media(media=media, color_scheme=scheme)
    page.goto((tmp_path / "prisma.html").as_uri())
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    boxes = page.locator(".flow .box")
    for box in boxes.all():
        assert box.evaluate("box => box.scrollWidth <= box.clientWidth")
    found = axe.Axe().run(page).response["violations"]
    assert [(one["id"], [node["html"][:80] for node in one["nodes"]]) for one in found] == []
    assert wrong == []
    context.close()
