"""The scripted session of docs/SESSIONS.md: three phases, five agents, and what goes wrong."""

from __future__ import annotations

import tempfile
from pathlib import Path

from docs.pages.scripted import Console
from tests.support import ROOT, Place, new_repository, sealed_environment

PAGE = ROOT / "docs" / "SESSIONS.md"
PHASES = """\
- name: Foundation
  agents: [coder]
- name: Features
  blocked_by: [1]
- name: Review
  blocked_by: [2]
"""
HANDOFF = """\
## Key Interfaces Introduced

- `User(name)`

## Patterns Established

None

## Assumptions

- a session ends with the browser
"""
OUTPUT = """\
I have read every line.

## Verification complete

Nothing to change.
"""


def page() -> str:
    """The page, its session run again."""
    with tempfile.TemporaryDirectory() as directory:
        console = Console(_repository(Path(directory).resolve()))
        foundation(console)
        features(console)
        interrupted(console)
        return console.written(PAGE.read_text(encoding="utf-8"))


def _repository(directory: Path) -> Place:
    place = new_repository(directory / "repo", sealed_environment(directory / "home"))
    place.write("docs/maestro/plans/log-in.md", "# How to log in\n")
    place.write("user.py", "class User: ...\n")
    place.commit("plan")
    place.write("../phases.yaml", PHASES)
    place.write("../handoff.md", HANDOFF)
    return place


def foundation(console: Console) -> None:
    plan = "--plan docs/maestro/plans/log-in.md"
    console.show(
        "start",
        "cat ../phases.yaml",
        f"git ledger session start 'Log in' --phases ../phases.yaml {plan}",
        "git ledger session phase start 1",
        "git ledger spawn 'Write the types' --id types --role coder --path ../types",
    )
    console.place.at("../types").commit("User", user__py="class User:\n    name: str\n")
    console.show(
        "foundation",
        "git ledger report types -m 'A user has a name.' --input 8000 --output 4000 --cached 2000",
        "git ledger merge types",
        "git ledger session phase complete 1 --context ../handoff.md",
    )


def features(console: Console) -> None:
    place = console.place
    console.show(
        "features",
        "git ledger session phase start 2",
        "git ledger spawn 'Log in' --id login --role coder --path ../login",
        "git ledger spawn 'Log out' --id logout --role coder --path ../logout",
    )
    for name in ("login", "logout"):
        text = f"class User:\n    name: str\n    def {name}(self): ...\n"
        place.at(f"../{name}").commit(name, user__py=text)
    console.show("conflict", "git ledger merge login", "git ledger merge logout")
    fail = "git ledger session phase fail 2 --type validation --agent logout --error"
    console.show(
        "retries",
        f"{fail} 'logout cannot be merged'",
        "git ledger session phase retry 2 -m 'merge main into logout'",
        f"{fail} 'two tests fail'",
        "git ledger session phase retry 2",
        f"{fail} 'one test fails'",
        "git ledger session phase retry 2",
        "git ledger session show --as terminal",
    )
    _resolve(place.at("../logout"))
    console.show(
        "override",
        "git ledger session phase retry 2 --override -m 'a person helps'",
        "git ledger merge logout",
        "git ledger session error resolve 2 1 -m 'merged by hand'",
        "git ledger usage add --role coder --input 9000 --output 3000 --cached 1000",
        "git ledger session phase complete 2",
    )


def _resolve(place: Place) -> None:
    """What a person does about the conflict."""
    place.run("git", "merge", "-q", "main")
    both = "class User:\n    name: str\n    def login(self): ...\n    def logout(self): ...\n"
    place.commit("Merge branch 'main'", user__py=both)


def interrupted(console: Console) -> None:
    place = console.place
    check = "--check unit='python3 test_user.py'"
    console.show(
        "review",
        "git ledger session phase start 3",
        "git ledger spawn 'Read it all' --id review --role gsd-verifier --path ../review",
        f"git ledger spawn 'Test it' --id tests --role tester --path ../tests {check}",
    )
    place.at("../review").commit("notes", notes__md="Fine.\n")
    place.at("../tests").write("test_user.py", "def test_log")
    console.show("resume", "git ledger session resume", "git ledger session resume --yes")
    place.at("../tests").commit("tests", test_user__py="from user import User\nUser().login()\n")
    place.write("../output.md", OUTPUT)
    console.show(
        "detect",
        "cat ../output.md",
        "git ledger detect review --output ../output.md",
        "git ledger report review --from-output ../output.md --input 7000 --output 1000",
    )
    console.show(
        "archive",
        "git ledger close review --accepted",
        "git ledger report tests -m 'Both work.' --run-checks --input 5000 --output 2500",
        "git ledger merge tests",
        "git ledger session phase complete 3",
        "git ledger session verify",
    )
    console.show(
        "show",
        "git ledger session list",
        "git ledger session show 2026 --as terminal",
        "git ledger session show 2026",
    )


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
