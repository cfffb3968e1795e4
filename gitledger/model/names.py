"""Names, and how they become part of a ref name and come back.

Source of the rule: DESIGN section 2, "Ids in ref names".
"""

from __future__ import annotations

import hashlib
import re
import unicodedata

AGENTS = "refs/ledger/agents/"
SESSIONS = "refs/ledger/sessions/"
ARCHIVE = "refs/ledger/archive/"
NOTES = "refs/notes/ledger/"
NOTES_BESIDE = "refs/notes/git-ledger/"  # where another tool has a ref `refs/notes/ledger`
PARENTS = ("refs/ledger", "refs/ledger/agents", "refs/ledger/sessions")
MAIN_WORKTREE = "main-worktree"
POINTER_AGENT = "refs/worktree/ledger/agent"
POINTER_NOTE = "refs/worktree/ledger/note"
POINTER_CLAIM = "refs/worktree/ledger/claim"
POINTER_NOTES = "refs/worktree/ledger/notes"

_SAFE = frozenset(b"abcdefghijklmnopqrstuvwxyz0123456789_-")
_PLAIN = re.compile("[a-z0-9_-]{1,100}")
_LONGEST = 100  # bytes: with the rest of the ref and ".lock" it stays under 255


def encode(name: str) -> str:
    """A name as one ref component: `[a-z0-9_-]` stays, every other byte is `%XX`.

    Over 100 bytes it is cut and ends in `%h` and a hash: it cannot be turned
    back, so the record keeps the name word for word.
    """
    if _PLAIN.fullmatch(name):
        return name
    raw = name.encode("utf-8", "surrogateescape")
    coded = "".join(chr(b) if b in _SAFE else f"%{b:02x}" for b in raw)
    if len(coded) <= _LONGEST:
        return coded
    digest = hashlib.sha256(raw).hexdigest()[:32]
    return f"{coded[:48]}%h{digest}"


def decode(component: str) -> str | None:
    """The name behind `encode`, or None where it was hashed."""
    if "%h" in component:
        return None
    if "%" not in component:
        return component
    from urllib.parse import unquote_to_bytes  # few names need it

    return unquote_to_bytes(component).decode("utf-8", "surrogateescape")


def object_name(hash_name: str, kind: str, content: bytes) -> str:
    """The id that git gives an object of a type (`blob`, `tree`, `commit`)."""
    digest = hashlib.new(
        hash_name, b"%s %d\0" % (kind.encode(), len(content)), usedforsecurity=False
    )
    digest.update(content)
    return digest.hexdigest()


def agent_ref(agent_id: str, leaf: str) -> str:
    """`refs/ledger/agents/<id>/<leaf>`, leaf being log, spawn, head, note or files."""
    return f"{AGENTS}{encode(agent_id)}/{leaf}"


def slug(title: str) -> str:
    """A title in lower case, words joined by hyphens; never empty."""
    plain = title
    if not title.isascii():
        plain = unicodedata.normalize("NFKD", title).encode("ascii", "ignore").decode()
    joined = re.sub(r"[^a-z0-9]+", "-", plain.lower()).strip("-")
    return joined[:60].rstrip("-") or "agent"


def has_control(words: str) -> bool:
    """Whether a text holds a control character, a newline included."""
    return any(unicodedata.category(char) == "Cc" for char in words)
