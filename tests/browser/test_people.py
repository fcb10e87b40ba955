"""Two people with accounts at the same time, and what each of them may do."""

from __future__ import annotations

import pytest
from tests.browser.test_inbox import press, queue

from bayesift.filtering.store import Workspace
from bayesift.service.people import People

PASSWORD = "correct horse battery"


@pytest.fixture
def people(address, tmp_path) -> str:
    """Return the address of a service with an admin, a reviewer and a reader."""
    with Workspace.open(tmp_path / "news.db", write=False) as news:
        accounts = People(news.database)
        for name, role in (("ada", "admin"), ("rev", "reviewer"), ("rea", "reader")):
            accounts.add(name, PASSWORD, role)
    return address


def log_in(browser, address: str, name: str):
    page = browser.new_context().new_page()
    page.goto(f"{address}/topics/1/inbox")
    page.fill("input[name=name]", name)
    page.fill("input[name=password]", PASSWORD)
    page.click("button:text-is('Log in')")
    page.wait_for_url("**/topics/1/inbox")
    return page


def test_two_reviewers_judge_the_same_documents(browser, people):
    ada, rev = log_in(browser, people, "ada"), log_in(browser, people, "rev")
    shared = queue(ada)[:2]
    assert queue(rev)[:2] == shared
    for page, keys in ((ada, "aa"), (rev, "ax")):
        for document, key in zip(shared, keys):
            if page is ada:
                press(ada, key)
            else:  # it does not wait any more; it is judged on its own page
                page.goto(f"{people}/documents/{document}")
                page.click(f"li:has-text('grain') button[value={'yes' if key == 'a' else 'no'}]")
    ada.goto(f"{people}/people")
    assert "ada and rev" in ada.inner_text("main")
    assert "50 %" in ada.inner_text("main")
    ada.goto(f"{people}/topics/1")
    assert {"ada", "rev"} & set(ada.inner_text("#history ~ .scroll").split())
    for page in (ada, rev):
        page.context.close()


def test_a_reader_reads_and_is_told_why_nothing_else(browser, people):
    page = log_in(browser, people, "rea")
    assert queue(page)
    assert "needs the role reviewer" in page.inner_text(".reads")
    assert page.locator("button.yes, form[action$=judge]").count() == 0
    assert page.locator("nav a:text-is('People')").count() == 0
    page.context.close()
