"""Operations that nobody modelled: every one answers, filters as its type says, and stays put."""

from __future__ import annotations

from typing import Any

import pytest

from kopa_hf.catalog.registry import Catalog
from kopa_hf.catalog.tool import Endpoint, Field, Tool
from kopa_hf.execution.executor import Executor
from kopa_hf.sandbox import World
from kopa_hf.sandbox.longtail import answer_from_signature
from kopa_hf.sandbox.probing import Prober
from kopa_hf.sandbox.query import Query, Rows
from kopa_hf.sandbox.registry import find_handler


@pytest.fixture(scope="module")
def prober(world: World, catalog: Catalog) -> Prober:
    return Prober(world, catalog)


def generated(catalog: Catalog) -> list[Tool]:
    """Assembly operations without a handler, all parameters optional."""
    return [
        tool
        for tool in catalog
        if tool.wire == "assembly"
        and tool.fields
        and find_handler("assembly", tool.endpoint.operation) is None
        and not any(p.required for p in tool.inputs)
    ]


def rows(world: World, tool: Tool, **given: str) -> list[dict[str, Any]]:
    reply = answer_from_signature(world, Query(tool.endpoint.operation, given, tool))
    assert isinstance(reply, Rows)
    return reply.slice(0, 500)


@pytest.mark.slow
def test_every_tool_with_known_fields_answers_something(catalog: Catalog, prober: Prober) -> None:
    silent = [tool.name for tool in catalog if tool.fields and not prober.answers(tool)]
    # these demand the very number of a rare thing, or either of two optional ones: chains reach them, guesses do not
    assert set(silent) <= {
        "get_assembly_petition_details",
        "list_assembly_budget_comprehensive_reviews",
        "list_assembly_meeting_agenda_items",
        "list_assembly_meeting_bills",
        "list_assembly_petition_introducers",
        "list_assembly_research_group_reports",
        "list_assembly_whole_committee_minutes",
        "get_dart_debt_securities_registration",
        "get_dart_overseas_delisting",
        "get_law_one_view",
        "list_fsc_bond_rights_schedules",
    }


@pytest.mark.slow
def test_answers_hold_no_column_that_the_catalog_lacks(catalog: Catalog, prober: Prober) -> None:
    for tool in catalog:
        for _, records, _ in prober.answers(tool):
            for record in records:
                assert record.keys() <= {field.name for field in tool.fields}, tool.name


def test_sizes_have_a_long_tail(world: World, catalog: Catalog) -> None:
    sizes = []
    for tool in generated(catalog):
        reply = answer_from_signature(world, Query(tool.endpoint.operation, {}, tool))
        assert isinstance(reply, Rows)
        sizes.append(reply.total)
    sizes.sort()
    assert sizes[len(sizes) // 2] < 400
    assert sizes[-1] > 1_000


def test_a_parameter_keeps_exactly_the_records_that_fit(world: World, catalog: Catalog) -> None:
    tried = 0
    for tool in generated(catalog):
        for parameter in tool.inputs:
            field = tool.field(parameter.name)
            everything = rows(world, tool)
            if field is None or not everything or everything[0][field.name] in (None, "", "-"):
                continue
            value = str(everything[0][field.name])
            kept = rows(world, tool, **{parameter.name: value})
            assert everything[0] in kept, (tool.name, parameter.name)
            assert all(value in str(record[field.name]) for record in kept)
            assert rows(world, tool, **{parameter.name: "없는값"}) == []
            tried += 1
    assert tried > 40


def test_measures_move_with_the_value_seed_and_wording_stays() -> None:
    fields = (Field("TTL", "제목"), Field("AMT", "금액", type="integer"), Field("WRT_DT", "작성일자"))
    tool = Tool("x", "assembly", "assembly", "politics", "t", "d", Endpoint("https://x/X", operation="X"), (), fields)
    here, there = rows(World(), tool), rows(World(value_seed=1), tool)
    assert [(r["TTL"], r["WRT_DT"]) for r in here] == [(r["TTL"], r["WRT_DT"]) for r in there]
    assert [r["AMT"] for r in here] != [r["AMT"] for r in there]
    assert all(isinstance(r["AMT"], int) for r in here)


def test_a_tool_without_known_fields_shows_no_documented_field(world: World) -> None:
    tool = Tool("x", "assembly", "assembly", "politics", "t", "d", Endpoint("https://x/X", operation="X"))
    assert rows(world, tool) == []


def test_pages_joined_are_the_whole(world: World, catalog: Catalog) -> None:
    executor = Executor(world=world, catalog=catalog)
    paged = [tool for tool in generated(catalog) if tool.paging is not None][::12]
    assert paged
    for tool in paged:
        assert tool.paging is not None
        whole = executor.call_sync(tool, {tool.paging.size: "1000"})
        joined: list[dict[str, Any]] = []
        for page in range(1, 7):
            part = executor.call_sync(tool, {tool.paging.page: str(page), tool.paging.size: "7"})
            assert part.outcome in ("ok", "no_data")
            if part.outcome == "ok":
                assert part.total_count == whole.total_count
            joined += part.records
        assert joined == whole.records[: len(joined)]
        assert len(joined) == min(42, whole.total_count or 0)
