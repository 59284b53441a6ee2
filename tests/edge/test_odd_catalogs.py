"""Catalogs as they come: nothing usable in them, odd names, one domain, loops; what is said and what is kept."""

from __future__ import annotations

import unicodedata
from pathlib import Path

import pytest

from kopa_hf.catalog.tool import Field, Parameter, Tool
from kopa_hf.edge.build import build_graph
from kopa_hf.edge.candidates import find_candidates
from kopa_hf.edge.config import EdgeConfig
from kopa_hf.edge.embedding import HashedNgrams
from kopa_hf.edge.feasibility import Judgement, TableJudge
from kopa_hf.edge.graph import ToolGraph
from kopa_hf.errors import CatalogError, DataError

from .world import BILLS, DETAIL, TOOLS, make_tool

ID = (Parameter("BILL_ID", "의안ID", required=True),)
IDS = (Field("BILL_ID", "의안ID"),)


def test_a_tool_without_fields_is_named_with_its_reason_and_links_nothing() -> None:
    graph = build_graph((*TOOLS, make_tool("get_bare", ID)))
    assert graph.skipped == {"get_bare": "its output fields are unknown"}
    assert "get_bare" not in list(graph)


def test_a_tool_that_could_feed_itself_does_not() -> None:
    loop = make_tool("get_next", ID, IDS)
    graph = build_graph((loop, make_tool("get_other", ID, IDS)))
    assert {(e.source, e.target) for e in graph.edges()} == {("get_next", "get_other"), ("get_other", "get_next")}
    alone = build_graph((loop,))
    assert (len(alone), alone.candidates) == (0, 0)


def test_a_self_loop_in_a_graph_file_is_refused(tmp_path: Path) -> None:
    from kopa_hf.edge.graph import GRAPH_VERSION
    from kopa_hf.edge.storage import GRAPH_KIND, graph_to_dict, read_checked, write_checked

    path = tmp_path / "graph.json"
    graph = build_graph(TOOLS)
    content = graph_to_dict(graph)
    content["edges"][0]["target"] = content["edges"][0]["source"]
    write_checked(path, GRAPH_KIND, GRAPH_VERSION, content)
    assert read_checked(path, GRAPH_KIND, GRAPH_VERSION, "")["edges"]
    with pytest.raises(DataError, match="cannot feed itself"):
        ToolGraph.load(path)


def test_two_tools_of_one_name_are_refused_by_that_name() -> None:
    with pytest.raises(CatalogError, match="Two tools are called 'list_bills'"):
        build_graph((*TOOLS, make_tool("list_bills", ID, IDS, platform="law")))


@pytest.mark.parametrize(
    ("catalog", "settings", "words"),
    [
        ((), {}, "The catalog is empty"),
        (TOOLS, {"withhold": ("assembly",)}, "No tool is left to link: 3 because its platform is withheld"),
        (TOOLS, {"platforms": ("krx",)}, "not among those to link"),
        (TOOLS, {"platforms": ("asembly",)}, "platforms names asembly; the catalog's platforms are assembly"),
        (TOOLS, {"withhold": ("kxr",)}, "withhold names kxr"),
        (
            (make_tool("get_bare"), make_tool("save", ID, IDS, read=False)),
            {},
            "1 because it writes; 1 because its output fields are unknown",
        ),
        ((make_tool("now", platform="local", fields=IDS),), {}, "1 because it is local"),
    ],
)
def test_a_catalog_with_nothing_to_link_says_why(
    catalog: tuple[Tool, ...], settings: dict[str, object], words: str
) -> None:
    with pytest.raises(CatalogError, match=words):
        build_graph(catalog, EdgeConfig().replace(**settings))


def test_withheld_platforms_of_the_ten_need_not_be_in_the_catalog() -> None:
    assert len(build_graph(TOOLS, EdgeConfig.preset("paper"))) > 0


def test_one_domain_has_no_neighbours_elsewhere() -> None:
    tools = [make_tool(f"t{i:02}", ID, IDS, title="의안") for i in range(20)]
    found = find_candidates(tools, HashedNgrams(), EdgeConfig(neighbors=4, cross_neighbors=10))
    assert len(found) == 4 * len(tools)
    none = find_candidates(tools, HashedNgrams(), EdgeConfig(neighbors=1, cross_neighbors=0))
    # equal similarity: the first by name, and the second for the first itself
    assert {c.target for c in none if c.source != "t00"} == {"t00"}
    assert [c.target for c in none if c.source == "t00"] == ["t01"]


def test_names_in_any_script_come_through_file_and_graph(tmp_path: Path) -> None:
    composed, split = "조회_의안", unicodedata.normalize("NFD", "조회_의안")
    names = [composed, split, "liste_détaillée", "取得_議案", "📜", "a b\tc", "x" * 300]
    graph = build_graph([make_tool(name, ID, IDS, title=name) for name in names])
    assert list(graph) == sorted(names)
    assert len(graph) == len(names) * (len(names) - 1)
    graph.save(tmp_path / "graph.json")
    again = ToolGraph.load(tmp_path / "graph.json")
    assert list(again) == list(graph)
    assert [(e.source, e.target, e.score) for e in again.edges()] == [
        (e.source, e.target, e.score) for e in graph.edges()
    ]


def test_labels_and_titles_may_be_missing() -> None:
    bare = [make_tool(f"t{i}", (Parameter("BILL_ID", ""),), (Field("BILL_ID", ""),), title="") for i in range(3)]
    assert len(build_graph(bare)) == 6
    nameless = [make_tool(f"t{i}", (Parameter("", ""),), (Field("", ""),), title="") for i in range(3)]
    assert len(build_graph(nameless)) >= 0


def test_a_source_without_targets_makes_a_graph_without_links() -> None:
    graph = build_graph((BILLS, make_tool("list_more", fields=IDS)))
    assert (len(graph), graph.candidates) == (0, 0)
    assert list(graph) == ["list_bills", "list_more"]


def test_a_judge_may_bind_nothing_anywhere() -> None:
    table = TableJudge({(BILLS.name, DETAIL.name): Judgement(0.9)})
    assert len(build_graph(TOOLS, judge=table)) == 0
