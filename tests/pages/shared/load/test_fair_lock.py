"""Runs of pages take turns: one at a time, in the order of their arrival, and nobody waits for a long one."""

import threading
import time
from collections.abc import Callable, Sequence
from functools import partial

import pytest

from pages.shared.load.fair_lock import FairLock

LONG = 10.0  # seconds, after which a test has failed


def begin(work: Callable[[], None]) -> threading.Thread:
    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    return thread


def wait_for(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + LONG
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.001)


@pytest.mark.parametrize("at_once", [1, 2])
def test_no_more_at_once_and_in_the_order_of_arrival(at_once: int) -> None:
    turns, end = FairLock(at_once, LONG), threading.Event()
    order: list[int] = []
    most = running = 0

    def work(number: int) -> None:
        nonlocal most, running
        with turns.hold():
            running += 1
            most = max(most, running)
            order.append(number)
            end.wait(LONG)
            time.sleep(0.002)
            running -= 1

    def came(count: int) -> bool:
        return len(order) + len(turns._line) == count

    threads = []
    for number in range(8):
        threads.append(begin(partial(work, number)))
        wait_for(partial(came, number + 1))
    assert len(order) == at_once
    assert turns.others_wait()
    end.set()
    for thread in threads:
        thread.join(LONG)
    assert most == at_once
    assert order == list(range(8)) if at_once == 1 else sorted(order) == list(range(8))
    assert not turns.others_wait()


def test_a_run_that_takes_long_stops_nobody() -> None:
    turns, end = FairLock(1, patience=0.02), threading.Event()

    def long() -> None:
        with turns.hold():
            end.wait(LONG)

    slow = begin(long)
    wait_for(lambda: turns._running == 1)
    with turns.hold():  # after its patience
        assert turns._running == 2
    end.set()
    slow.join(LONG)
    assert turns._running == 0


def test_runs_that_take_long_do_not_pile_up() -> None:
    """Each further one beside those that draw has stood first in line for four times as long; all begin in the end."""
    turns, end, began = FairLock(1, patience=0.02), threading.Event(), list[float]()

    def run() -> None:
        with turns.hold():
            began.append(time.monotonic())
            end.wait(LONG)

    threads = [begin(run) for _ in range(4)]
    wait_for(lambda: len(began) == 3)
    assert began[2] - began[1] > 3 * 0.02  # the first of its four moments had begun before
    end.set()
    for thread in threads:
        thread.join(LONG)
    assert len(began) == 4


def test_a_turn_within_a_turn_is_the_same_and_an_error_ends_it() -> None:
    turns = FairLock(1, LONG)

    def fail() -> None:
        with turns.hold(), turns.hold():
            assert turns._running == 1
            raise ValueError("on purpose")

    with pytest.raises(ValueError, match="on purpose"):
        fail()
    assert turns._running == 0


def test_long_work_lets_those_in_line_go_first() -> None:
    turns, order = FairLock(1, LONG), []

    def short() -> None:
        with turns.hold():
            order.append("short")

    turns.let_others()  # outside of a turn: nothing
    with turns.hold():
        thread = begin(short)
        wait_for(turns.others_wait)
        turns.let_others()  # before it has worked: nothing
        assert not order
        while time.thread_time() - turns._mine.began < turns.stretch:
            pass
        turns.let_others()
        order.append("long goes on")
    thread.join(LONG)
    assert order == ["short", "long goes on"]
    assert turns._running == 0


def test_others_run_while_one_is_aside_and_it_goes_on_before_those_in_line() -> None:
    turns, answered = FairLock(1, LONG), threading.Event()
    order: list[str] = []

    def asking() -> None:
        with turns.hold():
            order.append("asks")
            with turns.released():
                answered.wait(LONG)
            order.append("goes on")

    def drawing(name: str, end: threading.Event) -> None:
        with turns.hold():
            order.append(name)
            end.wait(LONG)

    end = threading.Event()
    threads = [begin(asking)]
    wait_for(lambda: order == ["asks"])
    threads.append(begin(partial(drawing, "second", end)))
    wait_for(lambda: order == ["asks", "second"])  # it runs while the first is aside
    threads.append(begin(partial(drawing, "third", end)))
    wait_for(lambda: len(turns._line) == 1)
    answered.set()
    wait_for(lambda: len(turns._line) == 2)
    end.set()
    for thread in threads:
        thread.join(LONG)
    assert order == ["asks", "second", "goes on", "third"]


def served(turns: FairLock, asking: Sequence[str]) -> list[str]:
    """The order in which these get a turn who ask one after the other while the first has one."""
    end, order = threading.Event(), list[str]()

    def work(who: str) -> None:
        with turns.hold(who=who):
            order.append(who)
            end.wait(LONG)

    threads = []
    for count, who in enumerate(asking, 1):
        threads.append(begin(partial(work, who)))
        wait_for(lambda count=count: len(order) + len(turns._line) == count)
    end.set()
    for thread in threads:
        thread.join(LONG)
    return order


def test_who_asks_for_much_stands_in_line_behind_those_who_ask_for_little() -> None:
    turns = FairLock(1, LONG)
    order = served(turns, ["first", *["flood"] * 4, "ada", "ben", "ada"])
    assert order == ["first", "flood", "ada", "ben", "flood", "ada", "flood", "flood"]
    assert not turns._marks


def test_who_has_had_much_is_not_punished_later() -> None:
    turns = FairLock(1, LONG)
    for _ in range(5):
        with turns.hold(who="ada"):
            pass
    assert served(turns, ["first", "ada", "ben"]) == ["first", "ada", "ben"]
