"""Loading, look-up, search and counts."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from kopa_hf.catalog.registry import Catalog, load_catalog, read_tools
from kopa_hf.catalog.tool import Endpoint, Field, Parameter, Tool
from kopa_hf.errors import CatalogError, DataError, UnknownToolError


def tool(name: str, title: str = "가상 목록", description: str = "가상의 행을 준다.", **more: object) -> Tool:
    return Tool(
        name=name,
        platform="gasang",
        wire="gasang",
        domain="district",
        title=title,
        description=description,
        endpoint=Endpoint(f"https://gasang.invalid/{name}", operation=name),
        **more,  # type: ignore[arg-type]
    )


def test_the_catalog_is_loaded_once() -> None:
    assert load_catalog() is load_catalog()


def test_iteration_gives_platform_tools_and_lookup_local_ones_too() -> None:
    catalog = load_catalog()
    names = [found.name for found in catalog]
    assert len(catalog) == len(names) > 2000
    assert "evaluate_expression" not in names
    assert "evaluate_expression" in catalog
    assert catalog.get("evaluate_expression").platform == "local"
    assert "find_dart_corp_code" in catalog
    assert "nothing" not in catalog


def test_an_unknown_name_offers_the_nearest() -> None:
    with pytest.raises(UnknownToolError) as caught:
        load_catalog().get("find_dart_corp_codes")
    assert caught.value.suggestions[0] == "find_dart_corp_code"
    assert "find_dart_corp_code" in str(caught.value)


def test_two_tools_of_one_name_are_refused() -> None:
    with pytest.raises(CatalogError, match="'same'"):
        Catalog([tool("same"), tool("other"), tool("same")])


def test_an_empty_catalog_answers() -> None:
    catalog = Catalog([])
    assert (len(catalog), list(catalog), catalog.platforms()) == (0, [], ())
    assert catalog.stats() == {"tools": 0, "platforms": {}}


def test_a_tool_is_found_by_its_address_with_or_without_query() -> None:
    catalog = load_catalog()
    found = catalog.by_endpoint("https://opendart.fss.or.kr/api/company.json?corp_code=00126380")
    assert found.name == "get_dart_company_overview"
    with pytest.raises(CatalogError, match="no-such"):
        catalog.by_endpoint("https://opendart.fss.or.kr/api/no-such.json")


def test_tools_that_share_a_path_are_told_apart_by_their_query() -> None:
    catalog = load_catalog()
    found = catalog.by_endpoint("https://www.law.go.kr/DRF/lawSearch.do?OC=x&target=eflaw&page=2")
    assert found.endpoint.url.endswith("lawSearch.do?target=eflaw")
    with pytest.raises(CatalogError, match="share the address"):
        catalog.by_endpoint("https://www.law.go.kr/DRF/lawSearch.do")


@pytest.mark.parametrize(
    ("words", "first"),
    [
        ("전환사채", "get_dart_convertible_bond_issue_decision"),
        ("convertible bond issue", "get_dart_convertible_bond_issue_decision"),
        ("고유번호", "find_dart_corp_code"),
        ("코스닥 주가", "get_krx_kosdaq_stock_daily"),
        ("회사 합병", "get_dart_merger_decision"),
        ("의안 상세", "get_assembly_bill_details"),
        ("assembly members", "list_assembly_members"),
        ("EVALUATE", "evaluate_expression"),
    ],
)
def test_search_finds_the_obvious_tool_first(words: str, first: str) -> None:
    assert load_catalog().search(words)[0].name == first


def test_search_takes_decomposed_hangul_and_respects_the_limit() -> None:
    import unicodedata

    catalog = load_catalog()
    decomposed = unicodedata.normalize("NFD", "청원")
    assert catalog.search(decomposed, 3) == catalog.search("청원", 3)
    assert len(catalog.search("청원", 3)) == 3


@pytest.mark.parametrize("words", ["", "   ", "없는낱말쿼크"])
def test_search_without_a_hit_is_empty(words: str) -> None:
    assert load_catalog().search(words) == []


def test_search_ranks_title_over_description_over_columns() -> None:
    in_title = tool("list_a", title="벚꽃 명소")
    in_text = tool("list_b", description="벚꽃이 피는 곳을 알려 준다.")
    in_column = tool("list_c", fields=(Field("BLSM", "벚꽃 개화일"),))
    assert Catalog([in_column, in_text, in_title]).search("벚꽃") == [in_title, in_text, in_column]


def test_the_counts_say_what_can_be_called_and_chained() -> None:
    four = tuple(Field(f"F{i}", f"열 {i}") for i in range(4))
    undocumented = (*four[:3], Field("F9", "열 9", documented=False))
    page = Parameter("page", "쪽", role="page")
    word = Parameter("word", "낱말")
    catalog = Catalog(
        [
            tool("whole", parameters=(word, page), fields=four),
            tool("only_paging", parameters=(page,), fields=undocumented),
            tool("no_fields", parameters=(word,)),
        ]
    )
    assert catalog.stats() == {
        "tools": 2,
        "platforms": {"gasang": {"callable": 3, "parameters_known": 2, "fields4": 1, "chainable": 1}},
    }


def test_the_platforms_counts_add_up() -> None:
    stats = load_catalog().stats()
    assert stats["tools"] == sum(not found.fields_unknown for found in load_catalog())
    assert list(stats["platforms"]) == list(load_catalog().platforms())
    for platform, counts in stats["platforms"].items():
        size = sum(found.platform == platform for found in load_catalog())
        assert all(0 < count <= size for count in counts.values())


def line(**changes: object) -> str:
    record = {
        "name": "list_gasang",
        "platform": "gasang",
        "wire": "gasang",
        "domain": "district",
        "title": "가상",
        "description": "가상의 행을 준다.",
        "endpoint": {"url": "https://gasang.invalid/x"},
    }
    return json.dumps(record | changes, ensure_ascii=False)


def test_a_data_line_becomes_a_hashable_tool(tmp_path: Path) -> None:
    text = line(
        parameters=[{"name": "kind", "label": "종류", "enum": ["a", "b"], "enum_labels": ["가", "나"]}],
        fields=[{"name": "X", "label": "줄\u2028바꿈"}],
    )
    path = tmp_path / "gasang.jsonl"
    path.write_text(f"{text}\n\n", encoding="utf-8")
    (found,) = read_tools(path)
    assert hash(found) == hash(found)
    assert found.parameters[0].enum == ("a", "b")
    assert found.fields[0].label == "줄\u2028바꿈"


@pytest.mark.parametrize(
    "broken",
    [
        '{"name": "x"',
        "5",
        "[]",
        "null",
        "{}",
        line(name=7),
        line(name="no name"),
        line(surprise=1),
        line(endpoint="https://gasang.invalid/x"),
        line(parameters=["kind"]),
        line(fields=[{"name": "X", "label": "엑스", "unit": []}]),
        line(paging={"page": "p"}),
    ],
)
def test_a_damaged_line_is_named_with_its_file(tmp_path: Path, broken: str) -> None:
    path = tmp_path / "gasang.jsonl"
    path.write_text(f"{line()}\n{broken}\n", encoding="utf-8")
    with pytest.raises(DataError, match=r"gasang\.jsonl, line 2"):
        list(read_tools(path))


def test_a_file_that_is_no_text_is_named(tmp_path: Path) -> None:
    path = tmp_path / "gasang.jsonl"
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(DataError, match=r"gasang\.jsonl"):
        list(read_tools(path))
