"""What English words around a value say of it: not 47 but 48, about 48, at least 48, 48 or so.

Answers are Korean, but models fall into English; a guess or a bound is no value there either.
"""

from __future__ import annotations

import re
from typing import Final

__all__ = ["is_denied_in_english", "is_hedged_in_english", "spelled_out"]

_REACH: Final = 48
_MARKS: Final = r"[\s*`\"'“‘($₩:]*$"
_LINK: Final = r"(?:\s+(?:it|that|this|there|is|was|are|were|be|been|the|a|an|on|at|to|of|as|in|total|exactly))"
_NOT: Final = re.compile(
    rf"(?<![A-Za-z])(?:not|(?:is|are|was|were)n['’]t)(?:\s+(?:the|a|on|at|equal|to|exactly)){{0,2}}{_MARKS}", re.I
)
_HEDGE: Final = (
    r"about|approximately|approx\.?|around|roughly|nearly|almost|circa|some|at\s+least|at\s+most|at\s+best"
    r"|(?:more|less|fewer|greater|higher|lower)\s+than|over|under|above|below|up\s+to|exceed(?:s|ed|ing)?|minimum|maximum"
    r"|probably|likely|maybe|perhaps|possibly|presumably|(?:I\s+)?(?:think|guess|believe|assume|suppose|estimate)"
    r"|(?:may|might|could|should|would)|estimated|seems|appears|unlikely"
)
_HEDGED: Final = re.compile(rf"(?<![A-Za-z])(?:{_HEDGE}){_LINK}{{0,4}}{_MARKS}", re.I)
_MOVED: Final = re.compile(
    r"(?<![A-Za-z])(?:before|after|by|until|till|since|from|between|prior\s+to|(?:later|earlier)\s+than|following|preceding)"
    rf"{_LINK}{{0,2}}{_MARKS}",
    re.I,
)
_BEHIND: Final = re.compile(
    r"[*`\"'”’)]{0,4}\s*(?:(?:[A-Za-z]{1,12}\s+){0,2}(?:(?:is|was|are|were)(?:n['’]t|\s+(?:not|wrong|incorrect|false|unlikely|uncertain|unclear)))"
    r"|(?:[A-Za-z]{1,12}\s+){0,2}(?:or\s+(?:so|more|less|fewer|above|below|later|earlier)|at\s+(?:least|most|best|the\s+(?:earliest|latest))|onwards?)(?![A-Za-z]))",
    re.I,
)
_POWERS: Final = {"thousand": 3, "million": 6, "billion": 9, "trillion": 12}
_POWER: Final = re.compile(
    rf"(?<![0-9A-Za-z.,])(?P<whole>[0-9]{{1,3}}(?:,[0-9]{{3}}){{1,6}}|[0-9]{{1,15}})(?:\.(?P<part>[0-9]{{1,12}}))?\s?"
    rf"(?P<power>{'|'.join(_POWERS)})(?![A-Za-z])",
    re.I,
)


def is_denied_in_english(text: str, start: int) -> bool:
    """Whether the value that begins at the position is denied: not 47."""
    return _NOT.search(text[max(0, start - _REACH) : start]) is not None


def is_hedged_in_english(text: str, start: int, end: int, *, moment: bool = False) -> bool:
    """Whether English words bound, guess or doubt the value at [start, end); of a moment also what is before or after it."""
    before = text[max(0, start - _REACH) : start]
    if before.strip() and (_HEDGED.search(before) or (moment and _MOVED.search(before))):
        return True
    return _BEHIND.match(text, end) is not None


def spelled_out(text: str) -> str:
    """2.3 million as 2300000; other text as it is."""
    return _POWER.sub(_in_digits, text) if "illion" in text.lower() or "thousand" in text.lower() else text


def _in_digits(match: re.Match[str]) -> str:
    part = match["part"] or ""
    power = _POWERS[match["power"].lower()]
    if len(part) > power:
        return match[0]
    return f"{int(match['whole'].replace(',', '') + part.ljust(power, '0'))} "
