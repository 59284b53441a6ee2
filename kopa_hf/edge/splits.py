"""Training and validation over different operations.

Tools are parted before anything is synthesised: validation gets whole communities
of the graph, so that the edges within it are many and the edges that are lost
between the parts are few. No tool serves both, so neither operations nor chains
are shared. (Platforms are withheld from both by the settings.)
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final

import networkx as nx

from kopa_hf.bench.overlapping import chain_of, golden_tools
from kopa_hf.bench.rows import Row
from kopa_hf.catalog.local import local_tools
from kopa_hf.edge.graph import Edge, ToolGraph

TRAIN: Final = "train"
VALIDATION: Final = "validation"
_SMALL: Final = 40
"""Linked tools below which a graph is too small to be parted."""
_MOST_LOST: Final = 3
"""One in so many linked tools of a platform may be set apart."""


@dataclass(frozen=True, slots=True)
class Parts:
    """Names of the tools of either part; `validation` is empty where the graph is too small."""

    train: frozenset[str]
    validation: frozenset[str]


def part_tools(graph: ToolGraph, edges: Iterable[Edge], share: float, seed: int) -> Parts:
    """Part a graph's tools so that about `share` of them are for validation.

    `edges` are those that trajectories may follow. Communities come from the Louvain
    method; those with the least of their edges leading out are taken first, none of
    them larger than what is still wanted allows, and no platform loses more than a third
    of its linked tools. Tools without edges fall by their names.
    """
    linked: nx.Graph[str] = nx.Graph()
    linked.add_edges_from(sorted((edge.source, edge.target) for edge in edges))
    if share <= 0 or len(linked) < _SMALL:
        return Parts(frozenset(graph), frozenset())
    groups = [frozenset(found) for found in nx.community.louvain_communities(linked, seed=seed)]
    wanted = share * len(linked)
    platforms = {name: str(graph.digraph.nodes[name]["platform"]) for name in linked}
    sizes = Counter(platforms.values())
    held: set[str] = set()
    for group in sorted(groups, key=lambda found: (_leading_out(linked, found), min(found))):
        more = held | group
        lost = Counter(platforms[name] for name in more)
        left = all(_MOST_LOST * number <= sizes[platform] for platform, number in lost.items())
        if len(group) > 1 and len(held) < wanted and len(more) <= 1.5 * wanted and (left or len(sizes) == 1):
            held = more
    if not held:
        return Parts(frozenset(graph), frozenset())
    held |= {name for name in graph if name not in linked and _place(name) < share}
    return Parts(frozenset(name for name in graph if name not in held), frozenset(held))


def _leading_out(linked: nx.Graph[str], group: frozenset[str]) -> float:
    """Share of a group's edge ends that belong to edges out of it."""
    ends = sum(degree for _, degree in linked.degree(group))
    inside = 2 * linked.subgraph(group).number_of_edges()
    return (ends - inside) / ends if ends else 0.0


def _place(name: str) -> float:
    """A name's fixed place between 0 and 1."""
    return int.from_bytes(hashlib.sha256(name.encode("utf-8")).digest()[:8], "big") / float(1 << 64)


def seen_before(train: Sequence[Row], validation: Sequence[Row]) -> dict[str, Any]:
    """How much of validation training has shown: rows by whether all, some or none of their operations were seen.

    Local tools are no operations: every task is offered them.
    """
    local = {tool.name for tool in local_tools()}
    known, chains = golden_tools(train) - local, {chain_of(row) for row in train}
    own = [golden_tools([row]) - local for row in validation]
    return {
        "train_operations": len(known),
        "validation_operations": len(frozenset().union(*own)) if own else 0,
        "shared_operations": len(known & frozenset().union(*own)) if own else 0,
        "shared_chains": len(chains & {chain_of(row) for row in validation}),
        "rows_all_seen": sum(tools <= known for tools in own),
        "rows_some_seen": sum(bool(tools & known) and not tools <= known for tools in own),
        "rows_unseen": sum(not tools & known for tools in own),
    }
