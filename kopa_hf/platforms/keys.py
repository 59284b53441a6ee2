"""Service keys: one normal form on the way out, no trace of them on the way in.

Portals hand out the same key in a percent-encoded and in a decoded form, and
users paste either. A key is therefore decoded first and encoded once.
"""

from __future__ import annotations

import base64
import dataclasses
import html
import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Any, Final
from urllib.parse import quote, quote_plus, unquote

from kopa_hf.errors import BackendError
from kopa_hf.platforms.base import Answer

MASK: Final = "***"
Hidden = str | tuple[str, ...] | None
"""What must not show: one key, several secrets (longest first), or nothing."""
_ESCAPE = re.compile(r"%[0-9A-Fa-f]{2}")
_LONG: Final = 8
"""From this length on a key cannot be an ordinary word and is masked inside words too."""
_NUMBERED: Final = re.compile(r"(?:\\+(?:u00|x)|%(?:25)*)([2-7][0-9A-Fa-f])")
"""A printable ASCII character by its number: in JSON and JavaScript (escaped twice as well), or percent-encoded."""
_QUOTED: Final = re.compile(r"\\+([^\w\s\\])", re.ASCII)
"""A sign behind backslashes, as JSON writes some."""
_ROUNDS: Final = 4
"""Escapes inside escapes that are undone."""


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
    if ":" in decoded:  # user and password, as a header carries them, and the password alone
        forms.add(base64.b64encode(decoded.encode("utf-8")).decode("ascii"))
        forms |= {password for password in (decoded.partition(":")[2],) if len(password) >= _LONG}
    forms |= {_ESCAPE.sub(lambda match: match.group().lower(), form) for form in forms}
    return tuple(sorted((form for form in forms if form), key=len, reverse=True))


def redact(text: str, key: Hidden) -> str:
    """`text` with every spelling of `key` masked; short keys only where they stand alone."""
    if not key or not text:
        return text
    folded = _folded(text)
    for one in _each(key):
        for form, pattern in _patterns(one):
            if form is None or form in folded:
                text = pattern.sub(MASK, text)
    return text


def redact_pieces(pieces: Sequence[str], key: Hidden) -> list[str]:
    """Texts that follow one another, without a key that begins in one and goes on in the next: `redact` sees none of it.

    The mask stands where the key began.
    """
    joined = "".join(pieces)
    folded = _folded(joined) if key and len(pieces) > 1 else ""
    found: list[tuple[int, int]] = []
    for one in _each(key) if folded else ():
        for form, pattern in _patterns(one):
            if form is None or form in folded:
                found += [match.span() for match in pattern.finditer(joined)]
    spans: list[tuple[int, int]] = []
    for first, last in sorted(found):
        if spans and first < spans[-1][1]:
            first, last = spans[-1][0], max(last, spans.pop()[1])
        spans.append((first, last))
    left: list[str] = []
    start = 0
    for piece in pieces:
        end, at, kept = start + len(piece), start, ""
        for first, last in spans:
            if first < end and last > start and not (start <= first and last <= end):
                kept += joined[at : max(first, start)] + (MASK if start <= first else "")
                at = min(last, end)
        left.append(kept + joined[at:end])
        start = end
    return left


def _folded(text: str) -> str:
    """What forms are sought in before the slow search that knows all of case: four signs count as i, s or k there."""
    return (text if text.isascii() else text.replace("İ", "i").replace("ı", "i").replace("ſ", "s")).lower()


def _each(key: Hidden) -> tuple[str, ...]:
    if not key:
        return ()
    return (key,) if isinstance(key, str) else key


@lru_cache(maxsize=256)
def _patterns(key: str) -> tuple[tuple[str | None, re.Pattern[str]], ...]:
    """(what must stand in the folded text, what finds it) of every spelling of a key, longest first."""
    return tuple(
        (
            form.lower() if form.isascii() else None,
            # some services answer in one case whatever came
            re.compile(re.escape(form), re.IGNORECASE)
            if len(form) >= _LONG
            # Korean particles follow a word without a blank, so only Latin letters and digits make it another word
            else re.compile(rf"(?<![0-9A-Za-z_]){re.escape(form)}(?![0-9A-Za-z_])"),
        )
        for form in key_forms(key)
    )


def spellings(text: str) -> tuple[str, ...]:
    """`text` as it is and with its escapes undone: JSON's, those of XML and HTML, percent-encoding, one in another."""
    found = [text]
    for _ in range(_ROUNDS):
        last = found[-1]
        undone = html.unescape(last) if "&" in last else last
        if "\\" in undone or "%" in undone:
            undone = _QUOTED.sub(r"\1", _NUMBERED.sub(lambda match: chr(int(match[1], 16)), undone))
        if undone == last:
            break
        found.append(undone)
    return tuple(found)


def holds_key(text: str, key: Hidden) -> bool:
    """True where `key` stands in `text` in any spelling, escaped or not: what `redact` masks, and what it cannot."""
    return bool(key) and any(redact(spelling, key) != spelling for spelling in spellings(text))


def echoes_key(body: bytes, key: Hidden) -> bool:
    """True where a body holds a key in any spelling: a cheap test before `redact_answer`."""
    return any(form.encode("utf-8", "ignore") in body for one in _each(key) for form in key_forms(one))


def redact_answer(answer: Answer, key: Hidden) -> Answer:
    """An answer without the key in its message and records."""
    if not key:
        return answer
    message = redact(answer.message, key) if answer.message else answer.message
    records = [redact_value(record, key) for record in answer.records]
    return dataclasses.replace(answer, message=message, records=records)


def redact_value(value: Any, key: Hidden) -> Any:
    """A value of JSON with the key masked in texts and names of members, and a number that is the key."""
    if isinstance(value, str):
        return redact(value, key)
    if isinstance(value, dict):
        return {redact(str(name), key): redact_value(item, key) for name, item in value.items()}
    if isinstance(value, list):
        return [redact_value(item, key) for item in value]
    if isinstance(value, int | float) and redact(str(value), key) == MASK:
        return MASK
    return value
