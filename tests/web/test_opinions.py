"""What people said of documents follows undo: by whom an answer is that counts, and whose opinion is known."""

from __future__ import annotations

import pytest
import sqlalchemy as sa
from tests.web.conftest import bearer, tokens_of

from bayesift.filtering.store import Workspace
from bayesift.filtering.store.schema import opinions

API = "/api/topics"


@pytest.fixture
def names():
    """The accounts, by name with their roles."""
    return {"root": "admin", "ada": "reviewer", "bob": "reviewer"}


@pytest.fixture
def desk(start, workspace, names):
    """Return the service as people use it."""
    with Workspace.open(workspace) as news:
        tokens = tokens_of(news.database, names)
    return People(start(), tokens)


class People:
    """Calls of people, each with a token."""

    def __init__(self, client, tokens):
        self.client, self.tokens = client, tokens

    def judge(self, who, document, relevant):
        body = {"document": document, "relevant": relevant}
        assert self.client.post(f"{API}/1/judgements", headers=bearer(self.tokens[who]), json=body).is_success

    def withdraw(self, who, document, topic=1):
        address = f"{API}/{topic}/judgements/{document}"
        assert self.client.delete(address, headers=bearer(self.tokens[who])).is_success

    def undo(self, who, topic=1):
        """Return the document of what was undone, or why nothing was."""
        answer = self.client.post(f"{API}/{topic}/undo", headers=bearer(self.tokens[who])).json()
        return answer["document"] if "document" in answer else answer["detail"]

    def answers(self):
        """Return the answers that count, with their authors."""
        found = self.client.get(f"{API}/1/judgements", headers=bearer(self.tokens["ada"])).json()["judgements"]
        return {one["document"]: (one["relevant"], one["who"]) for one in found}

    def opinions(self):
        with self.client.app.state.desk.reading() as connection:
            return {(row.document, row.person): row.relevant for row in connection.execute(sa.select(opinions))}


def test_undo_of_a_second_thought_restores_the_first_opinion(desk):
    desk.judge("ada", "d1", True)
    desk.judge("ada", "d1", False)
    desk.undo("ada")
    assert desk.answers() == {"d1": (True, "ada")}
    assert desk.opinions() == {("d1", "ada"): True}
    desk.undo("ada")
    assert (desk.answers(), desk.opinions()) == ({}, {})


def test_an_answer_that_comes_back_by_undo_is_still_its_authors(desk):
    desk.judge("ada", "d1", True)
    desk.withdraw("bob", "d1")
    assert (desk.answers(), desk.opinions()) == ({}, {})
    assert desk.undo("bob") == "d1"
    assert desk.answers() == {"d1": (True, "ada")}
    assert desk.opinions() == {("d1", "ada"): True}
    desk.judge("bob", "d1", False)
    desk.undo("bob")
    assert desk.answers() == {"d1": (True, "ada")}
    assert desk.opinions() == {("d1", "ada"): True}
    desk.withdraw("bob", "d1")
    assert (desk.answers(), desk.opinions()) == ({}, {})


def test_of_an_imported_answer_that_comes_back_by_undo_nobody_is_the_author(desk):
    desk.judge("ada", "d1", True)
    news = desk.client.app.state.desk.workspace
    exported = news.export_topic("grain")
    news.remove_topic("grain")
    news.add_topic("grain", exported=exported)
    number = desk.client.app.state.desk.number_of("grain")
    desk.withdraw("bob", "d1", number)
    desk.undo("bob", number)
    assert [(answer.relevant, answer.who) for answer in news.answers("grain")] == [(True, None)]
    assert desk.opinions() == {("d1", "ada"): True}  # of the topic that was removed


def test_undo_takes_back_a_repeated_answer_and_nothing_else(desk):
    desk.judge("bob", "d3", True)
    desk.judge("ada", "d1", True)
    desk.judge("bob", "d1", True)
    assert desk.opinions() == {("d3", "bob"): True, ("d1", "ada"): True, ("d1", "bob"): True}
    assert desk.undo("bob") == "d1"
    assert desk.answers() == {"d3": (True, "bob"), "d1": (True, "ada")}
    assert desk.opinions() == {("d3", "bob"): True, ("d1", "ada"): True}
    assert desk.undo("bob") == "d3"
    assert desk.answers() == {"d1": (True, "ada")}
    assert "bob has nothing to undo" in desk.undo("bob")


def test_undo_of_a_repeated_answer_restores_what_the_person_had_said_before(desk):
    desk.judge("ada", "d1", True)
    desk.judge("bob", "d1", False)
    desk.judge("ada", "d1", False)
    assert desk.opinions() == {("d1", "ada"): False, ("d1", "bob"): False}
    assert desk.undo("ada") == "d1"
    assert desk.opinions() == {("d1", "ada"): True, ("d1", "bob"): False}
    assert desk.answers() == {"d1": (False, "bob")}


def test_undo_takes_what_a_person_did_after_a_repeated_answer_first(desk):
    desk.judge("ada", "d1", True)
    desk.judge("bob", "d1", True)
    desk.judge("bob", "d3", False)
    desk.judge("bob", "d3", False)  # one's own again is nothing new
    assert [desk.undo("bob"), desk.undo("bob")] == ["d3", "d1"]
    desk.judge("bob", "d1", True)
    desk.withdraw("bob", "d1")
    assert desk.undo("bob") == "d1"
    assert desk.answers() == {"d1": (True, "ada")}


@pytest.mark.parametrize("names", [{"local": "admin", "ada": "reviewer"}])
def test_an_account_named_local_is_a_person_like_others(desk):
    desk.judge("ada", "d1", True)
    assert "local has nothing to undo" in desk.undo("local")
    desk.judge("local", "d1", True)
    assert desk.opinions() == {("d1", "ada"): True, ("d1", "local"): True}
