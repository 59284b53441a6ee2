"""Times of day: 14:30, 14시 30분, 오후 2시 반, 2:30 PM, 1430, 정오. 24:00 is 00:00."""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterator
from typing import Final

from kopa_hf.values import ValueFailure
from kopa_hf.values.text import fold_width, strip_closing

_TIME: Final = re.compile(
    r"(?<![0-9:.,])(?:(?P<half>오전|오후|새벽|아침|낮|저녁|밤|AM|PM)\s*)?"
    r"(?:(?P<h1>[0-9]{1,2}):(?P<m1>[0-9]{2})(?::(?P<s1>[0-9]{2}))?(?![0-9:])"
    r"|(?P<h2>[0-9]{1,2})\s*시(?!간)(?:\s*(?P<m2>[0-9]{1,2})\s*분|\s*(?P<midway>반)(?![가-힣]))?(?:\s*(?P<s2>[0-9]{1,2})\s*초)?"
    r"|(?P<h3>[0-9]{1,2})(?=\s?[AaPp]\.?[Mm]\b))"
    r"(?:\s?(?P<after>[AaPp])\.?[Mm]\b\.?)?"
    r"|(?<![가-힣])(?P<named>정오|자정)",
    re.I,
)
_BEFORE_NOON: Final = frozenset({"오전", "새벽", "아침", "AM"})
_NAMED: Final = {"정오": 12, "자정": 0}


def scan_times(text: str) -> Iterator[tuple[datetime.time | None, tuple[int, int]]]:
    """Every time of day in folded text; None where the clock has no such time."""
    for match in _TIME.finditer(text):
        yield _time(match), match.span()


def _time(match: re.Match[str]) -> datetime.time | None:
    if match["named"]:
        return datetime.time(_NAMED[match["named"]])
    hour = int(match["h1"] or match["h2"] or match["h3"])
    minute, second = int(match["m1"] or match["m2"] or 0), int(match["s1"] or match["s2"] or 0)
    minute = 30 if match["midway"] else minute
    half = "AM" if match["after"] in ("a", "A") else "PM" if match["after"] else (match["half"] or "").upper()
    if half in _BEFORE_NOON or (half == "밤" and hour == 12):
        hour = 0 if hour == 12 else hour
    elif half and hour < 12:
        hour += 12
    if (hour, minute, second) == (24, 0, 0):
        hour = 0
    valid = hour < 24 and minute < 60 and second < 60
    return datetime.time(hour, minute, second) if valid else None


def read_time(text: str) -> datetime.time:
    """The one time of day that the whole text is; HHMM and HHMMSS digits count too."""
    if len(text) > 200:
        raise ValueFailure("too long for a time")
    folded = strip_closing(fold_width(text)).strip().strip("*`\"'“”‘’ ")
    if re.fullmatch(r"[0-9]{4}|[0-9]{6}", folded):
        folded = ":".join(folded[i : i + 2] for i in range(0, len(folded), 2))
    for found, (start, end) in scan_times(folded):
        if start == 0 and not folded[end:].strip(" ."):
            if found is None:
                raise ValueFailure(f"{text.strip()[:40]!r}: the clock has no such time")
            return found
        break
    raise ValueFailure(f"{text.strip()[:40]!r} is no time")
