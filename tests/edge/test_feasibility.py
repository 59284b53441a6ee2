from __future__ import annotations

import pytest

from kopa_hf.catalog.tool import Field, Parameter, Tool
from kopa_hf.edge.feasibility import Judgement, RuleJudge, affinity
from kopa_hf.edge.meaning import meaning_of

from .world import make_tool


def judged(fields: list[Field], parameters: list[Parameter]) -> Judgement:
    source: Tool = make_tool("source", fields=tuple(fields))
    target: Tool = make_tool("target", tuple(parameters))
    return RuleJudge().judge(source, target)


def fit(field: tuple[str, str], parameter: tuple[str, str]) -> float:
    return affinity(meaning_of(Field(*field)), meaning_of(Parameter(*parameter)))


@pytest.mark.parametrize(
    ("field", "parameter"),
    [
        (("BILL_ID", "의안ID"), ("BILL_ID", "의안 ID")),
        (("BILL_ID", "의안ID"), ("billId", "의안아이디")),
        (("BAS_DD", "기준일자"), ("basDd", "기준일자")),
        (("SIGUN_NM", "시군명"), ("REGION_NM", "지역명")),
        (("SIGUN_NM", "시군명"), ("rgn", "지역명")),
        (("CURR_COMMITTEE", "소관위원회"), ("CMIT_NM", "위원회명")),
        (("HR_DEPT_CD", "위원회코드"), ("CMIT_CD", "위원회코드")),
        (("corp_name", "회사명"), ("corp_nm", "법인명")),
    ],
)
def test_the_same_meaning_under_different_names_binds(field: tuple[str, str], parameter: tuple[str, str]) -> None:
    assert fit(field, parameter) >= 0.6


@pytest.mark.parametrize(
    ("field", "parameter"),
    [
        (("BILL_NAME", "의안명"), ("BILL_ID", "의안ID")),
        (("CMIT_NM", "위원회명"), ("CMIT_CD", "위원회코드")),
        (("rcept_dt", "접수일자"), ("rcept_no", "접수번호")),
        (("ACC_TRDVOL", "거래량"), ("corp_code", "고유번호")),
        (("LINK_URL", "링크 URL"), ("BILL_ID", "의안ID")),
        (("FILE_NM", "파일"), ("DT", "일자")),
        (("CONTENT", "내용"), ("CONTENT", "내용")),
        (("BILL_ID", "의안ID"), ("corp_code", "고유번호")),
    ],
)
def test_different_kinds_and_different_things_do_not_bind(field: tuple[str, str], parameter: tuple[str, str]) -> None:
    assert fit(field, parameter) < 0.3


def test_an_id_and_a_number_of_one_thing_are_doubtful_but_possible() -> None:
    assert 0.3 <= fit(("BILL_ID", "의안ID"), ("BILL_NO", "의안번호")) < 0.6


def test_equal_labels_over_other_codes_look_feasible_from_here() -> None:
    """Which term codes match is the world's secret; only execution can tell."""
    assert fit(("UNIT_CD", "대수"), ("AGE", "대수")) >= 0.5


def test_widths_that_contradict_never_bind() -> None:
    field = Field("ISU_CD", "종목코드", format="digits:12")
    assert affinity(meaning_of(field), meaning_of(Parameter("ISU_CD", "종목코드", format="digits:6"))) == 0


def test_a_neutral_day_takes_any_date_with_doubt() -> None:
    assert fit(("rcept_dt", "접수일자"), ("basDd", "기준일자")) == pytest.approx(0.45)
    assert fit(("PROPOSE_DT", "제안일"), ("RGS_PROC_DT", "의결일")) < 0.3


def test_fixed_choices_and_paging_are_defaults_never_bound() -> None:
    judgement = judged(
        [Field("corp_code", "고유번호"), Field("reprt_code", "보고서 코드"), Field("page", "페이지")],
        [
            Parameter("corp_code", "고유번호", required=True),
            Parameter("reprt_code", "보고서 코드", required=True, enum=("11011", "11012")),
            Parameter("page", "페이지", required=True, role="page"),
            Parameter("crtfc_key", "인증키", required=True, role="key"),
        ],
    )
    assert [b.parameter for b in judgement.bindings] == ["corp_code"]
    assert judgement.defaults == ("reprt_code", "page")
    assert judgement.clarify == ()
    assert judgement.how("corp_code") == "UPSTREAM"
    assert judgement.how("reprt_code") == "DEFAULT"


def test_a_required_input_without_rule_or_field_asks_and_costs_score() -> None:
    sure = judged([Field("BILL_ID", "의안ID")], [Parameter("BILL_ID", "의안ID", required=True)])
    asking = judged(
        [Field("BILL_ID", "의안ID")],
        [Parameter("BILL_ID", "의안ID", required=True), Parameter("PIN", "비밀 기호", required=True)],
    )
    assert asking.clarify == ("PIN",)
    assert asking.how("PIN") == "CLARIFY"
    assert asking.score < sure.score


def test_only_the_best_identifying_optional_input_is_bound() -> None:
    judgement = judged(
        [Field("BILL_ID", "의안ID"), Field("BILL_NAME", "의안명"), Field("AGE", "대수")],
        [Parameter("BILL_ID", "의안ID"), Parameter("BILL_NAME", "의안명"), Parameter("AGE", "대수")],
    )
    assert [(b.parameter, b.generic) for b in judgement.bindings] == [("BILL_ID", False)]


def test_an_edge_over_generic_values_alone_scores_lower() -> None:
    term = judged([Field("AGE", "대수")], [Parameter("AGE", "대수", required=True)])
    bill = judged([Field("BILL_ID", "의안ID")], [Parameter("BILL_ID", "의안ID", required=True)])
    assert term.bindings[0].generic
    assert not bill.bindings[0].generic
    assert term.score < bill.score


def test_the_judge_reads_nothing_but_the_signature() -> None:
    """The same columns at another platform, address and source get the same score."""
    fields, parameters = (Field("BILL_ID", "의안ID"),), (Parameter("BILL_ID", "의안ID", required=True),)
    here = RuleJudge().judge(make_tool("a", fields=fields), make_tool("b", parameters))
    there = RuleJudge().judge(
        make_tool("a", fields=fields, platform="krx", domain="finance", source="x"),
        make_tool("b", parameters, platform="krx", description="y"),
    )
    assert here == there


def test_no_field_no_edge() -> None:
    judgement = judged([Field("CLSPRC", "종가")], [Parameter("BILL_ID", "의안ID", required=True)])
    assert judgement.score == 0
    assert judgement.bindings == ()
