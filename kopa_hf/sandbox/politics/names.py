"""Names of invented people in Hangul, in Chinese characters and in Latin letters."""

from __future__ import annotations

from typing import Final

from kopa_hf.sandbox.rng import Stream

_SURNAMES: Final = (
    ("김金", 21), ("이李", 15), ("박朴", 8), ("최崔", 5), ("정鄭", 5), ("강姜", 3), ("조趙", 3), ("윤尹", 3), ("장張", 2),
    ("임林", 2), ("한韓", 2), ("오吳", 2), ("서徐", 2), ("신申", 2), ("권權", 2), ("황黃", 2), ("안安", 2), ("송宋", 2),
    ("류柳", 1), ("홍洪", 1), ("전全", 1), ("고高", 1), ("문文", 1), ("손孫", 1), ("양梁", 1), ("배裵", 1), ("백白", 1),
    ("허許", 1), ("남南", 1), ("노盧", 1),
)  # fmt: skip
_SURNAME_LOTS: Final = tuple(pair for pair, lots in _SURNAMES for _ in range(lots))
_FIRST: Final = (
    "가佳", "경京", "규奎", "기基", "나娜", "다多", "도道", "동東", "명明", "민敏", "보寶", "병炳", "상相", "서瑞", "선善",
    "성成", "세世", "소素", "수秀", "승承", "시時", "연娟", "영英", "예藝", "우宇", "원源", "유裕", "은恩", "인仁", "재在",
    "정貞", "종鍾", "주周", "준俊", "지智", "진鎭", "찬燦", "채彩", "철哲", "태泰", "하夏", "해海", "현賢", "형亨", "혜惠",
    "호浩", "효孝", "희熙",
)  # fmt: skip
_SECOND: Final = (
    "강剛", "건建", "결潔", "경卿", "관寬", "교敎", "구久", "국國", "권權", "근根", "기起", "길吉", "나娜", "담潭", "란蘭",
    "령玲", "린潾", "림琳", "명明", "문文", "민民", "범範", "복福", "빈彬", "석錫", "섭燮", "성星", "솔率", "수洙", "숙淑",
    "순順", "식植", "아雅", "안安", "연蓮", "열烈", "엽燁", "영榮", "옥玉", "완完", "용鏞", "우佑", "욱旭", "원元", "율律",
    "은銀", "인寅", "일一", "자子", "정廷", "주珠", "준濬", "진眞", "찬讚", "채采", "철喆", "태兌", "택澤", "혁赫", "현鉉",
    "호鎬", "환煥", "훈勳", "휘輝", "희姬",
)  # fmt: skip

_INITIALS: Final = ("k", "kk", "n", "d", "tt", "r", "m", "b", "pp", "s", "ss", "", "j", "jj", "ch", "k", "t", "p", "h")
_MEDIALS: Final = (
    "a", "ae", "ya", "yae", "eo", "e", "yeo", "ye", "o", "wa", "wae", "oe", "yo", "u", "wo", "we", "wi", "yu", "eu",
    "ui", "i",
)  # fmt: skip
_FINALS: Final = ("", "k", "k", "k", "n", "n", "n", "t", "l", "k", "m", "l", "l", "l", "p", "l", "m", "p", "p", "t",
                  "t", "ng", "t", "t", "k", "t", "p", "t")  # fmt: skip
_SURNAMES_LATIN: Final = {
    "김": "KIM", "이": "LEE", "박": "PARK", "최": "CHOI", "강": "KANG", "임": "LIM", "오": "OH", "신": "SHIN",
    "우": "WOO", "노": "ROH", "조": "CHO",
}  # fmt: skip


class Name:
    """A person's name in three scripts."""

    __slots__ = ("hangul", "hanja")

    def __init__(self, hangul: str, hanja: str) -> None:
        self.hangul = hangul
        self.hanja = hanja

    @property
    def latin(self) -> str:
        """HONG GILDONG."""
        return f"{_SURNAMES_LATIN.get(self.hangul[0], romanised(self.hangul[0]))} {romanised(self.hangul[1:])}"


def draw_name(stream: Stream) -> Name:
    """A three-syllable name."""
    parts = (stream.choice(_SURNAME_LOTS), stream.choice(_FIRST), stream.choice(_SECOND))
    return Name("".join(p[0] for p in parts), "".join(p[1] for p in parts))


def romanised(text: str) -> str:
    """Hangul in capital Latin letters, syllable by syllable, without sound changes between them."""
    letters = []
    for char in text:
        code = ord(char) - 0xAC00
        if 0 <= code < 11172:
            letters.append(_INITIALS[code // 588] + _MEDIALS[code % 588 // 28] + _FINALS[code % 28])
    return "".join(letters).upper()
