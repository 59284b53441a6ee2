"""How the questions of a data set are put in words: how many templates, and how much any one of them carries."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from kopa_hf.bench.rows import Row
from kopa_hf.edge.phrasing import largest_share


def wording(rows: Sequence[Row]) -> dict[str, Any]:
    """What rows say of their questions, as plain JSON values.

    Keys: `structures` (name → {rows, templates, largest_share}, by falling rows), `registers`
    (formal, polite, … → rows), `rephrased` (rows that a model put in other words), `characters`
    {mean, max} of a question.
    """
    pairs = [(row.structure, str(row.provenance.get("phrasing") or "")) for row in rows]
    shares = largest_share(pairs)
    lengths = [len(str(row.prompt[-1]["content"])) for row in rows]
    return {
        "structures": {
            name: {
                "rows": count,
                "templates": len({template for structure, template in pairs if structure == name}),
                "largest_share": shares[name],
            }
            for name, count in sorted(Counter(name for name, _ in pairs).items(), key=lambda item: (-item[1], item[0]))
        },
        "registers": dict(sorted(Counter(str(row.provenance.get("register") or "") for row in rows).items())),
        "rephrased": sum(bool(row.provenance.get("rephrased")) for row in rows),
        "characters": {"mean": sum(lengths) / len(lengths) if lengths else None, "max": max(lengths, default=None)},
    }
