"""Invented people and places: names by frequency of syllables, addresses on real regions."""

from __future__ import annotations

from typing import Final

from kopa_hf.sandbox.rng import Stream

_SURNAMES: Final = (
    ("김", 21), ("이", 15), ("박", 8), ("최", 5), ("정", 5), ("강", 3), ("조", 2), ("윤", 2), ("장", 2), ("임", 2),
    ("한", 2), ("오", 2), ("서", 2), ("신", 2), ("권", 2), ("황", 1), ("안", 1), ("송", 1), ("류", 1), ("홍", 1),
    ("전", 1), ("고", 1), ("문", 1), ("손", 1), ("양", 1), ("배", 1), ("백", 1), ("허", 1), ("남", 1), ("노", 1),
)  # fmt: skip
_FIRST: Final = "가나다도라로루마미민보빈사상서선성소솔수슬시아연영예온우운원유윤은이인재정주준지진찬채태하한해현혜호희"
_SECOND: Final = "강결겸경규근기나늘담라란람래령린림명민별본빈빛산새섭성솔수슬식아안연영온우욱원은음인일재정준진찬채철태하혁현호환훈휘희"

_ENGLISH: Final = {
    "김": "KIM", "이": "LEE", "박": "PARK", "최": "CHOI", "정": "JEONG", "강": "KANG", "조": "CHO", "윤": "YOON",
    "장": "JANG", "임": "LIM", "한": "HAN", "오": "OH", "서": "SEO", "신": "SHIN", "권": "KWON", "황": "HWANG",
    "안": "AN", "송": "SONG", "류": "RYU", "홍": "HONG",
}  # fmt: skip

_PLACES: Final = (
    (
        "서울특별시",
        ("강남구", "영등포구", "중구", "서초구", "종로구", "마포구", "성동구", "금천구", "구로구", "송파구"),
    ),
    ("경기도", ("성남시 분당구", "수원시 영통구", "화성시", "용인시 기흥구", "안양시 동안구", "평택시", "파주시")),
    ("인천광역시", ("연수구", "남동구", "서구")),
    ("부산광역시", ("해운대구", "강서구", "사상구")),
    ("대전광역시", ("유성구", "대덕구")),
    ("대구광역시", ("달서구", "북구")),
    ("광주광역시", ("광산구", "북구")),
    ("울산광역시", ("남구", "울주군")),
    ("충청북도", ("청주시 흥덕구", "음성군", "진천군")),
    ("충청남도", ("천안시 서북구", "아산시")),
    ("경상남도", ("창원시 성산구", "김해시")),
    ("경상북도", ("구미시", "포항시 남구")),
    ("전북특별자치도", ("전주시 덕진구", "완주군")),
    ("전라남도", ("여수시", "나주시")),
    ("강원특별자치도", ("춘천시", "원주시")),
    ("제주특별자치도", ("제주시",)),
)
_ROADS: Final = (
    "가람",
    "나래",
    "다솜",
    "라온",
    "마루",
    "보람",
    "새벽",
    "아라",
    "은하",
    "잔디",
    "초롱",
    "한별",
    "해오름",
)


def person_name(stream: Stream) -> str:
    """A three-syllable Korean name."""
    return stream.weighted(_SURNAMES) + stream.choice(_FIRST) + stream.choice(_SECOND)


def sex(stream: Stream) -> str:
    """남 or 여."""
    return "여" if stream.chance(0.32) else "남"


def address(stream: Stream) -> str:
    """A real 시도 and 시군구 with an invented street: 경기도 성남시 분당구 가람로12길 34."""
    province, districts = _PLACES[min(stream.below(len(_PLACES)), stream.below(len(_PLACES)))]
    road = f"{stream.choice(_ROADS)}로{stream.between(1, 90)}길 {stream.between(1, 120)}"
    return f"{province} {stream.choice(districts)} {road}"
