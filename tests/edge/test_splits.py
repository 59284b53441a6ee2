"""Training and validation over tools of their own."""

from __future__ import annotations

from typing import Any

from kopa_hf.edge.config import EdgeConfig
from kopa_hf.edge.feasibility import Binding
from kopa_hf.edge.graph import Edge, ToolGraph
from kopa_hf.edge.mixture import chosen, quotas, short_of
from kopa_hf.edge.splits import part_tools, seen_before
from kopa_hf.edge.trajectory import Trajectory
from tests.bench.test_overlapping import chain

from .bill_service import BILLS


def linked(groups: int, size: int) -> ToolGraph:
    """Rings of tools, each joined to the next ring by one edge."""
    made = ToolGraph(EdgeConfig(), judge="hand", embedder="hand")
    names = [[f"tool_{g}_{i}" for i in range(size)] for g in range(groups)]
    for group in names:
        for name in group:
            made.digraph.add_node(name, platform="assembly", domain="politics")
    binding = Binding("BILL_ID", "BILL_ID", 0.9)
    for g, group in enumerate(names):
        pairs = [(a, b) for a in group for b in group if a < b]
        if g + 1 < groups:
            pairs.append((group[-1], names[g + 1][0]))
        for source, target in pairs:
            made.add_edge(Edge(source, target, 0.9, 0.5, (binding,), (), (), 6.0, 1.0))
    return made


def test_validation_gets_whole_communities_of_about_its_share() -> None:
    graph = linked(10, 6)
    parts = part_tools(graph, graph.edges(), 0.1, seed=5)
    assert parts.train | parts.validation == set(graph)
    assert not parts.train & parts.validation
    assert len(parts.validation) == 6
    assert len({name.split("_")[1] for name in parts.validation}) == 1
    assert part_tools(graph, graph.edges(), 0.1, seed=5) == parts


def test_a_small_graph_is_not_parted() -> None:
    graph = linked(2, 3)
    assert part_tools(graph, graph.edges(), 0.1, seed=5).validation == frozenset()
    large = linked(10, 6)
    assert part_tools(large, large.edges(), 0.0, seed=5).validation == frozenset()


def test_seen_and_unseen_are_counted_over_operations_without_local_tools() -> None:
    train = [chain("가?", "list", "reduce_records", "get", key="t")]
    validation = [
        chain("나?", "list", "get", key="v1"),
        chain("다?", "list", "other", key="v2"),
        chain("라?", "new", "reduce_records", "other", key="v3"),
    ]
    assert seen_before(train, validation) == {
        "train_operations": 2,
        "validation_operations": 4,
        "shared_operations": 2,
        "shared_chains": 0,
        "rows_all_seen": 1,
        "rows_some_seen": 1,
        "rows_unseen": 1,
    }


def made(structure: str, question: str) -> Trajectory:
    return Trajectory(structure, {}, question, "text", "답", tools=(BILLS.name,))


def test_quotas_are_kept_and_a_lack_is_filled_by_the_surplus_of_others() -> None:
    wanted: dict[str, Any] = {"SEQ": 1, "DRV": 2}
    found = [made("SEQ", "1"), made("SEQ", "2"), made("SEQ", "3"), made("DRV", "4")]
    assert short_of(wanted, found) == {"DRV": 1}
    assert [t.question for t in chosen(found, wanted)] == ["1", "2", "4"]
    assert sum(quotas(EdgeConfig(), 178).values()) in range(176, 181)


def test_of_more_than_are_wanted_the_shorter_stay() -> None:
    long, short = made("SEQ", "long"), made("SEQ", "short")
    long.golden_actions = [{"step": number} for number in range(5)]
    short.golden_actions = [{"step": 1}]
    found = [long, short, made("DRV", "only")]
    assert [t.question for t in chosen(found, {"SEQ": 1, "DRV": 1})] == ["short", "only"]
