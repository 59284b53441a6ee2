"""The probe of chat templates."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from kopa_hf.agent.template import PROBE, TemplateError, check_template

Call = Callable[[Mapping[str, Any]], str]


def renderer(call: Call, *, results: bool = True) -> Any:
    """A ChatML template whose calls are written by `call`."""

    def render(messages: Sequence[Mapping[str, Any]], tools: Sequence[Mapping[str, Any]]) -> str:
        lines = [f"<|im_start|>system\n{json.dumps(list(tools), ensure_ascii=False)}<|im_end|>"]
        for message in messages:
            body = message["content"] if message["role"] != "tool" or results else ""
            body += "".join(call(made["function"]) for made in message.get("tool_calls", ()))
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
    check_template(renderer(call))


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
        (renderer(lambda f: hermes(f) * 2), "appears 2 times"),
        (renderer(hermes, results=False), "the tool's result appears 0 times"),
        (renderer(lambda f: hermes(f).removesuffix("</tool_call>")), "is not closed"),
    ],
)
def test_a_template_that_loses_or_changes_calls_is_refused_with_the_reason(render: Any, what: str) -> None:
    with pytest.raises(TemplateError) as caught:
        check_template(render)
    assert what in str(caught.value)


def test_the_probe_itself_is_an_ordinary_conversation() -> None:
    assert [message["role"] for message in PROBE] == ["user", "assistant", "tool"]


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

        check_template(render)


def test_a_template_that_knows_no_tools_is_refused() -> None:
    def render(messages: Sequence[Mapping[str, Any]], tools: Any) -> str:
        return "".join(f"<{m['role']}>{m['content']}" for m in messages if m["role"] != "tool")

    with pytest.raises(TemplateError, match="the tool's name appears 0 times"):
        check_template(render)
