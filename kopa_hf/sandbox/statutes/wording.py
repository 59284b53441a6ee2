"""Words of invented laws: names of acts, and what their articles say.

Every name begins with one of a dozen coined words, so no act of this world can be taken for a real one.
"""

from __future__ import annotations

import datetime
from dataclasses import dataclass
from functools import cache
from typing import Final

COINED: Final = (
    "가온", "누리", "다온", "라온", "마루", "미리내", "바름", "새론", "아람", "온새", "하람", "한별",
)  # fmt: skip
SUBJECTS: Final = (
    "골목상권", "빈집", "마을버스", "공유주차", "생활체육시설", "폐의약품", "재생목재", "소형선박", "작은도서관", "전통장터",
    "도시텃밭", "반려동물", "하천둔치", "보행안전", "생활소음", "지하시설", "야간관광", "재택의료", "청년주거", "고령운전자",
    "학교급식", "평생학습", "공공통신망", "데이터결합", "무인배송", "수소충전", "해양쓰레기", "산림휴양", "농촌유학", "지역먹거리",
    "미세먼지", "물재이용", "폐배터리", "온라인중개", "구독거래", "소액채권", "상가임대", "공동주택", "승강설비", "돌봄종사자",
    "이동노동자", "기능전수", "창업공간", "지역화폐", "문화쉼터", "기록유산", "재난구호", "생활방역",
)  # fmt: skip
PURPOSES: Final = (
    (" 진흥에 관한 법률", "진흥법"),
    ("의 안전관리 및 지원에 관한 법률", "안전지원법"),
    ("의 이용 촉진에 관한 법률", "이용촉진법"),
    (" 기본법", "기본법"),
    (" 관리법", "관리법"),
    (" 지원법", "지원법"),
    ("의 보호에 관한 법률", "보호법"),
    ("의 육성 및 활용에 관한 법률", "육성활용법"),
    (" 특별법", "특별법"),
    ("의 설치 및 운영에 관한 법률", "설치운영법"),
    ("의 등록 및 거래에 관한 법률", "등록거래법"),
    ("의 재정 지원에 관한 법률", "재정지원법"),
)  # fmt: skip
RULE_FORMS: Final = ("심의위원회 규정", "포상 규정", "업무처리 규정", "통계 작성 규정", "전문인력 관리 규정")


@dataclass(frozen=True, slots=True)
class Clause:
    """What an article of an act is about; `{s}` subject, `{m}` who acts, `{n}` a number that amendments change."""

    title: str
    paragraphs: tuple[str, ...]
    items: tuple[str, ...] = ()
    """Numbered items below the last paragraph."""
    decree: str = ""
    """Title of the decree's article that it delegates to; empty: none."""
    rule: str = ""
    """The same for the ministry's rule."""
    numbers: tuple[int, ...] = (1,)


OPENING: Final = (
    Clause("목적", ("이 법은 {s}에 필요한 사항을 정하여 국민의 생활 안정과 지역 발전에 이바지함을 목적으로 한다.",)),
    Clause(
        "정의",
        ("이 법에서 사용하는 용어의 뜻은 다음과 같다.",),
        (
            '"{s}"{eunneun} 이 법에 따라 {m}이 정하여 고시한 대상을 말한다.',
            '"운영자"란 제{n}호의 대상을 관리하거나 제공하는 자를 말한다.',
            '"이용자"란 운영자로부터 편의를 제공받는 자를 말한다.',
        ),
    ),
    Clause("국가와 지방자치단체의 책무", ("국가와 지방자치단체는 {s}에 관한 시책을 마련하여야 한다.",)),
)
MIDDLE: Final = (
    Clause(
        "기본계획의 수립",
        (
            "{m}은 {s}에 관한 기본계획을 {n}년마다 수립하여야 한다.",
            "기본계획의 수립 절차에 필요한 사항은 대통령령으로 정한다.",
        ),
        decree="기본계획의 수립 절차",
        numbers=(3, 4, 5),
    ),
    Clause(
        "시행계획",
        ("{m}은 기본계획에 따라 해마다 {n}월 말일까지 시행계획을 세우고 그 결과를 공개하여야 한다.",),
        numbers=(1, 2, 3, 11, 12),
    ),
    Clause(
        "실태조사",
        (
            "{m}은 {n}년마다 {s}에 관한 실태를 조사하여 공표하여야 한다.",
            "실태조사의 범위와 방법은 대통령령으로 정한다.",
        ),
        decree="실태조사의 범위와 방법",
        numbers=(1, 2, 3),
    ),
    Clause(
        "심의위원회의 설치",
        (
            "{s}에 관한 중요한 사항을 심의하기 위하여 {m} 소속으로 심의위원회를 둔다.",
            "심의위원회는 위원장 1명을 포함한 {n}명 이내의 위원으로 구성한다.",
            "심의위원회의 구성과 운영에 필요한 사항은 대통령령으로 정한다.",
        ),
        decree="심의위원회의 구성과 운영",
        numbers=(9, 11, 15, 20, 25),
    ),
    Clause(
        "등록",
        (
            "{s}의 운영을 하려는 자는 {m}에게 등록하여야 한다.",
            "등록의 기준은 대통령령으로, 등록의 신청 절차는 부령으로 정한다.",
        ),
        decree="등록의 기준",
        rule="등록의 신청",
        numbers=(1,),
    ),
    Clause(
        "등록의 취소",
        (
            "{m}은 운영자가 다음 각 호의 어느 하나에 해당하면 등록을 취소하거나 {n}개월 이내의 기간을 정하여 업무의 정지를 "
            "명할 수 있다.",
        ),
        (
            "거짓이나 그 밖의 부정한 방법으로 등록한 경우",
            "등록의 기준에 미치지 못하게 된 경우",
            "업무정지 기간에 업무를 한 경우",
        ),
        rule="행정처분의 기준",
        numbers=(3, 6, 12),
    ),
    Clause(
        "재정 지원",
        ("국가와 지방자치단체는 {s}에 드는 비용의 100분의 {n} 이내를 보조할 수 있다.",),
        decree="보조금의 지급 기준",
        numbers=(30, 50, 70, 80),
    ),
    Clause(
        "전문인력의 양성",
        (
            "{m}은 전문인력을 양성하기 위하여 교육기관을 지정할 수 있다.",
            "교육 시간은 해마다 {n}시간 이상으로 하고, 교육의 내용은 부령으로 정한다.",
        ),
        rule="교육의 내용",
        numbers=(4, 8, 16, 24),
    ),
    Clause(
        "정보시스템의 구축",
        ("{m}은 {s}에 관한 정보를 관리하기 위하여 정보시스템을 구축하고 자료를 {n}년 동안 보관하여야 한다.",),
        numbers=(3, 5, 10),
    ),
    Clause(
        "표준계약서",
        ("{m}은 표준계약서를 마련하여 그 사용을 권장할 수 있다.",),
        rule="표준계약서의 서식",
        numbers=(1,),
    ),
    Clause(
        "이용자의 보호",
        ("운영자는 이용자가 계약을 맺은 날부터 {n}일 이내에 해지할 수 있게 하여야 한다.",),
        numbers=(7, 10, 14),
    ),
    Clause(
        "안전점검",
        ("운영자는 {n}개월마다 안전점검을 하고 그 결과를 {m}에게 보고하여야 한다.",),
        decree="안전점검의 대상",
        rule="안전점검의 방법",
        numbers=(3, 6, 12),
    ),
    Clause("보고와 검사", ("{m}은 필요하면 운영자에게 자료를 요구하거나 소속 공무원에게 검사하게 할 수 있다.",)),
    Clause("수수료", ("등록을 신청하는 자는 부령으로 정하는 수수료를 내야 한다.",), rule="수수료"),
    Clause(
        "포상금",
        ("{m}은 위반행위를 신고한 자에게 {n}만원 이내의 포상금을 지급할 수 있다.",),
        numbers=(100, 200, 300, 500),
    ),
    Clause("협회의 설립", ("운영자는 {m}의 인가를 받아 협회를 설립할 수 있다.",), decree="협회의 설립 절차"),
)
CLOSING: Final = (
    Clause(
        "권한의 위임",
        ("이 법에 따른 {m}의 권한은 대통령령으로 정하는 바에 따라 그 일부를 시·도지사에게 위임할 수 있다.",),
        decree="권한의 위임",
    ),
    Clause(
        "벌칙",
        ("등록을 하지 아니하고 운영을 한 자는 {n}년 이하의 징역 또는 {n}천만원 이하의 벌금에 처한다.",),
        numbers=(1, 2, 3, 5),
    ),
    Clause(
        "과태료",
        (
            "보고를 하지 아니하거나 검사를 거부한 자에게는 {n}만원 이하의 과태료를 부과한다.",
            "과태료는 대통령령으로 정하는 바에 따라 {m}이 부과·징수한다.",
        ),
        decree="과태료의 부과기준",
        numbers=(100, 200, 300, 500, 1000),
    ),
)


def topic(word: str) -> str:
    """은 or 는 behind a word."""
    return "은" if _final(word) else "는"


def subject_particle(word: str) -> str:
    """이 or 가 behind a word."""
    return "이" if _final(word) else "가"


def with_particle(word: str) -> str:
    """과 or 와 behind a word or number."""
    return "과" if _final(word) else "와"


_DIGITS: Final = "영일이삼사오육칠팔구"


def _final(word: str) -> int:
    """Number of the last syllable's final consonant; digits are read aloud."""
    last = word[-1]
    if last.isdecimal():
        last = "십" if word.endswith("0") and len(word) > 1 else _DIGITS[int(last)]
    return (ord(last) - 0xAC00) % 28 if "가" <= last <= "힣" else 0


@cache
def compact_day(ordinal: int) -> str:
    """20240131 for a day's ordinal."""
    return datetime.date.fromordinal(ordinal).strftime("%Y%m%d")


def spoken_day(day: str) -> str:
    """2024년 1월 31일 for 20240131."""
    return f"{day[:4]}년 {int(day[4:6])}월 {int(day[6:])}일"
