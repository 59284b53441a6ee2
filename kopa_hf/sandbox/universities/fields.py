"""The standard classification of majors: seven large fields, the middle ones in them, and small ones below."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Final

_TREE: Final = {
    "인문계열": {"언어·문학": ("국어·국문학", "영미어·문학", "중국어·문학", "일본어·문학", "독일어·문학"),
              "인문과학": ("역사·고고학", "철학·윤리학", "문헌정보학", "문화·민속학")},
    "사회계열": {"경영·경제": ("경영학", "경제학", "관광학", "무역·유통학", "회계학", "금융·보험학"), "법률": ("법학",),
              "사회과학": ("행정학", "사회학", "정치외교학", "언론·방송학", "가족·사회복지학", "심리학")},
    "교육계열": {"교육일반": ("교육학",), "유아교육": ("유아교육학",), "특수교육": ("특수교육학",), "초등교육": ("초등교육학",),
              "중등교육": ("국어교육", "영어교육", "수학교육", "과학교육", "체육교육")},
    "공학계열": {"건축": ("건축·설비공학", "건축학"), "토목·도시": ("토목공학", "도시공학"), "교통·운송": ("자동차공학", "항공학"),
              "기계·금속": ("기계공학", "금속공학"), "전기·전자": ("전기공학", "전자공학", "제어계측공학"),
              "정밀·에너지": ("에너지공학", "광학공학"), "소재·재료": ("신소재공학", "반도체·세라믹공학"),
              "컴퓨터·통신": ("응용소프트웨어공학", "전산학·컴퓨터공학", "정보·통신공학", "인공지능학"), "산업": ("산업공학",),
              "화공": ("화학공학",)},
    "자연계열": {"농림·수산": ("농업학", "산림·원예학", "동물·축산학"), "생물·화학·환경": ("생명과학", "화학", "환경학"),
              "생활과학": ("식품·조리학", "의류·의상학", "주거학"), "수학·물리·천문·지리": ("수학", "통계학", "물리학", "지구·지리학")},
    "의약계열": {"의료": ("의학", "치의학", "한의학"), "간호": ("간호학",), "약학": ("약학",),
              "치료·보건": ("보건학", "재활학", "의료공학", "임상병리학")},
    "예체능계열": {"디자인": ("산업디자인", "시각디자인", "패션디자인"), "응용예술": ("공예", "사진·만화", "영상·예술"),
               "무용·체육": ("무용", "체육"), "미술·조형": ("순수미술", "조형"), "연극·영화": ("연극·영화",), "음악": ("기악", "성악", "작곡")},
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Field:
    """A small field with the ones above it."""

    large: str
    large_name: str
    middle: str
    middle_name: str
    small: str
    small_name: str


@cache
def fields() -> tuple[Field, ...]:
    """All small fields, by code: two digits a level."""
    found = []
    for first, (large_name, middles) in enumerate(_TREE.items(), start=1):
        for second, (middle_name, smalls) in enumerate(middles.items(), start=1):
            for third, small_name in enumerate(smalls, start=1):
                large, middle = f"{first:02d}", f"{first:02d}{second:02d}"
                found.append(Field(large, large_name, middle, middle_name, f"{middle}{third:02d}", small_name))
    return tuple(found)
