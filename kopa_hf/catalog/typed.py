"""Values that are not plain text: how they travel as text, and how they come back.

Our ten platforms take text only. Imported services take booleans, lists and objects too; between the check of
arguments and the wire adapter these stand as canonical JSON text, so that requests stay comparable.
"""

from __future__ import annotations

import json
from functools import lru_cache
from typing import Any, Final

from kopa_hf.catalog.tool import Parameter
from kopa_hf.values import ValueFailure
from kopa_hf.values.formats import to_wire

STRUCTURED: Final = frozenset({"boolean", "array", "object"})
"""Parameter types whose values no text format describes."""
_KINDS: Final[dict[str, type]] = {"array": list, "object": dict}
_WORDS: Final = {"array": "a list", "object": "an object"}
_write: Final = json.JSONEncoder(ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False).encode


def structured_text(parameter: Parameter, value: Any) -> str:
    """A boolean, list or object as canonical JSON text. A list under a `separator` becomes the joined text.

    Raises `ValueFailure` for a value of another type; text that is such a value counts as one.
    """
    if parameter.type == "boolean":
        text = str(value).strip().lower()
        if not isinstance(value, bool | str) or text not in ("true", "false"):
            raise ValueFailure(f"expected true or false, got {_named(value)}")
        return text
    if parameter.separator is not None:
        return _joined(parameter, value, parameter.separator)
    if isinstance(value, str):
        value = _read(parameter, value)
    if not isinstance(value, _KINDS[parameter.type]):
        raise ValueFailure(f"expected {_WORDS[parameter.type]}, got {_named(value)}")
    try:
        return _write(value)
    except (ValueError, TypeError, RecursionError) as error:
        raise ValueFailure(f"cannot be written as JSON ({error})") from error


def typed_value(parameter: Parameter, text: str) -> Any:
    """The value that a bound text stands for: JSON of the parameter's type, or the text itself.

    A text that was joined from a list under a `separator` stays text: the service takes it so.
    """
    if parameter.type == "string" or (parameter.separator is not None and parameter.type == "array"):
        return text
    if parameter.type == "integer":
        return int(text)
    if parameter.type == "number":
        return float(text) if "." in text else int(text)
    return json.loads(text)


def listed_values(parameter: Parameter, text: str) -> list[Any]:
    """The values that a text stands for which was joined from a list, of the type that the list holds."""
    kind = _item_type(parameter.schema)
    parts = [part for part in text.split(parameter.separator) if part]
    if kind == "boolean":
        return [part == "true" for part in parts]
    if kind in ("integer", "number"):
        return [float(part) if "." in part else int(part) for part in parts]
    return list(parts)


def _joined(parameter: Parameter, value: Any, separator: str) -> str:
    parts = value.split(separator) if isinstance(value, str) else value
    if not isinstance(parts, list) or not all(isinstance(p, str | int | float) for p in parts):
        raise ValueFailure(f"expected a list of values or text joined with {separator!r}, got {_named(value)}")
    kind = _item_type(parameter.schema)
    if kind != "string":
        parts = [part for part in parts if not isinstance(part, str) or part.strip()]
    texts = [_item_text(part, kind, parameter.format) for part in parts]
    if any(separator in text for text in texts):
        raise ValueFailure(f"a value holds {separator!r}, which separates values")
    return separator.join(text for text in texts if text)


def _item_text(part: Any, kind: str, format: str | None) -> str:
    """One value of a joined list, checked against what the list holds."""
    if kind == "boolean":
        text = str(part).strip().lower()
        if not isinstance(part, bool | str) or text not in ("true", "false"):
            raise ValueFailure(f"expected true or false in the list, got {str(part)[:40]!r}")
        return text
    if kind in ("integer", "number"):
        return to_wire(part, format or kind)
    return str(part).lower() if isinstance(part, bool) else to_wire(part, format)


@lru_cache(maxsize=4096)
def _item_type(schema: str | None) -> str:
    """The type of a list's values; text where no schema says."""
    items = json.loads(schema).get("items") if schema else None
    kind = items.get("type") if isinstance(items, dict) else None
    return kind if isinstance(kind, str) else "string"


def _read(parameter: Parameter, text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        raise ValueFailure(f"expected {_WORDS[parameter.type]}, got text that is no JSON") from None


def _named(value: Any) -> str:
    return type(value).__name__
