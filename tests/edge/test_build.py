from __future__ import annotations

import numpy as np
import pytest

from kopa_hf.catalog.tool import Field, Parameter, Tool
from kopa_hf.edge.build import build_graph
from kopa_hf.edge.candidates import find_candidates
from kopa_hf.edge.config import EdgeConfig
from kopa_hf.edge.embedding import HashedNgrams
from kopa_hf.edge.feasibility import Judgement
from kopa_hf.errors import CatalogError, KopaError

from .world import BILLS, DETAIL, MINUTES, TOOLS, make_tool


def test_the_skeleton_links_what_signatures_suggest() -> None:
    graph = build_graph(TOOLS, EdgeConfig())
    pairs = {(e.source, e.target) for e in graph.edges()}
    assert ("list_bills", "get_bill_detail") in pairs
    assert ("list_bills", "get_meeting_minutes") in pairs
    assert ("get_meeting_minutes", "get_bill_detail") not in pairs
    edge = graph.edge("list_bills", "get_bill_detail")
    assert (edge.alpha, edge.beta) == (1 + 2 * edge.score, 1 + 2 * (1 - edge.score))


def test_withheld_writing_and_fieldless_tools_stay_out() -> None:
    writer = make_tool("save_thing", (Parameter("BILL_ID", "의안ID"),), (Field("ID", "아이디"),), read=False)
    bare = make_tool("get_bare")
    market = make_tool("get_price", fields=(Field("BILL_ID", "의안ID"),), platform="krx")
    graph = build_graph((*TOOLS, writer, bare, market), EdgeConfig(withhold=("krx",)))
    assert list(graph) == ["get_bill_detail", "get_meeting_minutes", "list_bills"]
    assert set(graph.skipped) == {"save_thing", "get_bare", "get_price"}


def test_only_the_platforms_that_are_named_are_linked() -> None:
    market = make_tool("get_price", (Parameter("BILL_ID", "의안ID"),), (Field("BILL_ID", "의안ID"),), platform="krx")
    graph = build_graph((*TOOLS, market), EdgeConfig(platforms=("krx",)))
    assert list(graph) == ["get_price"]
    assert graph.skipped[TOOLS[0].name] == "its platform is not among those to link"


def test_empty_unusable_and_ambiguous_catalogs_are_clear_errors() -> None:
    with pytest.raises(CatalogError, match="empty"):
        build_graph((), EdgeConfig())
    with pytest.raises(CatalogError, match="Two tools are called 'list_bills'"):
        build_graph((*TOOLS, BILLS), EdgeConfig())
    with pytest.raises(CatalogError, match="No tool is left to link"):
        build_graph((make_tool("get_bare"),), EdgeConfig())


class BrokenJudge:
    name = "broken"

    def __init__(self, works_for: str = "") -> None:
        self.works_for = works_for

    def judge(self, source: Tool, target: Tool) -> Judgement:
        if target.name == self.works_for:
            return Judgement(0.0)
        raise TimeoutError("no answer from http://judge.invalid")


def test_a_judge_that_always_fails_ends_the_build_with_its_reason() -> None:
    many = tuple(make_tool(f"t{i}", (Parameter("BILL_ID", "의안ID"),), (Field("BILL_ID", "의안ID"),)) for i in range(8))
    with pytest.raises(KopaError, match=r"'broken' failed on each of the first 20 pairs.*no answer"):
        build_graph(many, EdgeConfig(), judge=BrokenJudge())


def test_a_judge_that_slips_is_counted_and_its_pair_left_out() -> None:
    graph = build_graph(TOOLS, EdgeConfig(), judge=BrokenJudge(works_for="get_bill_detail"))
    assert graph.judge_errors == sum(c.target == "get_meeting_minutes" for c in _candidates())
    assert len(graph) == 0


def _candidates() -> list[object]:
    return list(find_candidates(TOOLS, HashedNgrams(), EdgeConfig()))


def test_embeddings_are_unit_vectors_that_do_not_depend_on_the_batch() -> None:
    embedder = HashedNgrams()
    together = embedder.embed(["의안 ID", "", "종목코드"])
    assert np.allclose(np.linalg.norm(together, axis=1), [1, 0, 1], atol=1e-6)
    assert np.array_equal(together[2], embedder.embed(["종목코드"])[0])
    near, far = embedder.embed(["의안ID 의안명", "의안ID"]), embedder.embed(["거래량 종가", "의안ID"])
    assert near[0] @ near[1] > far[0] @ far[1]


def test_a_source_gets_k_targets_of_its_domain_and_kx_of_others() -> None:
    tools = [
        make_tool(f"{domain}_{i:02}", (Parameter("BILL_ID", "의안ID"),), (Field("BILL_ID", "의안ID"),), domain=domain)
        for domain in ("politics", "finance")
        for i in range(12)
    ]
    found = find_candidates(tools, HashedNgrams(), EdgeConfig(neighbors=5, cross_neighbors=3))
    mine = [c.target for c in found if c.source == "politics_00"]
    assert sum(name.startswith("politics") for name in mine) == 5
    assert sum(name.startswith("finance") for name in mine) == 3
    assert "politics_00" not in mine


def test_blocks_give_what_one_block_gives(monkeypatch: pytest.MonkeyPatch) -> None:
    tools = [
        make_tool(f"t{i:03}", (Parameter("P", f"값{i % 7}"),), (Field("F", f"값{i % 5}"),), title=f"자료 {i % 11}")
        for i in range(40)
    ]
    whole = find_candidates(tools, HashedNgrams(), EdgeConfig(neighbors=6))
    monkeypatch.setattr("kopa_hf.edge.candidates.BLOCK", 7)
    assert find_candidates(tools, HashedNgrams(), EdgeConfig(neighbors=6)) == whole


def test_detail_and_minutes_are_no_candidates_of_themselves() -> None:
    pairs = {(c.source, c.target) for c in find_candidates(TOOLS, HashedNgrams(), EdgeConfig())}
    assert all(source != target for source, target in pairs)
    assert (DETAIL.name, MINUTES.name) in pairs
