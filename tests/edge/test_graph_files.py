from __future__ import annotations

import errno
import json
import os
import stat
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kopa_hf.edge.config import EdgeConfig
from kopa_hf.edge.feasibility import Binding
from kopa_hf.edge.graph import GRAPH_VERSION, Edge, Evidence, ToolGraph
from kopa_hf.edge.history import IterationStats
from kopa_hf.edge.storage import GRAPH_KIND, graph_to_dict, write_checked
from kopa_hf.errors import DataError

from .world import make_tool

names = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=12)
positive = st.floats(0.01, 1e6)
evidence = st.builds(
    Evidence,
    trials=st.integers(1, 99),
    semantic=st.integers(0, 9),
    generic=st.integers(0, 9),
    failures=st.dictionaries(names, st.integers(1, 9), max_size=3),
    failure_classes=st.dictionaries(names, st.integers(1, 9), max_size=3),
    cardinalities=st.dictionaries(st.integers(0, 300_000), st.integers(1, 9), max_size=4),
    backend=st.sampled_from(["sandbox", "live"]),
    first_trial=st.integers(0, 9),
    last_trial=st.integers(0, 99),
    first_time=st.sampled_from(["2026-01-30", None]),
    last_time=st.sampled_from(["2026-01-30", None]),
    fresh_executions=st.integers(0, 5),
    fresh_successes=st.integers(0, 5),
)
bindings = st.lists(st.builds(Binding, names, names, st.floats(0, 1), st.booleans()), min_size=1, max_size=3)


@st.composite
def graphs(draw: st.DrawFn) -> ToolGraph:
    tools = draw(st.lists(names, min_size=2, max_size=5, unique=True))
    graph = ToolGraph(EdgeConfig(seed=draw(st.integers(0, 9))), judge=draw(names), embedder=draw(names))
    for name in tools:
        graph.add_tool(make_tool(name))
    pairs = st.tuples(st.sampled_from(tools), st.sampled_from(tools)).filter(lambda pair: pair[0] != pair[1])
    for source, target in draw(st.lists(pairs, max_size=6, unique=True)):
        graph.add_edge(
            Edge(
                source,
                target,
                draw(st.floats(0, 1)),
                draw(st.floats(-1, 1)),
                tuple(draw(bindings)),
                tuple(draw(st.lists(names, max_size=2))),
                tuple(draw(st.lists(names, max_size=2))),
                draw(positive),
                draw(positive),
                draw(st.one_of(st.just(Evidence()), evidence)),
            )
        )
    graph.history = [IterationStats(0, 5, 2, 9, 4, 14, {"no_data": 5}, 3, 1)][: draw(st.integers(0, 1))]
    for name in draw(st.lists(names, max_size=3)):
        graph.values.add(("exact", name, "라벨"), name)
    for name in draw(st.lists(names, max_size=3)):
        graph.controls.add((name, "p"), draw(st.booleans()))
    graph.skipped = draw(st.dictionaries(names, names, max_size=2))
    return graph


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(graph=graphs())
def test_a_graph_comes_back_exactly(graph: ToolGraph, tmp_path: Path) -> None:
    file = tmp_path / "graph.json"
    graph.save(file)
    again = ToolGraph.load(file)
    assert graph_to_dict(again) == graph_to_dict(graph)
    assert [(e.source, e.target, e.bindings, e.alpha, e.beta, e.evidence) for e in again.edges()] == [
        (e.source, e.target, e.bindings, e.alpha, e.beta, e.evidence) for e in graph.edges()
    ]
    first = file.read_bytes()
    again.save(file)
    assert file.read_bytes() == first


def small_file(tmp_path: Path) -> Path:
    graph = ToolGraph(EdgeConfig())
    for name in ("a", "b"):
        graph.add_tool(make_tool(name))
    graph.add_edge(Edge("a", "b", 0.5, 0.1, (Binding("p", "f", 0.5),), (), (), 2.0, 2.0))
    file = tmp_path / "graph.json"
    graph.save(file)
    return file


@pytest.mark.parametrize("cut", [0, 1, 40, -3])
def test_a_file_cut_short_is_refused_with_a_remedy(tmp_path: Path, cut: int) -> None:
    file = small_file(tmp_path)
    file.write_bytes(file.read_bytes()[:cut])
    with pytest.raises(DataError, match=r"cut short.*kopa edge build"):
        ToolGraph.load(file)


def test_one_changed_digit_is_noticed(tmp_path: Path) -> None:
    file = small_file(tmp_path)
    file.write_text(file.read_text(encoding="utf-8").replace('"alpha":2.0', '"alpha":3.0'), encoding="utf-8")
    with pytest.raises(DataError, match="checksum"):
        ToolGraph.load(file)


def test_a_missing_file_another_kind_and_another_version_are_told_apart(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="no file"):
        ToolGraph.load(tmp_path / "absent.json")
    file = small_file(tmp_path)
    whole = json.loads(file.read_text(encoding="utf-8"))
    for head, message in (({"version": 99}, "version 99"), ({"kind": "recipe"}, "holds a recipe")):
        changed = {**whole, "head": {**whole["head"], **head}}
        file.write_text(json.dumps(changed), encoding="utf-8")
        with pytest.raises(DataError, match=message):
            ToolGraph.load(file)


def test_binary_garbage_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "graph.json"
    file.write_bytes(b"\xff\xfe\x00garbage")
    with pytest.raises(DataError, match="Cannot read"):
        ToolGraph.load(file)


def test_a_saved_file_is_readable_as_the_users_umask_says(tmp_path: Path) -> None:
    for mask, mode in ((0o022, 0o644), (0o027, 0o640)):
        before = os.umask(mask)
        try:
            write_checked(tmp_path / "graph.json", GRAPH_KIND, GRAPH_VERSION, {})
        finally:
            os.umask(before)
        assert stat.S_IMODE((tmp_path / "graph.json").stat().st_mode) == mode
    assert [path.name for path in tmp_path.iterdir()] == ["graph.json"]


@pytest.mark.parametrize("broken", ["write", "fsync", "replace"])
def test_a_full_disk_leaves_the_earlier_file_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, broken: str
) -> None:
    path = tmp_path / "graph.json"
    write_checked(path, GRAPH_KIND, GRAPH_VERSION, {"was": "there"})
    before = path.read_bytes()

    def full(*_: Any, **__: Any) -> Any:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    if broken == "write":
        monkeypatch.setattr("builtins.open", full)
    else:
        monkeypatch.setattr(os, broken, full)
    with pytest.raises(DataError, match=r"No space left on device.*untouched; make room.*it resumes"):
        write_checked(path, GRAPH_KIND, GRAPH_VERSION, {"is": "new"})
    monkeypatch.undo()
    assert path.read_bytes() == before
    assert [found.name for found in tmp_path.iterdir()] == ["graph.json"]


def test_a_folder_that_cannot_be_written_is_a_clear_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x", encoding="utf-8")
    with pytest.raises(DataError, match="Cannot write"):
        ToolGraph(EdgeConfig()).save(tmp_path / "file" / "graph.json")


def test_self_loops_and_edges_without_binding_are_refused() -> None:
    graph = ToolGraph(EdgeConfig())
    graph.add_tool(make_tool("a"))
    with pytest.raises(DataError, match="cannot feed itself"):
        graph.add_edge(Edge("a", "a", 0.5, 0.1, (Binding("p", "f", 0.5),), (), (), 2.0, 2.0))
    with pytest.raises(DataError, match="binds no parameter"):
        graph.add_edge(Edge("a", "b", 0.5, 0.1, (), (), (), 2.0, 2.0))


def test_the_median_cardinality_decides_the_class() -> None:
    assert Evidence().cardinality_class(5) == "unknown"
    assert Evidence(cardinalities={1: 3, 900: 2}).cardinality_class(5) == "one"
    assert Evidence(cardinalities={1: 1, 4: 1, 900: 1}).cardinality_class(5) == "few"
    assert Evidence(cardinalities={1: 1, 6: 2}).cardinality_class(5) == "many"
