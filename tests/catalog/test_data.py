"""What must hold for every signature that ships."""

from __future__ import annotations

import keyword
import re
from collections import Counter

import pytest

from kopa_hf.catalog.registry import load_catalog
from kopa_hf.values import ValueFailure
from kopa_hf.values.formats import to_wire

TOOLS = tuple(load_catalog())
HANGUL = re.compile("[가-힣]")

# Letters whose Korean names end in ㄹ (elle, r) or another consonant.
_LATIN_FINAL = {"L": 8, "R": 8, "M": 16, "N": 4}


SUBJECTS = {
    "dart": ("dart",),
    "krx": ("krx", "fsc", "ksd", "ftc", "hf"),
    "kdic": ("kdic", "kamco", "prepaid", "kdb", "ibk", "kinfa"),
    "expressway": ("expressway",),
    "seoul": ("seoul",),
    "gyeonggi": ("gyeonggi",),
    "assembly": ("assembly",),
    "law": ("law",),
    "education": ("neis", "schoolinfo", "edss", "academyinfo", "nile", "kicce", "kywa", "sen", "kci", "nrf"),
    "hrdk": ("hrdk", "qnet"),
}
"""Platform → words that its tools' names hold after the verb."""


def test_the_ten_platforms_are_there() -> None:
    assert {tool.platform for tool in TOOLS} == set(SUBJECTS)
    exact = Counter(tool.wire for tool in TOOLS)
    assert (exact["dart"], exact["krx"], exact["assembly"], exact["law"]) == (85, 31, 274, 201)
    assert (exact["neis"], exact["schoolinfo"], exact["edss"]) == (16, 35, 9)


def test_names_and_addresses_are_unique() -> None:
    assert len({tool.name for tool in TOOLS}) == len(TOOLS)
    assert len({tool.endpoint.url for tool in TOOLS}) == len(TOOLS)


def test_descriptions_are_unique() -> None:
    twice = [text for text, n in Counter(tool.description for tool in TOOLS).items() if n > 1]
    assert twice == []


def test_a_name_is_a_verb_with_platform_and_noun() -> None:
    for tool in TOOLS:
        subject = "|".join(SUBJECTS[tool.platform])
        verb = "get|list|search|find|download" if tool.read else "[a-z]+"
        assert re.fullmatch(rf"({verb})_({subject})_[a-z0-9]+(_[a-z0-9]+)*", tool.name), tool.name
        assert len(tool.name) <= 64, tool.name


def test_a_description_is_korean_sentences_beyond_the_title() -> None:
    for tool in TOOLS:
        text = tool.description
        assert HANGUL.search(text), tool.name
        assert text.endswith("."), tool.name
        assert len(text) > len(tool.title) + 10, tool.name
        assert text.removesuffix(".") != tool.title, tool.name
        assert not re.search(r"  |\(을\)|을\(를\)|\(으\)로|등 등", text), tool.name


def _final(word: str) -> int:
    """Number of the last syllable's final consonant; 0: none, 8: ㄹ."""
    last = re.sub(r"\([^()]*\)$", "", word)[-1]
    if "가" <= last <= "힣":
        return (ord(last) - 0xAC00) % 28
    return _LATIN_FINAL.get(last.upper(), 0)


_WORD = r"([가-힣A-Za-z_]+(?:\([^()]*\))?)"


def test_particles_fit_the_word_before_them() -> None:
    checked = 0
    for text in (tool.description for tool in TOOLS):
        for word, particle in re.findall(_WORD + r"(을|를) 조회한다", text):
            checked += 1
            assert particle == ("을" if _final(word) else "를"), f"{word}{particle}"
        for word, particle in re.findall(_WORD + r"(?<!으)(으로|로) (?:거를|더 좁힐)", text):
            checked += 1
            assert particle == ("로" if _final(word) in (0, 8) else "으로"), f"{word}{particle}"
        for word, particle in re.findall(_WORD + r"(이|가) (?:담긴다|모두 있어야|있어야)", text):
            checked += 1
            assert particle == ("이" if _final(word) else "가"), f"{word}{particle}"
    assert checked > 500


def test_required_inputs_are_named_in_the_description_or_described() -> None:
    for tool in TOOLS:
        for parameter in tool.inputs:
            if parameter.required:
                named = parameter.name in tool.description or parameter.label in tool.description
                assert named or parameter.description, (tool.name, parameter.name)


def test_formats_are_known_and_defaults_and_choices_obey_them() -> None:
    for tool in TOOLS:
        for column in (*tool.parameters, *tool.fields):
            with pytest.raises(ValueFailure, match=r"^(?!unknown format)"):
                to_wire("\x00", column.format or "integer")
        for parameter in tool.parameters:
            values = (*parameter.enum, *(() if parameter.default is None else (parameter.default,)))
            assert all(to_wire(value, parameter.format) == value for value in values), tool.name
            assert parameter.default is None or not parameter.enum or parameter.default in parameter.enum, tool.name
            assert parameter.default is None or not parameter.required, tool.name
            assert len(parameter.enum_labels) in (0, len(parameter.enum)), tool.name


def test_columns_and_inputs_have_distinct_usable_names() -> None:
    for tool in TOOLS:
        names = [parameter.name for parameter in tool.parameters]
        assert len(set(names)) == len(names), tool.name
        assert all(name.isidentifier() and not keyword.iskeyword(name) for name in names)
        fields = [field.name for field in tool.fields]
        assert len(set(fields)) == len(fields), tool.name
        assert all(column.label for column in (*tool.parameters, *tool.fields))


def test_the_endpoint_agrees_with_operation_key_and_paging() -> None:
    for tool in TOOLS:
        endpoint = tool.endpoint
        assert re.match(r"https?://[a-zA-Z0-9.-]+(:\d+)?/", endpoint.url), tool.name
        assert endpoint.operation, tool.name
        keys = [p for p in tool.parameters if p.role == "key"]
        if endpoint.auth is not None and endpoint.auth_in != "path":
            assert (endpoint.auth, endpoint.auth_in) in [(p.name, p.location) for p in keys], tool.name
        roles = {p.role: p.name for p in tool.parameters}
        if tool.paging is None:
            assert not {"page", "size"} & roles.keys()
        else:
            assert (tool.paging.page, tool.paging.size) == (roles["page"], roles["size"]), tool.name
            size = next(p for p in tool.parameters if p.role == "size")
            assert size.default in (None, str(tool.paging.default_size)), tool.name
        assert tool.source, tool.name


def test_an_operation_is_named_once_a_wire() -> None:
    twice = [name for name, n in Counter((tool.wire, tool.endpoint.operation) for tool in TOOLS).items() if n > 1]
    assert twice == []


def test_wrapper_elements_are_no_columns() -> None:
    wrappers = {"resultCode", "resultMsg", "pageNo", "numOfRows", "totalCount", "items", "item", "header", "response"}
    assert [(tool.name, field.name) for tool in TOOLS for field in tool.fields if field.name in wrappers] == []


def test_client_parameters_name_an_existing_column() -> None:
    client = [(tool, p) for tool in TOOLS for p in tool.parameters if p.location == "client"]
    assert {p.name for _, p in client} == {"corp_name", "stock_code"}
    assert all(tool.field(p.matches_field or "") is not None for tool, p in client)


def test_only_the_two_downloads_of_filings_have_unknown_fields() -> None:
    unknown = {tool.name for tool in TOOLS if tool.fields_unknown and tool.platform in ("dart", "assembly")}
    assert unknown == {"download_dart_disclosure_document", "download_dart_financial_statement_xbrl"}


def test_paging_follows_the_services() -> None:
    paging = {tool.wire: tool.paging for tool in TOOLS if tool.paging is not None}
    assert (paging["dart"].default_size, paging["dart"].max_size) == (10, 100)
    assert {paging[wire].max_size for wire in ("assembly", "seoul", "gyeonggi", "neis")} == {1000}
    assert paging["seoul"].style == "range"
    assert [tool.name for tool in TOOLS if tool.platform == "dart" and tool.paging] == ["search_dart_disclosures"]
    assert not any(tool.paging for tool in TOOLS if tool.wire == "krx")


def test_an_assembly_code_is_a_code_or_marked_as_service_id() -> None:
    for tool in TOOLS:
        if tool.platform == "assembly":
            service_id = re.fullmatch(r"O[A-Z0-9]{17,19}", tool.endpoint.operation) is not None
            assert tool.endpoint.code_unresolved == service_id, tool.name
    assert sum(tool.endpoint.code_unresolved for tool in TOOLS) == 234


@pytest.mark.parametrize(
    ("name", "operation", "parameters", "fields"),
    [
        ("search_dart_disclosures", "list", 12, 9),
        ("get_dart_convertible_bond_issue_decision", "cvbdIsDecsn", 4, 46),
        ("get_krx_kospi_stock_daily", "stk_bydd_trd", 2, 15),
        ("list_assembly_members", "nwvrqwxyaytdsfvhu", 10, 23),
        ("search_assembly_bills", "TVBPMBILL11", 15, 23),
        ("list_assembly_votes_by_bill", "ncocpgfiaoituanbr", 12, 15),
    ],
)
def test_facts_are_carried_over(name: str, operation: str, parameters: int, fields: int) -> None:
    tool = load_catalog().get(name)
    assert (tool.endpoint.operation, len(tool.parameters), len(tool.fields)) == (operation, parameters, fields)


def test_report_codes_are_explained() -> None:
    parameter = load_catalog().get("get_dart_employees").parameter("reprt_code")
    assert parameter is not None
    assert dict(zip(parameter.enum, parameter.enum_labels, strict=True)) == {
        "11013": "1분기보고서",
        "11012": "반기보고서",
        "11014": "3분기보고서",
        "11011": "사업보고서",
    }


def test_dates_and_numbers_carry_the_formats_that_services_print() -> None:
    catalog = load_catalog()

    def form(tool: str, column: str) -> str | None:
        found = catalog.get(tool).field(column) or catalog.get(tool).parameter(column)
        assert found is not None
        return found.format

    assert form("search_dart_disclosures", "rcept_dt") == "YYYYMMDD"
    assert form("get_dart_major_shareholding_reports", "rcept_dt") == "YYYY-MM-DD"
    assert form("get_krx_kospi_stock_daily", "basDd") == "YYYYMMDD"
    assert form("get_krx_kospi_stock_daily", "TDD_CLSPRC") == "number"
    assert form("get_krx_kospi_stock_daily", "ISU_NM") is None
    assert form("list_assembly_votes_by_bill", "PROC_DT") == "YYYY-MM-DD"
    assert form("list_assembly_nabo_focus_reports", "REG_DATE") is None  # a date with a time


def test_units_are_those_that_labels_print() -> None:
    catalog = load_catalog()
    bond = catalog.get("get_dart_convertible_bond_issue_decision")
    assert [field.unit for field in bond.fields if field.name == "cv_prc"] == ["원"]
    contracts = catalog.get("list_assembly_corporation_subsidy_budgets")
    assert [field.unit for field in contracts.fields if field.name == "BDG_TAMT"] == ["천원"]


def test_no_signature_ties_a_column_to_a_code_system() -> None:
    for tool in TOOLS:
        assert not {"code_system", "system", "entity"} & set(type(tool).__slots__)
        for column in (*tool.parameters, *tool.fields):
            assert not {"code_system", "system", "entity"} & set(type(column).__slots__)
