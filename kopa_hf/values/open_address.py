"""Addresses as they may be shown: in logs, cards and messages."""

from __future__ import annotations

import re
from typing import Final
from urllib.parse import urlsplit

_PART: Final = re.compile(r"[^&;]+")


def open_address(address: str) -> str:
    """An address without who logs in there, and with `***` for every value that it asks with; what is behind `#` stays.

    Of what is none, the scheme alone is shown.
    """
    scheme = address.partition("://")[0]
    try:
        parts = urlsplit(address)
        _ = parts.port  # checked on access: a password with a slash in it reads as a port
    except ValueError:
        return f"{scheme}://***"
    host = parts.netloc.rpartition("@")[2]
    model, mark, asked = parts.fragment.partition("?")
    query, fragment = _masked(parts.query), f"{model}{mark}{_masked(asked)}"
    return f"{scheme}://{host}{parts.path}{query and '?'}{query}{fragment and '#'}{fragment}"


def _masked(query: str) -> str:
    """Names of a query with `***` for their values; a part without a name is all value."""
    return _PART.sub(lambda found: f"{found[0].partition('=')[0]}=***" if "=" in found[0] else "***", query)
