"""Templates in the forms they come in, and what is read out of generated text."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from kopa_hf.agent.template import PROBE, PROBE_TOOL, TemplateError
from kopa_hf.agent.tool_prompt import plain_messages, without_system
from kopa_hf.agent.turns import Turn, classify_turn
from tests.agent import tiny_chat

pytest.importorskip("transformers", reason="extra `train` is not installed")

from kopa_hf.agent.chat_format import ChatFormat, find_format

CALL = '<tool_call>\n{"name": "get_probe_population", "arguments": {"sido_probe": "서울"}}\n</tool_call>'


def form(template: str = tiny_chat.CHATML, **settings: Any) -> ChatFormat:
    return find_format(tiny_chat.tokenizer(template), name="tiny", **settings)


def test_a_call_is_read_into_the_call_channel_and_its_remark_stays() -> None:
    message = form().read(f"찾아보겠습니다.\n{CALL}", [PROBE_TOOL])
    function = {"name": "get_probe_population", "arguments": {"sido_probe": "서울"}}
    assert message == {
        "role": "assistant", "content": "찾아보겠습니다.", "tool_calls": [{"type": "function", "function": function}],
    }  # fmt: skip
    assert not classify_turn(message, [PROBE_TOOL]).wrong_channel


@pytest.mark.parametrize(
    ("text", "outcome"),
    [
        (CALL.removesuffix("</tool_call>"), "unparsable"),
        (CALL.replace("}}", "}"), "unparsable"),
        ("서울 인구는 940만 명입니다.", "abstained"),
        ("", "empty"),
        ("<think>아직 생각 중", "empty"),
    ],
)
def test_what_is_no_call_keeps_its_outcome(text: str, outcome: str) -> None:
    assert classify_turn(form().read(text, [PROBE_TOOL]), [PROBE_TOOL]).outcome == outcome


def test_a_response_template_neither_closes_calls_nor_opens_texts() -> None:
    found = form()
    found.tokenizer.response_template = {
        "defaults": {"role": "assistant"},
        "start_anchor": "<|im_start|>assistant\n",
        "fields": {
            "tool_calls": {
                "open": "<tool_call>", "close_pattern": r"</tool_call>\s*", "repeats": True, "content": "json",
                "transform": {"type": "function", "function": "{content}"},
            },
            "content": {"content": "text"},
        },
    }  # fmt: skip
    found = replace(found, reader="response_template")

    def read(text: str) -> Turn:
        return classify_turn(found.read(text, [PROBE_TOOL]), [PROBE_TOOL])

    called = read(f"찾아보겠습니다. {CALL}")
    assert called.calls == [("get_probe_population", {"sido_probe": "서울"})]
    assert (called.text, called.wrong_channel) == ("찾아보겠습니다.", False)
    assert read("서울 인구는 940만 명입니다.").outcome == "abstained"
    in_text = CALL.replace('{"sido_probe": "서울"}', '"{}"')
    for broken in (CALL.removesuffix("</tool_call>"), CALL.replace("}}", "}"), in_text, CALL[:40]):
        assert read(broken).outcome == "unparsable", broken


def test_a_call_without_its_wrapper_stands_in_the_wrong_channel() -> None:
    bare = CALL.removeprefix("<tool_call>\n").removesuffix("\n</tool_call>")
    turn = classify_turn(form().read(bare, [PROBE_TOOL]), [PROBE_TOOL])
    assert turn.outcome == "called"
    assert turn.wrong_channel


def test_thinking_goes_beside_the_content_even_where_the_prompt_opened_it() -> None:
    message = form().read("<think>\n서울?\n</think>\n\n답은 3입니다.", [PROBE_TOOL])
    assert message == {"role": "assistant", "content": "답은 3입니다.", "reasoning_content": "서울?"}
    opened = form().read("서울?\n</think>답은 3입니다.", [PROBE_TOOL], prompt="<|im_start|>assistant\n<think>\n")
    assert opened == message
    cut = form().read("답은 아마 3", [PROBE_TOOL], prompt="<|im_start|>assistant\n<think>\n")
    assert cut == {"role": "assistant", "content": "", "reasoning_content": "답은 아마 3"}


def test_a_template_that_ignores_tools_stops_with_its_name_and_the_way_out() -> None:
    with pytest.raises(TemplateError, match=r"^tiny cannot carry tool calls: .*--tool-prompt") as caught:
        form(tiny_chat.NO_TOOLS)
    assert "the tool's name appears 0 times instead of once" in str(caught.value)


def test_our_own_prompt_is_used_only_where_the_template_fails_and_is_declared() -> None:
    assert not form(tool_prompt=True).tool_prompt
    described = form(tiny_chat.NO_TOOLS, tool_prompt=True)
    assert described.settings == {"tool_prompt": True, "reader": "own"}
    text = described.render(PROBE, [PROBE_TOOL])
    assert text.startswith("<|im_start|>system\nYou can call functions.")
    assert text.count("<tool_response>\n") == 3
    assert text.endswith("<|im_start|>assistant\n")
    # the results of calls made together are one turn
    assert text.count("<|im_start|>user") == 3


def test_a_template_that_refuses_a_system_message_gets_its_text_in_the_first_question() -> None:
    strict = "{% if messages[0].role == 'system' %}{{ raise_exception('no system role') }}{% endif %}"
    described = form(strict + tiny_chat.NO_TOOLS, tool_prompt=True)
    messages = [{"role": "system", "content": "지침"}, {"role": "user", "content": "질문"}]
    assert described.render(messages, []) == "<|im_start|>user\n지침\n\n질문<|im_end|>\n<|im_start|>assistant\n"
    assert without_system([{"role": "system", "content": "지침"}]) == [{"role": "user", "content": "지침"}]


def test_plain_messages_hold_the_same_calls_and_results() -> None:
    plain = plain_messages(PROBE, [PROBE_TOOL])
    assert [message["role"] for message in plain] == ["system", "user", "assistant", "user", "assistant", "user"]
    turn = classify_turn(plain[4]["content"], [PROBE_TOOL])
    assert [arguments for _, arguments in turn.calls] == [
        call["function"]["arguments"] for call in PROBE[3]["tool_calls"]
    ]


def test_arguments_go_as_text_where_the_template_wants_text() -> None:
    wanting = tiny_chat.CHATML.replace(
        '{{ {"name": call.function.name, "arguments": call.function.arguments} | tojson }}',
        """{{ '{"name": "' + call.function.name + '", "arguments": ' + call.function.arguments + '}' }}""",
    )
    assert form(wanting).arguments == "text"


def test_calls_of_one_turn_are_written_one_by_one_where_the_template_keeps_only_the_first() -> None:
    single = tiny_chat.CHATML.replace("message.tool_calls or []", "(message.tool_calls or [])[:1]")
    found = form(single)
    assert not found.at_once
    text = found.render(PROBE, [PROBE_TOOL])
    places = [text.index(part) for part in ("부산광역시", "삼백이십", "제주특별", "육십칠만")]
    assert places == sorted(places)


@pytest.mark.parametrize(
    ("broken", "what"),
    [
        (lambda t: t.replace("| tojson }}\n</tool_call>", "| tojson(ensure_ascii=True) }}\n</tool_call>"), "Hangul"),
        pytest.param(
            lambda t: t.replace('"arguments": call.function.arguments', '"arguments": call.function.arguments | tojson'),
            "does not read back",
            marks=pytest.mark.slow,  # TRL is asked whether it can read the calls, and imported for it
        ),
        (lambda t: t.replace("{{ message.content }}", "{{ message.content }}{{ message.content }}"), "2 times"),
        (lambda t: t.replace("{% for tool in tools %}{{ tool | tojson }}{% endfor %}", ""), "the tools are not shown"),
        (lambda t: "", "cannot carry tool calls: the tokenizer has none"),
    ],
)  # fmt: skip
def test_broken_templates_are_named_with_their_fault(broken: Any, what: str) -> None:
    changed = broken(tiny_chat.CHATML)
    assert changed != tiny_chat.CHATML
    with pytest.raises(TemplateError, match=what):
        form(changed)


TRAINERS = {
    "qwen2_5": (True, "own", False),
    "qwen3": (True, "own", False),
    "qwen3_5_think": (True, "own", False),
    "qwen3_8": (True, "own", False),
    "nemotron_3_nano": (True, "own", False),
    "llama3_1": (False, "own", True),
    "gptoss": (False, "response_template", False),
    "glm4moe": (True, "response_template", False),
    "gemma4": (True, "response_template", False),
    "lfm2_2_5": (True, "response_template", False),
    # these know no tools, or show none
    "llama3": None, "phi3": None, "gemma3": None, "cohere2": None, "deepseekv3": None,
}  # fmt: skip


@pytest.mark.slow
def test_templates_as_trainers_ship_them_are_carried_or_refused_as_they_are() -> None:
    trl = pytest.importorskip("trl")
    folder = Path(trl.__file__).parent / "chat_templates"
    tried = 0
    for name, wanted in TRAINERS.items():
        path = folder / f"{name}.jinja"
        if not path.exists():
            continue
        template = path.read_text(encoding="utf-8")
        tried += 1
        if wanted is None:
            with pytest.raises(TemplateError, match=r"^tiny cannot carry tool calls"):
                form(template)
            assert form(template, tool_prompt=True).tool_prompt, name
            continue
        found = form(template, tool_prompt=True)
        assert (found.at_once, found.reader, found.bare) == wanted, name
        _reads_what_it_wrote(found)
    assert tried >= 10


def _reads_what_it_wrote(found: ChatFormat) -> None:
    """The last turn of the probe with calls, as generated text: calls come back, and cut short they do not."""
    messages = PROBE[:2]
    before, after = (found.render(messages[:n], [PROBE_TOOL], open_turn=False) for n in (1, 2))
    text = after[len(before) :] if found.reader == "own" else found.generated(after)
    turn = classify_turn(found.read(text, [PROBE_TOOL]), [PROBE_TOOL])
    assert (turn.outcome, turn.wrong_channel) == ("called", False), found.name
    cut = text[: text.index("서울특별시견본") + 3]
    assert classify_turn(found.read(cut, [PROBE_TOOL]), [PROBE_TOOL]).outcome == "unparsable", (found, cut)
