"""One call, one result: whatever the service or the caller does."""

from __future__ import annotations

import asyncio
import io
import json
import zipfile
from collections.abc import Callable
from dataclasses import replace
from typing import Any
from urllib.parse import parse_qsl, quote

import httpx
import pytest

from kopa_hf.catalog.registry import Catalog
from kopa_hf.catalog.tool import Endpoint, Paging, Parameter, Tool
from kopa_hf.errors import BackendError, UnknownToolError
from kopa_hf.execution.episode import Episode
from kopa_hf.execution.executor import Executor
from kopa_hf.execution.result import CallResult
from kopa_hf.sandbox.keys import sandbox_key

BILLS = Tool(
    "list_gasang_bills",
    "assembly",
    "assembly",
    "politics",
    "가상 의안",
    "가상의 의안을 준다.",
    Endpoint("https://open.assembly.go.kr/portal/openapi/ngasangbills", auth="KEY", operation="ngasangbills"),
    (
        Parameter("AGE", "대수", required=True, format="digits:2"),
        Parameter("BILL_NAME", "의안명"),
        Parameter("KIND", "종류", enum=("법률안", "예산안")),
        Parameter("pIndex", "쪽", type="integer", format="integer", role="page"),
        Parameter("pSize", "건수", type="integer", format="integer", role="size"),
    ),
    paging=Paging("pIndex", "pSize", default_size=10, max_size=1000),
)
PRICES = Tool(
    "get_gasang_prices",
    "krx",
    "krx",
    "finance",
    "가상 시세",
    "가상의 시세를 준다.",
    Endpoint("https://data-dbg.krx.co.kr/svc/apis/sto/gasang", auth="AUTH_KEY", auth_in="header", operation="gasang"),
    (
        Parameter("basDd", "기준일자", required=True, format="YYYYMMDD"),
        Parameter("ISU_NM", "종목명", location="client", matches_field="ISU_NM"),
        Parameter("ISU_CD", "종목코드", format="digits:6", location="client", matches_field="ISU_CD"),
    ),
)
COMPANIES = Tool(
    "find_gasang_corp_code",
    "dart",
    "dart",
    "finance",
    "가상 회사",
    "가상의 회사를 찾는다.",
    Endpoint(
        "https://opendart.fss.or.kr/api/corpCode.xml",
        auth="crtfc_key",
        operation="corpCode",
        response_kind="zip",
        response_format="zip",
    ),
    (Parameter("corp_name", "회사명", required=True, location="client", matches_field="corp_name"),),
)
AIR = Tool(
    "list_gasang_air",
    "seoul",
    "seoul",
    "district",
    "가상 대기",
    "가상의 대기 자료를 준다.",
    Endpoint(
        "http://openapi.seoul.go.kr:8088/{KEY}/json/GasangAir/{START_INDEX}/{END_INDEX}", auth="KEY", auth_in="path"
    ),
    (
        Parameter("START_INDEX", "처음", format="integer", role="page", location="path"),
        Parameter("END_INDEX", "끝", format="integer", role="size", location="path"),
    ),
    paging=Paging("START_INDEX", "END_INDEX", style="range", default_size=5, max_size=1000),
)
CATALOG = Catalog([BILLS, PRICES, COMPANIES, AIR])
ROWS = [{"ISU_CD": f"90000{n}", "ISU_NM": name} for n, name in enumerate(("가상전자", "가상화학", "솔바이오"))]

Handler = Callable[[httpx.Request], httpx.Response]


class Recorder:
    """A handler that keeps the requests it was sent."""

    def __init__(self, answer: Handler) -> None:
        self.requests: list[httpx.Request] = []
        self._answer = answer

    def __call__(self, request: httpx.Request) -> httpx.Response:
        self.requests.append(request)
        return self._answer(request)


def run(handler: Handler, tool: Tool | str, arguments: dict[str, Any], **how: Any) -> CallResult:
    """The call, made both ways; the two results differ in nothing but the time they took."""
    executor = Executor(catalog=CATALOG, transport=httpx.MockTransport(handler))
    with executor:
        plain = executor.call_sync(tool, arguments, **how)
    awaited = asyncio.run(executor.call(tool, arguments, **how))
    assert replace(plain, elapsed=0.0) == replace(awaited, elapsed=0.0)
    return plain


def answering(value: Any, status: int = 200) -> Recorder:
    return Recorder(lambda request: httpx.Response(status, json=value))


def page_of_bills(total: int) -> Recorder:
    """A service that holds `total` bills and pages through them."""

    def answer(request: httpx.Request) -> httpx.Response:
        query = dict(parse_qsl(request.url.query.decode()))
        first = (int(query["pIndex"]) - 1) * int(query["pSize"])
        rows = [{"BILL_NO": str(n)} for n in range(first, min(first + int(query["pSize"]), total))]
        head = {"head": [{"list_total_count": total}, {"RESULT": {"CODE": "INFO-000", "MESSAGE": "정상"}}]}
        bare = {"RESULT": {"CODE": "INFO-200", "MESSAGE": "해당하는 데이터가 없습니다."}}
        return httpx.Response(200, json={"ngasangbills": [head, {"row": rows}]} if rows else bare)

    return Recorder(answer)


def test_a_good_call_tells_everything_about_itself() -> None:
    result = run(page_of_bills(25), "list_gasang_bills", {"AGE": "22"})
    assert (result.outcome, result.ok, result.failure, result.code) == ("ok", True, None, "INFO-000")
    assert (len(result.records), result.total_count, result.page, result.page_size) == (10, 25, 1, 10)
    assert (result.tool, result.arguments, result.source, result.requests) == (
        "list_gasang_bills",
        {"AGE": "22"},
        "sandbox",
        1,
    )


@pytest.mark.parametrize(
    ("page", "size", "total", "following"),
    [(None, None, 25, 2), (2, None, 25, 3), (3, None, 25, None), (1, 25, 25, None), (1, 24, 25, 2), (2, 10, 20, None)],
)
def test_the_next_page_is_named_until_the_last(page: int | None, size: int | None, total: int, following: int) -> None:
    arguments = {"AGE": "22", "pIndex": page, "pSize": size}
    result = run(page_of_bills(total), BILLS, {name: value for name, value in arguments.items() if value is not None})
    assert result.next_page == following
    assert (result.page, result.page_size) == (page or 1, size or 10)


def test_a_page_behind_the_end_is_no_data() -> None:
    result = run(page_of_bills(25), BILLS, {"AGE": "22", "pIndex": 4})
    assert (result.outcome, result.failure, result.records, result.next_page) == ("no_data", "no_data", [], None)


@pytest.mark.parametrize(
    ("arguments", "page", "size", "following"),
    [({}, 1, 5, 2), ({"START_INDEX": 6, "END_INDEX": 10}, 2, 5, 3), ({"START_INDEX": 11}, 3, 5, None)],
)
def test_first_and_last_row_count_as_page_and_size(
    arguments: dict[str, Any], page: int, size: int, following: int | None
) -> None:
    value = {"GasangAir": {"list_total_count": 12, "RESULT": {"CODE": "INFO-000"}, "row": [{"A": "1"}]}}
    result = run(answering(value), AIR, arguments)
    assert (result.page, result.page_size, result.next_page) == (page, size, following)


def test_bad_arguments_cost_no_request_and_every_problem_is_named() -> None:
    service = answering({})
    result = run(service, BILLS, {"KIND": "조례안", "BILL_NAM": "가", "pIndex": "첫째"})
    assert service.requests == []
    assert (result.outcome, result.failure, result.requests) == ("bad_param", "structural", 0)
    assert result.message is not None
    for name in ("AGE", "KIND", "BILL_NAM", "pIndex"):
        assert name in result.message


def test_a_number_for_text_is_sent_and_counted_as_a_slip() -> None:
    service = page_of_bills(1)
    result = run(service, BILLS, {"AGE": 22})
    assert result.ok
    assert len(result.slips) == 1
    assert b"AGE=22" in service.requests[0].url.query


def test_an_unknown_tool_raises_with_the_nearest_name() -> None:
    executor = Executor(catalog=CATALOG, transport=httpx.MockTransport(answering({})))
    with pytest.raises(UnknownToolError) as caught:
        executor.call_sync("list_gasang_bill", {})
    assert caught.value.suggestions[0] == "list_gasang_bills"


def test_an_unknown_backend_is_refused_by_name() -> None:
    with pytest.raises(BackendError, match="sandbox"):
        Executor("moon")


@pytest.mark.parametrize(
    ("error", "outcome"),
    [
        (httpx.ReadTimeout, "timeout"),
        (httpx.ConnectTimeout, "timeout"),
        (httpx.PoolTimeout, "timeout"),
        (httpx.ConnectError, "server"),
        (httpx.ReadError, "server"),
        (httpx.RemoteProtocolError, "server"),
        (httpx.DecodingError, "server"),
        (httpx.TooManyRedirects, "server"),
    ],
)
def test_a_broken_connection_is_environmental_and_shows_neither_address_nor_key(
    error: type[httpx.RequestError], outcome: str
) -> None:
    def break_off(request: httpx.Request) -> httpx.Response:
        raise error(f"no luck with {request.url}", request=request)

    result = run(break_off, BILLS, {"AGE": "22"})
    assert (result.outcome, result.failure, result.requests) == (outcome, "environmental", 1)
    assert "assembly.go.kr" not in str(result)
    assert sandbox_key("assembly") not in str(result)


def test_every_request_carries_the_sandbox_key_and_none_comes_back() -> None:
    key = sandbox_key("assembly")
    for form in (key, quote(key, safe="")):
        service = answering({"RESULT": {"CODE": "ERROR-290", "MESSAGE": f"인증키 {form}가 유효하지 않습니다."}})
        result = run(service, BILLS, {"AGE": "22"})
        assert f"KEY={quote(key, safe='')}" in service.requests[0].url.query.decode()
        assert (result.outcome, result.failure) == ("auth", "environmental")
        assert result.message == "인증키 ***가 유효하지 않습니다."


def test_a_key_inside_records_is_masked_too() -> None:
    key = sandbox_key("krx")
    result = run(answering({"OutBlock_1": [{"LINK": f"/x?AUTH_KEY={key}"}]}), PRICES, {"basDd": "20250102"})
    assert result.records == [{"LINK": "/x?AUTH_KEY=***"}]


def test_an_episode_decides_which_key_is_sent() -> None:
    value = {"OutBlock_1": ROWS}
    must_issue = Episode(keys_required=frozenset({"krx"}))
    issued = Episode(keys={"krx": "issued-0001"}, keys_required=frozenset({"krx"}))
    for episode, expected in ((None, sandbox_key("krx")), (must_issue, None), (issued, "issued-0001")):
        service = answering(value)
        run(service, PRICES, {"basDd": "20250102"}, episode=episode)
        assert service.requests[0].headers.get("AUTH_KEY") == expected


def test_attempt_and_stream_travel_beside_the_request() -> None:
    service = answering({"OutBlock_1": ROWS})
    run(service, PRICES, {"basDd": "20250102"}, attempt=2, stream="seed-7")
    assert service.requests[0].extensions["kopa_attempt"] == 2
    assert service.requests[0].extensions["kopa_stream"] == "seed-7"


def test_a_filter_that_the_service_lacks_is_applied_here() -> None:
    service = answering({"OutBlock_1": ROWS})
    by_name = run(service, PRICES, {"basDd": "2025-01-02", "ISU_NM": "가상"})
    assert [row["ISU_NM"] for row in by_name.records] == ["가상전자", "가상화학"]
    assert (by_name.total_count, by_name.next_page) == (2, None)
    assert service.requests[0].url.query == b"basDd=20250102"
    by_code = run(service, PRICES, {"basDd": "20250102", "ISU_CD": "900002"})
    assert by_code.records == [ROWS[2]]


def test_a_filter_that_leaves_nothing_is_no_data() -> None:
    result = run(answering({"OutBlock_1": ROWS}), PRICES, {"basDd": "20250102", "ISU_NM": "없는회사"})
    assert (result.outcome, result.failure, result.total_count, result.records) == ("no_data", "no_data", 0, [])


def test_a_failure_is_not_filtered_into_no_data() -> None:
    refused = answering({"respCode": "401", "respMsg": "Unauthorized API Call"}, status=401)
    result = run(refused, PRICES, {"basDd": "20250102", "ISU_NM": "가상"})
    assert (result.outcome, result.failure) == ("auth", "environmental")


def test_a_service_without_pages_sends_everything_so_its_rows_are_the_total() -> None:
    result = run(answering({"OutBlock_1": ROWS}), PRICES, {"basDd": "20250102"})
    assert (result.total_count, result.page, result.page_size, result.next_page) == (3, None, None, None)


def test_an_archive_is_unpacked_and_searched() -> None:
    rows = "".join(
        f"<list><corp_code>0099900{n}</corp_code><corp_name>{name}</corp_name></list>" for n, name in enumerate("가나")
    )
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("CORPCODE.xml", f"<result>{rows}</result>")
    service = Recorder(lambda request: httpx.Response(200, content=buffer.getvalue()))
    result = run(service, COMPANIES, {"corp_name": "나"})
    assert result.records == [{"corp_code": "00999001", "corp_name": "나"}]
    assert str(service.requests[0].url).startswith("https://opendart.fss.or.kr/api/corpCode.xml?crtfc_key=")


@pytest.mark.parametrize(
    ("response", "outcome", "failure"),
    [
        (httpx.Response(200, content=b""), "not_a_response", "environmental"),
        (httpx.Response(200, html="<html><body>시스템 점검 중</body></html>"), "maintenance", "environmental"),
        (
            httpx.Response(302, headers={"location": "https://elsewhere.example/?KEY=x"}),
            "not_a_response",
            "environmental",
        ),
        (httpx.Response(500, text="oops"), "server", "environmental"),
        (httpx.Response(200, json={"unheard": 1}), "not_a_response", "structural"),
        (httpx.Response(200, json={"RESULT": {"CODE": "ERROR-300", "MESSAGE": "필수"}}), "bad_param", "structural"),
        (
            httpx.Response(200, json={"RESULT": {"CODE": "ERROR-310", "MESSAGE": "-"}}),
            "unknown_operation",
            "structural",
        ),
        (httpx.Response(200, json={"RESULT": {"CODE": "ERROR-337", "MESSAGE": "-"}}), "quota", "environmental"),
    ],
)
def test_what_a_service_says_becomes_an_outcome_and_a_failure(
    response: httpx.Response, outcome: str, failure: str
) -> None:
    content, status, headers = response.content, response.status_code, response.headers
    result = run(lambda request: httpx.Response(status, headers=headers, content=content), BILLS, {"AGE": "22"})
    assert (result.outcome, result.failure, result.records, result.total_count) == (outcome, failure, [], None)
    json.dumps(result.records)


def test_a_local_tool_spends_no_request() -> None:
    service = answering({})
    result = run(service, "evaluate_expression", {"expression": "2*(3+4)"})
    assert (result.source, result.requests, result.value) == ("local", 0, "14")
    assert service.requests == []


@pytest.mark.parametrize("arguments", [None, [1], {"BILL_NAME": "\ud800"}])
def test_what_no_request_can_hold_is_a_refused_call(arguments: Any) -> None:
    with Executor() as executor:
        result = executor.call_sync("search_assembly_bills", arguments)
    assert (result.outcome, result.requests) == ("bad_param", 0)


def test_a_page_that_the_service_caps_is_not_the_last_one() -> None:
    with Executor() as executor:
        capped = executor.call_sync("list_expressway_vds_zones", {"numOfRows": "10000"})
        assert len(capped.records) < (capped.total_count or 0)
        assert capped.next_page == 2
        laws = executor.call_sync("search_law_effective_statutes", {"query": "주택", "display": "1000"})
        assert laws.next_page == (2 if len(laws.records) < (laws.total_count or 0) else None)


def test_a_slash_inside_a_term_is_no_further_term() -> None:
    with Executor() as executor:
        assert executor.call_sync("list_seoul_real_estate_deals", {"CGG_NM": "강남구/10100"}).outcome == "no_data"
