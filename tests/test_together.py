"""A few things at a time, in threads."""

from __future__ import annotations

import threading
import time

import pytest

from gitledger.git.together import WIDTH, Begun, together


def test_results_come_in_the_order_of_the_items() -> None:
    def slow(number: int) -> int:
        time.sleep(0.02 if number % 2 else 0)
        return number * 10

    assert together(slow, range(9)) == [0, 10, 20, 30, 40, 50, 60, 70, 80]
    assert together(slow, []) == []


def test_no_more_than_the_width_run_at_once_and_those_do() -> None:
    meet = threading.Barrier(WIDTH, timeout=20)
    running: list[int] = []
    most: list[int] = []

    def one(number: int) -> None:
        running.append(number)
        most.append(len(running))
        meet.wait()  # goes on only when all of them are here
        running.remove(number)
        meet.wait()  # none begins before all have left

    together(one, range(WIDTH * 3))
    assert max(most) == WIDTH


def test_the_caller_goes_on_while_they_run() -> None:
    told = threading.Event()
    begun = Begun(lambda _: told.wait(20), [1])
    told.set()  # reached although the first one waits for it
    assert begun.results() == [True]


def test_the_first_error_is_raised_where_it_is_waited_for_and_ends_the_rest() -> None:
    asked: list[int] = []

    def fails(number: int) -> None:
        asked.append(number)
        raise ValueError(number)

    begun = Begun(fails, range(100))
    with pytest.raises(ValueError, match=r"\d"):
        begun.results()
    assert len(asked) <= WIDTH
