"""The page of a run: every section, the report's own numbers, text escaped, nothing loaded from anywhere."""

from __future__ import annotations

import base64
import copy
import html
import json
import re
import sys
from functools import lru_cache
from typing import Any

import pytest

from kopa_hf.cli.edge_stages import dataset_report
from kopa_hf.edge.build import build_graph
from kopa_hf.edge.config import EdgeConfig
from kopa_hf.edge.export import trajectories_to_rows
from kopa_hf.edge.filtering import filter_trajectories
from kopa_hf.edge.page import PAPER_URL, report_page
from kopa_hf.edge.rates import measure_rates
from kopa_hf.edge.refinement import refine
from kopa_hf.edge.report import edge_report
from kopa_hf.edge.synthesis import synthesize
from kopa_hf.edge.trajectory import Funnel
from kopa_hf.edge.wording import wording
from kopa_hf.errors import MissingExtraError
from tests.bench.test_rows import make_row

from . import bill_service as bills
from .test_refinement import JUDGE
from .test_report import TRUTH
from .world import TOOLS, ScriptedExecutor, world_answer

SECTIONS = (
    "graph", "rates", "iterations", "beliefs", "failures", "domains", "truth", "funnel", "table", "wording", "splits",
    "settings",
)  # fmt: skip


@lru_cache(maxsize=1)
def full_report() -> dict[str, Any]:
    """A refined graph of three tools, and trajectories over another small service: every part is filled."""
    config = EdgeConfig(iterations=20, paths=6, withhold=("krx",))
    graph = refine(build_graph(TOOLS, config, judge=JUDGE), ScriptedExecutor(world_answer))
    measure_rates(graph, ScriptedExecutor(world_answer))
    funnel, made = Funnel(), EdgeConfig(rows=10, attempts_per_row=20, structures=("SEQ", "DRV"))
    found = filter_trajectories(
        synthesize(bills.graph(), bills.executor(), made, funnel=funnel), bills.executor(), made, funnel=funnel
    )
    rows = trajectories_to_rows(found, bills.executor(), made)
    return edge_report(graph, found, funnel=funnel, truth=TRUTH) | dataset_report(rows)


@lru_cache(maxsize=1)
def drawn_page() -> str:
    return report_page(full_report())


@pytest.fixture
def report() -> dict[str, Any]:
    return copy.deepcopy(full_report())


def shown(page: str) -> str:
    """What a reader sees, without figures."""
    bare = re.sub(r"<style>.*?</style>|<[^>]+>", " ", page, flags=re.DOTALL)
    return " ".join(html.unescape(bare).split())


def test_every_section_stands_in_the_page_and_in_its_menu(report: dict[str, Any]) -> None:
    page = report_page(report, figures=False)
    for name in SECTIONS:
        assert page.count(f'<h2 id="{name}">') == page.count(f'href="#{name}"') == 1
    assert "Not there yet" not in page


def test_the_numbers_are_those_of_the_report(report: dict[str, Any]) -> None:
    text = shown(report_page(report, figures=False))
    assert "edges in the skeleton 골격 간선 2 kept 유지 1 pruned 가지치기 1 (50.0% of the tried" in text
    rate = report["rates"]["tried"]["retained"]
    assert f"retained 1 1 100.0% {rate['executions']} {rate['successes']} 100.0% 62.7%" in text
    assert "kept 유지 0.0% (paper 27.7%), pruned 가지치기 100.0% (paper 70.5%)" in text
    no_data = report["failures"]["classes"]["no_data"]
    assert f"assembly 0 0 {no_data} all 전체 0 0 {no_data}" in text
    assert f"By outcome 결과별 : no_data {no_data}." in text
    prior = report["truth"]["groups"]["tried"]["prior"]
    assert f"tried 2 times or more 2 50.0% prior 0.5 {prior['brier']:.3f} 0.5 1" in text
    for stage, count in report["funnel"]["stages"].items():
        assert f"{stage} {count}" in text
    for name, found in report["phrasing"]["structures"].items():
        assert f"{name} {found['rows']} {found['templates']} {100 * found['largest_share']:.1f}%" in text
    ours = report["table"]["ours"]
    assert f"rows 행 {ours['rows']} 1,781 – – – –" in text
    assert f"DRV {ours['structures']['DRV']} 350 – – – –" in text
    assert "COND 0 50 – – – –" in text
    assert f"operations in training 학습 기능 {report['splits']['train_operations']}" in text
    assert "platforms withheld 제외한 플랫폼 krx" in text


def test_every_setting_is_printed(report: dict[str, Any]) -> None:
    text = shown(report_page(report, figures=False))
    for name, value in report["config"].items():
        if name != "updates" and value not in (None, "", []) and not isinstance(value, list):
            assert f"{name} = {value}" in text
    assert "updates.timeout = 0.3" in text
    assert "structures = SEQ, FAN, DRV, SEM, CMP, COND, MIXED" in text


def test_figures_of_the_paper_never_stand_without_a_warning(report: dict[str, Any]) -> None:
    page = report_page(report, figures=False)
    parts = [shown(f"<h2 {part}") for part in re.split(r"<h2 ", page)]
    beside = [part for part in parts if "(paper " in part or "paper 논문" in part]
    assert len(beside) == 3
    assert all("Different data, not comparable." in part for part in [parts[0], *beside])


def test_other_data_sets_get_columns_where_their_files_were_given(report: dict[str, Any]) -> None:
    report["table"]["others"] = {"ToolBench": {**report["table"]["ours"], "rows": 4321}}
    text = shown(report_page(report, figures=False))
    assert "ours 이 자료 ToolBench (file given 주어진 파일) EDGE, paper 논문" in text
    assert "4,321 1,781" in text


def test_text_from_tools_and_services_is_escaped(report: dict[str, Any]) -> None:
    bad = "<script>alert(1)</script>$x_"
    report["judge"] = bad
    report["failures"]["platforms"][bad] = {"structural": 3}
    report["domains"] = {bad: {bad: 2}}
    report["skipped"] = {bad: 1}
    report["config"]["name"] = bad
    report["funnel"]["reasons"] = {bad: 1}
    report["funnel"]["examples"] = {bad: bad}
    report["table"]["ours"]["platforms"] = {bad: 1}
    report["phrasing"]["structures"] = {bad: {"rows": 1, "templates": 1, "largest_share": 1.0}}
    page = report_page(report)
    assert "<script" not in page
    assert page.count("&lt;script&gt;") >= 9
    assert all(b"<script" not in svg for svg in figures_of(page))


def figures_of(page: str) -> list[bytes]:
    return [base64.b64decode(found) for found in re.findall(r"data:image/svg\+xml;base64,([^\"]+)", page)]


def test_the_page_holds_its_figures_and_loads_nothing() -> None:
    pytest.importorskip("matplotlib")
    page = drawn_page()
    figures = figures_of(page)
    assert len(figures) == 7
    assert all(svg.startswith(b"<svg") and "반복".encode() in b"".join(figures) for svg in figures)
    assert set(re.findall(r"(?:https?:)?//[\w.]+[^\"<\s]*", re.sub(r"base64,[^\"]+", "", page))) == {PAPER_URL}
    for svg in figures:
        assert set(re.findall(rb"http[^\"]+", svg)) <= {b"http://www.w3.org/2000/svg", b"http://www.w3.org/1999/xlink"}
    assert not re.search(r"<(script|link|iframe|object|embed)\b|@import|url\(", page)


def test_same_report_same_bytes_also_from_its_json(report: dict[str, Any]) -> None:
    assert drawn_page() == report_page(json.loads(json.dumps(report, ensure_ascii=False)))


def test_a_run_that_has_only_been_built_has_a_page() -> None:
    page = report_page(edge_report(build_graph(TOOLS, EdgeConfig(), judge=JUDGE)), figures=False)
    assert page.count("Not there yet: <code>kopa edge synthesize</code>") == 4
    assert "Only the sandbox knows the truth" in page
    assert "No kept edge." in page


def test_without_matplotlib_the_extra_is_named(report: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib.backends.backend_svg", None)
    with pytest.raises(MissingExtraError, match=r"pip install '\.\[report\]'"):
        report_page(report)


def test_wording_counts_templates_by_structure() -> None:
    told = [("SEQ", "a", "plain"), ("SEQ", "a", "formal"), ("SEQ", "b", "plain"), ("DRV", "a", "plain")]
    rows = [
        make_row(structure=structure, provenance={"phrasing": template, "register": register, "rephrased": False})
        for structure, template, register in told
    ]
    found = wording(rows)
    assert found["structures"] == {
        "SEQ": {"rows": 3, "templates": 2, "largest_share": 2 / 3},
        "DRV": {"rows": 1, "templates": 1, "largest_share": 1.0},
    }
    assert found["registers"] == {"formal": 1, "plain": 3}
    assert found["rephrased"] == 0
    assert wording([])["characters"] == {"mean": None, "max": None}
