"""How the answers of an imported REST operation are read: where rows, total and cursor stand.

The plan travels as text in `Endpoint.operation`, so that whoever has an answer and the name of its
operation (a snapshot, a test) can read it: `list_orders rows=/data total=/meta/total`. Places are
JSON pointers; a place that ends with `/*` is a map whose values are the rows.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, fields
from typing import Final
from urllib.parse import quote, unquote

ERRORS: Final = ("error", "errors", "fault", "exception")
"""Members of an answer that say that it is none."""
FLAGS: Final = ("status", "result", "success", "ok")
"""Members of an answer that may say that it is none."""
_NAMES: Final = 16
"""Names that are listed in a plan at most."""
_PART: Final = re.compile(r"([a-z]+)=(\S*)")


@dataclass(frozen=True, slots=True)
class ReadingPlan:
    """What is known of an operation's answers; None: not known, looked for in each answer."""

    rows: str | None = None
    """Pointer to the rows; empty: the whole answer."""
    total: str | None = None
    """Pointer to the number of rows over all pages."""
    cursor: str | None = None
    """Pointer to the next page's cursor, or to the next page's address."""
    parameter: str | None = None
    """Name, on the wire, of the parameter that takes the cursor: it is taken out of a next page's address."""
    keyed: bool = False
    """True where the address names one thing, so that 404 says that there is none of it."""
    writes: bool = False
    """True where success needs no content."""

    faults: str | None = None
    """Members called like an error or a flag (`ERRORS`, `FLAGS`) that are columns of the record which the whole answer is; by commas."""
    beside: str | None = None
    """Members that the description has beside the rows, by commas, where the rows may lack: an answer that has these
    and no rows is an empty result. None: the rows are always there."""

    def named(self, operation: str) -> str:
        """Operation and plan as one text."""
        words = [re.sub(r"\s+", "_", operation.strip()) or "-"]
        for part in fields(self):
            value = getattr(self, part.name)
            if value is True:
                words.append(f"{part.name}=yes")
            elif isinstance(value, str):
                words.append(f"{part.name}={quote(value, safe='/*~')}")
        return " ".join(words)

    @classmethod
    def of(cls, operation: str | None) -> ReadingPlan:
        """The plan in an operation's text; an empty one where it holds none. Never raises."""
        known = {part.name for part in fields(cls)}
        found: dict[str, str | bool] = {}
        for word in (operation or "").split()[1:]:
            part = _PART.fullmatch(word)
            if part is not None and part[1] in known:
                found[part[1]] = part[2] == "yes" if part[1] in ("keyed", "writes") else unquote(part[2])
        return cls(**found)  # type: ignore[arg-type]  # flags are set as flags above


def in_one(names: Iterable[str] | None) -> str | None:
    """Names as one text of a plan; those that hold a comma are left out."""
    if names is None:
        return None
    return ",".join([name for name in dict.fromkeys(names) if name and "," not in name][:_NAMES])
