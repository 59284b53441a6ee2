"""A tenth of the published size, on one seed, over the seven platforms of synthesis: the table's bounds hold."""

from __future__ import annotations

from typing import Any

import pytest

from kopa_hf.bench.overlapping import overlap
from kopa_hf.bench.rows import Row
from kopa_hf.catalog.registry import load_catalog
from kopa_hf.edge.build import build_graph
from kopa_hf.edge.census import census, observed_row
from kopa_hf.edge.config import EdgeConfig
from kopa_hf.edge.crew import Offline
from kopa_hf.edge.export import trajectories_to_rows
from kopa_hf.edge.mixture import quotas
from kopa_hf.edge.recall import RecallingExecutor
from kopa_hf.edge.refinement import refine
from kopa_hf.edge.splits import seen_before
from kopa_hf.edge.synthesis import synthesize
from kopa_hf.edge.trajectory import Funnel
from kopa_hf.execution.executor import Executor
from kopa_hf.hub.loading import embedded_rows

pytestmark = pytest.mark.slow

CONFIG = EdgeConfig.make("paper", iterations=12, paths=400, rows=178, seed=7)


@pytest.fixture(scope="module")
def splits() -> dict[str, list[Row]]:
    graph = build_graph(load_catalog(), CONFIG)
    executor = RecallingExecutor(Executor())
    refine(graph, Executor(), CONFIG)
    funnel = Funnel()
    kept = synthesize(
        graph,
        executor,
        CONFIG,
        benchmark=embedded_rows(),
        keep=Offline(CONFIG),
        funnel=funnel,
    )
    return trajectories_to_rows(kept, executor, CONFIG)


@pytest.fixture(scope="module")
def table(splits: dict[str, list[Row]]) -> dict[str, Any]:
    return census([observed_row(row) for row in splits["train"]])


def test_every_structure_has_its_rows(table: dict[str, Any]) -> None:
    assert table["rows"] == sum(quotas(CONFIG).values())
    for structure, wanted in quotas(CONFIG).items():
        assert table["structures"].get(structure, 0) >= min(wanted, 4), structure


def test_hops_calls_and_junctions_are_those_of_the_table(table: dict[str, Any]) -> None:
    assert table["single_junction_sequential"]["fan_or_drv"] >= 0.6
    assert table["junctions"]["one_to_many"] >= 0.8
    assert table["junctions"]["cardinality"]["median"] >= 20
    assert table["hops"]["four_or_more"] >= 0.55
    assert 3.8 <= table["calls"]["mean"] <= 4.8
    assert table["parallel"] >= 0.3
    assert {"max", "min", "filter", "most_frequent"} <= set(table["junctions"]["reductions"])


def test_withheld_platforms_and_the_benchmark_stay_out(splits: dict[str, list[Row]], table: dict[str, Any]) -> None:
    assert set(table["platforms"]) <= {"kdic", "expressway", "gyeonggi", "assembly", "law", "education", "hrdk"}
    assert len(table["platforms"]) >= 6
    found = overlap(embedded_rows(), [row for rows in splits.values() for row in rows])
    assert (found.verbatim, found.edges) == ((), 0.0)


def test_validation_shares_neither_operations_nor_chains(splits: dict[str, list[Row]]) -> None:
    assert splits["validation"]
    found = seen_before(splits["train"], splits["validation"])
    assert (found["shared_operations"], found["shared_chains"]) == (0, 0)
    assert found["rows_unseen"] == len(splits["validation"])
