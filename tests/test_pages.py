"""The written pages are those of the commands as they are, and programs can read them."""

from __future__ import annotations

import re
import shutil
import subprocess

import pytest

from docs.pages import pages
from docs.pages.shape import shapes
from docs.pages.words import CONFIG
from gitledger.cli.table import COMMANDS
from tests.support import ROOT

SHARE = ROOT / "gitledger" / "share"
AGAIN = "run: python -m docs.pages"


@pytest.mark.parametrize("name", pages.PAGES)
def test_pages_are_up_to_date(name: str) -> None:
    assert (SHARE / name).read_text(encoding="utf-8") == pages.written(name), AGAIN


def test_the_readme_lists_the_commands_as_they_are() -> None:
    assert pages.part("commands") == pages.commands(), AGAIN


def test_every_command_is_in_the_man_page() -> None:
    page = (SHARE / "git-ledger.1").read_text(encoding="utf-8")
    titles = re.findall(r'^\.SS "git ledger ([^\[A-Z"]*)', page, re.MULTILINE)
    found = {title.replace("\\-", "-").strip() for title in titles}
    assert found == {one.name for one in shapes() if one.path}
    assert set(COMMANDS) <= found


def test_groff_has_nothing_to_say_about_the_man_page() -> None:
    if shutil.which("groff") is None:
        pytest.skip("there is no groff here")
    asked = ["groff", "-man", "-ww", "-z", str(SHARE / "git-ledger.1")]
    done = subprocess.run(asked, capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")


# Ours alone, written by init or passed on within one call.
INTERNAL = {"ledger.hooksPathBefore", "ledger.expanded"}


def test_the_man_page_has_the_settings_that_the_code_reads_and_no_others() -> None:
    code = "".join(path.read_text() for path in (ROOT / "gitledger").rglob("*.py"))
    read = set(re.findall(r"[\"'](ledger\.[a-z]+[A-Za-z]*)[\"']", code))
    for path in (ROOT / "hooks").iterdir():
        read |= set(re.findall(r"config [^\n]*?(ledger\.[a-zA-Z]+)", path.read_text()))
    assert read - INTERNAL == set(CONFIG) - {"ledger.<hook>.gate"}
