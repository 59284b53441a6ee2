"""Qualifications: 4-digit codes, grades, fields, fees. The names are invented; the forms of the codes are not."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from kopa_hf.sandbox.rng import Stream, permuted, seed_of
from kopa_hf.sandbox.skills.fields import (
    FIELDS,
    GRADES,
    PROFESSIONAL,
    QUALIFICATION_KINDS,
    SERIES,
    SERIES_OF_GRADE,
    Field,
)
from kopa_hf.sandbox.world import World

_STEMS: Final = (
    ("가람", "Garam"), ("나래", "Narae"), ("다솜", "Dasom"), ("라온", "Raon"), ("마루", "Maru"), ("보람", "Boram"),
    ("새벽", "Saebyeok"), ("아라", "Ara"), ("은하", "Eunha"), ("초롱", "Chorong"), ("한별", "Hanbyeol"), ("미리내", "Mirinae"),
    ("도담", "Dodam"), ("여울", "Yeoul"),
)  # fmt: skip
_CODES: Final = {"10": (1, 999), "30": (1000, 1999), "31": (2000, 2999), "20": (3000, 3999), "40": (6000, 7999)}
"""Where the codes of a grade lie."""
_PROFESSIONAL_CODES: Final = (9000, 9999)
_ENGLISH: Final = {
    "10": "Professional Engineer", "20": "Master Craftsman", "30": "Engineer", "31": "Industrial Engineer",
    "40": "Craftsman",
}  # fmt: skip
_LADDERS: Final = (
    (("10", "30", "31", "40"), 2), (("20", "31", "40"), 3), (("30", "31"), 4), (("30",), 2), (("31", "40"), 3),
    (("40",), 5), (("10", "30"), 2), (("20", "40"), 1),
)  # fmt: skip
_PER_SUBJECT: Final = 3
_LICENCES: Final = (
    "공간중개사", "노사상담사", "물길통역안내사", "지식재산변리사", "행정서식사", "산업보건지도사", "손해감정사", "주거관리사",
    "물류관리사", "관광안내사", "청소년길잡이", "언어재활상담사", "문화유산돌봄사", "경매중개사", "박물관해설사", "농산물품질사",
    "소방점검사", "세무상담사", "가맹거래사", "기업재난관리사", "사회조사설계사", "숲길안내사", "요양돌봄지도사", "교통사고감정사",
)  # fmt: skip
_MINISTRIES: Final = {
    "02": "고용노동부", "08": "문화체육관광부", "12": "문화체육관광부", "13": "식품의약품안전처", "14": "국토교통부", "16": "산업통상부",
    "17": "산업통상부", "18": "산업통상부", "19": "산업통상부", "20": "산업통상부", "21": "과학기술정보통신부",
    "22": "식품의약품안전처", "23": "산업통상부", "24": "농림축산식품부", "25": "고용노동부", "26": "기후에너지환경부",
}  # fmt: skip
AGENCY: Final = "한국산업인력공단"
_AGENCIES: Final = ((AGENCY, 40), ("대한상공회의소", 2), ("한국방송통신전파진흥원", 1), ("한국광해광업공단", 1))


@dataclass(frozen=True, slots=True)
class Qualification:
    """One qualification (종목)."""

    index: int
    code: str
    """Four digits."""
    name: str
    english: str
    grade: str
    """grdCd; professional licences share one."""
    kind: str
    """qualgbCd of the ordinary way to it: T or S."""
    field: Field
    ministry: str
    agency: str
    since: int
    """Year of the first exam."""
    applicants: int
    """Written applications of an ordinary year; long-tailed."""
    difficulty: int
    """Percent of those who sit the written exam and pass it."""
    written_fee: int
    practical_fee: int
    course_based: bool
    """Can also be earned by a course with its own evaluation (과정평가형)."""
    work_study: bool
    """Can also be earned in an apprenticeship (일학습병행)."""
    year_round: bool
    """Examined all year (상시검정): craftsmen of everyday trades."""

    @property
    def grade_name(self) -> str:
        """기사, 기능사 …; 전문자격 for licences."""
        return GRADES.get(self.grade, "전문자격")

    @property
    def series(self) -> str:
        """seriesCd."""
        return SERIES_OF_GRADE.get(self.grade, "21")

    @property
    def series_name(self) -> str:
        """The series in words."""
        return SERIES[self.series]

    @property
    def kind_name(self) -> str:
        """국가기술자격 or 국가전문자격."""
        return QUALIFICATION_KINDS[self.kind]


def qualifications(world: World) -> tuple[Qualification, ...]:
    """All qualifications, by code."""
    return world.table("skills.qualifications", _build)


def technical(world: World) -> tuple[Qualification, ...]:
    """Those with a grade (국가기술자격), by code."""
    return world.table("skills.technical", lambda w: tuple(q for q in qualifications(w) if q.kind == "T"))


def by_code(world: World, code: str) -> Qualification | None:
    """The qualification of a code."""
    table = world.table("skills.by_code", lambda w: {q.code: q for q in qualifications(w)})
    return table.get(code)


def _build(world: World) -> tuple[Qualification, ...]:
    named = [*_technical(world), *_licences(world)]
    seed = seed_of("codes", "skills", world.identity_seed)
    taken: dict[str, int] = {}
    found: list[Qualification] = []
    for index, (name, english, grade, field) in enumerate(named):
        low, high = _CODES.get(grade, _PROFESSIONAL_CODES)
        number = taken[grade] = taken.get(grade, -1) + 1
        code = f"{low + permuted(number % (high - low), high - low, seed):04d}"
        found.append(_qualification(world, index, code, name, english, grade, field))
    return tuple(sorted(found, key=lambda q: q.code))


def _technical(world: World) -> Iterator[tuple[str, str, str, Field]]:
    """(name, English name, grade, field): a subject has up to three families, each with a ladder of grades."""
    for field in FIELDS:
        for subject in field.subjects:
            stream = world.identity("skills", "subject", field.code, subject)
            for stem, romanized in stream.sample(_STEMS, world.count(_PER_SUBJECT)):
                for grade in stream.weighted(_LADDERS):
                    english = f"{_ENGLISH[grade]} {romanized} ({field.code})"
                    yield f"{stem}{subject}{GRADES[grade]}", english, grade, field


def _licences(world: World) -> Iterator[tuple[str, str, str, Field]]:
    stream = world.identity("skills", "licences")
    for name in _LICENCES:
        stem, romanized = stream.choice(_STEMS)
        field = stream.choice(FIELDS)
        yield f"{stem}{name}", f"Licensed {romanized} Practitioner ({field.code})", PROFESSIONAL, field


def _qualification(
    world: World, index: int, code: str, name: str, english: str, grade: str, field: Field
) -> Qualification:
    stream = world.identity("skills", "qualification", index)
    licence = grade == PROFESSIONAL
    applicants = _applicants(stream, grade)
    easy = grade == "40" and applicants > 6_000
    return Qualification(
        index=index,
        code=code,
        name=name,
        english=english,
        grade=grade,
        kind="S" if licence else "T",
        field=field,
        ministry=_MINISTRIES[field.large_code],
        agency=AGENCY if licence else stream.weighted(_AGENCIES),
        since=stream.between(1975, 2022),
        applicants=applicants,
        difficulty={"10": 9, "20": 38, "30": 40, "31": 36, "40": 52}.get(grade, 24) + stream.between(-7, 14),
        written_fee={"10": 67_800, "20": 34_400, "30": 19_400, "31": 19_400, "40": 14_500}.get(grade, 20_000),
        practical_fee=100 * stream.between(*{"10": (870, 880), "40": (105, 700)}.get(grade, (205, 950))),
        course_based=not licence and grade not in ("10", "20") and stream.chance(0.45),
        work_study=not licence and grade in ("31", "40") and stream.chance(0.4),
        year_round=easy and stream.chance(0.8),
    )


def _applicants(stream: Stream, grade: str) -> int:
    """From a handful to a hundred thousand a year."""
    if grade == "10":
        return stream.octave(16, 2_047)
    if grade == "20":
        return stream.octave(32, 4_095)
    return stream.octave(64, 32_767 if grade == "30" else 65_535)
