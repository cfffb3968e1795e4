"""A few git processes at a time: threads that wait for them.

`concurrent.futures` does this too, and takes longer to import than it saves.
"""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

T = TypeVar("T")
R = TypeVar("R")
WIDTH = 4


def together(function: Callable[[T], R], items: Iterable[T]) -> list[R]:
    """`function` of each item, in order, `WIDTH` at once. Raises the first error of any."""
    asked = list(items)
    found: dict[int, R] = {}
    errors: list[BaseException] = []
    waiting = iter(enumerate(asked))  # one `next` is one step: no two threads get the same

    def work() -> None:
        for number, item in waiting:
            if errors:
                return
            try:
                found[number] = function(item)
            except BaseException as error:  # noqa: BLE001 - raised again where it is waited for
                errors.append(error)

    threads = [threading.Thread(target=work) for _ in range(min(WIDTH, len(asked)))]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    if errors:
        raise errors[0]
    return [found[number] for number in range(len(asked))]
