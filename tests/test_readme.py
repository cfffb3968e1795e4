"""What README and the other pages say is so."""

from __future__ import annotations

import re

import pytest

from docs.pages.shape import shapes
from docs.pages.words import AFTER
from gitledger.cli import failures
from gitledger.errors import Found, LedgerError, NotUsable, Refused, Undecided
from tests.support import ROOT

README = (ROOT / "README.md").read_text(encoding="utf-8")
PAGES = [
    *("README.md", "AGENTS.md", "CHANGELOG.md"),
    *sorted(f"docs/{path.name}" for path in (ROOT / "docs").glob("*.md")),
]
EXIT_CODES = [0, Found.exit_code, LedgerError.exit_code, Undecided.exit_code, Refused.exit_code]
EXIT_CODES += [failures.BUG, NotUsable.exit_code]


def one_line_commands() -> list[str]:
    return [line for line in README.splitlines() if line.startswith("python3 -m venv")]


def test_the_readme_has_two_commands_of_one_line() -> None:
    demo, tests = one_line_commands()
    assert demo.endswith("git-ledger demo")
    assert "pytest" in tests
    assert not re.search(r"\b(make|uv|poetry)\b", demo + tests)


def test_ci_runs_the_readme_s_command() -> None:
    ci = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    assert ci.splitlines()[-1] == one_line_commands()[1]


@pytest.mark.parametrize("page", PAGES)
def test_links_lead_somewhere(page: str) -> None:
    path = ROOT / page
    links = re.findall(r"\]\(([^)#]+)\)", path.read_text(encoding="utf-8"))
    local = [link for link in links if "://" not in link]
    assert [link for link in local if not (path.parent / link).exists()] == []


@pytest.mark.parametrize("page", PAGES)
def test_files_that_are_named_exist(page: str) -> None:
    text = (ROOT / page).read_text(encoding="utf-8")
    named = set(re.findall(r"`((?:docs|tests|benchmarks|cli|\.ci)/[\w./-]+)`", text))
    places = (ROOT, ROOT / "gitledger")
    assert [one for one in named if not any((base / one).exists() for base in places)] == []


@pytest.mark.parametrize("page", ["README.md", "AGENTS.md"])
def test_exit_codes_are_those_of_the_code(page: str) -> None:
    rows = re.findall(r"^\| (\d+) \|", (ROOT / page).read_text(encoding="utf-8"), re.MULTILINE)
    assert [int(row) for row in rows] == EXIT_CODES


def test_exit_codes_in_the_man_page_are_those_of_the_code() -> None:
    assert [int(code) for code in re.findall(r"^: (\d+) = ", AFTER, re.MULTILINE)] == EXIT_CODES


def named_commands(page: str) -> list[str]:
    """What pages write as `git ledger …`, up to where the command ends."""
    text = (ROOT / page).read_text(encoding="utf-8")
    code = "\n".join(
        re.findall(r"`([^`\n]+)`", text) + re.findall(r"```\w*\n(.*?)```", text, re.DOTALL)
    )
    return re.findall(r"git ledger ([a-z][^\n#;|)>&]*)", code)


@pytest.mark.parametrize("page", PAGES)
def test_commands_and_options_that_pages_name_exist(page: str) -> None:
    flags = {one.name: {"--color", *(f for o in one.options for f in o.flags)} for one in shapes()}
    for line in named_commands(page):
        words = [word.strip("\"'") for word in line.split()]
        depth = max((n for n in (1, 2, 3) if " ".join(words[:n]) in flags), default=0)
        assert depth, f"no such command: git ledger {line}"
        options = {word.partition("=")[0].strip("[],") for word in words if word.startswith("--")}
        assert options - {"--"} <= flags[" ".join(words[:depth])], f"git ledger {line}"
