"""JavaScript values written as text, read as the official converter reads them (bfcl-eval 2026.3.23, Apache-2.0).

Text that is no value of the declared type stays text.
"""

from __future__ import annotations

import re
from typing import Any, Final

JS_TYPES: Final[dict[str, type]] = {
    "String": str, "integer": int, "float": float, "Bigint": int, "Boolean": bool, "dict": dict, "array": list, "any": str,
}  # fmt: skip

_INTEGER: Final = re.compile(r"^-?\d+$")
_FLOAT: Final = re.compile(r"^-?\d+(\.\d+)?$")
_BIGINT: Final = re.compile(r"^-?\d+n$")
_ARRAYS: Final = re.compile(r"\[\s*\[.*?\]\s*(,\s*\[.*?\]\s*)*\]|\bnew\s+Array\(\s*\[.*?\]\s*(,\s*\[.*?\]\s*)*\)")
_ARRAY: Final = re.compile(r"\[(.*?)\]|\bnew\s+Array\((.*?)\)")
_OBJECT: Final = re.compile(r"\{(.*?)\}")
_PAIR: Final = re.compile(r"([^:]+):\s*(.*?)(?:,\s*(?=[^,]+:)|$)")


def js_value(text: str, kind: str, inner: str | None = None) -> Any:
    """The Python value of JavaScript text under a declared type; `inner` is the element type of an array."""
    if kind == "String":
        return text[1:-1] if is_quoted(text) else text
    if kind == "integer":
        return int(text) if _INTEGER.match(text) else text
    if kind == "float":
        return float(text) if _FLOAT.match(text) else text
    if kind == "Bigint":
        return int(text[:-1]) if _BIGINT.match(text) else text
    if kind == "Boolean":
        return text == "true" if text in ("true", "false") else text
    if kind == "array":
        return _array(text.strip(), inner)
    if kind == "dict":
        return _object(text.strip())
    if kind == "any":
        return text
    raise ValueError(f"the official check has no {kind} of JavaScript")


def _array(text: str, inner: str | None) -> Any:
    match = _ARRAYS.match(text)
    if match is not None:
        rows = [row.strip() for row in re.findall(r"\[(.*?)\]", match[0])]
        if rows[0].startswith("["):
            rows[0] = rows[0][1:]
        return [[_untyped(item.strip()) for item in row.split(",")] for row in rows]
    match = _ARRAY.match(text)
    if match is None:
        return text
    content = (match[1] if match[1] is not None else match[2]).strip()
    items = [item.strip() for item in content.split(",")] if content else []
    if not inner:
        return [_untyped(item) for item in items]
    try:
        return [js_value(item, inner) for item in items]
    except ValueError:
        return text


def _object(text: str) -> Any:
    if text == "{}":
        return {}
    match = _OBJECT.match(text)
    return text if match is None else {k.strip().strip("'\""): _member(v.strip()) for k, v in _PAIR.findall(match[1])}


def _member(text: str) -> Any:
    if text.startswith("[") and text.endswith("]"):
        return _array(text, None)
    if text.startswith("{") and text.endswith("}"):
        return _object(text)
    return _untyped(text.strip("'\""))


def _untyped(text: str) -> Any:
    """A value whose type only its spelling tells."""
    text = text.strip()
    if text in ("true", "false"):
        return text == "true"
    if is_quoted(text):
        return text[1:-1]
    for read in (int, float):
        try:
            return read(text)
        except ValueError:
            continue
    return text


def is_quoted(text: str) -> bool:
    """Whether text begins and ends with one kind of quote; the official reader takes a lone quote for both."""
    return (text.startswith('"') and text.endswith('"')) or (text.startswith("'") and text.endswith("'"))
