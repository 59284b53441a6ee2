"""One text per request, equal exactly where a service would answer alike."""

from __future__ import annotations

import datetime
import json
import unicodedata
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kopa_hf import canonical_request
from kopa_hf.catalog.canonical import KEY_NAMES
from kopa_hf.catalog.registry import load_catalog

SEARCH = "search_dart_disclosures"
UNKNOWN = "list_gasang_toilets"

DATES = st.dates(min_value=datetime.date(1900, 1, 1), max_value=datetime.date(2199, 12, 31))
SPELLINGS = ("%Y%m%d", "%Y-%m-%d", "%Y.%m.%d", "%Y/%m/%d", "%Y년 %m월 %d일")
SCALARS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=10)
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
)


def test_the_text_is_json_with_name_and_normal_forms() -> None:
    text = canonical_request(SEARCH, {"end_de": "2024.05.31", "bgn_de": "2024-05-01", "page_no": 2})
    assert text == '["search_dart_disclosures",{"bgn_de":"20240501","end_de":"20240531","page_no":"2"}]'


@pytest.mark.parametrize(
    "alike",
    [
        {"corp_code": "00123456", "page_no": 1},
        {"corp_code": "00123456", "page_no": "1", "page_count": "10"},
        {"corp_code": "00123456", "sort": "date", "sort_mth": "desc", "last_reprt_at": "N"},
        {"corp_code": 123456, "corp_cls": None, "bgn_de": ""},
        {"corp_code": " 00123456 ", "crtfc_key": "0" * 40},
    ],
)
def test_defaults_spelled_out_or_not_are_equal(alike: dict[str, Any]) -> None:
    assert canonical_request(SEARCH, alike) == canonical_request(SEARCH, {"corp_code": "00123456"})


@pytest.mark.parametrize(
    "other",
    [
        {},
        {"corp_code": "00123457"},
        {"corp_code": "00123456", "page_no": 2},
        {"corp_code": "00123456", "page_count": 100},
        {"corp_code": "00123456", "sort_mth": "asc"},
        {"corp_code": "00123456", "surprise": "x"},
        {"corp_code": "123456"},
    ],
)
def test_another_request_is_another_text(other: dict[str, Any]) -> None:
    assert canonical_request(SEARCH, other) != canonical_request(SEARCH, {"corp_code": "00123456"})


def test_the_first_page_of_a_service_is_its_default() -> None:
    page = {"AGE": "22", "pIndex": 1, "pSize": 100}
    assert canonical_request("search_assembly_bills", page) == canonical_request("search_assembly_bills", {"AGE": 22})


def test_joined_codes_ignore_blanks_around_them() -> None:
    name = "get_dart_multi_company_key_accounts"
    a, b = {"corp_code": "00111111,00222222"}, {"corp_code": "00111111, 00222222"}
    assert canonical_request(name, a) == canonical_request(name, b)
    assert canonical_request(name, a) != canonical_request(name, {"corp_code": "00111111"})


def test_client_filters_tell_requests_apart() -> None:
    assert canonical_request("find_dart_corp_code", {"corp_name": "가온"}) != canonical_request(
        "find_dart_corp_code", {}
    )


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (60, "60"),
        (60.0, 60),
        ("2024-05-01", "20240501"),
        ("2024년 5월 1일", 20240501),
        (True, "true"),
        ("가", unicodedata.normalize("NFD", "가")),
    ],
)
def test_for_an_unknown_name_values_alone_decide_what_is_equal(one: Any, other: Any) -> None:
    assert canonical_request(UNKNOWN, {"a": one}) == canonical_request(UNKNOWN, {"a": other})


@pytest.mark.parametrize(
    ("one", "other"),
    [("01", "1"), ("1", "1.0"), ("2024-05-01 10:00", "2024-05-01 11:00"), ("2024-13-01", "20241301"), ("A", "a"), ("㎡", "m2"), ("1,000", "1000"), (0.1, 0.2)],
)  # fmt: skip
def test_for_an_unknown_name_values_alone_decide_what_differs(one: Any, other: Any) -> None:
    assert canonical_request(UNKNOWN, {"a": one}) != canonical_request(UNKNOWN, {"a": other})


def test_the_name_belongs_to_the_request() -> None:
    assert canonical_request("list_gasang", {"a": 1}) != canonical_request("list_other", {"a": 1})


@given(DATES, st.sampled_from(SPELLINGS), st.sampled_from(SPELLINGS))
def test_a_day_is_one_day_in_any_spelling(day: Any, one: str, other: str) -> None:
    for name, parameter in (("get_krx_kospi_stock_daily", "basDd"), (UNKNOWN, "d")):
        first = canonical_request(name, {parameter: day.strftime(one)})
        assert first == canonical_request(name, {parameter: day.strftime(other)})
        assert first != canonical_request(name, {parameter: day.replace(day=day.day % 28 + 1).strftime(other)})


@given(st.dictionaries(st.text(max_size=8), VALUES, max_size=5), st.randoms(use_true_random=False))
def test_order_does_not_matter_and_the_text_parses(arguments: dict[str, Any], rng: Any) -> None:
    items = list(arguments.items())
    rng.shuffle(items)
    # Names that fold into one are one argument twice; which of them counts is order's business.
    if len({unicodedata.normalize("NFC", name).strip() for name in arguments}) < len(arguments):
        return
    for name in (UNKNOWN, SEARCH):
        text = canonical_request(name, arguments)
        assert text == canonical_request(name, dict(items))
        assert json.loads(text)[0] == name


@given(st.integers(), st.integers())
def test_integers_are_equal_only_to_themselves(a: int, b: int) -> None:
    same = canonical_request(UNKNOWN, {"n": a}) == canonical_request(UNKNOWN, {"n": str(b)})
    assert same == (a == b)


@pytest.mark.parametrize(
    "name", ["crtfc_key", "AUTH_KEY", "KEY", "serviceKey", "ServiceKey", "authApiKey", "apiKey", "OC", "token", "key"]
)
@pytest.mark.parametrize("tool", [UNKNOWN, SEARCH, "get_krx_kospi_stock_daily", "list_assembly_members"])
def test_no_key_enters_the_text(tool: str, name: str) -> None:
    secret = "ab%2Bcd%3D%3D0123456789"
    assert canonical_request(tool, {name: secret, "a": 1}) == canonical_request(tool, {"a": 1})


def test_no_input_of_the_catalog_is_taken_for_a_key() -> None:
    assert [(t.name, p.name) for t in load_catalog() for p in t.inputs if KEY_NAMES.fullmatch(p.name)] == []


class _Rude:
    def __str__(self) -> str:
        raise RuntimeError("no text")


@pytest.mark.parametrize(
    "arguments",
    [None, 5, "x", [], {"a": _Rude()}, {_Rude(): 1}, {1: 2}, {"a": 10**9000}, {"a": float("inf")}, {"a": b"x"}],
)
@pytest.mark.parametrize("name", [None, 7, "", "search_dart_disclosures", "없음", "\ud800"])
def test_it_never_raises(name: Any, arguments: Any) -> None:
    assert isinstance(canonical_request(name, arguments), str)


def test_it_never_raises_on_bottomless_values() -> None:
    deep: list[Any] = []
    for _ in range(100_000):
        deep = [deep]
    assert isinstance(canonical_request(UNKNOWN, {"a": deep}), str)
