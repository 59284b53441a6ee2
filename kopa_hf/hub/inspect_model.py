"""A model that Inspect runs, as our loops ask it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from inspect_ai.model import ChatMessageAssistant, ChatMessageTool, ChatMessageUser, get_model
from inspect_ai.tool import ToolInfo, ToolParams

from kopa_hf.agent.models import Message, ModelError
from kopa_hf.bench.inspect_log import said


class InspectModel:
    """The model under evaluation as our loop asks it; keeps the conversation in Inspect's own messages."""

    def __init__(self) -> None:
        self.messages: list[Any] = []
        self.output: Any = None
        self.turns = 0
        """Turns that the model took itself."""
        self._seen = 0

    async def complete(self, messages: Sequence[Message], tools: Sequence[Mapping[str, Any]]) -> Message:
        """One turn. Its message is sent back as it came, reasoning included; only its results are ours.

        Raises `ModelError` where the provider ended the turn and not the model.
        """
        for message in messages[self._seen :]:
            self._add(message)
        self._seen = len(messages)
        self.output = await get_model().generate(self.messages, tools=[_tool_info(tool) for tool in tools])
        reply = self.output.message
        self.messages.append(reply)
        self._seen += 1
        _check_whole(self.output)
        self.turns += 1
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


def _check_whole(output: Any) -> None:
    """Raise for a turn that is not the model's, whatever text there is of it.

    Inspect calls every reason "unknown" that it does not know, an engine's abort as well as a plain end by another
    name; so only one without anything said or called counts as broken off.
    """
    reason, said = output.stop_reason, output.message
    if reason == "content_filter":
        raise ModelError("filtered", "a filter of the provider withheld the turn (stop_reason 'content_filter')")
    if reason == "unknown" and not said.text.strip() and not said.tool_calls:
        raise ModelError("server", "the turn ended with nothing said (stop_reason 'unknown')")
    if reason == "model_length" and not (output.usage and output.usage.output_tokens):
        # its text is the provider's complaint
        raise ModelError("context", f"the conversation does not fit: {said.text[:300]}")


def _issued(call: Any) -> Message:
    # a call that Inspect could not parse goes on as text that nobody can parse, so that it is answered with an error
    arguments = call.arguments if call.parse_error is None else f"<{call.parse_error}>"
    return {"id": call.id, "type": "function", "function": {"name": call.function, "arguments": arguments}}


def _tool_info(schema: Mapping[str, Any]) -> ToolInfo:
    function = schema["function"]
    parameters = ToolParams.model_validate(function.get("parameters") or {})
    return ToolInfo(name=function["name"], description=function["description"], parameters=parameters)
