"""Fields of a record changed by hand. Source: REQUIREMENTS section 6, `set`."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from gitledger.errors import LedgerError
from gitledger.model.fields import SETTABLE
from gitledger.model.groups import GROUPED_BY, check_dependencies, group_name
from gitledger.services.find import find
from gitledger.services.lifecycle import Step, prepared, write
from gitledger.services.queueing import known
from gitledger.services.record import checked_title

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gitledger.git.repository import Repository
    from gitledger.model.agent import Agent


def amend(
    repo: Repository, name: str | None, changed: dict[str, Any], unset: Sequence[str] = ()
) -> Step:
    """Set fields, and take some away. Allowed whatever the status. Raises LedgerError."""
    one = find(prepared(repo), name)
    if "title" in changed:
        checked_title(changed["title"])
    if "depends_on" in changed:
        check_dependencies(one.id, changed["depends_on"], known(repo))
    fields = {**_grouped(repo, one.agent, changed), **{_field(word): None for word in unset}}
    return write(repo, one, lambda _: [("set", fields)])


def _grouped(repo: Repository, agent: Agent, changed: dict[str, Any]) -> dict[str, Any]:
    """With `auto` and `new` turned into a group's name."""
    if changed.get("group") not in {"auto", "new"}:
        return changed
    told = {name: changed.get(name, getattr(agent, name)) for name in GROUPED_BY}
    group = group_name(changed["group"], known(repo).values(), told, now=int(time.time()))
    return {**changed, "group": group}


def _field(word: str) -> str:
    """A field by the name of its option or its own. Raises LedgerError."""
    name = {"file": "files_declared", "check": "checks", "mode": "execution_mode"}.get(
        word, word.replace("-", "_")
    )
    if name not in SETTABLE or name in {"title", "owner"}:
        fields = ", ".join(one for one in SETTABLE if one not in {"title", "owner"})
        raise LedgerError(f"no field '{word}' to take away", f"one of: {fields}")
    return name
