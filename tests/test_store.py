"""Storage under fire: parallel writers, large payloads, one layout, nothing in the graph."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from gitledger.errors import Contended, NotUsable
from gitledger.git import refs
from gitledger.git.repository import Repository, discover
from gitledger.model.event import read_log
from gitledger.model.names import agent_ref, decode, encode
from gitledger.model.note import Note, parse_note
from gitledger.store import logs, notes, pointers
from tests.support import Place, new_repository


@pytest.fixture
def ledger(repo: Place) -> Repository:
    return discover(str(repo.path))


def append(repo: Repository, agent: str, kind: str, **body: object) -> None:
    logs.append(repo, agent_ref(agent, "log"), lambda _: [(kind, dict(body))])


def test_sixteen_writers_of_one_log_lose_nothing(ledger: Repository) -> None:
    with ThreadPoolExecutor(16) as pool:
        list(pool.map(lambda n: append(ledger, "a", "set", n=n), range(64)))
    log = logs.read(ledger, agent_ref("a", "log"))
    assert sorted(event.body["n"] for event in log.events) == list(range(64))
    assert log.broken == []


def test_sixteen_writers_of_notes_keep_all_320(ledger: Repository, repo: Place) -> None:
    commits = [f"{n:040x}" for n in range(1, 321)]

    def write(part: int) -> None:
        for commit in commits[part::16]:
            notes.write(ledger, "main-worktree", lambda: {commit: Note("a")})

    with ThreadPoolExecutor(16) as pool:
        list(pool.map(write, range(16)))
    assert sorted(notes.read_worktree(ledger, "main-worktree")) == commits
    assert repo.git("rev-list", "--count", "refs/notes/ledger/main-worktree") == "1"


def test_each_event_names_the_one_before_it(ledger: Repository) -> None:
    for kind in ("spawned", "reported", "completed"):
        append(ledger, "a", kind)
    events = logs.read(ledger, agent_ref("a", "log")).events
    assert [event.prev for event in events] == [(), (events[0].id,), (events[1].id,)]


def test_the_id_of_an_event_is_gits_blob_id_of_its_line(ledger: Repository, repo: Place) -> None:
    append(ledger, "a", "spawned", branch="caf\udce9")
    event = logs.read(ledger, agent_ref("a", "log")).events[0]
    (repo.path / "line").write_bytes(event.line)
    assert repo.git("hash-object", "line") == event.id
    assert event.body["branch"] == "caf\udce9"


def test_a_long_payload_is_kept_apart_and_read_back_whole(ledger: Repository, repo: Place) -> None:
    append(ledger, "a", "reported", summary="x" * 50_000, outcome="complete")
    event = logs.read(ledger, agent_ref("a", "log")).events[0]
    assert len(event.line) < 1000
    assert event.body["summary"] == "x" * 50_000
    repo.git("-c", "gc.pruneExpire=now", "gc", "-q", "--prune=now")
    again = logs.read(ledger, agent_ref("a", "log")).events[0]
    assert again.body["summary"] == "x" * 50_000
    assert repo.git("ls-tree", "--name-only", agent_ref("a", "files")) == event.id


def test_what_decide_raises_writes_nothing(ledger: Repository) -> None:
    def refuse(_: logs.Log) -> logs.Facts:
        raise ValueError

    with pytest.raises(ValueError):
        logs.append(ledger, agent_ref("a", "log"), refuse)
    assert logs.read_all(ledger) == {}


def test_a_lock_that_stays_is_named_and_left(
    ledger: Repository, repo: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    append(ledger, "a", "spawned")
    monkeypatch.setattr(refs, "PATIENCE", 0.05)
    lock = repo.path / repo.git("rev-parse", "--git-path", f"{agent_ref('a', 'log')}.lock")
    lock.touch()
    with pytest.raises(Contended, match="File exists") as caught:
        append(ledger, "a", "reported")
    assert caught.value.hint == (
        "another git process holds the lock; if none runs, remove that lock file"
    )
    assert lock.exists()


def test_broken_and_newer_lines_are_kept_and_named(ledger: Repository, repo: Place) -> None:
    append(ledger, "a", "spawned")
    ref = agent_ref("a", "log")
    good = logs.read(ledger, ref)
    odd = b'half a li\n{"v":2,"kind":"x","at":"","prev":[]}\n{"v":1}'
    (repo.path / "odd").write_bytes(good.content + odd)
    repo.git("update-ref", ref, repo.git("hash-object", "-w", "odd"))
    append(ledger, "a", "completed")
    log = logs.read(ledger, ref)
    assert [event.kind for event in log.events] == ["spawned", "completed"]
    assert [(one.number, one.why) for one in log.broken] == [
        (2, "not JSON: Expecting value: line 1 column 1 (char 0)"),
        (3, "written by a newer version (v 2)"),
        (4, "field 'kind' is missing or not a str"),
    ]
    assert log.content.startswith(good.content + odd + b"\n")


def test_notes_of_gits_own_fan_out_are_found_by_git(ledger: Repository, repo: Place) -> None:
    head = repo.git("rev-parse", "HEAD")
    notes.write(ledger, "worktrees/x", lambda: {head: Note("Ada/1", 2, ("ab" * 20,))})
    shown = repo.git("log", "-1", "--format=%N", "--notes=ledger/*")
    assert shown == f"agent: Ada/1\niteration: 2\nsupersedes: {'ab' * 20}\n"
    assert notes.lookup(ledger, [head]) == {head: {"worktrees/x": Note("Ada/1", 2, ("ab" * 20,))}}
    notes.write(ledger, "worktrees/x", lambda: {head: None})
    assert notes.read_all(ledger) == {"worktrees/x": {}}


def test_a_note_of_a_newer_version_survives_a_round_trip() -> None:
    words = "agent: a\niteration: 3\nfrom: b\nsource: inferred\nmood: good\n"
    note = parse_note(words)
    assert note == Note("a", 3, (), ("b",), "inferred", ("mood: good",))
    assert note.render() == words


def test_a_note_without_an_agent_is_withheld() -> None:
    note = parse_note("unknown: zed\n")
    assert note == Note("", extra=("unknown: zed",))
    assert note.render() == "unknown: zed\n"


@pytest.mark.parametrize(
    ("name", "component"),
    [
        ("plain-1_x", "plain-1_x"),
        ("Upper/and space", "%55pper%2fand%20space"),
        ("..", "%2e%2e"),
        ("é", "%c3%a9"),
    ],
)
def test_ids_become_safe_ref_components_and_come_back(name: str, component: str) -> None:
    assert encode(name) == component
    assert decode(component) == name


def test_a_very_long_id_is_hashed_and_still_told_apart() -> None:
    first, second = encode("A" * 300), encode("A" * 299 + "B")
    assert first != second
    assert max(len(first), len(second)) <= 100
    assert decode(first) is None


def test_the_graph_shows_one_commit_more_for_a_worktree(ledger: Repository, repo: Place) -> None:
    head = repo.git("rev-parse", "HEAD")
    for n in range(5):
        append(ledger, f"agent-{n}", "spawned")
        notes.write(ledger, "worktrees/x", lambda: {head: Note("a"), f"{n + 1:040x}": Note("a")})
    assert len(repo.git("log", "--all", "--format=%H").splitlines()) == 2


def test_pointers_are_read_for_all_worktrees_and_cleared_from_inside(
    ledger: Repository, repo: Place
) -> None:
    tree = repo.worktree("w")
    append(ledger, "a", "spawned")
    pointers.point(ledger, "a", "worktrees/w")
    known = {ref: log.oid for ref, log in logs.read_all(ledger).items()}
    names = ["main-worktree", "worktrees/w"]
    assert pointers.read_pointers(ledger, names, known) == {"worktrees/w": agent_ref("a", "log")}
    append(ledger, "a", "reported")  # grown since it was read
    assert pointers.read_pointers(ledger, names, known) == {"worktrees/w": agent_ref("a", "log")}
    inside = discover(str(tree.path))
    pointers.clear(inside)
    pointers.clear(inside)
    assert pointers.current(inside) is None
    assert pointers.cleared(ledger, "worktrees/w")
    assert not pointers.cleared(ledger, "main-worktree")


def test_a_pointer_that_names_something_else_does_not_count(
    ledger: Repository, repo: Place
) -> None:
    repo.git("symbolic-ref", "refs/worktree/ledger/agent", "refs/heads/main")
    assert pointers.current(ledger) is None
    assert pointers.read_pointers(ledger, ["main-worktree"], {}) == {}


def test_everything_works_in_a_sha256_repository(tmp_path, env) -> None:
    place = new_repository(tmp_path / "big", env, "--object-format=sha256")
    big = discover(str(place.path))
    append(big, "a", "spawned")
    head = place.git("rev-parse", "HEAD")
    notes.write(big, "main-worktree", lambda: {head: Note("a")})
    assert notes.read_all(big) == {"main-worktree": {head: Note("a")}}
    events, broken = read_log(logs.read(big, agent_ref("a", "log")).content, "sha256")
    assert (len(events[0].id), broken) == (64, [])


def test_another_tools_ref_in_the_way_is_named_and_left(ledger: Repository, repo: Place) -> None:
    """Two that take both places of our notes."""
    for taken in ("refs/notes/ledger", "refs/notes/git-ledger"):
        repo.git("update-ref", taken, "HEAD")
    with pytest.raises(NotUsable) as caught:
        notes.write(ledger, "main-worktree", lambda: {"0" * 39 + "1": Note("a")})
    assert (caught.value.message, caught.value.hint) == (
        "ref 'refs/notes/git-ledger' stands in the way of 'refs/notes/git-ledger/main-worktree'",
        (
            "if it may be renamed: git update-ref refs/notes/git-ledger-old refs/notes/git-ledger"
            " && git update-ref -d refs/notes/git-ledger"
        ),
    )
    assert repo.git("rev-parse", "refs/notes/ledger") == repo.git("rev-parse", "HEAD")
