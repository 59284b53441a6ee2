"""Arguments in, one spelling per value out, every problem named at once."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kopa_hf.catalog.arguments import Bound, bind_arguments
from kopa_hf.catalog.registry import load_catalog
from kopa_hf.catalog.tool import Endpoint, Parameter, Tool
from kopa_hf.errors import ArgumentError

GASANG = Tool(
    "list_gasang",
    "gasang",
    "gasang",
    "district",
    "가상",
    "가상의 행을 준다.",
    Endpoint("https://gasang.invalid/x", auth="KEY"),
    (
        Parameter("corp", "고유번호", required=True, format="digits:8"),
        Parameter("day", "기준일", format="YYYYMMDD"),
        Parameter("kind", "종류", enum=("1", "2"), enum_labels=("가", "나")),
        Parameter("many", "여럿", format="digits:3", separator=","),
        Parameter("word", "낱말"),
        Parameter("page", "쪽", type="integer", format="integer", role="page"),
        Parameter("near", "회사명", location="client", matches_field="NM"),
        Parameter("KEY", "인증키", required=True, role="key"),
        Parameter("Type", "형식", role="format"),
    ),
)
CORP = "00123456"


def problems(**arguments: Any) -> tuple[str, ...]:
    with pytest.raises(ArgumentError) as caught:
        bind_arguments(GASANG, arguments)
    return caught.value.problems


def test_values_take_their_normal_form_and_client_filters_stand_apart() -> None:
    bound = bind_arguments(GASANG, {"corp": CORP, "day": "2024년 5월 1일", "near": " 가온 ", "page": 2})
    assert bound == Bound({"corp": CORP, "day": "20240501", "page": "2"}, {"near": "가온"}, ())


@pytest.mark.parametrize("blank", [None, "", "  "])
def test_blank_values_count_as_left_out(blank: str | None) -> None:
    assert bind_arguments(GASANG, {"corp": CORP, "day": blank, "near": blank}) == Bound({"corp": CORP}, {}, ())
    assert problems(corp=blank) == ("corp: missing (고유번호)",)


def test_an_integer_for_text_is_forgiven_and_counted() -> None:
    bound = bind_arguments(GASANG, {"corp": 123456, "page": "2"})
    assert bound.values == {"corp": CORP, "page": "2"}
    assert bound.slips == ("corp: int for text",)


@pytest.mark.parametrize("wrong", [True, ["00123456"], {"corp": CORP}, (CORP,), "0012345", "1234-5678", 10**400])
def test_another_type_or_format_is_refused(wrong: Any) -> None:
    (problem,) = problems(corp=wrong)
    assert problem.startswith("corp: ")


def test_every_problem_is_listed_at_once() -> None:
    found = problems(day="2021-02-30", kind="3", wrod="x")
    assert [problem.split(":")[0] for problem in found] == ["day", "kind", "wrod", "corp"]
    assert "no such day" in found[0]
    assert found[1] == "kind: '3' is none of 1 (가), 2 (나)"
    assert found[2] == "wrod: no such parameter; did you mean word?"
    assert found[3] == "corp: missing (고유번호)"


def test_a_refused_value_is_not_called_missing_too() -> None:
    assert len(problems(corp="12")) == 1


def test_a_name_in_another_case_is_offered_in_its_own() -> None:
    assert problems(corp=CORP, DAY="20240501") == ("DAY: no such parameter; did you mean day?",)


def test_several_values_go_only_where_the_signature_joins_them() -> None:
    assert bind_arguments(GASANG, {"corp": CORP, "many": "001, 002,"}).values["many"] == "001,002"
    assert "exactly 8 digits" in problems(corp=f"{CORP},{CORP}")[0]
    assert problems(corp=CORP, many=["001"]) == ("many: expected digits:3, got list; join several with ','",)


@pytest.mark.parametrize("name", ["KEY", "Type", "serviceKey", "crtfc_key"])
def test_a_key_or_format_from_a_caller_is_unknown_and_never_repeated(name: str) -> None:
    secret = "0123456789abcdef0123456789abcdef01234567"
    with pytest.raises(ArgumentError) as caught:
        bind_arguments(GASANG, {"corp": CORP, name: secret})
    assert caught.value.problems[0].startswith(f"{name}: no such parameter")
    assert secret not in str(caught.value)


def test_every_catalog_tool_accepts_its_own_defaults_and_choices() -> None:
    for tool in load_catalog():
        for parameter in tool.inputs:
            for value in (*parameter.enum, *([parameter.default] if parameter.default else [])):
                others = {p.name: _example(p) for p in tool.inputs if p.required}
                bound = bind_arguments(tool, others | {parameter.name: value})
                assert bound.values[parameter.name] == value


def _example(parameter: Parameter) -> str:
    if parameter.enum:
        return parameter.enum[0]
    name, _, size = (parameter.format or "").partition(":")
    forms = {
        "YYYYMMDD": "20240102",
        "YYYY-MM-DD": "2024-01-02",
        "YYYYMM": "202401",
        "YYYY-MM": "2024-01",
        "YYYY": "2024",
        "MM": "01",
        "HH": "09",
        "HHMM": "0900",
        "number": "1.5",
        "integer": "22",
        "digits": "1" * int(size or 1),
    }
    return forms.get(name, "가")


@given(
    st.dictionaries(
        st.text(max_size=12) | st.sampled_from([p.name for p in GASANG.parameters]),
        st.none()
        | st.booleans()
        | st.integers()
        | st.floats()
        | st.text(max_size=12)
        | st.lists(st.integers(), max_size=2),
        max_size=6,
    )
)
def test_whatever_comes_in_it_binds_or_says_why(arguments: dict[str, Any]) -> None:
    try:
        bound = bind_arguments(GASANG, arguments)
    except ArgumentError as error:
        reasons = error.problems
    else:
        reasons = ()
        assert len(bound.values["corp"]) == 8
        assert set(bound.values) | set(bound.client) <= {p.name for p in GASANG.inputs}
        assert bind_arguments(GASANG, {**bound.values, **bound.client}) == Bound(bound.values, bound.client, ())
    assert all(reasons)
