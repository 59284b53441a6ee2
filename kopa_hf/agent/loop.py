"""The tool-calling loop: ask the model, execute its calls, give the results back, until it answers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Literal

from kopa_hf.agent.models import ChatModel, Message
from kopa_hf.agent.session import Session
from kopa_hf.agent.trimming import dump
from kopa_hf.agent.turns import Turn, classify_turn

StopReason = Literal["answer", "empty", "unparsable", "budget", "max_turns"]

MAX_UNPARSABLE: Final = 3
"""Unreadable turns after which a run ends; each before it gets an error back."""
MAX_REFUSED: Final = 3
"""Turns of nothing but refused calls, once all allowed calls are used, after which a run ends."""
MAX_ANSWERED: Final = 64
"""Calls of one turn that are answered; each further one counts, but is neither executed nor shown."""


@dataclass(frozen=True, slots=True)
class AgentRun:
    """One finished conversation."""

    messages: list[Message]
    """The whole conversation, prompt included; every call has its tool message."""
    answer: str | None
    """Text of the final turn; None where the run ended without one."""
    stop: StopReason
    turns: list[Turn] = field(default_factory=list)
    """Every model turn as it was classified."""

    @property
    def unparsable(self) -> int:
        """Turns that were call-like but no call."""
        return sum(turn.outcome == "unparsable" for turn in self.turns)

    @property
    def wrong_channel(self) -> int:
        """Turns whose calls stood in the content."""
        return sum(turn.wrong_channel for turn in self.turns)


async def run_agent(
    model: ChatModel,
    prompt: Sequence[Message],
    tools: Sequence[Mapping[str, Any]],
    session: Session,
    *,
    max_turns: int = 30,
) -> AgentRun:
    """Drive a model until it answers without calling.

    All calls of one turn are one step, executed in the order written, at most
    `MAX_ANSWERED`. An unreadable turn is answered with what broke. A model that goes
    on calling after its last allowed call is stopped after `MAX_REFUSED` turns. Raises `ModelError` from the model; its run is
    no wrong answer.
    """
    messages: list[Message] = [dict(message) for message in prompt]
    turns: list[Turn] = []
    refused = 0
    step = max((call.step for call in session.calls), default=0)
    for _ in range(max_turns):
        reply = await model.complete(messages, tools)
        turn = classify_turn(reply, tools)
        turns.append(turn)
        if turn.outcome in ("abstained", "empty"):
            messages.append({"role": "assistant", "content": turn.text})
            stop: StopReason = "answer" if turn.outcome == "abstained" else "empty"
            return AgentRun(messages, turn.text or None, stop, turns)
        issued = _issued(reply, turn)
        if issued:
            step += 1
            refused += await _execute(issued, _head(reply, turn), session, messages, step)
            if refused >= MAX_REFUSED:
                return AgentRun(messages, None, "budget", turns)
        else:
            messages += [{"role": "assistant", "content": turn.text}, {"role": "user", "content": _explain(turn)}]
        if sum(t.outcome == "unparsable" for t in turns) >= MAX_UNPARSABLE:
            return AgentRun(messages, None, "unparsable", turns)
    return AgentRun(messages, None, "max_turns", turns)


@dataclass(frozen=True, slots=True)
class _Issued:
    """One call to hand to the session."""

    call_id: str | None
    name: str
    arguments: dict[str, Any] | str
    """Text where the model's text is broken; the session answers with what broke."""


def _issued(reply: Message, turn: Turn) -> list[_Issued]:
    """The calls of a turn with the model's own ids; a broken one among them is passed on as it is."""
    calls = reply.get("tool_calls")
    if isinstance(calls, list) and calls:
        issued = [_issued_one(call) for call in calls]
        return [call for call in issued if call is not None] if None not in issued else []
    return [_Issued(None, name, arguments) for name, arguments in turn.calls]


def _issued_one(call: Any) -> _Issued | None:
    """None where not even a name can be read."""
    function = call.get("function", call) if isinstance(call, Mapping) else None
    name = function.get("name") if isinstance(function, Mapping) else None
    if not isinstance(function, Mapping) or not isinstance(name, str):
        return None
    arguments, call_id = function.get("arguments"), call.get("id")
    if not isinstance(arguments, dict | str):
        arguments = "" if arguments is None else dump(arguments)
    return _Issued(call_id if isinstance(call_id, str) and call_id else None, name, arguments)


def _head(reply: Message, turn: Turn) -> Message:
    """The assistant message without its calls; thinking stays beside it, for templates that show it between calls."""
    head: Message = {"role": "assistant", "content": turn.text}
    reasoning = reply.get("reasoning_content")
    return {**head, "reasoning_content": reasoning} if isinstance(reasoning, str) and reasoning else head


async def _execute(
    issued: Sequence[_Issued], head: Message, session: Session, messages: list[Message], step: int
) -> bool:
    """Run one step and append the assistant message and one tool message per answered call, matched by id.

    Returns whether the calls were used up before it, so that the session refused all of it.
    """
    spent = session.spent
    shown, results = [], []
    for call in issued[:MAX_ANSWERED]:
        answer = await session.acall(call.name, call.arguments, call_id=call.call_id, step=step)
        call_id = session.calls[-1].call_id
        arguments = session.calls[-1].arguments
        # Templates want an object; text that is none stays visible to the model under a name of its own.
        readable = arguments if isinstance(arguments, dict) else {"unreadable": arguments[:500]}
        function = {"name": call.name, "arguments": readable}
        shown.append({"id": call_id, "type": "function", "function": function})
        results.append({"role": "tool", "tool_call_id": call_id, "name": call.name, "content": answer})
    messages.append({**head, "tool_calls": shown})
    messages.extend(results)
    for call in issued[MAX_ANSWERED:]:
        session.refuse(call.name, call.arguments, step=step)
    return spent


def _explain(turn: Turn) -> str:
    error = {"outcome": "unparsable", "message": turn.reason, "hint": "Send the call again, or answer in plain text."}
    return dump({"error": error})
