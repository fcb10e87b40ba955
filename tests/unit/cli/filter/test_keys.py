"""Keys that come faster than they are read."""

import os
import pty
import threading
import time

import pytest

from bayesift.cli.filter.keys import ESCAPE, Keys


@pytest.fixture
def keyboard(monkeypatch):
    ours, theirs = pty.openpty()
    monkeypatch.setattr("sys.stdin", os.fdopen(theirs))
    with Keys() as keys:
        yield keys, lambda typed: os.write(ours, typed)
    os.close(ours)


def pressed(keys):
    found = []
    while (key := keys.read()) is not None:
        found.append(key)
    return found


@pytest.mark.parametrize("arrow", [b"\x1b[A", b"\x1bOA", b"\x1b[1;5A", b"\x1b[3~", b"\x1b[200~", b"\x1ba"])
def test_a_key_that_sends_a_sequence_is_left_out_wherever_it_comes(keyboard, arrow):
    keys, send = keyboard
    send(b"x" + arrow + arrow + b"Y")
    assert pressed(keys) == ["x", "y"]
    send(arrow + b"n")
    assert pressed(keys) == ["n"]


def test_escape_is_a_key(keyboard):
    keys, send = keyboard
    send(b"\x1b")
    assert pressed(keys) == [ESCAPE]
    send(b"x\x1b")
    assert pressed(keys) == ["x", ESCAPE]


def test_half_a_character_does_not_end_it(keyboard):
    keys, send = keyboard
    send("é".encode()[:1])
    assert pressed(keys) == []


def test_a_sequence_that_comes_in_two_parts(keyboard):
    keys, send = keyboard
    for first, second in ((b"\x1b", b"[A"), (b"\x1b[", b"A"), (b"x\x1b[1;", b"5A")):
        send(first)
        threading.Thread(target=lambda rest=second: (time.sleep(0.02), send(rest))).start()
        assert pressed(keys) == ["x"] * first.startswith(b"x")
