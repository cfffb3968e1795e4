"""Front matter: the block between two `---` lines that begins a Markdown file.

YAML is read as YAML 1.2 reads it, which is what the writers of such files mean:
a date stays text, `yes` is a word, `02` is not octal. JSON is YAML here.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from gitledger.errors import LedgerError

if TYPE_CHECKING:
    import yaml

_UNUSUAL_ENDS = frozenset("\x85\u2028\u2029")
_OPENING = re.compile(r"\ufeff?---[ \t]*(?:\r?\n|\Z)")  # a byte order mark may come first
_CLOSING = re.compile(r"^---[ \t]*(?:\r?\n|\Z)", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Parts:
    """A file cut in three: `front` without its fences, and `body` after them.

    `front` and the fences together with `body` are the file, character for character.
    """

    front: str
    body: str
    opening: str = "---\n"
    closing: str = "---\n"

    @property
    def text(self) -> str:
        return self.opening + self.front + self.closing + self.body


def cut(text: str, name: str) -> Parts:
    """Cut a file. `name` is for the message. Raises LedgerError without whole front matter."""
    opening = _OPENING.match(text)
    if opening is None:
        raise LedgerError(f"no front matter in '{name}'", "its first line must be '---'")
    closing = _CLOSING.search(text, opening.end())
    if closing is None:
        raise LedgerError(
            f"front matter is cut off in '{name}': no '---' line ends it", "restore the whole file"
        )
    front = text[opening.end() : closing.start()]
    return Parts(front, text[closing.end() :], opening.group(), closing.group())


def read(front: str, name: str, *, words: bool = False) -> dict[str, Any]:
    """The mapping in a front matter; with `words` every scalar stays text as written.

    Raises LedgerError naming file, line and what is wrong.
    """
    try:
        # After an empty line, for the opening fence: so errors count lines as the file does.
        found = _loaded("\n" + front, words=words)
    except ValueError as error:
        raise LedgerError(f"bad front matter in '{name}': {error}") from None
    if not isinstance(found, dict):
        raise LedgerError(f"front matter of '{name}' is not a mapping of fields to values")
    return {str(key): value for key, value in found.items()}


def read_data(text: str, name: str) -> Any:
    """The value in a whole file of YAML or JSON, or in its front matter where it has one.

    Raises LedgerError naming file, line and what is wrong.
    """
    opening = _OPENING.match(text)
    if opening and _CLOSING.search(text, opening.end()):
        return read(cut(text, name).front, name)
    try:
        return _loaded(text, words=False)
    except ValueError as error:
        raise LedgerError(f"cannot read '{name}': {error}", "write YAML or JSON") from None


def _loaded(text: str, *, words: bool) -> Any:
    """Raises ValueError with line and reason."""
    import yaml

    loader = _word_loader() if words else _loader()
    try:
        return yaml.load(text, loader)  # noqa: S506 - both loaders build plain values only
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        raise ValueError(_why(error)) from None


def _why(error: Exception) -> str:
    mark = getattr(error, "problem_mark", None)
    problem = getattr(error, "problem", None) or str(error).splitlines()[0]
    return f"line {mark.line + 1}: {problem}" if mark else str(problem)


def write(mapping: dict[str, Any]) -> str:
    """A mapping as YAML in its own order, other alphabets readable."""
    import yaml

    return yaml.dump(
        mapping, Dumper=_dumper(), allow_unicode=True, sort_keys=False, width=2**31, indent=2
    )


@cache
def _loader() -> type[yaml.SafeLoader]:
    """YAML 1.2's core schema; no aliases, which a small file could blow up with."""
    import yaml

    class Loader(yaml.SafeLoader):
        yaml_implicit_resolvers: dict[str, Any] = {}  # noqa: RUF012 - shape of PyYAML's

        def compose_node(self, parent: Any, index: Any) -> Any:
            _refuse_alias(self)
            return super().compose_node(parent, index)

        def construct_core_int(self, node: Any) -> int:
            value = self.construct_scalar(node)
            return int(value, 0) if value[:2] in {"0x", "0o"} else int(value)

    Loader.add_constructor("tag:yaml.org,2002:int", Loader.construct_core_int)
    for tag, pattern, first in _CORE:
        Loader.add_implicit_resolver(f"tag:yaml.org,2002:{tag}", re.compile(pattern), first)
    return Loader


_DIGITS = list("0123456789")
_CORE = (
    ("null", r"^(?:~|null|Null|NULL|)$", ["~", "n", "N", ""]),
    ("bool", r"^(?:true|True|TRUE|false|False|FALSE)$", list("tTfF")),
    ("int", r"^(?:[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+)$", ["-", "+", *_DIGITS]),
    (
        "float",
        r"^[-+]?(?:\.[0-9]+|[0-9]+\.[0-9]*)(?:[eE][-+]?[0-9]+)?$",
        ["-", "+", ".", *_DIGITS],
    ),
    ("merge", r"^(?:<<)$", ["<"]),
)


@cache
def _word_loader() -> type[yaml.BaseLoader]:
    import yaml

    class Words(yaml.BaseLoader):
        def compose_node(self, parent: Any, index: Any) -> Any:
            _refuse_alias(self)
            return super().compose_node(parent, index)

    return Words


def _refuse_alias(loader: Any) -> None:
    import yaml

    if loader.check_event(yaml.AliasEvent):
        mark = loader.peek_event().start_mark
        raise yaml.composer.ComposerError(None, None, "aliases are not read", mark)


def _style(value: str) -> str | None:
    """How to quote a text that PyYAML alone would not: it knows YAML 1.1 only."""
    if _UNUSUAL_ENDS.intersection(value):
        return '"'  # unless escaped they are folded away
    return "'" if any(re.match(pattern, value) for _, pattern, _ in _CORE) else None


@cache
def _dumper() -> type[yaml.SafeDumper]:
    import yaml

    class Dumper(yaml.SafeDumper):
        def increase_indent(self, flow: bool = False, indentless: bool = False) -> None:  # noqa: ARG002
            super().increase_indent(flow, False)

        def ignore_aliases(self, data: Any) -> bool:  # noqa: ARG002
            return True

    def text(dumper: Any, value: str) -> Any:
        return dumper.represent_scalar("tag:yaml.org,2002:str", value, style=_style(value))

    Dumper.add_representer(str, text)
    return Dumper
