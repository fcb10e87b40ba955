"""Reading in a real terminal, and its steps without one."""

import json
import re
import subprocess
import sys

import pytest
from tests.unit.cli.terminal import terminals

from bayesift.cli.screen.session import Session
from bayesift.errors import BadInput
from bayesift.filtering.screening.review import Review


@pytest.fixture
def terminal(hiv):
    with terminals("screen", "review", hiv, "--who", "me", size=(40, 100)) as start:
        yield start


def counts(run, hiv):
    found = json.loads(run("screen", "status", hiv, "--json").out)["lists"][0]
    return found["included"], found["excluded"], found["maybe"], found["unread"]


def opinion(hiv, status):
    with Review.open(hiv, write=False) as review:
        (seen,) = review.records(status=status)
        return seen.opinions["abstract"][0]


def test_a_whole_reading(run, hiv, terminal):
    reading = terminal()
    screen = reading.shows("q .* quit")
    assert "0 of 30 read" in screen
    assert "probability" in screen
    assert "Read on:" in screen
    assert "estimated" not in screen  # nothing is read yet
    assert re.search("1 .* wrong drug .* 2 .* no adults", screen)
    assert re.search(r"\x1b\[1;32m(statins|hiv)", reading.child.before)
    reading.press("a")
    reading.shows("1 of 30 read, 1 included.*quit")
    reading.press("2")
    reading.shows("2 of 30 read, 1 included.*quit")
    reading.press("m")
    reading.shows("3 of 30 read.*quit")
    reading.press("z")  # has no meaning
    reading.press("\x1b[A")  # an arrow, whose last letter has none either
    reading.press("9")
    reading.shows("there is no reason 9")
    reading.press("q")
    rest, code = reading.ends()
    assert "abstract: 3 decided, 1 of them included; 28 left" in rest
    assert rest.index("\x1b[?1049l") < rest.index("abstract: 3 decided")  # on the screen of before
    assert (code, counts(run, hiv)) == (0, (1, 1, 1, 27))
    assert opinion(hiv, "exclude").reason == "no adults"


def test_notes_tags_and_criteria(run, hiv, terminal):
    reading = terminal()
    reading.shows("quit")
    reading.press("c")
    assert "- any statin" in reading.shows("any key .* back")
    reading.press("x")
    reading.shows("quit")
    reading.press("n")
    reading.shows("Enter .* keep")
    reading.press("Reed: the trial!\x7f?\r")
    reading.shows(r"note: Reed: the trial\?.*quit")
    reading.press("t")
    reading.shows("Enter .* keep")
    reading.press("HIV, adults\r")
    reading.shows("tags: HIV, adults.*quit")
    reading.press("n")
    reading.shows("Enter .* keep")
    reading.press("no")
    reading.shows(r"trial\?no_")
    reading.press("\x1b")  # leaves the note as it was
    reading.shows(r"note: Reed: the trial\?.*quit")
    reading.press("x")
    reading.shows("1 of 30 read.*quit")
    reading.press("q")
    assert reading.ends()[1] == 0
    said = opinion(hiv, "exclude")
    assert (said.note, said.tags) == ("Reed: the trial?", ("HIV", "adults"))


def test_undo_goes_back_without_limit(run, hiv, terminal):
    with Review.open(hiv) as review:
        first = review.next(who="me")[0].record
        review.decide(first.id, "exclude", who="me", note="before")
    reading = terminal()
    reading.shows("1 of 30 read.*quit")
    reading.press("a")
    reading.shows("2 of 30 read, 1 included.*quit")
    reading.press("u")
    reading.shows("1 of 30 read, 0 included.*undone: include.*quit")
    reading.press("u")
    screen = reading.shows("undone: exclude.*quit")
    assert first.title.split()[0] in screen
    assert "note: before" in screen
    reading.press("u")
    reading.shows("me has nothing to undo")
    reading.press("q")
    assert reading.ends()[1] == 0
    assert counts(run, hiv) == (0, 0, 0, 30)


def test_all_are_read(run, hiv, terminal):
    reading = terminal("--order", "date")
    reading.shows("quit")
    reading.press("x" * 30)  # typed ahead
    rest, code = reading.ends()
    assert (code, "30 decided, 0 of them included; 0 left" in rest) == (0, True)
    assert "all records of the list abstract are read" in terminal().ends()[0]
    assert "all records of the list full-text are read" in terminal("--list", "full-text").ends()[0]


def test_long_texts_scroll_and_are_shown_not_obeyed(run, hiv, terminal):
    from bayesift.filtering.screening.records import Record

    body = "\n".join(f"line{i} about statins" for i in range(100)) + " the-end \x1b[31m"
    with Review.open(hiv) as review:
        review.add([Record("long", "Statins statins hiv", body, year=2030, source="x:1")])
    reading = terminal("--order", "date", size=(20, 60))
    shown = reading.shows("line0.*quit")
    assert "the-end" not in shown
    for _ in range(100):
        reading.press(" ")
        if reading.child.expect(["the-end.*quit", "quit"]) == 0:
            break
    assert r"\x1b[31m" in reading.child.after
    reading.child.setwinsize(16, 40)
    reading.shows("quit")
    reading.press("q")
    assert reading.ends()[1] == 0


def test_ctrl_c_keeps_what_was_decided(run, hiv, terminal):
    reading = terminal()
    reading.shows("quit")
    reading.press("a")
    reading.shows("1 of 30 read.*quit")
    reading.press("\x03")
    rest, code = reading.ends()
    assert code == 130
    assert "bayesift: interrupted" in rest
    assert "\x1b[?1049l" in rest
    assert counts(run, hiv) == (1, 0, 0, 29)


def test_a_terminal_that_goes_away(run, hiv, terminal):
    reading = terminal()
    reading.shows("quit")
    reading.press("a")
    reading.shows("1 of 30 read.*quit")
    reading.goes_away()
    assert counts(run, hiv) == (1, 0, 0, 29)


def test_without_a_terminal(hiv):
    command = [sys.executable, "-m", "bayesift", "screen", "review", str(hiv)]
    result = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    assert (result.returncode, result.stdout) == (2, "")
    assert result.stderr.startswith("bayesift: review needs a terminal; elsewhere use the pages: bayesift screen serve")


def test_a_session_counts_and_undoes(hiv):
    with Review.open(hiv) as review:
        session = Session(review, "abstract", "me")
        first = session.current.record.id
        session.note, session.tags = "a note", ("x",)
        session.decide("include")
        assert (session.decided, session.included, session.note) == (1, 1, "")
        with pytest.raises(BadInput, match="there is no reason 3"):
            session.exclude_for(3)
        session.exclude_for(1)
        assert session.undo() == "undone: exclude"
        assert session.undo() == "undone: include"
        assert (session.decided, session.current.record.id, session.note, session.tags) == (0, first, "a note", ("x",))
        review.merge(review.id_of(5), review.id_of(6), who="me")
        assert session.undo().startswith("undone: merged")
        with pytest.raises(BadInput, match="nothing to undo"):
            session.undo()
