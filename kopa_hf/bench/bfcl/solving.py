"""A chat model works through an entry: one answer for a single turn, calls and results in a loop for several.

The protocol is the leaderboard's: a turn ends with the first message that holds no
readable call; a model that still calls after `MAX_STEPS` steps of one turn is stopped, and
what it did so far is its result.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from kopa_hf.agent.call_text import visible_text
from kopa_hf.agent.models import ChatModel, Message, ModelError
from kopa_hf.bench.asking import Solved
from kopa_hf.bench.bfcl.backends import ApiCall, Apis
from kopa_hf.bench.bfcl.categories import is_multi_turn
from kopa_hf.bench.bfcl.decoding import DecodeError
from kopa_hf.bench.bfcl.docs import hinted, tool_schemas
from kopa_hf.bench.bfcl.entries import Entry
from kopa_hf.bench.bfcl.prompts import MORE_FUNCTIONS, more_functions, results_message, with_system
from kopa_hf.bench.bfcl.scoring import Mode, Step, api_calls

MAX_STEPS: Final = 20


async def solve(entry: Entry, model: ChatModel, mode: Mode, root: Path | None = None) -> Solved:
    """Let a model answer an entry. `root`: where `bfcl_eval` lies, for multi-turn entries.

    Raises `ModelError` where the server fails; that is no wrong answer.
    """
    talk = _Talk(entry, model, mode)
    if not is_multi_turn(entry.category):
        talk.hear(entry.turns[0])
        return Solved(await talk.step(), talk.notes)
    if root is None:
        raise ValueError("multi-turn entries need the folder of the simulated APIs")
    apis = Apis.of(entry, root)
    result: list[list[Step]] = []
    for number, messages in enumerate(entry.turns):
        held_back = entry.held_back.get(number)
        if held_back is not None:
            talk.offer(held_back)
        else:
            talk.hear(messages)
        steps: list[Step] = []
        result.append(steps)
        try:
            going_on = await _turn(talk, apis, steps)
        except ModelError as error:
            if error.kind == "context" and talk.asked:
                return Solved(result, (*talk.notes, "context"))
            raise
        if not going_on:
            return Solved(result, (*talk.notes, "step_limit"))
    return Solved(result, talk.notes)


def completion_prompt(entry: Entry) -> str:
    """The first turn in prompting mode as one text, for models that are given text instead of messages."""
    told = with_system(entry.turns[0], hinted(entry.functions, entry.language))
    if [message["role"] for message in told] == ["system", "user"]:
        return "\n\n".join(str(message["content"]) for message in told)
    return "\n\n".join([told[0]["content"], *(f"{message['role']}: {message['content']}" for message in told[1:])])


async def _turn(talk: _Talk, apis: Apis, steps: list[Step]) -> bool:
    """One turn, its steps appended as they come; False where the model had to be stopped."""
    while True:
        step = await talk.step()
        steps.append(step)
        try:
            calls = api_calls(step, talk.mode)
        except DecodeError:
            return True
        if not calls:
            return True
        talk.answer(calls, apis.execute(calls))
        if len(steps) > MAX_STEPS:
            return False


@dataclass(slots=True)
class _Talk:
    """A conversation in one of the two modes."""

    entry: Entry
    model: ChatModel
    mode: Mode
    messages: list[Message] = field(default_factory=list)
    tools: list[dict[str, Any]] = field(default_factory=list)
    asked: int = 0
    notes: tuple[str, ...] = ()
    _ids: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        if self.mode == "fc":
            self.tools = tool_schemas(self.entry.functions, self.entry.language)

    def hear(self, messages: Sequence[Mapping[str, Any]]) -> None:
        """What the user says next."""
        if self.mode == "prompt" and not self.messages:
            functions = hinted(self.entry.functions, self.entry.language)
            self.messages = with_system(messages, functions)
        else:
            self.messages += [dict(message) for message in messages]

    def offer(self, functions: Sequence[Mapping[str, Any]]) -> None:
        """Functions that were held back until now."""
        if self.mode == "fc":
            self.tools += tool_schemas(functions, self.entry.language, hints=False)
            self.messages.append({"role": "user", "content": MORE_FUNCTIONS})
        else:
            self.messages.append({"role": "user", "content": more_functions(functions)})

    async def step(self) -> Step:
        """The model's next message, kept in the conversation."""
        reply = await self.model.complete(self.messages, self.tools)
        self.asked += 1
        self.notes = ("token_budget",) if reply.get("finish_reason") == "length" else ()
        content = reply.get("content")
        text = visible_text(content) if isinstance(content, str) else ""
        calls = _issued(reply) if self.mode == "fc" else []
        said: Message = {"role": "assistant", "content": text}
        if calls:
            self._ids = [call["id"] for call in calls]
            said["tool_calls"] = [{**call, "function": _readable(call["function"])} for call in calls]
        self.messages.append(said)
        return [{call["function"]["name"]: call["function"]["arguments"]} for call in calls] or text

    def answer(self, calls: Sequence[ApiCall], results: Sequence[str]) -> None:
        """Results of the last step's calls."""
        if self.mode == "prompt":
            self.messages.append({"role": "user", "content": results_message(calls, results)})
            return
        self.messages += [
            {"role": "tool", "tool_call_id": number, "name": call.name, "content": result}
            for number, call, result in zip(self._ids, calls, results, strict=True)
        ]


def _issued(reply: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Calls of the call channel with ids, and arguments as text; what names no function is passed over."""
    calls = []
    for number, call in enumerate(reply.get("tool_calls") or ()):
        function = call.get("function") if isinstance(call, Mapping) else None
        if isinstance(function, Mapping) and isinstance(function.get("name"), str):
            arguments = function.get("arguments")
            text = arguments if isinstance(arguments, str) else json.dumps(arguments, ensure_ascii=False)
            identity = call.get("id") or f"call_{number}"
            calls.append(
                {"id": identity, "type": "function", "function": {"name": function["name"], "arguments": text}}
            )
    return calls


def _readable(function: Mapping[str, Any]) -> dict[str, Any]:
    """Arguments as an object, which chat templates want; text that is none stays visible under a name of its own."""
    try:
        arguments = json.loads(function["arguments"])
    except ValueError:
        arguments = None
    return {
        **function,
        "arguments": arguments if isinstance(arguments, dict) else {"unreadable": function["arguments"]},
    }
