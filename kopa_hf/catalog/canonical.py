"""One text per request: equal where a service would answer alike, and never with a key in it."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any, Final

from kopa_hf.catalog.arguments import wire_text
from kopa_hf.catalog.registry import load_catalog
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
    name = _text(tool_name)
    tool = _find(name)
    normal: dict[str, Any] = {}
    for given, value in _items(arguments):
        argument = _text(given)
        parameter = tool.parameter(argument) if tool is not None else None
        if parameter is None and KEY_NAMES.fullmatch(argument):
            continue
        if parameter is not None and parameter.role in ("key", "format"):
            continue
        form = _normal(value, parameter, 0)
        if form is None or (parameter is not None and form in ("", _default(tool, parameter))):
            continue
        normal[argument] = form
    return json.dumps([name, normal], ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def _find(name: str) -> Tool | None:
    catalog = load_catalog()
    # Asked first, because a failed look-up spends its time on suggestions.
    return catalog.get(name) if name in catalog else None


def _items(arguments: object) -> list[tuple[object, object]]:
    return list(arguments.items()) if isinstance(arguments, Mapping) else []


def _normal(value: object, parameter: Parameter | None, depth: int) -> Any:
    """Text, None, or lists and objects of these."""
    if value is None:
        return None
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
    folded = fold(text)
    if _DAY.fullmatch(folded):
        try:
            return read_date(folded).strftime("%Y%m%d")
        except ValueFailure:
            return text
    return text


def _text(value: object) -> str:
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


def _default(tool: Tool | None, parameter: Parameter) -> str | None:
    """What the service assumes when the parameter is left out; None: nothing known."""
    if parameter.default is not None or tool is None or tool.paging is None:
        return parameter.default
    if parameter.name == tool.paging.page and tool.paging.style == "page":
        return "1"
    return str(tool.paging.default_size) if parameter.name == tool.paging.size else None
