"""Agencies that extend a platform: each with a written reason, in the numbers that the page states."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path

from kopa_hf.catalog.registry import load_catalog, read_tools
from kopa_hf.catalog.tool import Tool

PAGE = Path(__file__).parents[2] / "docs" / "catalog.md"
SOURCE = re.compile(r"공공데이터포털 · ([가-힣]+(?: [가-힣]+)*) · (\S+/\S+)")


def of_agencies() -> Iterator[tuple[str, Tool]]:
    """(agency, tool) of every data file of agencies."""
    for source in (files("kopa_hf.catalog") / "data").iterdir():
        if source.name.endswith("_agencies.jsonl"):
            for tool in read_tools(source):
                named = SOURCE.fullmatch(tool.source)
                assert named is not None, (tool.name, tool.source)
                assert source.name == f"{tool.platform}_agencies.jsonl", tool.name
                yield named[1], tool


def table() -> list[list[str]]:
    """The page's rows: agency, platform, operations, reason."""
    lines = PAGE.read_text(encoding="utf-8").split("| agency | platform |", 1)[1].splitlines()[2:]
    rows = []
    for line in lines:
        if not line.startswith("|"):
            break
        rows.append([cell.strip() for cell in line.strip("|").split("|")])
    return rows


def test_every_agency_stands_in_the_table_with_its_platform_and_number() -> None:
    stated = {(row[0], row[1]): int(row[2]) for row in table()}
    assert stated == Counter((agency, tool.platform) for agency, tool in of_agencies())
    assert len(stated) == len(table())


def test_every_reason_is_a_sentence_of_its_own() -> None:
    reasons = [row[3] for row in table()]
    assert all(len(reason) > 60 for reason in reasons)
    assert len(set(reasons)) == len(reasons)


def test_an_agency_s_operation_has_known_columns_and_an_address_at_the_agency() -> None:
    addresses = {tool.endpoint.url for tool in load_catalog()}
    for _, tool in of_agencies():
        assert tool.wire == "data_go_kr", tool.name
        assert tool.fields, tool.name
        assert tool.endpoint.url in addresses
        path = tool.source.rpartition(" · ")[2]
        assert tool.endpoint.url.endswith(path), tool.name
        assert tool.endpoint.operation in (path, path.rpartition("/")[2]), tool.name


def test_the_page_states_the_sum() -> None:
    total = sum(int(row[2]) for row in table())
    agencies = {row[0] for row in table()}
    assert f"{total} operations of {len(agencies)} agencies" in " ".join(PAGE.read_text(encoding="utf-8").split())
