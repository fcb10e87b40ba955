"""Threads take turns in the order in which they came."""

import threading
import time

import pytest

from bayesift.filtering.store.turns import Turns


def wait_until(true):
    for _ in range(1000):
        if true():
            return
        time.sleep(0.005)
    raise AssertionError("it did not happen")


def test_threads_come_in_their_order():
    turns, order, threads = Turns(), [], []

    def take(name):
        with turns:
            order.append(name)

    with turns:
        for i in range(20):
            threads.append(threading.Thread(target=take, args=(i,)))
            threads[-1].start()
            wait_until(lambda i=i: turns.waiting == i + 1)
    for thread in threads:
        thread.join()
    assert order == list(range(20))


def test_one_that_comes_again_and_again_lets_others_in():
    turns, ends, came = Turns(), threading.Event(), []

    def greedy():
        while not ends.is_set():
            with turns:
                came.append("greedy")

    thread = threading.Thread(target=greedy)
    thread.start()
    wait_until(lambda: came)
    for _ in range(50):
        with turns:
            before = len(came)
            wait_until(lambda: turns.waiting)  # the greedy one stands in the queue now
        with turns:
            assert len(came) <= before + 1
    ends.set()
    thread.join()


def test_it_can_be_taken_again_and_excludes_others():
    turns, inside = Turns(), []
    with turns, turns:
        thread = threading.Thread(target=lambda: turns.__enter__() or inside.append(1) or turns.__exit__())
        thread.start()
        time.sleep(0.05)
        assert not inside
    thread.join()
    assert inside


def test_an_error_gives_the_turn_away():
    turns = Turns()
    with pytest.raises(ValueError, match="no"), turns:
        raise ValueError("no")
    done = threading.Thread(target=lambda: turns.__enter__())
    done.start()
    done.join(5)
    assert not done.is_alive()
