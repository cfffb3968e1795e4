"""What a PLAN.md and a SUMMARY.md must hold: the whole list of what is missing."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitledger.contracts.frontmatter import cut, read, write
from gitledger.contracts.handoff import missing_in_plan, plan_fields, read_summary
from gitledger.errors import LedgerError

PLAN = """---
phase: 02
plan: 01
type: execute
wave: 1
depends_on: []
files_modified: [src/a.py, "src/b.py"]
autonomous: true
requirements: []
---

<objective>
Log in.
</objective>

<tasks>

<task type="auto">
  <name>One</name>
  <files>src/a.py</files>
  <action>Write it.

    ```xml
    <verify></verify>
    ```
  </action>
  <verify>pytest</verify>
  <acceptance_criteria>It logs in.</acceptance_criteria>
</task>

</tasks>

<verification>
All pass.
</verification>

<success_criteria>
A user is in.
</success_criteria>
"""
SUMMARY = """---
phase: 02-login
plan: 01
subsystem: auth
tags: [auth]
key-files:
  created: [src/a.py]
  modified:
    - src/b.py
metrics: {duration: 4m}
---

# Login

## Task Commits

| Task | Commit | Words |
|---|---|---|
| 1 | `abc1234` | log in |
| 2 | 0123456789abcdef0123456789abcdef01234567 | log out |

## Deviations from Plan

None

## Self-Check: PASSED
"""


def test_whole_documents_lack_nothing() -> None:
    assert missing_in_plan(PLAN) == []
    summary = read_summary(SUMMARY)
    assert summary.missing == ()
    assert summary.commits == ("abc1234", "0123456789abcdef0123456789abcdef01234567")
    assert summary.key_files == ("src/a.py", "src/b.py")
    assert summary.self_check == "PASSED"


def test_an_empty_document_lacks_everything() -> None:
    assert missing_in_plan("") == [
        "front matter: phase",
        "front matter: plan",
        "front matter: type",
        "front matter: wave",
        "front matter: depends_on",
        "front matter: files_modified",
        "front matter: autonomous",
        "front matter: requirements",
        "<objective>",
        "<tasks> with at least one <task>",
        "<verification>",
        "<success_criteria>",
    ]
    assert list(read_summary("# Words\n").missing) == [
        "front matter: phase",
        "front matter: plan",
        "front matter: subsystem",
        "front matter: tags",
        "front matter: key-files",
        "front matter: metrics",
        "table of commits",
        "deviations (or None)",
        "self-check (PASSED or FAILED)",
    ]


@pytest.mark.parametrize(
    ("old", "new", "missing"),
    [
        ("wave: 1\n", "", "front matter: wave"),
        ("wave: 1", "wave:", "front matter: wave"),
        ("wave: 1", "wave: null", "front matter: wave"),
        ("Log in.", "", "<objective>"),
        ("<objective>\nLog in.\n</objective>", "```\n<objective>x</objective>\n```", "<objective>"),
        (' type="auto"', "", "task 1: type"),
        ("<files>src/a.py</files>", "", "task 1: <files>"),
        ("<verify>pytest</verify>", "<verify> </verify>", "task 1: <verify>"),
        ("It logs in.", "", "task 1: <acceptance_criteria>"),
        ("</tasks>", "<task type='auto'></task></tasks>", "task 2: <files>"),
        ("<success_criteria>", "<success>", "<success_criteria>"),
    ],
)
def test_a_plan_that_lacks_a_part(old: str, new: str, missing: str) -> None:
    assert old in PLAN
    assert missing in missing_in_plan(PLAN.replace(old, new))


@pytest.mark.parametrize(
    ("old", "new", "missing"),
    [
        ("tags: [auth]\n", "", ["front matter: tags"]),
        ("| Task | Commit | Words |", "| Task | Thing | Words |", ["table of commits"]),
        ("## Deviations from Plan\n\nNone\n", "", ["deviations (or None)"]),
        ("None\n", "", ["deviations (or None)"]),
        ("## Self-Check: PASSED", "", ["self-check (PASSED or FAILED)"]),
        (
            "## Self-Check: PASSED",
            "```\n## Self-Check: PASSED\n```",
            ["self-check (PASSED or FAILED)"],
        ),
        ("tags: [auth]", "tags: []", []),
        ("## Self-Check: PASSED", "## Self-Check\n\nPASSED: all there", []),
    ],
)
def test_a_summary_that_lacks_a_part(old: str, new: str, missing: list[str]) -> None:
    assert old in SUMMARY
    assert list(read_summary(SUMMARY.replace(old, new)).missing) == missing


def test_a_failed_self_check_is_present_and_says_so() -> None:
    summary = read_summary(SUMMARY.replace("PASSED", "FAILED"))
    assert (summary.missing, summary.self_check) == ((), "FAILED")


def test_a_plan_tells_the_agent_what_it_is_to_do() -> None:
    assert plan_fields(PLAN) == {
        "phase": "02",
        "plan": "01",
        "files_declared": ["src/a.py", "src/b.py"],
    }
    text = "---\nphase: 02.1\nplan: 10\ndepends_on: [02-01, '02-02']\nfiles_modified:\n---\n"
    assert plan_fields(text) == {"phase": "02.1", "plan": "10", "depends_on": ["02-01", "02-02"]}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "no front matter in 'P'"),
        ("phase: 1\n---\n", "no front matter in 'P'"),
        ("---\nphase: 1\n", "front matter is cut off in 'P': no '---' line ends it"),
        (
            "---\na: [1\n---\n",
            "bad front matter in 'P': line 3: expected ',' or ']', but got '<stream end>'",
        ),
        (
            "---\na: 1\n  b: 2\n---\n",
            "bad front matter in 'P': line 3: mapping values are not allowed here",
        ),
        ("---\n- a\n---\n", "front matter of 'P' is not a mapping of fields to values"),
        ("---\n---\n", "front matter of 'P' is not a mapping of fields to values"),
        ("---\na: &x [1]\nb: *x\n---\n", "bad front matter in 'P': line 3: aliases are not read"),
        (
            "---\na: !!python/name:os.system x\n---\n",
            "bad front matter in 'P': line 2: could not determine a constructor for the tag 'tag:yaml.org,2002:python/name:os.system'",
        ),
    ],
)
def test_bad_front_matter_is_named_by_file_and_line(text: str, message: str) -> None:
    with pytest.raises(LedgerError) as caught:
        read(cut(text, "P").front, "P")
    assert caught.value.message == message


def test_scalars_are_read_as_yaml_1_2_and_json_as_yaml() -> None:
    front = "a: 02\nb: yes\nc: 2026-01-02\nd: 1.5\ne: ~\nf: null\ng: true\nh: 1:30\ni:\n"
    assert read(front, "P") == {
        "a": 2,
        "b": "yes",
        "c": "2026-01-02",
        "d": 1.5,
        "e": None,
        "f": None,
        "g": True,
        "h": "1:30",
        "i": None,
    }
    assert read('{"a": ["é", 1, null]}\n', "P") == {"a": ["é", 1, None]}


@pytest.mark.parametrize(
    "value",
    [
        "2026-01-02",
        "yes",
        "no",
        "1",
        "1.0",
        "null",
        "~",
        "",
        "é",
        "a: b",
        "# x",
        "02",
        "0x1",
        "true",
        " a",
        "a\nb",
        "-",
        "<<",
    ],
)
def test_what_is_written_is_read_back(value: str) -> None:
    mapping = {
        "one": value,
        "two": [value, {"three": value}],
        "n": 1,
        "none": None,
        "e": [],
        "m": {},
    }
    assert read(write(mapping), "P") == mapping


LEAVES = (
    st.none() | st.booleans() | st.integers() | st.text(st.characters(exclude_categories=["Cs"]))
)
VALUES = st.recursive(
    LEAVES, lambda one: st.lists(one) | st.dictionaries(st.text(), one), max_leaves=9
)


@given(st.dictionaries(st.text(st.characters(exclude_categories=["Cs"])), VALUES))
def test_whatever_is_written_is_read_back(mapping: dict[str, object]) -> None:
    assert read(write(mapping) if mapping else "{}\n", "P") == mapping


def test_a_cut_file_is_put_together_again() -> None:
    for text in ("---\na: 1\n---\nbody\n---\n", "---\r\na: 1\r\n---\r\nx", "---\na: 1\n---"):
        assert cut(text, "P").text == text
