"""A few git processes at a time: threads that wait for them.

`concurrent.futures` does this too, and takes longer to import than it saves.
"""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

T = TypeVar("T")
R = TypeVar("R")
WIDTH = 4


class Begun(Generic[T, R]):
    """`function` of each item, `WIDTH` at once, under way while the caller does other things."""

    def __init__(self, function: Callable[[T], R], items: Iterable[T]) -> None:
        self._function = function
        asked = list(items)
        self._waiting = iter(enumerate(asked))  # one `next` is one step: none comes twice
        self._found: dict[int, R] = {}
        self._errors: list[BaseException] = []
        width = min(WIDTH, len(asked))
        # Nobody waits for those that a command which failed meanwhile has left behind.
        self._threads = [threading.Thread(target=self._work, daemon=True) for _ in range(width)]
        for one in self._threads:
            one.start()

    def _work(self) -> None:
        for number, item in self._waiting:
            if self._errors:
                return
            try:
                self._found[number] = self._function(item)
            except BaseException as error:  # noqa: BLE001 - raised again where it is waited for
                self._errors.append(error)

    def results(self) -> list[R]:
        """What came of each, in order, once all are done. Raises the first error of any."""
        for one in self._threads:
            one.join()
        if self._errors:
            raise self._errors[0]
        return [self._found[number] for number in sorted(self._found)]


def together(function: Callable[[T], R], items: Iterable[T]) -> list[R]:
    """`function` of each item, in order, `WIDTH` at once. Raises the first error of any."""
    return Begun(function, items).results()
