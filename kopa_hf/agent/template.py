"""A probe of chat templates: does a call survive being rendered?

Templates were seen to drop calls, to crash on them, to write arguments as a
text inside a text, and to escape Hangul. Run the probe before any training or
evaluation that renders conversations locally.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from kopa_hf.agent.turns import classify_turn
from kopa_hf.errors import KopaError

Render = Callable[[Sequence[Mapping[str, Any]], Sequence[Mapping[str, Any]]], str]
"""(messages, tools) → text; e.g. `lambda m, t: tokenizer.apply_chat_template(m, tools=t, tokenize=False)`."""

_NAME: Final = "get_probe_population"
_KEY: Final = "sido_probe"
_VALUE: Final = "서울특별시견본"
_RESULT: Final = "견본결과구백사십만"
_QUESTION: Final = "견본질문"

PROBE_TOOL: Final[dict[str, Any]] = {
    "type": "function",
    "function": {
        "name": _NAME,
        "description": "인구를 조회한다.",
        "parameters": {"type": "object", "properties": {_KEY: {"type": "string"}}, "required": [_KEY]},
    },
}
PROBE: Final[tuple[dict[str, Any], ...]] = (
    {"role": "user", "content": _QUESTION},
    {
        "role": "assistant",
        "content": "",
        "tool_calls": [
            {"id": "probe0001", "type": "function", "function": {"name": _NAME, "arguments": {_KEY: _VALUE}}}
        ],
    },
    {"role": "tool", "tool_call_id": "probe0001", "name": _NAME, "content": '{"value":"' + _RESULT + '"}'},
)


class TemplateError(KopaError):
    """A chat template loses or changes tool calls; `problems` lists how."""

    def __init__(self, problems: Sequence[str]) -> None:
        self.problems = tuple(problems)
        super().__init__(
            "This chat template cannot carry tool calls: "
            + "; ".join(problems)
            + ". Use a template made for tool calls."
        )


def check_template(render: Render) -> None:
    """Raise `TemplateError` unless a call's name, key, Hangul value and result each come out once, as they were."""
    try:
        before, called, answered = (render(PROBE[:count], [PROBE_TOOL]) for count in (1, 2, 3))
    except Exception as error:  # templates are foreign code; whatever they raise is the finding
        raise TemplateError([f"rendering a call fails with {type(error).__name__}: {error}"]) from error
    problems = [
        f"the {what} appears {called.count(text) - before.count(text)} times instead of once"
        for what, text in (("tool's name", _NAME), ("argument's key", _KEY), ("argument's Hangul value", _VALUE))
        if called.count(text) - before.count(text) != 1
    ]
    if answered.count(_RESULT) != 1:
        problems.append(f"the tool's result appears {answered.count(_RESULT)} times instead of once")
    turn = classify_turn(called.rpartition(_QUESTION)[2], [PROBE_TOOL])
    if turn.calls != [(_NAME, {_KEY: _VALUE})]:
        problems.append(f"the rendered call does not read back as the same object ({turn.reason})")
    if problems:
        raise TemplateError(problems)
