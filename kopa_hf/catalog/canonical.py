"""One text per request: equal where a service would answer alike, and never with a key in it."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any, Final

from kopa_hf.catalog.registry import load_catalog
from kopa_hf.catalog.tool import Parameter, Tool
from kopa_hf.errors import UnknownToolError
from kopa_hf.values import ValueFailure
from kopa_hf.values.formats import to_wire
from kopa_hf.values.text import normalize_text

KEY_NAMES: Final = re.compile(
    r"(?i)^(crtfc_key|auth_?key|(service|api|access|secret)_?key|key|token|serviceKey|authApiKey|oc)$"
)
"""Names under which services take keys; such arguments never enter a canonical request."""
_DATE: Final = re.compile(r"(?:19|20)\d{2}[-./]?\d{2}[-./]?\d{2}")


def canonical_request(tool_name: str, arguments: Mapping[str, Any]) -> str:
    """`name` and its arguments as canonical JSON: sorted, in normal form, defaults left out. Never raises.

    For a name that the catalog lacks, values alone decide: dates in any accepted spelling, 60 = "60",
    "01" ≠ "1", NFC.
    """
    try:
        tool: Tool | None = load_catalog().get(tool_name)
    except (UnknownToolError, TypeError):
        tool = None
    normal: dict[str, Any] = {}
    for name, value in dict(arguments).items() if isinstance(arguments, Mapping) else ():
        text = str(name)
        if value is None or KEY_NAMES.match(text):
            continue
        parameter = tool.parameter(text) if tool is not None else None
        if parameter is not None and parameter.role in ("key", "format"):
            continue
        form = _normal(value, parameter)
        if tool is not None and form == _default(tool, parameter):
            continue
        normal[normalize_text(text)] = form
    return json.dumps([str(tool_name), normal], ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def _normal(value: Any, parameter: Parameter | None) -> Any:
    if isinstance(value, Mapping):
        return {str(key): _normal(item, None) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_normal(item, None) for item in value]
    if isinstance(value, bool):
        return value
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if parameter is not None and parameter.format is not None:
        try:
            return to_wire(value, parameter.format)
        except ValueFailure:
            pass
    text = normalize_text(str(value))
    if parameter is None and _DATE.fullmatch(text):
        try:
            return to_wire(text, "YYYYMMDD")
        except ValueFailure:
            return text
    return text


def _default(tool: Tool, parameter: Parameter | None) -> str | None:
    if parameter is None:
        return None
    if parameter.default is not None:
        return parameter.default
    if tool.paging is not None and parameter.name == tool.paging.page:
        return "1"
    if tool.paging is not None and parameter.name == tool.paging.size:
        return str(tool.paging.default_size)
    return None
