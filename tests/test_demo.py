"""The demo: whoever runs it sees what the README shows, and finds nothing left behind."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from docs.pages import pages

if TYPE_CHECKING:
    from tests.support import Place

# What a user may have configured, and none of which the demo may meet.
HOSTILE = """
[commit]
    gpgsign = true
    template = /nowhere/template
[core]
    hooksPath = /nowhere/hooks
    autocrlf = true
    attributesFile = /nowhere/attributes
[init]
    defaultBranch = trunk
    templateDir = /nowhere/template
[merge]
    ff = false
    conflictStyle = diff3
[color]
    ui = always
[user]
    useConfigOnly = true
[ledger]
    target = nowhere
"""
ALSO_HOSTILE = {
    "GIT_DIR": "/nowhere",
    "GIT_INDEX_FILE": "/nowhere",
    "GIT_LEDGER_AGENT": "nobody",
    "GIT_TEMPLATE_DIR": "/nowhere",
    "GIT_CONFIG_PARAMETERS": "'core.bare'='true'",
    "GIT_CONFIG_COUNT": "1",
    "GIT_CONFIG_KEY_0": "core.hooksPath",
    "GIT_CONFIG_VALUE_0": "/nowhere",
    "GIT_AUTHOR_DATE": "nonsense",
    "GIT_COMMITTER_NAME": "",
}


@pytest.fixture
def hostile(nowhere: Place) -> dict[str, str]:
    config = nowhere.path.parent / "home" / ".gitconfig"
    config.write_text(HOSTILE)
    temporary = nowhere.path.parent / "tmp"
    temporary.mkdir()
    return {**ALSO_HOSTILE, "TMPDIR": str(temporary)}


def test_the_readme_s_session_is_what_the_demo_prints(
    nowhere: Place, hostile: dict[str, str]
) -> None:
    done = nowhere.ledger("demo", env=hostile)
    assert (done.returncode, done.stderr) == (0, "")
    by_configuration = r"set hook\.git-ledger-(\{.*\})\.\*"  # what git 2.54 and newer get
    told = re.sub(by_configuration, r"write .git/hooks/\1", pages.told(done.stdout))
    assert told == pages.part("session"), "run: python -m docs.pages"
    assert list((nowhere.path.parent / "tmp").iterdir()) == []
    assert list(nowhere.path.iterdir()) == []


def test_it_fits_a_screen() -> None:
    _, *lines, _ = pages.part("session").splitlines()
    assert len(lines) <= 52
    assert [line for line in lines if len(line) > 100] == []


def test_a_path_is_kept(nowhere: Place) -> None:
    done = nowhere.ledger("demo", "here")
    shop = nowhere.at("here/shop")
    assert done.stderr == f"the repository is kept: cd '{shop.path}'\n"
    assert shop.git("log", "-1", "--format=%s", "main") == "Take the discount off"
    assert shop.git("branch", "--show-current") == "main"
    assert sorted(one.name for one in (nowhere.path / "here").iterdir()) == [
        *("discounts", "home", "receipts", "search", "shop", "taxes")
    ]
    assert shop.is_clean_for_fsck()


def test_a_path_in_the_way_is_left_alone(nowhere: Place) -> None:
    nowhere.write("here/mine", "mine")
    done = nowhere.ledger("demo", "here")
    assert (done.returncode, done.stdout) == (2, "")
    hint = "hint: name a path where nothing is yet\n"
    assert done.stderr == f"error: '{nowhere.path}/here' is in the way\n{hint}"
    assert [one.name for one in (nowhere.path / "here").iterdir()] == ["mine"]
