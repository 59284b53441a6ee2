"""BFCL, the out-of-distribution yardstick: data from where the user has it, both scores, the three numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kopa_hf._lazy import lazy_exports

if TYPE_CHECKING:
    from kopa_hf.bench.bfcl.categories import CATEGORIES as CATEGORIES
    from kopa_hf.bench.bfcl.categories import three_numbers as three_numbers
    from kopa_hf.bench.bfcl.entries import Entry as Entry
    from kopa_hf.bench.bfcl.scoring import Score as Score
    from kopa_hf.bench.bfcl.scoring import score as score
    from kopa_hf.bench.bfcl.source import load_entries as load_entries
    from kopa_hf.bench.bfcl.source import open_source as open_source

_HOMES = {
    "CATEGORIES": "categories",
    "Entry": "entries",
    "Score": "scoring",
    "load_entries": "source",
    "open_source": "source",
    "score": "scoring",
    "three_numbers": "categories",
}

__all__ = ["CATEGORIES", "Entry", "Score", "load_entries", "open_source", "score", "three_numbers"]

__getattr__, __dir__ = lazy_exports(__name__, _HOMES)
