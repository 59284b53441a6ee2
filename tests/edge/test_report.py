from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from kopa_hf.edge.build import build_graph
from kopa_hf.edge.config import EdgeConfig
from kopa_hf.edge.figure import pruning_figure
from kopa_hf.edge.graph import ToolGraph
from kopa_hf.edge.rates import measure_rates
from kopa_hf.edge.refinement import refine
from kopa_hf.edge.report import edge_report
from kopa_hf.edge.scores import auc, beliefs, truth_scores
from kopa_hf.edge.synthesis import synthesize
from kopa_hf.edge.trajectory import Funnel
from kopa_hf.errors import DataError, MissingExtraError

from . import bill_service as bills
from .test_refinement import JUDGE
from .world import TOOLS, ScriptedExecutor, world_answer

TRUTH = {
    ("list_bills", "BILL_ID", "get_bill_detail", "BILL_ID"): True,
    ("list_bills", "CONF_ID", "get_meeting_minutes", "CONF_ID"): False,
}


@pytest.fixture(scope="module")
def graph() -> ToolGraph:
    config = EdgeConfig(iterations=20, paths=6)
    refined = refine(build_graph(TOOLS, config, judge=JUDGE), ScriptedExecutor(world_answer))
    measure_rates(refined, ScriptedExecutor(world_answer))
    return refined


def test_the_report_counts_edges_rates_and_failures(graph: ToolGraph) -> None:
    report = edge_report(graph)
    bad = graph.edge("list_bills", "get_meeting_minutes").evidence
    assert report["tools"] == 3
    assert report["edges"] == {
        "skeleton": 2,
        "kept": 1,
        "pruned": 1,
        "untried": 0,
        "tried_share": 1.0,
        "pruned_share": 0.5,
        "trials": 120,
    }
    assert {name: rate["rate"] for name, rate in report["rates"]["tried"].items()} == {
        "skeleton": 0.5,
        "retained": 1.0,
        "pruned": 0.0,
    }
    assert report["never_succeeded"] == {"kept": 0.0, "pruned": 1.0}
    assert report["failures"]["platforms"] == {"assembly": {"no_data": bad.trials}}
    assert report["cardinality"]["median"] == 4
    assert report["domains"] == {"politics": {"politics": 1}}
    assert report["gain"]["step_rate"] > 0
    json.dumps(report)


def test_an_untouched_graph_has_a_report_without_rates() -> None:
    report = edge_report(build_graph(TOOLS, EdgeConfig(), judge=JUDGE))
    assert report["edges"]["untried"] == 2
    assert report["edges"]["pruned_share"] is None
    assert report["rates"]["all"]["skeleton"]["rate"] is None
    assert report["gain"] == {"pass_rate": None, "step_rate": None}


def test_trajectories_and_funnel_are_part_of_the_report() -> None:
    funnel = Funnel()
    config = EdgeConfig(rows=10, attempts_per_row=20, structures=("SEQ", "DRV"))
    found = synthesize(bills.graph(), bills.executor(), config, funnel=funnel)
    report = edge_report(bills.graph(), found, funnel=funnel)
    made = report["trajectories"]
    assert made["count"] == len(found) == sum(made["structures"].values())
    assert made["max_cardinality"] == 8
    # a few more are made than are kept, and every sketch is either executed or dropped for a reason
    stages = report["funnel"]["stages"]
    assert len(found) <= stages["executed"] == stages["sketched"] - sum(report["funnel"]["reasons"].values())


def test_precision_recall_auc_and_brier_by_hand(graph: ToolGraph) -> None:
    scores = truth_scores(graph, TRUTH)
    assert (scores["known"], scores["tried"], scores["valid_share"]) == (2, 2, 0.5)
    assert (scores["precision"], scores["recall"]) == (1.0, 1.0)
    # both scores are 0.8, so both priors are Beta(2.6, 1.4) with mean 0.65: the judge cannot tell them apart
    assert scores["prior"]["auc"] == 0.5
    assert scores["prior"]["brier"] == pytest.approx((0.35**2 + 0.65**2) / 2)
    assert (scores["prior"]["precision"], scores["prior"]["recall"]) == (0.5, 1.0)
    assert scores["posterior"]["auc"] == 1.0
    assert scores["posterior"]["brier"] < scores["prior"]["brier"]
    assert scores["final"] == {"auc": 1.0, "brier": 0.0, "precision": 1.0, "recall": 1.0}
    assert {name: group["edges"] for name, group in scores["groups"].items()} == {"all": 2, "tried": 2, "sure": 2}


def test_untried_edges_count_as_left_in_the_final_graph() -> None:
    untouched = build_graph(TOOLS, EdgeConfig(), judge=JUDGE)
    groups = truth_scores(untouched, TRUTH)["groups"]
    assert groups["all"]["final"] == {"auc": 0.5, "brier": 0.5, "precision": 0.5, "recall": 1.0}
    assert groups["all"]["posterior"] == groups["all"]["prior"]
    assert groups["sure"]["edges"] == 0
    assert groups["sure"]["posterior"] == {"auc": None, "brier": None, "precision": None, "recall": None}


def test_beliefs_part_by_what_executions_showed(graph: ToolGraph) -> None:
    found = beliefs(graph, bins=4)
    assert found["kept"]["prior_bins"] == found["pruned"]["prior_bins"] == [0, 0, 1, 0]
    assert found["kept"]["posterior_bins"] == [0, 0, 0, 1]
    assert found["pruned"]["posterior_mean"] < 0.5 < found["kept"]["posterior_mean"]
    assert found["untried"] == {
        "edges": 0,
        "prior_mean": None,
        "posterior_mean": None,
        "prior_bins": [0] * 4,
        "posterior_bins": [0] * 4,
    }


def test_edges_that_the_truth_does_not_know_are_counted_apart(graph: ToolGraph) -> None:
    scores = truth_scores(graph, {key: valid for key, valid in TRUTH.items() if valid})
    assert (scores["known"], scores["unknown"]) == (1, 1)


def test_auc_counts_ties_half() -> None:
    assert auc([(0.1, False), (0.4, True), (0.4, False), (0.9, True)]) == (1 + 1 + 1 + 0.5) / 4
    assert auc([(0.3, True)]) is None


def test_the_picture_is_written_and_is_the_same_every_time(graph: ToolGraph, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib", reason="extra `report` is not installed")
    first = pruning_figure(graph, tmp_path / "deep" / "pruning.png")
    second = pruning_figure(graph, tmp_path / "again.png")
    assert first.read_bytes()[:8] == b"\x89PNG\r\n\x1a\n"
    assert first.read_bytes() == second.read_bytes()
    assert pruning_figure(ToolGraph(EdgeConfig()), tmp_path / "empty.png").stat().st_size > 1000


def test_a_picture_that_cannot_be_written_is_a_clear_error(graph: ToolGraph, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib", reason="extra `report` is not installed")
    with pytest.raises(DataError, match="Cannot write the figure"):
        pruning_figure(graph, tmp_path / "pruning.doc")


def test_without_matplotlib_the_extra_is_named(
    graph: ToolGraph, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib.backends.backend_agg", None)
    with pytest.raises(MissingExtraError, match=r"pip install '\.\[report\]'"):
        pruning_figure(graph, tmp_path / "pruning.png")
