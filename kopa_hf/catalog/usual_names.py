"""How services usually call the members of an answer: what is guessed where no description tells.

Importers look for these names in schemas, adapters in answers, so that both find the same.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Final, TypeVar

T = TypeVar("T")

ROWS: Final = ("items", "data", "results", "result", "records", "rows", "entries", "content", "value", "values", "list",
               "docs", "hits", "objects", "elements")  # fmt: skip
"""Of the rows in an answer of a REST service: where lists stand under several, the first counts."""
TOTALS: Final = ("total", "totalcount", "totalresults", "totalentries", "totalitems", "totalelements", "recordstotal",
                 "totalrecords", "numfound", "nbhits", "matchcount", "totalhits", "totalnumber")  # fmt: skip
"""Of the number of rows over all pages, folded."""
CURSORS: Final = ("nextcursor", "nextpagetoken", "nexttoken", "nextpage", "next", "continuationtoken", "continuation",
                  "cursor", "nextlink", "odatanextlink", "after", "endcursor", "marker", "nextmarker", "scrollid")  # fmt: skip
"""Of what asks for the next page, folded."""


def folded(name: str) -> str:
    """A name without letter case and signs: total_count and totalCount are equal."""
    return re.sub(r"[^a-z0-9]", "", name.lower())


def named(members: Mapping[str, T], names: Iterable[str]) -> Iterator[T]:
    """What stands under folded names, in the order of the names."""
    found: dict[str, T] = {}
    for name, value in members.items():
        found.setdefault(folded(name), value)
    return (found[name] for name in names if name in found)
