"""A verdict on record beside the one that git gives now: the same, another, or no telling.

Another one is a fault only where all that it depends on is as it was.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from gitledger.model.verdict import UNKNOWN, UNRELATED

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from gitledger.model.verdict import Pair

SAME, DIFFERS, NOT_DERIVABLE = "same", "differs", "not-derivable"

_MOST = 3  # of a list, in words

Body = dict[str, Any]  # of a `checked` event; any key may be absent or of a wrong type


@dataclass(frozen=True, slots=True)
class Difference:
    """A field that came out otherwise. `recorded` is as it stands in the event."""

    field: str
    recorded: Any
    derived: Any


@dataclass(frozen=True, slots=True)
class Rederived:
    """How a verdict on record came out. `reason` says why it can't be derived or compared."""

    status: str
    differences: tuple[Difference, ...] = ()
    reason: str | None = None


def compare(body: Body, derived: Pair, now: Mapping[str, Any]) -> Rederived:
    """What is on record beside what git says `now`, conditions as a new event has them."""
    if derived.reason not in (None, UNRELATED, _recorded_reason(body)):
        return Rederived(NOT_DERIVABLE, reason=derived.reason)
    found = tuple(_differences(body, derived))
    if not found:
        return Rederived(SAME)
    reasons = [*_circumstances(body, derived), *_changed(body, now)]
    status = NOT_DERIVABLE if reasons else DIFFERS
    return Rederived(status, found, "; ".join(reasons) or None)


def _recorded_reason(body: Body) -> Any:
    return body.get("reason") if body.get("verdict") == UNKNOWN else None


def _differences(body: Body, derived: Pair) -> Iterator[Difference]:
    """Of the fields on record: what was not recorded is not compared."""
    paths = [{"path": one.path, "kind": one.kind} for one in derived.paths]
    told = {
        "verdict": derived.verdict,
        "bases": list(derived.bases),
        "tree": derived.tree,
        "paths": paths,
    }
    for field, value in told.items():
        if field in body and body[field] != value:
            yield Difference(field, body[field], value)


def _circumstances(body: Body, derived: Pair) -> Iterator[str]:
    """What lay neither in the commits nor in the configuration."""
    reason = _recorded_reason(body)
    if body.get("verdict") == UNKNOWN and reason is None:
        yield "it was unknown, and why is not on record"
    elif reason is not None and reason != UNRELATED:
        yield f"it was unknown: {reason}"
    then = body.get("paths")
    told = [one for one in then if isinstance(one, dict)] if isinstance(then, list) else []
    kinds = [*(one.get("kind") for one in told), *(one.kind for one in derived.paths)]
    if any(str(kind).startswith("submodule") for kind in kinds):
        yield "a submodule has a say, by what of it is checked out"


def _changed(body: Body, now: Mapping[str, Any]) -> Iterator[str]:
    """The conditions that were others, in words."""
    if not isinstance(body.get("git"), str):
        yield "the version of git is not on record"
    elif body["git"] != now["git"]:
        yield f"judged by git {body['git']}, this is {now['git']}"
    if body.get("ledger", now["ledger"]) != now["ledger"]:
        yield f"judged by git-ledger {body['ledger']}, this is {now['ledger']}"
    if not isinstance(body.get("config"), dict):
        yield "the configuration is not on record"
        return
    yield from _settings(body["config"], now["config"])
    for key, words in _OUTSIDE.items():
        if body.get(key) != now.get(key):
            yield words


_OUTSIDE = {
    "attributes": "attributes outside the tree were others",
    "replaced": "replace refs were others",
    "home": "the worktree that it was judged in is gone",
}


def _settings(then: Mapping[str, Any], now: Mapping[str, Any]) -> Iterator[str]:
    for name in sorted({*then, *now}):
        if then.get(name) != now.get(name):
            yield f"{name} was {_value(then, name)}, is {_value(now, name)}"


def _value(settings: Mapping[str, Any], name: str) -> str:
    return f"'{settings[name]}'" if name in settings else "unset"


def words(found: Rederived) -> str:
    """What is not the same: `verdict 'clean' on record, 'conflict' derived`; and why, if known."""
    told = "; ".join(
        f"{one.field} {_short(one.recorded)} on record, {_short(one.derived)} derived"
        for one in found.differences
    )
    if not told:
        return f"can't be derived: {found.reason}"
    return f"{told} (but {found.reason})" if found.reason else told


def _short(value: Any) -> str:
    if isinstance(value, list):
        more = f" and {len(value) - _MOST} more" if len(value) > _MOST else ""
        return ", ".join(_short(one) for one in value[:_MOST]) + more or "none"
    if isinstance(value, dict):
        return f"'{value.get('path')}' ({value.get('kind')})"
    return "none" if value is None else f"'{value}'"
