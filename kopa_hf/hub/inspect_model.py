"""A model that Inspect runs, as our loops ask it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from inspect_ai.model import ChatMessageAssistant, ChatMessageTool, ChatMessageUser, get_model
from inspect_ai.tool import ToolInfo, ToolParams

from kopa_hf.agent.models import Message
from kopa_hf.bench.inspect_log import said


class InspectModel:
    """The model under evaluation as our loop asks it; keeps the conversation in Inspect's own messages."""

    def __init__(self) -> None:
        self.messages: list[Any] = []
        self.output: Any = None
        self._seen = 0

    async def complete(self, messages: Sequence[Message], tools: Sequence[Mapping[str, Any]]) -> Message:
        """One turn. Its message is sent back as it came, reasoning included; only its results are ours."""
        for message in messages[self._seen :]:
            self._add(message)
        self._seen = len(messages)
        self.output = await get_model().generate(self.messages, tools=[_tool_info(tool) for tool in tools])
        reply = self.output.message
        self.messages.append(reply)
        self._seen += 1
        return {"role": "assistant", "content": reply.text, "tool_calls": [_issued(c) for c in reply.tool_calls or ()]}

    def _add(self, message: Message) -> None:
        if message["role"] == "tool":
            call = message["tool_call_id"]
            self.messages.append(
                ChatMessageTool(content=message["content"], tool_call_id=call, function=message["name"])
            )
        elif message["role"] == "assistant":
            self.messages.append(ChatMessageAssistant(content=message["content"]))
        elif message["role"] == "user":
            self.messages.append(ChatMessageUser(content=message["content"]))
        else:
            self.messages.append(said(message))


def _issued(call: Any) -> Message:
    # a call that Inspect could not parse goes on as text that nobody can parse, so that it is answered with an error
    arguments = call.arguments if call.parse_error is None else f"<{call.parse_error}>"
    return {"id": call.id, "type": "function", "function": {"name": call.function, "arguments": arguments}}


def _tool_info(schema: Mapping[str, Any]) -> ToolInfo:
    function = schema["function"]
    parameters = ToolParams.model_validate(function.get("parameters") or {})
    return ToolInfo(name=function["name"], description=function["description"], parameters=parameters)
