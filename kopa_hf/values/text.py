"""Plain text: normal form, width folding, and the endings that Korean puts behind a value."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

# Full-width ASCII and the ideographic blank. NFKC would change ㎡, ① or ½ as well.
_WIDTH: Final = {code + 0xFEE0: code for code in range(0x21, 0x7F)} | {0x3000: 0x20, 0xFFE6: 0x20A9}

_CLOSING: Final = re.compile(
    # a lone 다 or 임 must be glued to what it ends: the last of 가, 나, 다 is an item
    r"\s*(?:입니다|이다|이에요|이예요|예요|이었습니다|였습니다|이었다|였다|(?<=[^\s,])임|(?<=[^\s,])다"
    r"|(?:으로|로)\s*(?:확인|나타|조회|집계|계산|산출|파악|기록|조사)[가-힣\s]{1,12}"
    r"|(?:이라고|라고)\s*(?:합니다|한다|할\s*수\s*있습니다))?\s*[.。!]?\s*$"
)
_TAIL: Final = re.compile(
    r"(?:(?:에서|에게|까지|부터|보다|마다|만큼|정도|가량|쯤|으로|로|만|도|의|에|이|가|은|는|을|를|과|와|뿐|씩|나|며|고|인|임|중|다)+"
    r"(?![가-힣])"
    r"|입니|이었|였|이다|이라|라고|이에|예요|이네|이므|인데|이지|이란|이며|이고|이나|으로|에서|까지|부터|보다|씩|당|짜리|어치)"
)


def normalize_text(text: str) -> str:
    """NFC without outer blanks. No width folding: it would change ㎡ or ①."""
    return text.strip() if text.isascii() else unicodedata.normalize("NFC", text).strip()


_COMPANY: Final = re.compile(r"^(?:주식회사|㈜|\(주\))(?=.)|(?<=.)(?:주식회사|㈜|\(주\))$")


def squeezed(text: str) -> str:
    """Text by which names are told apart: NFC without blanks; 주식회사 가온, ㈜가온 and (주)가온 are one, 가온(주) another."""
    return _COMPANY.sub("(주)", "".join(normalize_text(text).split()), count=1)


def fold_width(text: str) -> str:
    """NFC with full-width signs made plain; for numbers, dates and codes only."""
    return text if text.isascii() else unicodedata.normalize("NFC", text).translate(_WIDTH)


def strip_closing(text: str) -> str:
    """The text without a sentence's ending: `김가온입니다.` → `김가온`, `열두 명으로 확인됩니다` → `열두 명`."""
    tail = text[-60:]  # endings are short; the search must not grow with the text
    return text[: len(text) - len(tail)] + _CLOSING.sub("", tail, count=1)


def is_tail(text: str, position: int) -> bool:
    """Whether what stands at the position can follow a value: no Hangul, a particle, or a form of 이다."""
    char = text[position : position + 1]
    return not ("가" <= char <= "힣") or _TAIL.match(text, position) is not None
