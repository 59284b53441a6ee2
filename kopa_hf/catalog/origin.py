"""What a key may be sent to."""

from __future__ import annotations

from urllib.parse import urlsplit


def origin(address: str) -> tuple[str, str]:
    """Scheme and host with port of an address: what a key may be sent to. `ValueError` for what is no address."""
    parts = urlsplit(address)
    return parts.scheme, parts.netloc.lower()
