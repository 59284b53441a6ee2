"""The argument text of a tool call: one JSON object, or a failure that says what broke and where.

Broken text is never repaired and never read as `{}`.
"""

from __future__ import annotations

import json
from typing import Any, NoReturn


class ArgumentTextError(ValueError):
    """The text is no JSON object."""


def parse_arguments(text: str) -> dict[str, Any]:
    """The object in `text`. Raises `ArgumentTextError` with the kind of break and its position."""
    value = parse_json(text)
    if isinstance(value, dict):
        return value
    if isinstance(value, str):
        raise ArgumentTextError("the arguments are a text that holds the object; send the object itself")
    raise ArgumentTextError(f"the arguments are {kind_of(value)}, not a JSON object")


def parse_json(text: str) -> Any:
    """Strict JSON: no repeated key, no NaN, no half characters. Raises `ArgumentTextError`."""
    if not text.strip():
        raise ArgumentTextError("the argument text is empty")
    try:
        value = json.loads(text, object_pairs_hook=_unique, parse_constant=_no_constant)
    except json.JSONDecodeError as error:
        near = text[max(error.pos - 12, 0) : error.pos + 12]
        raise ArgumentTextError(f"not JSON at character {error.pos + 1}: {error.msg} (near {near!r})") from error
    except RecursionError as error:
        raise ArgumentTextError("the arguments are nested too deeply") from error
    except ArgumentTextError:
        raise
    except ValueError as error:
        raise ArgumentTextError("a number in the arguments has too many digits") from error
    check_unicode(value)
    return value


def check_unicode(value: Any) -> None:
    """Raise where `value` holds a lone surrogate or a number without end, which no file or request can carry."""
    try:
        # 1e999 reads as infinity, which no log could carry as JSON
        json.dumps(value, ensure_ascii=False, allow_nan=False).encode("utf-8")
    except UnicodeEncodeError as error:
        raise ArgumentTextError("a text in the arguments holds half a character (a lone surrogate)") from error
    except (TypeError, ValueError, RecursionError) as error:
        raise ArgumentTextError(f"the arguments have no JSON form: {error}") from error


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) < len(pairs):
        names = [name for name, _ in pairs]
        repeated = next(name for name in names if names.count(name) > 1)
        raise ArgumentTextError(f"the key {repeated!r} stands twice")
    return value


def _no_constant(name: str) -> NoReturn:
    raise ArgumentTextError(f"{name} is no JSON value")


def kind_of(value: Any) -> str:
    """What a value that is no object is, in JSON's words."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    return {list: "a list", int: "a number", float: "a number"}.get(type(value), type(value).__name__)
