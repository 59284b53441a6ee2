"""Tool calls written into model text: the wrappers in use, and what only looks like a call.

A wrapper must be closed and whole. Whatever resembles a call without being one
raises, so that it can never pass for an answer without calls.
"""

from __future__ import annotations

import ast
import json
import re
import warnings
from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Any, Final

from kopa_hf.agent.argument_text import ArgumentTextError, parse_json
from kopa_hf.agent.call_shapes import JSON_ARGUMENTS, broken_rest, call_like, inside_fence, opens_object

MAX_TEXT: Final = 200_000
"""Characters beyond which a text is not searched for calls."""
MAX_TRIES: Final = 200
"""Opening braces in prose that are tried as the start of a call; bounds the work on hostile text."""


class CallTextError(ValueError):
    """Call-like text that yields no call."""


@dataclass(frozen=True, slots=True)
class TextCall:
    """One call as written."""

    name: str
    arguments: dict[str, Any] | None
    """None: no arguments were written at all."""
    untyped: bool = False
    """Every value is text as written (XML style) and still has to become its parameter's type."""


@dataclass(frozen=True, slots=True)
class FoundCalls:
    """What a text holds."""

    calls: list[TextCall] = field(default_factory=list)
    wrapped: bool = True
    """False: written without a wrapper (bare JSON, Python style)."""


_SPECIAL: Final = re.compile(
    r"<\|(?:im_end|endoftext|eot_id|eom_id|end_of_text|begin_of_text|end|return)\|>|</s>|\[\|endofturn\|\]"
    r"|<\|im_start\|>\s*assistant|<\|start_header_id\|>\s*assistant\s*<\|end_header_id\|>"
)
_THINKING: Final = re.compile(r"<(think|thinking|thought)>.*?(?:</\1>|\Z)", re.DOTALL)
_TAG: Final = re.compile(r"</?(?:think|thinking|thought)>")
_THOUGHT_END: Final = re.compile(r"\A.*</(?:think|thinking|thought)>", re.DOTALL)
_CALL_LIKE: Final = re.compile(
    r"</?\|?/?tool_calls?\b|<｜tool|<\|tool_calls?|</?function(?:_calls?)?[=\s>]|</?parameter[=\s>]|</?invoke\b"
    r"|\[/?TOOL_CALLS\]|\[ARGS\]|<\|python_tag\|>|<\|call\|>|\bto=functions\.|assistant to=\w"
    r"|</?tool_use\b|</?\w{1,20}:(?:function_calls?|invoke|parameter|tool_calls?)\b|</?arg_(?:key|value)>",
    re.IGNORECASE,
)
_NAME: Final = re.compile(r"[^\s<>\[\]{}()\"'=,]{1,128}")
_DECODER: Final = json.JSONDecoder()


def visible_text(text: str) -> str:
    """The text without thinking blocks and control tokens; an unclosed thinking block hides the rest."""
    text = _THINKING.sub("", text)
    text = _THOUGHT_END.sub("", text)  # templates may open the block in the prompt
    return _SPECIAL.sub("", text).strip()


def split_thinking(text: str) -> tuple[str, str]:
    """(what the thinking blocks say, visible text)."""
    visible = visible_text(text)
    thoughts = [match[0] for match in _THINKING.finditer(text)]
    opened = _THOUGHT_END.search(_THINKING.sub("", text))
    if opened is not None:
        thoughts.insert(0, opened[0])
    return "\n".join(filter(None, (_TAG.sub("", thought).strip() for thought in thoughts))), visible


def before_calls(text: str) -> str:
    """The prose before the first call of visible text; empty where the calls have no wrapper."""
    marker = _CALL_LIKE.search(text)
    return text[: marker.start()].strip() if marker else ""


def find_calls(text: str, offered: Collection[str]) -> FoundCalls:
    """Every call in visible text. Raises `CallTextError` for text that is call-like but no call."""
    if len(text) > MAX_TEXT:
        if _CALL_LIKE.search(text) or call_like(text, offered):
            raise CallTextError("the text is too long to be read for calls")
        return FoundCalls()
    if _CALL_LIKE.search(text):
        return FoundCalls(_wrapped_calls(text, offered))
    bare = _bare_calls(text, offered)
    if bare:
        return FoundCalls(bare, wrapped=False)
    _require_prose(call_like(text, offered))
    return FoundCalls()


def _require_prose(broken: str) -> None:
    if broken:
        raise CallTextError(broken)


# wrappers


def _wrapped_calls(text: str, offered: Collection[str]) -> list[TextCall]:
    """Scan from wrapper to wrapper; between and behind them only prose may stand."""
    calls: list[TextCall] = []
    at = 0
    while marker := _CALL_LIKE.search(text, at):
        start = marker.start()
        if text.startswith("<tool_call>", start):
            call, at = _tag(text, start + len("<tool_call>"), "</tool_call>")
            calls.append(call)
        elif text.startswith("<function=", start):
            call, at = _function(text, start)
            calls.append(call)
        elif text.startswith("<|python_tag|>", start):
            found, at = _python_tag(text, start + len("<|python_tag|>"))
            calls += found
        elif text.startswith("[TOOL_CALLS]", start):
            found, at = _tool_calls_mark(text, start + len("[TOOL_CALLS]"))
            calls += found
        else:
            raise CallTextError(f"{text[start : start + 40]!r} begins or ends no known call wrapper")
    _require_prose(broken_rest(text[at:], offered))
    return calls


def _tag(text: str, at: int, closing: str) -> tuple[TextCall, int]:
    """One call inside a pair of tags: JSON, or the XML style."""
    at = _blank(text, at)
    if text.startswith("<function=", at):
        call, at = _function(text, at)
    elif text.startswith("{", at):
        value, at = _json(text, at)
        call = _call_of(value)
    else:
        raise CallTextError(f"a call wrapper holds {text[at : at + 30]!r} instead of a call")
    at = _blank(text, at)
    if not text.startswith(closing, at):
        what = f"goes on with {text[at : at + 30]!r}" if at < len(text) else "is not closed"
        raise CallTextError(f"the call wrapper {what}; {closing} is missing")
    return call, at + len(closing)


def _function(text: str, at: int) -> tuple[TextCall, int]:
    """`<function=NAME>` with `<parameter=KEY>` parts or one JSON object, up to `</function>`."""
    end = text.find(">", at)
    name = text[at + len("<function=") : end].strip().strip("\"'") if end >= 0 else ""
    if not _NAME.fullmatch(name):
        raise CallTextError("<function=…> names no function")
    at = _blank(text, end + 1)
    if text.startswith("{", at):
        value, at = _json(text, at)
        return TextCall(name, value), _closing(text, at, "</function>")
    arguments: dict[str, Any] = {}
    while text.startswith("<parameter=", at):
        end = text.find(">", at)
        stop = text.find("</parameter>", at)
        key = text[at + len("<parameter=") : end].strip().strip("\"'") if 0 <= end < stop else ""
        if not _NAME.fullmatch(key) or key in arguments:
            raise CallTextError(f"a parameter of {name} is not closed, has no name, or stands twice")
        value = text[end + 1 : stop]
        if "<parameter=" in value or "<function=" in value:
            raise CallTextError(f"parameter {key} of {name} is not closed")
        arguments[key] = value.removeprefix("\n").removesuffix("\n")
        at = _blank(text, stop + len("</parameter>"))
    return TextCall(name, arguments or None, untyped=True), _closing(text, at, "</function>")


def _closing(text: str, at: int, tag: str) -> int:
    at = _blank(text, at)
    if not text.startswith(tag, at):
        raise CallTextError(f"{tag} is missing")
    return at + len(tag)


def _python_tag(text: str, at: int) -> tuple[list[TextCall], int]:
    """JSON calls behind the tag, several separated by `;`; nothing else may follow."""
    calls: list[TextCall] = []
    while True:
        value, at = _json(text, _blank(text, at))
        calls.append(_call_of(value))
        at = _blank(text, at)
        if not text.startswith(";", at):
            break
        at += 1
    if at < len(text):
        raise CallTextError(f"text follows the call: {text[at : at + 30]!r}")
    return calls, at


def _tool_calls_mark(text: str, at: int) -> tuple[list[TextCall], int]:
    """A JSON list of calls, or `NAME[ARGS]{…}` with an optional `[CALL_ID]…` between."""
    at = _blank(text, at)
    if text.startswith("[", at):
        value, at = _json(text, at)
        if not value:
            raise CallTextError("the list of calls is empty")
        return [_call_of(item) for item in value], at
    head = re.compile(r"([^\s\[\]{}]{1,128})(?:\[CALL_ID\][^\s\[\]{}]*)?(?:\[ARGS\])?\s*(?=\{)").match(text, at)
    if head is None:
        raise CallTextError("no call follows [TOOL_CALLS]")
    value, at = _json(text, head.end())
    return [TextCall(head[1], value)], at


# calls without a wrapper


def _bare_calls(text: str, offered: Collection[str]) -> list[TextCall]:
    whole = inside_fence(text)
    if whole[:1] in ("{", "["):
        value = _json_or_none(whole)
        calls = _calls_of_any(value, offered) if value is not None else []
        if calls:
            return calls
    pythonic = _python_calls(whole, offered)
    if pythonic:
        return pythonic
    return _embedded_calls(text, offered) if JSON_ARGUMENTS.search(text) else []


def _json_or_none(text: str) -> Any:
    try:
        return parse_json(text)
    except ArgumentTextError:
        return None


def _calls_of_any(value: Any, offered: Collection[str]) -> list[TextCall]:
    """Calls in a whole JSON text: one, a list of them, or an object around `tool_calls`."""
    if isinstance(value, dict) and isinstance(value.get("tool_calls"), list):
        value = value["tool_calls"]
    items = value if isinstance(value, list) else [value]
    if not items or not all(_is_call(item, offered) for item in items):
        return []
    return [_call_of(item) for item in items]


def _is_call(value: Any, offered: Collection[str]) -> bool:
    """An object with name and arguments; without arguments only where the name is an offered tool's."""
    if not isinstance(value, dict):
        return False
    value = value["function"] if isinstance(value.get("function"), dict) else value
    name = value.get("name")
    return isinstance(name, str) and ("arguments" in value or "parameters" in value or name in offered)


def _embedded_calls(text: str, offered: Collection[str]) -> list[TextCall]:
    """Whole JSON calls inside prose; a broken one, beside them too, raises."""
    calls: list[TextCall] = []
    at = failures = behind = 0
    first, broken = len(text), False
    while failures < MAX_TRIES and (at := text.find("{", at)) >= 0:
        try:
            value, end = _DECODER.raw_decode(text, at)
        except (ValueError, RecursionError):
            broken = broken or opens_object(text, at)
            at, failures = at + 1, failures + 1
            continue
        if _is_call(value, ()):
            strict, end = _json(text, at)
            calls.append(_call_of(strict))
            first, behind = min(first, at), end
        at = end
    if calls:
        if broken or (text[:first].rstrip().endswith("[") and "]" not in text[behind:]):
            raise CallTextError("beside whole calls stands one that is broken, or their list is cut short")
        _require_prose(call_like(text[behind:], offered))
    return calls


def _python_calls(text: str, offered: Collection[str]) -> list[TextCall]:
    """`name(key=value)` or a list of such, where the name is offered and nothing else is said."""
    head = re.match(r"\[?\s*([A-Za-z_]\w*)\s*\(", text)
    if head is None or head[1] not in offered:
        return []
    if not text.endswith((")", "]")):
        if text.count("(") > text.count(")"):
            raise CallTextError("the call in Python style is cut short")
        return []  # prose that begins with a tool's name
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # an odd escape in a model's text is no matter for the user
            body = ast.parse(text, mode="eval").body
        nodes = body.elts if isinstance(body, ast.List) else [body]
        return [_python_call(node) for node in nodes]
    except (SyntaxError, TypeError, ValueError, RecursionError, MemoryError) as error:
        raise CallTextError(f"the call in Python style cannot be read: {error}") from error


def _python_call(node: ast.expr) -> TextCall:
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name) or node.args:
        raise CallTextError("a call in Python style takes named arguments only")
    arguments: dict[str, Any] = {}
    for keyword in node.keywords:
        if keyword.arg is None or keyword.arg in arguments:
            raise CallTextError("a call in Python style takes each argument once, by name")
        arguments[keyword.arg] = ast.literal_eval(keyword.value)
    plain = _json_or_none(json.dumps(arguments, ensure_ascii=False))
    if plain is None:
        raise CallTextError("an argument in Python style has no JSON form")
    return TextCall(node.func.id, plain or None)


# parts


def _blank(text: str, at: int) -> int:
    while at < len(text) and text[at].isspace():
        at += 1
    return at


def _json(text: str, at: int) -> tuple[Any, int]:
    """(strict JSON value that begins at `at`, position behind it)."""
    try:
        _, end = _DECODER.raw_decode(text, at)
    except (ValueError, RecursionError) as error:
        raise CallTextError(f"the call's JSON is broken or cut short: {error}") from error
    try:
        return parse_json(text[at:end]), end
    except ArgumentTextError as error:
        raise CallTextError(str(error)) from error


def _call_of(value: Any) -> TextCall:
    """A call from its JSON object; `parameters` is Llama's word for `arguments`."""
    if isinstance(value, dict) and isinstance(value.get("function"), dict):
        value = value["function"]
    name = value.get("name") if isinstance(value, dict) else None
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        raise CallTextError("a call has no name")
    key = "arguments" if "arguments" in value else "parameters"
    if key not in value:
        return TextCall(name, None)
    arguments = value[key]
    if not isinstance(arguments, dict):
        raise CallTextError(f"the arguments of {name} are no JSON object")
    return TextCall(name, arguments)
