"""Service keys: one normal form on the way out, no trace of them on the way in.

Portals hand out the same key in a percent-encoded and in a decoded form, and
users paste either. A key is therefore decoded first and encoded once.
"""

from __future__ import annotations

import dataclasses
import re
from functools import lru_cache
from typing import Any, Final
from urllib.parse import quote, quote_plus, unquote

from kopa_hf.errors import BackendError
from kopa_hf.platforms.base import Answer

MASK: Final = "***"
_ESCAPE = re.compile(r"%[0-9A-Fa-f]{2}")
_LONG: Final = 8
"""From this length on a key cannot be an ordinary word and is masked inside words too."""


def plain_key(key: str) -> str:
    """The decoded form of a key, for headers and bodies.

    Raises `BackendError` (which does not show the key) when it holds blanks, control
    or non-ASCII characters: such a key was pasted wrongly and breaks header lines.
    """
    key = _decoded(key)
    if not key.isascii() or not key.isprintable() or " " in key:
        raise BackendError(
            "A service key holds blanks, control or non-ASCII characters. Copy it again from the provider's portal."
        )
    return key


def _decoded(key: str) -> str:
    """Undo percent-encoding, however often it was applied."""
    key = key.strip()
    while _ESCAPE.search(key) and (decoded := unquote(key)) != key:
        key = decoded
    return key


@lru_cache(maxsize=256)
def encoded_key(key: str) -> str:
    """The form that stands in an address: percent-encoded exactly once."""
    return quote(plain_key(key), safe="")


@lru_cache(maxsize=256)
def key_forms(key: str) -> tuple[str, ...]:
    """Every spelling in which a service may echo a key, longest first."""
    raw = key.strip()
    decoded = _decoded(key)
    encoded = quote(decoded, safe="")
    forms = {raw, decoded, encoded, quote_plus(decoded, safe="/"), quote(encoded, safe=""), decoded.replace("/", "\\/")}
    forms.add(decoded.replace("+", " "))
    forms |= {_ESCAPE.sub(lambda match: match.group().lower(), form) for form in forms}
    return tuple(sorted((form for form in forms if form), key=len, reverse=True))


def redact(text: str, key: str | None) -> str:
    """`text` with every spelling of `key` masked; short keys only where they stand alone."""
    if not key or not text:
        return text
    for pattern in _patterns(key):
        text = pattern.sub(MASK, text)
    return text


@lru_cache(maxsize=256)
def _patterns(key: str) -> tuple[re.Pattern[str], ...]:
    """What every spelling of a key is found by, longest first."""
    return tuple(
        # some services answer in one case whatever came
        re.compile(re.escape(form), re.IGNORECASE)
        if len(form) >= _LONG
        # Korean particles follow a word without a blank, so only Latin letters and digits make it another word
        else re.compile(rf"(?<![0-9A-Za-z_]){re.escape(form)}(?![0-9A-Za-z_])")
        for form in key_forms(key)
    )


def echoes_key(body: bytes, key: str | None) -> bool:
    """True where a body holds a key in any spelling: a cheap test before `redact_answer`."""
    return bool(key) and any(form.encode("utf-8", "ignore") in body for form in key_forms(key or ""))


def redact_answer(answer: Answer, key: str | None) -> Answer:
    """An answer without the key in its message and records."""
    if not key:
        return answer
    message = redact(answer.message, key) if answer.message else answer.message
    records = [_redact_value(record, key) for record in answer.records]
    return dataclasses.replace(answer, message=message, records=records)


def _redact_value(value: Any, key: str) -> Any:
    if isinstance(value, str):
        return redact(value, key)
    if isinstance(value, dict):
        return {redact(str(name), key): _redact_value(item, key) for name, item in value.items()}
    if isinstance(value, list):
        return [_redact_value(item, key) for item in value]
    return value
