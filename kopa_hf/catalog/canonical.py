"""One text per request: equal where a service would answer alike, and never with a key in it."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any, Final

from kopa_hf.catalog.active import active_catalog
from kopa_hf.catalog.arguments import wire_text
from kopa_hf.catalog.registry import Catalog
from kopa_hf.catalog.tool import Parameter, Tool
from kopa_hf.values import ValueFailure
from kopa_hf.values.date import fold, read_date
from kopa_hf.values.text import normalize_text

KEY_NAMES: Final = re.compile(
    r"(?i)(?:crtfc|auth|api|service|access|secret)_?(?:api)?_?key|key|token|access_?token|oc|authorization"
)
"""Names under which services take keys; such arguments never enter a canonical request."""

# Only what can be nothing but one day: a time beside the date makes another value.
_DAY: Final = re.compile(r"[\d년월일.\-/\s]{8,20}")
_DEPTH: Final = 20


def canonical_request(tool_name: str, arguments: Mapping[str, Any]) -> str:
    """A tool's name and arguments as canonical JSON: sorted, in normal form, defaults left out. Never raises.

    The signature's formats say what is equal. For a name that the catalog lacks, values alone
    decide: dates in any accepted spelling, 60 = "60", "01" ≠ "1", NFC.
    """
    return request_text(tool_name, normal_arguments(tool_name, arguments))


def normal_arguments(tool_name: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
    """What `canonical_request` keeps of the arguments: each in normal form, and none that says nothing.

    Every argument is judged alone, so requests can be compared argument by argument. Never raises.
    """
    signature = _signature(_text(tool_name))
    normal: dict[str, Any] = {}
    for given, value in _items(arguments):
        argument = given if type(given) is str and given in signature else _text(given)
        known = signature.get(argument)
        if known is None:
            if KEY_NAMES.fullmatch(argument):
                continue
            form = _normal(value, None, 0)
            if form is not None:
                normal[argument] = form
            continue
        if known.silent:
            continue
        form = normalize_text(value) if known.plain and type(value) is str else _normal(value, known.parameter, 0)
        if form is not None and form != "" and form != known.default:
            normal[argument] = form
    return normal


def request_text(tool_name: str, normal: Mapping[str, Any]) -> str:
    """The canonical text of a request whose arguments are `normal_arguments`."""
    return _write([_text(tool_name), normal])


# an encoder of its own: json.dumps builds one at every call
_write: Final = json.JSONEncoder(ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode


class _Known:
    """A parameter of the catalog, and what is asked of it at every call."""

    __slots__ = ("default", "parameter", "plain", "silent")

    def __init__(self, tool: Tool, parameter: Parameter) -> None:
        self.parameter = parameter
        self.silent = parameter.role in ("key", "format")
        self.plain = not (parameter.format or parameter.separator or parameter.enum)
        """Any text is as it is sent."""
        self.default = _default(tool, parameter)
        """What the service assumes without it."""


_Signature = dict[str, _Known]
_SIGNATURES: Final[dict[str, tuple[Catalog, _Signature]]] = {}


def _signature(name: str) -> _Signature:
    """Parameters by name; empty for a name that the catalog lacks."""
    catalog = active_catalog()
    kept = _SIGNATURES.get(name)
    # a catalog never changes, but another may have been loaded
    if kept is not None and kept[0] is catalog:
        return kept[1]
    # Asked first, because a failed look-up spends its time on suggestions.
    if name not in catalog:
        return {}
    tool = catalog.get(name)
    signature: _Signature = {}
    for parameter in tool.parameters:
        signature.setdefault(parameter.name, _Known(tool, parameter))
    _SIGNATURES[name] = (catalog, signature)
    return signature


def _items(arguments: object) -> list[tuple[object, object]]:
    return list(arguments.items()) if type(arguments) is dict or isinstance(arguments, Mapping) else []


def _normal(value: object, parameter: Parameter | None, depth: int) -> Any:
    """Text, None, or lists and objects of these."""
    if value is None:
        return None
    if type(value) is str and parameter is not None:
        try:
            return wire_text(parameter, value)
        except ValueFailure:
            return normalize_text(value)
    if depth > _DEPTH:
        return _text(value)
    if isinstance(value, Mapping):
        return {_text(key): _normal(item, None, depth + 1) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_normal(item, None, depth + 1) for item in value]
    if parameter is not None:
        try:
            return wire_text(parameter, value)
        except ValueFailure:
            return _text(value)
    text = _text(value)
    if not 8 <= len(text) <= 20:
        return text
    folded = fold(text)
    if _DAY.fullmatch(folded):
        try:
            return read_date(folded).strftime("%Y%m%d")
        except ValueFailure:
            return text
    return text


def _text(value: object) -> str:
    if type(value) is str:
        return normalize_text(value)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if isinstance(value, int):
        return f"{value:x}" if value.bit_length() > 10_000 else str(value)
    try:
        return normalize_text(str(value))
    except Exception:  # noqa: BLE001  # a foreign object's __str__ may raise anything
        return type(value).__name__


def _default(tool: Tool, parameter: Parameter) -> str | None:
    """What the service assumes when the parameter is left out; None: nothing known."""
    if parameter.default is not None or tool.paging is None:
        return parameter.default
    if parameter.name == tool.paging.page and tool.paging.style == "page":
        return str(tool.paging.first)
    if parameter.name == tool.paging.page and tool.paging.style == "offset":
        return "0"
    return str(tool.paging.default_size) if parameter.name == tool.paging.size else None
