"""Text as a terminal shows it: columns, not characters; and nothing that moves the cursor."""

from __future__ import annotations

from unicodedata import category, combining, east_asian_width

ELLIPSIS = "…"
_INVISIBLE = frozenset({"Mn", "Me", "Cf"})


def width(words: str) -> int:
    """How many columns a terminal gives the text: wide characters two, combining ones none."""
    if words.isascii():
        return len(words)
    return sum(_columns(char) for char in words)


def _columns(char: str) -> int:
    if combining(char) or category(char) in _INVISIBLE:
        return 0
    return 2 if east_asian_width(char) in "WF" else 1


def cut(words: str, columns: int) -> str:
    """The text, ended by an ellipsis where it is wider than that many columns."""
    if width(words) <= columns:
        return words
    kept, used = [], 0
    for char in words:
        used += _columns(char)
        if used > columns - 1:
            break
        kept.append(char)
    return "".join(kept).rstrip() + ELLIPSIS if columns > 0 else ""


def cut_inside(words: str, columns: int) -> str:
    """As `cut`, with an ellipsis in the middle: names alike at the beginning differ at the end."""
    if width(words) <= columns:
        return words
    tail, used = "", 0
    for char in reversed(words):
        used += _columns(char)
        if used > (columns - 1) // 2:
            break
        tail = char + tail
    return cut(words, columns - width(tail)) + tail


def wrapped(words: str, columns: int, indent: int) -> list[str]:
    """The text in lines of that many columns, the later ones indented; no word is cut."""
    lines: list[str] = []
    for word in words.split(" "):
        if lines and width(lines[-1]) + 1 + width(word) <= columns:
            lines[-1] += f" {word}"
        else:
            lines.append(" " * indent + word if lines else word)
    return lines


def padded(words: str, columns: int) -> str:
    """The text with blanks after it up to that many columns."""
    return words + " " * (columns - width(words))


def shown(words: str) -> str:
    r"""The text on one line: control characters as `\n`, `\x1b`, so that none acts."""
    if words.isprintable():
        return words
    return "".join(_escaped(char) for char in words)


def _escaped(char: str) -> str:
    if category(char) in {"Cc", "Zl", "Zp"} or char in _BIDI:
        return ascii(char)[1:-1]
    return char


# They reorder what follows on the line, so that a name can pass for another one.
_BIDI = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


def plural(count: int, one: str, many: str | None = None) -> str:
    """`1 commit`, `2 commits`."""
    return f"{count} {one if count == 1 else many or one + 's'}"
