"""What a set of tool-use tasks is made of: the published table, computed for ours and for other data sets alike.

A data set is read into `Observed` tasks (ours by `observed_row`, others by
`edge.foreign`), and one function counts them.
"""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from kopa_hf.bench.rows import Row
from kopa_hf.catalog.local import local_tools

PAPER: Final[dict[str, Any]] = {
    "rows": 1781,
    "structures": {"MIXED": 654, "DRV": 350, "SEM": 303, "SEQ": 215, "CMP": 161, "COND": 50, "FAN": 48},
    "calls": {"mean": 4.13, "max": 36},
    "hops": {"four_or_more": 0.576},
    "parallel": 0.362,
    "single_junction_sequential": {"fan_or_drv": 398 / 613},
    "junctions": {"one_to_many": 0.812, "cardinality": {"median": 27, "max": 224_958}},
}
"""The paper's figures for EDGE (arXiv 2609.05395); different tasks."""
PAPER_OTHERS: Final[dict[str, dict[str, Any]]] = {
    "ToolBench": {"junctions": {"one_to_many": 0.019, "cardinality": {"median": 1, "max": 127}}},
    "APIGen-MT": {"junctions": {"one_to_many": 0.100, "cardinality": {"median": 1, "max": 16}}},
    "Nemotron": {"junctions": {"one_to_many": 0.016, "cardinality": {"median": 1, "max": 15}}},
    "ToolACE": {"junctions": {"one_to_many": 0.045, "cardinality": {"median": 1, "max": 10}}},
}
"""The paper's figures for other data sets."""


@dataclass(frozen=True, slots=True)
class Link:
    """One junction: a field of an earlier result that fills an argument of a later call."""

    cardinality: int
    """Distinct values of the field in the whole earlier result."""
    records: int
    """Records (values, repeats counted) of that result."""
    reduction: str | None = None
    """What narrowed the values, where that is known."""


@dataclass(frozen=True, slots=True)
class Observed:
    """One task as the table sees it."""

    calls: int
    hops: int
    """Steps on the longest dependency path."""
    parallel: bool
    """Some calls were issued together."""
    tools: tuple[str, ...]
    """Operations in order of their calls, repeats kept; local tools are none."""
    links: tuple[Link, ...] = ()
    structure: str = ""
    """Empty for data sets that do not type their tasks."""
    platforms: tuple[str, ...] = ()


def observed_row(row: Row) -> Observed:
    """One of our rows; its junctions were recorded when it was synthesised."""
    local = {tool.name for tool in local_tools()}
    calls = len(row.golden_actions)
    return Observed(
        calls=calls,
        hops=row.hops,
        parallel=calls > len({action["step"] for action in row.golden_actions}),
        tools=tuple(str(action["name"]) for action in row.golden_actions if action["name"] not in local),
        links=tuple(
            Link(int(found["cardinality"]), int(found.get("records") or found["cardinality"]), found.get("reduction"))
            for found in row.provenance.get("junctions") or ()
        ),
        structure=row.structure,
        platforms=tuple(row.platforms),
    )


def census(tasks: Sequence[Observed]) -> dict[str, Any]:
    """The table of a data set, as plain JSON values; shares are 0 to 1, None where nothing can be divided.

    Keys: `rows`; `structures` (name → rows); `calls` {mean, max}; `hops` {mean, max,
    four_or_more}; `parallel` (share of rows with calls issued together);
    `single_junction_sequential` {rows, fan_or_drv}; `junctions` {count, one_to_many,
    cardinality {median, max}, records {median, max}, reductions}; `platforms` (name →
    rows that call it); `operations` and `chains` (distinct ones).
    """
    links = [link for task in tasks for link in task.links]
    single = [t for t in tasks if t.structure in ("SEQ", "FAN", "DRV") and len(t.links) == 1]
    return {
        "rows": len(tasks),
        "structures": _counted(t.structure for t in tasks if t.structure),
        "calls": {"mean": _mean([t.calls for t in tasks]), "max": max((t.calls for t in tasks), default=None)},
        "hops": {
            "mean": _mean([t.hops for t in tasks]),
            "max": max((t.hops for t in tasks), default=None),
            "four_or_more": _share([t.hops >= 4 for t in tasks]),
        },
        "parallel": _share([t.parallel for t in tasks]),
        "single_junction_sequential": {
            "rows": len(single),
            "fan_or_drv": _share([t.structure != "SEQ" for t in single]),
        },
        "junctions": {
            "count": len(links),
            "one_to_many": _share([link.cardinality > 1 for link in links]),
            "cardinality": _spread([link.cardinality for link in links]),
            "records": _spread([link.records for link in links]),
            "reductions": _counted(link.reduction for link in links if link.reduction),
        },
        "platforms": _counted(name for t in tasks for name in t.platforms),
        "operations": len({name for t in tasks for name in t.tools}),
        "chains": len({t.tools for t in tasks}),
    }


def paper_table(ours: Sequence[Row], others: Mapping[str, Sequence[Observed]] | None = None) -> dict[str, Any]:
    """`census` of ours and of other data sets beside the paper's figures.

    Keys: `ours`, `paper`, `others` (name → census of the files given), `paper_others`.
    """
    return {
        "ours": census([observed_row(row) for row in ours]),
        "paper": PAPER,
        "others": {name: census(tasks) for name, tasks in (others or {}).items()},
        "paper_others": PAPER_OTHERS,
    }


def _counted(names: Any) -> dict[str, int]:
    """Name → times, most frequent first."""
    return dict(sorted(Counter(names).items(), key=lambda item: (-item[1], item[0])))


def _mean(numbers: Sequence[int]) -> float | None:
    return statistics.fmean(numbers) if numbers else None


def _share(holds: Sequence[bool]) -> float | None:
    return sum(holds) / len(holds) if holds else None


def _spread(numbers: Sequence[int]) -> dict[str, float | None]:
    return {"median": statistics.median(numbers) if numbers else None, "max": max(numbers, default=None)}
