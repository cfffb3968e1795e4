"""Agents for a person: the list, one agent whole, a life."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, NamedTuple

from gitledger.cli import terminal
from gitledger.cli.ages import age, ago, local
from gitledger.cli.render import GAP, Cell, columns, put
from gitledger.cli.text import plural, shown, width
from gitledger.model.names import encode

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from gitledger.model.snapshot import Snapshot
    from gitledger.services.history import Moment
    from gitledger.services.live import LiveAgent

_PAINT = {
    "queued": ("blue",),
    "spawned": ("green",),
    "resumed": ("green",),
    "awaiting-review": ("yellow", "bold"),
    "interrupted": ("red", "bold"),
    "completed": ("dim",),
    "failed": ("red",),
}
_USEFUL = 24  # columns of a column that may be cut
_SHORT = 10  # digits of an object id that a person reads


class _Column(NamedTuple):
    """A column of the list. `gives_way` ranks those that go where there is no room for all."""

    name: str
    cells: list[Cell]
    gives_way: int = 0

    @property
    def least(self) -> int:
        """How wide it must be to be of use; what is long in it can be cut."""
        return min(_USEFUL, max(width(cell.words) for cell in [Cell(self.name), *self.cells]))


def print_list(rows: Sequence[tuple[int, Snapshot]]) -> None:
    """One line an agent: status, id, what matters of its work, title. Depth indents the id."""
    agents = [one for _, one in rows]
    table = [
        _Column("STATUS", [_status(one) for one in agents]),
        _Column("AGENT", [_indented(depth, one["id"]) for depth, one in rows]),
        _Column("BRANCH", [Cell(_telling_branch(one)) for one in agents], 2),
        _Column("GROUP", [Cell(one.get("group", "")) for one in agents], 3),
        _Column("REPORTS", [_reports(one) for one in agents]),
        _Column("FILES", [Cell(str(len(one["files_modified"]) or "-")) for one in agents]),
        _Column("AGE", [Cell(age(_begun(one))) for one in agents], 1),
        _Column("TITLE", [Cell(one["title"]) for one in agents]),
    ]
    fitting = _fitting([one for one in table if any(cell.words for cell in one.cells)])
    lines = zip(*(one.cells for one in fitting), strict=True)
    columns(list(lines), [one.name for one in fitting], wide=len(fitting) - 1)


def _fitting(table: list[_Column]) -> list[_Column]:
    """Without what gives way on a narrow terminal; all of it where nobody looks."""
    room, kept = terminal.line_width(), table
    for rank in (3, 2, 1):
        if room is None or sum(one.least + GAP for one in kept) - GAP <= room:
            break
        kept = [one for one in kept if one.gives_way != rank]
    return kept


def _begun(one: Snapshot) -> str | None:
    return one.get("spawned_at") or one.get("queued_at")


def _status(one: Snapshot) -> Cell:
    words = one["status"]
    if "merged" in one and one["state"] != "closed":
        return Cell(f"{words}, merged", ("cyan",))
    return Cell(words, _PAINT.get(words, ()))


def _indented(depth: int, name: str) -> Cell:
    return Cell("  " * (depth - 1) + "└ " + name if depth else name)


def _telling_branch(one: Snapshot) -> str:
    """The branch, where neither the id nor the title says it already."""
    branch = one.get("branch", "")
    return "" if branch in {f"agent/{encode(one['id'])}", one["title"]} else branch


def _reports(one: Snapshot) -> Cell:
    if one.get("churn"):
        return Cell(f"{one['iteration']} churn", ("red", "bold"))
    return Cell(str(one["iteration"] or ""))


def print_agent(one: LiveAgent, told: Snapshot, work: dict[str, Any]) -> None:
    """Everything of one agent, a line a fact; what it does not have is left out."""
    put(f"{terminal.paint(shown(told['id']), 'bold')}  {shown(told['title'])}")
    columns([Cell(f"  {name}", ("dim",)), words] for name, words in _facts(one, told) if words)
    _print_work(work)
    known: Any = told
    for name in ("summary", "result", "error"):
        _print_words(name, known.get(name))


def _facts(one: LiveAgent, told: Snapshot) -> Iterable[tuple[str, str | Cell]]:
    known: Any = told
    yield "status", _standing(told)
    yield "role", known.get("role", "")
    yield "parent", known.get("parent", "")
    yield "branch", _way(told)
    yield "worktree", _place(told)
    yield "started", _start(one, told)
    yield "queued", _time(known.get("queued_at"))
    yield "resumed", ", ".join(_time(at) for at in known.get("resumes", ()))
    yield "ended", _time(known.get("completed_at"))
    yield "merged", _merged(told)
    yield "interrupted", one.agent.interrupted_why or "" if told["status"] == "interrupted" else ""
    yield "sent back", one.agent.revised_why or "" if told["state"] == "running" else ""
    yield "plan", _plan(known)
    yield "group", known.get("group", "")
    yield "depends on", ", ".join(known.get("depends_on", ()))
    yield "declared", ", ".join(known.get("files_declared", ()))
    yield "session", " phase ".join(v for n in ("session", "session_phase") if (v := known.get(n)))
    yield "retry of", known.get("retry_of", "")
    yield "outcome", known.get("outcome", "")
    yield "used", _used(told)
    for check in told["checks"]:
        yield f"check {check['name']}", _check(check)


def _standing(told: Snapshot) -> Cell:
    words = told["status"]
    if told["iteration"]:
        words += f", {plural(told['iteration'], 'report')}"
    if told.get("churn"):
        words += ": sent back so often, the task was probably cut wrong"
    return Cell(words, _PAINT.get(told["status"], ()))


def _way(told: Snapshot) -> str:
    branch, target = told.get("branch", ""), told.get("target")
    return f"{branch} -> {target}" if branch and target else branch


def _place(told: Snapshot) -> str:
    path = told.get("worktree", "")
    return f"{path} (here)" if path and os.path.realpath(path) == os.path.realpath(".") else path


def _start(one: LiveAgent, told: Snapshot) -> str:
    words = _time(told.get("spawned_at"))
    commit = told.get("spawn_commit")
    if commit:
        words += f" from {commit[:_SHORT]}"
    source = one.agent.spawn_source
    return f"{words} (by {source})" if one.agent.late and source else words


def _time(at: str | None) -> str:
    return f"{local(at)} ({ago(at)})" if at else ""


def _merged(told: Snapshot) -> str:
    merged = told.get("merged")
    return f"into {merged['into']} as {merged['commit'][:_SHORT]}" if merged else ""


def _plan(known: Any) -> str:
    words = [f"{name} {known[name]}" for name in ("phase", "plan", "segment") if name in known]
    return ", ".join(
        [*words, "a group of tasks"] if known.get("granularity") == "task_group" else words
    )


def _used(told: Snapshot) -> str:
    usage = told["usage"]
    words = [f"{count} {name} tokens" for name, count in usage.items() if count]
    turns = f"{told['turn_count']} of {told['max_turns']} turns" if "max_turns" in told else ""
    if told["turn_count"] and not turns:
        turns = plural(told["turn_count"], "turn")
    words += [turns] if turns else []
    words += [plural(told["tool_uses"], "tool use")] if told["tool_uses"] else []
    more = told["compaction_count"]
    return ", ".join([*words, plural(more, "compaction")] if more else words)


def _check(check: Any) -> Cell:
    if "exit_code" not in check:
        return Cell(f"{check['command']} (not run yet)")
    good = check["exit_code"] == 0
    words = "passed" if good else f"failed with {check['exit_code']}"
    commit = f" at {check['commit'][:_SHORT]}" if check.get("commit") else ""
    return Cell(f"{check['command']} {words}{commit}", ("green",) if good else ("red",))


def _print_work(work: dict[str, Any]) -> None:
    commits = work.get("commits", [])
    state = ", uncommitted changes" if work.get("dirty") else ""
    counted = [plural(len(commits), "commit"), plural(len(work.get("files", ())), "file")]
    counted += [f"+{work['insertions']} -{work['deletions']}"] if "insertions" in work else []
    put()
    put(f"  {', '.join(counted)}{state}")
    _print_commits(reversed(commits))
    if work.get("late_commits"):
        put(f"  {plural(len(work['late_commits']), 'commit')} made after its end")
        _print_commits(work["late_commits"])
    if work.get("diff_stat"):
        put()
        for line in work["diff_stat"].splitlines():
            put(f"   {line}")


def _print_commits(commits: Iterable[dict[str, str]]) -> None:
    for one in commits:
        put(f"    {terminal.paint(one['commit'][:_SHORT], 'yellow')} {shown(one['subject'])}")


def _print_words(name: str, words: str | None) -> None:
    if words:
        put()
        put(terminal.paint(f"  {name}", "dim"))
        for line in words.splitlines():
            put(f"    {shown(line)}")


def print_life(moments: Sequence[Moment]) -> None:
    """A line a moment: time, kind, words."""
    columns(
        [[Cell(local(one.at), ("dim",)), _kind(one), Cell(_said(one))] for one in moments],
        wide=2,
    )


def _kind(one: Moment) -> Cell:
    painted = {"commit": ("yellow",), "reported": ("yellow", "bold")}
    return Cell(one.kind, painted.get(one.kind, _PAINT.get(one.kind, ())))


def _said(one: Moment) -> str:
    return f"{one.oid[:_SHORT]} {one.words}" if one.kind == "commit" else one.words
