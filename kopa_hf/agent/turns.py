"""What a model's turn is: calls, an answer without calls, a broken call, or nothing.

A call of a tool that is not offered is still `called`: the model did call, and
whoever executes it answers with the nearest offered names.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from kopa_hf.agent.argument_text import ArgumentTextError, check_unicode, parse_arguments, parse_json
from kopa_hf.agent.call_text import CallTextError, find_calls, visible_text

TurnOutcome = Literal["called", "abstained", "unparsable", "empty"]

_NUMERIC = ("integer", "number", "boolean", "array", "object", "null")


@dataclass(frozen=True, slots=True)
class Turn:
    """One turn of a model, classified."""

    outcome: TurnOutcome
    calls: list[tuple[str, dict[str, Any]]] = field(default_factory=list)
    """(name, arguments) in the order written; empty unless `called`."""
    wrong_channel: bool = False
    """True where the calls stand in the content: as text in a message, or without a wrapper in raw text."""
    reason: str = ""
    """Why: for `unparsable` what broke and where."""
    text: str = ""
    """The visible text, thinking and control tokens removed."""


def classify_turn(turn: Any, tools: Iterable[Any]) -> Turn:
    """Classify a turn: an OpenAI-style message or raw model text. Never raises.

    `tools` are the JSON schemas on offer. Missing or empty argument text is `{}`
    where the tool requires no parameter; one broken call makes the turn unparsable.
    """
    schemas = _schemas(tools)
    if turn is None:
        return Turn("empty", reason="no turn")
    if isinstance(turn, str):
        return _from_text(turn, schemas, raw=True)
    if not isinstance(turn, Mapping):
        return Turn("unparsable", reason=f"a {type(turn).__name__} is neither a message nor text")
    try:
        return _from_message(turn, schemas)
    except RecursionError:
        return Turn("unparsable", reason="the message is nested too deeply")


def _from_message(message: Mapping[str, Any], schemas: Mapping[str, Mapping[str, Any]]) -> Turn:
    text = _content_text(message.get("content"))
    calls = message.get("tool_calls")
    if calls is None or (isinstance(calls, list | tuple) and not calls):
        calls = [message["function_call"]] if message.get("function_call") is not None else None
    if calls is None:
        if text is None:
            return Turn("unparsable", reason="the content is neither text nor a list of parts")
        refusal = message.get("refusal")
        if not text.strip() and isinstance(refusal, str) and refusal.strip():
            return Turn("abstained", reason="the model refused", text=refusal.strip())
        return _from_text(text, schemas, raw=False)
    shown = visible_text(text or "")
    if not isinstance(calls, list | tuple):
        return Turn("unparsable", reason=f"tool_calls is a {type(calls).__name__}, not a list", text=shown)
    read: list[tuple[str, dict[str, Any]]] = []
    for number, call in enumerate(calls, start=1):
        try:
            read.append(_structured_call(call, schemas))
        except ValueError as error:
            return Turn("unparsable", reason=f"call {number}: {error}", text=shown)
    return Turn("called", read, reason="calls in the call channel", text=shown)


def _structured_call(call: Any, schemas: Mapping[str, Mapping[str, Any]]) -> tuple[str, dict[str, Any]]:
    function = call.get("function", call) if isinstance(call, Mapping) else None
    name = function.get("name") if isinstance(function, Mapping) else None
    if not isinstance(function, Mapping) or not isinstance(name, str) or not name.strip():
        raise CallTextError("it names no function")
    arguments = function.get("arguments")
    if isinstance(arguments, Mapping):
        given = dict(arguments)
        check_unicode(given)
        return name, given
    if arguments is None or (isinstance(arguments, str) and not arguments.strip()):
        return name, _nothing(name, schemas)
    if not isinstance(arguments, str):
        raise ArgumentTextError(f"the arguments are a {type(arguments).__name__}, not an object")
    return name, parse_arguments(arguments)


def _from_text(text: str, schemas: Mapping[str, Mapping[str, Any]], *, raw: bool) -> Turn:
    shown = visible_text(text)
    if not shown:
        return Turn("empty", reason="no visible text")
    try:
        found = find_calls(shown, schemas.keys())
        calls = [
            (
                call.name,
                _nothing(call.name, schemas)
                if call.arguments is None
                else _typed(call.arguments, schemas.get(call.name))
                if call.untyped
                else call.arguments,
            )
            for call in found.calls
        ]
    except ValueError as error:
        return Turn("unparsable", reason=str(error), text=shown)
    if not calls:
        return Turn("abstained", reason="text without a call", text=shown)
    right = raw and found.wrapped
    reason = "calls in the call channel" if right else "calls written into the content"
    return Turn("called", calls, wrong_channel=not right, reason=reason, text=shown)


def _nothing(name: str, schemas: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    """No argument text: an empty object, where the tool is offered and requires nothing."""
    schema = schemas.get(name)
    if schema is None or schema.get("required"):
        raise ArgumentTextError(f"{name} was called without arguments")
    return {}


def _typed(texts: Mapping[str, Any], schema: Mapping[str, Any] | None) -> dict[str, Any]:
    """Texts of the XML style in their parameters' types; a text that does not fit stays text and is refused later."""
    properties = schema.get("properties") if schema is not None else None
    typed: dict[str, Any] = {}
    for name, text in texts.items():
        declared = properties.get(name) if isinstance(properties, Mapping) else None
        kind = declared.get("type") if isinstance(declared, Mapping) else None
        kinds = kind if isinstance(kind, list) else [kind]
        typed[name] = _read(text) if any(k in _NUMERIC for k in kinds) and "string" not in kinds else text
    check_unicode(typed)
    return typed


def _read(text: str) -> Any:
    try:
        return parse_json(text)
    except ArgumentTextError:
        return text


def _content_text(content: Any) -> str | None:
    """Text of a content that is text or a list of parts; None where it is neither."""
    if content is None:
        return ""
    if isinstance(content, str):
        return content
    if not isinstance(content, Sequence) or isinstance(content, bytes | bytearray):
        return None
    parts = [part if isinstance(part, str) else _part_text(part) for part in content]
    return "".join(parts)


def _part_text(part: Any) -> str:
    text = part.get("text") if isinstance(part, Mapping) else None
    return text if isinstance(text, str) else ""


def _schemas(tools: Iterable[Any]) -> dict[str, Mapping[str, Any]]:
    """Tool name → JSON schema of its parameters; entries that are no tools are passed over."""
    schemas: dict[str, Mapping[str, Any]] = {}
    try:
        entries = list(tools)
    except TypeError:
        return schemas
    for tool in entries:
        if not isinstance(tool, Mapping):
            continue
        inner = tool.get("function")
        function = inner if isinstance(inner, Mapping) else tool
        name, parameters = function.get("name"), function.get("parameters")
        if isinstance(name, str):
            schemas[name] = parameters if isinstance(parameters, Mapping) else {}
    return schemas
