"""What the topic page tells of the last weeks, and the people page of agreement."""

import re

import msgspec
import pytest
from tests.web.conftest import PAGE, tokens_of

from bayesift.filtering.events import judged
from bayesift.filtering.rows import Row
from bayesift.filtering.store import Workspace
from bayesift.service.charts import Asked, asked_by_week, estimates_found
from bayesift.service.queries import Question

DAYS = ["2026-03-01", "2026-03-02", "2026-03-03"]


def answer(day, relevant=True, chance=1.0):
    return judged("t", f"{day}{relevant}{chance}", relevant, Row.of({}), chance=chance, time=f"{day}T10:00:00+00:00")


def test_share_found_counts_answers_until_the_end_of_each_day():
    answers = [
        answer("2026-01-01"), answer("2026-03-01"), answer("2026-03-02", chance=0.25),
        answer("2026-03-03", relevant=False, chance=0.5),
    ]  # fmt: skip
    assert [one.found for one in estimates_found(DAYS, answers)] == [2, 3, 3]
    assert [one.recall for one in estimates_found(DAYS, answers)][1:] == [3 / 6, 3 / 6]
    assert not any(one.is_known for one in estimates_found(DAYS, answers[:2]))


def test_last_share_found_is_the_estimate_of_the_filter(client):
    client.post("/topics/1/judge", data={"document": first(client, 1), "relevant": "yes"})
    desk = client.app.state.desk
    topic = desk.topic(1)
    estimate = desk.workspace.filter_of(topic.name).estimates(topic.name)
    drawn = [*desk.answers(topic), answer("2026-01-01", chance=0.1)]
    (last,) = estimates_found(["2999-01-01"], drawn)
    assert last.recall == (estimate.found + 1) / (estimate.found + 1 + estimate.missed + 9)


def test_questions_by_week_and_kind():
    from datetime import date

    questions = [
        Question("2026-03-01", "asked", "relevant", 2, 0.5), Question("2026-03-02", "asked", "irrelevant", 1, 0.25),
        Question("2026-03-03", "random", "waiting", 4, 0.1),
    ]  # fmt: skip
    assert asked_by_week(questions, date(2026, 3, 4)) == [
        Asked("this week", "to learn", 1, 1, 0, 0.25), Asked("this week", "at random", 4, 0, 0, 0.0),
        Asked("last week", "to learn", 2, 2, 2, 0.5),
    ]  # fmt: skip


def first(client, topic):
    return client.get(f"/api/topics/{topic}/inbox?limit=1").json()["items"][0]["document"]


def test_topic_page_has_charts_and_questions(client):
    for i in range(6):
        client.post("/topics/1/judge", data={"document": first(client, 1), "relevant": "no" if i % 3 else "yes"})
    page = client.get("/topics/1", headers=PAGE).text
    assert re.findall("<figure><h3>([^<]*)", page)[:2] == ["Volume", "Precision"]
    shown = client.get("/api/topics/1/statistics").json()["days"][-1]
    assert ("Questions, and what they brought" in page) == (shown["asked"] > 0)


def test_documents_that_the_filter_did_not_show_do_not_count(client):
    desk = client.app.state.desk
    before = client.get("/api/topics/1/statistics").json()["days"][-1]
    kinds = {ranked.document for ranked in desk.workspace.ranking("grain")}
    found = [f"d{i}" for i in range(30) if f"d{i}" not in kinds]  # stored before the topic was there
    for document in found:
        client.post("/topics/1/judge", data={"document": document, "relevant": "yes"})
    assert client.get("/api/topics/1/statistics").json()["days"][-1] == before
    assert "nothing judged yet" in client.get("/", headers=PAGE).text.split("</li>")[0]
    client.post("/topics/1/judge", data={"document": first(client, 1), "relevant": "no"})
    after = client.get("/api/topics/1/statistics").json()["days"][-1]
    assert (after["relevant"], after["irrelevant"]) == (0, 1)
    assert "1 shown and judged)" in client.get("/", headers=PAGE).text.split("</li>")[0]
    page = client.get("/topics/1", headers=PAGE).text
    assert "delivered or asked about in the week before and judged; documents found by search do not count" in page


@pytest.mark.parametrize("kind", ["delivered", "asked", "random"])
def test_inbox_says_why_a_document_is_asked_about(client, kind):
    said = {"asked": r"would teach \d\.\d\d bits; \d+ of today&#39;s 200", "random": "drawn at random, to estimate"}
    with client.app.state.desk.workspace.using("grain") as own:
        shown = own.topic("grain").shown
        document, event = next(iter(shown.items()))
        shown[document] = msgspec.structs.replace(event, source=kind, asked=kind != "delivered")
    page = client.get("/topics/1/inbox", params={"at": document}, headers=PAGE).text
    facts = re.search('<p class="facts">.*?</p>', page, re.S)[0]
    assert {name for name, text in said.items() if re.search(text, facts)} == {kind} & said.keys(), facts


def test_document_is_marked_by_its_most_probable_topic(client):
    client.post("/api/documents", json={"id": "tankers", "body": "tankers and ships in two ports"})
    page = client.get("/documents/tankers", headers=PAGE).text
    assert re.search('<mark class="for[^"]*">ships', page)
    assert "ships &amp; &lt;b&gt;ports" in page[page.index("Marked words") :]


@pytest.mark.parametrize(
    ("second", "agree", "kappa"), [("yes yes no no", "100 %", "1.00"), ("yes no no yes", "50 %", "0.00")]
)
def test_agreement_between_reviewers(start, workspace, second, agree, kappa):
    with Workspace.open(workspace) as news:
        tokens = tokens_of(news.database, {"ada": "admin", "rev": "reviewer"})
    client = start()
    for name, said in (("ada", "yes yes no no"), ("rev", second)):
        for i, relevant in enumerate(said.split()):
            data = {"document": f"m{i}", "relevant": relevant}
            answer = client.post("/topics/1/judge", data=data, headers={"authorization": f"Bearer {tokens[name]}"})
            assert answer.status_code == 303
    page = client.get("/people", headers=PAGE | {"authorization": f"Bearer {tokens['ada']}"}).text
    row = re.search("<td>ada and rev</td>.*?</tr>", page)[0]
    assert re.findall("<td>([^<]*)</td>", row) == ["ada and rev", "4", agree, kappa]


def test_answers_that_were_withdrawn_or_undone_do_not_count_on_the_page_of_people(start, workspace):
    with Workspace.open(workspace) as news:
        tokens = tokens_of(news.database, {"ada": "admin", "rev": "reviewer"})
    client = start()
    ada, rev = ({"authorization": f"Bearer {tokens[name]}"} for name in ("ada", "rev"))

    def post(path, who, **data):
        assert client.post(f"/topics/1/{path}", data=data, headers=who).status_code == 303

    def judged():
        page = client.get("/people", headers=PAGE | ada).text
        counts = dict(re.findall(r"<tr><td>(ada|rev)</td><td>[a-z]+</td><td>(\d+)</td>", page))
        return int(counts["ada"]), int(counts["rev"]), "<h2>Agreement</h2>" in page

    for document in ("m0", "m1", "m2"):
        post("judge", ada, document=document, relevant="yes")
    post("judge", rev, document="m0", relevant="no")
    assert judged() == (3, 1, True)
    post("revise", rev, document="m0", to="withdraw")  # his own answer; hers stays her opinion
    assert judged() == (3, 0, False)
    post("revise", rev, document="m1", to="withdraw")  # her answer
    assert judged() == (2, 0, False)
    post("judge", ada, document="m3", relevant="yes")
    assert judged() == (3, 0, False)
    post("undo", ada)
    assert judged() == (2, 0, False)
