"""The values of a foreign mapping, read as what they mean."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from gitledger.errors import LedgerError


@dataclass(frozen=True)
class Fields:
    """Readers of single values. `name` is the file's, for the messages; `warnings` grows."""

    name: str
    warnings: list[str]

    def text(self, front: dict[str, Any], field: str, where: str) -> str | None:
        """A text, or a plain number or truth written without quotes."""
        value = front.get(field)
        if value is None or isinstance(value, str):
            return value
        if isinstance(value, dict | list):
            raise LedgerError(f"field '{where}{field}' in '{self.name}' is not a text")
        return str(value)

    def texts(self, given: dict[str, Any], field: str, where: str) -> list[str]:
        """Texts: a list, one text for a list of one, nothing for none."""
        value = given.get(field)
        if value is None or value == "":
            return []
        if isinstance(value, dict):
            raise LedgerError(f"field '{where}{field}' in '{self.name}' is not a list")
        many = value if isinstance(value, list) else [value]
        return [one if isinstance(one, str) else plain(one) for one in many]

    def blockers(self, given: dict[str, Any], where: str) -> list[Any]:
        value = given.get("blocked_by")
        many = value if isinstance(value, list) else [] if value is None else [value]
        if any(isinstance(one, dict | list) for one in many):
            raise LedgerError(f"field '{where}blocked_by' in '{self.name}' is not a list of ids")
        return [one for one in many if one is not None]

    def number(self, given: dict[str, Any], field: str) -> int:
        value = given.get(field)
        return int(value) if isinstance(value, int | float) and value > 0 else 0

    def warn(self, words: str) -> None:
        self.warnings.append(f"{self.name}: {words}")


def plain(value: Any) -> str:
    """Any value as one text."""
    return json.dumps(value, ensure_ascii=False)
