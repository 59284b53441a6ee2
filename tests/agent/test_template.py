"""The probe of chat templates."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from kopa_hf.agent.template import PROBE, TemplateError, check_template

Call = Callable[[Mapping[str, Any]], str]


def renderer(call: Call, *, results: int = 1, calls: int | None = None, tools: bool = True) -> Any:
    """A ChatML template whose calls are written by `call`, at most `calls` a turn, each result `results` times."""

    def render(messages: Sequence[Mapping[str, Any]], offered: Sequence[Mapping[str, Any]]) -> str:
        shown = json.dumps(list(offered), ensure_ascii=False) if tools else ""
        lines = [f"<|im_start|>system\n{shown}<|im_end|>"]
        for message in messages:
            body = message["content"] * (results if message["role"] == "tool" else 1)
            body += "".join(call(made["function"]) for made in message.get("tool_calls", ())[:calls])
            lines.append(f"<|im_start|>{message['role']}\n{body}<|im_end|>")
        return "\n".join(lines)

    return render


def hermes(function: Mapping[str, Any]) -> str:
    return f"<tool_call>\n{json.dumps(function, ensure_ascii=False)}\n</tool_call>"


def xml(function: Mapping[str, Any]) -> str:
    parts = "".join(f"<parameter={k}>\n{v}\n</parameter>\n" for k, v in function["arguments"].items())
    return f"<tool_call>\n<function={function['name']}>\n{parts}</function>\n</tool_call>"


def crashing(function: Mapping[str, Any]) -> str:
    raise KeyError("arguments")


@pytest.mark.parametrize("call", [hermes, xml])
def test_a_template_that_keeps_calls_passes(call: Call) -> None:
    carried = check_template(renderer(call))
    assert carried.parallel
    assert not carried.bare


@pytest.mark.parametrize(
    ("render", "what"),
    [
        (renderer(lambda function: ""), "the tool's name appears 0 times"),
        (renderer(crashing), "fails with KeyError"),
        (renderer(lambda f: f"<tool_call>{json.dumps(f)}</tool_call>"), "Hangul value appears 0 times"),
        (
            renderer(lambda f: hermes({**f, "arguments": json.dumps(f["arguments"], ensure_ascii=False)})),
            "does not read back as the same object",
        ),
        (renderer(lambda f: hermes(f).replace("&", "&amp;")), "does not read back as the same object"),
        (renderer(lambda f: hermes({**f, "arguments": {}})), "the argument's key appears 0 times"),
        (renderer(lambda f: hermes(f) * 2), "appears 2 times"),
        (renderer(hermes, results=0), "the tool's result appears 0 times"),
        (renderer(hermes, results=2), "the tool's result appears 2 times"),
        (renderer(hermes, calls=1), "the tool's name appears 1 times instead of 2 times"),
        (renderer(hermes, tools=False), "the tools are not shown"),
        (renderer(lambda f: hermes(f).removesuffix("</tool_call>")), "is not closed"),
    ],
)
def test_a_template_that_loses_or_changes_calls_is_refused_with_the_reason(render: Any, what: str) -> None:
    with pytest.raises(TemplateError, match=r"^This chat template cannot carry tool calls") as caught:
        check_template(render)
    assert what in str(caught.value)


def test_a_template_that_keeps_only_the_last_turns_is_refused() -> None:
    whole = renderer(hermes)
    with pytest.raises(TemplateError, match="appears 0 times instead of once in the whole conversation"):
        check_template(lambda messages, tools: whole(messages[-4:], tools))


def test_a_template_that_prefers_the_remark_to_the_calls_is_refused() -> None:
    whole = renderer(hermes)

    def render(messages: Sequence[Mapping[str, Any]], tools: Any) -> str:
        return whole([{**m, "tool_calls": []} if m.get("tool_calls") and m["content"] else m for m in messages], tools)

    with pytest.raises(TemplateError, match="the tool's name appears 0 times instead of 2 times"):
        check_template(render)


def test_a_template_that_refuses_several_calls_a_turn_passes_with_single_ones() -> None:
    whole = renderer(hermes)

    def render(messages: Sequence[Mapping[str, Any]], tools: Any) -> str:
        if any(len(message.get("tool_calls", ())) > 1 for message in messages):
            raise ValueError("one call a turn")
        return whole(messages, tools)

    assert not check_template(render).parallel


def test_a_template_that_keeps_one_of_several_calls_passes_for_who_sends_single_ones() -> None:
    assert not check_template(renderer(hermes, calls=1), at_once=False).parallel


def test_the_probe_itself_is_an_ordinary_conversation() -> None:
    assert [message["role"] for message in PROBE] == ["user", "assistant", "tool", "assistant", "tool", "tool"]


@pytest.mark.slow
def test_templates_of_qwen_and_llama_as_trainers_ship_them_pass() -> None:
    trl = pytest.importorskip("trl")
    utils = pytest.importorskip("transformers.utils.chat_template_utils")
    folder = Path(trl.__file__).parent / "chat_templates"
    names = ["qwen2_5", "qwen3", "qwen3_5_think", "llama3_1"]
    present = [folder / f"{name}.jinja" for name in names if (folder / f"{name}.jinja").exists()]
    assert present
    for path in present:
        template = path.read_text(encoding="utf-8")

        def render(messages: Any, tools: Any, template: str = template) -> str:
            tokens = {"bos_token": "<s>", "eos_token": "</s>"}
            texts = utils.render_jinja_template([list(messages)], tools=list(tools), chat_template=template, **tokens)
            return str(texts[0][0])

        carried = check_template(render)
        # Llama's template takes one call a turn, and its calls have no wrapper
        assert (carried.parallel, carried.bare) == ((False, True) if path.stem == "llama3_1" else (True, False))


def test_a_template_that_knows_no_tools_is_refused() -> None:
    def render(messages: Sequence[Mapping[str, Any]], tools: Any) -> str:
        return "".join(f"<{m['role']}>{m['content']}" for m in messages if m["role"] != "tool")

    with pytest.raises(TemplateError, match="the tool's name appears 0 times"):
        check_template(render)
