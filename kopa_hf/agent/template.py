"""A probe of chat templates: does a call survive being rendered?

Templates were seen to drop calls, to crash on them, to write arguments as a
text inside a text, to escape Hangul, and to ignore the tools. Run the probe
before any training or evaluation that renders conversations locally.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from kopa_hf.agent.turns import Turn, classify_turn
from kopa_hf.errors import KopaError

Render = Callable[[Sequence[Mapping[str, Any]], Sequence[Mapping[str, Any]]], str]
"""(messages, tools) → text; e.g. `lambda m, t: tokenizer.apply_chat_template(m, tools=t, tokenize=False)`."""
Read = Callable[[str], Turn]
"""An assistant turn as it stands in the rendered text → what it is."""

UNREAD: Final = "the rendered call does not read back as the same object"
"""Begins the problem of a turn that is written well, as far as the other problems tell, in a form nobody reads."""
_NAME: Final = "get_probe_population"
_KEY: Final = "sido_probe"
_ABOUT: Final = "견본 인구를 조회한다."
_VALUES: Final = ("서울특별시견본", "부산광역시견본", "제주특별자치도견본")
_RESULTS: Final = ("견본결과구백사십만", "견본결과삼백이십만", "견본결과육십칠만")
_QUESTION: Final = "견본질문"
_REMARK: Final = "견본머리말"

PROBE_TOOL: Final[dict[str, Any]] = {
    "type": "function",
    "function": {
        "name": _NAME,
        "description": _ABOUT,
        "parameters": {
            "type": "object",
            "properties": {
                _KEY: {"type": "string"},
                "year_probe": {"type": "integer"},
                "words_probe": {"type": "string"},
            },
            "required": [_KEY],
        },
    },
}


def _call(index: int) -> dict[str, Any]:
    # a quoted word, a sign of markup and a number: what careless templates break beside Hangul
    arguments = {_KEY: _VALUES[index], "year_probe": 2019 + index, "words_probe": '"가" & <나>'}
    return {
        "id": f"probe000{index}",
        "type": "function",
        "function": {"name": _NAME, "arguments": arguments},
    }


def _result(index: int) -> dict[str, Any]:
    content = '{"value":"' + _RESULTS[index] + '"}'
    return {"role": "tool", "tool_call_id": f"probe000{index}", "name": _NAME, "content": content}


def _says(content: str, *indices: int) -> dict[str, Any]:
    return {"role": "assistant", "content": content, "tool_calls": [_call(index) for index in indices]}


PROBE: Final[tuple[dict[str, Any], ...]] = (
    {"role": "user", "content": _QUESTION},
    _says("", 0),
    _result(0),
    # two calls of one turn, behind a remark: templates were seen that keep one call, or the remark instead of them
    _says(_REMARK, 1, 2),
    _result(1),
    _result(2),
)
_ONE_BY_ONE: Final = (*PROBE[:3], _says(_REMARK, 1), _result(1), _says("", 2), _result(2))


class TemplateError(KopaError):
    """A chat template loses or changes tool calls; `problems` lists how."""

    def __init__(self, problems: Sequence[str], template: str = "This chat template") -> None:
        self.problems = tuple(problems)
        super().__init__(
            f"{template} cannot carry tool calls: " + "; ".join(problems) + ". Use a template made for tool calls."
        )


@dataclass(frozen=True, slots=True)
class Carried:
    """How a template that passed the probe carries calls."""

    parallel: bool
    """False: it takes one call per turn only; calls of one turn must be rendered one after the other."""
    bare: bool
    """True: its own form of a call has no wrapper (Llama's JSON), so such text is no wrong channel."""


def check_template(
    render: Render, *, read: Read | None = None, name: str = "This chat template", at_once: bool = True
) -> Carried:
    """Raise `TemplateError` unless calls and results come out of a template as they went in.

    Each call's name, key and Hangul value must appear exactly once and unescaped, each
    turn must read back as the same objects, each result must appear once, and the tools
    must be shown. A template that refuses two calls in one turn passes with single ones;
    one that silently loses the second does not, unless `at_once` is False: the caller
    then never renders two calls in one turn.

    Args:
        render: Opens no assistant turn.
        read: How a rendered turn is read back; default: `classify_turn` on raw text.
        name: What the message calls the template.
        at_once: Whether several calls of one turn are rendered together.
    """
    problems: list[str] = []
    conversations = ((True, PROBE), (False, _ONE_BY_ONE))
    for parallel, conversation in conversations if at_once else conversations[1:]:
        try:
            turns = list(_turns(render, conversation, read or _read))
        except TemplateError:
            raise
        except Exception as error:  # noqa: BLE001 - templates are foreign code; whatever they raise is the finding
            problems.append(f"rendering a call fails with {type(error).__name__}: {error}")
            continue
        found = [problem for turn in turns for problem in turn.problems] + _whole(render, conversation)
        if found:
            raise TemplateError(list(dict.fromkeys(found)), name)
        return Carried(parallel, bare=any(turn.read.wrong_channel for turn in turns))
    raise TemplateError(problems[:1], name)


@dataclass(frozen=True, slots=True)
class _Seen:
    """One rendered turn with calls: how it reads, and what is wrong with it."""

    read: Turn
    problems: list[str]


def _turns(render: Render, conversation: Sequence[Mapping[str, Any]], read: Read) -> Iterator[_Seen]:
    """Every turn with calls, rendered as the conversation's last."""
    for at, message in enumerate(conversation):
        if "tool_calls" not in message:
            continue
        before, called = (render(conversation[:end], [PROBE_TOOL]) for end in (at, at + 1))
        functions = [call["function"] for call in message["tool_calls"]]
        expected = [(_NAME, len(functions), "tool's name"), (_KEY, len(functions), "argument's key")]
        expected += [(function["arguments"][_KEY], 1, "argument's Hangul value") for function in functions]
        problems = []
        for text, times, what in expected:
            seen = called.count(text) - before.count(text)
            if seen != times:
                wanted = "once" if times == 1 else f"{times} times"
                problems.append(f"the {what} appears {seen} times instead of {wanted}")
        turn = read(_tail(before, called, conversation[at - 1]["content"]))
        if turn.calls != [(function["name"], function["arguments"]) for function in functions]:
            problems.append(f"{UNREAD} ({turn.reason})")
        yield _Seen(turn, problems)


def _whole(render: Render, conversation: Sequence[Mapping[str, Any]]) -> list[str]:
    """What is lost or doubled where calls and results lie further back, and whether the tools are shown."""
    text = render(conversation, [PROBE_TOOL])
    wanted = [(value, "an argument's Hangul value") for value in _VALUES] + [(r, "the tool's result") for r in _RESULTS]
    problems = [
        f"{what} appears {text.count(part)} times instead of once in the whole conversation"
        for part, what in wanted
        if text.count(part) != 1
    ]
    if text.count(_ABOUT) == 0:
        problems.append("the tools are not shown: a description in Hangul does not appear")
    return problems


def _tail(before: str, called: str, last: str) -> str:
    """The turn as it was added; behind the last message where the template rewrites what lies before."""
    return called[len(before) :] if called.startswith(before) else called.rpartition(last)[2]


def _read(text: str) -> Turn:
    return classify_turn(text, [PROBE_TOOL])
