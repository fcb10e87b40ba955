"""A review in a real terminal, and its steps without one."""

import json
import re
import subprocess
import sys

import pytest
from tests.unit.cli.terminal import terminals

from bayesift.cli.filter.session import Session
from bayesift.errors import BadInput
from bayesift.filtering.events import Changed, judged
from bayesift.filtering.rows import Row


@pytest.fixture
def terminal(news):
    with terminals("filter", "review", news, "harvest", "--who", "me", size=(24, 80)) as start:
        yield start


def judgements(run, news):
    (topic,) = json.loads(run("filter", "status", news, "--json").out)["topics"]
    return topic["relevant"], topic["irrelevant"], topic["waiting"]


def test_a_whole_review(run, news, waiting, terminal):
    n = len(waiting())
    review = terminal()
    screen = review.shows("q .* quit")
    assert f"0 of {n} answered" in screen
    assert "probability" in screen
    review.press("y")
    review.shows(f"1 of {n} answered")
    review.press("n")
    review.shows(f"2 of {n} answered")
    review.press("s")
    review.shows(f"2 of {n} answered")
    review.press("z")  # has no meaning
    review.press("\x1b[A")  # an arrow, whose last letter has none either
    review.press("q")
    rest, code = review.ends()
    assert f"harvest: 2 judged, 1 of them relevant; {n - 2} wait" in rest
    assert rest.index("\x1b[?1049l") < rest.index("harvest: 2 judged")  # on the screen of before
    assert (code, judgements(run, news)) == (0, (1, 1, n - 2))


def test_undo_goes_back_step_by_step(run, news, waiting, terminal):
    n, first = len(waiting()), waiting()[0]
    review = terminal()
    review.shows("quit")
    review.press("u")
    review.shows("there is nothing to undo in this review")
    review.press("y")
    review.shows(f"1 of {n} answered")
    review.press("n")
    review.shows(f"2 of {n} answered")
    review.press("u")
    review.shows(f"1 of {n} answered")
    review.press("u")
    assert first in review.shows(f"0 of {n} answered.*quit")
    review.press("q")
    assert review.ends()[1] == 0
    assert judgements(run, news) == (0, 0, n)


def test_all_answered(run, news, waiting, terminal):
    n = len(waiting())
    review = terminal()
    review.shows("quit")
    review.press("y" * n)  # typed ahead
    rest, code = review.ends()
    assert (code, f"{n} judged, {n} of them relevant; 0 wait" in rest) == (0, True)
    assert judgements(run, news) == (n, 0, 0)
    again = terminal()
    assert "nothing waits for harvest" in again.ends()[0]


def test_words_are_highlighted_and_long_texts_scroll(run, given, news, terminal):
    body = " ".join(f"line{i} about wheat" for i in range(400)) + " the-end \x1b[31m"
    given(json.dumps({"id": "long", "title": "Wheat harvest of corn crops and drought", "text": body}) + "\n")
    assert run("filter", "run", news).code == 0
    review = terminal(size=(20, 60))
    for _ in range(20):
        screen = review.child.expect(["long.*quit", "quit"])
        if screen == 0:
            break
        review.press("s")
    shown = review.child.after
    assert re.search(r"\x1b\[1;32mwheat", shown)
    assert "the-end" not in shown
    for _ in range(100):
        review.press(" ")
        if review.child.expect(["the-end.*quit", "quit"]) == 0:
            break
    assert r"\x1b[31m" in review.child.after  # shown, not obeyed
    review.press(" ")  # back to the beginning
    review.shows("line0")
    review.press("q")
    assert review.ends()[1] == 0


def test_the_terminal_changes_its_size(terminal):
    review = terminal(size=(24, 80))
    wide = review.shows("quit")
    assert "─" * 80 in wide
    review.child.setwinsize(12, 40)
    narrow = review.shows("quit")
    assert "─" * 40 in narrow
    assert "─" * 41 not in narrow
    review.press("q")
    assert review.ends()[1] == 0


def test_ctrl_c_keeps_what_was_answered(run, news, waiting, terminal):
    n = len(waiting())
    review = terminal()
    review.shows("quit")
    review.press("y")
    review.shows(f"1 of {n} answered.*quit")
    review.press("\x03")
    rest, code = review.ends()
    assert code == 130
    assert "bayesift: interrupted" in rest
    assert "\x1b[?1049l" in rest
    assert judgements(run, news) == (1, 0, n - 1)


def test_a_terminal_that_goes_away(run, news, waiting, terminal):
    n = len(waiting())
    review = terminal()
    review.shows("quit")
    review.press("y")
    review.shows(f"1 of {n} answered.*quit")
    review.goes_away()
    assert judgements(run, news) == (1, 0, n - 1)


def test_someone_else_was_faster(run, news, waiting, terminal):
    first = waiting()[0]
    review = terminal()
    review.shows("quit")
    assert run("filter", "judge", news, "harvest", first, "--not-relevant").code == 0
    review.press("y")
    review.shows("contradicts the earlier judgement")
    review.press("q")
    assert review.ends()[1] == 0
    assert judgements(run, news)[:2] == (0, 1)


def test_without_a_terminal(news):
    command = [sys.executable, "-m", "bayesift", "filter", "review", str(news), "harvest"]
    result = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    assert (result.returncode, result.stdout) == (2, "")
    assert result.stderr.startswith("bayesift: review needs a terminal; elsewhere use `bayesift filter inbox --json`")


class Few:
    """The part of a workspace that a session needs, in memory."""

    def __init__(self, *documents):
        self.waiting, self.given = list(documents), {}

    def inbox(self, topic, limit=None):
        return [type("Item", (), {"document": name})() for name in self.waiting][:limit]

    def judge(self, topic, document, relevant, **recorded):
        if document == "bad":
            raise BadInput("no")
        self.waiting.remove(document)
        self.given[document] = judged(topic, document, relevant, Row.of({}), **recorded)

    def withdraw(self, topic, document, **recorded):
        del self.given[document]
        self.waiting.append(document)

    def answers(self, topic, document):
        return [self.given[document]] if document in self.given else []


def test_a_session_undoes_its_own_steps_only():
    workspace = Few("a", "b", "c")
    session = Session(workspace, "t")
    session.answer(True)
    session.skip()
    assert (session.current.document, session.skipped) == ("c", ["b"])
    assert session.undo()
    assert (session.current.document, session.skipped) == ("b", [])
    session.answer(False)
    given = {document: answer.relevant for document, answer in workspace.given.items()}
    assert (given, session.judged, session.relevant) == ({"a": True, "b": False}, 2, 1)
    assert session.undo()
    assert session.undo()
    assert (session.current.document, session.judged, session.relevant) == ("a", 0, 0)
    assert not session.undo()


def test_answers_that_others_have_changed_stay_and_earlier_steps_can_be_undone():
    workspace = Few("a", "b", "c", "d")
    session = Session(workspace, "t", "ada")
    for _ in range(3):
        session.answer(True)
    workspace.withdraw("t", "c")
    workspace.given["b"] = Changed("t", "b", True, who="bob")
    with pytest.raises(BadInput, match="about 'c' was withdrawn meanwhile"):
        session.undo()
    with pytest.raises(BadInput, match="about 'b' was changed by bob meanwhile"):
        session.undo()
    assert session.undo()
    assert (session.judged, session.relevant, list(workspace.given)) == (0, 0, ["b"])


def test_an_answer_that_fails_changes_nothing():
    session = Session(Few("bad"), "t")
    with pytest.raises(BadInput):
        session.answer(True)
    assert (session.judged, session.current.document, session.undo()) == (0, "bad", False)
