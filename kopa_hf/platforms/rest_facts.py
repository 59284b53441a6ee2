"""What the headers of an answer say beyond its body: the total, and where the next page begins.

Answers are kept with status, content type and body. So the two facts that some services send in headers
are written into the content type as parameters, where they are recorded and replayed with it; nothing
else of the headers is kept, least of all an address, which may hold a key.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final
from urllib.parse import parse_qs, quote, unquote, urlsplit

_TOTALS: Final = ("x-total-count", "x-total", "total-count", "x-wp-total", "x-result-count")
_RANGE: Final = re.compile(r"\s*[\w-]+\s+[\d*-]+/(\d{1,15})\s*")
_LINK: Final = re.compile(r"<([^<>]*)>([^<]*)")
_NEXT: Final = re.compile(r"""\brel\s*=\s*(?:"[^"]*\bnext\b[^"]*"|next\b)""", re.IGNORECASE)
_TOTAL_PART: Final = re.compile(r";\s*kopa-total=(\d{1,15})")
_NEXT_PART: Final = re.compile(r";\s*kopa-next=([^;\s]{1,4000})")


@dataclass(frozen=True, slots=True)
class Facts:
    """Total and cursor; None where no header tells."""

    total: int | None = None
    cursor: str | None = None

    @classmethod
    def of(cls, content_type: str | None) -> Facts:
        """The facts in a content type that `with_facts` wrote."""
        total, cursor = _TOTAL_PART.search(content_type or ""), _NEXT_PART.search(content_type or "")
        return cls(int(total[1]) if total else None, unquote(cursor[1]) if cursor else None)


def with_facts(headers: Mapping[str, str], parameter: str | None) -> str | None:
    """The content type of an answer with its facts; `parameter`: the wire name of what takes the cursor."""
    kind = headers.get("content-type")
    total = next((headers[name].strip() for name in _TOTALS if headers.get(name, "").strip().isdecimal()), None)
    counted = _RANGE.fullmatch(headers.get("content-range", ""))
    if total is None and counted is not None:
        total = counted[1]
    cursor = _next(headers.get("link", ""), parameter) if parameter else None
    parts = [_NEXT_PART.sub("", _TOTAL_PART.sub("", kind or "application/octet-stream"))]
    parts += [f"kopa-total={total[:15]}"] if total is not None else []
    parts += [f"kopa-next={quote(cursor, safe='')}"] if cursor else []
    return "; ".join(parts) if len(parts) > 1 else (parts[0] if kind else None)


def _next(link: str, parameter: str | None) -> str | None:
    """What the next page's address gives the parameter."""
    for address, rest in _LINK.findall(link[:8000]):
        if _NEXT.search(rest):
            found = parse_qs(urlsplit(address).query).get(parameter or "", [])
            return found[0][:1000] if found else None
    return None
