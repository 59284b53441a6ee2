"""What a model's turn is."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kopa_hf.agent.argument_text import ArgumentTextError, parse_arguments
from kopa_hf.agent.turns import Turn, classify_turn
from tests.timing import loops


def tool(name: str, required: list[str], **properties: str) -> dict[str, Any]:
    schema = {"type": "object", "properties": {k: {"type": t} for k, t in properties.items()}, "required": required}
    return {"type": "function", "function": {"name": name, "parameters": schema}}


TOOLS = [
    tool("get_pop", ["sido"], sido="string", year="integer", detail="boolean"),
    tool("get_current_date", []),
]
SEOUL = [("get_pop", {"sido": "서울특별시"})]
CALL = '{"name": "get_pop", "arguments": {"sido": "서울특별시"}}'


def classify(turn: Any) -> Turn:
    return classify_turn(turn, TOOLS)


def message(arguments: Any, name: str = "get_pop") -> dict[str, Any]:
    call = {"id": "c1", "type": "function", "function": {"name": name, "arguments": arguments}}
    return {"role": "assistant", "content": None, "tool_calls": [call]}


# messages


@pytest.mark.parametrize(
    "turn",
    [
        message('{"sido": "서울특별시"}'),
        message({"sido": "서울특별시"}),
        message('{"sido": "\\uc11c\\uc6b8\\ud2b9\\ubcc4\\uc2dc"}'),
        {"content": "", "function_call": {"name": "get_pop", "arguments": '{"sido": "서울특별시"}'}},
        {"content": [], "tool_calls": [{"name": "get_pop", "arguments": {"sido": "서울특별시"}}]},
    ],
)
def test_a_message_with_calls_is_called_in_the_right_channel(turn: dict[str, Any]) -> None:
    result = classify(turn)
    assert (result.outcome, result.calls, result.wrong_channel) == ("called", SEOUL, False)


@pytest.mark.parametrize(
    "arguments",
    [
        '{"a": 1}{"a": 1}',
        "[]",
        "null",
        "123",
        '{"sido": "서',
        '{"sido": "서울",}',
        "{'sido': '서울'}",
        '"{\\"sido\\": \\"서울\\"}"',
        '{"sido": "서울", "sido": "부산"}',
        ["서울"],
        5,
        True,
        "",
        "  ",
        None,
        {"sido": "\udc00"},
    ],
)
def test_broken_or_missing_arguments_are_unparsable(arguments: Any) -> None:
    result = classify(message(arguments))
    assert (result.outcome, result.calls) == ("unparsable", [])
    assert result.reason.startswith("call 1: ")


@pytest.mark.parametrize("arguments", ["", " ", None, "{}", {}])
def test_no_arguments_are_an_empty_object_where_nothing_is_required(arguments: Any) -> None:
    assert classify(message(arguments, "get_current_date")).calls == [("get_current_date", {})]


def test_a_message_that_leaves_the_arguments_out_follows_the_same_rule() -> None:
    assert classify({"tool_calls": [{"function": {"name": "get_current_date"}}]}).calls == [("get_current_date", {})]
    assert classify({"tool_calls": [{"function": {"name": "get_pop"}}]}).outcome == "unparsable"
    assert classify({"tool_calls": [{"function": {"name": "nobody_knows"}}]}).outcome == "unparsable"


def test_one_broken_call_among_good_ones_makes_the_turn_unparsable() -> None:
    turn = message('{"sido": "서울"}')
    turn["tool_calls"] += message("{")["tool_calls"]
    result = classify(turn)
    assert result.outcome == "unparsable"
    assert result.reason.startswith("call 2: ")


@pytest.mark.parametrize(
    "calls", ["get_pop", {"name": "get_pop"}, [None], [{}], [{"function": {"name": ""}}], [{"function": "get_pop"}]]
)
def test_calls_of_an_unknown_shape_are_unparsable(calls: Any) -> None:
    assert classify({"content": "", "tool_calls": calls}).outcome == "unparsable"


def test_a_call_of_a_tool_that_is_not_offered_is_still_a_call() -> None:
    assert classify(message({"a": 1}, "get_weather")).calls == [("get_weather", {"a": 1})]


def test_calls_in_the_content_of_a_message_stand_in_the_wrong_channel() -> None:
    for content in (CALL, f"<tool_call>{CALL}</tool_call>", [{"type": "text", "text": CALL}]):
        result = classify({"role": "assistant", "content": content})
        assert (result.outcome, result.calls, result.wrong_channel) == ("called", SEOUL, True)


def test_a_plain_answer_and_a_refusal_abstain() -> None:
    assert classify({"content": "도움이 되었다니 다행입니다."}).outcome == "abstained"
    assert classify({"content": None, "refusal": "도와드릴 수 없습니다."}).text == "도와드릴 수 없습니다."
    assert classify({"content": [{"type": "text", "text": "네"}], "tool_calls": []}).text == "네"


@pytest.mark.parametrize(
    "turn",
    [
        None,
        "",
        " \n",
        "<think>무엇을 부를까</think>",
        "<think>get_pop을 부르자",
        f"<think><tool_call>{CALL}</tool_call>",
        "생각\n</think>\n",
        "<|im_end|>",
        {},
        {"content": None},
        {"content": [{"type": "image_url"}]},
        {"content": "<think>\n\n</think>", "tool_calls": None},
    ],
)
def test_blanks_and_thoughts_alone_are_empty(turn: Any) -> None:
    assert (classify(turn).outcome, classify(turn).calls) == ("empty", [])


# text


@pytest.mark.parametrize(
    "text",
    [
        f"<tool_call>\n{CALL}\n</tool_call>",
        f"<think>부르자</think>\n<tool_call>{CALL}</tool_call><|im_end|>",
        f"찾아보겠습니다.\n<tool_call>\n{CALL}\n</tool_call>\n",
        "<tool_call>\n<function=get_pop>\n<parameter=sido>\n서울특별시\n</parameter>\n</function>\n</tool_call>",
        '<function=get_pop>{"sido": "서울특별시"}</function>',
        '<|python_tag|>{"name": "get_pop", "parameters": {"sido": "서울특별시"}}<|eom_id|>',
        f"[TOOL_CALLS][{CALL}]",
        '[TOOL_CALLS]get_pop[ARGS]{"sido": "서울특별시"}</s>',
        '[TOOL_CALLS]get_pop[CALL_ID]abc123[ARGS]{"sido": "서울특별시"}',
    ],
)
def test_every_wrapper_in_use_yields_its_call(text: str) -> None:
    result = classify(text)
    assert (result.outcome, result.calls, result.wrong_channel) == ("called", SEOUL, False)


@pytest.mark.parametrize(
    "text",
    [
        CALL,
        f"[{CALL}]",
        f"```json\n{CALL}\n```",
        f"다음과 같이 부르겠습니다: {CALL}",
        '{"name": "get_pop", "parameters": {"sido": "서울특별시"}}',
        '{"type": "function", "function": {"name": "get_pop", "arguments": {"sido": "서울특별시"}}}',
        '{"tool_calls": [{"function": {"name": "get_pop", "arguments": {"sido": "서울특별시"}}}]}',
        "[get_pop(sido='서울특별시')]",
        'get_pop(sido="서울특별시")',
    ],
)
def test_a_call_without_its_wrapper_is_called_in_the_wrong_channel(text: str) -> None:
    result = classify(text)
    assert (result.outcome, result.calls, result.wrong_channel) == ("called", SEOUL, True)


def test_several_calls_keep_their_order() -> None:
    other = CALL.replace("서울특별시", "부산광역시")
    expected = [*SEOUL, ("get_pop", {"sido": "부산광역시"})]
    for text in (
        f"<tool_call>{CALL}</tool_call>\n<tool_call>{other}</tool_call>",
        f"[TOOL_CALLS][{CALL}, {other}]",
        f"<|python_tag|>{CALL}; {other}",
        f"{CALL}\n{other}",
        "[get_pop(sido='서울특별시'), get_pop(sido='부산광역시')]",
    ):
        assert classify(text).calls == expected


def test_values_of_the_xml_style_take_their_parameters_types() -> None:
    text = (
        "<tool_call><function=get_pop><parameter=sido>2024</parameter><parameter=year>2024</parameter>"
        "<parameter=detail>true</parameter></function></tool_call>"
    )
    assert classify(text).calls == [("get_pop", {"sido": "2024", "year": 2024, "detail": True})]
    odd = text.replace("<parameter=year>2024<", "<parameter=year>올해<")
    assert classify(odd).calls[0][1]["year"] == "올해"  # stays as written; whoever executes it refuses it


def test_a_closing_tag_inside_a_json_text_closes_nothing() -> None:
    arguments = {"sido": 'a</tool_call>{"name": "x"}'}
    text = f"<tool_call>{json.dumps({'name': 'get_pop', 'arguments': arguments}, ensure_ascii=False)}</tool_call>"
    assert classify(text).calls == [("get_pop", arguments)]


@pytest.mark.parametrize(
    "text",
    [
        '<tool_call><tool_call name="get_pop" arguments={"sido": "서울"}/></tool_call>',
        f"<tool_call>{CALL}",
        f"{CALL}</tool_call>",
        "<tool_call></tool_call>",
        f"<tool_call>{CALL}{CALL}</tool_call>",
        f"<tool_call>{CALL[:-1]}</tool_call>",
        f"<tool_call>{CALL[:-8]}",
        '<tool_call>{"name": "get_pop", "arguments": "{\\"sido\\": \\"서울\\"}"}</tool_call>',
        '<tool_call>{"name": "get_pop", "arguments": null}</tool_call>',
        '<tool_call>{"name": "get_pop", "arguments": [1]}</tool_call>',
        '<tool_call>{"name": "get_pop"}</tool_call>',
        '<tool_call>{"arguments": {}}</tool_call>',
        "<tool_call>{'name': 'get_pop', 'arguments': {'sido': '서울'}}</tool_call>",
        f"<tool_call>[{CALL}]</tool_call>",
        f"<tool_call>{CALL}</tool_call><tool_call>",
        "<tool_call><function=get_pop><parameter=sido>서울</function></tool_call>",
        "<tool_call><function=get_pop><parameter=sido>서울</parameter></tool_call>",
        "<tool_call><function=get_pop><parameter=sido>서울</parameter></function>",
        "<tool_call><function=get_pop></function></tool_call>",
        "<tool_call><function=get_pop><parameter=sido>a</parameter><parameter=sido>b</parameter></function></tool_call>",
        '<function_call name="get_pop">',
        '<invoke name="get_pop"><parameter name="sido">서울</parameter></invoke>',
        '<|channel|>commentary to=functions.get_pop<|message|>{"sido": "서울"}<|call|>',
        '<any:function_calls><any:invoke name="get_pop"></any:invoke></any:function_calls>',
        "<tool_call>get_pop<arg_key>sido</arg_key><arg_value>서울</arg_value></tool_call>",
        "<|tool_call_start|>[get_pop(sido='서울')]<|tool_call_end|>",
        "<｜tool▁calls▁begin｜>function<｜tool▁sep｜>get_pop",
        "[TOOL_CALLS]",
        "[TOOL_CALLS][]",
        f"[TOOL_CALLS][{CALL}",
        "<|python_tag|>get_pop.call(sido='서울')",
        f"<|python_tag|>{CALL} 끝",
        CALL[:-1],
        CALL.replace('"', "'"),
        f"```json\n{CALL[:-2]}\n```",
        '{"name": "get_pop"}',
        "get_pop(sido=서울)",
        "get_pop('서울')",
        "[get_pop(sido='서울'), get_pop(]",
        "get_pop()",
        "get_pop(sido={1, 2})",
        'Action: get_pop\nAction Input: {"sido": "서울"}',
    ],
)
def test_call_like_text_without_a_whole_call_is_unparsable(text: str) -> None:
    result = classify(text)
    assert (result.outcome, result.calls) == ("unparsable", [])
    assert result.reason


@pytest.mark.parametrize(
    "text",
    [
        "도움이 되었다니 다행입니다.",
        "get_pop 함수로 인구를 조회할 수 있지만 지역을 알려 주셔야 합니다.",
        "get_pop(sido)를 부르려면 시도 이름이 필요합니다. 어느 지역인가요?",
        "최종 답: \\boxed{215.79}",
        '{"name": "홍길동", "age": 30}',
        '["서울특별시", "부산광역시"]',
        "이름: {가} 인수: {나}",
        "a < b, c > d",
        "f(x) = 2x",
    ],
)
def test_prose_that_only_mentions_a_tool_abstains(text: str) -> None:
    result = classify(text)
    assert (result.outcome, result.calls, result.text) == ("abstained", [], text)


def test_a_call_of_a_tool_without_parameters_needs_no_arguments_in_text_either() -> None:
    for text in (
        '<tool_call>{"name": "get_current_date"}</tool_call>',
        "<tool_call><function=get_current_date></function></tool_call>",
        '{"name": "get_current_date"}',
        "get_current_date()",
    ):
        assert classify(text).calls == [("get_current_date", {})]


def test_thoughts_are_no_part_of_the_text() -> None:
    assert classify("<think>215가 맞나</think>\n215.79%입니다.<|im_end|>").text == "215.79%입니다."


# hostile input

PIECES = st.sampled_from(
    [
        "<tool_call>",
        "</tool_call>",
        "<function=",
        "get_pop",
        ">",
        "</function>",
        "<parameter=",
        "</parameter>",
        '<|channel|>commentary to=functions.get_pop<|message|>{"sido": "서울"}<|call|>',
        '<any:function_calls><any:invoke name="get_pop"></any:invoke></any:function_calls>',
        "<tool_call>get_pop<arg_key>sido</arg_key><arg_value>서울</arg_value></tool_call>",
        "<|tool_call_start|>[get_pop(sido='서울')]<|tool_call_end|>",
        "<｜tool▁calls▁begin｜>function<｜tool▁sep｜>get_pop",
        "[TOOL_CALLS]",
        "[ARGS]",
        "<|python_tag|>",
        "{",
        "}",
        "[",
        "]",
        '"',
        "name",
        "arguments",
        ":",
        ",",
        "(",
        ")",
        "<think>",
        "</think>",
        "서울",
        "null",
        "1",
        "```json",
        "sido",
        "=",
        "'",
        "\\",
    ]
) | st.sampled_from(["\n", " ", "\ud800"])
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=9), inner, max_size=3),
    max_leaves=8,
)
KEYS = st.sampled_from(["role", "content", "tool_calls", "function_call", "function", "name", "arguments", "refusal"])
MESSAGES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8) | st.just("get_pop"),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=4),
    max_leaves=12,
)


@given(MESSAGES | JSON | st.binary(), JSON)
def test_no_turn_and_no_tool_list_raises(turn: Any, tools: Any) -> None:
    assert classify_turn(turn, tools).outcome in ("called", "abstained", "unparsable", "empty")
    assert classify(turn).outcome in ("called", "abstained", "unparsable", "empty")


@given(st.lists(PIECES, max_size=25).map("".join))
def test_fragments_of_calls_are_a_call_only_with_an_object_of_arguments(text: str) -> None:
    result = classify(text)
    assert bool(result.calls) == (result.outcome == "called")
    for name, arguments in result.calls:
        assert name
        assert isinstance(arguments, dict)
        json.dumps(arguments, ensure_ascii=False).encode("utf-8")


@given(st.text(max_size=200))
def test_garbage_is_never_a_call(text: str) -> None:
    assert classify(text).outcome != "called"
    assert classify({"content": text}).outcome != "called"


@given(st.integers(1, len(f"<tool_call>{CALL}</tool_call>") - 1))
def test_a_call_cut_short_anywhere_is_never_a_call(length: int) -> None:
    cut = f"<tool_call>{CALL}</tool_call>"[:length]
    assert classify(cut).outcome != "called"


@given(st.dictionaries(st.text(min_size=1, max_size=6), JSON, max_size=4))
def test_any_json_arguments_come_back_as_they_were(arguments: dict[str, Any]) -> None:
    text = json.dumps({"name": "get_weather", "arguments": arguments}, ensure_ascii=False)
    result = classify(f"<tool_call>{text}</tool_call>")
    if "NaN" in text or "Infinity" in text:
        return
    if any(f"<{word}>" in text for word in ("think", "/think")):
        return
    assert result.calls == [("get_weather", arguments)]


@pytest.mark.parametrize(
    "text",
    [
        "{" * 100_000,
        '{"a":' * 30_000 + '"arguments":',
        '"arguments":' + '{"' * 60_000,
        "\n" * 150_000 + "Action",
        "```" + "\n" * 150_000 + "x",
        "<think>" * 20_000,
        "<tool_call>" * 15_000,
        "<|channel|>" + " " * 150_000,
        "get_pop(" + "(" * 90_000 + ")",
        "x" * 300_000 + f"<tool_call>{CALL}</tool_call>",
    ],
)
def test_hostile_text_is_read_in_bounded_time(text: str) -> None:
    assert loops(lambda: classify(text)) < 150
    assert classify(text).outcome != "called"


@pytest.mark.parametrize(
    "text", ['[get_pop(sido="서울"', "get_pop(sido=", '{"tool_calls": [', '{"tool_calls": [{"name"']
)
def test_a_call_that_is_cut_short_never_passes_for_a_refusal(text: str) -> None:
    assert classify(text).outcome == "unparsable"


@pytest.mark.parametrize("text", ["get_pop(인구 조회)는 필요 없습니다.", "get_pop 도구는 쓰지 않아도 됩니다."])
def test_prose_that_begins_with_a_tools_name_is_an_answer(text: str) -> None:
    assert classify(text).outcome == "abstained"


# an offered tool in a form that nobody executes

OBJECT = '{"sido": "서울"}'


@pytest.mark.parametrize(
    "text",
    [
        '{"name":"get_pop"',
        '{"name":"get_pop","arg',
        '{"name":"get_po',
        '{"tool":"get_pop","sido":"서울"}',
        f'{{"tool_name":"get_pop","arguments":{OBJECT}}}',
        f'{{"action":"get_pop","action_input":{OBJECT}}}',
        f'{{"get_pop":{OBJECT}}}',
        f"{{name: get_pop, arguments: {OBJECT}}}",
        f"name: get_pop\narguments: {OBJECT}",
        f"functions.get_pop:0{OBJECT}",
        f"get_pop {OBJECT}",
        f"get_pop: {OBJECT}",
        'get_pop(sido="서울") 를 호출',
        '먼저 get_pop("서울")을 부릅니다.',
        '```python\nprint(get_pop(sido="서울"))\n```',
        "```python\nresult = get_current_date()\nprint(result)\n```",
        "오늘 날짜부터 봅니다.\nprint(get_current_date())",
        "<get_pop><sido>서울</sido></get_pop>",
        "<get_pop><sido>서",
        "<get_pop sido='서울'/>",
        "<start_function_call>call:get_pop{sido:<escape>서울<escape>}<end_function_call>",
        "tool_call: get_pop",
        "Action: get_pop",
        "찾아보겠습니다.\n<tool_ca",
        CALL * 5000,
        'get_pop(sido="서울")\n' * 20_000,
        "get_pop(" * 30_000,
        "get_pop(" * 3000,
    ],
)
def test_an_offered_tool_in_call_like_form_is_no_answer(text: str) -> None:
    for turn in (text, {"role": "assistant", "content": text}):
        result = classify(turn)
        assert (result.outcome, result.calls) == ("unparsable", [])
        assert result.reason
    assert loops(lambda: classify(text)) < 150


@pytest.mark.parametrize(
    "text",
    [
        "get_pop 도구를 쓰지 않아도 됩니다.",
        "`get_pop`과 get_current_date()는 이 질문에 필요하지 않습니다.",
        "쓸 수 있는 도구: get_pop, get_current_date",
        "- get_pop: 인구를 조회합니다\n- get_current_date: 오늘 날짜",
        '"get_pop"은 지역 이름이 있어야 부를 수 있습니다.',
        "<get_pop> 도구는 쓰지 않았습니다.",
        '["get_pop", "get_current_date"]',
        "get_pop (인구 조회) 없이 답할 수 있습니다.",
        "get_popular(x=1)은 다른 함수입니다.",
        "get_pop " * 30_000,
    ],
)
def test_a_tools_name_alone_makes_no_call(text: str) -> None:
    assert classify(text).outcome == "abstained"
    assert loops(lambda: classify(text)) < 150


@pytest.mark.parametrize(
    "text",
    [
        f'{CALL}{{"name":"get_po',
        f'{CALL}\n{{"name":"get_current_date"',
        f"{CALL}\n{CALL[:-1]}",
        f"{CALL[:-2]}\n{CALL}",
        f"{CALL}{{",
        f"[{CALL},",
        f"[{CALL}",
        f"```json\n[{CALL},\n",
        f'{{"tool_calls": [{CALL}',
        f"{CALL}\nget_pop(sido=",
        f'<tool_call>{CALL}</tool_call>\n{{"name":"get_po',
        f"<tool_call>{CALL}</tool_call>\n<tool_ca",
        f"[TOOL_CALLS][{CALL}] {CALL[:-2]}",
    ],
)
def test_a_whole_call_beside_a_broken_one_is_unparsable(text: str) -> None:
    result = classify(text)
    assert (result.outcome, result.calls) == ("unparsable", [])


@pytest.mark.parametrize(
    "text", [f"다음을 부릅니다.\n{CALL}\n결과를 보고 답하겠습니다.", f"<tool_call>{CALL}</tool_call> 잠시만요."]
)
def test_prose_around_a_call_changes_nothing(text: str) -> None:
    assert classify(text).calls == SEOUL


@pytest.mark.parametrize("number", ["1e999", "-1e999", "NaN", "Infinity"])
def test_a_number_that_json_cannot_carry_is_no_argument(number: str) -> None:
    with pytest.raises(ArgumentTextError):
        parse_arguments(f'{{"x": {number}}}')
