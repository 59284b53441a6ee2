"""Java values written as text, read as the official converter reads them (bfcl-eval 2026.3.23, Apache-2.0).

Text that is no value of the declared type stays text.
"""

from __future__ import annotations

import re
from typing import Any, Final

JAVA_TYPES: Final[dict[str, type]] = {
    "byte": int, "short": int, "integer": int, "float": float, "double": float, "long": int, "boolean": bool,
    "char": str, "Array": list, "ArrayList": list, "Set": set, "HashMap": dict, "Hashtable": dict, "Queue": list,
    "Stack": list, "String": str, "any": str,
}  # fmt: skip

_INTEGER: Final = re.compile(r"^-?\d+$")
_LONG: Final = re.compile(r"^-?\d+[lL]$")
_DOUBLE: Final = re.compile(r"^-?\d+(\.\d+)?([eE][+-]?\d+)?$")
_FLOAT: Final = re.compile(r"^-?\d+(\.\d+)?([eE][+-]?\d+)?[fF]$")
_ARRAY: Final = re.compile(r"new\s+\w+\[\]\s*\{(.*?)\}")
_AS_LIST: Final = re.compile(r"new\s+ArrayList<\w*>\(Arrays\.asList\((.+?)\)\)")
_ADDED: Final = re.compile(r"new\s+ArrayList<\w*>\(\)\s*\{\{\s*(.+?)\s*\}\}", re.DOTALL)
_EMPTY_LIST: Final = re.compile(r"new\s+ArrayList<\w*>\(\)")
_MAP: Final = re.compile(r"new\s+HashMap<.*?>\s*\(\)\s*\{\s*\{?\s*(.*?)\s*\}?\s*\}", re.DOTALL)
_EMPTY_MAP: Final = re.compile(r"new\s+HashMap<.*?>\s*\(\)")
_PUT: Final = re.compile(r"put\(\"(.*?)\",\s*(.*?)\)")
_ADD: Final = re.compile(r"add\((.+?)\)")


def java_value(text: str, kind: str, inner: str | None = None) -> Any:
    """The Python value of Java text under a declared type; `inner` is the element type of a collection."""
    if kind in ("byte", "short", "integer"):
        return int(text) if _INTEGER.match(text) else text
    if kind == "long":
        return int(re.sub(r"[lL]$", "", text)) if _LONG.match(text) else text
    if kind == "float":
        return float(re.sub(r"[fF]$", "", text)) if _FLOAT.match(text) else text
    if kind == "double":
        return float(text) if _DOUBLE.match(text) else text
    if kind == "boolean":
        return text == "true" if text in ("true", "false") else text
    if kind == "Array":
        return _array(text, inner)
    if kind == "ArrayList":
        return _array_list(text, inner)
    if kind == "HashMap":
        return _hash_map(text)
    if kind in ("char", "String", "any"):
        return text
    raise NotImplementedError(f"the official check has no {kind} of Java")


def _array(text: str, inner: str | None) -> Any:
    match = _ARRAY.search(text)
    if match is None:
        return text
    items = [item.strip() for item in match[1].split(",") if item.strip()]
    return [java_value(item, inner) if inner else _untyped(item) for item in items]


def _array_list(text: str, inner: str | None) -> Any:
    match = _AS_LIST.search(text)
    if match is not None:
        return [_element(item.strip(), inner) for item in match[1].split(",")]
    match = _ADDED.search(text)
    if match is not None:
        return [_element(item.strip(), inner) for item in _ADD.findall(match[1])]
    return [] if _EMPTY_LIST.search(text) else text


def _element(text: str, inner: str | None) -> Any:
    if inner in ("char", "String"):
        return text[1:-1]
    return java_value(text, inner) if inner else _untyped(text)


def _hash_map(text: str) -> Any:
    match = _MAP.search(text)
    if match is not None:
        return {key: _untyped(value.strip()) for key, value in _PUT.findall(match[1])} if match[1].strip() else {}
    return {} if _EMPTY_MAP.search(text) else text


def _untyped(text: str) -> Any:
    """A value whose type only its spelling tells."""
    if text in ("true", "false"):
        return text == "true"
    if text.startswith('"') and text.endswith('"'):
        return text[1:-1]
    if _LONG.match(text):
        return int(text[:-1])
    if _FLOAT.match(text):
        return float(re.sub(r"[fF]$", "", text))
    for read in (int, float):
        try:
            return read(text)
        except ValueError:
            continue
    return text
