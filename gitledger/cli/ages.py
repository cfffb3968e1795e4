"""Times as a person reads them."""

from __future__ import annotations

from datetime import UTC, datetime

_STEPS = (("y", 365 * 86400), ("w", 7 * 86400), ("d", 86400), ("h", 3600), ("m", 60), ("s", 1))


def age(at: str | None, now: datetime | None = None) -> str:
    """How long ago an event's time is: `5m`, `3h`, `2w`; empty for what is no time."""
    try:
        then = datetime.fromisoformat(at or "")
    except ValueError:
        return ""
    seconds = max(0, int(((now or datetime.now(UTC)) - _aware(then)).total_seconds()))
    for unit, length in _STEPS:
        if seconds >= length:
            return f"{seconds // length}{unit}"
    return "now"


def ago(at: str) -> str:
    """The same as words that end a sentence: `5m ago`, `just now`."""
    words = age(at)
    return "just now" if words == "now" else f"{words} ago"


def _aware(moment: datetime) -> datetime:
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def local(at: str) -> str:
    """`2026-01-15 14:22:10` in the reader's own time zone."""
    try:
        return _aware(datetime.fromisoformat(at)).astimezone().strftime("%Y-%m-%d %H:%M:%S")
    except ValueError:
        return at
