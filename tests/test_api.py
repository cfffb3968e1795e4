"""`gitledger.open`: agents by value, and the schema that is published of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

import gitledger
from docs.pages import pages, schema
from gitledger.api import LedgerError
from gitledger.model.snapshot import Snapshot
from tests.test_snapshot import FACTS, FULL, LEAST, OPTIONAL, REQUIRED, WHOLE, snapshot

if TYPE_CHECKING:
    from tests.support import Place


@pytest.fixture
def ledger(repo: Place) -> gitledger.Ledger:
    repo.ledger("spawn", "Parse dates", "--id", "one", "--role", "coder")
    repo.ledger("spawn", "Write docs", "--id", "two")
    return gitledger.open(repo.path)


def test_agents_as_they_are_now(repo: Place, ledger: gitledger.Ledger) -> None:
    assert [one["id"] for one in ledger.agents()] == ["two", "one"]
    repo.at("../repo-one").commit("dates", dates="1\n")
    agent = ledger.agent("one")
    assert (agent["role"], agent["files_modified"]) == ("coder", ["dates"])
    assert ledger.agent("agent/one") == ledger.agent("on") == agent
    agent["files_modified"].append("changed by a reader")
    assert ledger.agent("one")["files_modified"] == ["dates"]


def test_from_any_worktree_and_from_the_archive(repo: Place, ledger: gitledger.Ledger) -> None:
    repo.ledger("complete", "one")
    repo.ledger("prune", "--max", "1")
    elsewhere = gitledger.open(str(repo.path.parent / "repo-two"))
    assert [one["id"] for one in elsewhere.agents()] == ["two"]
    assert [one["id"] for one in elsewhere.agents(archived=True)] == ["one"]
    assert elsewhere.agent("one")["status"] == "completed"


def test_errors(nowhere: Place, ledger: gitledger.Ledger) -> None:
    with pytest.raises(LedgerError) as unknown:
        ledger.agent("three")
    assert (unknown.value.message, unknown.value.hint) == (
        "unknown agent 'three'",
        "the most recent: two, one",
    )
    with pytest.raises(LedgerError):
        gitledger.open(nowhere.path)
    with pytest.raises(AttributeError):
        gitledger.no_such_name  # noqa: B018


def test_the_published_page_is_what_the_types_say() -> None:
    assert pages.SNAPSHOT.read_text(encoding="utf-8") == pages.snapshot(), "python -m docs.pages"
    assert set(schema.MEANING) == set(schema.schema()["properties"]) == REQUIRED | OPTIONAL
    assert list(schema.MEANING) == list(Snapshot.__annotations__)
    assert set(schema.required()) == REQUIRED


@pytest.mark.parametrize("given", [WHOLE, snapshot(FULL, FACTS), snapshot(LEAST)])
def test_snapshots_follow_the_schema(given: Any) -> None:
    assert faults(given, schema.schema()) == []


@pytest.mark.parametrize(
    ("changed", "fault"),
    [
        ({"iteration": "4"}, "$.iteration"),
        ({"status": "done"}, "$.status"),
        ({"dirty": True}, "$.dirty"),
        ({"usage": {"input": 1}}, "$.usage.output"),
        ({"resumes": [1]}, "$.resumes[0]"),
        ({"role": None}, "$.role"),
    ],
)
def test_the_schema_refuses_what_a_snapshot_never_is(changed: Any, fault: str) -> None:
    assert fault in faults({**WHOLE, **changed}, schema.schema())


KINDS = {"string": str, "integer": int, "boolean": bool, "array": list, "object": dict}


def faults(value: Any, rule: Any, place: str = "$", root: Any = None) -> list[str]:
    """Where a value breaks a schema of the words that ours uses."""
    root = root or rule
    if "$ref" in rule:
        rule = root["$defs"][rule["$ref"].rpartition("/")[2]]
    kind = KINDS.get(rule.get("type", ""), object)
    if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
        return [place]
    found = [place] if "enum" in rule and value not in rule["enum"] else []
    if kind is list:
        for number, one in enumerate(value):
            found += faults(one, rule["items"], f"{place}[{number}]", root)
    if kind is dict:
        known, more = rule.get("properties", {}), rule.get("additionalProperties", {})
        found += [f"{place}.{name}" for name in rule.get("required", ()) if name not in value]
        for name, one in value.items():
            inner = known.get(name, more)
            here = f"{place}.{name}"
            found += [here] if inner is False else faults(one, inner, here, root)
    return found
