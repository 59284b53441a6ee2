"""Embedder and judge know signatures only: nothing that the world holds about its codes reaches a score."""

from __future__ import annotations

import copy
import random
import subprocess
import sys
from typing import Any

import pytest

from kopa_hf.catalog.registry import load_catalog
from kopa_hf.catalog.tool import Tool
from kopa_hf.edge import feasibility, meaning
from kopa_hf.edge.build import build_graph
from kopa_hf.edge.candidates import embed_signatures
from kopa_hf.edge.config import EdgeConfig
from kopa_hf.edge.embedding import HashedNgrams
from kopa_hf.edge.graph import ToolGraph
from kopa_hf.edge.model_judge import judge_messages
from kopa_hf.sandbox import codes

PLATFORMS = ("assembly", "kdic")


@pytest.fixture
def permuted(monkeypatch: pytest.MonkeyPatch) -> None:
    """The world with its code systems dealt out anew: what joined no longer does, and other things join."""
    table = copy.deepcopy(codes.hazards())
    places: list[tuple[dict[str, Any], str]] = [
        (names, name)
        for wire in table["wires"].values()
        for side in ("fields", "parameters")
        for names in wire.get(side, {}).values()
        for name in names
    ]
    systems = [names[name] for names, name in places]
    random.Random(7).shuffle(systems)
    for (names, name), system in zip(places, systems, strict=True):
        names[name] = system
    monkeypatch.setattr(codes, "hazards", lambda: table)


def skeleton() -> ToolGraph:
    feasibility.affinity.cache_clear()
    meaning._meaning.cache_clear()
    return build_graph(load_catalog.__wrapped__(), EdgeConfig(platforms=PLATFORMS))


def joins(graph: ToolGraph, tools: dict[str, Tool]) -> list[bool]:
    """Whether the two ends of each edge's key binding are of one code system."""
    found = []
    for edge in graph.edges():
        source, target, binding = tools[edge.source], tools[edge.target], edge.key_binding
        left = codes.system_of(source.wire, source.endpoint.operation, "fields", binding.field)
        found.append(left == codes.system_of(target.wire, target.endpoint.operation, "parameters", binding.parameter))
    return found


@pytest.fixture(scope="module")
def before() -> tuple[ToolGraph, list[bool], list[Any]]:
    tools = {tool.name: tool for tool in load_catalog()}
    graph = skeleton()
    return graph, joins(graph, tools), [judge_messages(tools[e.source], tools[e.target]) for e in graph.edges()]


def test_code_systems_dealt_out_anew_change_no_score_and_no_question(
    before: tuple[ToolGraph, list[bool], list[Any]], permuted: None
) -> None:
    graph, joined, questions = before
    tools = {tool.name: tool for tool in load_catalog.__wrapped__()}
    again = skeleton()
    assert [(e.source, e.target, e.score, e.similarity, e.bindings) for e in again.edges()] == [
        (e.source, e.target, e.score, e.similarity, e.bindings) for e in graph.edges()
    ]
    assert again.signature() == graph.signature()
    assert [judge_messages(tools[e.source], tools[e.target]) for e in again.edges()] == questions
    changed = sum(now != then for now, then in zip(joins(again, tools), joined, strict=True))
    assert changed > 0.1 * len(joined), "the permutation must matter, else this shows nothing"


def test_a_graph_is_built_without_the_world_being_loaded() -> None:
    script = (
        "import sys\n"
        "from kopa_hf.catalog.registry import load_catalog\n"
        "from kopa_hf.edge import build_graph, EdgeConfig\n"
        "import kopa_hf.edge.model_judge, kopa_hf.edge.embedders\n"
        f"graph = build_graph(load_catalog(), EdgeConfig(platforms={PLATFORMS[1:]!r}))\n"
        "assert len(graph)\n"
        "print([name for name in sys.modules if name.startswith('kopa_hf.sandbox')])\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, timeout=120)
    assert done.stdout.strip() == "[]"


class Watched:
    """Lets the listed attributes through and fails on any other."""

    def __init__(self, record: Any, allowed: frozenset[str]) -> None:
        self._record, self._allowed = record, allowed

    def __getattr__(self, name: str) -> Any:
        if name not in self._allowed:
            raise AssertionError(f"{name} is nothing that an imported specification has")
        return getattr(self._record, name)


COLUMN = frozenset(
    {"name", "label", "description", "type", "format", "unit", "enum", "enum_labels", "default", "required", "role"}
)
SIGNATURE = frozenset({"name", "title", "description"})


class WatchedTool(Watched):
    def __init__(self, tool: Tool) -> None:
        super().__init__(tool, SIGNATURE)
        self.fields = tuple(Watched(field, COLUMN) for field in tool.fields)
        self.parameters = tuple(Watched(parameter, COLUMN) for parameter in tool.parameters)

    @property
    def inputs(self) -> tuple[Any, ...]:
        return tuple(p for p in self.parameters if p.role not in ("key", "format"))


def test_judges_read_names_labels_descriptions_types_choices_and_formats_alone() -> None:
    tools = [tool for tool in load_catalog() if tool.platform == "kdic" and tool.fields][:12]
    for source in tools:
        for target in tools:
            seen: Any = (WatchedTool(source), WatchedTool(target))
            assert feasibility.RuleJudge().judge(*seen) == feasibility.RuleJudge().judge(source, target)
            assert judge_messages(*seen) == judge_messages(source, target)


def test_embedders_are_given_names_labels_and_titles_alone() -> None:
    tools = [tool for tool in load_catalog() if tool.platform == "kdic" and tool.fields][:12]
    watched: Any = [WatchedTool(tool) for tool in tools]
    seen, plain = embed_signatures(watched, HashedNgrams()), embed_signatures(tools, HashedNgrams())
    assert seen is not None
    assert plain is not None
    assert (seen.outputs == plain.outputs).all()
    assert (seen.inputs == plain.inputs).all()
