"""The cache of folded states: never the truth, and made anew whatever happens to it."""

from __future__ import annotations

import multiprocessing
import os
from typing import TYPE_CHECKING

import pytest

from gitledger.git.repository import Repository, discover
from gitledger.model.names import AGENTS, agent_ref
from gitledger.services import folded_cache
from gitledger.services.folded import folded
from gitledger.services.live import look
from gitledger.services.snapshots import snapshots
from gitledger.store import logs
from gitledger.store.places import place

if TYPE_CHECKING:
    from tests.support import Place

MANY = folded_cache.WORTH + 4


@pytest.fixture
def seen(repo: Place) -> Repository:
    """A repository with a few agents more than a cache is worth."""
    found = discover(str(repo.path))
    for number in range(MANY):
        spawned = {"id": f"a{number}", "title": f"task {number}", "depends_on": ["x"], "role": "r"}
        ended = {"files": [["A", "é"], ["M", "b"]], "merged": {"into": "main", "commit": "c"}}
        imported = {"status": "spawned", "id": f"a{number}", "from": "gsd", "entry": {"wave": [1]}}
        facts = [("imported", imported)] if number % 3 == 0 else [("spawned", spawned)]
        facts += [("usage", {"usage": {"input": 1}}), ("completed", ended)]
        facts += [("reported", {})] * (number == 1)  # a fault: not allowed after the end
        logs.append(found, agent_ref(f"a{number}", "log"), lambda _, facts=facts: facts)
    return found


def cache(repo: Repository) -> str:
    return place(repo, folded_cache.FILE)


def states(repo: Repository) -> dict:
    return {ref: one.agent for ref, one in folded(repo).items()}


def test_what_comes_out_of_the_cache_is_what_the_logs_say(seen: Repository) -> None:
    fresh = states(seen)
    assert os.path.exists(cache(seen))
    assert len(folded_cache.load(seen, folded_cache.FILE)) == MANY - 1
    assert states(seen) == fresh
    assert [one.agent.faults for one in folded(seen).values() if one.agent.faults] != []


def test_a_log_that_has_grown_is_read_again(seen: Repository) -> None:
    before = states(seen)
    logs.append(seen, agent_ref("a2", "log"), lambda _: [("set", {"role": "other"})])
    after = states(seen)
    assert {ref for ref in after if after[ref] != before[ref]} == {agent_ref("a2", "log")}
    assert after[agent_ref("a2", "log")].role == "other"


def damaged(content: bytes) -> bytes:
    return content[:-1] + bytes([content[-1] ^ 1])


def half(content: bytes) -> bytes:
    return content[: len(content) // 2]


def of_another_version(content: bytes) -> bytes:
    return b"0" + content


def nothing(_: bytes) -> bytes:
    return b""


@pytest.mark.parametrize("harm", [damaged, half, of_another_version, nothing])
def test_a_cache_that_cannot_be_believed_is_made_anew(seen: Repository, harm) -> None:
    fresh = states(seen)
    with open(cache(seen), "rb") as file:
        whole = file.read()
    with open(cache(seen), "wb") as file:
        file.write(harm(whole))
    assert folded_cache.load(seen, folded_cache.FILE) == {}
    assert states(seen) == fresh
    with open(cache(seen), "rb") as file:
        assert len(file.read()) == len(whole)


def test_without_a_place_to_write_it_is_not_kept_and_nothing_fails(seen: Repository) -> None:
    os.mkdir(place(seen))
    os.mkdir(cache(seen))
    assert len(states(seen)) == MANY


WRITERS = 16
STEPS = 6


def live_on(path: str, number: int) -> None:
    """One writer: an agent's counters go up in steps, two at once in one event."""
    repo = discover(path)
    for _ in range(STEPS):
        told = {"usage": {"input": 1, "output": 10}, "tool_uses": 100}
        logs.append(repo, agent_ref(f"w{number % 4}", "log"), lambda _: [("usage", told)])


def test_snapshots_taken_while_writers_work_are_states_that_existed(repo: Place) -> None:
    seen = discover(str(repo.path))
    for number in range(4):
        spawned = {"id": f"w{number}", "title": "t"}
        ref = agent_ref(f"w{number}", "log")
        logs.append(seen, ref, lambda _, spawned=spawned: [("spawned", spawned)])
    context = multiprocessing.get_context("spawn")
    writers = [
        context.Process(target=live_on, args=(str(repo.path), number)) for number in range(WRITERS)
    ]
    for one in writers:
        one.start()
    taken = []
    while any(one.is_alive() for one in writers):
        view = look(seen)
        taken.append({one["id"]: one for one in snapshots(view, view.agents)})
    for one in writers:
        one.join()
    assert [one.exitcode for one in writers] == [0] * WRITERS
    last: dict[str, int] = {}
    for shot in taken:
        for name, one in shot.items():
            steps = one["usage"]["input"]
            assert (one["usage"]["output"], one["tool_uses"]) == (10 * steps, 100 * steps)
            assert steps >= last.get(name, 0)
            last[name] = steps
    final = {one.agent.id: one.agent.tool_uses for one in folded(seen, AGENTS).values()}
    assert final == {f"w{number}": 100 * STEPS * WRITERS // 4 for number in range(4)}
