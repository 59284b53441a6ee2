"""Scores: every rule has a run that meets it and one that does not."""

from __future__ import annotations

import dataclasses
import json
from typing import Any

import pytest

from kopa_hf.bench.golden import LOCAL_NAMES
from kopa_hf.bench.reasons import TEXTS, explain, reason
from kopa_hf.bench.rows import Row
from kopa_hf.bench.scoring import Score, needs_all_pages, prerequisites, score_rollout, service_failed
from kopa_hf.catalog.local import local_tools
from kopa_hf.execution.episode import Episode
from kopa_hf.execution.result import UNSEEN_MESSAGE

from .fakes import FakeCall
from .test_actions import BUSAN, SEOUL, call, gold, row_of

EMPTY = Episode().state_hash()
POP = gold("pop", SEOUL)


def number_row(answer: str = "1680", **changes: Any) -> Row:
    return row_of(POP, answer=answer, answer_type="number", **changes)


def score(row: Row, answer: str | None, calls: list[FakeCall] | None = None, state: str = EMPTY, **more: Any) -> Score:
    return score_rollout(row, [call("pop", SEOUL)] if calls is None else calls, state, answer, **more)


def codes(result: Score) -> list[str]:
    return [text.partition(": ")[0] for text in result.reasons]


# RESPONSE


@pytest.mark.parametrize(
    ("kind", "answer", "unit", "text", "reward"),
    [
        ("number", "1680", "", "종가는 \\boxed{1,680}", 1.0),
        ("number", "1680", "", "종가는 \\boxed{1,681}", 0.0),
        ("amount", "1680", "원", "\\boxed{1680원}", 1.0),
        ("amount", "1680", "원", "\\boxed{1680주}", 0.0),
        ("code", "005930", "", "\\boxed{005930}", 1.0),
        ("code", "005930", "", "\\boxed{5930}", 0.0),
        ("date", "2026-01-30", "", "\\boxed{2026년 1월 30일}", 1.0),
        ("date", "2026-01-30", "", "\\boxed{2026년 1월 29일}", 0.0),
        ("text", "가나전자", "", "\\boxed{가나 전자}", 1.0),
        ("text", "가나전자", "", "\\boxed{다라전자}", 0.0),
        ("set", '["가", "나"]', "", "\\boxed{나, 가}", 1.0),
        ("set", '["가", "나"]', "", "\\boxed{나}", 0.0),
        ("list", '["가", "나"]', "", "\\boxed{가, 나}", 1.0),
        ("list", '["가", "나"]', "", "\\boxed{나, 가}", 0.0),
    ],
)
def test_the_answer_is_compared_by_its_declared_type(
    kind: str, answer: str, unit: str, text: str, reward: float
) -> None:
    row = row_of(POP, answer=answer, answer_type=kind, answer_unit=unit)
    result = score(row, text)
    assert (result.status, result.reward, result.response) == ("scored", reward, reward)
    assert bool(result.reasons) is (reward == 0.0)


def test_tolerance_comes_from_the_program() -> None:
    row = number_row("215.79", program={"tolerance": "0.01"})
    assert score(row, "\\boxed{215.78}").reward == 1.0
    assert score(row, "\\boxed{215.70}").reward == 0.0
    assert score(number_row("215.79"), "\\boxed{215.78}").reward == 0.0


@pytest.mark.parametrize(
    ("question", "reward"),
    [
        ("몇 도 높았어? 낮았으면 음수로 답해 줘.", 0.0),
        ("몇 도 낮았어?", 1.0),
        ("몇 분 더 길었어? 더 짧았으면 음수로 답해 줘.", 0.0),
    ],
)
def test_where_the_question_wants_a_sign_a_direction_against_it_is_wrong(question: str, reward: float) -> None:
    row = number_row("3", answer_unit="도", prompt=[{"role": "user", "content": question}])
    assert score(row, "3도 낮았습니다.").reward == reward
    assert score(row, "3도 높았습니다.").reward == 1.0


@pytest.mark.parametrize("answer", [None, "", "  "])
def test_no_answer_is_no_reward(answer: str | None) -> None:
    assert codes(score(number_row(), answer))[0] == "empty_answer"


def test_several_values_are_ambiguous_and_prose_without_one_is_unreadable() -> None:
    assert codes(score(number_row(), "1680 또는 532입니다."))[0] == "ambiguous"
    assert codes(score(number_row(), "모르겠습니다."))[0] == "unreadable"
    assert codes(score(number_row(), "\\boxed{532}"))[0] == "wrong_answer"


def test_a_right_value_without_any_successful_service_call_is_a_guess() -> None:
    row = number_row()
    refused = call("pop", SEOUL, outcome="bad_param", failure="structural")
    for calls in ([], [refused], [call("evaluate_expression", {"expression": "1680"})]):
        assert codes(score(row, "\\boxed{1680}", calls))[0] == "no_evidence"
    assert score(row, "\\boxed{1680}", [call("other", BUSAN)]).reward == 1.0


YES = {"deciding": 1, "deciding_value": "1680", "deciding_kind": "amount", "deciding_unit": "원"}


@pytest.mark.parametrize(
    ("text", "reward", "code"),
    [
        ("종가가 더 높습니다. \\boxed{예, 1,680원}", 1.0, ""),
        ("종가는 1,680원입니다. \\boxed{예}", 1.0, ""),
        ("\\boxed{예}", 0.0, "missing_deciding_value"),
        ("\\boxed{예, 1,681원}", 0.0, "missing_deciding_value"),
        ("종가는 1,680원, 전환가는 532원입니다. \\boxed{예}", 0.0, "missing_deciding_value"),
        ("\\boxed{아니오, 1,680원}", 0.0, "wrong_answer"),
        ("1,680원입니다.", 0.0, "unreadable"),
    ],
)
def test_yes_counts_only_with_the_value_that_decides(text: str, reward: float, code: str) -> None:
    result = score(row_of(POP, answer="예", answer_type="boolean", program=YES), text)
    assert result.reward == reward
    assert codes(result)[:1] == ([code] if code else [])


def test_no_data_counts_only_after_the_lookup_that_shows_it() -> None:
    row = row_of(gold("other", BUSAN), POP, answer="", answer_type="no_data", program={"decisive": [1]})
    empty = call("pop", SEOUL, outcome="no_data", failure="no_data")
    text = "해당하는 자료가 없습니다."
    assert score(row, text, [call("other", BUSAN), empty]).reward == 1.0
    assert score(row, text, [empty]).reward == 1.0
    elsewhere = call("pop", BUSAN, outcome="no_data", failure="no_data")
    narrowed = call("pop", {**SEOUL, "day": "20240101"}, outcome="no_data", failure="no_data")
    for calls in ([], [call("other", BUSAN)], [elsewhere], [narrowed], [call("pop", SEOUL)]):
        assert codes(score(row, text, calls))[0] == "decisive_lookup_missing"
    assert score(row, "3건입니다.", [empty]).reward == 0.0


@pytest.mark.parametrize(
    ("period", "reward"),
    [
        (("20250101", "20251231"), 1.0),
        (("20241201", "20260130"), 1.0),  # nothing in a longer period is nothing in this one
        (("2025-01-01", "2026-01-30"), 1.0),
        (("20250201", "20251231"), 0.0),
        (("20250101", "20251130"), 0.0),
        (("20260101", "20261231"), 0.0),
    ],
)
def test_a_longer_period_shows_that_there_is_nothing_and_a_shorter_one_does_not(
    period: tuple[str, str], reward: float
) -> None:
    name, company = "get_dart_treasury_stock_acquisition_decision", {"corp_code": "01777424"}
    asked = gold(name, {**company, "bgn_de": "20250101", "end_de": "20251231"})
    row = row_of(asked, answer="", answer_type="no_data", program={"decisive": [0]})
    made = {**company, "bgn_de": period[0], "end_de": period[1]}
    lookup = call(name, made, outcome="no_data", failure="no_data")
    assert score(row, "해당하는 자료가 없습니다.", [lookup]).reward == reward


@pytest.mark.parametrize(
    ("more", "reward"),
    [({"numOfRows": "99"}, 1.0), ({"pageNo": "1"}, 1.0), ({"pageNo": "2"}, 0.0), ({"sumTmUnitTypeCode": "3"}, 0.0)],
)
def test_the_size_of_a_page_changes_nothing_where_there_is_nothing(more: dict[str, str], reward: float) -> None:
    name, gates = "list_expressway_inter_tollgate_travel_time", {"iStartUnitCode": "568", "iEndUnitCode": "455"}
    row = row_of(gold(name, gates), answer="", answer_type="no_data", program={"decisive": [0]})
    lookup = call(name, {**gates, **more}, outcome="no_data", failure="no_data")
    assert score(row, "해당하는 자료가 없습니다.", [lookup]).reward == reward


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("어느 회사인지 알려 주세요.", ""),
        ("회 사 명을 말씀해 주시겠어요?", ""),
        ("죄송합니다. 답변드릴 수 없습니다.", "missing_term"),
        ("어떤 연도인지 알려 주세요.", "missing_term"),
        ("가장 큰 회사는 가나전자입니다.", "not_asking"),
        ("회사는 다음과 같은지 확인해 주세요. \\boxed{7}", "answered_instead_of_asking"),
    ],
)
def test_a_question_back_must_name_what_is_missing(text: str, code: str) -> None:
    row = row_of(answer="", answer_type="ask", program={"terms": ["회사", "종목"]})
    result = score(row, text, [])
    assert (result.reward, codes(result)[:1]) == ((0.0, [code]) if code else (1.0, []))


def test_terms_in_groups_must_all_be_named() -> None:
    row = row_of(answer="", answer_type="ask", program={"terms": [["회사", "기업"], ["연도"]]})
    assert score(row, "어느 기업의 어느 연도인지 알려 주세요.", []).reward == 1.0
    assert codes(score(row, "어느 기업인지 알려 주세요.", [])) == ["missing_term"]


def test_open_answers_need_a_judge_and_its_failure_is_no_wrong_answer() -> None:
    row = row_of(POP, answer="", answer_type="judge", program={"criteria": ["가"]})

    def broken(row: Row, text: str) -> bool:
        raise RuntimeError("out of memory")

    assert score(row, "글").status == "unscored"
    assert score(row, "글").reasons == ("needs_judge",)
    assert score(row, "글", judge=lambda row, text: text == "글").reward == 1.0
    assert score(row, "다른 글", judge=lambda row, text: text == "글").reward == 0.0
    failed = score(row, "글", judge=broken)
    assert (failed.status, failed.reward, failed.reasons) == ("judge_fault", None, ("judge_fault: RuntimeError",))


# ENVIRONMENT


def saving(**changes: Any) -> Row:
    episode = Episode()
    episode.write("table", {"name": "표"})
    program = {"state_hash": episode.state_hash()}
    write = gold("save_table", {"name": "표"})
    return row_of(POP, write, answer="1680", answer_type="number", program=program, **changes)


def test_both_bases_must_hold() -> None:
    row = saving(reward_basis=["RESPONSE", "ENVIRONMENT"])
    there, calls = row.program["state_hash"], [call("pop", SEOUL), call("save_table", {"name": "표"})]
    both = score(row, "\\boxed{1680}", calls, there)
    assert (both.reward, both.response, both.environment, both.action) == (1.0, 1.0, 1.0, 1.0)
    wrong = score(row, "\\boxed{1}", calls, there)
    assert (wrong.reward, wrong.response, wrong.environment, wrong.action) == (0.0, 0.0, 1.0, 0.0)
    assert score(row, "\\boxed{1680}", calls[:1], EMPTY).environment == 0.0


def test_only_the_named_basis_counts() -> None:
    state_only = saving(reward_basis=["ENVIRONMENT"])
    result = score(state_only, None, [], state_only.program["state_hash"])
    assert (result.reward, result.response) == (1.0, None)
    answer_only = saving(reward_basis=["RESPONSE"])
    assert score(answer_only, "\\boxed{1680}", state="other").reward == 1.0


@pytest.mark.parametrize(
    ("writes", "code"),
    [
        ([], "missing_write: save_table"),
        ([{"name": "표"}, {"name": "표"}], "surplus_write: save_table"),
        ([{"name": "다른 표"}], "wrong_write: save_table"),
    ],
)
def test_a_missed_state_says_which_write(writes: list[dict[str, Any]], code: str) -> None:
    row = saving(reward_basis=["ENVIRONMENT"])
    calls = [call("pop", SEOUL), *(call("save_table", arguments) for arguments in writes)]
    assert score(row, "x", calls, "elsewhere").reasons[0] == code


# ACTION and the gate


def test_a_surplus_read_costs_efficiency_only() -> None:
    exact = score(number_row(), "\\boxed{1680}")
    more = score(number_row(), "\\boxed{1680}", [call("pop", SEOUL), call("other", BUSAN)])
    assert (exact.reward, exact.action) == (1.0, 1.0)
    # Corr 1, CR 1, MPC 1/2 → Eff 3/4, ACTION 7/8
    assert (more.reward, more.corr, more.eff, more.action) == (1.0, 1.0, 0.75, 0.875)


def test_golden_calls_with_a_wrong_answer_have_no_action() -> None:
    result = score(number_row(), "\\boxed{1}")
    assert (result.corr, result.eff, result.action) == (1.0, 1.0, 0.0)


# status


def broken(name: str, outcome: str, arguments: dict[str, Any] = SEOUL) -> FakeCall:
    return call(name, arguments, outcome=outcome, failure="environmental")


@pytest.mark.parametrize(
    "outcome", ["timeout", "rate_limit", "server", "maintenance", "quota", "not_a_response", "auth"]
)
def test_an_outage_of_a_golden_tool_is_a_fault_and_no_zero(outcome: str) -> None:
    result = score(number_row(), "모르겠습니다.", [broken("pop", outcome)])
    assert (result.status, result.reward, result.action) == ("tool_fault", None, None)
    assert result.reasons == (f"tool_fault: pop: {outcome}",)


def test_what_a_run_repaired_or_survived_is_scored() -> None:
    row = number_row()
    assert score(row, "\\boxed{1}", [broken("pop", "timeout"), call("pop", SEOUL)]).reward == 0.0
    assert score(row, "\\boxed{1680}", [broken("pop", "timeout"), call("other", BUSAN)]).reward == 1.0
    assert score(row, "\\boxed{1}", [call("pop", SEOUL), broken("other", "server")]).status == "scored"
    refused = call("pop", {}, outcome="bad_param", failure="structural")
    assert score(row, "\\boxed{1}", [refused]).status == "scored"


@pytest.mark.parametrize("outcome", ["not_a_response", "unknown_operation"])
def test_a_proved_tool_that_is_gone_or_answers_in_another_shape_is_an_outage_too(outcome: str) -> None:
    row, answer = number_row(), "모르겠습니다."
    gone = call("pop", SEOUL, outcome=outcome, failure="structural")
    result = score(row, answer, [gone])
    assert (result.status, result.reward, result.reasons) == ("tool_fault", None, (f"tool_fault: pop: {outcome}",))
    assert score(row, answer, [gone, call("pop", SEOUL)]).reward == 0.0, "repaired"
    assert score(row, "\\boxed{1680}", [gone, call("other", BUSAN)]).reward == 1.0, "survived"
    assert score(row, answer, [dataclasses.replace(gone, executed=False)]).reward == 0.0, "never sent"
    assert score(row, answer, [call("other", SEOUL, outcome=outcome, failure="structural")]).reward == 0.0
    own = [("bad_param", "structural"), ("no_data", "no_data"), ("ok", None)]
    assert not any(service_failed(call("pop", SEOUL, outcome=said, failure=failure)) for said, failure in own)


def unseen(name: str, arguments: Any, **changes: Any) -> FakeCall:
    """A call that a snapshot did not answer."""
    made = call(name, arguments, outcome="maintenance", failure="environmental", **changes)
    return dataclasses.replace(made, result=dataclasses.replace(made.result, records=[], message=UNSEEN_MESSAGE))


def test_what_a_snapshot_lacks_is_a_fault_only_where_the_golden_calls_ask_it_too() -> None:
    row = number_row()
    for same in (SEOUL, {"region": " 서울 "}):
        assert score(row, "\\boxed{1}", [unseen("pop", same)]).status == "tool_fault"
    wrong = score(row, "\\boxed{1}", [unseen("pop", BUSAN)])
    assert (wrong.status, wrong.reward) == ("scored", 0.0)
    assert score(row, "\\boxed{1}", [unseen("pop", SEOUL), unseen("pop", BUSAN)]).status == "tool_fault"
    assert score(row, "\\boxed{1}", [broken("pop", "maintenance", BUSAN)]).status == "tool_fault", "a service's own"
    pages = row_of(POP, gold("collect_pages", {"result_id": "r1"}, []), answer="1680", answer_type="number")
    for arguments, status in ((SEOUL, "tool_fault"), (BUSAN, "scored")):
        calls = [call("pop", arguments, result_id="r7"), unseen("collect_pages", {"result_id": "r7"})]
        assert score(pages, "\\boxed{1}", calls).status == status


def test_a_key_that_the_task_leaves_to_the_run_is_its_own_doing() -> None:
    name = "search_dart_disclosures"
    row = row_of(
        gold("request_api_key", {"platform": "dart"}),
        gold(name, {}),
        answer="1", answer_type="number", system_state={"keys_required": ["dart"]},
    )  # fmt: skip
    result = score(row, "\\boxed{2}", [broken(name, "auth", {})])
    assert result.status == "scored"
    assert f"key_not_issued: {name}" in result.reasons
    elsewhere = dataclasses.replace(row, system_state={"keys_required": ["assembly"]})
    assert score(elsewhere, "\\boxed{2}", [broken(name, "auth", {})]).status == "tool_fault"


def test_a_fault_of_model_or_backend_is_passed_on() -> None:
    for fault in ("model_fault", "backend_fault"):
        result = score(number_row(), None, [], fault=fault)
        assert (result.status, result.reward, result.reasons) == (fault, None, (fault,))


# why


def chained() -> Row:
    program = {
        "actions": [
            {"id": "a1", "step": 1, "name": "other", "arguments": {"region": "서울"}},
            {"id": "a2", "step": 2, "name": "pop", "arguments": {"region": {"$from": "a1", "field": "code"}}},
            {"id": "a3", "step": 3, "name": "collect_pages", "arguments": {"result_id": {"$result": "a2"}}},
        ]
    }
    actions = [gold("other", SEOUL), gold("pop", {"region": "11110"}), gold("collect_pages", {"result_id": "r2"}, [])]
    return row_of(*actions, answer="23", answer_type="number", program=program)


def paged(arguments: dict[str, Any]) -> FakeCall:
    made = call("pop", arguments)
    return dataclasses.replace(made, result=dataclasses.replace(made.result, page=1, page_size=10, total_count=23))


def test_prerequisites_are_what_feeds_service_calls() -> None:
    assert prerequisites(chained()) == ("other",)
    assert needs_all_pages(chained())
    assert prerequisites(number_row()) == ()
    through = chained()
    through.program["actions"].append(
        {"id": "a4", "step": 4, "name": "pop", "arguments": {"region": {"$from": "a3", "field": "x"}}}
    )
    assert prerequisites(through) == ("other", "pop")
    keyed = row_of(program={"actions": [{"id": "a1", "name": "request_api_key", "arguments": {}}]})
    assert prerequisites(keyed) == ("request_api_key",)


def test_the_report_names_the_failure_modes() -> None:
    row = chained()
    skipped = score(row, "\\boxed{10}", [paged({"region": "서울"})])
    assert "skipped_lookup: other" in skipped.reasons
    assert "first_page_only: pop" in skipped.reasons
    assert "wrong_code: pop.region" in skipped.reasons
    whole = score(row, "\\boxed{10}", [call("other", SEOUL), paged({"region": "11110"}), call("collect_pages", {})])
    assert not {"skipped_lookup", "first_page_only", "wrong_code"} & set(codes(whole))


def test_budget_unknown_tools_bad_arguments_repeats_and_notes_are_named() -> None:
    row = dataclasses.replace(number_row(), max_allowed_calls=1)
    refused = call("pop", {}, outcome="bad_param", failure="structural", executed=True)
    found = codes(score(row, "\\boxed{1}", [refused, refused, call("nope", {})], notes=["unparsable"]))
    assert found == [
        "wrong_answer",
        "unparsable",
        "budget",
        "wrong_argument",
        "unknown_tool",
        "bad_arguments",
        "duplicate_calls",
    ]
    assert codes(score(row, "\\boxed{1}", [])) == ["wrong_answer", "no_calls"]


def test_every_reason_has_a_korean_and_an_english_sentence() -> None:
    assert all(len(pair) == 2 and all(pair) for pair in TEXTS.values())
    assert explain("skipped_lookup: find_x") == "선행 조회를 건너뛰었습니다 (find_x)"
    assert explain("budget", "en") == "more calls than allowed"
    with pytest.raises(KeyError):
        reason("made_up")


def test_a_score_goes_into_a_log_as_json() -> None:
    stored = json.loads(json.dumps(score(number_row(), "\\boxed{1}").to_dict(), ensure_ascii=False))
    assert stored["reward"] == 0.0
    assert stored["reasons"] == ["wrong_answer: different"]


def test_the_names_of_local_tools_are_the_catalog_s() -> None:
    assert {tool.name for tool in local_tools()} == LOCAL_NAMES
    assert {tool.name for tool in local_tools() if not tool.read} == {"save_table", "request_api_key"}
