"""Agencies that extend a platform: each with a written reason, in the numbers that the page states.

The data files are read as plain JSON here, so that what the page says is counted without the catalog's own reader.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any, Final
from urllib.parse import parse_qsl, urlsplit

import pytest

from kopa_hf.catalog.registry import load_catalog
from kopa_hf.catalog.tool import Tool
from kopa_hf.platforms.wires import wire_for

PAGE = Path(__file__).parents[2] / "docs" / "catalog.md"
SOURCE = re.compile(r"공공데이터포털 · ([가-힣]+(?: [가-힣]+)*) · (\S+/\S+)")
GATEWAY: Final = "apis.data.go.kr"
AGENCIES: Final[dict[str, tuple[str, tuple[str, ...]]]] = {
    "경기도 수원시": ("3740000", ("gyeonggi_suwon",)),
    "경기도 안양시": ("3830000", ("gyeonggi_anyang",)),
    "경기도 용인시": ("4050000", ("gyeonggi_yongin",)),
    "공정거래위원회": ("1130000", ("ftc", "prepaid")),
    "국가평생교육진흥원": ("B552881", ("nile",)),
    "국민권익위원회": ("1140100", ("law_acrc",)),
    "국토교통부": ("1613000", ("expressway_card", "expressway_tago", "expressway_molit", "expressway_kict")),
    "국회도서관": ("9720000", ("assembly_library",)),
    "법무부": ("1270000", ("law_moj",)),
    "서민금융진흥원": ("B553701", ("kinfa",)),
    "서울교통공사": ("B553766", ("seoul_metro",)),
    "서울에너지공사": ("B553734", ("seoul_energy",)),
    "서울특별시 광진구": ("3040000", ("seoul_gwangjin",)),
    "서울특별시교육청": ("7010000", ("sen",)),
    "육아정책연구소": ("B552655", ("kicce",)),
    "중소기업은행": ("B190021", ("ibk",)),
    "중앙선거관리위원회": ("9760000", ("assembly_nec",)),
    "한국도로교통공단": ("B552061", ("expressway_koroad",)),
    "한국산업은행": ("B190030", ("kdb",)),
    "한국연구재단": ("B552540", ("kci", "nrf")),
    "한국예탁결제원": ("B552481", ("ksd",)),
    "한국자산관리공사": ("B010003", ("kamco",)),
    "한국주택금융공사": ("B551408", ("hf",)),
    "한국청소년활동진흥원": ("B552713", ("kywa",)),
    "헌법재판소": ("9750000", ("law_ccourt",)),
}
"""Agency → the institution's code that the gateway's addresses begin with, and the words that its tools are named by.

The Seoul facilities corporation alone is missing: it answers at a host of its own.
"""
CORPORATION: Final = "서울시설공단"
BASES: Final = {
    "한국연구재단": ("KCIOpenApi/", "KCIOpenApi/acceInfo/"),
    "중앙선거관리위원회": ("RpbeExctRsnInqireService/",),
}
"""What may stand between the code and the service: one umbrella service, and one that repeats its name."""
LEFT_OUT: Final = {"fields", "selectFields", "sortKey", "viewseq"}


@cache
def of_agencies() -> tuple[tuple[str, Tool], ...]:
    """(agency, tool) of every data file of agencies."""
    found = []
    for platform, row in raw():
        named = SOURCE.fullmatch(row["source"])
        assert named is not None, (row["name"], row["source"])
        assert row["platform"] == platform, row["name"]
        found.append((named[1], load_catalog().get(row["name"])))
    return tuple(found)


@cache
def raw() -> tuple[tuple[str, dict[str, Any]], ...]:
    """(platform that the file is named after, line of it)."""
    found = []
    for source in (files("kopa_hf.catalog") / "data").iterdir():
        if source.name.endswith("_agencies.jsonl"):
            lines = source.read_text(encoding="utf-8").splitlines()
            found += [(source.name.removesuffix("_agencies.jsonl"), json.loads(line)) for line in lines]
    return tuple(found)


@cache
def page() -> str:
    return " ".join(PAGE.read_text(encoding="utf-8").split())


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
    counted = Counter((row["source"].split(" · ")[1], platform) for platform, row in raw())
    stated = {(row[0], row[1]): int(row[2]) for row in table()}
    assert stated == counted
    assert len(stated) == len(table())
    assert {agency for agency, _ in stated} == {*AGENCIES, CORPORATION}


def test_every_reason_is_a_sentence_of_its_own() -> None:
    reasons = [row[3] for row in table()]
    assert all(len(reason) > 60 for reason in reasons)
    assert len(set(reasons)) == len(reasons)


def test_the_page_states_the_sum() -> None:
    agencies = {row["source"].split(" · ")[1] for _, row in raw()}
    assert f"{len(raw())} operations of {len(agencies)} agencies" in page()


def test_an_address_begins_with_the_code_of_its_agency() -> None:
    for agency, tool in of_agencies():
        address = urlsplit(tool.endpoint.url)
        path = tool.source.rpartition(" · ")[2]
        assert address.scheme == "https", tool.name
        if agency == CORPORATION:
            assert (address.netloc, address.path) == ("data.sisul.or.kr", f"/AutoAPI/service/OpenDB/{path}"), tool.name
        else:
            code, _ = AGENCIES[agency]
            fitting = [f"/{code}/{base}{path}" for base in ("", *BASES.get(agency, ()))]
            assert (address.netloc, address.path in fitting) == (GATEWAY, True), tool.name
        assert tool.endpoint.operation in (path, path.rpartition("/")[2]), tool.name


def test_no_two_agencies_share_a_code_and_no_two_operations_an_address() -> None:
    codes = [code for code, _ in AGENCIES.values()]
    assert len(set(codes)) == len(codes)
    paths = [urlsplit(tool.endpoint.url).path.lower() for tool in load_catalog() if GATEWAY in tool.endpoint.url]
    assert [path for path, n in Counter(paths).items() if n > 1] == []


def test_an_agency_s_operation_has_columns_a_key_and_one_parameter_a_name() -> None:
    for _, tool in of_agencies():
        assert tool.wire == "data_go_kr", tool.name
        assert tool.fields, tool.name
        assert [p.name for p in tool.parameters if p.role == "key"] == ["serviceKey"], tool.name
        for names in ([p.sent_as or p.name for p in tool.parameters], [f.name for f in tool.fields]):
            assert len({name.lower() for name in names}) == len(names), tool.name


def test_a_name_says_whose_it_is_and_what_it_asks_for() -> None:
    for agency, tool in of_agencies():
        words = ("seoul_facilities",) if agency == CORPORATION else AGENCIES[agency][1]
        verb, _, rest = tool.name.partition("_")
        assert rest.startswith(tuple(f"{word}_" for word in words)), tool.name
        asked = [p for p in tool.inputs if p.role == "input"]
        if verb == "find":
            assert any(p.required for p in asked), tool.name
        elif verb == "search":
            assert asked, tool.name
        else:
            assert verb in ("get", "list"), tool.name


_ROW: Final = re.compile(r"한 행(?:에|은) (.+?)( 등)?[이가을를] (?:담긴다|담는다)\.")
_FILTER: Final = re.compile(r"(?<=\. )([^.]+?)(?:으로|로) 거를 수 있다\.")


def _plain(label: str) -> str:
    return re.sub(r"\([^()]*\)|\s", "", label)


def test_a_description_names_columns_and_inputs_that_are_there() -> None:
    silent = {"get_hf_jeonse_guarantee_limit", "get_hf_reverse_mortgage_payment"}  # calculators: one figure
    for _, tool in of_agencies():
        told = _ROW.search(tool.description)
        assert (told is None) == (tool.name in silent), tool.name
        if told is not None:
            named = told[1].split(", ")
            assert {_plain(label) for label in named} <= {_plain(f.label) for f in tool.fields}, tool.name
            more = len(named) < len(tool.fields) or not tool.fields_complete
            assert (told[2] is not None) == more, tool.name
        asked = [p for p in tool.inputs if p.role == "input"]
        filters = _FILTER.search(tool.description)
        if filters is not None:
            optional = {_plain(p.label) for p in asked if not p.required}
            assert {_plain(label) for label in filters[1].split(", ")} <= optional, tool.name
        if tool.name not in silent:
            demanded = [f"({p.name})" for p in asked if p.required]
            assert all(text in tool.description for text in demanded), tool.name


def test_the_page_counts_the_choosers_that_are_left_out() -> None:
    said = re.search(
        r"(\d+) documented parameters are not offered, all of them optional: `fields` of (\d+) of the court's operations "
        r"and `selectFields` of (\d+) of the metro's, which choose columns, `sortKey` of Suwon's (\d+) and `viewseq` "
        r"of (\d+) lists",
        page(),
    )
    assert said is not None
    total, court, metro, suwon, lists = (int(number) for number in said.groups())
    assert total == court + metro + suwon + lists
    numbers = Counter(agency for agency, _ in of_agencies())
    fixed = [tool.name for _, tool in of_agencies() if urlsplit(tool.endpoint.url).query]
    assert (court, suwon) == (numbers["헌법재판소"] - len(fixed), numbers["경기도 수원시"])
    assert metro <= numbers["서울교통공사"]
    assert not any(p.name in LEFT_OUT for _, tool in of_agencies() for p in tool.parameters)


@pytest.mark.parametrize("name", ["list_law_ccourt_complaint_causes_table"])
def test_a_demanded_chooser_is_sent_with_every_column(name: str) -> None:
    tool = load_catalog().get(name)
    request = wire_for(tool.wire).build_request(tool, {"year": "2024", "month": "05"}, "key")
    sent = dict(parse_qsl(request.url.query.decode()))
    assert sent["fields"] == "columnName,rowName,count"
    assert [field.name for field in tool.fields] == ["columnName", "rowName", "count"]
    assert (sent["year"], sent["month"], sent["serviceKey"]) == ("2024", "05", "key")


def test_a_page_size_goes_under_the_documented_name() -> None:
    tool = load_catalog().get("search_law_acrc_corruption_report_cases")
    request = wire_for(tool.wire).build_request(tool, {"pagesize": "30"}, "key")
    sent = dict(parse_qsl(request.url.query.decode()))
    assert (sent["pagesize"], sent["pageNo"]) == ("30", "1")
    assert "numOfRows" not in sent
