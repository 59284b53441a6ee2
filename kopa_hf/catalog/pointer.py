"""JSON pointers (RFC 6901): `/data/items`, with `~1` for a slash and `~0` for a tilde inside a name."""

from __future__ import annotations


def pointer_parts(pointer: str) -> list[str]:
    """The names on the way, unescaped; none for the whole document."""
    return [part.replace("~1", "/").replace("~0", "~") for part in pointer.split("/")[1:]]
