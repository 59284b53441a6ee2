"""A tool as one line of a catalog file: the inverse of `registry.tool_from_dict`."""

from __future__ import annotations

import dataclasses
import json
from typing import Any

from kopa_hf.catalog.tool import Tool


def tool_line(tool: Tool) -> str:
    """One JSON object; what is as the record's defaults have it is left out."""
    return json.dumps(_told(tool), ensure_ascii=False, separators=(",", ":"))


def _told(record: Any) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for field in dataclasses.fields(record):
        value = getattr(record, field.name)
        if field.default is not dataclasses.MISSING and value == field.default:
            continue
        found[field.name] = _value(value)
    return found


def _value(value: Any) -> Any:
    if dataclasses.is_dataclass(value):
        return _told(value)
    return [_value(item) for item in value] if isinstance(value, tuple) else value
