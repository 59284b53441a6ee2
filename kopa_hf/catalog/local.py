"""Signatures of the local tools. They run in the episode, reach no service and are never counted."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from kopa_hf.catalog.tool import Endpoint, Field, Parameter, Tool

PLATFORMS: Final[tuple[str, ...]] = (
    "dart", "krx", "kdic", "expressway", "seoul", "gyeonggi", "assembly", "law", "education", "hrdk",
)  # fmt: skip
"""The ten platforms of the benchmark."""

OPERATIONS: Final[dict[str, str]] = {
    "count": "건수",
    "sum": "합계",
    "mean": "평균",
    "max": "최댓값과 그 행",
    "min": "최솟값과 그 행",
    "most_frequent": "가장 자주 나온 값",
    "filter": "조건에 맞는 행",
    "sort": "정렬한 행",
    "distinct": "서로 다른 값",
    "group_count": "묶음별 건수",
    "group_sum": "묶음별 합계",
}
COMPARISONS: Final[dict[str, str]] = {
    "eq": "같음",
    "ne": "다름",
    "contains": "포함",
    "gt": "초과",
    "ge": "이상",
    "lt": "미만",
    "le": "이하",
}


@lru_cache(maxsize=1)
def local_tools() -> tuple[Tool, ...]:
    """All local tools, platform `local`."""
    return (*_lookups(), *_over_results(), *_writes())


def _lookups() -> tuple[Tool, ...]:
    return (
        _tool(
            "evaluate_expression",
            "수식 계산",
            "사칙연산과 거듭제곱, 괄호, round·abs·min·max·sum으로 된 수식을 십진수로 정확하게 계산한다. 예: (1680-532)/532*100",
            Parameter("expression", "수식", required=True, description="계산할 수식. 변수 없이 숫자와 연산자만 쓴다."),
        ),
        _tool(
            "get_current_date",
            "현재 날짜",
            "오늘 날짜와 요일을 알려 준다. '오늘', '어제', '지난달' 같은 표현을 날짜로 바꿀 때 쓴다.",
            fields=(
                Field("date", "날짜", format="YYYY-MM-DD"),
                Field("yyyymmdd", "날짜(구분자 없음)", format="YYYYMMDD"),
                Field("weekday", "요일"),
            ),
        ),
    )


def _over_results() -> tuple[Tool, ...]:
    return (
        _tool(
            "collect_pages",
            "남은 페이지 모으기",
            "앞서 받은 결과에 다음 페이지가 있을 때 나머지 페이지를 모두 받아 전체 행을 담은 새 결과를 만든다. "
            "전체 건수나 합계를 구하기 전에 쓴다.",
            _result_id(),
            Parameter(
                "max_pages",
                "최대 페이지 수",
                type="integer",
                description="더 받을 페이지의 상한. 생략하면 끝까지 받는다.",
            ),
        ),
        _tool(
            "reduce_records",
            "결과 집계",
            "앞서 받은 결과의 행을 걸러 내거나 세고, 합계·평균·최댓값·최솟값·최빈값을 구하거나 묶어서 집계한다. "
            "화면에 다 보이지 않은 행까지 포함해 계산한다.",
            _result_id(),
            _choice("operation", "연산", OPERATIONS, required=True, description="수행할 연산."),
            Parameter("field", "대상 필드", description="연산할 필드 이름. count와 filter에는 필요 없다."),
            Parameter("where_field", "조건 필드", description="먼저 행을 거를 때 비교할 필드 이름."),
            _choice("where_op", "조건 연산자", COMPARISONS, description="비교 방법. 생략하면 eq."),
            Parameter("where_value", "조건 값", description="비교할 값."),
            Parameter("group_by", "묶음 필드", description="group_count, group_sum에서 묶을 기준 필드 이름."),
            _choice(
                "order", "정렬 방향", {"desc": "내림차순", "asc": "오름차순"}, description="sort의 방향. 생략하면 desc."
            ),
            Parameter("limit", "최대 행 수", type="integer", description="돌려줄 행의 상한."),
        ),
    )


def _writes() -> tuple[Tool, ...]:
    return (
        _tool(
            "save_table",
            "표 저장",
            "이름을 붙여 표를 작업 공간에 저장한다. 행은 필드 이름과 값을 담은 객체의 목록이다. "
            "행의 순서는 저장되지 않으니 순위가 필요하면 열로 적는다.",
            Parameter("name", "표 이름", required=True, description="저장할 표의 이름."),
            Parameter(
                "rows",
                "행",
                type="array",
                required=True,
                location="body",
                description='행 객체의 목록. 예: [{"회사": "가온", "배당": 500}]',
            ),
            read=False,
        ),
        _tool(
            "request_api_key",
            "인증키 발급",
            "플랫폼의 인증키를 발급받아 이후 호출에 자동으로 적용한다. 인증 오류가 나거나 키가 없다고 안내된 경우 먼저 호출한다.",
            Parameter("platform", "플랫폼", required=True, enum=PLATFORMS, description="인증키를 발급받을 플랫폼."),
            read=False,
        ),
    )


def _tool(
    name: str, title: str, description: str, *parameters: Parameter, fields: tuple[Field, ...] = (), read: bool = True
) -> Tool:
    return Tool(
        name=name,
        platform="local",
        wire="local",
        domain="local",
        title=title,
        description=description,
        endpoint=Endpoint(url="", operation=name),
        parameters=parameters,
        fields=fields,
        read=read,
    )


def _result_id() -> Parameter:
    return Parameter("result_id", "결과 번호", required=True, description="앞선 호출 결과의 result_id. 예: r1")


def _choice(
    name: str, label: str, values: dict[str, str], *, required: bool = False, description: str = ""
) -> Parameter:
    return Parameter(
        name,
        label,
        required=required,
        enum=tuple(values),
        enum_labels=tuple(values.values()),
        description=description,
    )
