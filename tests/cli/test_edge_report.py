"""`kopa edge report` over a folder as the earlier stages leave it."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from kopa_hf.bench.rows import Row
from kopa_hf.cli.edge_settings import DATASET, GRAPH, REPORT
from kopa_hf.cli.edge_stages import dataset_report, draw_pruning, write_report, write_trajectories
from kopa_hf.edge import edge_report, filter_trajectories, synthesize, trajectories_to_rows
from kopa_hf.edge.config import EdgeConfig
from kopa_hf.edge.trajectory import Funnel
from kopa_hf.hub.loading import dataset_rows, load_edge_trajectories
from tests.edge import bill_service as bills
from tests.edge.test_census import toolbench_messages

SETTINGS = EdgeConfig(rows=10, attempts_per_row=20, structures=("SEQ", "DRV"), withhold=("krx",))


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, Any]]:
    """A run's folder after synthesis, and the report of it."""
    folder = tmp_path_factory.mktemp("run")
    graph, funnel = bills.graph(SETTINGS), Funnel()
    graph.save(folder / GRAPH)
    made = synthesize(graph, bills.executor(), SETTINGS, funnel=funnel)
    kept = filter_trajectories(made, bills.executor(), SETTINGS, funnel=funnel)
    splits = trajectories_to_rows(kept, bills.executor(), SETTINGS)
    report = edge_report(graph, kept, funnel=funnel) | dataset_report(splits)
    write_trajectories(splits, folder, report)
    write_report(report, folder)
    return folder, report


@pytest.fixture
def kopa(kopa: Any, monkeypatch: pytest.MonkeyPatch) -> Any:
    # figures have tests of their own
    monkeypatch.setitem(sys.modules, "matplotlib.backends.backend_svg", None)
    return kopa


def test_the_report_of_a_finished_run_is_what_synthesis_wrote(kopa: Any, finished: tuple[Path, dict[str, Any]]) -> None:
    folder, report = finished
    code, out, err = kopa("edge", "report", folder)
    assert code == 0
    assert json.loads((folder / REPORT).read_text(encoding="utf-8")) == json.loads(json.dumps(report))
    page = (folder / "report.html").read_text(encoding="utf-8")
    assert str(folder / "report.html") in out
    assert "pip install '.[report]'" in err
    assert "<img" not in page
    assert f'<td>solved</td><td class="n">{report["funnel"]["stages"]["solved"]}</td>' in page
    kopa("edge", "report", folder)
    assert (folder / "report.html").read_text(encoding="utf-8") == page


def test_files_of_other_data_sets_become_columns(
    kopa: Any, finished: tuple[Path, dict[str, Any]], tmp_path: Path
) -> None:
    answer = {"valid_data": True, "query": "q", "function": [], "train_messages": [toolbench_messages()]}
    (tmp_path / "answer.json").write_text(json.dumps({"answer_generation": answer}), encoding="utf-8")
    code, out, _ = kopa("edge", "report", finished[0], "--toolbench", tmp_path / "answer.json", "--json")
    assert code == 0
    assert json.loads(out)["table"]["others"]["ToolBench"]["rows"] == 1
    assert "ToolBench (file given" in (finished[0] / "report.html").read_text(encoding="utf-8")


def test_a_folder_that_was_only_built_has_a_report(kopa: Any, tmp_path: Path) -> None:
    bills.graph().save(tmp_path / GRAPH)
    code, out, _ = kopa("edge", "report", tmp_path, "--json")
    assert code == 0
    assert "funnel" not in json.loads(out)
    assert "Not there yet" in (tmp_path / "report.html").read_text(encoding="utf-8")


def test_a_folder_without_a_graph_or_with_a_broken_report_is_one_clear_line(
    kopa: Any, finished: tuple[Path, dict[str, Any]], tmp_path: Path
) -> None:
    code, _, err = kopa("edge", "report", tmp_path)
    assert code == 2
    assert "kopa edge build" in err
    before = (finished[0] / REPORT).read_bytes()
    for broken in ('{"funnel": ', '["funnel"]', '{"funnel": {"stages": {}, "sieve": 1}}'):
        (finished[0] / REPORT).write_text(broken, encoding="utf-8")
        code, _, err = kopa("edge", "report", finished[0])
        assert code == 2
        assert "Move it away" in err
    (finished[0] / REPORT).write_text('{"funnel": {"stages": {"sketched": 3}, "reasons": {}}}', encoding="utf-8")
    assert kopa("edge", "report", finished[0])[0] == 0
    (finished[0] / REPORT).write_bytes(before)


def test_the_card_shows_the_reports_numbers(finished: tuple[Path, dict[str, Any]]) -> None:
    folder, report = finished
    card = (folder / DATASET / "README.md").read_text(encoding="utf-8")
    table, seen = report["table"]["ours"], report["splits"]
    assert "| platforms withheld | krx |" in card
    assert f"| DRV | {table['structures']['DRV']} | 350 |" in card
    assert "| COND | 0 | 50 |" in card
    assert f"| cardinality of junctions, median | {table['junctions']['cardinality']['median']:g} | 27 |" in card
    assert " → ".join(f"{stage} {count}" for stage, count in report["funnel"]["stages"].items()) in card
    for name, found in report["phrasing"]["structures"].items():
        assert f"| {name} | {found['rows']} | {found['templates']} | {100 * found['largest_share']:.1f}% |" in card
    assert f"Training calls {seen['train_operations']} operations" in card
    assert f"| questions word for word | {len(report['overlap']['verbatim'])} |" in card
    assert "different data, not comparable" in card
    assert "![" not in card
    assert "{{ " not in card
    assert "{%" not in card


def test_the_card_shows_the_refinement_where_it_could_be_drawn(
    finished: tuple[Path, dict[str, Any]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = {"train": rows_of(finished[0], "train")}
    picture = draw_pruning(bills.graph(), tmp_path)
    write_trajectories(rows, tmp_path, finished[1], picture=picture)
    assert "](pruning.png)" in (tmp_path / DATASET / "README.md").read_text(encoding="utf-8")
    assert (tmp_path / DATASET / "pruning.png").read_bytes() == (tmp_path / "pruning.png").read_bytes()
    monkeypatch.setitem(sys.modules, "matplotlib.backends.backend_agg", None)
    assert draw_pruning(bills.graph(), tmp_path) is None


def rows_of(folder: Path, split: str) -> list[Row]:
    return dataset_rows(load_edge_trajectories(folder / DATASET, split=split))
