"""Sessions: every issued call is answered, noted and counted."""

from __future__ import annotations

import asyncio
from typing import Any

import httpx
import pytest

from kopa_hf.catalog.callables import tool_schema
from kopa_hf.catalog.registry import load_catalog
from tests.agent.fakes import OFFERED, SEARCH, Disclosures, dart_error, make_session, read


def test_a_page_comes_with_its_total_and_the_next_page() -> None:
    session = make_session(Disclosures(25))
    answer = read(session.call(SEARCH, {"bgn_de": "20260101"}))
    records = answer.pop("records")
    assert answer == {
        "result_id": "r1",
        "total": 25,
        "returned": 10,
        "truncated": True,
        "next_page": 2,
        "source": "sandbox",
    }
    assert records[0]["corp_name"] == "가온전자1"
    (call,) = session.calls
    assert (call.call_id, call.name, call.arguments, call.step, call.executed, call.result_id) == (
        "call_1",
        SEARCH,
        {"bgn_de": "20260101"},
        1,
        True,
        "r1",
    )


def test_the_text_holds_raw_hangul() -> None:
    text = make_session().call(SEARCH, {})
    assert "가온전자" in text
    assert "\\u" not in text


def test_collected_pages_are_one_call_with_many_requests() -> None:
    service = Disclosures(25)
    session = make_session(service)
    session.call(SEARCH, {})
    collected = read(session.call("collect_pages", {"result_id": "r1"}))
    assert (collected["result_id"], collected["total"], collected["truncated"]) == ("r2", 25, False)
    assert collected["covers"] == {"rows": 25, "total": 25}
    assert len(session.calls) == 2
    assert session.requests == len(service.requests) == 2  # one page of 10, then one of 100
    counted = read(session.call("reduce_records", {"result_id": "r2", "operation": "count"}))
    assert counted["value"] == 25


def test_a_count_over_page_one_says_that_rows_are_missing() -> None:
    session = make_session(Disclosures(25))
    session.call(SEARCH, {})
    counted = read(session.call("reduce_records", {"result_id": "r1", "operation": "count"}))
    assert counted == {
        "value": 10,
        "covers": {"rows": 10, "total": 25},
        "source": "sandbox",
        "note": "made from 10 of 25 rows; collect_pages brings the others",
    }


def test_rows_beyond_the_budget_are_cut_from_the_text_but_kept_in_the_episode() -> None:
    session = make_session(Disclosures(100), token_budget=300)
    answer = read(session.call(SEARCH, {"page_count": "100"}))
    assert answer["total"] == answer["kept"] == 100
    assert 0 < answer["returned"] == len(answer["records"]) < 20
    assert answer["truncated"] is True
    assert len(session.episode.results["r1"].records) == 100


def test_no_data_is_an_empty_result_with_the_services_own_words() -> None:
    answer = read(make_session(Disclosures(0)).call(SEARCH, {}))
    assert (answer["total"], answer["records"], answer["truncated"]) == (0, [], False)
    assert answer["note"] == "조회된 데이타가 없습니다."
    assert "result_id" not in answer


def test_a_bad_argument_is_answered_with_the_tools_signature_and_no_request() -> None:
    service = Disclosures()
    session = make_session(service)
    error = read(session.call(SEARCH, {"begin": "20260101"}))["error"]
    assert error["outcome"] == "bad_param"
    assert "begin: no such parameter" in error["message"]
    assert error["hint"].startswith(f"{SEARCH}(corp_code: string digits:8")
    assert service.requests == []
    assert session.calls[0].executed


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ('{"bgn_de": "2026', "character 12"),
        ('{"bgn_de": "20260101",}', "character 23"),
        ("{'bgn_de': '20260101'}", "character 2"),
        ('{"a": 1}{"a": 1}', "Extra data"),
        ("[]", "a list"),
        ("null", "null"),
        ("123", "a number"),
        ('"{\\"bgn_de\\": \\"20260101\\"}"', "send the object itself"),
        ('{"bgn_de": "20260101", "bgn_de": "20260102"}', "stands twice"),
        ('{"bgn_de": NaN}', "NaN"),
        ('{"corp_code": "\\ud800"}', "half a character"),
        ("[" * 100_000, "nested too deeply"),
    ],
)
def test_broken_argument_text_is_never_executed_and_says_what_broke(text: str, what: str) -> None:
    service = Disclosures()
    session = make_session(service)
    error = read(session.call(SEARCH, text))["error"]
    assert error["outcome"] == "bad_param"
    assert what in error["message"]
    assert service.requests == []
    (call,) = session.calls
    assert (call.executed, call.arguments) == (False, text)


def test_empty_argument_text_is_an_empty_object_only_where_nothing_is_required() -> None:
    session = make_session()
    assert read(session.call("get_current_date", ""))["value"] == "2026-01-30"
    assert session.calls[-1].arguments == {}
    refused = read(session.call("evaluate_expression", " "))["error"]
    assert "the argument text is empty" in refused["message"]


def test_a_tool_that_is_not_offered_is_refused_though_the_catalog_has_it() -> None:
    service = Disclosures()
    session = make_session(service)
    error = read(session.call("get_dart_company_overview", {"corp_code": "00126380"}))["error"]
    assert error["outcome"] == "unknown_tool"
    assert service.requests == []
    near = read(session.call("search_dart_disclosure", {}))["error"]
    assert near["hint"] == f"Offered: {SEARCH}"
    assert [call.executed for call in session.calls] == [False, False]


def test_calls_beyond_the_limit_are_counted_but_change_nothing() -> None:
    session = make_session(max_allowed_calls=1)
    session.call("save_table", {"name": "표", "rows": [{"a": 1}]})
    before = session.state_hash
    error = read(session.call("save_table", {"name": "표", "rows": [{"a": 2}]}))["error"]
    assert error["outcome"] == "budget"
    assert session.state_hash == before
    assert [call.executed for call in session.calls] == [True, False]
    assert session.calls[1].result.requests == 0


def test_refused_calls_use_up_the_limit_too() -> None:
    session = make_session(max_allowed_calls=2)
    session.call("no_such_tool", {})
    session.call(SEARCH, "{")
    assert read(session.call("get_current_date", {}))["error"]["outcome"] == "budget"


def test_repeated_call_ids_are_kept_apart() -> None:
    session = make_session()
    for expression in ("1", "2", "3"):
        session.call("evaluate_expression", {"expression": expression}, call_id="x")
    assert [call.call_id for call in session.calls] == ["x", "x#2", "x#3"]


def test_calls_issued_together_share_a_step() -> None:
    session = make_session()
    session.call("get_current_date", {}, step=1)
    session.call("evaluate_expression", {"expression": "1"}, step=1)
    session.call("evaluate_expression", {"expression": "2"})
    assert [call.step for call in session.calls] == [1, 1, 2]


def test_a_failure_of_the_service_is_told_with_what_to_do() -> None:
    busy = Disclosures(5, before=lambda number, request: dart_error("800", "점검중") if number == 0 else None)
    error = read(make_session(busy).call(SEARCH, {}))["error"]
    assert (error["outcome"], error["message"]) == ("maintenance", "점검중")
    assert "another call will not help" in error["hint"]


def test_the_same_request_after_a_failure_is_the_next_attempt() -> None:
    def broken(number: int, request: httpx.Request) -> httpx.Response | None:
        return httpx.Response(500) if number < 2 else None

    service = Disclosures(5, before=broken)
    session = make_session(service)
    outcomes = [session.call(SEARCH, arguments) and session.calls[-1].result.outcome for arguments in
                ({"bgn_de": "20260101"}, {"bgn_de": "2026-01-01"}, {"bgn_de": "20260101"}, {})]  # fmt: skip
    assert outcomes == ["server", "server", "ok", "ok"]
    attempts = [request.extensions["kopa_attempt"] for request in service.requests]
    assert attempts == [0, 1, 2, 0]


def test_a_missing_key_points_to_the_tool_that_issues_one() -> None:
    def keyless(number: int, request: httpx.Request) -> httpx.Response | None:
        return None if request.url.params.get("crtfc_key") else dart_error("010", "등록되지 않은 키입니다.")

    session = make_session(Disclosures(5, before=keyless), system_state={"keys_required": ["dart"]}, seed="t")
    error = read(session.call(SEARCH, {}))["error"]
    assert (error["outcome"], error["hint"]) == (
        "auth",
        "No valid key is in force for dart; request_api_key issues one.",
    )
    issued = session.call("request_api_key", {"platform": "dart"})
    assert session.episode.keys["dart"] not in issued
    assert read(session.call(SEARCH, {}))["total"] == 5


def test_tools_may_be_given_as_names_records_or_schemas() -> None:
    tool = load_catalog().get(SEARCH)
    for given in (SEARCH, tool, tool_schema(tool), tool_schema(tool)["function"]):
        assert make_session(tools=[given]).tool_names == (SEARCH,)


def test_the_asynchronous_twin_gives_the_same_text() -> None:
    async def both() -> tuple[str, str]:
        session = make_session(Disclosures(25))
        return await session.acall(SEARCH, {}), await session.acall("collect_pages", {"result_id": "r1"})

    session = make_session(Disclosures(25))
    expected = (session.call(SEARCH, {}), session.call("collect_pages", {"result_id": "r1"}))
    assert asyncio.run(both()) == expected


@pytest.mark.parametrize("arguments", [{"a": {1, 2}}, {"a": "\ud800"}, {"a": float}])
def test_arguments_without_a_json_form_are_refused(arguments: Any) -> None:
    session = make_session()
    assert read(session.call(SEARCH, arguments))["error"]["outcome"] == "bad_param"
    assert not session.calls[0].executed


def test_a_budget_too_small_for_the_frame_is_refused_at_once() -> None:
    with pytest.raises(ValueError, match="at least 200 tokens"):
        make_session(token_budget=50)


def test_a_clean_session_has_spent_nothing() -> None:
    session = make_session()
    assert (session.requests, session.calls, session.tool_names) == (0, [], OFFERED)


@pytest.mark.parametrize("arguments", [None, [1], 3, True])
def test_arguments_that_are_no_object_are_refused_and_counted(arguments: Any) -> None:
    session = make_session(Disclosures(25))
    error = read(session.call(SEARCH, arguments))["error"]
    assert (error["outcome"], session.requests) == ("bad_param", 0)
    assert [(call.executed, call.arguments) for call in session.calls] == [(False, {})]
