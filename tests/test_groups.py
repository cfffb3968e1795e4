"""Groups, dependencies and pruning as pure rules."""

from __future__ import annotations

import pytest

from gitledger.errors import LedgerError
from gitledger.model.agent import Agent
from gitledger.model.groups import check_dependencies, group_name, to_prune, unfinished

NOW = 1736676000


def agents(*given: tuple[str, str, dict]) -> dict[str, Agent]:
    return {name: Agent(id=name, title=name, status=status, **more) for name, status, more in given}


PHASE = {"phase": "05", "plan": "01"}
TASKS = {**PHASE, "granularity": "task_group"}


@pytest.mark.parametrize(
    ("wanted", "fields", "name"),
    [
        ("new", PHASE, "phase-05-batch-1736676000"),
        ("auto", PHASE, "phase-05-batch-1736676000"),
        ("new", TASKS, "plan-05-01-tasks-batch-1736676000"),
        ("new", {"phase": "02.1"}, "phase-02.1-batch-1736676000"),
        ("anything else", {}, "anything else"),
    ],
)
def test_names(wanted, fields, name) -> None:
    assert group_name(wanted, [], fields, now=NOW) == name


def test_auto_joins_the_newest_open_group_of_that_phase_and_new_never_does() -> None:
    known = agents(
        ("a", "spawned", {"group": "phase-05-batch-100"}),
        ("b", "queued", {"group": "phase-05-batch-200"}),
        ("c", "completed", {"group": "phase-05-batch-300"}),
        ("d", "spawned", {"group": "phase-06-batch-400"}),
        ("e", "spawned", {"group": "phase-05-batch-late"}),
        ("f", "spawned", {"group": f"phase-05-batch-{NOW}"}),
    ).values()
    assert group_name("auto", [one for one in known if one.id != "f"], PHASE, now=NOW) == (
        "phase-05-batch-200"
    )
    assert group_name("new", known, PHASE, now=NOW) == f"phase-05-batch-{NOW + 1}"


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({}, "a group needs a phase"),
        ({"phase": "1", "granularity": "task_group"}, "a group of tasks needs a plan"),
    ],
)
def test_what_no_group_can_be_named_for(fields, message) -> None:
    with pytest.raises(LedgerError, match=message):
        group_name("auto", [], fields, now=NOW)


KNOWN = agents(
    ("done", "completed", {"phase": "02", "plan": "01"}),
    ("running", "spawned", {"phase": "02", "plan": "02"}),
    ("tried", "failed", {"phase": "02", "plan": "03"}),
    ("tried-again", "completed", {"phase": "02", "plan": "03"}),
    ("failed", "failed", {"phase": "02", "plan": "04"}),
    ("waiting", "queued", {"depends_on": ("last",)}),
    ("last", "queued", {}),
)


@pytest.mark.parametrize(
    ("references", "open_ones"),
    [
        (("done", "02-01", "02-03"), []),
        (("running", "02-02"), ["running", "02-02"]),
        (("failed", "02-04", "02-09"), ["failed", "02-04", "02-09"]),
    ],
)
def test_a_dependency_is_finished_once_it_is_completed(references, open_ones) -> None:
    assert unfinished(Agent(id="x", title="x", status="queued", depends_on=references), KNOWN) == (
        open_ones
    )


@pytest.mark.parametrize(
    ("agent", "references", "message"),
    [
        ("x", ["x"], "'x' cannot depend on itself"),
        ("x", ["nobody"], "unknown dependency 'nobody'"),
        ("last", ["waiting"], "'last' and 'waiting' would wait for each other"),
    ],
)
def test_dependencies_that_cannot_be(agent, references, message) -> None:
    with pytest.raises(LedgerError, match=message):
        check_dependencies(agent, references, KNOWN)


def test_dependencies_that_can() -> None:
    check_dependencies("x", ["done", "02-01", "99-01", "waiting"], KNOWN)


ENDED = list(
    agents(
        ("new", "completed", {"completed_at": "3"}),
        ("old", "completed", {"completed_at": "1"}),
        ("failed", "failed", {"completed_at": "0"}),
        ("late", "failed", {"completed_at": "9"}),
        ("live", "spawned", {"spawned_at": "0"}),
        ("cut", "interrupted", {"spawned_at": "0"}),
        ("review", "awaiting-review", {}),
        ("queued", "queued", {}),
    ).values()
)


@pytest.mark.parametrize(
    ("most", "gone"),
    [
        (50, []),
        (8, []),
        (7, ["old"]),
        (6, ["old", "new"]),
        (5, ["old", "new", "failed"]),
        (0, ["old", "new", "failed", "late"]),
    ],
)
def test_the_oldest_completed_go_first_then_failed_and_nothing_else(most, gone) -> None:
    assert [one.id for one in to_prune(ENDED, most)] == gone
