"""Tools in plain messages, for models whose chat template knows none.

The format is ours and never a model's own: the tools' JSON schemas stand in the
system message, calls and results in the tags that open tool-calling models have
in common. A score reached through it says so (`tool_prompt` in its settings).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from kopa_hf.agent.models import Message
from kopa_hf.agent.trimming import dump

TOOL_PROMPT: Final = """\
You can call functions. Their signatures stand inside <tools></tools>, one JSON object a line:
<tools>
{tools}
</tools>
To call a function, write one JSON object with its name and its arguments inside <tool_call></tool_call>:
<tool_call>
{{"name": "function name", "arguments": {{"parameter name": "value"}}}}
</tool_call>
Write several such blocks to make several calls at once. The results come back inside <tool_response></tool_response>.
When no further call is needed, answer in plain text without any block."""


def plain_messages(messages: Sequence[Mapping[str, Any]], tools: Sequence[Mapping[str, Any]]) -> list[Message]:
    """The conversation in the roles system, user and assistant only; nothing but `content` carries meaning."""
    plain: list[Message] = []
    for message in messages:
        role, content = message["role"], message.get("content") or ""
        if role == "tool":
            role, content = "user", f"<tool_response>\n{content}\n</tool_response>"
        elif message.get("tool_calls"):
            content = "\n".join([*([content] if content else []), *map(_block, message["tool_calls"])])
        # results of calls made together are one turn: templates want the roles to alternate
        if plain and plain[-1]["role"] == role:
            plain[-1]["content"] += f"\n{content}"
        else:
            plain.append({"role": role, "content": content})
    return _introduced(plain, tools) if tools else plain


def _introduced(plain: list[Message], tools: Sequence[Mapping[str, Any]]) -> list[Message]:
    shown = TOOL_PROMPT.format(tools="\n".join(dump(tool.get("function", tool)) for tool in tools))
    if plain and plain[0]["role"] == "system":
        return [{"role": "system", "content": f"{plain[0]['content']}\n\n{shown}"}, *plain[1:]]
    return [{"role": "system", "content": shown}, *plain]


def without_system(messages: Sequence[Message]) -> list[Message]:
    """The system text at the head of the first user message, for templates that refuse a system role."""
    if not messages or messages[0]["role"] != "system":
        return list(messages)
    system, *others = messages
    for at, message in enumerate(others):
        if message["role"] == "user":
            joined = {**message, "content": f"{system['content']}\n\n{message['content']}"}
            return [*others[:at], joined, *others[at + 1 :]]
    return [{"role": "user", "content": system["content"]}, *others]


def _block(call: Mapping[str, Any]) -> str:
    function = call["function"]
    return f"<tool_call>\n{dump({'name': function['name'], 'arguments': function['arguments']})}\n</tool_call>"
