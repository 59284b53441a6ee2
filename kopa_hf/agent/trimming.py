"""Results as JSON text that fits a token budget.

Rows are dropped from the end, then long texts are shortened, then columns are
dropped; whatever was cut is said, and the text is valid JSON at every size.
Only the text is cut: the result itself stays whole in the episode.
"""

from __future__ import annotations

import json
import re
import string
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

TokenCounter = Callable[[str], int]

MIN_BUDGET: Final = 200
"""Tokens below which not even the frame around the rows is sure to fit."""

_HANGUL: Final = re.compile(r"[\uac00-\ud7a3]+")
_DIGITS: Final = string.digits.encode()
_LETTERS: Final = string.ascii_letters.encode()
_CELL_LIMITS: Final = (400, 200, 100, 50, 25, 12)


def estimate_tokens(text: str) -> int:
    """Tokens of a text, on the safe side for vocabularies that know Korean.

    Counted as 1: a Hangul syllable, a digit (many tokenizers split numbers into
    digits); 2: any other character beyond ASCII; 1/3: a Latin letter; 2/3: any
    other character. Byte-level vocabularies without Korean need about twice that;
    give their own counter instead.
    """
    plain = text.encode("ascii", "ignore")  # bytes are counted in C: whole results are measured again and again
    hangul = sum(map(len, _HANGUL.findall(text)))
    digits = len(plain) - len(plain.translate(None, _DIGITS))
    letters = len(plain) - len(plain.translate(None, _LETTERS))
    wide = len(text) - len(plain) - hangul
    others = len(plain) - digits - letters
    return hangul + digits + 2 * wide + (letters + 2 * others + 2) // 3


def dump(value: Any) -> str:
    """JSON text for a model: raw Hangul, no superfluous blanks."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=str)


def fit_records(
    head: Mapping[str, Any], records: Sequence[Mapping[str, Any]], budget: int, count: TokenCounter = estimate_tokens
) -> str:
    """`head` and as many records as fit, in one JSON object.

    `head["kept"]` is the number of records in the episode; `returned` is filled in
    here, `kept` leaves where everything is shown. Where `head` has a true
    `truncated` it stays; else it turns true when rows were cut.
    """
    shown = _fitting(head, records, budget, count)
    while shown > 0:
        text = dump(_payload(head, records[:shown], len(records)))
        if count(text) <= budget:
            return text
        shown -= max(1, shown // 10)
    if records:
        single = _one_record(head, records[0], len(records), budget, count)
        if single is not None:
            return single
    return fit_frame(_payload(head, [], len(records)), budget, count)


def fit_frame(payload: Mapping[str, Any], budget: int, count: TokenCounter = estimate_tokens) -> str:
    """The object without rows; its long texts are shortened until it fits."""
    text = dump(payload)
    for limit in _CELL_LIMITS:
        if count(text) <= budget:
            return text
        text = dump(_shortened(payload, limit))
    if count(text) <= budget:
        return text
    bare = {k: v for k, v in payload.items() if isinstance(v, int | None) or k in ("result_id", "source")}
    return dump({**bare, "shortened": True})


def _fitting(head: Mapping[str, Any], records: Sequence[Mapping[str, Any]], budget: int, count: TokenCounter) -> int:
    """A first guess at the number of records; the caller checks the whole text."""
    left = budget - count(dump(_payload(head, [], len(records))))
    for index, record in enumerate(records):
        left -= count(dump(record))
        if left < 0:
            return index
    return len(records)


def _payload(head: Mapping[str, Any], shown: Sequence[Mapping[str, Any]], kept: int) -> dict[str, Any]:
    payload: dict[str, Any] = {}
    for name, value in head.items():
        payload[name] = value
        if name == "total":
            payload["returned"] = len(shown)
            if len(shown) < kept:
                payload["kept"] = kept
    if "truncated" in payload:
        payload["truncated"] = bool(payload["truncated"]) or len(shown) < kept
    payload["records"] = list(shown)
    return payload


def _one_record(
    head: Mapping[str, Any], record: Mapping[str, Any], kept: int, budget: int, count: TokenCounter
) -> str | None:
    """A single record with shortened texts, then with fewer columns; None where not one column fits."""
    for limit in _CELL_LIMITS:
        text = dump({**_payload(head, [_shortened(record, limit)], kept), "shortened": True})
        if count(text) <= budget:
            return text
    columns = [(name, _shorten(value, _CELL_LIMITS[-1])) for name, value in record.items()]
    for some in range(len(columns) - 1, 0, -1):
        payload = _payload(head, [dict(columns[:some])], kept)
        text = dump({**payload, "shortened": True, "fields_left_out": len(columns) - some})
        if count(text) <= budget:
            return text
    return None


def _shortened(payload: Mapping[str, Any], limit: int) -> dict[str, Any]:
    return {name: _shorten(value, limit) for name, value in payload.items()}


def _shorten(value: Any, limit: int) -> Any:
    if isinstance(value, str) and len(value) > limit:
        return f"{value[:limit]}… (+{len(value) - limit})"
    if isinstance(value, Mapping):
        return _shortened(value, limit)
    if isinstance(value, list | tuple):
        text = dump(value)
        return value if len(text) <= limit else f"{text[:limit]}… (+{len(text) - limit})"
    return value
