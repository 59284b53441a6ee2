"""Yes and no, as an answer says it. What negates itself twice is not settled here."""

from __future__ import annotations

import re
from typing import Final

from kopa_hf.values import ValueFailure
from kopa_hf.values.text import fold_width, strip_closing

# An answer's own 예 or 아니오 outweighs what the rest of its sentence affirms or denies of something else.
_SAID_YES: Final = re.compile(
    r"(?<![가-힣])(?:예(?![가-힣])(?!\s?시\b)|예(?=입니다|이다|이에요|예요|요(?![가-힣])|라고\s?(?:답|할|말|하)|로\s?(?:답|판단|결론))|네(?=\s*(?:[,.!:;)\"'”’}]|$|맞|그렇)))|(?<![A-Za-z])(?:true|yes)(?![A-Za-z])|(?<![가-힣])참(?=\s*[,.)]|\s*$|입니다|이다)",
    re.I,
)
_SAID_NO: Final = re.compile(
    r"(?<![가-힣])(?:아니오|아니요|아뇨)(?:(?![가-힣])|(?=입니다|이다|이에요|예요|라고\s?(?:답|할|말|하)|로\s?(?:답|판단|결론)))|(?<![가-힣])거짓(?=\s*[,.)]|\s*$|입니다|이다)|(?<![A-Za-z])(?:false|no)(?![A-Za-z.])",
    re.I,
)
_NEGATED: Final = re.compile(
    r"(?:그렇|맞|옳|해당하|사실이\s?아니|일치하)지\s*(?:는\s*)?(?:않|못)|(?<![가-힣])(?:아니다|아닙니다|아님|아니에요|아닌)|사실이\s*아니|해당\s*없"
    r"|틀리다|틀립니다|틀렸습니다|아닙니다|않다고\s*할"
)
_AFFIRMED: Final = re.compile(
    r"(?<![가-힣])(?:그렇다|그렇습니다|그래요|맞다|맞습니다|맞아요|맞음|옳다|옳습니다|사실이다|사실입니다|해당한다|해당합니다|해당됩니다|일치합니다|일치한다|틀림없)"
)
_TWICE: Final = re.compile(
    r"(?:않|아니|아닌|없|틀리|못)[가-힣]{0,3}\s*(?:것은|것이|것도|건|다고는|라고는|고는|지)?\s*(?:할\s*수\s*)?(?:아니|아닙|않|없)"
)
# only where nothing stands before it: 예외가 있습니다 and 예측할 수 없습니다 speak of something else
_EXISTS: Final = re.compile(r"^\W*(?:있다|있습니다|있음|있어요)")
_MISSING: Final = re.compile(r"^\W*(?:없다|없습니다|없음|없어요)")

# 예, 아닙니다 and 아니오, 맞습니다: who says both at once has said neither
_TAKEN_BACK: Final = re.compile(
    r"(?<![가-힣])(?:예|네)[\s,.!]+(?:아닙니|아니(?!면)|그렇지\s?않|맞지\s?않|틀립니|틀렸습니)"
    r"|(?<![가-힣])(?:아니오|아니요|아뇨)[\s,.!]+(?:맞(?!지)|그렇(?!지)|(?:예|네)(?![가-힣]))"
    # 예라고 할 수 없습니다, 아니오일 수도 있습니다, 아마 예입니다, probably yes
    r"|(?<![가-힣])(?:예|네|아니오|아니요|아뇨)(?:이?라고(?:는|도)?\s?(?:할|볼|말할|답할|단정할|판단할|하기|보기|단정하기)\s?(?:수(?:는|가)?\s?없|어렵)"
    r"|[일인]\s?(?:수도|지도|가능성|듯|것\s?같))"
    r"|(?<![가-힣])아마도?\s?(?:예|네|아니오|아니요)(?=입니다|이다|일|[\s,.!]|$)"
    r"|(?<![A-Za-z])yes\s+(?:and|or)\s+no(?![A-Za-z])"
    r"|(?<![A-Za-z])(?:not|maybe|perhaps|probably|possibly|likely)\s+(?:a\s+)?(?:yes|no|true|false)(?![A-Za-z])",
    re.I,
)


def scan_booleans(text: str) -> set[bool]:
    """What the text says: {True}, {False}, both where it says both or denies a denial, neither where it says neither.

    예/아니오 decide before 맞다/그렇지 않다, and these before 있다/없다.
    """
    plain = fold_width(text)
    if _TAKEN_BACK.search(plain):
        return {True, False}
    said = _both(_SAID_YES, _SAID_NO, plain)
    if said:
        return said
    if _TWICE.search(plain):
        return {True, False}
    return _both(_AFFIRMED, _NEGATED, plain) or _both(_EXISTS, _MISSING, plain)


def _both(yes: re.Pattern[str], no: re.Pattern[str], text: str) -> set[bool]:
    return {value for value, pattern in ((True, yes), (False, no)) if pattern.search(text)}


def read_boolean(text: str) -> bool:
    """The truth value that the whole text is; single letters Y, N, O and X count only here."""
    plain = strip_closing(fold_width(text)).strip(" *`\"'“”‘’.")
    letter = {"Y": True, "O": True, "N": False, "X": False, "네": True}.get(plain.upper())
    found = {letter} if letter is not None else scan_booleans(plain) or scan_booleans(text)
    if len(found) != 1:
        raise ValueFailure("neither 예 nor 아니오" if not found else "both 예 and 아니오")
    return found.pop()
