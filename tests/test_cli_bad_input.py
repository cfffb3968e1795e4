"""Bad input: a clear error, the exit code of DESIGN section 5, nothing half-written."""

from __future__ import annotations

import shutil
import subprocess
from typing import TYPE_CHECKING

import pytest

from gitledger.cli import main, table
from gitledger.model.event import make_line
from gitledger.model.names import agent_ref
from tests.support import Place, new_repository

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

Told = tuple[int, str, str]
# Commands that need no repository, and what the others need beside one.
ANYWHERE = {"help", "demo"}
ARGUMENTS = {
    "close": ["--accepted"],
    "detect": ["--output", "x"],
    "export": ["maestro"],
    "fail": ["--error", "x"],
    "gate": ["manual"],
    "handoff": ["check", "plan", "x"],
    "import": ["maestro", "x"],
    "retry": ["x"],
    "revise": ["--why", "x"],
    "session": ["list"],
    "set": ["--role", "x"],
    "spawn": ["x"],
    "usage": ["add", "--input", "1"],
    "start": ["x"],
}


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Callable[..., Told]:
    """`git ledger WORDS` in a place, in this process: exit code, stdout, stderr."""

    def ran(place: Place, *words: str) -> Told:
        for name, value in place.env.items():
            monkeypatch.setenv(name, value)
        monkeypatch.chdir(place.path)
        code = main.run(words)
        out, err = capsys.readouterr()
        return code, out, err

    return ran


SET_UP = [
    ["init"],
    ["spawn", "fix-login", "--id", "fix-login", "--path", "../fix-login"],
    ["spawn", "fix-logout", "--id", "fix-logout", "--path", "../fix-logout"],
    ["reconcile"],
]


@pytest.fixture
def place(repo: Place, run: Callable[..., Told]) -> Place:
    """A repository with hooks and two agents, `fix-login` and `fix-logout`."""
    assert [run(repo, *words)[0] for words in SET_UP] == [0] * len(SET_UP)
    return repo


@pytest.fixture(scope="module")
def untouched(seal: dict[str, str], tmp_path_factory: pytest.TempPathFactory) -> Place:
    """The same, once for all that must not change it."""
    repo = new_repository(tmp_path_factory.mktemp("untouched") / "repo", seal)
    assert [repo.ledger(*words).returncode for words in SET_UP] == [0] * len(SET_UP)
    return repo


def everything(place: Place) -> set[str]:
    """Refs, worktrees and files: what a refused command leaves as it was."""
    found = (one for one in place.path.parent.rglob("*") if one.is_file())
    git_s_own = {"objects", "packed-refs"}  # both may grow without anything being different
    files = {str(one) for one in found if not git_s_own & set(one.parts)}
    listed = (place.git("for-each-ref"), place.git("worktree", "list", "--porcelain"))
    return files.union(*(one.splitlines() for one in listed))


NOT_ONE_LINE = "hint: {} is one line without control characters\n"
REFUSED = [
    (["spawn", "a\nb"], "error: bad title 'a\\nb'\n" + NOT_ONE_LINE.format("a title")),
    (["spawn", "\x1b[2J"], "error: bad title '\\x1b[2J'\n" + NOT_ONE_LINE.format("a title")),
    (
        ["spawn", "x", "--id", "a\nb"],
        "error: bad agent id 'a\\nb'\n" + NOT_ONE_LINE.format("an id"),
    ),
    (
        ["spawn", "x", "--id", "fix-login"],
        "error: agent 'fix-login' exists\nhint: choose another id with '--id', or leave it out\n",
    ),
    (
        ["spawn", "x", "-b", "main"],
        "error: a branch named 'main' exists\nhint: choose another with '--branch'\n",
    ),
    (
        ["spawn", "x", "-b", "a..b"],
        "error: 'a..b' is not a valid branch name\nhint: choose one with '--branch'\n",
    ),
    (
        ["spawn", "x", "--path", "../fix-login"],
        "error: '{top}/fix-login' exists\nhint: choose another place with '--path'\n",
    ),
    (
        ["spawn", "x", "--from", "nosuch"],
        "error: 'nosuch' is not a commit\nhint: name a branch, a tag or a commit to start from\n",
    ),
    (["adopt", "nosuch"], "error: 'nosuch' is not a worktree\nhint: see 'git worktree list'\n"),
    (
        ["who", "nosuch"],
        "error: 'nosuch' is not a commit\nhint: name a commit, a branch or a tag\n",
    ),
    (["who", "-"], "error: '-' is not a commit\nhint: name a commit, a branch or a tag\n"),
    (["who", ""], "error: '' is not a commit\nhint: name a commit, a branch or a tag\n"),
]


NAMING_AN_AGENT = ["show", "log", "path", "diff", "check", "merge", "complete", "fail --error x"]
NAMING_AN_AGENT += ["close --accepted", "report", "revise -m x", "interrupt"]
NOBODY = "error: unknown agent 'nosuch'\nhint: the most recent: fix-logout, fix-login\n"
TWO = "error: 'fix-log' could be any of 2 agents\nhint: one of: fix-login, fix-logout\n"
NOT_HERE = "error: no agent works in this worktree\nhint: name one: 'git ledger list' shows them\n"
for line in NAMING_AN_AGENT:
    command = line.split()
    REFUSED += [([*command, "nosuch"], NOBODY), ([*command, "fix-log"], TWO), (command, NOT_HERE)]
REFUSED += [(["retry", "nosuch"], NOBODY), (["resume", "nosuch"], NOBODY)]


@pytest.mark.parametrize(
    ("words", "told"),
    REFUSED,
    ids=lambda one: ascii(" ".join(one))[:40] if isinstance(one, list) else "",
)
def test_a_name_that_is_no_good_is_exit_2(
    untouched: Place, run: Callable[..., Told], words: list[str], told: str
) -> None:
    before = everything(untouched)
    assert run(untouched, *words) == (2, "", told.replace("{top}", str(untouched.path.parent)))
    assert everything(untouched) == before


@pytest.mark.parametrize("name", [one for one in table.COMMANDS if one not in ANYWHERE])
def test_not_a_repository_is_exit_128(nowhere: Place, run: Callable[..., Told], name: str) -> None:
    code, out, err = run(nowhere, name, *ARGUMENTS.get(name, []))
    assert (code, out) == (128, "")
    assert err.startswith(f"error: not a git repository: '{nowhere.path}'\nhint: ")
    assert list(nowhere.path.iterdir()) == []


NO_COMMIT_YET = [
    (["init"], 0),
    (["doctor"], 1),  # nothing is installed
    (["reconcile"], 0),
    (["list"], 0),
    (["list", "--json"], 0),
    (["adopt", "--all"], 0),
    (["current"], 1),
    (["spawn", "x"], 2),
    (["conflicts"], 0),
    (["check"], 2),
    (["show"], 2),
    (["who"], 2),
]


@pytest.mark.parametrize(("words", "code"), NO_COMMIT_YET, ids=str)
def test_no_commits_yet(
    nowhere: Place, run: Callable[..., Told], words: list[str], code: int
) -> None:
    nowhere.git("init", "-q", "-b", "main")
    done = run(nowhere, *words)
    assert done[0] == code, done
    assert done[2].startswith("error: ") == (code == 2)


NAMES_WORTH_TRYING = ["a/b: c", "UPPER", "日本", "-dash", "a%2fb", ".hidden", "x.lock", "@{u}"]


@pytest.mark.parametrize("name", NAMES_WORTH_TRYING)
def test_an_id_is_kept_word_for_word(place: Place, run: Callable[..., Told], name: str) -> None:
    code, out, err = run(place, "spawn", "--id", name, "--", "a title / with a slash")
    assert code == 0, err
    there = Place(place.path / out.rstrip("\n"), place.env)
    there.commit("work", new="x")
    assert run(place, "who", there.git("rev-parse", "HEAD"))[1].startswith(f"{name}  a title / ")
    assert place.is_clean_for_fsck()


def test_no_identity_is_needed_to_record(place: Place) -> None:
    nobody = {k: v for k, v in place.env.items() if not k.startswith(("GIT_AUTHOR", "GIT_COMM"))}
    nameless = Place(place.path, {**nobody, "EMAIL": "", "GIT_CONFIG_COUNT": "1"} | CONFIG_ONLY)
    for words in (["spawn", "x"], ["reconcile"], ["adopt", "--all"]):
        done = nameless.ledger(*words)
        assert done.returncode == 0, done.stderr


CONFIG_ONLY = {"GIT_CONFIG_KEY_0": "user.useConfigOnly", "GIT_CONFIG_VALUE_0": "true"}


def append(place: Place, agent: str, line: bytes) -> None:
    """Another line at the end of an agent's log, as some other program would put it."""
    ref = agent_ref(agent, "log")
    log = place.git("cat-file", "blob", ref).encode() + b"\n" + line + b"\n"
    place.write("../log", log)
    place.git("update-ref", ref, place.git("hash-object", "-w", "../log"))
    (place.path.parent / "log").unlink()


ODD_LINES = {
    "broken": b'{"v":1,"kind":',
    "no object": b"[]",
    "not UTF-8": b"\xff\xfe",
    "newer": make_line("spawned", [], {"id": "fix-login"}).replace(b'"v":1', b'"v":99'),
    "unknown kind": make_line("teleported", [], {"where": "mars"}),
}
WITH_ODD_LINES = [
    "list",
    "show fix-login",
    "log fix-login",
    "conflicts",
    "check fix-login",
    "reconcile",
    "spawn y",
    "adopt --all",
    "doctor",
    "who",
    "complete fix-login",
]


@pytest.mark.parametrize("line", ODD_LINES)
def test_a_log_that_is_odd_is_kept_and_does_not_stop_anybody(
    place: Place, run: Callable[..., Told], line: str
) -> None:
    append(place, "fix-login", ODD_LINES[line])
    for words in WITH_ODD_LINES:
        code, _, err = run(place, *words.split())
        assert code in {0, 1}, err
        assert "a bug" not in err
    kept = place.run("git", "cat-file", "blob", agent_ref("fix-login", "log")).stdout
    assert ODD_LINES[line].decode("utf-8", "surrogateescape") in kept


def test_a_locked_ref_is_named_and_nothing_is_written(
    place: Place, run: Callable[..., Told], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gitledger.git.refs.PATIENCE", 0.1)
    lock = place.path / ".git" / f"{agent_ref('x', 'log')}.lock"
    lock.parent.mkdir(parents=True)
    lock.touch()
    before = everything(place)
    code, out, err = run(place, "spawn", "x", "--id", "x")
    assert (code, out) == (128, "")
    assert err.startswith("error: cannot write ")
    assert err.endswith(
        "hint: another git process holds the lock; if none runs, remove that lock file\n"
    )
    assert everything(place) == before


def as_reader(*words: str) -> list[str]:
    """Root ignores what a file's mode says, unless it gives that right away."""
    rights = "-dac_override,-dac_read_search"
    return ["setpriv", f"--bounding-set={rights}", f"--inh-caps={rights}", *words]


def can_be_reader() -> bool:
    if shutil.which("setpriv") is None:
        return False
    return subprocess.run(as_reader("true"), capture_output=True, check=False).returncode == 0


@pytest.fixture
def read_only(place: Place) -> Place:
    if not can_be_reader():
        pytest.skip("nothing here takes root's rights away")
    for one in [place.path / ".git", *(place.path / ".git").rglob("*")]:
        if one.is_dir():
            one.chmod(0o555)
    return place


READ_ONLY = [["spawn", "x"], ["spawn", "x", "--here"], ["init", "--gates"], ["deinit"]]


@pytest.mark.parametrize("words", READ_ONLY, ids=" ".join)
def test_a_read_only_repository_is_exit_128(read_only: Place, words: list[str]) -> None:
    before = everything(read_only)
    done = read_only.run(*as_reader("git", "ledger", *words))
    assert done.returncode == 128, done
    assert done.stderr.startswith("error: ")
    assert "Traceback" not in done.stderr
    assert done.stdout == ""
    assert everything(read_only) == before


def test_a_read_only_repository_can_be_read(read_only: Place) -> None:
    done = read_only.run(*as_reader("git", "ledger", "who", "main"))
    assert done.returncode == 1
    assert done.stderr.endswith(" is on record for nobody\n")


def test_sha256_is_no_bad_input(
    tmp_path: Path, env: dict[str, str], run: Callable[..., Told]
) -> None:
    place = new_repository(tmp_path / "sha256", env, "--object-format=sha256")
    assert run(place, "init")[0] == 0
    code, out, err = run(place, "spawn", "x", "--id", "x")
    assert code == 0, err
    commit = Place(place.path / out.rstrip("\n"), env).commit("work", new="x")
    assert len(commit) == 64
    assert run(place, "who", commit)[:2] == (0, "x  x\n")
